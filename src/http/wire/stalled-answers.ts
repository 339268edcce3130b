// Closes connections whose response nobody reads: such a caller would occupy its connection forever.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const checkSeconds = 2

export class StalledAnswers {
  readonly #milliseconds: number
  readonly #answers = new Set<ServerResponse>()
  readonly #timed = new WeakSet<Socket>()
  readonly #timer: NodeJS.Timeout

  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000
    this.#timer = setInterval(() => this.#limitStalled(), checkSeconds * 1000)
    this.#timer.unref()
  }

  begin(answer: ServerResponse): void {
    this.#answers.add(answer)
  }

  end(answer: ServerResponse): void {
    this.#answers.delete(answer)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Node closes a connection that is idle for its time; bytes that the kernel takes count as activity. */
  #limitStalled(): void {
    for (const answer of this.#answers) {
      const { socket } = answer
      // One that waits behind another has none yet.
      if (!socket) continue
      const waits = answer.writableNeedDrain || (answer.writableEnded && !answer.writableFinished)
      if (waits && !this.#timed.has(socket)) {
        socket.setTimeout(this.#milliseconds)
        this.#timed.add(socket)
      } else if (!waits && this.#timed.has(socket)) {
        socket.setTimeout(0)
        this.#timed.delete(socket)
      }
    }
  }
}
