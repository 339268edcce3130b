// Limits the number of open alarms: a sender that names ever new resources would fill the store, and open alarms are
// never removed.

import { alarms } from '../../resources/alarms/alarm.ts'
import { bulk, type Database, type Reader, type SqlValue, type Transaction } from '../../store/database.ts'
import { TableCache } from '../../store/table-cache.ts'
import { readTally } from '../../store/tally.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import type { AlarmDraft, Identity } from '../engine/alarm-draft.ts'
import { deviceResource, overallResource, serviceDraft } from '../service/service-alarms.ts'

// How many alarms may be open, per device and for all together. Beyond the limit a summary alarm of the service stands
// for the rest.

/** How many may be open. */
export interface OpenLimits {
  readonly perDevice: number
  readonly overall: number
}

interface Parts {
  readonly limits: OpenLimits
  /** What is limited: the event of its summary alarms, and its name in their text. */
  readonly subject: { readonly event: 'unknownEvents' | 'alarmsFull'; readonly noun: string }
  /** How many of a device, or of everything, were open before. */
  before(id: bigint): number
  /** How many traps of each device are in the block. */
  readonly traps: ReadonlyMap<bigint, number>
}

/** Stands for all devices together. */
const everything = 0n

/** A limit and what a block of traps adds to its counts. */
export class LimitWithSummary {
  readonly #parts: Parts
  readonly #traps: number
  /** What the traps so far have added, by device. */
  readonly changed = new Map<bigint, number>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#traps = parts.traps.values().reduce((sum, n) => sum + n, 0)
  }

  /** The summary alarms that may be needed: none as long as the whole block fits. */
  alarmsToGather(deviceId: bigint, deviceName: string, at: number): AlarmDraft[] {
    const { limits, before, traps } = this.#parts
    const wanted: AlarmDraft[] = []
    if (before(deviceId) + (traps.get(deviceId) ?? 0) > limits.perDevice) {
      wanted.push(this.#ofDevice(deviceId, deviceName, at))
    }
    if (before(everything) + this.#traps > limits.overall) wanted.push(this.#ofAll(at))
    return wanted
  }

  /** The summary alarm that stands for one more alarm of the device; undefined where there is room for it. */
  summary(deviceId: bigint, deviceName: string, at: number): AlarmDraft | undefined {
    const { perDevice, overall } = this.#parts.limits
    if (this.#now(everything) >= overall) return this.#ofAll(at)
    return this.#now(deviceId) >= perDevice ? this.#ofDevice(deviceId, deviceName, at) : undefined
  }

  /** Adds to the counts of open alarms; subtracts where it is negative. */
  add(deviceId: bigint, by: number): void {
    for (const id of [deviceId, everything]) this.changed.set(id, (this.changed.get(id) ?? 0) + by)
  }

  #now(id: bigint): number {
    return this.#parts.before(id) + (this.changed.get(id) ?? 0)
  }

  #ofDevice(id: bigint, name: string, at: number): AlarmDraft {
    return this.#draft(deviceResource(id), `Of ${name}`, this.#parts.limits.perDevice, at)
  }

  #ofAll(at: number): AlarmDraft {
    return this.#draft(overallResource, 'In all', this.#parts.limits.overall, at)
  }

  #draft(resource: string, about: string, limit: number, at: number): AlarmDraft {
    const { event, noun } = this.#parts.subject
    const text = `${about} ${limit.toLocaleString('en')} ${noun} are open: further ones are only counted`
    return serviceDraft(event, resource, text, at)
  }
}

const openAlarms = { event: 'alarmsFull', noun: 'alarms' } as const

/** A count, as it was read and as it has been changed here since. */
interface Count {
  n: number
  readonly readAt: number
}

/**
 * Milliseconds after which a count is read again: people end alarms too, and so do other services on the same store.
 * Sooner while the limit is reached, so that room that somebody has made is used soon.
 */
const holds = { normal: 60_000, full: 5000 }
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
    const limit = new LimitWithSummary({ limits: this.#limits, subject: openAlarms, before, traps })
    tx.afterCommit(() => {
      for (const [id, by] of limit.changed) {
        const count = this.#counts.get(id)
        if (count) count.n += by
      }
    }, this.#forget)
    return limit
  }

  readonly #forget = () => this.#counts.clear()

  #isDue(id: bigint, limit: number, now: number): boolean {
    const count = this.#counts.get(id)
    if (!count) return true
    const age = now - count.readAt
    return age < 0 || age > (count.n >= limit ? holds.full : holds.normal)
  }
}

// Open alarms of events without a definition are limited more strictly: whoever invents OIDs must not raise alarms
// without end.

const unknownAlarms = { event: 'unknownEvents', noun: 'alarms of events without a definition' } as const
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
    return new UnknownChanges(
      changes,
      new LimitWithSummary({ limits: this.#limits, subject: unknownAlarms, before, traps }),
    )
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
