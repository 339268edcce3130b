// The HTTP server: sockets, limits against hostile callers, the order of requests, and an orderly shutdown.

import { once } from 'node:events'
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { placeOf } from '../config/networks.ts'
import { Fault } from '../fault.ts'
import { RequestScheduler } from '../pacing/request-scheduler.ts'
import { AccessControl, healthPaths } from './access-control.ts'
import type { Services } from './call.ts'
import { Dispatcher, type Seen } from './dispatcher.ts'
import { Metrics } from './metrics.ts'
import { strictPolicy } from './responses.ts'
import { AdminSocket } from './wire/admin-socket.ts'
import { Origins } from './wire/caller-origin.ts'
import { Connections, StalledAnswers, writeBare } from './wire/connections.ts'
import { createServer } from './wire/node-http.ts'
import { createTlsServer, type TlsFiles, type TlsServer } from './wire/tls.ts'

const maxHeaderBytes = 16 * 1024
const headerSeconds = 5
const drainSeconds = 5
const closeSeconds = 1
/** RFC 6797: browsers that have connected by TLS insist on it for a year. */
const strictTransport = ['Strict-Transport-Security', 'max-age=31536000'] as const
/** Requests that may wait on one connection for the response to an earlier one. */
const maxPipelined = 64

export class HttpServer {
  readonly #services: Services
  readonly #server: Server
  readonly #metrics: Metrics
  readonly #origins: Origins
  readonly #connections: Connections
  readonly #scheduler = new RequestScheduler()
  readonly #stalls: StalledAnswers
  readonly #tls: TlsFiles | undefined
  readonly #dispatcher: Dispatcher
  readonly #adminSocket: AdminSocket
  /** Responses in progress on a socket, in the order of their requests. */
  readonly #inProgress = new WeakMap<Socket, Set<ServerResponse>>()
  /** The number of responses in progress. */
  #answering = 0

