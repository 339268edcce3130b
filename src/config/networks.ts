// Addresses and networks of a setting, such as `10.0.0.1`, `10.0.0.0/8` and `2001:db8::/32`.

import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { shown } from '../fault.ts'
import { ip, ipFromKey, ipKey } from '../schema/scalar.ts'
import { readWords, splitSpace } from './forms.ts'

export function readNetworks(value: string): readonly string[] {
  const networks = readWords(value)
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const bits = isIP(address) === 6 ? 128 : 32
    if (
      isIP(address) === 0 ||
      (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
    ) {
      throw new Error(`${shown(network)} is neither an address nor a network such as 10.0.0.0/8`)
    }
  }
  return networks
}

/** Each perhaps with the address space of what it stands for behind an @. */
export function readSpacedNetworks(value: string): readonly string[] {
  for (const word of readWords(value)) readNetworks(splitSpace(word).text)
  return readWords(value)
}

export class Networks {
  readonly #list = new BlockList()

  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/')
      const family = familyOf(address)
      if (prefix === undefined) this.#list.addAddress(address, family)
      else this.#list.addSubnet(address, Number(prefix), family)
    }
  }

  has(address: string): boolean {
    const version = isIP(address)
    return version !== 0 && this.#list.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * What stands for an address where callers are counted: for IPv6 the network, since whoever has one address there has
 * all of them.
 */
export function placeOf(address: string): string {
  if (!address.includes(':') || isIP(address) !== 6) return address
  return `${ipFromKey(ipKey(address).slice(0, 17).padEnd(33, '0'))}/64`
}

/** The network around a place, as one organisation or one customer has it: a /24 of IPv4, a /48 of IPv6. */
export function networkOf(place: string): string {
  const [address = ''] = place.split('/')
  if (isIP(address) === 0) return place
  const key = ipKey(address)
  return key.startsWith('4') ? key.slice(0, -2) : key.slice(0, 13)
}

const loopback = new Networks(['127.0.0.0/8', '::1', '::ffff:127.0.0.0/104'])

/** It is asked of every request, and most often of these two. */
export const isLoopback = (address: string) =>
  address === '127.0.0.1' || address === '::1' || loopback.has(address)

/** At which others reach it, each in one spelling. */
export const addressesOfThisMachine = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => ip.read(address.split('%', 1)[0] ?? ''))
    .filter((address) => !isLoopback(address))
