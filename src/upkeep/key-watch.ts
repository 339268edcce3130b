// The key file is read again and again: a key that was added to it can be taken into use, here and at other nodes,
// without a restart.

import type { Logger } from 'pino'
import { Fault } from '../fault.ts'
import type { Keys } from '../keys/keys.ts'
import { writeKeyIds } from '../nodes/profile.ts'
import type { Database } from '../store/database.ts'

interface KeyWatchParts {
  readonly keys: Keys
  readonly database: Database
  readonly log: Logger
  /** The name of this node; undefined where it has the store for itself. */
  readonly node: string | undefined
}

export class KeyWatch {
  readonly #parts: KeyWatchParts
  /** What was wrong with the file at the last look. */
  #trouble: string | undefined
  #written = ''

  constructor(parts: KeyWatchParts) {
    this.#parts = parts
  }

  async check(): Promise<void> {
    const { keys, database, node } = this.#parts
    this.#refresh()
    const ids = keys.idsInFile.join(' ')
    if (node === undefined || ids === this.#written) return
    await writeKeyIds(database, node, keys.idsInFile)
    this.#written = ids
  }

  /** A file that cannot be used is reported once: what was read before is still in use. */
  #refresh(): void {
    try {
      this.#parts.keys.refresh()
      this.#trouble = undefined
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.message !== this.#trouble) this.#parts.log.error(error.message)
      this.#trouble = error.message
    }
  }
}
