// Handler for the ledger of datagrams: every outcome with its reasons, of all senders or of one.

import { readLedger } from '../../../alarms/engine/trap-ledger.ts'
import { Fault } from '../../../fault.ts'
import { ledgerLine } from '../../../resources/alarms/trap.ts'
import { oneValue } from '../../../schema/list.ts'
import { ip } from '../../../schema/scalar.ts'
import type { Handler } from '../../call.ts'
import { answerRows } from '../list-handlers.ts'

export const listLedger: Handler = async (call) => {
  const { database, parameters } = call
  const source = oneValue(parameters, 'sourceIp')
  const lines = await readLedger(database, source === undefined ? undefined : readSource(source))
  answerRows(call, ledgerLine, lines)
}

function readSource(text: string): string {
  try {
    return ip.read(text)
  } catch (cause) {
    throw new Fault('invalid', `sourceIp: ${(cause as Error).message}`, { field: 'sourceIp', cause })
  }
}
