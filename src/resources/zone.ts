// Network zones. Devices and IP segments lie in one each; what is in no other zone is in the default one.

import { Fault } from '../fault.ts'
import { list } from '../schema/list.ts'
import { assigned, empty, may, need, resource } from '../schema/resource.ts'
import { fold, long, text } from '../schema/scalar.ts'
import type { Database, Reader, Transaction } from '../store/database.ts'
import { audit } from './audit-entry.ts'
import { collection, eraseIn, requireUnique } from './collection.ts'

export const zone = resource(
  'zone',
  {
    zoneId: assigned(long),
    name: need(text(), { keyed: true }),
    description: may(text(), empty),
  },
  { table: 'zone', key: 'zoneId' },
)

export const defaultZone = 1n

/** The zone of what belongs to a device: without a known one, the default zone. */
export const zoneOfDevice = { table: 'device', asked: 'zone_id', none: defaultZone }

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
      const held = contentWords(await contentOf(tx, zoneId))
      if (held === '') return
      throw new Fault('conflict', `zone ${zoneId} holds ${held}: say where they go, with moveTo=ID`, {
        field: 'moveTo',
      })
    },
  },
})

/** What lies in zones: the table, with words for one and for several. */
const contents = [
  { table: 'device', one: 'device', several: 'devices' },
  { table: 'ip_scope', one: 'IP segment', several: 'IP segments' },
] as const

type Content = readonly { readonly table: string; readonly n: number; readonly word: string }[]

async function contentOf(reader: Reader, zoneId: bigint): Promise<Content> {
  const found: { table: string; n: number; word: string }[] = []
  for (const { table, one, several } of contents) {
    const [row] = await reader.all(`select count(*) as n from ${table} where zone_id = ?`, [zoneId])
    const n = Number(row?.n)
    if (n > 0) found.push({ table, n, word: n === 1 ? one : several })
  }
  return found
}

const contentWords = (content: Content) => content.map(({ n, word }) => `${n} ${word}`).join(' and ')

/** The zones that devices are in; those that are not known are left out. */
export async function zonesOfDevices(reader: Reader, ids: readonly bigint[]): Promise<Map<bigint, bigint>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.all(
    `select id, zone_id from device where id in (${ids.map(() => '?').join(', ')})`,
    ids,
  )
  return new Map(rows.map((row) => [row.id as bigint, row.zone_id as bigint]))
}

/** Refuses a zone that does not exist. */
export async function requireZone(reader: Reader, zoneId: bigint, field = 'zoneId'): Promise<void> {
  const [row] = await reader.all('select id from zone where id = ?', [zoneId])
  if (!row) throw new Fault('conflict', `zone ${zoneId} does not exist`, { field })
}

/** Deletes a zone; what it holds goes to another one, where that is said. */
export function deleteZone(database: Database, id: bigint, moveTo: bigint | undefined): Promise<void> {
  return database.transaction(async (tx) => {
    if (moveTo !== undefined) await moveContent(tx, id, moveTo)
    await eraseIn(tx, zones, id)
  })
}

async function moveContent(tx: Transaction, from: bigint, to: bigint): Promise<void> {
  if (from === to) {
    throw new Fault('invalid', `moveTo: zone ${to} is the one to be deleted`, { field: 'moveTo' })
  }
  await requireZone(tx, to, 'moveTo')
  const content = await contentOf(tx, from)
  // The default zone stays, and so does what it holds.
  if (content.length === 0 || from === defaultZone) return
  for (const { table } of content) {
    await tx.run(`update ${table} set zone_id = ? where zone_id = ?`, [to, from])
  }
  const count = content.reduce((sum, { n }) => sum + n, 0)
  const detail = `${contentWords(content)} to zone ${to}`
  await audit(tx, { action: 'move', resource: zone.name, id: from, count, detail })
}
