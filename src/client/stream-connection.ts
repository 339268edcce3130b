// One response that never ends, read line by line. It ends when the service, the network, silence or the caller ends
// it.

import { answerDigest, type User } from './client-login.ts'

/** The service has refused: asking again would not help. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number
  /** The service's code for it, such as `invalid` or `unauthorized`. */
  readonly code: string | undefined
  /** The parameter at fault. */
  readonly field: string | undefined

  constructor(status: number, message: string, { code, field }: { code?: string; field?: string } = {}) {
    super(message)
    this.status = status
    this.code = code
    this.field = field
  }
}

export interface Request {
  readonly url: URL
  readonly headers: Headers
  readonly user: User | undefined
  readonly fetch: typeof fetch
  readonly signal: AbortSignal | undefined
  /** How long nothing at all may be received, in milliseconds. */
  readonly silence: number
}

/** How long the head of the answer may take, in milliseconds: the service sends it at once. */
const opening = 30_000
/** Characters: an alarm has some thousands, a snapshot comes in many lines. */
const maxLineLength = 2 ** 24
/** Statuses of a service, or of a proxy before it, after which a retry may succeed soon. */
const passing = new Set([408, 425, 429])

export class Connection {
  readonly #request: Request
  readonly #abort = new AbortController()
  readonly #decoder = new TextDecoder()
  #lines: Iterator<string> = ([] as string[]).values()
  #rest = ''
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  /** Why it ended. */
  failure: Error | undefined
  /** How long the service asks to wait, in milliseconds. */
  retryAfter = 0
  /** A warning of the service about the request. */
  warning: string | undefined

  constructor(request: Request) {
    this.#request = request
    request.signal?.addEventListener('abort', this.close)
  }

  /** Whether the stream is open now; throws if the service refuses it for good. */
  async open(): Promise<boolean> {
    const { url, headers, silence, signal } = this.#request
    if (signal?.aborted) return false
    const limit = Math.min(opening, silence)
    return this.#within(limit, `no answer for ${limit / 1000} seconds`, async () => {
      const answer = await this.#ask(headers)
      if (!answer.ok) await this.#refused(answer)
      const type = answer.headers.get('content-type') ?? ''
      if (!/^application\/json\b/.test(type) || !answer.body) {
        const found = type === '' ? 'something without a type' : type
        throw new RefusedError(
          answer.status,
          `${url.origin}${url.pathname} answers ${found} instead of a stream of alarms`,
        )
      }
      this.warning = answer.headers.get('belfry-warning') ?? undefined
      this.#reader = answer.body.getReader()
      return true
    }).then((opened) => opened ?? false)
  }

  /** A client with a password first has to get a challenge over http. */
  async #ask(headers: Headers): Promise<Response> {
    const { url, user, fetch: send } = this.#request
    const init = { signal: this.#abort.signal, cache: 'no-store' } as const
    const answer = await send(url, { headers, ...init })
    if (answer.status !== 401 || !user || headers.has('Authorization')) return answer
    const authorization = await answerDigest(answer.headers.get('www-authenticate') ?? '', user, url)
    if (authorization === undefined) return answer
    await answer.body?.cancel()
    const known = new Headers(headers)
    known.set('Authorization', authorization)
    return send(url, { headers: known, ...init })
  }

  async #refused(answer: Response): Promise<never> {
    const { status } = answer
    const text = await answer.text()
    const fault = readFault(text)
    const message = fault.message ?? `the service answered ${status}`
    if (status < 400 || (status < 500 && !passing.has(status))) throw new RefusedError(status, message, fault)
    const seconds = Number(answer.headers.get('retry-after'))
    if (seconds > 0) this.retryAfter = seconds * 1000
    throw new Error(message)
  }

  /** The next line that is not empty; undefined when the connection has ended. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const line = this.#lines.next()
      if (!line.done) return line.value
      const reader = this.#reader
      if (!reader || this.#abort.signal.aborted) return undefined
      const { silence } = this.#request
      const chunk = await this.#within(silence, `nothing heard for ${silence / 1000} seconds`, () =>
        reader.read(),
      )
      if (!chunk) return undefined
      if (chunk.done) {
        this.fail(new Error('the service ended the stream'))
        return undefined
      }
      this.#take(this.#decoder.decode(chunk.value, { stream: true }))
    }
  }

  #take(text: string): void {
    const end = text.lastIndexOf('\n')
    if (end < 0) this.#rest += text
    else {
      const lines = (this.#rest + text.slice(0, end)).split('\n')
      this.#lines = lines.filter((line) => line.trim() !== '').values()
      this.#rest = text.slice(end + 1)
    }
    if (this.#rest.length > maxLineLength) this.fail(new Error('the service sent a line without end'))
  }

  /** Runs work within a time limit; if it takes longer, the connection is abandoned and the result undefined. */
  async #within<T>(limit: number, complaint: string, work: () => Promise<T>): Promise<T | undefined> {
    const timer = setTimeout(() => this.fail(new Error(complaint)), limit)
    try {
      return await work()
    } catch (error) {
      if (error instanceof RefusedError) throw error
      // Closed by us: not a failure.
      if (!this.#abort.signal.aborted) this.fail(plain(error))
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  /** The first reason counts: the others follow from it. */
  fail(error: Error): void {
    this.failure ??= error
    this.close()
  }

  readonly close = (): void => {
    this.#request.signal?.removeEventListener('abort', this.close)
    this.#abort.abort()
  }
}

function readFault(text: string): { message?: string; code?: string; field?: string } {
  try {
    const { message, code, field } = JSON.parse(text)
    return {
      ...(typeof message === 'string' && { message }),
      ...(typeof code === 'string' && { code }),
      ...(typeof field === 'string' && { field }),
    }
  } catch {
    // The answer is a proxy's own.
    return {}
  }
}

/** "fetch failed" says nothing; its cause does. */
function plain(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const { cause } = error
  return cause instanceof Error && cause.message !== ''
    ? new Error(cause.message, { cause: error })
    : cause instanceof Error && 'code' in cause
      ? new Error(String(cause.code), { cause: error })
      : error
}
