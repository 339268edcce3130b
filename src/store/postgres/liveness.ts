// Sessions whose server has become silent. A machine that lost its power, or a network that was cut, sends nothing: a
// caller that waits for an answer would wait until the kernel gives up, for a quarter of an hour. A time limit for
// statements is no solution, for a commit may have to wait for a standby, and must not be cancelled: so the server is
// asked, on a new connection, whether it still works for the session.

import type { Socket } from 'node:net'
import pg from 'pg'
import { Fault } from '../../fault.ts'

/** What the driver has of a session beyond its types. */
export interface Wire {
  readonly processID: number | null
  readonly readyForQuery: boolean
  readonly connection: { readonly stream: Socket }
}

interface Heard {
  readonly bytes: number
  /** When it was last idle, or received anything. */
  readonly at: number
}

/** Milliseconds. */
export interface LivenessTimes {
  /** Without a byte during a query, after which the server is asked. */
  readonly silence: number
  /** How long its answer is awaited. */
  readonly patience: number
}

const usual: LivenessTimes = { silence: 8000, patience: 10_000 }

/** How often it is looked whether anything was heard, within the time of silence. */
const looks = 8
/** Looks in a row without a byte on any connection, after which callers do not wait. Counted: a node may be late itself. */
const unheard = 4
/** Milliseconds that a caller waits nevertheless: the silence may be over, and somebody has to find out. */
const grace = 1000

const silentFault = () =>
  new Fault('unavailable', 'PostgreSQL does not answer: nothing has been heard from it for seconds')

export class Liveness {
  readonly #settings: pg.ClientConfig
  readonly #times: LivenessTimes
  readonly #heard = new Map<Wire, Heard>()
  #timer: NodeJS.Timeout | undefined
  #isAsking = false
  /** Looks in a row at which somebody waited for the server, and nothing had come. */
  #unheard = 0
  readonly #waiting = new Set<() => void>()

  constructor(settings: pg.ClientConfig, times = usual) {
    this.#settings = settings
    this.#times = times
  }

  /** From now on, until it ends. */
  watch(client: pg.ClientBase): void {
    const wire = client as unknown as Wire
    this.#heard.set(wire, { bytes: 0, at: performance.now() })
    this.#unheard = 0
    client.once('end', () => this.#heard.delete(wire))
    this.#timer ??= setInterval(() => void this.#check(), this.#times.silence / looks).unref()
  }

  get #isSilent(): boolean {
    return this.#unheard >= unheard
  }

  /**
   * The same answer, but no longer waited for than until nothing is heard from the server at all, on any connection. For
   * what nobody has begun with: callers are told at once that they should come again.
   */
  async failWhenSilent<T>(answer: Promise<T>): Promise<T> {
    const silence = Promise.withResolvers<never>()
    const giveUp = () => silence.reject(silentFault())
    const timer = this.#isSilent ? setTimeout(giveUp, grace) : undefined
    this.#waiting.add(giveUp)
    try {
      return await Promise.race([answer, silence.promise])
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(giveUp)
    }
  }

  /** Once silent, it stays so until something is heard, or a connection is opened. */
  #noteHeard(isHeard: boolean, isAwaited: boolean): void {
    if (isHeard || (!isAwaited && !this.#isSilent)) this.#unheard = 0
    else if (isAwaited) this.#unheard += 1
    if (this.#unheard === unheard) for (const giveUp of this.#waiting) giveUp()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#heard.clear()
  }

  async #check(): Promise<void> {
    const now = performance.now()
    const silent: Wire[] = []
    let [isHeard, isAwaited] = [false, false]
    for (const [wire, { bytes, at }] of this.#heard) {
      const read = wire.connection.stream.bytesRead
      if (read !== bytes) isHeard = true
      if (!wire.readyForQuery) isAwaited = true
      if (wire.readyForQuery || read !== bytes) this.#heard.set(wire, { bytes: read, at: now })
      else if (now - at > this.#times.silence) silent.push(wire)
    }
    this.#noteHeard(isHeard, isAwaited)
    if (silent.length === 0 || this.#isAsking) return
    this.#isAsking = true
    const atWork = await this.#atWork(silent)
    this.#isAsking = false
    for (const wire of silent) {
      const { stream } = wire.connection
      const isSilent = !wire.readyForQuery && stream.bytesRead === this.#heard.get(wire)?.bytes
      if (isSilent && !atWork(wire)) stream.destroy(new Error('Connection terminated: the server is silent'))
    }
  }

  /**
   * Asks which of them the server works for. A server that answers anything, if only that it is full, is not silent.
   */
  async #atWork(silent: readonly Wire[]): Promise<(wire: Wire) => boolean> {
    const { patience } = this.#times
    const client = new pg.Client({
      ...this.#settings,
      connectionTimeoutMillis: patience,
      query_timeout: patience,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const ids = silent.map(({ processID }) => processID)
      const { rows } = await client.query(
        "select pid::int from pg_stat_activity where pid = any($1) and state not like 'idle%'",
        [ids],
      )
      const working = new Set(rows.map(({ pid }) => Number(pid)))
      return ({ processID }) => working.has(Number(processID))
    } catch (error) {
      const speaks = error instanceof pg.DatabaseError
      return () => speaks
    } finally {
      client.connection.stream.destroy()
    }
  }
}
