// The HTTP server: limits against hostile callers, dispatch to handlers, faults to answers, an orderly stop.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { placeOf } from '../config/networks.ts'
import { Fault, shown } from '../fault.ts'
import { RequestScheduler } from '../pacing/request-scheduler.ts'
import { long } from '../schema/scalar.ts'
import { ActorDatabase } from '../store/database.ts'
import { AccessControl, RefusedCall, requirePermission } from './access-control.ts'
import {
  type Call,
  type Caller,
  chooseForm,
  type Form,
  notAcceptable,
  readParameters,
  readTarget,
  type Services,
  timesSent,
} from './call.ts'
import { ServerMemory } from './call-memory.ts'
import { Console } from './console/console.ts'
import { Metrics } from './metrics.ts'
import type { Method, Operation } from './operation.ts'
import { operations } from './operations.ts'
import { sendEmpty, sendFault, strictPolicy } from './responses.ts'
import { allowedMethods, type Route, Routes } from './routes.ts'
import { AdminSocket } from './wire/admin-socket.ts'
import { Origins } from './wire/caller-origin.ts'
import { Connections, writeBare } from './wire/connections.ts'
import { createServer } from './wire/node-http.ts'
import { StalledAnswers } from './wire/stalled-answers.ts'
import { createTlsServer, type TlsFiles, type TlsServer } from './wire/tls.ts'

const headerLimit = 16 * 1024
const headerCountLimit = 100
const headerSeconds = 5
const drainSeconds = 5
const lastWordSeconds = 1
/** RFC 6797: browsers that have connected by TLS do not connect without it again, for a year. */
const strictTransport = ['Strict-Transport-Security', 'max-age=31536000'] as const
/** Requests that may wait on one connection behind the one that is being answered. */
const pipelineLimit = 64

export class HttpServer {
  readonly #services: Services
  readonly #server: Server
  readonly #metrics: Metrics
  readonly #memory = new ServerMemory()
  readonly #origins: Origins
  readonly #routes = new Routes(operations)
  readonly #connections: Connections
  readonly #scheduler = new RequestScheduler()
  readonly #stalls: StalledAnswers
  readonly #tls: TlsFiles | undefined
  readonly #accessControl: AccessControl
  readonly #adminSocket: AdminSocket
  readonly #console = new Console()
  /** Answers under way on a socket, in the order of their requests. */
  readonly #underWay = new WeakMap<Socket, Set<ServerResponse>>()
  #stopping = false
  /** Requests that are being answered. */
  #answering = 0

