// Trap rules as they are stored, read a few at a time: there may be thousands, and others get their turn between them.

import { setImmediate as letOthersRun } from 'node:timers/promises'
import { trapRules } from '../resources/alarms/trap-rule.ts'
import type { Reader, Row } from '../store/database.ts'

const readAtOnce = 250

/** In the order of their ids. */
export async function* ruleRows(reader: Reader): AsyncGenerator<Row> {
  const { form, name } = trapRules.table
  const sql = `select ${form.names} from ${name} where id > ? order by id limit ${readAtOnce}`
  let last = 0n
  for (;;) {
    const rows = await reader.all(sql, [last])
    yield* rows
    if (rows.length < readAtOnce) return
    last = rows.at(-1)?.id as bigint
    await letOthersRun()
  }
}
