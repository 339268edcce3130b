// Alarms read in order, in pages: open ones for a client that starts from nothing, ended ones for retention.

import { type Alarm, alarms } from '../../resources/alarms/alarm.ts'
import type { Reader, Row } from '../../store/database.ts'

/** Open alarms behind an id that were pushed, in the order of ids. */
export async function openAfter(reader: Reader, id: bigint, limit: number): Promise<Alarm[]> {
  const { form } = alarms.table
  const rows = await reader.all(
    `select ${form.names} from alarm where rec_status = 0 and hidden = 0 and id > ? order by id limit ?`,
    [id, limit],
  )
  return rows.map((row) => form.toRecord(row) as Alarm)
}

/** Rows of recovered alarms, those that ended first, each with the value of `measure`, a column or a sum of columns. */
export function endedFirst(reader: Reader, measure: string, limit: number): Promise<Row[]> {
  const { form } = alarms.table
  return reader.all(
    `select ${form.names}, ${measure} from alarm where rec_status = 1 order by rec_time, id limit ?`,
    [limit],
  )
}

/** Whether any alarm is hidden from programs of the iMC interface. */
export async function hasHidden(reader: Reader): Promise<boolean> {
  const [hidden] = await reader.all('select id from alarm where hidden = 1 limit 1')
  return hidden !== undefined
}
