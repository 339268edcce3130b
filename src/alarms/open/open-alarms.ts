// Open alarms that were used recently, kept from one transaction to the next: a storm repeats what is open already.

import { alarms } from '../../resources/alarms/alarm.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { OpenAlarm } from '../engine/decide.ts'

export interface Open extends OpenAlarm {
  alarmLevel: number
  /** Whether its pushes are held back. */
  isSuppressed: boolean
  /** Repeats that are not written yet. */
  repeats: number
  lastTime: number
  /** When it was repeated; see repeat-trail.ts. */
  trail: string
}

/** By identity; `null` where none is open. */
export type OpenByIdentity = Map<string, Open | null>

const limit = 50_000

export class OpenAlarms {
  readonly #database: Database
  #alarms: OpenByIdentity = new Map()
  /** The transaction whose commit is not confirmed: the next one cannot build on what it changed here. */
  #pending: Transaction | undefined
  #version = -1

  constructor(database: Database) {
    this.#database = database
  }

  /** What is known at the beginning of a transaction, which adds to it and changes it. */
  begin(tx: Transaction): OpenByIdentity {
    const holds = !this.#pending && this.#version === this.#stored
    if (!holds || this.#alarms.size > limit) this.#alarms = new Map()
    this.#pending = tx
    tx.afterCommit(() => {
      this.#pending = undefined
      this.#version = this.#stored
    })
    return this.#alarms
  }

  get #stored(): number {
    return this.#database.version(alarms.table.name)
  }
}
