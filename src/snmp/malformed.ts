// The reasons why a datagram cannot be decoded. The words are stable, because they label counters and ledger entries.

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
  // A bug of ours, which must not stop the receiver; the outcome carries the cause.
  'unexpected',
] as const

export type MalformedReason = (typeof MALFORMED_REASONS)[number]

/**
 * Thrown by decoders; it never leaves this folder. It is not an Error, and there is one object per reason, because
 * capturing a stack costs more than decoding a trap, and a hostile sender could cause that at will.
 */
export class Malformed {
  readonly reason: MalformedReason

  constructor(reason: MalformedReason) {
    this.reason = reason
  }
}

const byReason = new Map(MALFORMED_REASONS.map((reason) => [reason, new Malformed(reason)]))

export function malformed(reason: MalformedReason): never {
  throw byReason.get(reason)
}

/** The decoded value; undefined if it is malformed. */
export function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}
