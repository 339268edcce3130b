// Open alarms of events without a definition are limited more strictly: whoever invents OIDs must not raise alarms
// without end.

import { bulk, type Database, type Reader, type SqlValue, type Transaction } from '../../store/database.ts'
import { TableCache } from '../../store/table-cache.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import type { Identity } from '../engine/alarm-draft.ts'
import { everything, LimitWithSummary, type OpenLimits } from './limit-with-summary.ts'

const subject = { event: 'unknownEvents', noun: 'alarms of events without a definition' } as const
const table = 'unknown_alarm'
const raised = bulk(`insert into ${table} (alarm_id, device_id) values (?, ?)`, ['bigint', 'bigint'])

export class UnknownAlarms {
  readonly #limits: OpenLimits
  readonly #counts: TableCache<ReadonlyMap<bigint, number>>

  constructor(database: Database, limits: OpenLimits) {
    this.#counts = new TableCache(database, table)
    this.#limits = limits
  }

  /** `traps`: how many of each device are in the block. `isMet`: whether it has unknown events at all. */
  async gather(
    tx: Transaction,
    changes: AlarmChanges,
    traps: ReadonlyMap<bigint, number>,
    isMet: boolean,
  ): Promise<UnknownChanges> {
    const counts = isMet ? await this.#counts.get(tx, countAll) : new Map<bigint, number>()
    const before = (id: bigint) => counts.get(id) ?? 0
    return new UnknownChanges(changes, new LimitWithSummary({ limits: this.#limits, subject, before, traps }))
  }
}

async function countAll(reader: Reader): Promise<ReadonlyMap<bigint, number>> {
  const counts = await unknownByDevice(reader)
  const sum = counts.values().reduce((all, n) => all + n, 0)
  return counts.set(everything, sum)
}

/** How many are open, by device. */
export async function unknownByDevice(reader: Reader): Promise<Map<bigint, number>> {
  const rows = await reader.all(`select device_id, count(*) as n from ${table} group by device_id`)
  return new Map(rows.map((row) => [row.device_id as bigint, Number(row.n)]))
}

/** Unknown events inside one transaction. */
export class UnknownChanges {
  readonly #changes: AlarmChanges
  readonly limit: LimitWithSummary
  readonly #raised = new Map<bigint, Identity>()

  constructor(changes: AlarmChanges, limit: LimitWithSummary) {
    this.#changes = changes
    this.limit = limit
  }

  raised(id: bigint, identity: Identity): void {
    this.#raised.set(id, identity)
    this.limit.add(identity.deviceId, 1)
  }

  async write(tx: Transaction): Promise<void> {
    const rows: SqlValue[][] = []
    for (const [id, identity] of this.#raised) {
      // It may have ended already.
      if (this.#changes.openAlarm(identity)?.id === id) rows.push([id, identity.deviceId])
    }
    await tx.runEach(raised, rows)
  }
}
