// Adds up how devices answer, by half hours: in memory, one row per device and half hour. A half hour is complete when its
// device is asked for the first time after it, so that the rows of many devices are not written at once.

import { halfHour, type MeasuredHalfHour } from '../../resources/inventory/reach-days.ts'

/** What came of one question. `micros`: the round trip where it was measured. */
export type Outcome = { readonly micros: number | undefined } | 'unanswered' | 'unsent'

interface Stretch {
  slot: number
  answers: number
  losses: number
  /** Milliseconds. */
  answering: number
  silent: number
  trips: number
  tripSum: number
  tripMax: number
}

interface Entry {
  now: Stretch
  /** Since when it is measured by this process. */
  readonly since: number
  /** Whether its first figures, which come early, were given away. */
  hasBegun: boolean
  last: { readonly time: number; readonly isAnswered: boolean } | undefined
}

/** A device that is new has figures after this time. */
const early = 60_000
/** Rows that wait for being written; where the store is away for long, the oldest are lost. */
const maxWaiting = 300_000
/** What was found out by a question holds for so many intervals: one that stays silent is asked each eighth time. */
const validFor = 10

export class ReachMeter {
  readonly #entries = new Map<bigint, Entry>()
  readonly #longest: number
  #complete: MeasuredHalfHour[] = []

  constructor(interval: number) {
    this.#longest = interval * validFor
  }

  /** `time`: that of the store, in milliseconds. */
  note(deviceId: bigint, outcome: Outcome, time: number): void {
    const entry = this.#entries.get(deviceId) ?? {
      ...{ now: emptyStretch(slotOf(time)), since: time, hasBegun: false, last: undefined },
    }
    this.#entries.set(deviceId, entry)
    this.#addTime(deviceId, entry, time)
    // Also where no time was measured, or the clock went back.
    this.#moveTo(deviceId, entry, slotOf(time))
    if (outcome === 'unsent') {
      entry.last = undefined
      return
    }
    const { now } = entry
    const isAnswered = outcome !== 'unanswered'
    entry.last = { time, isAnswered }
    if (isAnswered) {
      now.answers += 1
      if (outcome.micros !== undefined) {
        now.trips += 1
        now.tripSum += outcome.micros
        now.tripMax = Math.max(now.tripMax, outcome.micros)
      }
    } else now.losses += 1
    if (!entry.hasBegun && time - entry.since >= early) {
      entry.hasBegun = true
      this.#give(deviceId, entry.now)
      entry.now = emptyStretch(entry.now.slot)
    }
  }

  /** What is known of a device that is no longer asked here. */
  drop(deviceId: bigint): void {
    const entry = this.#entries.get(deviceId)
    if (entry) this.#give(deviceId, entry.now)
    this.#entries.delete(deviceId)
  }

  dropAll(): void {
    for (const id of [...this.#entries.keys()]) this.drop(id)
  }

  /** Some that have to be written. */
  take(most: number): MeasuredHalfHour[] {
    return this.#complete.splice(0, most)
  }

  /** They could not be written. */
  putBack(rows: readonly MeasuredHalfHour[]): void {
    this.#complete = [...rows, ...this.#complete].slice(-maxWaiting)
  }

  /** The time since the last question belongs to what that one found out. */
  #addTime(deviceId: bigint, entry: Entry, time: number): void {
    const { last } = entry
    if (!last || time - last.time > this.#longest) return
    for (let at = last.time; at < time; ) {
      const slot = slotOf(at)
      this.#moveTo(deviceId, entry, slot)
      const until = Math.min(time, (slot + 1) * halfHour)
      entry.now[last.isAnswered ? 'answering' : 'silent'] += until - at
      at = until
    }
  }

  #moveTo(deviceId: bigint, entry: Entry, slot: number): void {
    if (entry.now.slot === slot) return
    this.#give(deviceId, entry.now)
    entry.now = emptyStretch(slot)
  }

  #give(deviceId: bigint, { answering, silent, ...rest }: Stretch): void {
    if (rest.answers + rest.losses + answering + silent === 0) return
    if (this.#complete.length >= maxWaiting) this.#complete.shift()
    const seconds = { answering: Math.round(answering / 1000), silent: Math.round(silent / 1000) }
    this.#complete.push({ deviceId, ...rest, ...seconds })
  }
}

const slotOf = (time: number) => Math.floor(time / halfHour)

const emptyStretch = (slot: number): Stretch => ({
  ...{ slot, answers: 0, losses: 0, answering: 0, silent: 0 },
  ...{ trips: 0, tripSum: 0, tripMax: 0 },
})
