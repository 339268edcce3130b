// Sends syslog messages for tests: over UDP, TCP or TLS, one by one as a device would.

import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionOptions } from 'node:tls'
import type { Address } from '../config/forms.ts'
import { Fault } from '../fault.ts'

export type Transport =
  | { readonly over: 'udp' }
  /** `isCounted`: the octets of each message are counted; otherwise it ends with a line feed. */
  | { readonly over: 'tcp'; readonly isCounted: boolean }
  | { readonly over: 'tls'; readonly options: Pick<ConnectionOptions, 'ca' | 'cert' | 'key'> }

interface TestMessage {
  /** Facility times eight, plus severity. */
  readonly priority: number
  readonly host?: string | undefined
  readonly text: string
}

/** The form of RFC 5424. */
export const formatMessage = ({ priority, host = hostname(), text }: TestMessage, now: Date): string =>
  `<${priority}>1 ${now.toISOString()} ${host} belfry - - - ${text}`

const connectTime = 5000

export class MessageSender {
  readonly #where: string
  readonly #socket: UdpSocket | Socket
  readonly #frame: (message: string) => Buffer
  #failure: NodeJS.ErrnoException | undefined

  private constructor(where: string, socket: UdpSocket | Socket, frame: (message: string) => Buffer) {
    this.#where = where
    this.#socket = socket
    this.#frame = frame
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#failure = error
    })
  }

  static async open(to: Address, transport: Transport): Promise<MessageSender> {
    const where = `${to.host.includes(':') ? `[${to.host}]` : to.host}:${to.port}`
    const found = await lookup(to.host).catch((cause) => {
      throw new Fault('unavailable', `${to.host} is not known as a host`, { cause })
    })
    if (transport.over === 'udp') {
      const socket = createSocket(found.family === 6 ? 'udp6' : 'udp4')
      const sender = new MessageSender(where, socket, (message) => Buffer.from(message))
      // A connected socket reports when nothing listens at the other end.
      socket.connect(to.port, found.address)
      await once(socket, 'connect')
      return sender
    }
    const isCounted = transport.over === 'tls' || transport.isCounted
    const socket = await connected(to, transport, where)
    return new MessageSender(where, socket, (message) =>
      Buffer.from(
        isCounted ? `${Buffer.byteLength(message)} ${message}` : `${message.replaceAll('\n', ' ')}\n`,
      ),
    )
  }

  /** Resolves when the kernel has taken it. */
  async send(message: string): Promise<void> {
    const bytes = this.#frame(message)
    const socket = this.#socket
    const error = await new Promise<Error | null | undefined>((resolve) => {
      if ('write' in socket) socket.write(bytes, resolve)
      else socket.send(bytes, resolve)
    })
    if (error) this.#failure ??= error
    this.#requireSent()
  }

  /** Waits until what was sent has left this machine, or a moment for a report that nothing listens there. */
  async close(): Promise<void> {
    const socket = this.#socket
    if ('write' in socket) {
      socket.resume()
      socket.end()
      if (!socket.closed)
        await Promise.race([
          once(socket, 'close').catch(() => undefined),
          sleep(connectTime, undefined, { ref: false }),
        ])
      socket.destroy()
    } else {
      await sleep(30)
      socket.close()
    }
    this.#requireSent()
  }

  #requireSent(): void {
    if (this.#failure)
      throw new Fault('unavailable', `cannot send to ${this.#where}: ${reasonOf(this.#failure)}`)
  }
}

async function connected(to: Address, transport: Transport, where: string): Promise<Socket> {
  const socket =
    transport.over === 'tls'
      ? (await import('node:tls')).connect({ ...to, servername: nameOf(to.host), ...transport.options })
      : connect(to)
  const isReady = transport.over === 'tls' ? 'secureConnect' : 'connect'
  try {
    await once(socket, isReady, { signal: AbortSignal.timeout(connectTime) })
    return socket
  } catch (cause) {
    socket.destroy()
    const isLate = (cause as Error).name === 'AbortError'
    const reason = isLate ? 'no answer within five seconds' : reasonOf(cause as Error)
    throw new Fault('unavailable', `cannot connect to ${where}: ${reason}`, { cause })
  }
}

/** An address is no name of a server in TLS (RFC 6066, 3). */
const nameOf = (host: string) => (isIP(host) === 0 ? host : '')

/** A code such as ECONNREFUSED says less than a sentence. */
const reasonOf = ({ code, message }: NodeJS.ErrnoException) =>
  ({
    ECONNREFUSED: 'nothing listens there',
    ECONNRESET: 'it closed the connection',
    EPIPE: 'it closed the connection',
  })[code ?? ''] ?? message
