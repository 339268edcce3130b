// Watches what the kernel does to the trap socket, and says so as an alarm that recovers by itself.

import type { AlarmEngine } from './engine.ts'
import { raiseOwn, recoverOwn } from './own-alarms.ts'

const resource = 'trap socket'
/** Seconds without a drop after which the alarm is over. */
const quiet = 10

export class DropWatch {
  readonly #engine: AlarmEngine
  #last: number
  #began = 0
  #lost = 0
  #lastDrop = 0

  constructor(engine: AlarmEngine, drops: number) {
    this.#engine = engine
    this.#last = drops
  }

  /** Called about once a second with the kernel's count. */
  async look(drops: number, now: number): Promise<void> {
    const fresh = drops - this.#last
    this.#last = drops
    if (fresh > 0) {
      if (this.#lost === 0) this.#began = now
      this.#lost += fresh
      this.#lastDrop = now
      const seconds = Math.max(1, Math.round((now - this.#began) / 1000))
      const text = `${this.#lost.toLocaleString('en')} traps lost in ${seconds} s: they came faster than they were read`
      await raiseOwn(this.#engine, 'trapsLost', resource, text)
    } else if (this.#lost > 0 && now - this.#lastDrop >= quiet * 1000) {
      const text = `No trap lost for ${quiet} s; ${this.#lost.toLocaleString('en')} were lost in all`
      this.#lost = 0
      await recoverOwn(this.#engine, 'trapsLost', resource, text)
    }
  }
}
