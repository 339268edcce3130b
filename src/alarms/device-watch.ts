// Traps that are refused because there are too many devices are worth an alarm: one of them may be of a real device.

import type { AlarmEngine } from './engine.ts'
import { raiseOwn, recoverOwn } from './own-alarms.ts'

const resource = 'devices'
/** After this long without a refusal the alarm is over, also where the clock is set back meanwhile. */
const quiet = 10 * 60 * 1000

export class DeviceWatch {
  readonly #engine: AlarmEngine
  #seen = 0
  #last: number | undefined
  /** An earlier run of the service may have left its alarm open. */
  #mayBeOpen = true

  constructor(engine: AlarmEngine) {
    this.#engine = engine
  }

  async look(now: number): Promise<void> {
    this.#last ??= now
    const { turnedAway } = this.#engine
    if (turnedAway > this.#seen) {
      const text =
        'Traps of unknown senders are refused: there are as many devices as device-limit allows; the trap ledger counts them'
      await raiseOwn(this.#engine, 'devicesFull', resource, text)
      this.#seen = turnedAway
      this.#last = now
      this.#mayBeOpen = true
    } else if (this.#mayBeOpen && Math.abs(now - this.#last) >= quiet) {
      await recoverOwn(this.#engine, 'devicesFull', resource, 'No trap was refused for ten minutes')
      this.#mayBeOpen = false
    }
  }
}
