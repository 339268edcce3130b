// Dispatches requests: finds the operation, checks permissions, calls the handler, and turns errors into responses.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ProgramAlarms } from '../alarms/actions/program-alarms.ts'
import { Fault, shown } from '../fault.ts'
import { long } from '../schema/scalar.ts'
import { ActorDatabase } from '../store/database.ts'
import { type AccessControl, RefusedCall, requirePermission } from './access-control.ts'
import {
  type Call,
  type Caller,
  type Form,
  readParameters,
  readTarget,
  type Services,
  timesSent,
} from './call.ts'
import { ServerMemory } from './call-memory.ts'
import { callsOn } from './calls.ts'
import { Console } from './console/console.ts'
import { chooseForm, notAcceptable } from './content-negotiation.ts'
import type { Metrics } from './metrics.ts'
import type { Method, Operation } from './operation.ts'
import { operations } from './operations.ts'
import { sendEmpty, sendFault } from './responses.ts'
import { allowedMethods, type Route, Routes } from './routes.ts'
import type { AdminSocket } from './wire/admin-socket.ts'
import type { Origins } from './wire/caller-origin.ts'
import type { StalledAnswers } from './wire/connections.ts'

const maxHeaders = 100

/** What is known of a request so far. */
export interface Seen {
  route: string
  form: Form
}

