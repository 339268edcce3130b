// A bell that all services on one store hear, by LISTEN and NOTIFY, on a connection of its own: inside the transaction that
// has something to tell, NOTIFY would take a lock that all commits of the server share. It carries nothing, and may be
// missed: whoever listens also looks by himself.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { BellListener } from '../database.ts'

const channel = 'belfry'
/** Milliseconds. */
const reconnect = 1000
const patience = 5000
/** A pooler may come between us at any time. */
const testEvery = 60_000

export class PostgresBell {
  readonly #settings: pg.ClientConfig
  readonly #ask: (sql: string, parameters: string[]) => Promise<unknown>
  #listener: BellListener | undefined
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #expected: { readonly word: string; readonly arrived: () => void } | undefined
  #isTelling = false
  #isDue = false
  #isWarned = false
  #closed = false

  /** `ask` runs a statement on another connection: the test goes the way that a stranger's ring goes. */
  constructor(settings: pg.ClientConfig, ask: (sql: string, parameters: string[]) => Promise<unknown>) {
    this.#settings = settings
    this.#ask = ask
  }

  listen(listener: BellListener): void {
    this.#listener = listener
    void this.#connect()
  }

  /** Rings for the others. Many rings in a short time are one. */
  ring(): void {
    this.#isDue = true
    if (!this.#isTelling) void this.#tell()
  }

  async #tell(): Promise<void> {
    this.#isTelling = true
    while (this.#isDue && this.#client) {
      this.#isDue = false
      // Where it fails, the connection is gone: others hear nothing, and look.
      await this.#client.query(`notify ${channel}`).catch(() => undefined)
    }
    this.#isTelling = false
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.#settings)
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
      // Something may have been sent while nobody listened.
      this.#listener?.heard()
      await this.#test()
    } catch {
      this.#lost(client)
    }
  }

  /** Behind a pooler that gives each transaction another connection, nobody would hear. */
  async #test(): Promise<void> {
    const word = randomUUID()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const late = setTimeout(() => resolve(false), patience)
    late.unref()
    this.#expected = { word, arrived: () => resolve(true) }
    await this.#ask('select pg_notify(?, ?)', [channel, word])
    const works = await promise
    clearTimeout(late)
    if (this.#closed) return
    if (works === this.#isWarned) {
      this.#isWarned = !works
      this.#listener?.warn(works ? undefined : deaf)
    }
    this.#timer = setTimeout(() => void this.#test().catch(() => undefined), testEvery)
    this.#timer.unref()
  }

  #arrived(word: string): void {
    if (word === this.#expected?.word) this.#expected.arrived()
  }

  #lost(client: pg.Client): void {
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
