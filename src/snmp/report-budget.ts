// How many reports are sent. They go to whoever asks, known or not, and anybody can ask in the name of others: each
// sender gets as many as an engine needs, and senders that have never proved that they know a key share the rest.

interface Budget {
  left: number
  at: number
}

/** Reports a second, and how many at once. */
const ofOne = { perSecond: 5, atOnce: 10 }
const ofUnknownSenders = { perSecond: 1000, atOnce: 1000 }
/** Senders that are remembered: they may be invented. */
const limit = 10_000

export class ReportBudget {
  /** By address and port: forging the address of a device does not use up the device's own budget. */
  readonly #senders = new Map<string, Budget>()
  readonly #unknownSenders: Budget = { left: ofUnknownSenders.atOnce, at: 0 }
  /** Addresses from which something genuine came recently, the last one last. */
  readonly #genuine = new Set<string>()

  noteGenuine(address: string): void {
    this.#genuine.delete(address)
    this.#genuine.add(address)
    const [oldest] = this.#genuine
    if (this.#genuine.size > limit && oldest !== undefined) this.#genuine.delete(oldest)
  }

  /** Milliseconds; a clock that is set back gives nothing. */
  maySend(address: string, port: number, now: number): boolean {
    const key = `${address} ${port}`
    const own = this.#senders.get(key) ?? { left: ofOne.atOnce, at: now }
    this.#senders.delete(key)
    this.#senders.set(key, own)
    const [oldest] = this.#senders.keys()
    if (this.#senders.size > limit && oldest !== undefined) this.#senders.delete(oldest)
    if (!spend(own, ofOne, now)) return false
    return this.#genuine.has(address) || spend(this.#unknownSenders, ofUnknownSenders, now)
  }
}

function spend(budget: Budget, { perSecond, atOnce }: typeof ofOne, now: number): boolean {
  budget.left = Math.min(atOnce, budget.left + (Math.max(0, now - budget.at) * perSecond) / 1000)
  budget.at = now
  if (budget.left < 1) return false
  budget.left -= 1
  return true
}
