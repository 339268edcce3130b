// Decides which maintenance windows suppress an alarm. See decision 33.

import { serviceEvents } from '../../events/service-events.ts'
import { suppressorOf } from '../../resources/alarms/maintenance.ts'
import { type CompiledWindow, type Subject, WindowBook } from '../../rules/maintenance-windows.ts'
import type { ZoneTime } from '../../rules/zone-time.ts'
import type { Database, Transaction } from '../../store/database.ts'

/** Stored as the suppressor of a shelved alarm. */
export const shelvedMark = 'shelf'

export class Suppression {
  readonly #windows: WindowBook
  #inForce: readonly CompiledWindow[] = []
  #version = -1

  constructor(database: Database, zone: ZoneTime) {
    this.#windows = new WindowBook(database, zone)
  }

  /** Called at the beginning of a transaction. */
  async refresh(tx: Transaction): Promise<void> {
    await this.#windows.refresh(tx)
    this.#inForce = this.#windows.inForce(tx.now)
    this.#version = this.#windows.version(tx)
  }

  get isAnyInForce(): boolean {
    return this.#inForce.length > 0
  }

  /** Changes when a window begins, ends or is modified. */
  get state(): string {
    return `${this.#version} ${this.#inForce.map(({ id }) => id).join(',')}`
  }

  /** The windows that cover an alarm, were in force when its trap was received, and still are. */
  windowsCovering(subject: Subject, receivedAt?: number): string[] {
    if (this.#inForce.length === 0) return []
    const unwrapped = { ...subject, alarmType: typeWithoutSummary(subject.alarmType) }
    return this.#inForce
      .filter(
        (window) => (receivedAt === undefined || window.isInForce(receivedAt)) && window.covers(unwrapped),
      )
      .map(({ id }) => suppressorOf(id))
  }
}

const flapSummaryPrefix = `${serviceEvents.alarmFlapping.eventOid}.`

/** The summary of a flapping alarm is covered like the alarm itself. */
const typeWithoutSummary = (alarmType: string) =>
  alarmType.startsWith(flapSummaryPrefix) ? alarmType.slice(flapSummaryPrefix.length) : alarmType
