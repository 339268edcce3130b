// Calendar feeds: secret addresses by which calendar programs read shifts. Deleting a feed revokes its address.

import { Fault } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import { assigned, derived, empty, optional, type RecordOf, resource } from '../../schema/resource.ts'
import { instant, long, text } from '../../schema/scalar.ts'
import type { Reader } from '../../store/database.ts'
import { collection } from '../collection.ts'
import { requireContact } from './contact.ts'

const perOperator = 100

export const calendarFeed = resource(
  'calendarFeed',
  {
    id: assigned(long),
    /** Whose feed it is: it ends with its operator. Absent where it was made by a caller without a name. */
    operatorId: assigned(long, { absent: 'empty' }),
    /** All schedules without. */
    scheduleId: optional(long, empty),
    /** Only shifts of this contact; without, everyone's, and the gaps. */
    contactId: optional(long, empty),
    description: optional(text(), empty),
    createdTime: assigned(instant),
    /** With the secret in it; shown once, when it is made. */
    address: derived(text(), { mayBeAbsent: true }),
  },
  { table: 'calendar_feed', key: 'id' },
)

export type CalendarFeed = RecordOf<typeof calendarFeed.fields>

export const calendarFeeds = collection({
  resource: calendarFeed,
  noun: 'calendar feed',
  list: list('/notify/calendarFeed', calendarFeed, {
    filters: ({ equals }) => ({ operatorId: equals('operatorId') }),
    orderBy: { id: 'id' },
  }),
  rules: {
    async saving(tx, record) {
      const { scheduleId, contactId } = record
      record.createdTime = tx.now
      if (contactId !== null) await requireContact(tx, contactId, 'contactId')
      if (scheduleId === null) return
      const [row] = await tx.all('select id from schedule where id = ?', [scheduleId])
      if (!row) throw new Fault('conflict', `schedule ${scheduleId} does not exist`, { field: 'scheduleId' })
    },
  },
})

/** The same collection, which also keeps the hash by which the feed is found. */
export const calendarFeedsWith = (hash: string): typeof calendarFeeds => ({
  ...calendarFeeds,
  rules: {
    ...calendarFeeds.rules,
    async saved(tx, record) {
      const { id, operatorId } = record as CalendarFeed
      const sql =
        operatorId === null
          ? 'select count(*) as n from calendar_feed where operator_id is null'
          : 'select count(*) as n from calendar_feed where operator_id = ?'
      const [row] = await tx.all(sql, operatorId === null ? [] : [operatorId])
      if (Number(row?.n) > perOperator) {
        throw new Fault(
          'conflict',
          `an operator has at most ${perOperator} calendar feeds: delete some first`,
        )
      }
      await tx.run('update calendar_feed set hash = ? where id = ?', [hash, id])
    },
  },
})

export async function findFeed(reader: Reader, hash: string): Promise<CalendarFeed | undefined> {
  const { form } = calendarFeeds.table
  const [row] = await reader.all(`select ${form.shown} from calendar_feed where hash = ?`, [hash])
  return row && (form.toRecord(row) as CalendarFeed)
}
