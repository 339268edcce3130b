// Runs reports that are due, and reports those that fail.

import type { Raising } from '../../alarms/engine/engine.ts'
import { openOwn, raiseOwn, recoverOwn } from '../../alarms/service/service-alarms.ts'
import type { Schedules } from '../../reports/schedules.ts'
import type { Database } from '../../store/database.ts'

const resourceOf = (id: bigint) => `schedule=${id}`

export class ReportWatch {
  readonly #engine: Raising
  readonly #database: Database
  readonly #schedules: Schedules

  constructor(engine: Raising, database: Database, schedules: Schedules) {
    this.#engine = engine
    this.#database = database
    this.#schedules = schedules
  }

  async check(isOver: () => boolean): Promise<void> {
    for (const { schedule, name, failure } of await this.#schedules.runDue(isOver)) {
      if (failure === undefined) continue
      const text = `The scheduled report "${name}" could not be made: ${failure}`
      await raiseOwn(this.#engine, 'reportFailed', resourceOf(schedule.id), text)
    }
    await this.#recover()
  }

  /** Also those of an earlier run of the service, and of schedules that are gone or were ended. */
  async #recover(): Promise<void> {
    const open = await openOwn(this.#database, 'reportFailed')
    if (open.size === 0) return
    const failing = new Set([...(await this.#schedules.failing())].map(resourceOf))
    for (const resource of open) {
      if (failing.has(resource)) continue
      const text = 'The scheduled report was made, or is no longer wanted'
      await recoverOwn(this.#engine, 'reportFailed', resource, text)
    }
  }
}
