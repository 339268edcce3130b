// Finds records that refer to a device, zone or view by id, and would keep that id when it is deleted.

import type { Database, SqlValue, Transaction } from '../store/database.ts'
import { removeEach } from '../store/table.ts'
import { auditChange } from './access/audit-entry.ts'
import type { Collection } from './collection.ts'

interface Referrer {
  readonly one: string
  readonly several: string
  /** Where their ids are found. */
  readonly column: string
  readonly table: string
  readonly where: string
  parameters(id: bigint): readonly SqlValue[]
}

const windows = {
  one: 'maintenance window',
  several: 'maintenance windows',
  column: 'id',
  table: 'maintenance',
} as const

// Groups and sets are stored as JSON in which every value is a text.
const toDevice: readonly Referrer[] = [
  {
    one: 'binding',
    several: 'bindings',
    column: 'bind_id',
    table: 'mac_access_bind_interface',
    where: 'device_id = ?',
    parameters: (id) => [id],
  },
  {
    one: 'trap rule',
    several: 'trap rules',
    column: 'id',
    table: 'trap_rule',
    where: 'trap_device like ? or trap_interfaces like ?',
    parameters: (id) => [`%"devID":"${id}"%`, `%"deviceId":"${id}"%`],
  },
  {
    one: 'custom view',
    several: 'custom views',
    column: 'id',
    table: 'custom_view',
    where: 'member like ?',
    parameters: (id) => [`%"${id}"%`],
  },
  {
    ...windows,
    where: 'device like ? or interface like ?',
    parameters: (id) => [`%"${id}"%`, `%"deviceId":"${id}"%`],
  },
]

const referrers = {
  device: toDevice,
  zone: [{ ...windows, where: 'zone like ?', parameters: (id) => [`%"${id}"%`] }],
  'custom view': [{ ...windows, where: 'view like ?', parameters: (id) => [`%"${id}"%`] }],
} satisfies Record<string, readonly Referrer[]>

const shown = 5

/** A sentence for each kind of record that still refers to the deleted one. */
export async function references(
  database: Database,
  noun: keyof typeof referrers,
  id: bigint,
): Promise<string[]> {
  const sentences: string[] = []
  for (const { one, several, column, table, where, parameters } of referrers[noun]) {
    const found = `(select distinct ${column} as id from ${table} where ${where}) as found`
    const first = await database.readInBackground(
      `select id from ${found} order by id limit ${shown}`,
      parameters(id),
    )
    if (first.length === 0) continue
    const [row] = await database.readInBackground(`select count(*) as n from ${found}`, parameters(id))
    const more = Number(row?.n) - first.length
    const ids = first.map((one) => String(one.id)).join(', ') + (more > 0 ? ` and ${more} more` : '')
    sentences.push(
      `${first.length === 1 ? `${one} ${ids} still refers` : `${several} ${ids} still refer`} to ${noun} ${id}`,
    )
  }
  return sentences
}

// Deletes the records that belong to a deleted record.

const chunk = 500

/** Removes what belongs to a deleted record: the rows with a value in a column, which must be the only one counted. */
export async function eraseAll(
  tx: Transaction,
  target: Collection,
  column: string,
  value: bigint,
): Promise<void> {
  while ((await eraseSome(tx, target, column, value, chunk)) === chunk);
}

/** Removes as many of them as are asked for, whichever are found first; returns how many there were. */
export async function eraseSome(
  tx: Transaction,
  { resource, table }: Collection,
  column: string,
  value: bigint,
  limit: number,
): Promise<number> {
  const rows = await tx.all(`select ${table.form.shown} from ${table.name} where ${column} = ? limit ?`, [
    value,
    limit,
  ])
  for (const row of rows) {
    await auditChange(tx, 'delete', resource, row.id as bigint, table.form.toRecord(row), undefined)
  }
  const ids = rows.map((row) => row.id as bigint)
  await removeEach(tx, table, column, value, ids)
  return rows.length
}
