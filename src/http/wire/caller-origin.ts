// Determines where a request comes from and the address by which its sender knows the service. Forwarding headers are
// trusted only from proxies named in the settings.

import type { IncomingMessage } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import type { Config } from '../../config/config.ts'
import { isLoopback } from '../../config/networks.ts'
import { Fault, shown } from '../../fault.ts'
import { ip } from '../../schema/scalar.ts'
import type { Channel } from '../call.ts'

/** How many of our proxies may be in a chain. */
const hopLimit = 16

const mapped = '::ffff:'

export function plainAddress({ remoteAddress = '' }: Socket): string {
  return remoteAddress.startsWith(mapped) ? remoteAddress.slice(mapped.length) : remoteAddress
}

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
    const peer = plainAddress(socket)
    return this.isProxy(peer) ? this.#before(peer, headers['x-forwarded-for']) : peer
  }

  /**
   * Each proxy appends the address of its caller to the end of the chain. It is read from there, no further than our
   * proxies reach; what is not an address ends it, for what stands before it cannot be trusted either.
   */
  #before(proxy: string, header: string | string[] | undefined): string {
    const chain = String(header ?? '')
    let address = proxy
    let end = chain.length
    for (let hops = 0; hops < hopLimit && end > 0 && this.isProxy(address); hops += 1) {
      const cut = chain.lastIndexOf(',', end - 1)
      const before = canonical(chain.slice(cut + 1, end).trim())
      if (before === undefined) break
      address = before
      end = cut
    }
    return address
  }

  /** Whether a proxy forwarded it without a trusted header that says for whom: the address is that of the proxy. */
  isUnnamed({ socket, headers }: IncomingMessage): boolean {
    const chain = headers['x-forwarded-for']
    if (chain === undefined && headers.forwarded === undefined && headers.via === undefined) return false
    return !this.isProxy(plainAddress(socket)) || canonical(lastOf(chain)) === undefined
  }

  /** Whether the caller's own connection is encrypted, here or at a proxy. */
  isSecure(request: IncomingMessage): boolean {
    if ('encrypted' in request.socket) return true
    return this.#forwarded(request, 'x-forwarded-proto') === 'https'
  }

  channelOf(request: IncomingMessage): Channel {
    if (this.isSecure(request)) return 'encrypted'
    return isLoopback(this.addressOf(request)) && !this.isUnnamed(request) ? 'loopback' : 'open'
  }

  /** The address of the root as the caller knows it: always a URL, whatever the caller has sent. */
  baseFor(request: IncomingMessage, root: string): string {
    if (this.#publicUrl !== '') return this.#publicUrl + root
    const { headers, socket } = request
    const host = this.#forwarded(request, 'x-forwarded-host') ?? headers.host ?? ownHost(socket)
    const base = `${this.isSecure(request) ? 'https' : 'http'}://${host}${root}`
    if (!/^[\w.\-[\]:]{1,255}$/.test(host) || !URL.canParse(base)) {
      throw new Fault(
        'invalid',
        `the Host header ${shown(host)} is not accepted: expected a host name and port`,
      )
    }
    return base
  }

  /** Of several values the last one is what the proxy itself wrote; those before it may be the caller's own. */
  #forwarded({ socket, headers }: IncomingMessage, name: string): string | undefined {
    const value = this.isProxy(plainAddress(socket)) ? headers[name] : undefined
    return value === undefined ? undefined : lastOf(value)
  }
}

/** For programs of HTTP/1.0, which need not name one; a socket in the file system has no address. */
function ownHost({ localAddress = 'localhost', localPort }: Socket): string {
  const name = isIPv6(localAddress) ? `[${localAddress.split('%')[0]}]` : localAddress
  return localPort === undefined ? name : `${name}:${localPort}`
}

/** The last value of a list that is separated by commas. */
function lastOf(header: string | string[] | undefined): string {
  const list = String(header ?? '')
  return list.slice(list.lastIndexOf(',') + 1).trim()
}

function canonical(text: string): string | undefined {
  try {
    return ip.read(text)
  } catch {
    return undefined
  }
}
