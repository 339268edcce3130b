// How many datagrams came recently, by their outcome: the data of a chart of the last hours. In memory alone: the
// ledger keeps the sums.

import { type Bin, bins } from '../alarms/engine/incoming.ts'

/** What came in one interval. */
interface Stretch {
  /** When it began, in milliseconds. */
  readonly time: number
  readonly counts: ReadonlyMap<Bin, number>
}

export const stretchSeconds = 60
const kept = 24 * 60

export class Traffic {
  readonly #sums: ReadonlyMap<Bin, number>
  readonly #stretches: Stretch[] = []
  #before: Map<Bin, number>
  #began: number

  /** `sums` are those since the start, as the engine counts them. */
  constructor(sums: ReadonlyMap<Bin, number>, now: number) {
    this.#sums = sums
    this.#before = new Map(sums)
    this.#began = now
  }

  /** Called more often than intervals end: one that is over is closed. */
  closeInterval(now: number): void {
    if (now - this.#began < stretchSeconds * 1000) return
    this.#stretches.push(this.#current())
    if (this.#stretches.length > kept) this.#stretches.shift()
    this.#before = new Map(this.#sums)
    this.#began = now
  }

  /** The oldest first; the last is the one that has not ended. */
  get stretches(): readonly Stretch[] {
    return [...this.#stretches, this.#current()]
  }

  #current(): Stretch {
    const counts = bins.map(
      (bin) => [bin, (this.#sums.get(bin) ?? 0) - (this.#before.get(bin) ?? 0)] as const,
    )
    return { time: this.#began, counts: new Map(counts.filter(([, n]) => n > 0)) }
  }
}
