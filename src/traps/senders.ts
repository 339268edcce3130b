// Who may send traps: single addresses and networks.

import { BlockList, isIPv6 } from 'node:net'

/** Built from `10.0.0.1`, `10.0.0.0/8`, `2001:db8::/32`; an empty list lets everyone pass. */
export class Senders {
  readonly #list: BlockList | undefined

  constructor(networks: readonly string[]) {
    if (networks.length === 0) return
    this.#list = new BlockList()
    for (const network of networks) {
      const [address = '', prefix] = network.split('/')
      const family = isIPv6(address) ? 'ipv6' : 'ipv4'
      if (prefix === undefined) this.#list.addAddress(address, family)
      else this.#list.addSubnet(address, Number(prefix), family)
    }
  }

  allows(address: string): boolean {
    return this.#list === undefined || this.#list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}
