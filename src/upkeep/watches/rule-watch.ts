// Raises an alarm about a rule that filters very many traps: it may hide more than its author intended.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import { readHits } from '../../resources/alarms/hits.ts'
import type { Database } from '../../store/database.ts'

/** After this long without a match a rule is quiet, and its alarm ends, even if the clock is set back meanwhile. */
const quiet = 10 * 60 * 1000

export class RuleWatch {
  readonly #engine: AlarmChanger
  readonly #database: Database
  readonly #threshold: bigint
  /** The count of each rule when it was last quiet. */
  readonly #quietAt = new Map<bigint, bigint>()
  /** Traps that were filtered before the first check may be old. */
  #hasChecked = false

  constructor(engine: AlarmChanger, database: Database, threshold: number) {
    this.#engine = engine
    this.#database = database
    this.#threshold = BigInt(threshold)
  }

  async check(now: number): Promise<void> {
    const open = await openServiceAlarms(this.#database, 'ruleBusy')
    for (const [rule, { hits, lastHit }] of await readHits(this.#database, 'rule')) {
      const resource = `rule=${rule}`
      if (Math.abs(now - lastHit) >= quiet) {
        this.#quietAt.set(rule, hits)
        continue
      }
      const before = this.#quietAt.get(rule) ?? (this.#hasChecked ? 0n : hits)
      this.#quietAt.set(rule, before)
      const filtered = hits - before
      if (filtered >= this.#threshold && !open.has(resource)) {
        const text = `Trap rule ${rule} has filtered ${filtered} traps since it was last quiet`
        await raiseServiceAlarm(this.#engine, 'ruleBusy', resource, text)
      }
      open.delete(resource)
    }
    this.#hasChecked = true
    // Rules that are quiet now, or were deleted.
    for (const resource of open) {
      const text = `Trap rule ${resource.slice('rule='.length)} has filtered nothing for ten minutes, or is gone`
      await recoverServiceAlarm(this.#engine, 'ruleBusy', resource, text)
    }
  }
}
