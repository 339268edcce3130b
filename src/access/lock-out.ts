// Who guesses is made to wait, longer each time. Three counts: of a name from an address, of an address, of a name.
// The last two pass by those who have been right from that address: a stranger elsewhere cannot keep an operator out.

import { isIP } from 'node:net'
import { ipKey } from '../schema/scalar.ts'
import { Recent } from './recent.ts'

interface Limit {
  /** Failures that cost nothing. */
  readonly free: number
  /** The longest wait, in milliseconds. */
  readonly longest: number
}

const limits = {
  pair: { free: 5, longest: 5 * 60_000 },
  address: { free: 20, longest: 60_000 },
  name: { free: 50, longest: 30_000 },
} as const satisfies Record<string, Limit>

type Kind = keyof typeof limits

/** Failures are forgotten after so long without one. */
const memory = 15 * 60_000

interface Count {
  failures: number
  last: number
  until: number
}

export class LockOut {
  readonly #clock: () => number
  readonly #counts: Record<Kind, Recent<Count>>
  readonly #trusted: Recent<true>

  constructor(clock: () => number, limit = 10_000) {
    this.#clock = clock
    this.#counts = { pair: new Recent(limit), address: new Recent(limit), name: new Recent(limit) }
    this.#trusted = new Recent(limit)
  }

  /** How long the caller must wait before it is heard, in milliseconds. */
  wait(name: string, address: string): number {
    const keys = keysOf(name, address)
    const kinds: readonly Kind[] = this.#trusted.get(keys.pair) ? ['pair'] : ['pair', 'address', 'name']
    return Math.max(...kinds.map((kind) => this.#left(kind, keys[kind])))
  }

  failed(name: string, address: string): void {
    const keys = keysOf(name, address)
    for (const kind of Object.keys(limits) as Kind[]) this.#count(kind, keys[kind])
  }

  /** The counts of the address and the name go on: one who has an account could otherwise guess at others'. */
  succeeded(name: string, address: string): void {
    const { pair } = keysOf(name, address)
    this.#counts.pair.delete(pair)
    this.#trusted.set(pair, true)
  }

  #left(kind: Kind, key: string): number {
    const until = this.#counts[kind].get(key)?.until ?? 0
    // A clock that was put back must not make the wait longer than it ever is.
    return Math.min(Math.max(0, until - this.#clock()), limits[kind].longest)
  }

  #count(kind: Kind, key: string): void {
    const now = this.#clock()
    const known = this.#counts[kind].get(key)
    const count = known && now - known.last < memory ? known : { failures: 0, last: now, until: 0 }
    count.failures += 1
    count.last = now
    const { free, longest } = limits[kind]
    const beyond = count.failures - free
    if (beyond >= 0) count.until = now + Math.min(longest, 1000 * 2 ** Math.min(beyond, 20))
    this.#counts[kind].set(key, count)
  }
}

function keysOf(given: string, address: string): Record<Kind, string> {
  const place = placeOf(address)
  // Names longer than any operator's are of no use, and must not fill the memory.
  const name = given.slice(0, 80)
  return { pair: `${place} ${name}`, address: place, name }
}

/** Of IPv6 the network: whoever has one address there has all of them. */
function placeOf(address: string): string {
  return isIP(address) === 6 ? ipKey(address).slice(0, 17) : address
}
