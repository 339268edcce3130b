// Builds the reader of datagrams from the settings and from what the store has about version 3 engines.

import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { AcceptedDigests } from '../snmp/accepted-digests.ts'
import { Decoder } from '../snmp/decoder.ts'
import { EngineClocks } from '../snmp/engine-clocks.ts'
import { SeenMessages } from '../snmp/seen-messages.ts'
import { readUsers } from '../snmp/users.ts'
import { Usm } from '../snmp/usm.ts'
import type { User } from '../snmp/usm-user.ts'
import type { Database } from '../store/database.ts'
import { AllowedSenders } from './allowed-senders.ts'
import { TrapReader } from './trap-reader.ts'

export class TrapReaderFactory {
  readonly #config: Config
  readonly #database: Database
  readonly #log: Logger
  readonly #users: readonly User[]

  constructor(config: Config, database: Database, log: Logger) {
    this.#config = config
    this.#database = database
    this.#log = log
    this.#users = config['trap-users'] === '' ? [] : readUsers(config['trap-users'])
  }

  /** For a single service, which reads what it receives at once. */
  async alone(): Promise<TrapReader> {
    const clocks = await EngineClocks.open(this.#database)
    const taken = await AcceptedDigests.open(this.#database)
    // Steady, and close to the wall clock: its times are kept across restarts.
    const clock = () => performance.timeOrigin + performance.now()
    const { engineId, engineBoots } = clocks
    const engines = { engineId, engineBoots, times: clocks, taken }
    const usm = this.#users.length > 0 ? new Usm({ users: this.#users, ...engines, clock }) : undefined
    return new TrapReader({ ...this.#common(), decoder: this.#decoder(usm), kept: [clocks, taken] })
  }

  /**
   * For one of several services, which reads what all have received, later than they did: times are compared with when
   * something was received. All state is in the store.
   */
  async shared(): Promise<TrapReader> {
    const [clocks, taken, messages] = await Promise.all([
      EngineClocks.share(this.#database),
      AcceptedDigests.open(this.#database),
      SeenMessages.open(this.#database),
    ])
    const moment = { now: 0 }
    const { engineId, engineBoots, bootedAt: startedAt } = clocks
    const own = { users: this.#users, engineId, engineBoots, startedAt, clock: () => moment.now }
    const usm = this.#users.length > 0 ? new Usm({ ...own, times: clocks, taken, messages }) : undefined
    const kept = [clocks, taken, messages]
    return new TrapReader({ ...this.#common(), decoder: this.#decoder(usm), kept, moment })
  }

  #common() {
    return {
      senders: new AllowedSenders(this.#config['trap-senders']),
      duplicateSeconds: this.#config['duplicate-seconds'],
      log: this.#log,
    }
  }

  #decoder(usm: Usm | undefined): Decoder {
    return new Decoder({ communities: this.#config['trap-communities'], usm })
  }
}
