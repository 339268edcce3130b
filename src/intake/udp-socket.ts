// A UDP socket of a receiving thread: traps and syslog messages are received in the same way, each in a thread that does
// nothing else. At a close, what the kernel has received is still read.

import { createSocket, type Socket } from 'node:dgram'
import { isIPv4, isIPv6 } from 'node:net'
import { addressOf, inSpace } from '../schema/space.ts'
import { type Datagram, monotonicTime } from './datagram-block.ts'

export interface UdpSettings {
  readonly host: string
  readonly port: number
  /** The receive buffer to ask the kernel for. */
  readonly bufferSize: number
  /** The address space of those who send here. */
  readonly space: number
}

/** Why a thread cannot listen. */
export interface ListenFailure {
  readonly kind: 'failed'
  readonly message: string
  readonly code: string | undefined
}

export const failureOf = ({ message, code }: NodeJS.ErrnoException): ListenFailure => ({
  kind: 'failed',
  message,
  code,
})

/** Milliseconds of a close during which the kernel's buffer is emptied, and rounds that a slow machine has in any case. */
const drainLimit = 250
const drainRounds = 50

/** A socket that serves both IPv6 and IPv4 gives IPv4 addresses in their IPv6 form. */
export const sourceOf = (address: string) =>
  address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address

export class UdpSocket {
  readonly #settings: UdpSettings
  readonly #socket: Socket
  #arrived = 0

  constructor(settings: UdpSettings, onDatagram: (datagram: Datagram) => void) {
    this.#settings = settings
    this.#socket = createSocket({ type: isIPv6(settings.host) ? 'udp6' : 'udp4', ipv6Only: false })
    this.#socket.on('message', (bytes, { address, port }) => {
      this.#arrived += 1
      const sourceIp = inSpace(sourceOf(address), settings.space)
      onDatagram({ sourceIp, port, receivedAt: monotonicTime(), bytes })
    })
  }

  /** `onFailed` is also called if the socket fails later. */
  listen(
    onReady: (bound: { address: string; port: number; bufferSize: number }) => void,
    onFailed: (failure: ListenFailure) => void,
  ): void {
    const { host, port, bufferSize } = this.#settings
    const socket = this.#socket
    socket.on('error', (error) => onFailed(failureOf(error)))
    socket.bind(port, host, () => {
      // Some kernels refuse more than their limit, others reduce it: what counts is the value that is read back.
      try {
        socket.setRecvBufferSize(bufferSize)
      } catch {
        // The size that was granted is reported below.
      }
      const bound = socket.address()
      onReady({ address: bound.address, port: bound.port, bufferSize: socket.getRecvBufferSize() })
    })
  }

  /** To an address as datagrams bring it. The result is ignored: a sender whose answer is lost asks again. */
  send(bytes: Uint8Array, port: number, spaced: string): void {
    const address = addressOf(spaced)
    const to = isIPv6(this.#settings.host) && isIPv4(address) ? `::ffff:${address}` : address
    this.#socket.send(bytes, port, to, () => undefined)
  }

  /** Reads what the kernel has received, as long as every round brings more, within a limit; then closes. */
  drain(onClosed: () => void): void {
    const end = performance.now() + drainLimit
    const round = (number: number) => {
      const before = this.#arrived
      setImmediate(() => {
        const mayGoOn = number < drainRounds || performance.now() < end
        if (this.#arrived > before && mayGoOn) return round(number + 1)
        this.#socket.close()
        onClosed()
      })
    }
    // After a round, because the socket is read once in each.
    setImmediate(() => round(1))
  }
}
