// Limits the number of open alarms: a sender that names ever new resources would fill the store, and open alarms are
// never removed.

import { alarms } from '../../resources/alarms/alarm.ts'
import { bulk, type Reader, type Transaction } from '../../store/database.ts'
import { readTally } from '../../store/tally.ts'
import { everything, LimitWithSummary, type OpenLimits } from './limit-with-summary.ts'

const subject = { event: 'alarmsFull', noun: 'alarms' } as const

/** A count, as it was read and as it has been changed here since. */
interface Count {
  n: number
  readonly readAt: number
}

/**
 * Milliseconds after which a count is read again: people end alarms too, and so do other services on the same store.
 * Sooner while the limit is reached, so that room that somebody has made is used soon.
 */
const holds = { usual: 60_000, full: 5000 }
/** Counts are few; when there are too many, all of them are forgotten, and read again. */
const remembered = 50_000

const ofDevice = bulk(
  `select cast(? as bigint) as device_id, count(*) as n from ${alarms.table.name} where device_id = ? and rec_status = 0`,
  ['bigint', 'bigint'],
)

/** How many alarms are open. */
export const openOverall = (reader: Reader): Promise<number> =>
  readTally(reader, alarms.table, 'rec_status', '0')

/** How many alarms of a device are open. */
export async function openOfDevice(reader: Reader, deviceId: bigint): Promise<number> {
  const [row] = await reader.all(ofDevice.sql, [deviceId, deviceId])
  return Number(row?.n)
}

/** The counts of open alarms that traps need, from one block to the next. */
export class OpenCounts {
  readonly #limits: OpenLimits
  #counts = new Map<bigint, Count>()

  constructor(limits: OpenLimits) {
    this.#limits = limits
  }

  /** `traps`: how many of each device are in the block. */
  async gather(tx: Transaction, traps: ReadonlyMap<bigint, number>): Promise<LimitWithSummary> {
    if (this.#counts.size > remembered) this.#counts = new Map()
    const due = [...traps.keys()].filter((id) => this.#isDue(id, this.#limits.perDevice, tx.now))
    const rows = await tx.allEach(
      ofDevice,
      due.map((id) => [id, id]),
    )
    for (const row of rows) this.#counts.set(row.device_id as bigint, { n: Number(row.n), readAt: tx.now })
    if (this.#isDue(everything, this.#limits.overall, tx.now)) {
      this.#counts.set(everything, { n: await openOverall(tx), readAt: tx.now })
    }
    const before = (id: bigint) => this.#counts.get(id)?.n ?? 0
    const limit = new LimitWithSummary({ limits: this.#limits, subject, before, traps })
    tx.afterCommit(() => {
      for (const [id, by] of limit.changed) {
        const count = this.#counts.get(id)
        if (count) count.n += by
      }
    })
    return limit
  }

  #isDue(id: bigint, limit: number, now: number): boolean {
    const count = this.#counts.get(id)
    if (!count) return true
    const age = now - count.readAt
    return age < 0 || age > (count.n >= limit ? holds.full : holds.usual)
  }
}
