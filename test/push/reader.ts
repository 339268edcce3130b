// A minimal client of an event stream: it collects lines until an empty one.

import { once } from 'node:events'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { patience } from '../patience.ts'

/** Long enough for a machine that is very busy: it is spent only where something is wrong. */

export class EventReader {
  readonly #request: ClientRequest
  readonly #response: IncomingMessage
  #unread = ''
  #lines: string[] = []
  #wake: () => void = () => undefined
  /** Every byte so far, as text. */
  text = ''
  /** Whole documents, in the order in which they arrived. */
  readonly documents: string[] = []
  /** Empty lines, and lines with a sharp, between documents. */
  readonly heartbeats: string[] = []
  hasEnded = false
  /** Whether documents are kept here; where there are very many, `onDocument` takes what is needed. */
  keeps = true
  /** Called with each whole document. */
  onDocument: (document: string) => void = () => undefined

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request
    this.#response = response
    response.setEncoding('utf8')
    response.on('data', (piece: string) => this.#take(piece))
    response.on('close', () => {
      this.hasEnded = true
      this.#wake()
    })
    response.on('error', () => undefined)
    request.on('error', () => undefined)
  }

  /** Resolves with status and headers of the answer. */
  static async open(
    base: string,
    query: string,
    headers: Record<string, string> = {},
    path = '/events',
  ): Promise<EventReader> {
    const asked = request(`${base}${path}?${query}`, { headers, agent: false })
    asked.end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    return new EventReader(asked, response)
  }

  get status(): number {
    return this.#response.statusCode ?? 0
  }

  get headers(): IncomingHttpHeaders {
    return this.#response.headers
  }

  /** The values of a header that may be there several times. */
  rawHeaders(name: string): string[] {
    const { rawHeaders } = this.#response
    return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
  }

  get socket(): Socket {
    return this.#response.socket
  }

  #take(piece: string): void {
    if (this.keeps) this.text += piece
    this.#unread += piece
    const lines = this.#unread.split('\n')
    this.#unread = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '' && !line.startsWith('#')) this.#lines.push(line)
      else if (this.#lines.length === 0) this.heartbeats.push(line)
      else {
        const document = this.#lines.join('\n')
        this.#lines = []
        if (this.keeps) this.documents.push(document)
        this.onDocument(document)
      }
    }
    this.#wake()
  }

  /** Waits until a condition holds for what has arrived. */
  async until(holds: () => boolean, what: string): Promise<void> {
    const deadline = AbortSignal.timeout(patience)
    while (!holds()) {
      if (deadline.aborted || this.hasEnded) {
        const why = this.hasEnded ? 'the stream ended' : 'nothing more came'
        throw new Error(`${why} while waiting for ${what}; got ${this.documents.length} documents`)
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 250)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  /** All documents once there are so many. */
  async take(count: number): Promise<readonly string[]> {
    await this.until(() => this.documents.length >= count, `${count} documents`)
    return this.documents
  }

  async beats(count: number): Promise<readonly string[]> {
    await this.until(() => this.heartbeats.length >= count, `${count} signs of life`)
    return this.heartbeats
  }

  async end(): Promise<void> {
    // A connection that breaks ends too.
    if (!this.hasEnded) await new Promise((resolve) => this.#response.once('close', resolve))
  }

  stopReading(): void {
    this.#response.pause()
    this.socket.pause()
  }

  readOn(): void {
    this.socket.resume()
    this.#response.resume()
  }

  /** Closes properly: nothing is left unread. */
  close(): void {
    this.#request.destroy()
  }

  /** As when a machine loses power and restarts: the connection is reset. */
  reset(): void {
    this.socket.resetAndDestroy()
  }
}

/** The text of one element of a document. */
export const field = (document: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(document)?.[1] ?? ''

export const numberOf = (position: string): number => Number(position.split(':')[1])
