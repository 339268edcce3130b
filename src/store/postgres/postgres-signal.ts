// A signal to all services on one store that the log has grown, by LISTEN and NOTIFY. It uses a separate connection:
// inside a transaction, NOTIFY takes a lock that all commits of the server share. A signal carries no data and may be
// lost: listeners also poll.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { SignalListener } from '../database.ts'
import { Client } from './postgres-sessions.ts'

const channel = 'belfry'
/** Milliseconds. */
const reconnectDelay = 1000
const testTimeout = 5000

/** Milliseconds. */
interface SignalTimes {
  /** Between two checks whether the server still answers, and the time limit of its answer. */
  readonly checkInterval: number
  readonly answerTimeout: number
}

const defaultTimes: SignalTimes = { checkInterval: 2000, answerTimeout: 3000 }
/** A connection pooler may be added at any time. */
const testInterval = 60_000

export class PostgresSignal {
  readonly #settings: pg.ClientConfig
  readonly #queryElsewhere: (sql: string, parameters: string[]) => Promise<unknown>
  readonly #times: SignalTimes
  #listener: SignalListener | undefined
  #client: Client | undefined
  #timer: NodeJS.Timeout | undefined
  #expected: { readonly word: string; readonly arrived: () => void } | undefined
  #isSending = false
  #isDue = false
  #isWarned = false
  #closed = false

  /** `ask` runs a statement on another connection: the test takes the same path as a signal of another service. */
  constructor(
    settings: pg.ClientConfig,
    ask: (sql: string, parameters: string[]) => Promise<unknown>,
    times = defaultTimes,
  ) {
    this.#settings = settings
    this.#queryElsewhere = ask
    this.#times = times
  }

  listen(listener: SignalListener): void {
    this.#listener = listener
    void this.#connect()
  }

  /** Signals the other services. Signals in quick succession are merged. */
  send(): void {
    this.#isDue = true
    void this.#notify()
  }

  async #notify(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    while (this.#isDue && this.#client) {
      this.#isDue = false
      // If it fails, the connection is lost: the others poll meanwhile, and the signal is repeated on the next
      // connection.
      try {
        await this.#client.query(`notify ${channel}`)
      } catch {
        this.#isDue = true
        break
      }
    }
    this.#isSending = false
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
      // A signal may have been missed, or may still have to be sent.
      this.#listener?.heard()
      void this.#notify()
      await this.#test(client)
    } catch {
      this.#lost(client)
    }
  }

  /**
   * A connection that only listens would never notice that the server is gone. A firewall may also drop an idle
   * connection.
   */
  async #watch(client: Client): Promise<void> {
    const { checkInterval, answerTimeout } = this.#times
    for (;;) {
      await sleep(checkInterval, undefined, { ref: false })
      if (this.#client !== client) return
      const late = setTimeout(() => client.connection.stream.destroy(new Error('no answer')), answerTimeout)
      await client.query('select 1').catch(() => undefined)
      clearTimeout(late)
    }
  }

  /** Through a pooler that assigns a connection per transaction, no notification would arrive. */
  async #test(client: Client): Promise<void> {
    const word = randomUUID()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const late = setTimeout(() => resolve(false), testTimeout)
    late.unref()
    this.#expected = { word, arrived: () => resolve(true) }
    await this.#queryElsewhere('select pg_notify(?, ?)', [channel, word])
    const works = await promise
    clearTimeout(late)
    if (this.#client !== client) return
    if (works === this.#isWarned) {
      this.#isWarned = !works
      this.#listener?.warn(works ? undefined : notHeardWarning)
    }
    this.#timer = setTimeout(() => void this.#test(client).catch(() => undefined), testInterval)
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
    this.#timer = setTimeout(() => void this.#connect(), reconnectDelay)
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

const notHeardWarning =
  'notifications of PostgreSQL do not arrive: connect to the server itself, or let the pooler keep sessions. Until then, what other nodes write is seen within a second'
