// Where a request comes from and how its sender knows the service. Only proxies that are named in the settings are
// believed: anyone can write their headers.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback } from '../../config/networks.ts'
import type { Config } from '../../config.ts'
import { Fault, shown } from '../../fault.ts'
import { ip } from '../../schema/scalar.ts'
import type { Channel } from '../call.ts'

export const plainAddress = (socket: Socket) => (socket.remoteAddress ?? '').replace(/^::ffff:/, '')

export class Origins {
  readonly #proxies: ReadonlySet<string>
  readonly #publicUrl: string

  constructor(config: Config) {
    this.#proxies = new Set(config['trusted-proxies'].map((address) => ip.read(address)))
    this.#publicUrl = config['public-url']
  }

  isProxy(address: string): boolean {
    return this.#proxies.has(address)
  }

  /** The address of the caller: the last one in the chain that no proxy of ours has. */
  addressOf({ socket, headers }: IncomingMessage): string {
    const chain = [...readChain(headers['x-forwarded-for']), plainAddress(socket)]
    let address = chain.pop() ?? ''
    while (this.isProxy(address)) {
      const before = chain.pop()
      if (before === undefined) break
      address = before
    }
    return address
  }

  /** Whether a proxy sent it on, and nothing that is believed says for whom: the address is that of the proxy. */
  isUntold({ socket, headers }: IncomingMessage): boolean {
    const chain = headers['x-forwarded-for']
    if (chain === undefined && headers.forwarded === undefined && headers.via === undefined) return false
    return !this.isProxy(plainAddress(socket)) || readChain(chain).length === 0
  }

  /** Whether the caller's own connection is encrypted, here or at a proxy. */
  isSecure(request: IncomingMessage): boolean {
    if ('encrypted' in request.socket) return true
    return this.#forwarded(request, 'x-forwarded-proto') === 'https'
  }

  channelOf(request: IncomingMessage): Channel {
    if (this.isSecure(request)) return 'encrypted'
    return isLoopback(this.addressOf(request)) && !this.isUntold(request) ? 'loopback' : 'open'
  }

  /** The address of the root as the caller knows it. */
  baseFor(request: IncomingMessage, root: string): string {
    if (this.#publicUrl !== '') return this.#publicUrl + root
    const { headers, socket } = request
    const own = `${socket.localAddress}:${socket.localPort}`
    const host = this.#forwarded(request, 'x-forwarded-host') ?? headers.host ?? own
    if (!/^[\w.\-[\]:]{1,255}$/.test(host)) {
      throw new Fault(
        'invalid',
        `the Host header ${shown(host)} is not accepted: expected a host name and port`,
      )
    }
    return `${this.isSecure(request) ? 'https' : 'http'}://${host}${root}`
  }

  #forwarded({ socket, headers }: IncomingMessage, name: string): string | undefined {
    const value = this.isProxy(plainAddress(socket)) ? headers[name] : undefined
    return typeof value === 'string' ? value.split(',', 1)[0]?.trim() : undefined
  }
}

/** What is not an address ends the chain: what stands before it cannot be trusted either. */
function readChain(header: string | string[] | undefined): string[] {
  if (header === undefined) return []
  const addresses = String(header)
    .split(',')
    .map((part) => canonical(part.trim()))
  const bad = addresses.lastIndexOf(undefined)
  return addresses.slice(bad + 1).filter((address) => address !== undefined)
}

function canonical(text: string): string | undefined {
  try {
    return ip.read(text)
  } catch {
    return undefined
  }
}
