// The body of an answer that never ends, as event streams write to it.

import type { ServerResponse } from 'node:http'
import type { Outlet, OutletWatcher } from '../../push/push.ts'

export class StreamOutlet implements Outlet {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  write(piece: Buffer | string): boolean {
    return this.#response.write(piece)
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
    this.#response.on('drain', room)
    this.#response.once('close', gone)
  }

  end(): void {
    this.#response.end()
  }

  cut(): void {
    this.#response.destroy()
  }
}
