// Open alarms that devices have reported, for those who ask the devices whether they are still so.

import { serviceEvents } from '../../events/service-events.ts'
import { fromSyslog, fromTrap } from '../../resources/alarms/alarm.ts'
import type { Reader } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'

export interface ReportedAlarm {
  readonly id: bigint
  readonly alarmType: string
  readonly resource: string
  /** The name of the port that it is about; empty where it is about none. */
  readonly portName: string
  readonly lastTime: number
}

/** Those of programs and of the service itself are not reported by the device. */
const origins = `${fromTrap}, ${fromSyslog}`

/** In the order of their ids. */
export async function reportedAlarms(
  reader: Reader,
  deviceId: bigint,
  limit: number,
): Promise<ReportedAlarm[]> {
  const rows = await reader.all(
    `select id, alarm_type, resource, if_desc, last_time from alarm where device_id = ? and rec_status = 0 and original_type in (${origins}) order by id limit ${limit}`,
    [deviceId],
  )
  return rows.map((row) => ({
    id: row.id as bigint,
    alarmType: String(row.alarm_type),
    resource: String(row.resource),
    portName: String(row.if_desc ?? ''),
    lastTime: Number(row.last_time),
  }))
}

/** Those of these devices that have open alarms. */
export async function devicesWithAlarms(
  reader: Reader,
  ids: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const rows = await allWithValues(
    reader,
    ids,
    (marks) => `select distinct device_id from alarm where device_id in (${marks}) and rec_status = 0`,
  )
  return new Set(rows.map((row) => row.device_id as bigint))
}

/** Those of these alarms that are open. */
export async function openAmong(reader: Reader, ids: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const rows = await allWithValues(
    reader,
    ids,
    (marks) => `select id from alarm where id in (${marks}) and rec_status = 0`,
  )
  return new Set(rows.map((row) => row.id as bigint))
}

/** Alarms of the service after which reports of devices may be missing. */
const gapTypes = (['trapsLost', 'trapStorm', 'nodeGone', 'storeRestored', 'datagramsAside'] as const).map(
  (name) => `'${serviceEvents[name].eventOid}'`,
)

/** When the last of these was over: from then on devices can be asked what was missed. 0: there was none. */
export async function lastGap(reader: Reader): Promise<number> {
  const rows = await reader.all(
    `select max(rec_time) as ended from alarm where device_id < 1 and rec_status = 1 and alarm_type in (${gapTypes.join(', ')})`,
  )
  return Number(rows[0]?.ended ?? 0)
}
