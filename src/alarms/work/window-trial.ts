// A dry run: what a maintenance window would have held back of the alarms that are kept.

import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { Maintenance } from '../../resources/alarms/maintenance.ts'
import { readViews } from '../../resources/inventory/custom-view.ts'
import { membersOf } from '../../resources/inventory/view-members.ts'
import { defaultZone, withZones } from '../../resources/inventory/zone.ts'
import { CompiledWindow, nextChange, type Subject } from '../../rules/maintenance-windows.ts'
import type { ZoneTime } from '../../rules/zone-time.ts'
import type { Database, Row } from '../../store/database.ts'

export interface WindowTrial {
  /** Kept alarms that were looked at, and those that it covers, at whatever time. */
  examined: number
  covered: number
  /** Raised while it would have been in force: of these some ended in it, and the others would have been pushed then. */
  suppressed: number
  silent: number
  released: number
  /** Open now, and covered: they would stay as they are. */
  open: number
  /** Those held back by level, and the first few. */
  readonly levels: Map<number, number>
  readonly examples: bigint[]
}

const chunkSize = 1000
const exampleLimit = 10

/** Each alarm is checked at its own time. Stops when the caller is gone. */
export async function tryWindow(
  database: Database,
  window: Maintenance,
  zone: ZoneTime,
  isGone: () => boolean,
): Promise<WindowTrial> {
  const views = membersOf(await readViews(database))
  const compiled = new CompiledWindow(window, zone, views)
  const trial: WindowTrial = {
    examined: 0,
    covered: 0,
    suppressed: 0,
    silent: 0,
    released: 0,
    open: 0,
    levels: new Map(),
    examples: [],
  }
  for (let last = 0n; !isGone(); ) {
    const rows = await database.readInBackground(
      `select id, oid, alarm_type, alarm_level, device_id, if_index, if_desc, fault_time, rec_time, rec_status
       from alarm where id > ? and is_receover_fault = 0 order by id limit ${chunkSize}`,
      [last],
    )
    const placed = await withZones({ all: (sql, values) => database.readInBackground(sql, values) }, rows)
    for (const row of placed) tryOn(trial, row, compiled, window, zone)
    if (rows.length < chunkSize) break
    last = rows.at(-1)?.id as bigint
    await letOthersRun()
  }
  return trial
}

function tryOn(
  trial: WindowTrial,
  row: Row,
  compiled: CompiledWindow,
  window: Maintenance,
  zone: ZoneTime,
): void {
  trial.examined += 1
  if (!compiled.covers(subjectOf(row))) return
  trial.covered += 1
  if (row.rec_status === 0n) trial.open += 1
  const at = Number(row.fault_time)
  if (!compiled.isInForce(at)) return
  trial.suppressed += 1
  const ends = nextChange(window, zone, at)
  if (row.rec_status === 1n && Number(row.rec_time) < ends) trial.silent += 1
  else trial.released += 1
  const level = Number(row.alarm_level)
  trial.levels.set(level, (trial.levels.get(level) ?? 0) + 1)
  if (trial.examples.length < exampleLimit) trial.examples.push(row.id as bigint)
}

/** An alarm of the store as windows see it: a row of the alarm and the zone of its device. */
export const subjectOf = (row: Row): Subject => ({
  deviceId: row.device_id as bigint,
  zoneId: (row.zone_id as bigint | null) ?? defaultZone,
  OID: String(row.oid),
  alarmType: String(row.alarm_type),
  ifIndex: row.if_index as bigint | null,
  ifDesc: row.if_desc as string | null,
})