  constructor(services: Services, tls?: TlsFiles) {
    this.#services = services
    this.#tls = tls
    this.#metrics = new Metrics(services)
    this.#origins = new Origins(services.config)
    this.#accessControl = new AccessControl(services.config, this.#origins, services.logins)
    this.#connections = this.#keepConnections()
    this.#stalls = new StalledAnswers(services.config['stall-seconds'])
    const requestTimeout = services.config['request-timeout'] * 1000
    const options: ServerOptions = {
      requestTimeout,
      headersTimeout: Math.min(headerSeconds * 1000, requestTimeout),
      keepAliveTimeout: 5000,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: headerLimit,
      // Node would answer without a body; see requireSaneHeaders.
      requireHostHeader: false,
      noDelay: true,
    }
    this.#server = this.#equip(tls ? createTlsServer(options, tls) : createServer(options))
    this.#adminSocket = new AdminSocket(
      this.#equip(createServer(options)),
      services.config.data,
      services.log,
    )
  }

  #keepConnections(): Connections {
    const { config, log } = this.#services
    const encrypted = this.#tls !== undefined
    return new Connections({ config, log, origins: this.#origins, metrics: this.#metrics, encrypted })
  }

  #equip(server: Server): Server {
    // Without this Node drops further headers in silence; here they are counted and refused.
    server.maxHeadersCount = 0
    server.on('connection', (socket) => this.#connections.admit(socket, this.#adminSocket.has(socket)))
    server.on('clientError', (error, socket) => this.#refuseBroken(error, socket as Socket))
    server.on('request', (request, response) => this.#serve(request, response))
    // Whether the body is wanted is known once the caller is.
    server.on('checkContinue', (request, response) => this.#serve(request, response))
    return server
  }

  /** Opens the local socket for the commands of this machine's user; returns its path, where there can be one. */
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
   * So that whoever opens the console first need not wait for its files to be made, nor for the thread to start that
   * counts the alarms; ends early when the service stops.
   */
  async prepareConsole(): Promise<void> {
    try {
      await this.#console.prepare()
      if (!this.#stopping) await this.#services.database.readInBackground('select 1')
    } catch (error) {
      this.#services.log.warn({ err: error }, 'the files of the console could not be made ready')
    }
  }

  /** Existing connections stay; new connections get the new certificate. */
  renewCertificate(): void {
    if (this.#tls) (this.#server as TlsServer).setSecureContext(this.#tls.options)
  }

  /**
   * Lets answers under way finish, for a while. New callers are answered that the service is stopping, until it is
   * closed: by then the rest of it has stopped, too.
   */
  async drain(): Promise<void> {
    this.#stopping = true
    const deadline = performance.now() + drainSeconds * 1000
    while (this.#answering > 0 && performance.now() < deadline) await sleep(20)
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeIdleConnections()
    this.#connections.closeSilent()
    // What is still being sent is an answer of a few bytes, or has had its time.
    const timer = setTimeout(() => {
      this.#server.closeAllConnections()
      this.#adminSocket.cut()
    }, lastWordSeconds * 1000)
    await this.#adminSocket.close()
    await closed
    clearTimeout(timer)
    this.#stalls.stop()
    this.#metrics.registry.clear()
  }

  /** What never became a whole request: broken syntax, headers too large, anything too slow. */
  #refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void {
    const underWay = [...(this.#underWay.get(socket) ?? [])]
    const before = underWay.findLast(({ req }) => req.complete)
    if (error.code === 'ERR_SSL_HTTP_REQUEST') this.#connections.refusePlain(socket)
    // What failed below HTTP, in the network or in a handshake, gets no answer.
    else if (!socket.writable || !/^(HPE|ERR_HTTP)_/.test(error.code ?? '')) socket.destroy()
    else if (before) {
      // It came behind requests that are being answered: a bare answer would be mistaken for one of theirs.
      before.once('close', () => socket.destroy())
    } else if (underWay[0]?.headersSent) socket.destroy()
    else if (error.code === 'HPE_HEADER_OVERFLOW') {
      writeBare(socket, 431, new Fault('too-large', `the headers are larger than ${headerLimit} bytes`))
    } else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      writeBare(socket, 408, new Fault('invalid', 'the request took too long to arrive'))
    } else {
      writeBare(socket, 400, new Fault('invalid', `not an HTTP request: ${error.message}`))
    }
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const began = performance.now()
    const seen = { route: 'none', form: 'xml' as Form }
    this.#connections.asked(socket)
    const underWay = this.#underWay.get(socket) ?? new Set()
    const before = [...underWay].at(-1)
    this.#underWay.set(socket, underWay.add(response))
    this.#stalls.begin(response)
    response.setHeader(...strictPolicy)
    if (this.#tls && !this.#adminSocket.has(socket)) response.setHeader(...strictTransport)
    this.#answering += 1
    response.on('close', () => {
      this.#answering -= 1
      underWay.delete(response)
      this.#stalls.end(response)
      this.#metrics.answered(request.method ?? '', seen.route, response.statusCode, performance.now() - began)
    })
    const answer = () => {
      // The other requests that came with it need not be carried out for a caller that is gone.
      if (socket.destroyed) return
      this.#answer(request, response, seen).catch((error) => this.#fail(request, response, seen.form, error))
    }
    const place = this.#adminSocket.has(socket) ? 'local' : placeOf(this.#origins.addressOf(request))
    const inTurn = () => this.#scheduler.take(place, answer)
    // One at a time: thousands of requests in one packet must not take everybody's turn.
    if (!before) inTurn()
    else if (underWay.size > pipelineLimit) socket.destroy()
    else before.once('close', inTurn)
  }

  async #answer(request: IncomingMessage, response: ServerResponse, seen: { route: string; form: Form }) {
    const { accept } = request.headers
    const form = chooseForm(accept)
    // For faults found before it is known which form the caller accepts.
    seen.form = form ?? 'xml'
    requireSaneHeaders(request)
    const target = readTarget(request.url ?? '/')
    if (this.#stopping) throw new Fault('unavailable', 'the service is stopping')
    const base = this.#origins.baseFor(request, target.root)
    const match = this.#routes.find(target.steps)
    if ((!match || target.path === '/') && this.#console.concerns(target, request)) {
      seen.route = '/console'
      return this.#console.answer(request, response, target, base)
    }
    const caller = await this.#accessControl.admit(request, target, this.#adminSocket.has(request.socket))
    if (!match) throw new Fault('not-found', `there is nothing at ${shown(target.path, 200)}`)
    const { route, parts } = match
    seen.route = route.template
    const { method = '' } = request
    if (method === 'OPTIONS') return sendEmpty(response, 204, { Allow: allowedMethods(route) })
    const operation = operationFor(route, method)
    if (!operation) return refuseMethod(response, seen.form, route, method)
    const refusing = this.#noteRefused(caller, `${method} ${route.template}`)
    refusing(() => requirePermission(caller, operation, route.template))
    // Event streams check their readers by themselves.
    if (operation.endless) this.#stalls.end(response)
    // Only now: a wrong path or method is reported whatever the caller accepts.
    if (!form && !operation.ownForm) {
      throw notAcceptable(accept, 'application/xml or application/json')
    }
    this.#welcomeBody(request, response, operation)
    const call = {
      ...this.#services,
      ...this.#onBehalfOf(caller),
      request,
      response,
      form: seen.form,
      parameters: readParameters(target.query),
      id: parts.id === undefined ? 0n : readId(parts.id),
      name: parts.name ?? '',
      measurements: this.#metrics.registry,
      memory: this.#memory,
      base,
      root: target.root,
      channel: this.#origins.channelOf(request),
      caller,
    }
    await refusing(() => operation.handle(call))
  }

  /** What a caller may not do is recorded; those without credentials are refused logins. */
  #noteRefused({ name, address, only }: Caller, what: string): <T>(work: () => T) => T {
    const note = (error: unknown) => {
      if (error instanceof Fault && error.code === 'forbidden' && only === undefined)
        this.#services.refusedCalls.add({ name, address, reason: `${what}: ${error.message}` })
      throw error
    }
    return (work) => {
      try {
        const result = work()
        return (result instanceof Promise ? result.catch(note) : result) as typeof result
      } catch (error) {
        return note(error)
      }
    }
  }

  /** The store and the alarms as handlers get them: what they change is recorded in the audit log, or rolled back. */
  #onBehalfOf(caller: Caller): Pick<Call, 'database' | 'engine'> {
    const { database, engine } = this.#services
    return {
      database: new ActorDatabase(database, caller),
      engine: { change: (work) => engine.change(work, caller) },
    }
  }

  /** For a caller that waits for permission (`Expect: 100-continue`) before it sends a large body. */
  #welcomeBody(request: IncomingMessage, response: ServerResponse, { takes }: Operation): void {
    if (request.headers.expect?.toLowerCase() !== '100-continue') return
    const announced = Number(request.headers['content-length'] ?? 0)
    const isFile = typeof takes === 'object' && 'rows' in takes
    const { config } = this.#services
    const limit = isFile ? config.limits.importBytes : config['body-limit']
    if (announced <= limit) response.writeContinue()
  }

  #fail(request: IncomingMessage, response: ServerResponse, form: Form, error: unknown): void {
    const { log, health } = this.#services
    if (response.headersSent || response.destroyed) {
      // Half an answer is worse than none: the caller sees the connection break.
      if (!response.destroyed) log.error({ err: error }, 'an answer broke off')
      response.destroy()
      return
    }
    const fault = error instanceof Fault ? error : this.#bug(request, error)
    // A failure of the store is logged once, and not for each request.
    if (fault.code === 'unavailable' && !health.trouble)
      log.warn({ reason: fault.message }, 'a request could not be served')
    const headers = fault instanceof RefusedCall ? fault.headers : {}
    const unread = !request.complete && !(fault.code === 'unauthorized' && this.#isSmall(request))
    const last = unread || this.#stopping
    sendFault(response, form, fault, { ...headers, ...(last && { Connection: 'close' }) })
  }

  /** Some programs send the body with a request that is only meant to get a challenge: it is read and dropped. */
  #isSmall({ headers }: IncomingMessage): boolean {
    // A caller that waits for permission will not send the body now, and what came next would be mistaken for it.
    if (headers.expect !== undefined) return false
    return Number(headers['content-length'] ?? Number.NaN) <= this.#services.config['body-limit']
  }

  #bug(request: IncomingMessage, error: unknown): Fault {
    const reference = randomUUID()
    this.#services.log.error(
      { err: error, reference, method: request.method, url: request.url },
      'a request failed',
    )
    return new Fault('internal', `the service failed; the log has the details under ${reference}`)
  }
}

/** Node accepts two Host headers; proxies disagree on which one counts. */
function requireSaneHeaders({ rawHeaders, httpVersion }: IncomingMessage): void {
  const hosts = timesSent(rawHeaders, 'host')
  if (httpVersion === '0.9') throw new Fault('invalid', 'HTTP/0.9 is not supported: expected HTTP/1.1')
  if (hosts > 1) throw new Fault('invalid', 'the Host header is given more than once')
  if (hosts === 0 && httpVersion === '1.1') throw new Fault('invalid', 'the Host header is missing')
  if (rawHeaders.length / 2 > headerCountLimit) {
    throw new Fault('invalid', `more than ${headerCountLimit} headers`)
  }
}

function operationFor({ operations: known }: Route, method: string): Operation | undefined {
  if (method !== 'HEAD') return known.get(method as Method)
  const get = known.get('GET')
  return get?.endless ? undefined : get
}

function refuseMethod(response: ServerResponse, form: Form, route: Route, method: string): void {
  const allow = allowedMethods(route)
  const fault = new Fault('method-not-allowed', `${method} is not possible here: expected one of ${allow}`)
  sendFault(response, form, fault, { Allow: allow })
}

function readId(text: string): bigint {
  try {
    return long.read(text)
  } catch (error) {
    throw error instanceof Fault ? error.inside('id') : error
  }
}
