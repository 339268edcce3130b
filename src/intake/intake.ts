// Between the socket and the hand-over, before anything is decoded: every source has a queue of its own, and datagrams
// of one that storms are counted rather than kept, and so is an inform that waits already. Every datagram is handed over
// or in a tally.

import type { Datagram } from './datagram-block.ts'
import { PendingInforms } from './pending-informs.ts'
import { SenderQueues } from './sender-queues.ts'
import { Sources, type Tally } from './source.ts'
import { StormGuard, type StormSettings } from './storm-guard.ts'

export interface Report {
  readonly tallies: readonly Tally[]
  /** What storms now; empty: earlier storms are over. */
  readonly storms: readonly string[]
}

const waitingLimit = 64 * 1024 * 1024

export class Intake {
  readonly #sources: Sources
  readonly #waiting: SenderQueues
  readonly #guard: StormGuard
  readonly #unanswered: PendingInforms
  /** How many blocks were handed over. */
  #blocks = 0
  #reported: readonly string[] = []

  /** Times are of a steady clock, in milliseconds. */
  constructor(
    settings: StormSettings,
    now: number,
    limits: { sources?: number; bytes?: number; informs?: number } = {},
  ) {
    this.#sources = new Sources(limits.sources)
    this.#unanswered = new PendingInforms(limits.informs)
    const { bytes = waitingLimit } = limits
    this.#waiting = new SenderQueues(this.#sources, bytes, (dropped) => this.#unanswered.drop(dropped))
    this.#guard = new StormGuard(settings, this.#sources, now)
  }

  get isEmpty(): boolean {
    return this.#waiting.isEmpty
  }

  /** For measuring memory. */
  get kept(): { readonly sources: number; readonly bytes: number } {
    return { sources: this.#sources.size, bytes: this.#waiting.bytes }
  }

  add(datagram: Datagram, now: number): void {
    const source = this.#sources.find(datagram.sourceIp, now)
    const { receivedAt } = datagram
    if (!this.#guard.admits(source, now)) source.count('storm', this.#guard.about(source), receivedAt)
    else if (this.#unanswered.waits(datagram)) source.count('duplicate', undefined, receivedAt)
    else this.#waiting.add(source, datagram, now)
  }

  /** The next block. */
  take(limit: number, now: number): Datagram[] {
    const datagrams = this.#waiting.take(limit, now)
    this.#blocks += 1
    this.#unanswered.handOver(datagrams, this.#blocks)
    return datagrams
  }

  /** So many blocks are processed, by their order; of these nothing waits any more. */
  processed(blocks: number): void {
    this.#unanswered.processed(blocks)
  }

  tick(now: number): void {
    this.#guard.tick(now)
    this.#sources.forgetSilent(now)
  }

  /** What there is to report since the last time; undefined where that is nothing. */
  report(): Report | undefined {
    const tallies = Array.from(this.#sources, (source) => source.takeTallies()).flat()
    const storms = this.#guard.storms()
    const same =
      storms.length === this.#reported.length && storms.every((one) => this.#reported.includes(one))
    if (tallies.length === 0 && same) return undefined
    this.#reported = storms
    return { tallies, storms }
  }
}
