// Alarms of a Belfry service, for programs in Node (18 and newer) and in browsers:
//
//   for await (const alarm of connect('http://127.0.0.1:8080', { uuid: 'my-program' })) console.log(alarm.alarmDesc)
//
// It depends on nothing, the rest of the service included: it is shipped to browsers as it is.

import type { Alarm, AlarmFilter, Gap, StreamDocument } from './alarm-types.ts'
import { authorization, type User } from './client-login.ts'
import { Connection, RefusedError, type Request } from './stream-connection.ts'

export type { Alarm, AlarmFilter, Gap, User }
export { RefusedError }

export interface Retry {
  /** Why the connection ended or could not be made. */
  readonly error: Error
  /** How often in a row, from 1. */
  readonly attempt: number
  /** Until the next attempt, in seconds. */
  readonly delay: number
}

export interface ConnectOptions {
  /** Registers under this name: the service keeps the place, also while this program does not run. One program each. */
  readonly uuid?: string | undefined
  readonly filter?: AlarmFilter | undefined
  /** Resumes after this position, which takes precedence over the one stored for `uuid`. */
  readonly since?: string | undefined
  /** First all open alarms that match. Of no effect with `since`. */
  readonly snapshot?: boolean | undefined
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined
  /** A token of the service, made for this program. */
  readonly token?: string | undefined
  /** The name and password of an operator; a token is better. Over http, Digest is used. */
  readonly user?: User | undefined
  /** Used in the place of fetch. */
  readonly fetch?: typeof fetch | undefined
  /** Sent with each request, such as Authorization. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Alarms were missed, or may have been. Without it a warning is written to the console. */
  readonly onGap?: ((gap: Gap) => void) | undefined
  /** A connection was made; the warning is the service's, about the filter. */
  readonly onConnect?: ((warning: string | undefined) => void) | undefined
  readonly onRetry?: ((retry: Retry) => void) | undefined
  /**
   * The service's setting of that name. After 2.5 times as long without anything the connection is dead. Default 25.
   */
  readonly heartbeatSeconds?: number | undefined
  /** Seconds before the first and at most before any attempt to connect again. Default 0.5 and 30. */
  readonly backoff?: { readonly first?: number; readonly longest?: number } | undefined
}

/**
 * Follows the alarms of the service at this address, as `http://127.0.0.1:8080` or `https://nms.example.net/imcrs`.
 * Nothing is requested before the loop begins. Wrong addresses and headers are thrown at once, and refusals of the
 * service from the loop, as a `RefusedError`; after any other failure it connects again, until the signal.
 */
export function connect(url: string | URL, options: ConnectOptions = {}): AlarmStream {
  return new AlarmStream(url, options)
}

/**
 * Alarms in order, each at least once. Ends only by `break`, the signal or a refusal; a second loop goes on from there.
 */
export class AlarmStream implements AsyncIterable<Alarm> {
  readonly #url: URL
  readonly #options: ConnectOptions
  readonly #headers: Headers
  #position: string | undefined
  /** Whether the service has kept, or sent, something that a connection without a position would miss. */
  #begun = false