interface DispatcherParts {
  readonly services: Services
  readonly metrics: Metrics
  readonly origins: Origins
  readonly accessControl: AccessControl
  readonly adminSocket: AdminSocket
  readonly stalls: StalledAnswers
}

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #routes = new Routes(operations)
  readonly #memory = new ServerMemory()
  readonly #console = new Console()
  readonly #programAlarms: ProgramAlarms
  readonly #newCall: ReturnType<typeof callsOn>
  /** Set when the service stops: further requests are refused. */
  stopping = false

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    this.#newCall = callsOn(parts.services)
    this.#programAlarms = new ProgramAlarms(parts.services.engine, parts.services.database)
  }

  prepareConsole(): Promise<void> {
    return this.#console.prepare()
  }

  /** Fills in `seen` as far as it gets, for metrics and for the response to a fault. */
  async answer(request: IncomingMessage, response: ServerResponse, seen: Seen): Promise<void> {
    const { accept } = request.headers
    const form = chooseForm(accept)
    // The format of faults before the accepted format is known.
    seen.form = form ?? 'xml'
    requireValidHeaders(request)
    const target = readTarget(request.url ?? '/')
    if (this.stopping) throw new Fault('unavailable', 'the service is stopping')
    const base = this.#parts.origins.baseFor(request, target.root)
    const match = this.#routes.find(target.steps)
    if ((!match || target.path === '/') && this.#console.concerns(target, request)) {
      seen.route = '/console'
      return this.#console.answer(request, response, target, base)
    }
    const caller = await this.#parts.accessControl.admit(
      request,
      target,
      this.#parts.adminSocket.has(request.socket),
    )
    if (!match) throw new Fault('not-found', `there is nothing at ${shown(target.path, 200)}`)
    const { route, parts } = match
    seen.route = route.template
    const { method = '' } = request
    if (method === 'OPTIONS') return sendEmpty(response, 204, { Allow: allowedMethods(route) })
    const operation = operationFor(route, method)
    if (!operation) return refuseMethod(response, seen.form, route, method)
    const refusing = this.#recordingRefusal(caller, `${method} ${route.template}`)
    refusing(() => requirePermission(caller, operation, route.template))
    // Event streams detect stalled readers themselves.
    if (operation.endless) this.#parts.stalls.end(response)
    // Checked last: a wrong path or method is reported whatever the caller accepts.
    if (!form && !operation.ownForm) {
      throw notAcceptable(accept, 'application/xml or application/json')
    }
    this.#continueBody(request, response, operation)
    const { database, engine } = this.#asCaller(caller)
    const call = this.#newCall({
      database,
      engine,
      request,
      response,
      form: seen.form,
      parameters: readParameters(target.query),
      id: parts.id === undefined ? 0n : readId(parts.id),
      name: parts.name ?? '',
      measurements: this.#parts.metrics.registry,
      memory: this.#memory,
      base,
      root: target.root,
      channel: this.#parts.origins.channelOf(request),
      caller,
    })
    await refusing(() => operation.handle(call))
  }

  /** Records forbidden calls in the audit log; calls without credentials are recorded as refused logins. */
  #recordingRefusal({ name, address, only }: Caller, what: string): <T>(work: () => T) => T {
    const note = (error: unknown) => {
      if (error instanceof Fault && error.code === 'forbidden' && only === undefined)
        this.#parts.services.refusedCalls.add({ name, address, reason: `${what}: ${error.message}` })
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

  /** The store and the alarm engine for handlers: changes are attributed to the caller in the audit log. */
  #asCaller(caller: Caller): Pick<Call, 'database' | 'engine'> {
    const { database, engine } = this.#parts.services
    return {
      database: new ActorDatabase(database, caller),
      engine: {
        change: (work) => engine.change(work, caller),
        raise: (drafts) => this.#programAlarms.raise(drafts, caller),
        definitions: () => engine.definitions(),
      },
    }
  }

  /** Answers `Expect: 100-continue`, with which a caller asks before it sends a large body. */
  #continueBody(request: IncomingMessage, response: ServerResponse, { takes }: Operation): void {
    if (request.headers.expect?.toLowerCase() !== '100-continue') return
    const announced = Number(request.headers['content-length'] ?? 0)
    const isFile = typeof takes === 'object' && 'rows' in takes
    const { config } = this.#parts.services
    const limit = isFile ? config.limits.importBytes : config['body-limit']
    if (announced <= limit) response.writeContinue()
  }

  fail(request: IncomingMessage, response: ServerResponse, form: Form, error: unknown): void {
    const { log, health } = this.#parts.services
    if (response.headersSent || response.destroyed) {
      // A truncated response must not look complete: close the connection.
      if (!response.destroyed) log.error({ err: error }, 'an answer broke off')
      response.destroy()
      return
    }
    const fault = error instanceof Fault ? error : this.#bug(request, error)
    // A failure of the store is logged once, not for each request.
    if (fault.code === 'unavailable' && !health.trouble)
      log.warn({ reason: fault.message }, 'a request could not be served')
    const headers = fault instanceof RefusedCall ? fault.headers : {}
    const unread = !request.complete && !(fault.code === 'unauthorized' && this.#hasSmallBody(request))
    const last = unread || this.stopping
    sendFault(response, form, fault, { ...headers, ...(last && { Connection: 'close' }) })
  }

  /** Some programs send a body with the request that is only to get a challenge: it is read and discarded. */
  #hasSmallBody({ headers }: IncomingMessage): boolean {
    // A caller that sent Expect will not send the body now, and its next request would be taken for the body.
    if (headers.expect !== undefined) return false
    return Number(headers['content-length'] ?? Number.NaN) <= this.#parts.services.config['body-limit']
  }

  #bug(request: IncomingMessage, error: unknown): Fault {
    const reference = randomUUID()
    this.#parts.services.log.error(
      { err: error, reference, method: request.method, url: withoutSecrets(request.url ?? '') },
      'a request failed',
    )
    return new Fault('internal', `the service failed; the log has the details under ${reference}`)
  }
}

/** The address of a calendar is a secret. */
const withoutSecrets = (url: string) => url.replace(/(\/notify\/+calendar\/+)[^?]*/i, '$1…')

/** Node accepts two Host headers, on which proxies disagree. */
function requireValidHeaders({ rawHeaders, httpVersion }: IncomingMessage): void {
  const hosts = timesSent(rawHeaders, 'host')
  if (httpVersion === '0.9') throw new Fault('invalid', 'HTTP/0.9 is not supported: expected HTTP/1.1')
  if (hosts > 1) throw new Fault('invalid', 'the Host header is given more than once')
  if (hosts === 0 && httpVersion === '1.1') throw new Fault('invalid', 'the Host header is missing')
  if (rawHeaders.length / 2 > maxHeaders) {
    throw new Fault('invalid', `more than ${maxHeaders} headers`)
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
