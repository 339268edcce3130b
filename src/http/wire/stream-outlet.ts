// The body of a response that never ends, to which event streams are written. Chunks go to the socket directly:
// Node's response makes three writes of each, which dominates the cost with very many clients.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Outlet, OutletWatcher } from '../../push/push.ts'

export class StreamOutlet implements Outlet {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  write(piece: Buffer | string): boolean {
    const { socket, chunkedEncoding } = this.#response
    // It has none as long as another answer on the same connection is not at its end.
    if (!socket) return this.#response.write(piece)
    // A chunk without content would be the end.
    if (piece.length === 0) return true
    return socket.write(chunkedEncoding ? chunkOf(piece) : piece)
  }

  get pending(): number {
    return this.#response.writableLength
  }

  get isGone(): boolean {
    return this.#response.destroyed
  }

  get closedCleanly(): boolean {
    const { socket } = this.#response.req
    return socket.readableEnded && !socket.errored && socket.writableLength === 0
  }

  watch({ room, gone }: OutletWatcher): void {
    const socket: Socket = this.#response.req.socket
    this.#response.on('drain', room)
    socket.on('drain', room)
    this.#response.once('close', () => {
      // The connection may go on with another request.
      socket.off('drain', room)
      gone()
    })
  }

  end(): void {
    this.#response.end()
  }

  cut(): void {
    this.#response.destroy()
  }
}

const lineEnd = Buffer.from('\r\n')

/** Pieces that many clients are given are made into a chunk once. */
const chunks = new WeakMap<Buffer, Buffer>()

/** As HTTP frames a part of a body whose length is not known beforehand. */
function chunkOf(piece: Buffer | string): Buffer {
  if (typeof piece === 'string') return framed(Buffer.from(piece))
  let chunk = chunks.get(piece)
  if (!chunk) {
    chunk = framed(piece)
    chunks.set(piece, chunk)
  }
  return chunk
}

const framed = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1'), bytes, lineEnd])
