// Open alarms of events without a definition are counted: whoever invents OIDs must not raise alarms without end.
// Beyond a limit, per device and for all together, an alarm of the service stands for the rest.

import { bulk, type Database, type Reader, type SqlValue, type Transaction } from '../../store/database.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import type { AlarmDraft, Identity } from '../engine/alarm-draft.ts'
import { deviceResource, overallResource, serviceDraft } from '../service/service-alarm-draft.ts'

/** How many may be open. */
export interface UnknownLimits {
  readonly perDevice: number
  readonly overall: number
}

const table = 'unknown_alarm'
const raised = bulk(`insert into ${table} (alarm_id, device_id) values (?, ?)`, ['bigint', 'bigint'])

export class UnknownAlarms {
  readonly #database: Database
  readonly #limits: UnknownLimits
  #counts: ReadonlyMap<bigint, number> = new Map()
  #version = -1

  constructor(database: Database, limits: UnknownLimits) {
    this.#database = database
    this.#limits = limits
  }

  /** `isMet`: whether the block has unknown events at all. */
  async gather(tx: Transaction, changes: AlarmChanges, isMet: boolean): Promise<UnknownChanges> {
    const holds = this.#version === this.#database.version(table)
    if (isMet && !holds) {
      this.#counts = await unknownByDevice(tx)
      this.#version = this.#database.version(table)
    }
    return new UnknownChanges(changes, new Map(this.#counts), this.#limits)
  }
}

/** How many are open, by device. */
export async function unknownByDevice(reader: Reader): Promise<Map<bigint, number>> {
  const rows = await reader.all(`select device_id, count(*) as n from ${table} group by device_id`)
  return new Map(rows.map((row) => [row.device_id as bigint, Number(row.n)]))
}

/** The limit alarm of a device, or of all. */
function summaryDraft(resource: string, about: string, limit: number, at: number): AlarmDraft {
  const text = `${about} ${limit.toLocaleString('en')} alarms of events without a definition are open: further ones are only counted`
  return serviceDraft('unknownEvents', resource, text, at)
}

/** Unknown events inside one transaction. */
export class UnknownChanges {
  readonly #changes: AlarmChanges
  readonly #counts: Map<bigint, number>
  readonly #limits: UnknownLimits
  readonly #raised = new Map<bigint, Identity>()
  #all = 0

  constructor(changes: AlarmChanges, counts: Map<bigint, number>, limits: UnknownLimits) {
    this.#changes = changes
    this.#counts = counts
    this.#limits = limits
    for (const count of counts.values()) this.#all += count
  }

  /** The limit alarms that may be needed. */
  wanted(deviceId: bigint, deviceName: string, at: number): AlarmDraft[] {
    return [this.#ofDevice(deviceId, deviceName, at), this.#ofAll(at)]
  }

  #ofDevice(id: bigint, name: string, at: number): AlarmDraft {
    return summaryDraft(deviceResource(id), `Of ${name}`, this.#limits.perDevice, at)
  }

  #ofAll(at: number): AlarmDraft {
    return summaryDraft(overallResource, 'In all', this.#limits.overall, at)
  }

  /** The limit alarm that stands for one more alarm of the device; undefined where there is room for it. */
  summary(deviceId: bigint, deviceName: string, at: number): AlarmDraft | undefined {
    if (this.#all >= this.#limits.overall) return this.#ofAll(at)
    const isFull = (this.#counts.get(deviceId) ?? 0) >= this.#limits.perDevice
    return isFull ? this.#ofDevice(deviceId, deviceName, at) : undefined
  }

  raised(id: bigint, identity: Identity): void {
    this.#raised.set(id, identity)
    this.#counts.set(identity.deviceId, (this.#counts.get(identity.deviceId) ?? 0) + 1)
    this.#all += 1
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
