// Addresses and networks from a setting.

import { BlockList, isIP } from 'node:net'

export class Networks {
  readonly #list = new BlockList()

  /** As `10.0.0.1`, `10.0.0.0/8` or `2001:db8::/32`. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/')
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (prefix === undefined) this.#list.addAddress(address, family)
      else this.#list.addSubnet(address, Number(prefix), family)
    }
  }

  has(address: string): boolean {
    const version = isIP(address)
    return version !== 0 && this.#list.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
}

const loopback = new Networks(['127.0.0.0/8', '::1', '::ffff:127.0.0.0/104'])

export const isLoopback = (address: string) => loopback.has(address)
