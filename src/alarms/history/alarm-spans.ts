// When alarms were open: all that were at any moment of a period, each with its beginning and end.

import type { Database, SqlValue } from '../../store/database.ts'

export interface AlarmSpan {
  readonly id: bigint
  readonly deviceId: bigint
  readonly ifIndex: bigint | null
  readonly alarmLevel: number
  readonly alarmDesc: string
  readonly faultTime: number
  /** 0: it is open. */
  readonly recTime: number
}

interface SpanQuery {
  readonly from: number
  readonly until: number
  /** Of all devices, where none is named. */
  readonly deviceId?: bigint | undefined
  /** Of more, the oldest are left out. */
  readonly limit: number
}

const columns = 'id, device_id, if_index, alarm_level, alarm_desc, fault_time, rec_time'

/** Alarms that nobody was shown, and ends of faults, are not among them. The oldest come first. */
export async function readSpans(
  database: Database,
  { from, until, deviceId, limit }: SpanQuery,
): Promise<AlarmSpan[]> {
  const shown = `is_receover_fault = 0 and hidden = 0${deviceId === undefined ? '' : ' and device_id = ?'}`
  const of = deviceId === undefined ? [] : [deviceId]
  const read = (condition: string, times: readonly number[]) =>
    database.values(
      `select ${columns} from alarm where ${condition} and ${shown} order by fault_time desc, id desc limit ${limit}`,
      [...times, ...of] as SqlValue[],
      true,
    )
  // Each has an index of its own.
  const parts = [
    await read('fault_time >= ? and fault_time <= ?', [from, until]),
    await read('rec_status = 1 and rec_time >= ? and fault_time < ?', [from, from]),
    await read('rec_status = 0 and fault_time < ?', [from]),
  ]
  const spans = parts.flat().map(
    ([id, device, ifIndex, level, text, faultTime, recTime]): AlarmSpan => ({
      ...{ id: id as bigint, deviceId: device as bigint, ifIndex: ifIndex as bigint | null },
      ...{ alarmLevel: Number(level), alarmDesc: String(text ?? '') },
      ...{ faultTime: Number(faultTime), recTime: Number(recTime) },
    }),
  )
  return spans.sort((a, b) => a.faultTime - b.faultTime || Number(a.id - b.id)).slice(-limit)
}
