// Where messages may be sent: names are resolved, every address is checked, and the connection goes to that very address.

import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { addressesOfThisMachine, isLoopback, Networks } from '../../config/networks.ts'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import { ip } from '../../schema/scalar.ts'

export interface OutboundSettings {
  readonly loopback: boolean
  readonly privateNetworks: readonly string[]
  /** Empty: no proxy. */
  readonly proxy: string
  readonly proxyHosts: readonly string[]
  /** Instead of those of the system. */
  readonly nameServers?: readonly string[]
}

/** Where the service listens. */
export interface OwnListeners {
  readonly ports: () => readonly number[]
  /** Of all nodes that share the store: addresses and ports, separated by a space. */
  readonly ofNodes: () => Promise<ReadonlySet<string>>
}

/** The target is not allowed: trying again would not help. */
export class RefusedTarget extends Error {}

/** "This network", link-local, multicast, reserved and broadcast; site-local, which is no longer used. */
const never = new Networks([
  ...['0.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/128', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
])
/** Where clouds keep what a machine is, and its credentials, outside the link-local range. */
const metadata = new Networks([
  ...['100.100.100.200', '168.63.129.16', '192.0.0.0/24'],
  ...['fd00:ec2::/32', 'fd20:ce::254'],
])
/** Tunnels, in which an IPv4 address may hide anywhere. */
const tunnels = new Networks(['2001::/32', '64:ff9b:1::/48'])
const privateRanges = new Networks([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  'fc00::/7',
])
const translated = new Networks(['64:ff9b::/96', '::ffff:0:0:0/96'])
const sixToFour = new Networks(['2002::/16'])
const compatible = new Networks(['::/96'])
/** RFC 5214 section 6.1, in digits: the second half of an address of any network, before the IPv4 address. */
const isatap = /^0[0-3]005efe$/

/** The IPv4 address that an IPv6 address leads to. */
function embeddedIn(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined
  const digits = ip.key(address).slice(1)
  const at = (from: number) =>
    [0, 2, 4, 6]
      .map((offset) => Number.parseInt(digits.slice(from + offset, from + offset + 2), 16))
      .join('.')
  if (sixToFour.has(address)) return at(4)
  if (translated.has(address) || isatap.test(digits.slice(16, 24))) return at(24)
  return compatible.has(address) && address !== '::1' && address !== '::' ? at(24) : undefined
}

/** One spelling: without a zone, and as IPv4 where it is a mapped address. */
const plain = (address: string) => ip.read(address.split('%', 1)[0] ?? '')

const resolverTimes = { timeout: 2000, tries: 2 }
const hostsFile = '/etc/hosts'
const largestHostsFile = 2 ** 20
/** What resolvers say of a name that they do not know, or where there is no resolver. */
const unknownName = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME', 'ESERVFAIL'])

export class OutboundGuard {
  readonly settings: OutboundSettings
  readonly #own: OwnListeners
  readonly #privateAllowed: Networks
  readonly #resolver = new Resolver(resolverTimes)
  /** The system's own resolution occupies a thread that files need as well: one at a time. */
  readonly #systemLookups = new SerialQueue()

  constructor(settings: OutboundSettings, own: OwnListeners) {
    this.settings = settings
    this.#own = own
    this.#privateAllowed = new Networks(settings.privateNetworks)
    if (settings.nameServers) this.#resolver.setServers(settings.nameServers)
  }

  /** Why nothing is sent to this address; undefined where it is allowed. */
  objectionTo(given: string, port: number): string | undefined {
    const address = plain(given)
    const embedded = embeddedIn(address)
    // The network around an embedded address may be one that is refused, too.
    const inner = embedded === undefined ? undefined : this.objectionTo(embedded, port)
    if (inner !== undefined) return inner
    if (never.has(address) || metadata.has(address) || tunnels.has(address))
      return 'the target is an address to which nothing is ever sent (link-local, metadata, multicast or reserved)'
    const isHere = isLoopback(address) || addressesOfThisMachine().includes(address)
    if (isHere && this.#own.ports().includes(port)) return 'the target is a port of this service'
    if (isLoopback(address))
      return this.settings.loopback
        ? undefined
        : 'the target is on this machine, which the setting notify-loopback does not allow'
    if (privateRanges.has(address) && !this.#privateAllowed.has(address))
      return 'the target is in a private network that the setting notify-private-networks does not name'
    return undefined
  }

  /** The address to connect to. Throws where the name is not known, and where no address of it is allowed. */
  async resolve(host: string, port: number): Promise<string> {
    const addresses = await this.#addressesOf(host)
    let objection = 'the name has no address'
    for (const address of addresses) {
      const found = this.objectionTo(address, port) ?? (await this.#objectionOfNodes(address, port))
      if (found === undefined) return plain(address)
      objection = found
    }
    throw new RefusedTarget(objection)
  }

  /** Another node may run on this machine: at a loopback address it is known by the others. */
  async #objectionOfNodes(given: string, port: number): Promise<string | undefined> {
    const address = plain(given)
    const listeners = await this.#own.ofNodes()
    const reached = [address, embeddedIn(address) ?? address].flatMap((one) =>
      isLoopback(one) ? addressesOfThisMachine() : [one],
    )
    return reached.some((one) => listeners.has(`${one} ${port}`))
      ? 'the target is a port of another node of this service'
      : undefined
  }

  /** A proxy resolves names by itself: they must be on the list. Addresses are checked as always. */
  async requireThroughProxy(host: string, port: number): Promise<void> {
    if (isIP(host) !== 0) await this.resolve(host, port)
    else if (!this.#isListed(host))
      throw new RefusedTarget('the host is not one that the setting notify-proxy-hosts names')
  }

  #isListed(host: string): boolean {
    const name = host.toLowerCase().replace(/\.$/, '')
    return this.settings.proxyHosts.some((listed) => {
      const known = listed.toLowerCase()
      return known.startsWith('*.') ? name.endsWith(known.slice(1)) : name === known
    })
  }

  async #addressesOf(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host]
    const listed = await addressesInHostsFile(host)
    if (listed.length > 0) return listed
    const results = await Promise.allSettled([this.#resolver.resolve4(host), this.#resolver.resolve6(host)])
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (found.length > 0) return found
    const failed = results.find(
      (result) => result.status === 'rejected' && !unknownName.has(result.reason.code),
    )
    if (failed?.status === 'rejected') throw failed.reason
    // Search domains, and whatever else this machine resolves names by.
    const all = await this.#systemLookups.run(() => lookup(host, { all: true }))
    return all.map(({ address }) => address)
  }
}

/** Names of this machine's own list are known also while no name server answers. */
async function addressesInHostsFile(host: string): Promise<string[]> {
  const text = await readFile(hostsFile, 'utf8').catch(() => '')
  if (text.length > largestHostsFile) return []
  const name = host.toLowerCase()
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    return isIP(address) !== 0 && names.some((one) => one.toLowerCase() === name) ? [address] : []
  })
}
