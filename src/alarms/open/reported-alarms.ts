// Open alarms that devices have reported, for the code that asks the devices whether these faults still exist.

import { serviceEvents } from '../../events/service-events.ts'
import { type Alarm, foundByAsking, fromSyslog, fromTrap } from '../../resources/alarms/alarm.ts'
import type { Reader, Row } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import { type Identity, systemUser } from '../engine/alarm-draft.ts'

export interface ReportedAlarm {
  readonly id: bigint
  readonly alarmType: string
  readonly resource: string
  /** The name of the port that it is about; empty where it is about none. */
  readonly portName: string
  readonly lastTime: number
  /** Found by asking and not reported since: its name is what the device said, and not what was known of the index before. */
  readonly isFound?: boolean
}

/** Those of programs and of the service itself are not reported by the device. */
const byDevice = `(original_type in (${fromTrap}, ${fromSyslog}) or reason = '${foundByAsking}')`

/** The same of one alarm. */
export const isByDevice = ({ originalType, reason }: Pick<Alarm, 'originalType' | 'reason'>): boolean =>
  originalType === fromTrap || originalType === fromSyslog || reason === foundByAsking

/** In the order of their ids. */
export async function reportedAlarms(
  reader: Reader,
  deviceId: bigint,
  limit: number,
): Promise<ReportedAlarm[]> {
  const rows = await reader.all(
    `select id, alarm_type, resource, if_desc, fault_time, last_time, reason from alarm where device_id = ? and rec_status = 0 and ${byDevice} order by id limit ${limit}`,
    [deviceId],
  )
  return rows.map(reportedFrom)
}

const reportedFrom = (row: Row): ReportedAlarm => ({
  id: row.id as bigint,
  alarmType: String(row.alarm_type),
  resource: String(row.resource),
  portName: String(row.if_desc ?? ''),
  lastTime: Number(row.last_time),
  isFound: row.reason === foundByAsking && row.fault_time === row.last_time,
})

/** An alarm that is over. */
export interface EndedAlarm extends ReportedAlarm {
  /** Whether a person has ended it, and no report or answer of the device. */
  readonly isByHand: boolean
}

/** Those of a device that have ended since a time, the last one first. */
export async function endedAlarms(
  reader: Reader,
  deviceId: bigint,
  since: number,
  limit: number,
): Promise<EndedAlarm[]> {
  const rows = await reader.all(
    `select id, alarm_type, resource, if_desc, last_time, rec_user_name from alarm where device_id = ? and rec_status = 1 and is_receover_fault = 0 and rec_time >= ? order by rec_time desc, id desc limit ${limit}`,
    [deviceId, since],
  )
  return rows.map((row) => ({ ...reportedFrom(row), isByHand: row.rec_user_name !== systemUser }))
}

/** Whether an alarm of this identity has ended since a time: then there is a later report than that. */
export async function hasEndedSince(
  reader: Reader,
  { deviceId, resource, alarmType }: Identity,
  since: number,
): Promise<boolean> {
  const rows = await reader.all(
    'select id from alarm where device_id = ? and resource = ? and alarm_type = ? and rec_status = 1 and is_receover_fault = 0 and rec_time >= ? limit 1',
    [deviceId, resource, alarmType, since],
  )
  return rows.length > 0
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
