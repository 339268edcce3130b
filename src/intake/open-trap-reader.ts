// Creates the reader of datagrams from the settings and from the state of SNMPv3 engines in the store.

import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { Decoder } from '../snmp/decoder.ts'
import { EngineClocks } from '../snmp/engine-clocks.ts'
import { AcceptedDigests, SeenMessages } from '../snmp/replayed-messages.ts'
import { readUsers } from '../snmp/users.ts'
import { Usm } from '../snmp/usm.ts'
import type { User } from '../snmp/usm-user.ts'
import type { Database } from '../store/database.ts'
import type { OwnDefinitions } from '../syslog/own-definitions.ts'
import { KnownNames } from './known-names.ts'
import { MessageRelays } from './message-relays.ts'
import { messageReading } from './message-report.ts'
import { AllowedSenders, type MessageReading, TrapReader } from './trap-reader.ts'

export class TrapReaderFactory {
  readonly #config: Config
  readonly #database: Database
  readonly #log: Logger
  readonly #users: readonly User[]
  readonly #messages: MessageReading | undefined

  /** With definitions, syslog messages are read, too. */
  constructor(config: Config, database: Database, log: Logger, definitions?: OwnDefinitions) {
    this.#config = config
    const relays = new MessageRelays(config['syslog-relays'])
    const names = new KnownNames(database, relays, log)
    this.#messages = definitions && messageReading(definitions, relays, names)
    this.#database = database
    this.#log = log
    this.#users = config['trap-users'] === '' ? [] : readUsers(config['trap-users'])
  }

  /** For a single service, which reads datagrams as soon as it receives them. */
  async alone(): Promise<TrapReader> {
    const clocks = await EngineClocks.open(this.#database)
    const acceptedDigests = await AcceptedDigests.open(this.#database)
    // Monotonic, and close to the wall clock, because its times are kept across restarts.
    const clock = () => performance.timeOrigin + performance.now()
    const { engineId, engineBoots } = clocks
    const engines = { engineId, engineBoots, times: clocks, acceptedDigests }
    const usm = this.#users.length > 0 ? new Usm({ users: this.#users, ...engines, clock }) : undefined
    return new TrapReader({ ...this.#common(), decoder: this.#decoder(usm), kept: [clocks, acceptedDigests] })
  }

  /**
   * For one of several nodes. It reads datagrams that any node has received, later than they were received, so times
   * are compared with the time of receipt. All state is in the store.
   */
  async shared(): Promise<TrapReader> {
    const [clocks, acceptedDigests, messages] = await Promise.all([
      EngineClocks.share(this.#database),
      AcceptedDigests.open(this.#database),
      SeenMessages.open(this.#database),
    ])
    const moment = { now: 0 }
    const { engineId, engineBoots, bootedAt: startedAt } = clocks
    const own = { users: this.#users, engineId, engineBoots, startedAt, clock: () => moment.now }
    const usm =
      this.#users.length > 0 ? new Usm({ ...own, times: clocks, acceptedDigests, messages }) : undefined
    const kept = [clocks, acceptedDigests, messages]
    return new TrapReader({ ...this.#common(), decoder: this.#decoder(usm), kept, moment })
  }

  #common() {
    return {
      senders: new AllowedSenders(this.#config['trap-senders']),
      duplicateSeconds: this.#config['duplicate-seconds'],
      messages: this.#messages,
      log: this.#log,
    }
  }

  #decoder(usm: Usm | undefined): Decoder {
    return new Decoder({ communities: this.#config['trap-communities'], usm })
  }
}
