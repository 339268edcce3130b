// Messages as they come: the service is asked again and again for those of the last seconds, and each is taken once.

import type { Message } from './message-list.tsx'

export interface Followed {
  /** The newest first. */
  readonly messages: readonly Message[]
  /** How many have come in all. */
  readonly count: number
  /** Whether more came between two questions than the service lists at once. */
  readonly hasGap: boolean
}

/** As many as the service lists at once. */
const maxListed = 1000
const atFirst = 100
const maxKept = 500
/** Seconds that are asked for again: the clocks of nodes differ, and a message of this second may come after another. */
const overlap = 5

export const messageKey = ({ node, number, receivedTime }: Message) => `${node} ${number} ${receivedTime}`

/** In one second, by the number that a node gives. */
const newestFirst = (a: Message, b: Message): number =>
  Number(b.receivedTime) - Number(a.receivedTime) ||
  a.node.localeCompare(b.node) ||
  Number(b.number) - Number(a.number)

export class Tail {
  #messages: readonly Message[] = []
  #known: ReadonlySet<string> = new Set()
  #count = 0
  #hasGap = false
  /** The oldest of each node in the first answer, which had only some of those that had come. */
  #oldest: ReadonlyMap<string, Message> = new Map()

  /** What to ask for next. */
  get query(): Readonly<Record<string, number>> {
    const [newest] = this.#messages
    if (!newest) return { size: atFirst }
    return { size: maxListed, startTime: Number(newest.receivedTime) - overlap }
  }

  /** Takes the answer. */
  add(listed: readonly Message[]): Followed {
    const fresh = listed.filter(
      (message) => !this.#known.has(messageKey(message)) && !this.#isBefore(message),
    )
    const isFirst = this.#messages.length === 0
    if (isFirst && listed.length >= atFirst)
      this.#oldest = new Map(listed.toSorted(newestFirst).map((message) => [message.node, message]))
    const isWhole = isFirst || listed.length < maxListed
    this.#hasGap ||= !isWhole && fresh.length === listed.length
    // Older ones are not asked for any more.
    this.#known = new Set(listed.map(messageKey))
    this.#messages = [...fresh, ...this.#messages].sort(newestFirst).slice(0, maxKept)
    this.#count += fresh.length
    return { messages: this.#messages, count: this.#count, hasGap: this.#hasGap }
  }

  /** Whether it came before those with which the following began. */
  #isBefore(message: Message): boolean {
    const oldest = this.#oldest.get(message.node)
    return oldest !== undefined && newestFirst(oldest, message) < 0
  }
}
