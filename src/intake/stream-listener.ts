// Listens for syslog messages over TCP (RFC 6587) and TLS (RFC 5425). Connections are served in turn and in small pieces;
// every buffer has a limit, so that no sender can hold up others or take memory without bound.

import { createServer, type Server, type Socket } from 'node:net'
import {
  createServer as createTlsServer,
  type SecureContextOptions,
  type Server as TlsServer,
} from 'node:tls'
import type { Listener } from '../config/forms.ts'
import { placeOf } from '../config/networks.ts'
import { inSpace } from '../schema/space.ts'
import type { Datagram } from './datagram-block.ts'
import { monotonicTime } from './datagram-block.ts'
import type { MessageSieve } from './message-sieve.ts'
import { type MessageSink, StreamConnection } from './stream-connection.ts'
import { failureOf, type ListenFailure, sourceOf } from './udp-socket.ts'

/** Certificate and key, and, if senders must have certificates, the authority that has signed them. */
export type StreamTls = Pick<
  SecureContextOptions,
  'cert' | 'key' | 'ca' | 'minVersion' | 'ciphers' | 'secureOptions'
>

export interface StreamLimits {
  /** Overall, and from one address. */
  readonly connections: number
  readonly connectionsPerSender: number
  /** Milliseconds. */
  readonly idleTime: number
  readonly handshakeTime: number
  readonly messageTime: number
  readonly pushBackTime: number
}

/** Milliseconds that connections are served before the socket for UDP has its turn. */
const turnTime = 5
/** Milliseconds of a close during which messages that have arrived are processed, and rounds in any case. */
const drainLimit = 500
const drainRounds = 50
/** Octets of unfinished messages, of all connections together. */
const unfinishedLimit = 16 * 1024 * 1024
/** A stream reads ahead so far, and a chunk of the kernel further. */
const readAhead = 16 * 1024

export class StreamListener {
  readonly #limits: StreamLimits
  readonly #sieve: MessageSieve
  readonly #sink: MessageSink
  readonly #servers: Server[] = []
  readonly #tls: TlsServer[] = []
  /** Accepted connections, also those whose handshake is not over; by place, how many. */
  readonly #sockets = new Set<Socket>()
  readonly #places = new Map<string, number>()
  readonly #connections = new Set<StreamConnection>()
  /** Connections with something to read, in the order of their turns. */
  readonly #ready = new Set<StreamConnection>()
  /** Sources whose messages cannot be processed now, and their connections, which wait. */
  #full: ReadonlySet<string> = new Set()
  readonly #resting = new Set<StreamConnection>()
  #isScheduled = false
  #isDraining = false
  #unfinished = 0
  #served = 0
  /** Messages that were longer than the limit. */
  cut = 0

