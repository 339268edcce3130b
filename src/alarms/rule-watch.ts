// A rule that filters very much is worth an alarm: it may hide more than its author meant.

import type { Database } from '../store/database.ts'
import type { AlarmEngine } from './engine.ts'
import { raiseOwn, recoverOwn } from './own-alarms.ts'

interface Watched {
  /** The count when the rule was last quiet. */
  base: bigint
  alarmed: boolean
}

/** After this long without a hit a rule is quiet, and its alarm over. */
const quiet = 10 * 60 * 1000

export class RuleWatch {
  readonly #engine: AlarmEngine
  readonly #database: Database
  readonly #threshold: bigint
  readonly #watched = new Map<bigint, Watched>()

  constructor(engine: AlarmEngine, database: Database, threshold: number) {
    this.#engine = engine
    this.#database = database
    this.#threshold = BigInt(threshold)
  }

  async look(now: number): Promise<void> {
    const rows = await this.#database.all('select rule_id, hits, last_hit from trap_rule_hit')
    for (const row of rows) {
      const rule = row.rule_id as bigint
      const hits = row.hits as bigint
      const known = this.#watched.get(rule) ?? { base: hits, alarmed: false }
      this.#watched.set(rule, known)
      if (now - Number(row.last_hit) >= quiet) await this.#calm(rule, known, hits)
      else if (!known.alarmed && hits - known.base >= this.#threshold) {
        known.alarmed = true
        const text = `Trap rule ${rule} has filtered ${hits - known.base} traps since it was last quiet`
        await raiseOwn(this.#engine, 'ruleBusy', `rule=${rule}`, text)
      }
    }
  }

  async #calm(rule: bigint, known: Watched, hits: bigint): Promise<void> {
    known.base = hits
    if (!known.alarmed) return
    known.alarmed = false
    await recoverOwn(
      this.#engine,
      'ruleBusy',
      `rule=${rule}`,
      `Trap rule ${rule} has filtered nothing for ten minutes`,
    )
  }
}
