// The ledger of datagrams by query: every bin with its reasons.

import { readLedger } from '../alarms/ledger.ts'
import { ledgerLine } from '../resources/trap.ts'
import { contentType, sendText } from './answers.ts'
import type { Handler } from './call.ts'
import { frameOf } from './lists.ts'

export const listLedger: Handler = async ({ database, response, form }) => {
  const lines = await readLedger(database)
  const frame = frameOf(form, ledgerLine)
  const body = frame.open + lines.map(frame.row).join(frame.between) + frame.close
  sendText(response, 200, contentType[form], body, { Total: lines.length })
}