  constructor(limits: StreamLimits, sieve: MessageSieve, onMessage: (message: Datagram) => void) {
    this.#limits = limits
    this.#sieve = sieve
    this.#sink = {
      take: (bytes, from) => onMessage({ ...from, receivedAt: monotonicTime(), bytes, isMessage: true }),
      drop: (sourceIp) => sieve.count(sourceIp, 'overload'),
      cut: () => {
        this.cut += 1
      },
    }
  }

  get size(): number {
    return this.#sockets.size
  }

  listen(
    { host, port, space }: Listener,
    tls: StreamTls | undefined,
    onReady: (port: number) => void,
    onFailed: (failure: ListenFailure) => void,
  ): void {
    const secured = tls && this.#secure(tls, space)
    const accept = (socket: Socket) => {
      if (!this.#admit(socket, space)) socket.destroy()
      else if (secured) secured.emit('connection', socket)
      else this.#connect(socket, space)
    }
    const server = createServer(
      { highWaterMark: readAhead, keepAlive: true, keepAliveInitialDelay: 60_000 },
      accept,
    )
    server.on('error', (error) => onFailed(failureOf(error)))
    server.listen(port, host, () => {
      const bound = server.address()
      onReady(typeof bound === 'object' && bound ? bound.port : port)
    })
    this.#servers.push(server)
  }

  /** It never listens itself: a connection is handed to it once it is admitted. */
  #secure(tls: StreamTls, space: number): TlsServer {
    const asks = tls.ca !== undefined
    const server = createTlsServer({
      ...tls,
      requestCert: asks,
      // Node ends such a connection without a word: it is refused below, where it is counted.
      rejectUnauthorized: false,
      handshakeTimeout: this.#limits.handshakeTime,
    })
    const refuse = (socket: Socket) => {
      if (socket.remoteAddress !== undefined)
        this.#sieve.count(inSpace(sourceOf(socket.remoteAddress), space), 'TLS handshake')
      socket.destroy()
    }
    server.on('secureConnection', (socket) => {
      if (asks && !socket.authorized) refuse(socket)
      else this.#connect(socket, space)
    })
    server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      // A sender that goes away by itself, such as the check of a load balancer, was not refused.
      if (error.code === 'ECONNRESET') socket.destroy()
      else refuse(socket)
    })
    this.#tls.push(server)
    return server
  }

  /** For connections from now on. */
  renew(tls: StreamTls): void {
    for (const server of this.#tls) server.setSecureContext(tls)
  }

  #admit(socket: Socket, space: number): boolean {
    // The reason of an end is of no use: a connection that breaks is one that ends.
    socket.on('error', () => undefined)
    const { remoteAddress } = socket
    if (remoteAddress === undefined) return false
    const sourceIp = inSpace(sourceOf(remoteAddress), space)
    if (!this.#sieve.admitsSender(sourceIp)) return false
    const place = inSpace(placeOf(sourceOf(remoteAddress)), space)
    const ofPlace = this.#places.get(place) ?? 0
    const { connections, connectionsPerSender } = this.#limits
    if (this.#sockets.size >= connections || ofPlace >= connectionsPerSender) {
      this.#sieve.count(sourceIp, 'too many connections')
      return false
    }
    this.#sockets.add(socket)
    this.#places.set(place, ofPlace + 1)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      const left = (this.#places.get(place) ?? 1) - 1
      if (left === 0) this.#places.delete(place)
      else this.#places.set(place, left)
    })
    return true
  }

  #connect(socket: Socket, space: number): void {
    socket.on('error', () => undefined)
    socket.setTimeout(this.#limits.idleTime)
    const sourceIp = inSpace(sourceOf(socket.remoteAddress ?? ''), space)
    const connection = new StreamConnection(socket, sourceIp, this.#sink, () => {
      if (this.#resting.has(connection) || !this.#connections.has(connection)) return
      this.#ready.add(connection)
      this.#schedule()
    })
    this.#connections.add(connection)
  }

  #schedule(): void {
    if (this.#isScheduled || this.#ready.size === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#serve()
      this.#schedule()
    })
  }

  /** Gives turns until the time is over: one that has more to read is next after all others. */
  #serve(): void {
    const end = performance.now() + turnTime
    for (const connection of this.#ready) {
      const now = performance.now()
      if (now >= end) return
      this.#ready.delete(connection)
      this.#serveOne(connection, now)
    }
  }

  #serveOne(connection: StreamConnection, now: number): void {
    const readsOn = connection.readsOn(now, this.#limits.pushBackTime)
    if (!readsOn && !this.#isDraining && this.#full.has(connection.sourceIp)) {
      this.#resting.add(connection)
      return
    }
    this.#served += 1
    const before = connection.unfinished
    if (connection.serve(now, readsOn)) this.#ready.add(connection)
    this.#unfinished += connection.unfinished - before
    if (this.#unfinished > unfinishedLimit) this.#finish(connection)
    if (connection.isOver) this.#connections.delete(connection)
  }

  #finish(connection: StreamConnection): void {
    this.#unfinished -= connection.unfinished
    connection.finish()
  }

  /** The sources whose senders are to wait; all others may go on. */
  pushBack(sources: readonly string[]): void {
    this.#full = new Set(sources)
    this.#wake()
  }

  #wake(): void {
    for (const connection of this.#resting) this.#ready.add(connection)
    this.#resting.clear()
    this.#schedule()
  }

  /** About once a second. */
  tick(now: number): void {
    for (const connection of this.#connections)
      if (connection.isSlow(now, this.#limits.messageTime)) this.#finish(connection)
    this.#wake()
  }

  /** Processes what has arrived, as long as every round brings more, within a limit; then ends all connections. */
  drain(onClosed: () => void): void {
    for (const server of this.#servers) server.close()
    this.#isDraining = true
    this.#wake()
    const end = performance.now() + drainLimit
    const round = (number: number) => {
      const before = this.#served
      // The turns of this round come first.
      setImmediate(() => {
        const goesOn = this.#served > before || this.#ready.size > 0
        if (goesOn && (number < drainRounds || performance.now() < end)) return round(number + 1)
        for (const connection of this.#connections) connection.close(performance.now())
        for (const socket of this.#sockets) socket.destroy()
        onClosed()
      })
    }
    setImmediate(() => round(1))
  }
}
