// The uplinks of devices: the links of a device to its parents, each with the port at either end. Links never form a
// cycle.

import { Fault } from '../../fault.ts'
import { groups, optional, required } from '../../schema/resource.ts'
import { long } from '../../schema/scalar.ts'
import { bulk, type Database, type Reader, type Row, type Transaction } from '../../store/database.ts'
import { addToTally } from '../../store/tally.ts'
import { allWithValues } from '../../store/where.ts'

/** The links of one device upwards, as its record has them. */
export const parentLinks = groups({
  deviceId: required(long),
  /** The port of the device itself, and that of the parent, where they are known. */
  ifIndex: optional(long),
  parentIfIndex: optional(long),
})

interface Link {
  readonly deviceId: bigint
  readonly ifIndex: bigint | null
  readonly parentIfIndex: bigint | null
}

interface Linked {
  readonly id: bigint
  readonly parent: readonly Link[]
}

const linkLimit = 64

/** Errors in one record by itself. */
export function checkLinks({ id, parent }: Linked): void {
  if (parent.length > linkLimit) {
    throw new Fault('invalid', `more than ${linkLimit} links to parents`, { field: 'parent' })
  }
  const seen = new Set<string>()
  for (const [index, { deviceId, ifIndex, parentIfIndex }] of parent.entries()) {
    const field = `parent[${index + 1}]`
    if (deviceId === id) {
      throw new Fault('conflict', `device ${id} cannot hang behind itself`, { field: `${field}/deviceId` })
    }
    const key = `${deviceId} ${ifIndex} ${parentIfIndex}`
    if (seen.has(key)) {
      throw new Fault('invalid', `the same link to device ${deviceId} is given twice`, { field })
    }
    seen.add(key)
  }
}

/** Refuses a link to a device that is itself below this one, over any number of others. */
export async function requireNoCircle(tx: Transaction, { id, parent }: Linked): Promise<void> {
  if (parent.length === 0) return
  const below = await behind(tx, id)
  const index = parent.findIndex(({ deviceId }) => below.has(deviceId))
  if (index < 0) return
  const deviceId = parent[index]?.deviceId
  throw new Fault(
    'conflict',
    `device ${id} cannot hang behind device ${deviceId}, which hangs behind device ${id} itself`,
    { field: `parent[${index + 1}]/deviceId` },
  )
}

/** All devices below another, at any distance; a device with several parents counts for each of them. */
async function behind(reader: Reader, id: bigint): Promise<Set<bigint>> {
  const rows = await reader.all(
    `with recursive below (id) as (
       select device_id from device_parent where parent_id = ? and origin = 0
       union select link.device_id from device_parent link join below on link.parent_id = below.id where link.origin = 0)
     select id from below`,
    [id],
  )
  return new Set(rows.map((row) => row.id as bigint))
}

/** Writes typed-in links; they take the place of what was learnt, also where that says the opposite. */
export async function writeLinks(tx: Transaction, { id, parent }: Linked): Promise<void> {
  await tx.run('delete from device_parent where device_id = ? and (origin = 0 or ? > 0)', [id, parent.length])
  for (const { deviceId } of parent)
    await tx.run('delete from device_parent where device_id = ? and parent_id = ? and origin = 1', [
      deviceId,
      id,
    ])
  for (const [position, { deviceId, ifIndex, parentIfIndex }] of parent.entries()) {
    await tx.run(
      'insert into device_parent (device_id, position, parent_id, if_index, parent_if_index) values (?, ?, ?, ?, ?)',
      [id, position, deviceId, ifIndex, parentIfIndex],
    )
  }
}

/** A link between two devices, with the port at each end where it is known. */
export interface LinkRow {
  readonly deviceId: bigint
  readonly parentId: bigint
  readonly ifIndex: bigint | null
  readonly parentIfIndex: bigint | null
}

const linkRow = (row: Row): LinkRow => ({
  deviceId: row.device_id as bigint,
  parentId: row.parent_id as bigint,
  ifIndex: row.if_index as bigint | null,
  parentIfIndex: row.parent_if_index as bigint | null,
})

/** The links of devices up, by `device_id`, or down, by `parent_id`. */
export async function linksOf(
  reader: Reader,
  column: 'device_id' | 'parent_id',
  ids: readonly bigint[],
): Promise<LinkRow[]> {
  const rows = await allWithValues(
    reader,
    ids,
    (marks) =>
      `select device_id, parent_id, if_index, parent_if_index from device_parent where ${column} in (${marks}) order by device_id, position`,
  )
  return rows.map(linkRow)
}

const linksUpSql = bulk(
  'select device_id, parent_id, if_index, parent_if_index from device_parent where device_id = ?',
  ['bigint'],
)

