// Trap rules as they are stored, read a few at a time: there may be thousands, each with thousands of devices, and others
// get their turn between them.

import { TimeSlice } from '../pacing/time-slice.ts'
import { trapRules } from '../resources/alarms/trap-rule.ts'
import type { Reader, Row } from '../store/database.ts'

const readAtOnce = 50

/** In the order of their ids. */
export async function* ruleRows(reader: Reader): AsyncGenerator<Row> {
  const { form, name } = trapRules.table
  const sql = `select ${form.names} from ${name} where id > ? order by id limit ${readAtOnce}`
  const pace = new TimeSlice()
  let last = 0n
  for (;;) {
    const rows = await reader.all(sql, [last])
    for (const row of rows) {
      await pace.step()
      yield row
    }
    if (rows.length < readAtOnce) return
    last = rows.at(-1)?.id as bigint
  }
}
