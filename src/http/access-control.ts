// Authenticates and authorises every request before anything else: callers without credentials learn nothing about
// what exists.

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLogin, type Login, type Refusal } from '../access/login.ts'
import type { Logins } from '../access/logins.ts'
import type { Config } from '../config/config.ts'
import { isLoopback, Networks } from '../config/networks.ts'
import { Fault, type FaultCode, shown } from '../fault.ts'
import { mayAct, type Role } from '../resources/access/role.ts'
import type { Scope, Scopes } from '../resources/access/token.ts'
import { type Caller, type Target, timesSent } from './call.ts'
import type { Origins } from './wire/caller-origin.ts'
import { readCookie } from './wire/cookies.ts'

/** A fault whose answer has headers of its own. */
export class RefusedCall extends Fault {
  readonly headers: Readonly<Record<string, string | number | string[]>>

  constructor(code: FaultCode, message: string, headers: RefusedCall['headers']) {
    super(code, message)
    this.headers = headers
  }
}

const always = () => true

/** What the cookie of a session is called, before its prefix. */
export const sessionCookie = 'belfry-session'
/** Where browsers sign in: everyone may ask. */
export const sessionPath = '/console/session'
export const openIdPath = `${sessionPath}/openid`
/** Where calendar programs read shifts: the secret in the path is all they have. */
export const calendarPath = '/notify/calendar'
/** Where people act by the links in messages, which say in whose name. */
export const actionPath = '/notify/action'

/** Everyone may ask, and is answered whatever the store does. */
export const healthPaths: ReadonlySet<string> = new Set(['/health', '/health/traps'])

const metricsPaths: ReadonlySet<string> = new Set(['/metrics', '/metrics/devices'])

export class AccessControl {
  readonly #logins: Logins
  readonly #origins: Origins
  readonly #eventClients: Networks
  readonly #metricsClients: Networks
  /** Names by which the service may be called as long as it is open. */
  readonly #openHosts: ReadonlySet<string>

  constructor(config: Config, origins: Origins, logins: Logins) {
    this.#logins = logins
    this.#origins = origins
    this.#eventClients = new Networks(config['event-clients'])
    this.#metricsClients = new Networks(config['metrics-clients'])
    const publicUrl = config['public-url']
    // A program of HTTP/1.0 sends none; browsers always do.
    this.#openHosts = new Set(['', 'localhost', ...(publicUrl === '' ? [] : [new URL(publicUrl).hostname])])
  }