/** The links up of however many devices, with one statement. */
export async function linksUp(tx: Transaction, ids: readonly bigint[]): Promise<LinkRow[]> {
  const rows = await tx.allEach(
    linksUpSql,
    ids.map((id) => [id]),
  )
  return rows.map(linkRow)
}

/** Whether any device has a parent. */
export async function hasLinks(reader: Reader): Promise<boolean> {
  const [one] = await reader.all('select device_id from device_parent limit 1')
  return one !== undefined
}

/** The devices in which one is typed in as their parent. */
export async function childrenOf(reader: Reader, id: bigint): Promise<bigint[]> {
  const rows = await reader.all(
    'select distinct device_id from device_parent where parent_id = ? and origin = 0 order by device_id',
    [id],
  )
  return rows.map((row) => row.device_id as bigint)
}

/** The links up of all devices, typed in or learnt; or those at either end of which one device is. */
export async function allUplinks(
  database: Database,
  beside?: bigint,
): Promise<(LinkRow & { readonly isTyped: boolean })[]> {
  const of = beside === undefined ? '' : ' where device_id = ? or parent_id = ?'
  const rows = await database.values(
    `select device_id, parent_id, if_index, parent_if_index, origin from device_parent${of} order by device_id, position`,
    beside === undefined ? [] : [beside, beside],
    true,
  )
  return rows.map(([deviceId, parentId, ifIndex, parentIfIndex, origin]) => ({
    ...{ deviceId: deviceId as bigint, parentId: parentId as bigint },
    ...{ ifIndex: ifIndex as bigint | null, parentIfIndex: parentIfIndex as bigint | null },
    isTyped: Number(origin) === 0,
  }))
}

/** The typed-in parents of all devices that have any. */
export async function typedParents(database: Database): Promise<Map<bigint, bigint[]>> {
  const rows = await database.values(
    'select device_id, parent_id from device_parent where origin = 0',
    [],
    true,
  )
  const found = new Map<bigint, bigint[]>()
  for (const [id, parentId] of rows as [bigint, bigint][]) {
    const parents = found.get(id)
    if (parents) parents.push(parentId)
    else found.set(id, [parentId])
  }
  return found
}

/** Learnt links have positions from here on. */
const firstLearnt = 1000

export type LearntUplink = Omit<LinkRow, 'deviceId'>

const learntRow = bulk(
  'insert into device_parent (device_id, position, parent_id, if_index, parent_if_index, origin) values (?, ?, ?, ?, ?, 1)',
  ['bigint', 'integer', 'bigint', 'bigint', 'bigint'],
)
const typedOf = bulk('select device_id from device_parent where origin = 0 and device_id = ?', ['bigint'])
const noLearnt = bulk('delete from device_parent where device_id = ? and origin = 1', ['bigint'])

/** Writes the learnt links of devices that have others than before. Devices with typed-in links get none. */
export async function writeLearntUplinks(
  tx: Transaction,
  wanted: ReadonlyMap<bigint, readonly LearntUplink[]>,
): Promise<void> {
  const rows = await tx.all(
    'select device_id, parent_id, if_index, parent_if_index from device_parent where origin = 1 order by device_id, position',
  )
  const before = Map.groupBy(rows.map(linkRow), ({ deviceId }) => deviceId)
  const textOf = (links: readonly LearntUplink[]) =>
    links.map(({ parentId, ifIndex, parentIfIndex }) => `${parentId} ${ifIndex} ${parentIfIndex}`).join()
  const changed = [...new Set([...before.keys(), ...wanted.keys()])].filter(
    (id) => textOf(before.get(id) ?? []) !== textOf(wanted.get(id) ?? []),
  )
  if (changed.length === 0) return
  await tx.runEach(
    noLearnt,
    changed.map((id) => [id]),
  )
  // Somebody may have typed in parents since these were read.
  const typed = await tx.allEach(
    typedOf,
    changed.map((id) => [id]),
  )
  const isTyped = new Set(typed.map((row) => row.device_id as bigint))
  const learnt = changed.filter((id) => !isTyped.has(id))
  await tx.runEach(
    learntRow,
    learnt.flatMap((id) =>
      (wanted.get(id) ?? []).map(({ parentId, ifIndex, parentIfIndex }, index) => [
        ...[id, firstLearnt + index, parentId, ifIndex, parentIfIndex],
      ]),
    ),
  )
}

/** Whatever was learnt of links of a device. */
export async function forgetLinks(tx: Transaction, id: bigint): Promise<void> {
  await tx.run('delete from device_parent where parent_id = ? and origin = 1', [id])
  const removed = await tx.run('delete from link where device_id = ? or other_id = ?', [id, id])
  addToTally(tx, { name: 'link' }, '', '', -removed)
}
