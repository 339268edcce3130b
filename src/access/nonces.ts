// Nonces of HTTP Digest for a single service. They are not stored when issued: each contains its time and a
// signature. For those in use, the request counts already seen are kept in memory, so that none is accepted twice.

import { createHmac, randomBytes } from 'node:crypto'
import { isSame } from './digest.ts'

/**
 * stale: too old, or issued elsewhere or before a restart; a caller that knows the password may retry with a new one.
 */
export type Verdict = 'good' | 'stale' | 'replayed'

export interface NonceRegistry {
  make(): string | Promise<string>
  /** Checks a request whose digest is right; no others are remembered, so that nobody else can push entries out. */
  use(nonce: string, nc: string): Verdict | Promise<Verdict>
}

/** Milliseconds. */
export const nonceLifetime = 5 * 60 * 1000
/** Concurrent requests arrive out of order, by no more than this. */
const windowSize = 128n
const windowMask = (1n << windowSize) - 1n

interface Use {
  readonly issued: number
  highest: bigint
  /** Bit n: the request `highest - n` was made. */
  made: bigint
}

export class Nonces implements NonceRegistry {
  readonly #secret = randomBytes(32)
  readonly #clock: () => number
  readonly #limit: number
  /** In the order of their first use. */
  readonly #uses = new Map<string, Use>()
  /** Nonces issued until then whose use is unknown may have been used and forgotten. */
  #forgotten = Number.NEGATIVE_INFINITY

  constructor(clock: () => number, limit = 20_000) {
    this.#clock = clock
    this.#limit = limit
  }

  make(): string {
    return signedNonce(this.#secret, this.#clock())
  }

  use(nonce: string, nc: string): Verdict {
    const issued = issuedAt(this.#secret, nonce)
    const now = this.#clock()
    if (issued === undefined || now - issued > nonceLifetime) return 'stale'
    const count = countOf(nc)
    const known = this.#uses.get(nonce)
    if (known) return note(known, count)
    if (issued <= this.#forgotten) return 'stale'
    this.#uses.set(nonce, { issued, highest: count, made: 1n })
    this.#forget(now)
    return 'good'
  }

  #forget(now: number): void {
    for (const [nonce, { issued }] of this.#uses) {
      const isOld = now - issued > nonceLifetime
      if (!isOld && this.#uses.size <= this.#limit) return
      this.#uses.delete(nonce)
      if (!isOld) this.#forgotten = Math.max(this.#forgotten, issued)
    }
  }
}

export function signedNonce(secret: Buffer, now: number): string {
  const body = `${now.toString(36)}.${randomBytes(9).toString('base64url')}`
  return `${body}.${markOf(secret, body)}`
}

/** When it was issued; undefined if it was not signed with the secret. */
export function issuedAt(secret: Buffer, nonce: string): number | undefined {
  const cut = nonce.lastIndexOf('.')
  const body = nonce.slice(0, Math.max(0, cut))
  if (!isSame(nonce.slice(cut + 1), markOf(secret, body))) return undefined
  return Number.parseInt(body, 36)
}

const markOf = (secret: Buffer, body: string) =>
  createHmac('sha256', secret).update(body).digest('base64url').slice(0, 22)

export const countOf = (nc: string) => BigInt(`0x${nc}`)

function note(use: Use, count: bigint): Verdict {
  if (count > use.highest) {
    const step = count - use.highest
    use.made = step >= windowSize ? 1n : ((use.made << step) | 1n) & windowMask
    use.highest = count
    return 'good'
  }
  const bit = use.highest - count
  if (bit >= windowSize || (use.made >> bit) & 1n) return 'replayed'
  use.made |= 1n << bit
  return 'good'
}
