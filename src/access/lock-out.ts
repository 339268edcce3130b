// Whoever guesses passwords has to wait, longer each time. There are three counts: per name and address, per address,
// and per name; an address of IPv6 stands for its network (`placeOf`). Attempts are counted before they are checked, so
// that many at once gain nothing over one after the other; one that turns out to be right is subtracted again. Waits
// for a name, and for an operator at an address where the operator has logged in recently, are never longer than a
// second, since others can cause them. Attempts wait for that second in a queue: those that have failed before come
// after those that have not, and of these, those from a network with failures come last.

import { createHash } from 'node:crypto'
import { networkOf, placeOf } from '../config/networks.ts'
import { AttemptQueue, realTime, type Scheduler } from '../pacing/attempt-queue.ts'
import { RecentMap } from './recent-map.ts'

interface Limit {
  /** Failures without a penalty, not counting this one. */
  readonly free: number
  /** The longest wait, in milliseconds. */
  readonly longest: number
}

const limits = {
  pair: { free: 5, longest: 5 * 60_000 },
  place: { free: 20, longest: 60_000 },
  name: { free: 50, longest: 1000 },
  /** For a name at an address where the operator has logged in, instead of the other three. */
  known: { free: 5, longest: 1000 },
} as const satisfies Record<string, Limit>

/** Failures are forgotten after this time without a new one. */
export const failureMemory = 15 * 60_000
/** The most attempts that wait for a name: at one per second, the last of them is checked within a minute. */
const lineSize = 58
/** The number of addresses that are remembered per operator. */
const addressesPerPrefix = 1000
/** Failures of a network that are told apart. */
const maxNetworkFailures = 1_000_000

class Count {
  #failures = 0
  #last = 0
  #additions = 0

  failures(now: number): number {
    return now - this.#last >= failureMemory ? 0 : this.#failures
  }

  left(now: number, { free, longest }: Limit): number {
    const beyond = this.failures(now) - free
    if (beyond < 0) return 0
    const until = this.#last + Math.min(longest, 1000 * 2 ** Math.min(beyond, 20))
    // A clock that was set back must not make the wait longer than its maximum.
    return Math.min(Math.max(0, until - now), longest)
  }

  /** Returns a function that subtracts it again. */
  add(now: number): () => void {
    const last = this.#last
    this.#failures = this.failures(now) + 1
    this.#last = now
    this.#additions += 1
    const additions = this.#additions
    return () => {
      this.#failures = Math.max(0, this.#failures - 1)
      if (this.#additions === additions) this.#last = last
    }
  }
}

/** Who tries to log in, as far as that is known before the password is checked. */
export interface Trying {
  readonly name: string
  /** Whether there is such an operator. */
  readonly operatorId: bigint | undefined
  readonly address: string
  /** Whether that operator has logged in from this address recently. */
  readonly isKnownThere: boolean
}

/** A failed attempt. */
export interface Failure {
  readonly operatorId: bigint | undefined
  /** Instead of the name, because people type passwords there by mistake. */
  readonly nameDigest: string
  readonly place: string
  readonly at: number
}

/** An attempt, to be checked when `turn` resolves. Exactly one of the two functions must be called then, once. */
export interface Attempt {
  /** False if it has lost its place in the queue, and must not be checked. */
  readonly turn: Promise<boolean>
  /** The password was right, or could not be checked. */
  takeBack(): void
  /** The password was wrong. */
  failed(): void
}

/** The counts of one name, or of all unknown names together. */
interface Counts {
  readonly names: RecentMap<Count>
  /** By name and address. */
  readonly pairs: RecentMap<Count>
}

const countsFor = (names: number, pairs: number): Counts => ({
  names: new RecentMap(names),
  pairs: new RecentMap(pairs),
})

/** A count, with the map that it belongs to. */
interface Counting {
  readonly counts: RecentMap<Count>
  readonly key: string
  readonly count: Count
}

/** The count whose waits are spent in a queue. */
interface Narrow {
  readonly counting: Counting
  readonly limit: Limit
  readonly key: string
  /** Counts that are increased as soon as the attempt arrives. */
  readonly others: readonly Counting[]
  readonly rank: number
  readonly owner?: string
}

interface LockOutParts {
  readonly clock: () => number
  readonly later?: Scheduler
  /** The number of names and addresses that are remembered. */
  readonly remembered?: number
  readonly onFailed?: (failure: Failure) => void
}

export class LockOut {
  readonly #clock: () => number
  readonly #later: Scheduler
  /** Separate from all other names, because anyone can invent enough of those to push older entries out. */
  readonly #operators = new Map<bigint, Counts>()
  readonly #unknownNames: Counts
  readonly #addresses: RecentMap<Count>
  readonly #networks: RecentMap<Count>
  readonly #lines = new Map<string, AttemptQueue>()
  readonly #onFailed: (failure: Failure) => void

