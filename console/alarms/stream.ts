// The stream of alarms while a page is open: it reconnects by itself after a break, and reports its state.

import { Refused } from '../core/refused.ts'
import type { Alarm } from './alarm-document.ts'
import { type ServerEvent, SseReader } from './sse.ts'

export type StreamState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'live'; readonly since: number }
  /** Nothing has been received since then. */
  | { readonly kind: 'stale'; readonly since: number; readonly reason: string; readonly nextTry: number }

export interface StreamParts {
  /** Requests what is wanted before a whole list; the list is awaited, whatever becomes of this. */
  readonly ahead?: (signal: AbortSignal) => Promise<void>
  /** The open answer, from this position where there is one. */
  readonly open: (position: string, signal: AbortSignal) => Promise<Response>
  /** How many alarms are open: an empty list has no end mark. */
  readonly countOpen: () => Promise<number>
  readonly listener: {
    state(state: StreamState): void
    alarm(alarm: Alarm): void
    /** A whole list follows, or has ended. */
    begin(): void
    complete(): void
    /** Changes may have been missed: everything is loaded anew. */
    gap(reason: string): void
  }
  readonly clock: () => number
}

/** The service gives a sign of life every 25 seconds. */
const silence = 60_000
const pauses = [1000, 2000, 4000, 8000, 15_000]

export class AlarmFeed {
  readonly #parts: StreamParts
  #position = ''
  #heard = 0
  #attempt = 0
  #connection: AbortController | undefined
  #wake: () => void = () => undefined
  /** Which run this is: one that was stopped must not go on beside the next. */
  #turn = 0
  #isWhole = false

  constructor(parts: StreamParts) {
    this.#parts = parts
  }

  async run(): Promise<void> {
    const { listener, clock } = this.#parts
    this.#turn += 1
    const turn = this.#turn
    const isOver = () => turn !== this.#turn
    listener.state({ kind: 'loading' })
    while (!isOver()) {
      let reason = ''
      try {
        await this.#follow()
      } catch (error) {
        reason = (error as Error).message
        // Without a session the form to sign in is shown; the stream begins again with that.
        if (error instanceof Refused && error.status === 401) return
      }
      if (isOver()) return
      const pause = pauses[Math.min(this.#attempt, pauses.length - 1)] ?? 1000
      this.#attempt += 1
      const since = this.#heard === 0 ? clock() : this.#heard
      listener.state({ kind: 'stale', since, reason, nextTry: clock() + pause })
      await this.#rest(pause)
    }
  }

  /** Ends the pause before the next attempt. */
  retryNow(): void {
    this.#wake()
  }

  stop(): void {
    this.#turn += 1
    this.#connection?.abort()
    this.#wake()
  }

  async #follow(): Promise<void> {
    const { open, ahead } = this.#parts
    const connection = new AbortController()
    this.#connection = connection
    const guard = setInterval(() => {
      if (this.#parts.clock() - this.#heard > silence) connection.abort()
    }, 5000)
    this.#heard = this.#heard || this.#parts.clock()
    try {
      if (this.#position === '') await ahead?.(connection.signal).catch(() => undefined)
      const response = await open(this.#position, connection.signal)
      this.#heard = this.#parts.clock()
      if (this.#position === '') this.#beginWhole(connection.signal)
      else this.#live()
      const reader = new SseReader((event) => this.#event(event))
      for await (const chunk of chunksOf(response)) {
        this.#heard = this.#parts.clock()
        reader.take(chunk)
      }
    } finally {
      clearInterval(guard)
      connection.abort()
    }
  }

  #beginWhole(over: AbortSignal): void {
    const { listener, countOpen } = this.#parts
    this.#isWhole = false
    listener.state({ kind: 'loading' })
    listener.begin()
    // The list is read meanwhile; where counting fails, the stream has broken as well, or sends its position later.
    countOpen().then(
      (open) => open === 0 && !over.aborted && this.#complete(),
      () => undefined,
    )
  }

  #complete(): void {
    if (this.#isWhole) return
    this.#isWhole = true
    this.#parts.listener.complete()
    this.#live()
  }

  #live(): void {
    this.#attempt = 0
    this.#isWhole = true
    this.#parts.listener.state({ kind: 'live', since: this.#parts.clock() })
  }

  #event({ name, id, data }: ServerEvent): void {
    const { listener } = this.#parts
    if (name === 'gap') {
      listener.gap((JSON.parse(data) as { reason?: string }).reason ?? '')
      this.#position = ''
      this.#connection?.abort()
      return
    }
    if (data !== '') listener.alarm(JSON.parse(data) as Alarm)
    if (id === undefined) return
    // The last alarm of the list carries the first position.
    this.#position = id
    this.#complete()
  }

  #rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

async function* chunksOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
