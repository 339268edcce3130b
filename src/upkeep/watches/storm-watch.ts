// The alarms about storms. They are raised with the first traps that are only counted, and recover by themselves.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import { stormingText } from '../../alarms/service/service-alarm-draft.ts'
import { openServiceAlarms, recoverServiceAlarm } from '../../alarms/service/service-alarms.ts'
import type { Database } from '../../store/database.ts'

export class StormWatch {
  readonly #engine: AlarmChanger
  readonly #database: Database
  /** How long after the start an alarm of an earlier run stays open: its source may still storm. */
  readonly #grace: number
  #seen = new Set<string>()
  #began: number | undefined

  constructor(engine: AlarmChanger, database: Database, seconds: number) {
    this.#engine = engine
    this.#database = database
    this.#grace = seconds * 1000
  }

  /** Called about once a second; `storming` returns what storms now. */
  async check(storming: () => readonly string[], now: number): Promise<void> {
    this.#began ??= now
    const inGrace = Math.abs(now - this.#began) < this.#grace
    // Read in this order: what is open by now is among what storms, or is over.
    const open = await openServiceAlarms(this.#database, 'trapStorm')
    const storms = storming()
    for (const storm of open) {
      if (storms.includes(storm) || (inGrace && !this.#seen.has(storm))) continue
      await recoverServiceAlarm(
        this.#engine,
        'trapStorm',
        storm,
        `${stormingText(storm)} no longer too many traps`,
      )
    }
    this.#seen = new Set(storms)
  }
}
