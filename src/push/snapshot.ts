// All open alarms, for a client that starts from nothing.

import { alarmXml } from '../alarms/log.ts'
import { factsOf } from '../alarms/pushed.ts'
import { type Alarm, type AlarmWords, alarms } from '../resources/alarm.ts'
import type { Database } from '../store/database.ts'
import type { Pushed } from './documents.ts'
import { type Filter, matches } from './filter.ts'

const chunkSize = 100

/** The open alarms that pass a filter, some at a time; perhaps none, where none of those looked at does. */
export async function* openAlarms(
  database: Database,
  words: AlarmWords,
  filter: Filter,
): AsyncGenerator<Pushed[]> {
  const { form } = alarms.table
  let last = 0n
  for (;;) {
    const rows = await database.all(
      `select ${form.names} from alarm where rec_status = 0 and hidden = 0 and id > ? order by id limit ?`,
      [last, chunkSize],
    )
    // Its end will be matched in the same way: a client is shown no alarm of which it would not learn the end.
    const records = rows
      .map((row) => form.toRecord(row) as Alarm)
      .filter(({ OID, deviceIp, pushed }) => matches(filter, factsOf(pushed, OID, deviceIp ?? '')))
    await words.fill(records)
    yield records.map((record) => ({
      xml: alarmXml(record),
      action: 'Push',
      clearedOids: [],
      position: undefined,
    }))
    if (rows.length < chunkSize) return
    last = rows.at(-1)?.id as bigint
  }
}
