// Heartbeats of others: programs that report in regularly, and whose silence raises an alarm.

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
import { bool, fold, instant, int, long, text } from '../../schema/scalar.ts'
import type { Reader, Transaction } from '../../store/database.ts'
import { collection, requireRoom, requireUnique } from '../collection.ts'

const limit = 1000
const defaultGrace = 60
const maxSeconds = 31 * 24 * 3600
/** More frequent ones are not written: what counts is whether it is silent. */
const finest = 1000

export const heartbeat = resource(
  'heartbeat',
  {
    id: assigned(long),
    /** As it stands in the address to which it is sent. */
    name: required(text({ maxLength: 100 }), { keyed: true }),
    description: optional(text(), empty),
    /** How often one is expected, and how much later it may come. */
    everySeconds: required(int({ min: 10, max: maxSeconds })),
    graceSeconds: optional(int({ min: 0, max: maxSeconds })),
    enabled: optional(bool),
    /** When the last one came, and since when they are expected. */
    lastTime: assigned(instant),
    sinceTime: assigned(instant),
    /** Whether the time for the next one is over. */
    silent: derived(bool),
  },
  { table: 'heartbeat', key: 'id' },
)

export type Heartbeat = RecordOf<typeof heartbeat.fields>

/** When the next one must have come, if heartbeats could arrive from `since` on. */
export const deadlineOf = (record: Heartbeat, since = 0): number =>
  Math.max(record.lastTime, record.sinceTime, since) +
  (record.everySeconds + (record.graceSeconds ?? defaultGrace)) * 1000

export const heartbeats = collection({
  resource: heartbeat,
  noun: 'heartbeat',
  list: list('/notify/heartbeat', heartbeat, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { id: 'id', name: 'name' },
  }),
  rules: {
    check({ name }) {
      if (!/^\.\.?$/.test(name)) return
      const message = `name is ${name}: expected one that can be the last part of an address`
      throw new Fault('invalid', message, { field: 'name' })
    },
    async saving(tx, record, before) {
      const unique = { table: 'heartbeat', column: 'name_key', field: 'name', noun: 'heartbeat' }
      await requireUnique(tx, unique, fold(record.name), record.id, record.name)
      if (!before) await requireRoom(tx, 'heartbeat', limit, 'heartbeats, which is the limit')
      record.enabled ??= true
      record.graceSeconds ??= defaultGrace
      record.lastTime ??= 0
      const goesOn = before?.enabled && before.everySeconds === record.everySeconds
      record.sinceTime = goesOn ? before.sinceTime : tx.now
    },
    async show(database, records) {
      const now = database.now()
      for (const record of records) record.silent = record.enabled === true && deadlineOf(record) < now
    },
  },
})

export async function readHeartbeats(reader: Reader): Promise<Heartbeat[]> {
  const { form, name } = heartbeats.table
  const rows = await reader.all(`select ${form.shown} from ${name} order by id`)
  return rows.map((row) => form.toRecord(row) as Heartbeat)
}

/** Records that one has come; returns whether it is expected at all. */
export async function noteHeartbeat(tx: Transaction, name: string): Promise<boolean> {
  const [row] = await tx.all('select id, enabled, last_time from heartbeat where name_key = ?', [fold(name)])
  if (row?.enabled !== 1n) return false
  if (tx.now - Number(row.last_time) >= finest) {
    await tx.run('update heartbeat set last_time = ? where id = ?', [tx.now, row.id ?? 0n])
  }
  return true
}
