// A bell that all services on one store listen to, by LISTEN and NOTIFY, on a connection of its own: inside the
// transaction that causes the ring, NOTIFY would take a lock that all commits of the server share. It carries no data,
// and a ring may be lost: listeners also look by themselves.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { SignalListener } from '../database.ts'
import { Client } from './client.ts'

const channel = 'belfry'
/** Milliseconds. */
const reconnect = 1000
const patience = 5000

/** Milliseconds. */
interface BellTimes {
  /** Between two checks whether the server is still there, and the time limit for its answer. */
  readonly ask: number
  readonly answer: number
}

const usual: BellTimes = { ask: 2000, answer: 3000 }
/** A connection pooler may be put between us at any time. */
const testEvery = 60_000

export class PostgresSignal {
  readonly #settings: pg.ClientConfig
  readonly #ask: (sql: string, parameters: string[]) => Promise<unknown>
  readonly #times: BellTimes
  #listener: SignalListener | undefined
  #client: Client | undefined
  #timer: NodeJS.Timeout | undefined
  #expected: { readonly word: string; readonly arrived: () => void } | undefined
  #isTelling = false
  #isDue = false
  #isWarned = false
  #closed = false

  /** `ask` runs a statement on another connection: the test takes the path of another service's ring. */
  constructor(
    settings: pg.ClientConfig,
    ask: (sql: string, parameters: string[]) => Promise<unknown>,
    times = usual,
  ) {
    this.#settings = settings
    this.#ask = ask
    this.#times = times
  }

  listen(listener: SignalListener): void {
    this.#listener = listener
    void this.#connect()
  }

  /** Rings for the other services. Many rings in a short time become one. */
  ring(): void {
    this.#isDue = true
    void this.#notify()
  }

  async #notify(): Promise<void> {
    if (this.#isTelling) return
    this.#isTelling = true
    while (this.#isDue && this.#client) {
      this.#isDue = false
      // Where it fails, the connection is gone: the others receive nothing, and look by themselves. The ring is
      // repeated on the next connection.
      try {
        await this.#client.query(`notify ${channel}`)
      } catch {
        this.#isDue = true
        break
      }
    }
    this.#isTelling = false
  }

  async #connect(): Promise<void> {
    const client = new Client(this.#settings)
    let own: number | undefined
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ payload = '', processId }) => {
      if (payload !== '') this.#arrived(payload)
      else if (processId !== own) this.#listener?.heard()
    })
    try {
      await client.connect()
      own = Number((await client.query('select pg_backend_pid() as pid')).rows[0]?.pid)
      await client.query(`listen ${channel}`)
      if (this.#closed) return await client.end()
      this.#client = client
      void this.#watch(client)
      // Something may have been sent while nobody listened, and a ring may be due.
      this.#listener?.heard()
      void this.#notify()
      await this.#test(client)
    } catch {
      this.#lost(client)
    }
  }

  /**
   * A server that lost its power, or a network that was cut, sends nothing: a connection that only listens would never
   * notice. A connection that is idle for long may also be dropped by a firewall in between.
   */
  async #watch(client: Client): Promise<void> {
    const { ask, answer } = this.#times
    for (;;) {
      await sleep(ask, undefined, { ref: false })
      if (this.#client !== client) return
      const late = setTimeout(() => client.connection.stream.destroy(new Error('no answer')), answer)
      await client.query('select 1').catch(() => undefined)
      clearTimeout(late)
    }
  }

  /** Behind a pooler that gives each transaction another connection, no notification would arrive. */
  async #test(client: Client): Promise<void> {
    const word = randomUUID()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const late = setTimeout(() => resolve(false), patience)
    late.unref()
    this.#expected = { word, arrived: () => resolve(true) }
    await this.#ask('select pg_notify(?, ?)', [channel, word])
    const works = await promise
    clearTimeout(late)
    if (this.#client !== client) return
    if (works === this.#isWarned) {
      this.#isWarned = !works
      this.#listener?.warn(works ? undefined : deaf)
    }
    this.#timer = setTimeout(() => void this.#test(client).catch(() => undefined), testEvery)
    this.#timer.unref()
  }

  #arrived(word: string): void {
    if (word === this.#expected?.word) this.#expected.arrived()
  }

  #lost(client: Client): void {
    if (this.#client !== undefined && this.#client !== client) return
    this.#client = undefined
    clearTimeout(this.#timer)
    client.removeAllListeners('end')
    client.end().catch(() => undefined)
    if (this.#closed) return
    this.#timer = setTimeout(() => void this.#connect(), reconnect)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    const client = this.#client
    this.#client = undefined
    client?.removeAllListeners('end')
    await client?.end()
  }
}

const deaf =
  'notifications of PostgreSQL do not arrive: connect to the server itself, or let the pooler keep sessions. Until then, what other nodes write is seen within a second'
