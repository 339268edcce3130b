// All open alarms, for a client that starts from nothing.

import { alarmXml } from '../alarms/log.ts'
import { factsOf } from '../alarms/pushed.ts'
import { type Alarm, type AlarmWords, alarms } from '../resources/alarm.ts'
import type { Database } from '../store/database.ts'
import type { Pushed } from './documents.ts'
import { type Filter, matches } from './filter.ts'

const chunkSize = 200

export async function* openAlarms(
  database: Database,
  words: AlarmWords,
  filter: Filter,
): AsyncGenerator<Pushed> {
  const { form } = alarms.table
  let last = 0n
  for (;;) {
    const rows = await database.all(
      `select ${form.names} from alarm where rec_status = 0 and id > ? order by id limit ?`,
      [last, chunkSize],
    )
    const records = rows.map((row) => form.toRecord(row) as Alarm)
    await words.fill(records)
    for (const record of records) {
      const { OID, deviceIp, pushed } = record
      // Its end will be judged in the same way: a client is shown no alarm of which it would not learn the end.
      if (!matches(filter, factsOf(pushed, OID, deviceIp ?? ''))) continue
      yield { xml: alarmXml(record), action: 'Push', clearedOids: [], position: undefined }
    }
    if (rows.length < chunkSize) return
    last = rows.at(-1)?.id as bigint
  }
}
