// Runs a maintenance window on the stored alarms without changing anything, and counts what it would have suppressed.

import { chunksOf } from '../../pacing/time-slice.ts'
import type { Maintenance } from '../../resources/alarms/maintenance.ts'
import { membersOf, readViews } from '../../resources/inventory/custom-view.ts'
import { defaultZone, withZones } from '../../resources/inventory/zone.ts'
import { CompiledWindow, nextChange, type Subject } from '../../rules/maintenance-windows.ts'
import type { ZoneTime } from '../../rules/zone-time.ts'
import type { Database, Reader, Row } from '../../store/database.ts'

export interface WindowDryRun {
  /** Stored alarms that were examined, and those that the window covers, at any time. */
  examined: number
  covered: number
  /** Raised while it would have been in force. `silent`: of these, ended within it; `released`: pushed at its end. */
  suppressed: number
  silent: number
  released: number
  /** Covered alarms that are open now; they would stay as they are. */
  open: number
  /** The suppressed alarms by level, and the first few of them. */
  readonly levels: Map<number, number>
  readonly examples: bigint[]
}

const chunkSize = 1000
const exampleLimit = 10

/** Checks each alarm at the time it was raised. Stops when the caller has disconnected. */
export async function dryRunWindow(
  database: Database,
  window: Maintenance,
  zone: ZoneTime,
  isGone: () => boolean,
): Promise<WindowDryRun> {
  const views = membersOf(await readViews(database))
  const compiled = new CompiledWindow(window, zone, views)
  const result: WindowDryRun = {
    examined: 0,
    covered: 0,
    suppressed: 0,
    silent: 0,
    released: 0,
    open: 0,
    levels: new Map(),
    examples: [],
  }
  const inBackground: Reader = { all: (sql, values) => database.readInBackground(sql, values) }
  const read = (last?: Row) =>
    inBackground.all(
      `select id, oid, alarm_type, alarm_level, device_id, if_index, if_desc, fault_time, rec_time, rec_status
       from alarm where id > ? and is_receover_fault = 0 order by id limit ${chunkSize}`,
      [last?.id ?? 0n],
    )
  for await (const rows of chunksOf(chunkSize, isGone, read)) {
    for (const row of await withZones(inBackground, rows)) examine(result, row, compiled, window, zone)
  }
  return result
}

function examine(
  result: WindowDryRun,
  row: Row,
  compiled: CompiledWindow,
  window: Maintenance,
  zone: ZoneTime,
): void {
  result.examined += 1
  if (!compiled.covers(subjectOf(row))) return
  result.covered += 1
  if (row.rec_status === 0n) result.open += 1
  const at = Number(row.fault_time)
  if (!compiled.isInForce(at)) return
  result.suppressed += 1
  const ends = nextChange(window, zone, at)
  if (row.rec_status === 1n && Number(row.rec_time) < ends) result.silent += 1
  else result.released += 1
  const level = Number(row.alarm_level)
  result.levels.set(level, (result.levels.get(level) ?? 0) + 1)
  if (result.examples.length < exampleLimit) result.examples.push(row.id as bigint)
}

/** The fields of a stored alarm that windows match; `row` includes the zone of the device. */
export const subjectOf = (row: Row): Subject => ({
  deviceId: row.device_id as bigint,
  zoneId: (row.zone_id as bigint | null) ?? defaultZone,
  OID: String(row.oid),
  alarmType: String(row.alarm_type),
  ifIndex: row.if_index as bigint | null,
  ifDesc: row.if_desc as string | null,
})
