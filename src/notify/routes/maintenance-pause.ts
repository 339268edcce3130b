// A maintenance window that begins while people are being called: until it ends, nobody else is called. An alarm that was
// open before the window is not suppressed by it, because programs have received it (decision 33); people have peace.

import { Suppression } from '../../alarms/suppression/suppression.ts'
import { type Alarm, alarms } from '../../resources/alarms/alarm.ts'
import { defaultZone, zonesOfEach } from '../../resources/inventory/zone.ts'
import { ZoneTime } from '../../rules/zone-time.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { findEach } from '../../store/table.ts'
import { isGroup } from './group-changes.ts'
import type { Incident } from './incident.ts'

/** How long until it is checked again: windows are changed and ended early. */
export const pauseCheck = 60_000
const chunkSize = 200

export class MaintenancePause {
  readonly #suppression: Suppression

  constructor(database: Database, timeZone: string) {
    this.#suppression = new Suppression(database, new ZoneTime(timeZone))
  }

  /** Called at the beginning of a transaction. */
  refresh(tx: Transaction): Promise<void> {
    return this.#suppression.refresh(tx)
  }

  /** The windows that cover what an incident is about, of a storm all of its alarms; undefined where none does. */
  async covering(tx: Transaction, incident: Incident): Promise<string | undefined> {
    if (!this.#suppression.isAnyInForce) return undefined
    if (!isGroup(incident)) return (await this.#windowsOf(tx, [incident.alarmId])).join(', ') || undefined
    const found = new Set<string>()
    for (let last = 0n; ; ) {
      const rows = await tx.all(
        `select alarm_id from notify_member where incident_id = ? and alarm_id > ? order by alarm_id limit ${chunkSize}`,
        [incident.id, last],
      )
      const ids = rows.map((row) => row.alarm_id as bigint)
      if (ids.length === 0) break
      const windows = await this.#windowsOf(tx, ids)
      if (windows.length === 0) return undefined
      for (const one of windows) found.add(one)
      last = ids.at(-1) ?? last
    }
    return [...found].join(', ') || undefined
  }

  /** The windows that cover these alarms together; none where one of them is not covered. */
  async #windowsOf(tx: Transaction, ids: readonly bigint[]): Promise<string[]> {
    const found = (await findEach(tx, alarms.table, ids)) as Alarm[]
    const zones = await zonesOfEach(tx, new Set(found.map(({ deviceId }) => deviceId ?? 0n)))
    const windows = new Set<string>()
    for (const { OID, alarmType, ifIndex, ifDesc, ...alarm } of found) {
      const deviceId = alarm.deviceId ?? 0n
      const zoneId = zones.get(deviceId) ?? defaultZone
      const covering = this.#suppression.windowsCovering({
        deviceId,
        zoneId,
        OID,
        alarmType,
        ifIndex,
        ifDesc,
      })
      if (covering.length === 0) return []
      for (const one of covering) windows.add(one)
    }
    return [...windows]
  }
}
