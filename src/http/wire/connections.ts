// Tracks connections: how many an address may have, which have not sent a request yet, and responses without a
// request.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { placeOf } from '../../config/networks.ts'
import { Fault } from '../../fault.ts'
import type { Metrics } from '../metrics.ts'
import { faultBody, faultHeaders, statusOf, strictPolicy } from '../responses.ts'
import { type Origins, plainAddress } from './caller-origin.ts'

interface ConnectionParts {
  readonly config: Config
  readonly log: Logger
  readonly origins: Origins
  readonly metrics: Metrics
  readonly encrypted: boolean
}

/** An address that is refused again is logged once in this time: whoever opens connections must not fill the disk. */
const logEveryMs = 60_000

/** The same for an encrypted connection and the one below it. */
const otherEnd = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

export class Connections {
  readonly #parts: ConnectionParts
  readonly #held = new Map<string, number>()
  /** Addresses at their limit: when the next refusal is logged, and how many there were since the last. */
  readonly #refusals = new Map<string, { logAt: number; refused: number }>()
  /** Those on which no whole request has come yet, by their other end. */
  readonly #silent = new Map<string, Socket>()

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  admit(socket: Socket, isLocal: boolean): void {
    const { config, origins, metrics, encrypted } = this.#parts
    const isProxy = !isLocal && origins.isProxy(plainAddress(socket))
    // A proxy is not limited, and does not use up the limit of others in its network.
    const address = isLocal ? 'local' : isProxy ? plainAddress(socket) : placeOf(plainAddress(socket))
    const held = (this.#held.get(address) ?? 0) + 1
    const limit = config['connections-per-address']
    if (held > limit && !isProxy && !isLocal) {
      metrics.refusedConnections.inc()
      this.#logRefusal(address)
      // An unencrypted answer would not be understood.
      if (encrypted) socket.destroy()
      else
        writeBare(
          socket,
          429,
          new Fault('too-many-requests', `more than ${limit} connections from ${address}`),
        )
      return
    }
    const end = otherEnd(socket)
    this.#held.set(address, held)
    if (!isLocal) this.#silent.set(end, socket)
    metrics.connections.inc()
    socket.once('close', () => {
      const left = (this.#held.get(address) ?? 1) - 1
      if (left > 0) this.#held.set(address, left)
      else {
        this.#held.delete(address)
        this.#refusals.delete(address)
      }
      this.#silent.delete(end)
      metrics.connections.dec()
    })
  }

  #logRefusal(address: string): void {
    const now = performance.now()
    const { logAt, refused } = this.#refusals.get(address) ?? { logAt: now, refused: 0 }
    const isDue = now >= logAt
    if (isDue)
      this.#parts.log.warn(
        { address, refused: refused + 1 },
        'connections refused: too many from this address',
      )
    this.#refusals.set(
      address,
      isDue ? { logAt: now + logEveryMs, refused: 0 } : { logAt, refused: refused + 1 },
    )
  }

  /** A whole request has come. */
  asked(socket: Socket): void {
    this.#silent.delete(otherEnd(socket))
  }

  /** Node counts these as busy: something might still come. */
  closeSilent(): void {
    for (const socket of this.#silent.values()) socket.destroy()
  }

  /** HTTP where HTTPS is expected: answered in plain text, on the connection below the one that failed. */
  refusePlain(failed: Socket): void {
    const socket = this.#silent.get(otherEnd(failed))
    if (socket?.writable) writeBare(socket, 400, new Fault('invalid', 'this port speaks HTTPS, not HTTP'))
    else failed.destroy()
  }
}

/** An answer on a socket that has no request to answer. */
export function writeBare(socket: Socket, status: number, fault: Fault): void {
  const body = faultBody('xml', fault)
  const names: Record<number, string> = {
    400: 'Bad Request',
    408: 'Request Timeout',
    429: 'Too Many Requests',
    431: 'Request Header Fields Too Large',
  }
  const headers = {
    'Content-Type': 'application/xml',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
    [strictPolicy[0]]: strictPolicy[1],
    ...faultHeaders(fault),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${names[status] ?? statusOf[fault.code]}\r\n${lines.join('')}\r\n${body}`,
    () => socket.destroy(),
  )
}

// Closes connections whose response nobody reads: such a caller would occupy its connection forever.

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
