// Hands what people have changed in the store to the thread that receives syslog messages.

import type { Logger } from 'pino'
import {
  allMessageDefinitions,
  messageDefinitions,
  namedAddresses,
} from '../resources/alarms/message-definition.ts'
import { messageThresholds, thresholdsOfDevices } from '../resources/alarms/message-threshold.ts'
import { mutedShapeNames, mutedShapes } from '../resources/alarms/muted-shape.ts'
import { deviceNames, namedIn } from '../resources/inventory/device-names.ts'
import type { Database, Reader } from '../store/database.ts'
import { TableCache } from '../store/table-cache.ts'
import { type ShapeName, shapeWords } from '../syslog/message-shapes.ts'
import { scopeTables } from '../syslog/own-definitions.ts'
import type { SyslogReceiver } from './syslog-receiver.ts'

const interval = 1000

type Receiver = Pick<
  SyslogReceiver,
  'hasRelays' | 'mute' | 'setThresholds' | 'setScopes' | 'setDefinitions' | 'setNames'
>

export class SieveFeed {
  readonly #parts: readonly (() => Promise<void>)[]
  readonly #log: Logger
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(database: Database, receiver: Receiver, log: Logger) {
    this.#log = log
    const thresholds = [messageThresholds.resource.table, 'device', 'device_address']
    const names = () => handing(database, namedIn, deviceNames, (found) => receiver.setNames(found))
    this.#parts = [
      ...(receiver.hasRelays ? [names()] : []),
      handing(database, [mutedShapes.resource.table], namesOfMuted, (muted) => receiver.mute(muted)),
      handing(database, thresholds, thresholdsOfDevices, (found) => receiver.setThresholds(found)),
      // Before the definitions: one that is in force for its devices is never in force for none.
      handing(database, scopeTables, namedAddresses, (addresses) => receiver.setScopes(addresses)),
      handing(database, [messageDefinitions.resource.table], allMessageDefinitions, (all) =>
        receiver.setDefinitions(all),
      ),
    ]
  }

  start(): void {
    this.#running = this.#handOver().finally(() => {
      this.#timer = setTimeout(() => this.start(), interval)
    })
  }

  async stop(): Promise<void> {
    await this.#running
    clearTimeout(this.#timer)
  }

  async #handOver(): Promise<void> {
    for (const part of this.#parts) {
      try {
        await part()
      } catch (error) {
        this.#log.error({ err: error }, 'changes could not be handed to the thread for syslog messages')
      }
    }
  }
}

/** Reads again what has changed in the tables, and hands it over. */
function handing<T>(
  database: Database,
  tables: readonly string[],
  read: (reader: Reader) => Promise<T>,
  hand: (value: T) => void,
): () => Promise<void> {
  const cache = new TableCache<T>(database, ...tables)
  let handed: T | undefined
  return async () => {
    const value = await cache.get(database, read)
    if (value === handed) return
    hand(value)
    handed = value
  }
}

export async function namesOfMuted(reader: Pick<Reader, 'all'>): Promise<ShapeName[]> {
  const rows = await mutedShapeNames(reader)
  return rows.map(({ origin, shape }) => ({ origin, words: shapeWords(shape) }))
}
