// Tokens: what programs show instead of a name and a password.

import { list } from '../schema/list.ts'
import { assigned, derived, may, type RecordOf, resource } from '../schema/resource.ts'
import { instant, long, text } from '../schema/scalar.ts'
import { collection } from './collection.ts'
import { roles } from './role.ts'

/** What a token is good for: registering for events alone, or what a role may do. */
export const scopes = ['events', ...roles] as const

export type Scope = (typeof scopes)[number]

export const token = resource(
  'token',
  {
    id: assigned(long),
    operatorId: may(long),
    operatorName: derived(text()),
    scope: may(text({ pattern: { source: scopes.join('|'), accepted: scopes.join(' or ') } })),
    description: may(text()),
    prefix: assigned(text()),
    createdTime: assigned(instant),
    expiryTime: may(instant),
    lastUseTime: derived(instant),
    /** Told once, when it is made. */
    token: derived(text()),
  },
  { table: 'token', key: 'id' },
)

export type TokenRecord = RecordOf<typeof token.fields>

export const tokens = collection({
  resource: token,
  noun: 'token',
  list: list('/plat/token', token, {
    filters: ({ equals }) => ({ operatorId: equals('operatorId') }),
    orderBy: { id: 'id' },
    counted: ['operatorId'],
  }),
  rules: {
    async deleting(tx, { id }) {
      await tx.run('delete from login where subject = ?', [`token ${id}`])
    },
    async show(database, records) {
      const uses = await database.all("select subject, last_time from login where subject like 'token %'")
      const names = await database.all('select id, name from operator')
      const times = new Map(uses.map((row) => [row.subject, Number(row.last_time)]))
      const called = new Map(names.map((row) => [row.id, String(row.name)]))
      for (const record of records) {
        record.lastUseTime = times.get(`token ${record.id}`) ?? 0
        record.operatorName = called.get(record.operatorId) ?? ''
      }
    },
  },
})
