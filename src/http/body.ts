// Reads the body of a request, up to a limit.

import type { IncomingMessage } from 'node:http'
import { Fault } from '../fault.ts'

/** A body that is too large is read on, up to so many times the limit, so that the caller can read the answer. */
export const readOnFactor = 16

/** The size that the headers name. Refuses at once what is far too large, or what has not been sent yet. */
export function announcedSize({ headers }: IncomingMessage, limit: number, tooLarge: () => Fault): number {
  const size = Number(headers['content-length'] ?? 0)
  if (size > limit && (headers.expect !== undefined || size > limit * readOnFactor)) throw tooLarge()
  return size
}

export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new Fault('too-large', `the body is larger than ${limit} bytes`)
  const announced = announcedSize(request, limit, tooLarge)
  // By events: the iterator of a stream costs as much as parsing a small body.
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const body = new GrowingBody(Math.min(limit, announced), limit)
  request.on('data', (chunk: Buffer) => {
    body.add(chunk)
    if (body.size <= limit * readOnFactor) return
    reject(tooLarge())
    request.destroy()
  })
  request.on('end', () => (body.size > limit ? reject(tooLarge()) : resolve(body.content)))
  request.on('error', reject)
  const gone = () => {
    if (!request.readableEnded) reject(new Fault('unavailable', 'the caller is gone'))
  }
  request.on('close', gone)
  if (request.destroyed) gone()
  return promise
}

/** Kept in one buffer as it grows: a body may come in as many chunks as it has bytes. */
class GrowingBody {
  readonly #limit: number
  readonly #announced: number
  #buffer: Buffer | undefined
  /** Bytes that came; those beyond the limit are not kept. */
  size = 0

  constructor(announced: number, limit: number) {
    this.#announced = announced
    this.#limit = limit
  }

  get content(): Buffer {
    return this.#buffer?.subarray(0, this.size) ?? Buffer.alloc(0)
  }

  add(chunk: Buffer): void {
    const before = this.size
    this.size += chunk.length
    if (this.size > this.#limit) return
    if (before === 0 && this.size >= this.#announced) {
      // All of it, most of the time.
      this.#buffer = chunk
      return
    }
    let buffer = this.#buffer ?? Buffer.alloc(this.#announced)
    if (this.size > buffer.length) buffer = larger(buffer, this.size, this.#limit)
    buffer.set(chunk, before)
    this.#buffer = buffer
  }
}

function larger(body: Buffer, needed: number, limit: number): Buffer {
  const grown = Buffer.alloc(Math.min(limit, needed * 2))
  grown.set(body)
  return grown
}
