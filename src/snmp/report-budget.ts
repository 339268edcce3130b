// Limits reports. They answer any sender, known or not, and source addresses can be forged: each sender gets as many as
// an engine needs, and senders that have never proved that they know a key share a common budget.

interface Budget {
  left: number
  at: number
}

/** Reports per second, and the size of a burst. */
const perSender = { perSecond: 5, burst: 10 }
const forUnknownSenders = { perSecond: 1000, burst: 1000 }
/** The most senders that are remembered, because addresses can be forged. */
const limit = 10_000

export class ReportBudget {
  /** By address and port: forging the address of a device does not use up the device's own budget. */
  readonly #senders = new Map<string, Budget>()
  readonly #unknownSenders: Budget = { left: forUnknownSenders.burst, at: 0 }
  /** Addresses that sent authenticated messages recently, the latest last. */
  readonly #genuine = new Set<string>()

  noteGenuine(address: string): void {
    this.#genuine.delete(address)
    this.#genuine.add(address)
    const [oldest] = this.#genuine
    if (this.#genuine.size > limit && oldest !== undefined) this.#genuine.delete(oldest)
  }

  /** `now` in milliseconds; a clock that is set back adds nothing to a budget. */
  maySend(address: string, port: number, now: number): boolean {
    const key = `${address} ${port}`
    const own = this.#senders.get(key) ?? { left: perSender.burst, at: now }
    this.#senders.delete(key)
    this.#senders.set(key, own)
    const [oldest] = this.#senders.keys()
    if (this.#senders.size > limit && oldest !== undefined) this.#senders.delete(oldest)
    if (!spend(own, perSender, now)) return false
    return this.#genuine.has(address) || spend(this.#unknownSenders, forUnknownSenders, now)
  }
}

function spend(budget: Budget, { perSecond, burst }: typeof perSender, now: number): boolean {
  budget.left = Math.min(burst, budget.left + (Math.max(0, now - budget.at) * perSecond) / 1000)
  budget.at = now
  if (budget.left < 1) return false
  budget.left -= 1
  return true
}
