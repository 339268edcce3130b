// Runs reports that are due, and reports those that fail.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import type { Schedules } from '../../reports/schedules.ts'
import type { Database } from '../../store/database.ts'

const resourceOf = (id: bigint) => `schedule=${id}`

export class ReportWatch {
  readonly #engine: AlarmChanger
  readonly #database: Database
  readonly #schedules: Schedules

  constructor(engine: AlarmChanger, database: Database, schedules: Schedules) {
    this.#engine = engine
    this.#database = database
    this.#schedules = schedules
  }

  async check(isOver: () => boolean): Promise<void> {
    for (const { schedule, name, failure } of await this.#schedules.runDue(isOver)) {
      if (failure === undefined) continue
      const text = `The scheduled report "${name}" could not be made: ${failure}`
      await raiseServiceAlarm(this.#engine, 'reportFailed', resourceOf(schedule.id), text)
    }
    await this.#recover()
  }

  /** Also alarms of an earlier run, and of schedules that were deleted or have ended. */
  async #recover(): Promise<void> {
    const open = await openServiceAlarms(this.#database, 'reportFailed')
    if (open.size === 0) return
    const failing = new Set([...(await this.#schedules.failing())].map(resourceOf))
    for (const resource of open) {
      if (failing.has(resource)) continue
      const text = 'The scheduled report was made, or is no longer wanted'
      await recoverServiceAlarm(this.#engine, 'reportFailed', resource, text)
    }
  }
}
