// Rereads the key file while the service runs, so that a new key can be used without a restart.

import type { Logger } from 'pino'
import { Fault } from '../fault.ts'
import type { Keys } from './key-ring.ts'

export class KeyFileWatch {
  readonly #keys: Keys
  readonly #log: Logger
  /** The last error that was logged. */
  #error: string | undefined

  constructor(keys: Keys, log: Logger) {
    this.#keys = keys
    this.#log = log
  }

  /** An unusable file is logged once; the keys read before stay in use. */
  async check(): Promise<void> {
    try {
      this.#keys.refresh()
      this.#error = undefined
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.message !== this.#error) this.#log.error(error.message)
      this.#error = error.message
    }
  }
}
