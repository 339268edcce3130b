// Recovers alarms about storms. They are raised together with the first traps that are only counted.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import { openServiceAlarms, recoverServiceAlarm, stormingText } from '../../alarms/service/service-alarms.ts'
import type { Database } from '../../store/database.ts'

export class StormWatch {
  readonly #engine: AlarmChanger
  readonly #database: Database
  /** How long after the start an alarm of an earlier run stays open: the storm may still go on. */
  readonly #grace: number
  #seen = new Set<string>()
  #began: number | undefined

  constructor(engine: AlarmChanger, database: Database, seconds: number) {
    this.#engine = engine
    this.#database = database
    this.#grace = seconds * 1000
  }

  /** Called about once a second; `storming` returns the current storms. */
  async check(storming: () => readonly string[], now: number): Promise<void> {
    this.#began ??= now
    const inGrace = Math.abs(now - this.#began) < this.#grace
    // Read in this order: an alarm that is open by now belongs to a current storm, or its storm is over.
    const open = await openServiceAlarms(this.#database, 'trapStorm')
    const storms = storming()
    for (const storm of open) {
      if (storms.includes(storm) || (inGrace && !this.#seen.has(storm))) continue
      await recoverServiceAlarm(this.#engine, 'trapStorm', storm, stormingText(storm, 'no longer too many'))
    }
    this.#seen = new Set(storms)
  }
}
