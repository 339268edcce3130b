// What happens at which time, for a simulation: the earliest first, of one time the lowest rank, then in the order in which
// it was added.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** After so many, others have their turn. */
const together = 500

interface Item {
  readonly at: number
  readonly rank: number
  readonly order: number
  readonly run: () => Promise<void> | void
}

const isBefore = (a: Item, b: Item) =>
  a.at < b.at || (a.at === b.at && (a.rank < b.rank || (a.rank === b.rank && a.order < b.order)))

export class EventQueue {
  /** A binary heap: each item comes before the two at twice its place. */
  readonly #items: Item[] = []
  #added = 0

  add(at: number, rank: number, run: Item['run']): void {
    const items = this.#items
    let place = items.length
    const item = { at, rank, run, order: this.#added }
    this.#added += 1
    items.push(item)
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = items[above] as Item
      if (!isBefore(item, parent)) break
      items[place] = parent
      place = above
    }
    items[place] = item
  }

  /** Does everything up to a time, and what follows from it. */
  async runUntil(time: number, onTime: (now: number) => void): Promise<void> {
    let done = 0
    for (let first = this.#items[0]; first && first.at <= time; first = this.#items[0]) {
      this.#removeFirst()
      onTime(first.at)
      await first.run()
      done += 1
      if (done % together === 0) await yieldToEventLoop()
    }
  }

  #removeFirst(): void {
    const items = this.#items
    const moved = items.pop() as Item
    if (items.length === 0) return
    let place = 0
    for (;;) {
      const [left, right] = [items[2 * place + 1], items[2 * place + 2]]
      if (!left) break
      const isRight = right !== undefined && isBefore(right, left)
      const next = isRight ? right : left
      if (!isBefore(next, moved)) break
      items[place] = next
      place = 2 * place + (isRight ? 2 : 1)
    }
    items[place] = moved
  }
}
