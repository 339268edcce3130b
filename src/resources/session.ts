// Sessions: those who have signed in from a browser.

import { list } from '../schema/list.ts'
import { assigned, derived, type RecordOf, resource } from '../schema/resource.ts'
import { instant, long, text } from '../schema/scalar.ts'
import { collection } from './collection.ts'

/** How it began. */
export type SignInWay = 'password' | 'openid'

export const session = resource(
  'session',
  {
    id: assigned(long),
    operatorId: assigned(long),
    operatorName: derived(text()),
    way: assigned(text()),
    /** From where, and with which program as it calls itself. */
    address: assigned(text()),
    agent: assigned(text(), { absent: 'empty' }),
    createdTime: assigned(instant),
    lastUseTime: derived(instant),
    expiryTime: assigned(instant),
  },
  { table: 'session', key: 'id' },
)

export type SessionRecord = RecordOf<typeof session.fields>

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
      await tx.run('delete from login where subject = ?', [`session ${id}`])
    },
    async show(database, records) {
      const uses = await database.all("select subject, last_time from login where subject like 'session %'")
      const names = await database.all('select id, name from operator')
      const times = new Map(uses.map((row) => [row.subject, Number(row.last_time)]))
      const called = new Map(names.map((row) => [row.id, String(row.name)]))
      for (const record of records) {
        record.lastUseTime = times.get(`session ${record.id}`) ?? record.createdTime
        record.operatorName = called.get(record.operatorId) ?? ''
      }
    },
  },
})