  constructor(url: string | URL, options: ConnectOptions) {
    this.#url = addressOf(url)
    this.#options = options
    const known = authorization(this.#url, options)
    this.#headers = new Headers({ ...known, ...options.headers, Accept: 'application/json' })
    this.#position = options.since
  }

  /**
   * Where the loop has come to: that of the alarm it was handed last, or a later one if none that match came since.
   * Saved once that alarm is dealt with, and given as `since` to the next start, it makes that start exact.
   */
  get position(): string | undefined {
    return this.#position
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Alarm, void, undefined> {
    const { signal, onConnect, onRetry } = this.#options
    let attempt = 0
    while (!signal?.aborted) {
      const connection = this.#connection()
      const began = Date.now()
      let opened = false
      try {
        opened = await connection.open()
        if (opened) {
          this.#reportBlindReturn()
          onConnect?.(connection.warning)
          yield* this.#read(connection)
        }
      } finally {
        connection.close()
        // By break, or by the signal.
        if (opened && !connection.failure) await this.#leave()
      }
      if (signal?.aborted) return
      // Two programs under one uuid end each other's connections: they must not do it as fast as they can.
      attempt = opened && Date.now() - began > calm ? 1 : attempt + 1
      const delay = this.#delay(attempt, connection.retryAfter)
      onRetry?.({
        error: connection.failure ?? new Error('the connection ended'),
        attempt,
        delay: delay / 1000,
      })
      await pause(delay, signal)
    }
  }

  async *#read(connection: Connection): AsyncGenerator<Alarm, void, undefined> {
    for (;;) {
      const line = await connection.line()
      if (line === undefined || this.#options.signal?.aborted) return
      // A sign of life may be such a line, by a setting of the service.
      if (line.startsWith('#')) continue
      const document = parse(line)
      if (!document) {
        connection.fail(new Error('the stream holds something that is not JSON'))
        return
      }
      if ('bookmark' in document) this.#position = document.bookmark.cursor
      else if ('gap' in document) {
        this.#position = document.gap.to ?? this.#position
        this.#report(document.gap)
      } else {
        this.#position = document.cursor ?? this.#position
        // To clients without a position the service reports a gap as an alarm.
        if (document.OID === entriesMissed && document.id === '0') {
          this.#options.onGap?.({ from: undefined, to: undefined, reason: document.alarmDesc })
        }
        yield document
      }
    }
  }

  /** A connection that was lost before any position came leaves nothing to go on from, unless the service keeps it. */
  #reportBlindReturn(): void {
    const { uuid, snapshot } = this.#options
    if (this.#begun && this.#position === undefined && (uuid === undefined || snapshot)) {
      const reason = 'the connection was lost before the service had sent a position'
      this.#report({ from: undefined, to: undefined, reason })
    }
    this.#begun = true
  }

  #report(gap: Gap): void {
    const { onGap } = this.#options
    if (onGap) onGap(gap)
    else console.warn(`Alarms from ${gap.from ?? '?'} to ${gap.to ?? '?'} may be missing: ${gap.reason}`)
  }

  /**
   * What was received and not handed out counts as delivered at the service: reported where the loop has ended, it
   * neither loses nor repeats anything for the next program under this uuid.
   */
  async #leave(): Promise<void> {
    if (this.#options.uuid === undefined || this.#position === undefined) return
    const farewell = new Connection({ ...this.#request(), signal: undefined, silence: 2000 })
    try {
      await farewell.open()
    } catch {
      // The place that the service keeps is then an earlier one.
    } finally {
      farewell.close()
    }
  }

  #connection(): Connection {
    const { signal, heartbeatSeconds = 25 } = this.#options
    return new Connection({ ...this.#request(), signal, silence: heartbeatSeconds * 2500 })
  }

  #request(): Pick<Request, 'url' | 'headers' | 'user' | 'fetch'> {
    const { uuid, filter = {}, snapshot, user, fetch: send = fetch } = this.#options
    const url = new URL(this.#url)
    const set = (name: string, value: unknown) => {
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== undefined) url.searchParams.append(name, String(one))
    }
    set('type', 11)
    set('cursor', true)
    set('uuid', uuid)
    for (const [name, value] of Object.entries(filter)) set(name, value)
    if (this.#position !== undefined) set('since', this.#position)
    else if (snapshot) set('snapshot', true)
    return { url, headers: this.#headers, user, fetch: send }
  }

  /** Longer each time, and random, so that clients that were cut off together do not come back together. */
  #delay(attempt: number, retryAfter: number): number {
    const { first = 0.5, longest = 30 } = this.#options.backoff ?? {}
    const most = Math.min(longest, first * 2 ** Math.min(attempt - 1, 30)) * 1000
    const asked = Math.min(retryAfter, 60_000)
    return Math.max(most, asked) * (0.5 + Math.random() / 2) + asked / 2
  }
}

/** A connection that has lasted this long, in milliseconds, was a good one. */
const calm = 10_000

/** The event by which the service reports a gap; see its own events. */
const entriesMissed = '1.3.6.1.4.1.32473.1.2'

function addressOf(address: string | URL): URL {
  const page = (globalThis as { location?: { href?: string } }).location?.href
  let url: URL
  try {
    url = new URL(address, page)
  } catch {
    throw new TypeError(`"${address}" is not an address such as http://127.0.0.1:8080`)
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${url} is not an http or https address`)
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('credentials belong into the headers, not into the address')
  }
  url.hash = ''
  let end = url.pathname.length
  while (url.pathname[end - 1] === '/') end -= 1
  const path = url.pathname.slice(0, end)
  url.pathname = path.endsWith('/events') ? path : `${path}/events`
  return url
}

function parse(line: string): StreamDocument | undefined {
  try {
    const document = JSON.parse(line)
    return typeof document === 'object' && document !== null ? document : undefined
  } catch {
    return undefined
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    if (signal?.aborted) done()
    else signal?.addEventListener('abort', done)
  })
}
