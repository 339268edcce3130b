// Reads all open alarms for a client that starts without a position.

import { alarmXml, operatorFieldsXml } from '../alarms/log/alarm-log.ts'
import { attributesOf } from '../alarms/log/push-attributes.ts'
import { readOpenAfter } from '../alarms/open/open-alarms.ts'
import type { AlarmTexts } from '../resources/alarms/alarm.ts'
import type { Database } from '../store/database.ts'
import type { Pushed } from './stream-documents.ts'
import { type Filter, matches } from './stream-filter.ts'

const chunkSize = 100

/** The open alarms that pass a filter, in chunks; a chunk may be empty. */
export async function* openAlarms(
  database: Database,
  alarmTexts: AlarmTexts,
  filter: Filter,
): AsyncGenerator<Pushed[]> {
  let last = 0n
  for (;;) {
    const open = await readOpenAfter(database, last, chunkSize)
    // Matched like its recovery will be: no client sees an alarm whose recovery it would not receive.
    const records = open.filter(({ OID, deviceIp, pushed }) =>
      matches(filter, attributesOf(pushed, OID, deviceIp ?? '')),
    )
    await alarmTexts.fill(records)
    yield records.map((record) => ({
      xml: alarmXml(record),
      action: 'Push',
      clearedOids: [],
      position: undefined,
      // A client that follows operator changes begins with those made before.
      ...(filter.changes && { more: operatorFieldsXml(record) }),
    }))
    if (open.length < chunkSize) return
    last = open.at(-1)?.id ?? last
  }
}
