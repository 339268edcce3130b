// Detects sessions whose server has become silent. A machine without power, or a broken network, sends nothing: a
// caller would wait until the kernel gives up, for a quarter of an hour. A statement timeout is no solution, because a
// commit may have to wait for a standby, and must not be cancelled. Instead, the server is asked on a new connection
// whether it still works on the session.

import type { Socket } from 'node:net'
import pg from 'pg'
import { Fault } from '../../fault.ts'

/** Properties of the driver's client that its types do not declare. */
export interface ClientInternals {
  readonly processID: number | null
  readonly readyForQuery: boolean
  readonly connection: { readonly stream: Socket }
}

interface LastReceived {
  readonly bytes: number
  /** When the session was last idle, or received anything. */
  readonly at: number
}

/** Milliseconds. */
export interface LivenessTimes {
  /** Time without a byte during a query after which the server is asked. */
  readonly silence: number
  /** How long to wait for its answer. */
  readonly timeout: number
}

const defaultTimes: LivenessTimes = { silence: 8000, timeout: 10_000 }

/** Checks for received data within the time of silence. */
const checksPerSilence = 8
/** Consecutive checks without a byte on any connection after which callers stop waiting. Counted rather than timed: the
 * timer of a busy node may be late. */
const silentChecks = 4
/** Milliseconds that a caller waits even then: some request must find out that the silence is over. */
const silentWait = 1000

const silentFault = () =>
  new Fault('unavailable', 'PostgreSQL does not answer: nothing has been heard from it for seconds')

export class Liveness {
  readonly #settings: pg.ClientConfig
  readonly #times: LivenessTimes
  readonly #received = new Map<ClientInternals, LastReceived>()
  #timer: NodeJS.Timeout | undefined
  #isAsking = false
  /** Consecutive checks at which a session waited for the server, and nothing had arrived. */
  #checksWithoutData = 0
  readonly #waiting = new Set<() => void>()

  constructor(settings: pg.ClientConfig, times = defaultTimes) {
    this.#settings = settings
    this.#times = times
  }

  /** Watches a session until it ends. */
  watch(client: pg.ClientBase): void {
    const wire = client as unknown as ClientInternals
    this.#received.set(wire, { bytes: 0, at: performance.now() })
    this.#checksWithoutData = 0
    client.once('end', () => this.#received.delete(wire))
    this.#timer ??= setInterval(() => void this.#check(), this.#times.silence / checksPerSilence).unref()
  }

  get #isSilent(): boolean {
    return this.#checksWithoutData >= silentChecks
  }

  /**
   * Waits for an answer, but fails when nothing arrives from the server on any connection. For work that has not begun:
   * callers are told at once to try again.
   */
  async failWhenSilent<T>(answer: Promise<T>): Promise<T> {
    const silence = Promise.withResolvers<never>()
    const giveUp = () => silence.reject(silentFault())
    const timer = this.#isSilent ? setTimeout(giveUp, silentWait) : undefined
    this.#waiting.add(giveUp)
    try {
      return await Promise.race([answer, silence.promise])
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(giveUp)
    }
  }

  /** The server counts as silent until something arrives, or a connection is opened. */
  #noteReceived(isHeard: boolean, isAwaited: boolean): void {
    if (isHeard || (!isAwaited && !this.#isSilent)) this.#checksWithoutData = 0
    else if (isAwaited) this.#checksWithoutData += 1
    if (this.#checksWithoutData === silentChecks) for (const giveUp of this.#waiting) giveUp()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#received.clear()
  }

  async #check(): Promise<void> {
    const now = performance.now()
    const silent: ClientInternals[] = []
    let [isHeard, isAwaited] = [false, false]
    for (const [wire, { bytes, at }] of this.#received) {
      const read = wire.connection.stream.bytesRead
      if (read !== bytes) isHeard = true
      if (!wire.readyForQuery) isAwaited = true
      if (wire.readyForQuery || read !== bytes) this.#received.set(wire, { bytes: read, at: now })
      else if (now - at > this.#times.silence) silent.push(wire)
    }
    this.#noteReceived(isHeard, isAwaited)
    if (silent.length === 0 || this.#isAsking) return
    this.#isAsking = true
    const atWork = await this.#atWork(silent)
    this.#isAsking = false
    for (const wire of silent) {
      const { stream } = wire.connection
      const isSilent = !wire.readyForQuery && stream.bytesRead === this.#received.get(wire)?.bytes
      if (isSilent && !atWork(wire)) stream.destroy(new Error('Connection terminated: the server is silent'))
    }
  }

  /**
   * Asks which of these sessions the server works on. A server that answers at all, even with an error, is not silent.
   */
  async #atWork(silent: readonly ClientInternals[]): Promise<(wire: ClientInternals) => boolean> {
    const { timeout } = this.#times
    const client = new pg.Client({
      ...this.#settings,
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
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
