// Limits the number of open alarms, per device and in all: a sender that names ever new resources would fill the store,
// and open alarms are never removed. Beyond the limit an alarm of the service stands for the rest.

import { alarms } from '../../resources/alarms/alarm.ts'
import { bulk, type Reader, type Transaction } from '../../store/database.ts'
import { tallied } from '../../store/tally.ts'
import type { AlarmDraft } from '../engine/alarm-draft.ts'
import { deviceResource, overallResource, serviceDraft } from '../service/service-alarm-draft.ts'

/** How many may be open. */
export interface OpenLimits {
  readonly perDevice: number
  readonly overall: number
}

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

const everything = 0n

const ofDevice = bulk(
  `select cast(? as bigint) as device_id, count(*) as n from ${alarms.table.name} where device_id = ? and rec_status = 0`,
  ['bigint', 'bigint'],
)

/** How many alarms are open. */
export const openOverall = (reader: Reader): Promise<number> =>
  tallied(reader, alarms.table, 'rec_status', '0')

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

  /** `devices`: how many traps of each device are in the block. */
  async gather(tx: Transaction, devices: ReadonlyMap<bigint, number>): Promise<OpenLimitChanges> {
    if (this.#counts.size > remembered) this.#counts = new Map()
    const due = [...devices.keys()].filter((id) => this.#isDue(id, this.#limits.perDevice, tx.now))
    const rows = await tx.allEach(
      ofDevice,
      due.map((id) => [id, id]),
    )
    for (const row of rows) this.#counts.set(row.device_id as bigint, { n: Number(row.n), readAt: tx.now })
    if (this.#isDue(everything, this.#limits.overall, tx.now)) {
      this.#counts.set(everything, { n: await openOverall(tx), readAt: tx.now })
    }
    const part = new OpenLimitChanges((id) => this.#counts.get(id)?.n ?? 0, this.#limits, devices)
    tx.afterCommit(() => {
      for (const [id, by] of part.changed) {
        const count = this.#counts.get(id)
        if (count) count.n += by
      }
    })
    return part
  }

  #isDue(id: bigint, limit: number, now: number): boolean {
    const count = this.#counts.get(id)
    if (!count) return true
    const age = now - count.readAt
    return age < 0 || age > (count.n >= limit ? holds.full : holds.usual)
  }
}

/** The counts inside one transaction. */
export class OpenLimitChanges {
  readonly #before: (id: bigint) => number
  readonly #limits: OpenLimits
  readonly #devices: ReadonlyMap<bigint, number>
  readonly #traps: number
  /** What the traps so far have added, by device. */
  readonly changed = new Map<bigint, number>()

  constructor(before: (id: bigint) => number, limits: OpenLimits, devices: ReadonlyMap<bigint, number>) {
    this.#before = before
    this.#limits = limits
    this.#devices = devices
    this.#traps = devices.values().reduce((sum, n) => sum + n, 0)
  }

  /** The limit alarms that may be needed: none as long as the whole block fits. */
  wanted(deviceId: bigint, deviceName: string, at: number): AlarmDraft[] {
    const wanted: AlarmDraft[] = []
    const traps = this.#devices.get(deviceId) ?? 0
    if (this.#before(deviceId) + traps > this.#limits.perDevice) {
      wanted.push(this.#ofDevice(deviceId, deviceName, at))
    }
    if (this.#before(everything) + this.#traps > this.#limits.overall) wanted.push(this.#ofAll(at))
    return wanted
  }

  #ofDevice(id: bigint, name: string, at: number): AlarmDraft {
    return summaryDraft(deviceResource(id), `Of ${name}`, this.#limits.perDevice, at)
  }

  #ofAll(at: number): AlarmDraft {
    return summaryDraft(overallResource, 'In all', this.#limits.overall, at)
  }

  /** The limit alarm that stands for one more alarm of the device; undefined where there is room for it. */
  summary(deviceId: bigint, deviceName: string, at: number): AlarmDraft | undefined {
    if (this.#now(everything) >= this.#limits.overall) return this.#ofAll(at)
    if (this.#now(deviceId) >= this.#limits.perDevice) return this.#ofDevice(deviceId, deviceName, at)
    return undefined
  }

  #now(id: bigint): number {
    return this.#before(id) + (this.changed.get(id) ?? 0)
  }

  /** Adds to the counts of open alarms; subtracts where it is negative. */
  add(deviceId: bigint, by: number): void {
    for (const id of [deviceId, everything]) this.changed.set(id, (this.changed.get(id) ?? 0) + by)
  }
}

/** The limit alarm of a device, or of all. */
function summaryDraft(resource: string, about: string, limit: number, at: number): AlarmDraft {
  const text = `${about} ${limit.toLocaleString('en')} alarms are open: further ones are only counted`
  return serviceDraft('alarmsFull', resource, text, at)
}
