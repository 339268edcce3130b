// The ledger of datagrams by query: every bin with its reasons, of all senders or of one.

import { readLedger } from '../../alarms/ledger.ts'
import { Fault } from '../../fault.ts'
import { ledgerLine } from '../../resources/trap.ts'
import { oneValue } from '../../schema/list.ts'
import { ip } from '../../schema/scalar.ts'
import { contentType, sendText } from '../answers.ts'
import type { Handler } from '../call.ts'
import { frameOf } from './lists.ts'

export const listLedger: Handler = async ({ database, response, form, parameters }) => {
  const source = oneValue(parameters, 'sourceIp')
  const lines = await readLedger(database, source === undefined ? undefined : readSource(source))
  const frame = frameOf(form, ledgerLine)
  const body = frame.open + lines.map(frame.row).join(frame.between) + frame.close
  sendText(response, 200, contentType[form], body, { Total: lines.length })
}

function readSource(text: string): string {
  try {
    return ip.read(text)
  } catch (cause) {
    throw new Fault('invalid', `sourceIp: ${(cause as Error).message}`, { field: 'sourceIp', cause })
  }
}
