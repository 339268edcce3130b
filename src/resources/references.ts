// Finds records that refer to a device, zone or view by id, and would keep that id when it is deleted.

import type { Database, SqlValue } from '../store/database.ts'

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

/** A sentence for each kind of record that still refers to what was deleted. */
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
