// Saves how far registered clients have come, one save after the other: a late one must not undo a newer one.

import type { Logger } from 'pino'
import type { Progress, Registrations } from './registrations.ts'

export class SavedPositions {
  readonly #registrations: Registrations
  readonly #log: Logger
  #saving: Promise<unknown> = Promise.resolve()

  constructor(registrations: Registrations, log: Logger) {
    this.#registrations = registrations
    this.#log = log
  }

  /** Returns the progress of streams whose uuid belongs to another connection by now. */
  save(progress: readonly Progress[]): Promise<readonly Progress[]> {
    const saving = this.#saving.then(async () => {
      try {
        return await this.#registrations.save(progress)
      } catch (error) {
        // The position on disk stays older: more is sent again, and nothing is lost.
        this.#log.error({ err: error }, 'positions of clients could not be saved')
        return []
      }
    })
    this.#saving = saving
    return saving
  }

  /** Resolves when everything up to now has been saved. */
  async saved(): Promise<void> {
    await this.#saving
  }
}
