// All open alarms, for a client that starts from nothing.

import { alarmXml, workOn } from '../alarms/log/alarm-log.ts'
import { factsOf } from '../alarms/log/push-facts.ts'
import { openAfter } from '../alarms/open/alarm-pages.ts'
import type { AlarmTexts } from '../resources/alarms/alarm.ts'
import type { Database } from '../store/database.ts'
import type { Pushed } from './stream-documents.ts'
import { type Filter, matches } from './stream-filter.ts'

const chunkSize = 100

/** The open alarms that pass a filter, some at a time; perhaps none, where none of those looked at does. */
export async function* openAlarms(
  database: Database,
  alarmTexts: AlarmTexts,
  filter: Filter,
): AsyncGenerator<Pushed[]> {
  let last = 0n
  for (;;) {
    const open = await openAfter(database, last, chunkSize)
    // Its end will be matched in the same way: a client is shown no alarm whose end it would not be sent.
    const records = open.filter(({ OID, deviceIp, pushed }) =>
      matches(filter, factsOf(pushed, OID, deviceIp ?? '')),
    )
    await alarmTexts.fill(records)
    yield records.map((record) => ({
      xml: alarmXml(record),
      action: 'Push',
      clearedOids: [],
      position: undefined,
      // A client that follows people's work begins with what was done before.
      ...(filter.changes && { more: workOn(record) }),
    }))
    if (open.length < chunkSize) return
    last = open.at(-1)?.id ?? last
  }
}
