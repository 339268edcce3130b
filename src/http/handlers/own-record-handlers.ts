// Access to records that belong to operators, such as tokens: everyone sees their own, administrators all.

import { Fault } from '../../fault.ts'
import { mayAct } from '../../resources/access/role.ts'
import { type Collection, read } from '../../resources/collection.ts'
import type { Call, Handler } from '../call.ts'
import { withParameters } from '../calls.ts'
import { sendRecord } from '../responses.ts'
import { answerList } from './list-handlers.ts'

export const sees = ({ caller }: Call, operatorId: unknown) =>
  mayAct(caller.role, 'administrator') || caller.operatorId === operatorId

export const listOwn =
  (collection: Collection): Handler =>
  async (call) => {
    const { caller, parameters } = call
    if (mayAct(caller.role, 'administrator')) return answerList(call, collection)
    // Whatever was asked for, only their own.
    const own = new Map(parameters).set('operatorId', [String(caller.operatorId)])
    return answerList(withParameters(call, own), collection)
  }

export const readOwn =
  (collection: Collection): Handler =>
  async (call) => {
    const record = await read(call.database, collection, call.id)
    if (!sees(call, record.operatorId))
      throw new Fault('not-found', `${collection.noun} ${call.id} does not exist`)
    sendRecord(call.response, call.form, collection.resource, record)
  }

/**
 * Refuses to delete a record that the caller does not see, with the same error as if it did not exist. Returns its
 * owner.
 */
export async function requireOwn(call: Call, { table, noun }: Collection): Promise<bigint> {
  const [row] = await call.database.all(`select operator_id from ${table.name} where id = ?`, [call.id])
  if (!row || !sees(call, row.operator_id)) throw new Fault('gone', `${noun} ${call.id} does not exist`)
  return row.operator_id as bigint
}
