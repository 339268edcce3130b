// Watches what the kernel does to the trap socket, and says so as an alarm that recovers by itself.

import type { AlarmEngine } from './engine.ts'
import { raiseOwn, recoverOwn } from './own-alarms.ts'

const resource = 'trap socket'
/** Seconds without a drop after which the alarm is over, also where the clock is set back meanwhile. */
const quiet = 10

export class DropWatch {
  readonly #engine: AlarmEngine
  /** The count up to which drops have been told: what could not be stored is told at the next look. */
  #told: number
  #storm: { readonly before: number; readonly began: number } | undefined
  #lastDrop: number | undefined
  /** An earlier run of the service may have left its alarm open. */
  #mayBeOpen = true

  constructor(engine: AlarmEngine, drops: number) {
    this.#engine = engine
    this.#told = drops
  }

  /** Called about once a second with the kernel's count. */
  async look(drops: number, now: number): Promise<void> {
    this.#lastDrop ??= now
    if (drops > this.#told) {
      this.#storm ??= { before: this.#told, began: now }
      const lost = (drops - this.#storm.before).toLocaleString('en')
      const seconds = Math.max(1, Math.round((now - this.#storm.began) / 1000))
      const text = `${lost} traps lost in ${seconds} s: they came faster than they were read`
      await raiseOwn(this.#engine, 'trapsLost', resource, text)
      this.#told = drops
      this.#lastDrop = now
      this.#mayBeOpen = true
    } else if (this.#mayBeOpen && Math.abs(now - this.#lastDrop) >= quiet * 1000) {
      const lost = this.#storm && (drops - this.#storm.before).toLocaleString('en')
      const text = `No trap lost for ${quiet} s${lost ? `; ${lost} were lost in all` : ''}`
      await recoverOwn(this.#engine, 'trapsLost', resource, text)
      this.#storm = undefined
      this.#mayBeOpen = false
    }
  }
}
