// Whoever guesses passwords has to wait, longer each time. There are three counts: per name and address, per address,
// and per name; an address of IPv6 stands for its network (`placeOf`). Attempts are counted before they are checked, so
// that many at once gain nothing over one after the other; one that turns out to be right is subtracted again. At an
// address from which the operator has logged in recently, attempts wait in a line instead, and wrong ones are answered
// late: others who guess from there delay the operator, and do not keep the operator out.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { placeOf } from '../config/networks.ts'
import { Recent } from './recent.ts'

interface Limit {
  /** Failures without a penalty, not counting this one. */
  readonly free: number
  /** The longest wait, in milliseconds. */
  readonly longest: number
}

/**
 * A name that others guess at is let through once a second, and never less: a longer wait would lock its operator out.
 */
const limits = {
  pair: { free: 5, longest: 5 * 60_000 },
  place: { free: 20, longest: 60_000 },
  name: { free: 50, longest: 1000 },
} as const satisfies Record<string, Limit>

/** Failures are forgotten after this time without a new one. */
export const failureMemory = 15 * 60_000
/**
 * At an address where the operator has logged in: wrong attempts are answered after this time, so many are checked at
 * once, and so many wait for that.
 */
const lateAnswer = { after: 1000, atOnce: 5, waiting: 50 }
/** Addresses that are remembered per operator. */
const placesOfOne = 1000

class Count {
  readonly #limit: Limit
  failures = 0
  #last = 0
  #until = 0

  constructor(limit: Limit) {
    this.#limit = limit
  }

  left(now: number): number {
    // A clock that was set back must not make the wait longer than its maximum.
    return Math.min(Math.max(0, this.#until - now), this.#limit.longest)
  }

  add(now: number): void {
    if (now - this.#last >= failureMemory) this.failures = 0
    this.failures += 1
    this.#last = now
    const { free, longest } = this.#limit
    const beyond = this.failures - free
    if (beyond >= 0) this.#until = now + Math.min(longest, 1000 * 2 ** Math.min(beyond, 20))
  }

  takeBack(): void {
    this.failures = Math.max(0, this.failures - 1)
    if (this.failures < this.#limit.free) this.#until = 0
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
  /** Instead of the name: people type passwords there. */
  readonly nameDigest: string
  readonly place: string
  readonly at: number
}

/** An attempt, to be checked when its turn has come. Exactly one of the two is called then, once. */
export interface Attempt {
  readonly turn: Promise<void>
  /** The password was right, or could not be checked. */
  takeBack(): void
  /** It was wrong. Resolves when the caller may be answered. */
  failed(): Promise<void>
}

/** Few go in at a time; the others wait, in order. */
class Line {
  #inside = 0
  readonly #waiting: (() => void)[] = []

  get isFull(): boolean {
    return this.#inside >= lateAnswer.atOnce && this.#waiting.length >= lateAnswer.waiting
  }

  get isEmpty(): boolean {
    return this.#inside === 0
  }

  enter(): Promise<void> {
    if (this.#inside >= lateAnswer.atOnce) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#inside += 1
    return Promise.resolve()
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#inside -= 1
  }
}

/** What is remembered of one name, or of all unknown names together. */
interface Counts {
  readonly names: Recent<Count>
  /** By name and address. */
  readonly pairs: Recent<Count>
}

const countsFor = (names: number, pairs: number): Counts => ({
  names: new Recent(names),
  pairs: new Recent(pairs),
})

/** A count, and where it is remembered. */
interface Counting {
  readonly counts: Recent<Count>
  readonly key: string
  readonly count: Count
}

export class LockOut {
  readonly #clock: () => number
  /** Kept apart from all other names: anyone can invent as many of those as it takes to push older entries out. */
  readonly #operators = new Map<bigint, Counts>()
  readonly #strangers: Counts
  readonly #places: Recent<Count>
  /** Attempts from known addresses, by operator and address. */
  readonly #lines = new Map<string, Line>()
  readonly #onFailed: (failure: Failure) => void

  constructor(
    clock: () => number,
    remembered = 10_000,
    onFailed: (failure: Failure) => void = () => undefined,
  ) {
    this.#clock = clock
    this.#onFailed = onFailed
    this.#strangers = countsFor(remembered, remembered)
    this.#places = new Recent(remembered)
  }

  /** Begins an attempt, or returns how long the caller must wait before the next one, in milliseconds. */
  begin(trying: Trying): Attempt | number {
    const now = this.#clock()
    const place = placeOf(trying.address)
    const failure = {
      operatorId: trying.operatorId,
      nameDigest: createHash('sha256').update(trying.name).digest('base64url'),
      place,
      at: now,
    }
    const countings = this.#countingsOf(failure)
    const counts = countings.map(({ count }) => count)
    const pair = countings[0].count
    const key = `${trying.operatorId} ${place}`
    const isLate = trying.isKnownThere && pair.failures >= limits.pair.free
    if (isLate && this.#lines.get(key)?.isFull) return lateAnswer.after
    const wait = trying.isKnownThere ? 0 : Math.max(...counts.map((count) => count.left(now)))
    if (wait > 0) return wait
    this.note(failure, countings)
    const attempt = new Counted(counts, () => this.#onFailed(failure))
    return isLate ? this.#inLine(attempt, key) : attempt
  }

  /** Counts a failed attempt, here or at another node. */
  note(failure: Failure, countings: readonly Counting[] = this.#countingsOf(failure)): void {
    for (const { counts, key, count } of countings) {
      count.add(failure.at)
      counts.set(key, count)
    }
  }

  /** The counts of an attempt: by name and address, by address, and by name. */
  #countingsOf({ operatorId, nameDigest, place }: Failure): [Counting, Counting, Counting] {
    const { names, pairs } = this.#countsOf(operatorId)
    const found = (counts: Recent<Count>, key: string, limit: Limit): Counting => ({
      counts,
      key,
      count: counts.get(key) ?? new Count(limit),
    })
    return [
      found(pairs, `${place} ${nameDigest}`, limits.pair),
      found(this.#places, place, limits.place),
      found(names, nameDigest, limits.name),
    ]
  }

  /** The same attempt; its turn comes when few enough are checked, and a wrong one is answered late. */
  #inLine(attempt: Attempt, key: string): Attempt {
    const line = this.#lines.get(key) ?? new Line()
    this.#lines.set(key, line)
    const leave = () => {
      line.leave()
      if (line.isEmpty) this.#lines.delete(key)
    }
    return {
      turn: line.enter(),
      takeBack() {
        attempt.takeBack()
        leave()
      },
      async failed() {
        await sleep(lateAnswer.after)
        await attempt.failed()
        leave()
      },
    }
  }

  #countsOf(operatorId: bigint | undefined): Counts {
    if (operatorId === undefined) return this.#strangers
    const known = this.#operators.get(operatorId) ?? countsFor(1, placesOfOne)
    this.#operators.set(operatorId, known)
    return known
  }
}

class Counted implements Attempt {
  readonly turn = Promise.resolve()
  readonly #counts: readonly Count[]
  readonly #onFailed: () => void

  constructor(counts: readonly Count[], onFailed: () => void) {
    this.#counts = counts
    this.#onFailed = onFailed
  }

  /**
   * Earlier failures are not forgiven: someone with an account, or a program that logs in all day, would help others
   * guess.
   */
  takeBack(): void {
    for (const count of this.#counts) count.takeBack()
  }

  async failed(): Promise<void> {
    // It was counted when it began.
    this.#onFailed()
  }
}