  constructor(services: Services, tls?: TlsFiles) {
    this.#services = services
    this.#tls = tls
    this.#metrics = new Metrics(services)
    this.#origins = new Origins(services.config)
    this.#connections = this.#newConnections()
    this.#stalls = new StalledAnswers(services.config['stall-seconds'])
    const requestTimeout = services.config['request-timeout'] * 1000
    const options: ServerOptions = {
      requestTimeout,
      headersTimeout: Math.min(headerSeconds * 1000, requestTimeout),
      keepAliveTimeout: 5000,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: maxHeaderBytes,
      // Node would answer without a body; the dispatcher checks it.
      requireHostHeader: false,
      noDelay: true,
    }
    this.#server = this.#configure(tls ? createTlsServer(options, tls) : createServer(options))
    this.#adminSocket = new AdminSocket(
      this.#configure(createServer(options)),
      services.config.data,
      services.log,
    )
    this.#dispatcher = new Dispatcher({
      services,
      metrics: this.#metrics,
      origins: this.#origins,
      accessControl: new AccessControl(services.config, this.#origins, services.logins),
      adminSocket: this.#adminSocket,
      stalls: this.#stalls,
    })
  }

  #newConnections(): Connections {
    const { config, log } = this.#services
    const encrypted = this.#tls !== undefined
    return new Connections({ config, log, origins: this.#origins, metrics: this.#metrics, encrypted })
  }

  #configure(server: Server): Server {
    // Otherwise Node would silently drop excess headers; the dispatcher counts and refuses them.
    server.maxHeadersCount = 0
    server.on('connection', (socket) => this.#connections.admit(socket, this.#adminSocket.has(socket)))
    server.on('clientError', (error, socket) => this.#refuseMalformed(error, socket as Socket))
    server.on('request', (request, response) => this.#serve(request, response))
    // The dispatcher decides whether the body is wanted.
    server.on('checkContinue', (request, response) => this.#serve(request, response))
    return server
  }

  /** Opens the admin socket; returns its path, or undefined if there can be none. */
  openAdminSocket(): Promise<string | undefined> {
    return this.#adminSocket.open()
  }

  /** Returns the address it listens on. */
  async listen(): Promise<string> {
    const { host, port } = this.#services.config.listen
    this.#server.listen(port, host)
    try {
      await once(this.#server, 'listening')
    } catch (cause) {
      const reason =
        (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
          ? 'the port is in use'
          : (cause as Error).message
      throw new Fault('unavailable', `cannot listen on ${host}:${port}: ${reason}`, { cause })
    }
    const address = this.#server.address() as AddressInfo
    const scheme = this.#tls ? 'https' : 'http'
    return `${scheme}://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
  }

  /**
   * Prepares the files of the console, and starts the thread that counts alarms, so that the first visitor need not
   * wait. Ends early when the service stops.
   */
  async prepareConsole(): Promise<void> {
    try {
      await this.#dispatcher.prepareConsole()
      if (!this.#dispatcher.stopping) await this.#services.database.readInBackground('select 1')
    } catch (error) {
      this.#services.log.warn({ err: error }, 'the files of the console could not be made ready')
    }
  }

  /** Applies to new connections; existing ones stay. */
  renewCertificate(): void {
    if (this.#tls) (this.#server as TlsServer).setSecureContext(this.#tls.options)
  }

  /**
   * Waits a while for responses in progress. Until `close`, new requests are answered that the service is stopping.
   */
  async drain(): Promise<void> {
    this.#dispatcher.stopping = true
    const deadline = performance.now() + drainSeconds * 1000
    while (this.#answering > 0 && performance.now() < deadline) await sleep(20)
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeIdleConnections()
    this.#connections.closeSilent()
    // Responses still in progress are short, or have had their time.
    const timer = setTimeout(() => {
      this.#server.closeAllConnections()
      this.#adminSocket.cut()
    }, closeSeconds * 1000)
    await this.#adminSocket.close()
    await closed
    clearTimeout(timer)
    this.#stalls.stop()
    this.#metrics.registry.clear()
  }

  /** Answers what never became a complete request: broken syntax, headers too large, anything too slow. */
  #refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
    const inProgress = [...(this.#inProgress.get(socket) ?? [])]
    const before = inProgress.findLast(({ req }) => req.complete)
    if (error.code === 'ERR_SSL_HTTP_REQUEST') this.#connections.refusePlain(socket)
    // Failures below HTTP, in the network or in a handshake, get no response.
    else if (!socket.writable || !/^(HPE|ERR_HTTP)_/.test(error.code ?? '')) socket.destroy()
    else if (before) {
      // Earlier requests are still being answered: the client would take this response for one of theirs.
      before.once('close', () => socket.destroy())
    } else if (inProgress[0]?.headersSent) socket.destroy()
    else if (error.code === 'HPE_HEADER_OVERFLOW') {
      writeBare(socket, 431, new Fault('too-large', `the headers are larger than ${maxHeaderBytes} bytes`))
    } else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      writeBare(socket, 408, new Fault('invalid', 'the request took too long to arrive'))
    } else {
      writeBare(socket, 400, new Fault('invalid', `not an HTTP request: ${error.message}`))
    }
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const began = performance.now()
    const seen: Seen = { route: 'none', form: 'xml' }
    this.#connections.asked(socket)
    const inProgress = this.#inProgress.get(socket) ?? new Set()
    const before = [...inProgress].at(-1)
    this.#inProgress.set(socket, inProgress.add(response))
    this.#stalls.begin(response)
    response.setHeader(...strictPolicy)
    if (this.#tls && !this.#adminSocket.has(socket)) response.setHeader(...strictTransport)
    this.#answering += 1
    response.on('close', () => {
      this.#answering -= 1
      inProgress.delete(response)
      this.#stalls.end(response)
      this.#metrics.answered(request.method ?? '', seen.route, response.statusCode, performance.now() - began)
    })
    const answer = () => {
      // Pipelined requests need not be carried out if the caller is gone.
      if (socket.destroyed) return
      this.#dispatcher
        .answer(request, response, seen)
        .catch((error) => this.#dispatcher.fail(request, response, seen.form, error))
    }
    const origin = this.#adminSocket.has(socket) ? 'local' : placeOf(this.#origins.addressOf(request))
    // A monitor does not wait for the other requests of its machine, which may be many.
    const line = healthPaths.has(request.url ?? '') ? `${origin} health` : origin
    const inTurn = () => this.#scheduler.take(line, answer)
    // One at a time: thousands of pipelined requests must not delay others.
    if (!before) inTurn()
    else if (inProgress.size > maxPipelined) socket.destroy()
    else before.once('close', inTurn)
  }
}
