// Network zones. Every device and IP segment is in one zone, by default in the default zone.

import { Fault } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import { assigned, empty, optional, required, resource } from '../../schema/resource.ts'
import { fold, long, text } from '../../schema/scalar.ts'
import { inChunks } from '../../store/chunked-work.ts'
import { bulk, type Database, type Reader, type Row, type Transaction } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import { audit } from '../access/audit-entry.ts'
import { collection, eraseIn, requireUnique } from '../collection.ts'

export const zone = resource(
  'zone',
  {
    zoneId: assigned(long),
    name: required(text(), { keyed: true }),
    description: optional(text(), empty),
  },
  { table: 'zone', key: 'zoneId' },
)

export const defaultZone = 1n

/** The zone of what belongs to a device: without a known one, the default zone. */
export const zoneOfDevice = { table: 'device', relatedColumn: 'zone_id', none: defaultZone }

export const zones = collection({
  resource: zone,
  noun: 'zone',
  list: list('/ram/zone', zone, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { id: 'zoneId', name: 'name' },
    size: { default: 10, negative: 0, max: 1000 },
  }),
  rules: {
    async saving(tx, { zoneId, name }) {
      const unique = { table: 'zone', column: 'name_key', field: 'name', noun: 'zone' }
      await requireUnique(tx, unique, fold(name), zoneId, name)
    },
    async deleting(tx, { zoneId }) {
      if (zoneId === defaultZone) {
        throw new Fault('conflict', `zone ${zoneId} holds what is in no other zone: it cannot be deleted`)
      }
      const held = inWords(await contentOf(tx, zoneId))
      if (held === '') return
      throw new Fault('conflict', `zone ${zoneId} holds ${held}: say where they go, with moveTo=ID`, {
        field: 'moveTo',
      })
    },
  },
})

/** The contents of zones: the table, with words for one and for several. */
const contents = [
  { table: 'device', one: 'device', several: 'devices' },
  { table: 'ip_scope', one: 'IP segment', several: 'IP segments' },
] as const

type Amount = (typeof contents)[number] & { readonly n: number }

async function contentOf(reader: Reader, zoneId: bigint): Promise<Amount[]> {
  const found: Amount[] = []
  for (const content of contents) {
    const [row] = await reader.all(`select count(*) as n from ${content.table} where zone_id = ?`, [zoneId])
    const n = Number(row?.n)
    if (n > 0) found.push({ ...content, n })
  }
  return found
}

const inWords = (amounts: readonly Amount[]) =>
  amounts.map(({ n, one, several }) => `${n} ${n === 1 ? one : several}`).join(' and ')

/** The zones that devices are in; those that are not known are left out. */
export async function zonesOfDevices(
  reader: Pick<Reader, 'all'>,
  ids: readonly bigint[],
): Promise<Map<bigint, bigint>> {
  const rows = await allWithValues(
    reader,
    ids,
    (marks) => `select id, zone_id from device where id in (${marks})`,
  )
  return new Map(rows.map((row) => [row.id as bigint, row.zone_id as bigint]))
}

/** Adds to rows with a `device_id` the `zone_id` of the device, if there is one. */
export async function withZones(reader: Pick<Reader, 'all'>, rows: readonly Row[]): Promise<Row[]> {
  const ids = new Set(rows.map((row) => row.device_id as bigint))
  const zones = await zonesOfDevices(reader, [...ids])
  return rows.map((row) => ({ ...row, zone_id: zones.get(row.device_id as bigint) ?? null }))
}

const deviceZoneSql = bulk('select id, zone_id from device where id = ?', ['bigint'])

/** The same of however many, with one statement. */
export async function zonesOfEach(tx: Transaction, ids: Iterable<bigint>): Promise<Map<bigint, bigint>> {
  const rows = await tx.allEach(
    deviceZoneSql,
    Array.from(ids, (id) => [id]),
  )
  return new Map(rows.map((row) => [row.id as bigint, row.zone_id as bigint]))
}

/** The names of zones; those that do not exist are left out. */
export async function zoneNames(reader: Reader, ids: readonly bigint[]): Promise<Map<bigint, string>> {
  const rows = await allWithValues(reader, ids, (marks) => `select id, name from zone where id in (${marks})`)
  return new Map(rows.map((row) => [row.id as bigint, String(row.name)]))
}

export async function allZoneNames(reader: Reader): Promise<Map<bigint, string>> {
  const rows = await reader.all('select id, name from zone')
  return new Map(rows.map((row) => [row.id as bigint, String(row.name)]))
}

/** Refuses a zone that does not exist. */
export async function requireZone(reader: Reader, zoneId: bigint, field = 'zoneId'): Promise<void> {
  const [row] = await reader.all('select id from zone where id = ?', [zoneId])
  if (!row) throw new Fault('conflict', `zone ${zoneId} does not exist`, { field })
}

/** Deletes a zone; its contents move to another one, if one is named. */
export async function deleteZone(database: Database, id: bigint, moveTo: bigint | undefined): Promise<void> {
  if (moveTo !== undefined) await emptying(database, id, moveTo)
  return database.transaction(async (tx) => {
    if (moveTo !== undefined) await moveContent(tx, id, moveTo, few)
    await eraseIn(tx, zones, id)
  })
}

/** Up to this many devices and as many segments are moved in the same transaction as the zone is deleted. */
const few = 200

/**
 * Very many are moved before the zone itself is deleted, a few at a time: others would wait for them. If the service
 * ends meanwhile, what is left is a zone that holds less, which can be deleted again.
 */
async function emptying(database: Database, from: bigint, to: bigint): Promise<void> {
  const content = await contentOf({ all: (sql, values) => database.readInBackground(sql, values) }, from)
  if (content.every(({ n }) => n <= few)) return
  await inChunks(database, (tx, limit) => moveContent(tx, from, to, limit))
}

/** Moves at most this many of each kind; returns the number of the kind that had most. */
async function moveContent(tx: Transaction, from: bigint, to: bigint, limit: number): Promise<number> {
  if (from === to) {
    throw new Fault('invalid', `moveTo: zone ${to} is the one to be deleted`, { field: 'moveTo' })
  }
  await requireZone(tx, to, 'moveTo')
  // The default zone stays, and so do its contents.
  if (from === defaultZone) return 0
  const moved: Amount[] = []
  for (const content of contents) {
    const some = `select id from ${content.table} where zone_id = ? limit ?`
    const n = await tx.run(`update ${content.table} set zone_id = ? where id in (${some})`, [to, from, limit])
    if (n > 0) moved.push({ ...content, n })
  }
  if (moved.length === 0) return 0
  const count = moved.reduce((sum, { n }) => sum + n, 0)
  const detail = `${inWords(moved)} to zone ${to}`
  await audit(tx, { action: 'move', resource: zone.name, id: from, count, detail })
  return Math.max(...moved.map(({ n }) => n))
}