  constructor({ clock, later = realTime, remembered = 10_000, onFailed }: LockOutParts) {
    this.#clock = clock
    this.#later = later
    this.#onFailed = onFailed ?? (() => undefined)
    this.#unknownNames = countsFor(remembered, remembered)
    this.#addresses = new RecentMap(remembered)
    this.#networks = new RecentMap(remembered)
  }

  /** Begins an attempt, or returns how long the caller must wait before the next one, in milliseconds. */
  begin({ name, operatorId, address, isKnownThere }: Trying): Attempt | number {
    const now = this.#clock()
    const nameDigest = createHash('sha256').update(name).digest('base64url')
    const who = { operatorId, nameDigest, place: placeOf(address) }
    const [pair, place, network, ofName] = this.#countingsOf(who)
    if (isKnownThere) {
      const key = `${operatorId} ${who.place}`
      return this.#pass(who, {
        counting: pair,
        limit: limits.known,
        key,
        others: [place, network, ofName],
        rank: 0,
      })
    }
    const wait = Math.max(pair.count.left(now, limits.pair), place.count.left(now, limits.place))
    if (wait > 0) return wait
    return this.#pass(who, {
      counting: ofName,
      limit: limits.name,
      key: operatorId === undefined ? nameDigest : String(operatorId),
      others: [pair, place, network],
      // Somebody with a large network can fail from a new address each time.
      rank:
        pair.count.failures(now) * maxNetworkFailures +
        Math.min(network.count.failures(now), maxNetworkFailures - 1),
      owner: who.place,
    })
  }

  /** The same for a sign-in whose name is not known beforehand: only failures of the address count. */
  beginAt(address: string): Omit<Attempt, 'turn'> | number {
    const now = this.#clock()
    const key = placeOf(address)
    const count = this.#addresses.get(key) ?? new Count()
    const wait = count.left(now, limits.place)
    if (wait > 0) return wait
    return { takeBack: add({ counts: this.#addresses, key, count }, now), failed: () => undefined }
  }

  /** Counts a failed attempt at another node. */
  note(failure: Failure): void {
    for (const counting of this.#countingsOf(failure)) add(counting, failure.at)
  }

  /** Refuses all waiting attempts. */
  stop(): void {
    for (const line of this.#lines.values()) line.clear()
  }

  /** At once, or through a queue. */
  #pass(who: Omit<Failure, 'at'>, narrow: Narrow): Attempt | number {
    const { counting, limit, key, others, rank, owner } = narrow
    const now = this.#clock()
    const undo: (() => void)[] = []
    let at = now
    const count = (...countings: readonly Counting[]) => {
      at = this.#clock()
      for (const counting of countings) undo.push(add(counting, at))
    }
    const takeBack = () => {
      for (const subtract of undo) subtract()
    }
    const done = {
      failed: () => this.#onFailed({ ...who, at }),
      // Earlier failures stay counted: otherwise somebody with an account, or a program that logs in all day, would
      // help others guess.
      takeBack: () => {
        takeBack()
        this.#lines.get(key)?.recheck()
      },
    }
    const line = this.#lines.get(key)
    if (!line && counting.count.left(now, limit) === 0) {
      count(...others, counting)
      return { turn: Promise.resolve(true), ...done }
    }
    const { promise: turn, resolve } = Promise.withResolvers<boolean>()
    const go = () => {
      count(counting)
      resolve(true)
    }
    const drop = () => {
      takeBack()
      resolve(false)
    }
    const joined = line ?? this.#lineFor(key, () => counting.count.left(this.#clock(), limit))
    if (!joined.enter({ rank, go, drop, ...(owner !== undefined && { owner }) }))
      return joined.length * limit.longest
    // Only now, because refused attempts must not push out the counts of others.
    count(...others)
    return { turn, ...done }
  }

  #lineFor(key: string, pause: () => number): AttemptQueue {
    const onEmpty = () => this.#lines.delete(key)
    const line = new AttemptQueue({ pause, later: this.#later, size: lineSize, onEmpty })
    this.#lines.set(key, line)
    return line
  }

  /** The counts of an attempt: by name and address, by address, by network, and by name. */
  #countingsOf({
    operatorId,
    nameDigest,
    place,
  }: Omit<Failure, 'at'>): [Counting, Counting, Counting, Counting] {
    const { names, pairs } = this.#countsOf(operatorId)
    const found = (counts: RecentMap<Count>, key: string): Counting => ({
      counts,
      key,
      count: counts.get(key) ?? new Count(),
    })
    return [
      found(pairs, `${place} ${nameDigest}`),
      found(this.#addresses, place),
      found(this.#networks, networkOf(place)),
      found(names, nameDigest),
    ]
  }

  #countsOf(operatorId: bigint | undefined): Counts {
    if (operatorId === undefined) return this.#unknownNames
    const known = this.#operators.get(operatorId) ?? countsFor(1, addressesPerPrefix)
    this.#operators.set(operatorId, known)
    return known
  }
}

/** Returns a function that subtracts it again. */
function add({ counts, key, count }: Counting, at: number): () => void {
  counts.set(key, count)
  return count.add(at)
}
