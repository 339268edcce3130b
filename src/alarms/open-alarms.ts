// Open alarms that were met lately, kept from batch to batch: a storm repeats what is open already.

import { alarms } from '../resources/alarm.ts'
import type { Database } from '../store/database.ts'
import type { OpenAlarm } from './decide.ts'

export interface Open extends OpenAlarm {
  alarmLevel: number
  /** Repeats that are not written yet. */
  repeats: bigint
  lastTime: number
}

const limit = 50_000

/** A transaction's part in it. */
interface Part {
  /** By identity; `null` where none is open. */
  readonly alarms: Map<string, Open | null>
  /** Says that what the transaction changed here is in the store too. */
  committed(): void
}

export class OpenAlarms {
  readonly #database: Database
  #alarms = new Map<string, Open | null>()
  /** The part that is not known to be committed: the next one cannot build on it. */
  #pending: Part | undefined
  #version = -1

  constructor(database: Database) {
    this.#database = database
  }

  begin(): Part {
    const version = this.#database.version(alarms.table.name)
    // Where others write to the same store, only what this transaction has read holds.
    const holds = this.#database.kind === 'sqlite' && !this.#pending && version === this.#version
    if (!holds || this.#alarms.size > limit) this.#alarms = new Map()
    const part: Part = { alarms: this.#alarms, committed: () => this.#committed(part) }
    this.#pending = part
    return part
  }

  #committed(part: Part): void {
    // The next one has begun already, and has begun anew.
    if (this.#pending !== part) return
    this.#pending = undefined
    this.#version = this.#database.version(alarms.table.name)
  }
}
