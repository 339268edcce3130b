// Why a datagram is not a notification that we can decode. The words are stable: they label counters and the ledger.

export const MALFORMED_REASONS = [
  'too-large',
  'truncated',
  'bad-tag',
  'bad-length',
  'bad-integer',
  'bad-oid',
  'bad-value',
  'trailing-bytes',
  'bad-version',
  'bad-flags',
  'bad-security-model',
  'bad-engine-id',
  'bad-user-name',
  'bad-generic-trap',
  'not-a-notification',
  'no-trap-oid',
  'too-many-variables',
  // A bug of ours, kept from stopping the receiver; the outcome carries the cause.
  'unexpected',
] as const

export type MalformedReason = (typeof MALFORMED_REASONS)[number]

/**
 * What a decoder throws; it never leaves this folder. It is no Error, and there is one per reason, made beforehand:
 * capturing a stack costs more than decoding a trap, and a hostile sender would choose how often we pay.
 */
export class Malformed {
  readonly reason: MalformedReason

  constructor(reason: MalformedReason) {
    this.reason = reason
  }
}

const made = new Map(MALFORMED_REASONS.map((reason) => [reason, new Malformed(reason)]))

export function malformed(reason: MalformedReason): never {
  throw made.get(reason)
}

/** What was decoded, or undefined where it could not be. */
export function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}
