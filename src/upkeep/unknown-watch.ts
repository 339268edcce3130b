// The alarms that stand for alarms of unknown events recover when there is room again.

import type { Raising } from '../alarms/engine.ts'
import { openOwn, recoverOwn } from '../alarms/own-alarms.ts'
import {
  deviceResource,
  overallResource,
  type UnknownLimits,
  unknownByDevice,
} from '../alarms/unknown-events.ts'
import type { Database } from '../store/database.ts'

export class UnknownWatch {
  readonly #engine: Raising
  readonly #database: Database
  readonly #limits: UnknownLimits

  constructor(engine: Raising, database: Database, limits: UnknownLimits) {
    this.#engine = engine
    this.#database = database
    this.#limits = limits
  }

  async look(): Promise<void> {
    const open = await openOwn(this.#database, 'unknownEvents')
    if (open.size === 0) return
    let all = 0
    const full = new Set<string>()
    for (const [device, count] of await unknownByDevice(this.#database)) {
      all += count
      if (count >= this.#limits.perDevice) full.add(deviceResource(device))
    }
    if (all >= this.#limits.overall) full.add(overallResource)
    for (const resource of open) {
      if (full.has(resource)) continue
      const text = `There is room again for alarms of events without a definition (${resource})`
      await recoverOwn(this.#engine, 'unknownEvents', resource, text)
    }
  }
}
