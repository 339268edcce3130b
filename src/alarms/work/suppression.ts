// What holds the pushes of an alarm back: the maintenance windows that cover it. See decision 33.

import { serviceEvents } from '../../events/service-events.ts'
import { suppressorOf } from '../../resources/alarms/maintenance.ts'
import { type CompiledWindow, type Subject, WindowBook } from '../../rules/maintenance-windows.ts'
import type { ZoneTime } from '../../rules/zone-time.ts'
import type { Database, Transaction } from '../../store/database.ts'

/** What is stored with an alarm that someone has shelved. */
export const shelf = 'shelf'

export class Suppression {
  readonly #windows: WindowBook
  #inForce: readonly CompiledWindow[] = []

  constructor(database: Database, zone: ZoneTime) {
    this.#windows = new WindowBook(database, zone)
  }

  /** As of the beginning of a transaction. */
  async refresh(tx: Transaction): Promise<void> {
    await this.#windows.refresh(tx)
    this.#inForce = this.#windows.inForce(tx.now)
  }

  /** Changes when other windows come into force, or cover something else. */
  get state(): string {
    return `${this.#windows.version} ${this.#inForce.map(({ id }) => id).join(',')}`
  }

  /**
   * The windows that cover what was received at a time, and are in force still: one that is over when a block is processed
   * holds nothing back.
   */
  of(subject: Subject, receivedAt?: number): string[] {
    if (this.#inForce.length === 0) return []
    const seen = { ...subject, alarmType: typeOf(subject.alarmType) }
    return this.#inForce
      .filter((window) => (receivedAt === undefined || window.isInForce(receivedAt)) && window.covers(seen))
      .map(({ id }) => suppressorOf(id))
  }
}

const summaries = `${serviceEvents.alarmFlapping.eventOid}.`

/** The summary of an alarm that flaps is covered like the alarm itself. */
const typeOf = (alarmType: string) =>
  alarmType.startsWith(summaries) ? alarmType.slice(summaries.length) : alarmType
