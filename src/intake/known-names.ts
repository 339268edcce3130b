// The names of devices, as messages of relays give them: read again where the inventory has changed.

import type { Logger } from 'pino'
import { type DeviceNames, deviceNames, namedIn, noDeviceNames } from '../resources/inventory/device-names.ts'
import type { Database } from '../store/database.ts'
import { TableCache } from '../store/table-cache.ts'
import type { MessageRelays } from './message-relays.ts'

/** Milliseconds: blocks of messages come much more often, and an import changes the inventory all the time. */
const every = 1000

export class KnownNames {
  readonly #database: Database
  readonly #relays: Pick<MessageRelays, 'exist'>
  readonly #log: Logger
  readonly #cache: TableCache<DeviceNames>
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, relays: Pick<MessageRelays, 'exist'>, log: Logger) {
    this.#database = database
    this.#relays = relays
    this.#log = log
    this.#cache = new TableCache(database, ...namedIn)
  }

  /** What cannot be read now is read the next time: messages must not wait for it. */
  async read(): Promise<DeviceNames> {
    const now = performance.now()
    if (this.#relays.exist && now - this.#lookedAt > every) {
      this.#lookedAt = now
      try {
        await this.#cache.get(this.#database, deviceNames)
      } catch (error) {
        this.#log.error({ err: error }, 'changed names of devices could not be read')
      }
    }
    return this.#cache.last ?? noDeviceNames
  }
}
