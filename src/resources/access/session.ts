// Browser sessions of operators.

import { list } from '../../schema/list.ts'
import { assigned, derived, resource } from '../../schema/resource.ts'
import { instant, long, text } from '../../schema/scalar.ts'
import type { Reader, Transaction } from '../../store/database.ts'
import { collection } from '../collection.ts'
import { forgetLogin, showUse } from './last-use.ts'

/** How it began. */
export type SignInWay = 'password' | 'openid'

export const session = resource(
  'session',
  {
    id: assigned(long),
    operatorId: assigned(long),
    operatorName: derived(text()),
    way: assigned(text()),
    /** From where, and the program's name for itself. */
    address: assigned(text()),
    agent: assigned(text(), { absent: 'empty' }),
    createdTime: assigned(instant),
    lastUseTime: derived(instant),
    expiryTime: assigned(instant),
  },
  { table: 'session', key: 'id' },
)

export const sessions = collection({
  resource: session,
  noun: 'session',
  list: list('/plat/session', session, {
    filters: ({ equals }) => ({ operatorId: equals('operatorId') }),
    orderBy: { id: 'id' },
    counted: ['operatorId'],
  }),
  rules: {
    async deleting(tx, { id }) {
      await forgetLogin(tx, 'session', id)
    },
    show: (database, records) => showUse(database, 'session', records, ({ createdTime }) => createdTime),
  },
})

/** Those of an operator, the newest first. */
export async function sessionsOf(reader: Reader, operatorId: bigint): Promise<bigint[]> {
  const rows = await reader.all('select id from session where operator_id = ? order by id desc', [operatorId])
  return rows.map((row) => row.id as bigint)
}

/** The hash by which a session is found, and when a provider last asked its operator. No fields: nobody can read them. */
export async function writeHiddenFields(
  tx: Transaction,
  id: bigint,
  { hash, presentTime }: { readonly hash: string; readonly presentTime: number | undefined },
): Promise<void> {
  await tx.run('update session set hash = ?, present_time = ? where id = ?', [hash, presentTime ?? null, id])
}
