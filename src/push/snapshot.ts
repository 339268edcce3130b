// All open alarms, for a client that starts from nothing.

import { alarmXml } from '../alarms/log.ts'
import { type Alarm, type AlarmWords, alarms } from '../resources/alarm.ts'
import type { Database } from '../store/database.ts'
import type { Pushed } from './documents.ts'
import { type Filter, matches, type Views } from './filter.ts'

const chunkSize = 200

export async function* openAlarms(
  database: Database,
  words: AlarmWords,
  filter: Filter,
  views: Views,
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
      const { OID, alarmLevel } = record
      const facts = {
        OID,
        alarmLevel,
        deviceId: record.deviceId ?? 0n,
        deviceIp: record.deviceIp ?? '',
        cleared: [],
      }
      if (!matches(filter, facts, views)) continue
      yield { xml: alarmXml(record), action: 'Push', clearedOids: [], position: undefined }
    }
    if (rows.length < chunkSize) return
    last = rows.at(-1)?.id as bigint
  }
}
