// Requests to webhooks and chat services: to a checked address, without redirects, within limits on time and size.

import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { OutboundGuard } from './outbound-guard.ts'

export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** The beginning of the body. */
  readonly text: string
}

export interface HttpLimits {
  /** Milliseconds for the whole request, and for the connection alone. */
  readonly total: number
  readonly connect: number
  /** Bytes of an answer that are read. */
  readonly answer: number
}

export const httpLimits: HttpLimits = { total: 30_000, connect: 10_000, answer: 64 * 1024 }

export class HttpClient {
  readonly #guard: OutboundGuard
  readonly #limits: HttpLimits

  constructor(guard: OutboundGuard, limits = httpLimits) {
    this.#guard = guard
    this.#limits = limits
  }

  /** Throws where no answer came; any answer is one, whatever its status. */
  async request(wanted: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(this.#limits.total)])
    const { proxy } = this.#guard.settings
    const request = proxy === '' ? await this.#direct(wanted) : await this.#throughProxy(wanted, deadline)
    return exchange(request, wanted, deadline, this.#limits)
  }

  async #direct({ url, method, headers }: HttpRequest): Promise<ClientRequest> {
    const { isEncrypted, host, port, path } = placeOf(url)
    const address = await this.#guard.resolve(host, port)
    const options = {
      host: address,
      port,
      path,
      method,
      headers: { ...headers, Host: url.host },
      agent: false,
    }
    return open(options, isEncrypted, host)
  }

  async #throughProxy({ url, method, headers }: HttpRequest, deadline: AbortSignal): Promise<ClientRequest> {
    const { isEncrypted, host, port, path } = placeOf(url)
    await this.#guard.requireThroughProxy(host, port)
    const proxy = new URL(this.#guard.settings.proxy)
    const there = { host: proxy.hostname, port: Number(proxy.port || 80), agent: false }
    const all = { ...headers, Host: url.host }
    if (!isEncrypted)
      return open({ ...there, path: `${url.origin}${path}`, method, headers: all }, false, host)
    const target = `${url.hostname}:${port}`
    const socket = await tunnel(
      { ...there, method: 'CONNECT', path: target, headers: { Host: target } },
      deadline,
    )
    return open({ path, method, headers: all, agent: false, createConnection: () => socket }, true, host)
  }
}

function placeOf(url: URL) {
  const isEncrypted = url.protocol === 'https:'
  return {
    isEncrypted,
    // An IPv6 address stands in brackets.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isEncrypted ? 443 : 80)),
    path: `${url.pathname}${url.search}`,
  }
}

/** The modules are loaded when something is first sent. */
async function open(options: RequestOptions, isEncrypted: boolean, host: string): Promise<ClientRequest> {
  if (!isEncrypted) return (await import('node:http')).request(options)
  const [{ request }, { connect }, { isIP }] = await Promise.all([
    import('node:https'),
    import('node:tls'),
    import('node:net'),
  ])
  // The certificate is compared with the name, although the connection goes to an address.
  const servername = isIP(host) === 0 ? host : ''
  const given = options.createConnection
  if (!given) return request({ ...options, servername })
  const socket = given(options, () => undefined) as Socket
  return request({ ...options, createConnection: () => connect({ socket, servername, host }) })
}

/** A connection through the proxy to another server. */
async function tunnel(options: RequestOptions, deadline: AbortSignal): Promise<Socket> {
  const { request } = await import('node:http')
  const asking = request({ ...options, signal: deadline })
  const made = Promise.withResolvers<Socket>()
  asking.on('connect', (answer: IncomingMessage, socket: Socket) => {
    if (answer.statusCode === 200) made.resolve(socket)
    else {
      socket.destroy()
      made.reject(new Error(`the proxy answers ${answer.statusCode}`))
    }
  })
  asking.on('response', (answer) => {
    answer.destroy()
    made.reject(new Error(`the proxy answers ${answer.statusCode}`))
  })
  asking.on('error', made.reject)
  asking.end()
  return made.promise
}

function exchange(
  request: ClientRequest,
  { body }: HttpRequest,
  deadline: AbortSignal,
  limits: HttpLimits,
): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>()
  const giveUp = () => request.destroy(timedOut(deadline))
  deadline.addEventListener('abort', giveUp)
  // Whoever does not even accept a connection is given less time.
  const connecting = setTimeout(() => request.destroy(new NoAnswer('no connection', false)), limits.connect)
  request.on('socket', (socket) => {
    const ready = () => clearTimeout(connecting)
    if (socket.connecting) socket.once('connect', ready)
    else ready()
  })
  request.on('error', reject)
  request.on('response', (answer) => void read(answer, limits.answer).then(resolve, reject))
  if (deadline.aborted) giveUp()
  request.end(body)
  return promise.finally(() => {
    clearTimeout(connecting)
    deadline.removeEventListener('abort', giveUp)
    request.destroy()
  })
}

/** The beginning of the body; where it breaks off, or never ends, the status was an answer all the same. */
async function read(answer: IncomingMessage, limit: number): Promise<HttpAnswer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size >= limit) break
    }
  } catch {
    // What has come is enough.
  }
  const text = Buffer.concat(parts).subarray(0, limit).toString('utf8')
  return { status: answer.statusCode ?? 0, headers: answer.headers, text }
}

/** Nobody answered in time. */
export class NoAnswer extends Error {
  /** False where it was surely not received. */
  readonly wasConnected: boolean

  constructor(message: string, wasConnected = true) {
    super(message)
    this.wasConnected = wasConnected
  }
}

const timedOut = (deadline: AbortSignal) =>
  (deadline.reason as Error | undefined)?.name === 'TimeoutError'
    ? new NoAnswer('no answer in time')
    : new NoAnswer('it was given up')