  /** Who calls; throws where nobody may. `local` means through the admin socket. */
  async admit(request: IncomingMessage, target: Target, local: boolean): Promise<Caller> {
    const { method = '', headers } = request
    const reads = method === 'GET' || method === 'HEAD'
    const isHealth = reads && healthPaths.has(target.path)
    // Checked for each request: a caller accepted by one node may have been removed at another since. Health needs no
    // check.
    if (!isHealth) await this.#logins.directory.refresh()
    if (local)
      return { name: 'local', role: 'administrator', address: 'local', by: 'local', hasPermission: always }
    const address = this.#origins.addressOf(request)
    if (isHealth) return anonymous(address, 'health')
    requireOneAuthorization(request)
    requireSameSite(request, target, this.#origins)
    const { byId } = await this.#logins.directory.entries()
    if (byId.size === 0) return this.#admitAnyone(request, address)
    if (headers.authorization !== undefined)
      return this.#checkCredentials(request, headers.authorization, address)
    const signedIn = await this.#checkCookie(request, address)
    if (signedIn) return signedIn
    if (target.path === sessionPath || target.path === openIdPath)
      return anonymous(address, 'console/session')
    if (target.path === actionPath || target.path === `${actionPath}/show`)
      return anonymous(address, 'notify/action')
    if (reads && target.path.startsWith(`${calendarPath}/`)) return anonymous(address, 'notify/calendar')
    if (method === 'GET' && target.path === '/events' && this.#eventClients.has(address))
      return anonymous(address, 'events')
    if (reads && metricsPaths.has(target.path) && this.#metricsClients.has(address))
      return anonymous(address, 'metrics')
    throw await this.#unauthorized(request, { message: 'credentials are needed' })
  }

  /** Without operators everyone on this machine is the administrator, but not the pages in their browsers. */
  #admitAnyone(request: IncomingMessage, address: string): Caller {
    const named = request.headers.host ?? ''
    const host = hostOf(named)
    if (host === undefined) {
      throw new Fault(
        'invalid',
        `the Host header ${shown(named)} is not accepted: expected a host name and port`,
      )
    }
    // Any other name could be a stranger's, whose pages a browser would then take for pages of this service.
    if (isIP(host) === 0 && !this.#openHosts.has(host)) {
      const message = `${shown(host)} is not this service: as long as there is no operator, it is called by localhost, by its IP address, or by the name of the setting public-url`
      throw new Fault('forbidden', message)
    }
    if (!isLoopback(address) || this.#origins.isUnnamed(request)) {
      throw new Fault('forbidden', 'as long as there is no operator, only this machine is served')
    }
    const hasPermission = () => this.#logins.directory.last?.byId.size === 0
    return { name: 'anonymous', role: 'administrator', address, by: 'nobody', hasPermission }
  }

  async #checkCredentials(request: IncomingMessage, header: string, address: string): Promise<Caller> {
    const outcome = await this.#checkHeader(request, header, address)
    if (!isLogin(outcome)) throw await this.#unauthorized(request, outcome)
    return callerOf(this.#logins, outcome, address)
  }

  /** A browser sends the cookie with every request: it is accepted only from pages of this service. */
  async #checkCookie(request: IncomingMessage, address: string): Promise<Caller | undefined> {
    const channel = this.#origins.channelOf(request)
    const secret = readCookie(request.headers.cookie, channel, sessionCookie)
    // One that came unencrypted may have been read by others.
    const login = secret && channel !== 'open' ? await this.#logins.cookie(secret) : undefined
    if (!login) return undefined
    requireOwnPage(request, this.#origins)
    return callerOf(this.#logins, login, address)
  }

  async #checkHeader(request: IncomingMessage, header: string, address: string): Promise<Login | Refusal> {
    const logins = this.#logins
    const cut = header.search(/\s|$/)
    const [scheme, text] = [header.slice(0, cut), header.slice(cut).trim()]
    const refuse = (message: string) => {
      logins.reportRefused(address, message)
      return { message }
    }
    switch (scheme.toLowerCase()) {
      case 'digest':
        return logins.digest(text, { method: request.method ?? '', target: request.url ?? '', address })
      case 'basic':
        if (this.#origins.isSecure(request)) return logins.basic(text, address)
        return refuse('Basic is accepted over TLS only: use Digest, or https')
      case 'bearer':
        if (this.#origins.channelOf(request) !== 'open') return logins.bearer(text, address)
        return refuse('a token is accepted over TLS only: use https')
      default:
        return refuse('the Authorization header is of no kind that is accepted')
    }
  }

  async #unauthorized(request: IncomingMessage, { message, stale, wait }: Refusal): Promise<Fault> {
    if (wait !== undefined) return new RefusedCall('too-many-requests', message, { 'Retry-After': wait })
    // Otherwise a browser would ask its user for credentials that a script of the page lacked. Node's fetch sends a
    // mode, but no site.
    const { 'sec-fetch-mode': mode, 'sec-fetch-site': site } = request.headers
    if (site !== undefined && mode !== 'navigate') return unauthorized(this.#logins, message)
    const lines = await this.#logins.challenges(this.#origins.isSecure(request), stale)
    return new RefusedCall('unauthorized', message, { 'WWW-Authenticate': lines })
  }
}

/** A challenge that no browser shows to its user. */
export const unauthorized = ({ realm }: Logins, message: string) =>
  new RefusedCall('unauthorized', message, { 'WWW-Authenticate': `Bearer realm="${realm}"` })

export function callerOf(logins: Logins, login: Login, address: string): Caller {
  const { operator, role, by, token, session } = login
  return {
    name: operator.name,
    role,
    address,
    by,
    operatorId: operator.id,
    hasPermission: () => logins.hasPermission(login),
    ...(token && { token: { id: token.id, scopes: token.scopes, operatorRole: operator.role } }),
    ...(session && { session }),
  }
}

/** A caller without credentials that gets one thing only. */
const anonymous = (address: string, only: NonNullable<Caller['only']>): Caller => ({
  name: address,
  role: 'viewer',
  address,
  by: 'address',
  hasPermission: always,
  only,
})

/** Which callers an operation is for: those of a role or above it, or everyone. */
export type Needs = Role | 'anyone'

export interface Permission {
  readonly needs: Needs
  /** The word that must be in the scope of a token; without one, a role must. */
  readonly scope?: Scope
}

/** Why a caller may not do something; undefined where it may. */
export function objectionTo(caller: Caller, { needs, scope }: Permission, path: string): string | undefined {
  if (needs === 'anyone') return undefined
  if (caller.only !== undefined && path !== `/${caller.only}`) {
    return `these credentials are good for /${caller.only} alone`
  }
  // Operations for RADIUS servers are for nobody else: not even for callers that may do everything else.
  if (scope === 'access' && !caller.token) return 'this needs a token with access in its scope'
  const unnamed = caller.token && missingIn(caller.token.scopes, scope)
  if (unnamed !== undefined) return unnamed
  // What the scope names is done with all rights of the operator.
  const role = scope === undefined ? caller.role : (caller.token?.operatorRole ?? caller.role)
  if (mayAct(role, needs)) return undefined
  return `this needs the role ${needs}: ${caller.name} has the role ${role}`
}

function missingIn(scopes: Scopes, named: Scope | undefined): string | undefined {
  if (named === undefined ? scopes.role !== undefined : scopes.words.has(named)) return undefined
  const wanted = named === undefined ? 'a role' : named
  return `this needs a token with ${wanted} in its scope: this one has ${scopes.text}`
}

export function requirePermission(caller: Caller, permission: Permission, path: string): void {
  const objection = objectionTo(caller, permission, path)
  if (objection !== undefined) throw new Fault('forbidden', objection)
}

function requireOneAuthorization({ rawHeaders }: IncomingMessage): void {
  // Node would take the first, proxies perhaps the other.
  if (timesSent(rawHeaders, 'authorization') > 1)
    throw new Fault('invalid', 'the Authorization header is given more than once')
}

const changing = (method: string) => !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)

/** A browser adds its user's credentials to requests of any page: pages of others may not change anything. */
function requireSameSite(request: IncomingMessage, { path }: Target, origins: Origins): void {
  const { method = '', headers } = request
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return
    throw new Fault('forbidden', 'requests from pages of other sites are refused')
  }
  // Registering changes something, too: it moves a client's place in the log.
  if (origin === undefined || (!changing(method) && path !== '/events')) return
  if (isSameHost(origin, origins.baseFor(request, ''))) return
  throw new Fault('forbidden', 'a page of another site may not change anything here')
}

/** A cookie comes with requests of any page: without a sign that it was a page of this service, nothing is changed. */
function requireOwnPage(request: IncomingMessage, origins: Origins): void {
  const { method = '', headers } = request
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const isOwn = () => origin === new URL(origins.baseFor(request, '')).origin
  const said = site === undefined ? origin !== undefined && isOwn() : site === 'same-origin'
  const unsaid = site === undefined ? origin === undefined : site === 'none'
  if (said || (unsaid && !changing(method))) return
  throw new Fault(
    'forbidden',
    'a session is for pages of this service: the request says another origin, or none',
  )
}

function isSameHost(origin: string, base: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(base).host
}

/** Without the port; undefined where it is no host, though a browser may accept it (`a!b.example`). */
const hostOf = (header: string) =>
  /^(?:\[([^\]]*)\]|([\w.-]*))(?::\d*)?$/.exec(header)?.slice(1).join('').toLowerCase()
