// Recovers the alarms that represent others beyond the limit of open alarms, once there is room again.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  type OpenLimits,
  openOfDevice,
  openOverall,
  unknownByDevice,
} from '../../alarms/limits/open-limits.ts'
import {
  deviceResource,
  openServiceAlarms,
  overallResource,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import type { Database } from '../../store/database.ts'

export class LimitWatch {
  readonly #engine: AlarmChanger
  readonly #database: Database
  readonly #unknown: OpenLimits
  readonly #open: OpenLimits

  constructor(
    engine: AlarmChanger,
    database: Database,
    { unknownAlarms, openAlarms }: { readonly unknownAlarms: OpenLimits; readonly openAlarms: OpenLimits },
  ) {
    this.#engine = engine
    this.#database = database
    this.#unknown = unknownAlarms
    this.#open = openAlarms
  }

  async check(): Promise<void> {
    await this.#lookAtUnknown()
    await this.#lookAtOpen()
  }

  async #lookAtUnknown(): Promise<void> {
    const open = await openServiceAlarms(this.#database, 'unknownEvents')
    if (open.size === 0) return
    let total = 0
    const full = new Set<string>()
    for (const [device, count] of await unknownByDevice(this.#database)) {
      total += count
      if (count >= this.#unknown.perDevice) full.add(deviceResource(device))
    }
    if (total >= this.#unknown.overall) full.add(overallResource)
    for (const resource of open) {
      if (full.has(resource)) continue
      const text = `There is room again for alarms of events without a definition (${resource})`
      await recoverServiceAlarm(this.#engine, 'unknownEvents', resource, text)
    }
  }

  async #lookAtOpen(): Promise<void> {
    for (const resource of await openServiceAlarms(this.#database, 'alarmsFull')) {
      const isFull =
        resource === overallResource
          ? (await openOverall(this.#database)) >= this.#open.overall
          : (await openOfDevice(this.#database, BigInt(resource.split('=')[1] ?? 0))) >= this.#open.perDevice
      if (isFull) continue
      const text = `There is room again for alarms (${resource})`
      await recoverServiceAlarm(this.#engine, 'alarmsFull', resource, text)
    }
  }
}
