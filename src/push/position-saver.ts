// Saves how far registered clients have read, one save after the other: a late one must not undo a newer one.

import type { Logger } from 'pino'
import { SerialQueue } from '../pacing/serial-queue.ts'
import type { Progress, Registrations } from './registrations.ts'

export class PositionSaver {
  readonly #registrations: Registrations
  readonly #log: Logger
  readonly #saves = new SerialQueue()

  constructor(registrations: Registrations, log: Logger) {
    this.#registrations = registrations
    this.#log = log
  }

  /** Returns the progress of streams whose uuid now belongs to another connection. */
  save(progress: readonly Progress[]): Promise<readonly Progress[]> {
    return this.#saves.run(async () => {
      try {
        return await this.#registrations.save(progress)
      } catch (error) {
        // The stored position stays older: clients receive entries again, and lose nothing.
        this.#log.error({ err: error }, 'positions of clients could not be saved')
        return []
      }
    })
  }

  /** Resolves when all saves that were requested by now have ended. */
  async idle(): Promise<void> {
    await this.#saves.idle()
  }
}
