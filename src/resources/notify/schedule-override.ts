// Overrides of schedules: one person is on call for another for a while.

import { Fault } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import {
  assigned,
  derived,
  empty,
  optional,
  type RecordOf,
  required,
  resource,
} from '../../schema/resource.ts'
import { instant, long, text } from '../../schema/scalar.ts'
import type { Reader, Transaction } from '../../store/database.ts'
import { collection } from '../collection.ts'
import { requireContact } from './contact.ts'

const day = 24 * 3600 * 1000
const limits = {
  /** How long one may last. */
  length: 366 * day,
  /** How long one that is over is kept. */
  age: 400 * day,
  perSchedule: 1000,
}

export const scheduleOverride = resource(
  'override',
  {
    id: assigned(long),
    scheduleId: required(long),
    contactId: required(long),
    contactName: derived(text(), { mayBeAbsent: true }),
    /** From the first moment up to, not including, the second. */
    fromTime: required(instant),
    toTime: required(instant),
    reason: optional(text(), empty),
    createdBy: assigned(text(), empty),
  },
  { table: 'schedule_override', key: 'id' },
)

export type Override = RecordOf<typeof scheduleOverride.fields>

export const scheduleOverrides = collection({
  resource: scheduleOverride,
  noun: 'override',
  list: list('/notify/override', scheduleOverride, {
    filters: ({ equals, period }) => ({
      scheduleId: equals('scheduleId'),
      contactId: equals('contactId'),
      endsAfter: period('toTime', 'from'),
    }),
    orderBy: { id: 'id', fromTime: 'fromTime' },
  }),
  rules: {
    check({ fromTime, toTime }) {
      if (toTime <= fromTime) {
        throw new Fault('invalid', 'the override ends before it begins: toTime must be after fromTime', {
          field: 'toTime',
        })
      }
      if (toTime - fromTime <= limits.length) return
      throw new Fault('invalid', 'the override is too long: expected at most 366 days', { field: 'toTime' })
    },
    async saving(tx, record, before) {
      await requireSchedule(tx, record.scheduleId)
      await requireContact(tx, record.contactId, 'contactId')
      record.createdBy ??= tx.actor?.name ?? ''
      if (!before) await makeRoom(tx, record.scheduleId)
    },
  },
})

async function requireSchedule(tx: Transaction, id: bigint): Promise<void> {
  const [row] = await tx.all('select id from schedule where id = ?', [id])
  if (!row) throw new Fault('conflict', `schedule ${id} does not exist`, { field: 'scheduleId' })
}

async function makeRoom(tx: Transaction, scheduleId: bigint): Promise<void> {
  await tx.run('delete from schedule_override where schedule_id = ? and to_time < ?', [
    scheduleId,
    tx.now - limits.age,
  ])
  const [row] = await tx.all('select count(*) as n from schedule_override where schedule_id = ?', [
    scheduleId,
  ])
  if (Number(row?.n) < limits.perSchedule) return
  const message = `schedule ${scheduleId} has ${limits.perSchedule} overrides, which is the limit: delete some first`
  throw new Fault('conflict', message, { field: 'scheduleId' })
}

/** Whom schedules can call, now or later. */
export async function scheduleMembers(reader: Reader, now: number): Promise<Map<bigint, Set<bigint>>> {
  const members = new Map<bigint, Set<bigint>>()
  for (const { schedule_id, contact_id } of await reader.all(
    `select schedule_id, contact_id from schedule_contact
     union select schedule_id, contact_id from schedule_override where to_time > ?`,
    [now],
  )) {
    const known = members.get(schedule_id as bigint) ?? new Set()
    members.set(schedule_id as bigint, known.add(contact_id as bigint))
  }
  return members
}

export async function readOverrides(reader: Reader): Promise<Override[]> {
  const { form, name } = scheduleOverrides.table
  const rows = await reader.all(`select ${form.shown} from ${name} order by id`)
  return rows.map((row) => form.toRecord(row) as Override)
}
