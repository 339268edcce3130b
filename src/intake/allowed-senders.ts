// Who may send traps: single addresses and networks.

import { Networks } from '../config/networks.ts'

/** An empty list allows everyone. */
export class AllowedSenders {
  readonly #networks: Networks | undefined

  constructor(networks: readonly string[]) {
    if (networks.length > 0) this.#networks = new Networks(networks)
  }

  allows(address: string): boolean {
    return this.#networks?.has(address) ?? true
  }
}
