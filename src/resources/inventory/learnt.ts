// Reads what was learnt of a device, and writes what has changed of it.

import { groupWriter } from '../../schema/json.ts'
import type { AnyRecord } from '../../schema/resource.ts'
import { bulk, type Reader, type Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { find, insertAll, removeAll, type Table, update } from '../../store/table.ts'
import { device } from './device.ts'
import { type DeviceChange, deviceChanges } from './device-change.ts'
import { type DeviceFacts, deviceFactsList } from './device-facts.ts'
import { type Neighbour, neighbours } from './neighbour.ts'
import { type Port, portName, ports } from './port.ts'

export interface Learnt {
  /** Undefined before the first time. */
  readonly facts: DeviceFacts | undefined
  readonly ports: readonly Port[]
  readonly neighbours: readonly Neighbour[]
}

/** The ids of what is added are assigned when it is written. */
export interface Difference<T> {
  readonly added: readonly T[]
  readonly changed: readonly T[]
  readonly removed: readonly T[]
}

export interface LearntDifference {
  readonly facts: DeviceFacts
  readonly ports: Difference<Port>
  readonly neighbours: Difference<Neighbour>
  readonly changes: readonly DeviceChange[]
  /** Whether anything else has changed than when it was asked. */
  readonly isNew: boolean
  /** Whether names or indexes of ports have changed. */
  readonly renamesPorts: boolean
}

/** Of each device, so many changes are kept. */
const keptChanges = 1000

export async function learntOf(reader: Reader, deviceId: bigint): Promise<Learnt> {
  const below = async ({ form, name }: Table) => {
    const rows = await reader.all(`select ${form.shown} from ${name} where device_id = ? order by id`, [
      deviceId,
    ])
    return rows.map(form.toRecord)
  }
  return {
    facts: (await find(reader, deviceFactsList.table, deviceId)) as DeviceFacts | undefined,
    ports: (await below(ports.table)) as Port[],
    neighbours: (await below(neighbours.table)) as Neighbour[],
  }
}

/** Nothing is written of a device that was deleted meanwhile. */
export async function writeLearnt(
  tx: Transaction,
  before: Learnt,
  { facts, changes, renamesPorts, ...difference }: LearntDifference,
): Promise<void> {
  const { deviceId } = facts
  const [exists] = await tx.all('select id from device where id = ?', [deviceId])
  if (!exists) return
  const next = await openIds(tx, 'port', 'neighbour', 'device_change')
  if (before.facts) await update(tx, deviceFactsList.table, deviceId, before.facts, facts)
  else await insertAll(tx, deviceFactsList.table, [facts])
  await writeDifference(tx, ports.table, difference.ports, () => next('port'))
  await writeDifference(tx, neighbours.table, difference.neighbours, () => next('neighbour'))
  if (renamesPorts) await writeNames(tx, deviceId)
  if (changes.length === 0) return
  await insertAll(
    tx,
    deviceChanges.table,
    changes.map((change) => ({ ...change, id: next('device_change') })),
  )
  await removeOldChanges(tx, deviceId)
}

export async function writeDifference<T extends AnyRecord>(
  tx: Transaction,
  table: Table,
  { added, changed, removed }: Difference<T>,
  nextId: () => bigint,
): Promise<void> {
  await removeAll(tx, table, removed)
  const types = table.form.columns.map(({ type }) => type)
  await tx.runEach(
    bulk(table.sql.update, [...types, 'bigint']),
    changed.map((record) => [...table.form.toRow(record), record.id as bigint]),
  )
  await insertAll(
    tx,
    table,
    added.map((record) => ({ ...record, id: nextId() })),
  )
}

const interfacesText = groupWriter(device.fields.interfaces.fields)

async function writeNames(tx: Transaction, deviceId: bigint): Promise<void> {
  const rows = await tx.all(
    'select if_index, name, description from port where device_id = ? order by if_index',
    [deviceId],
  )
  const interfaces = rows.map((row) => ({
    ifIndex: row.if_index,
    ifDesc: portName({ name: String(row.name), description: String(row.description) }),
    basePort: null,
  }))
  await tx.run(
    'insert into device_port_names (id, interfaces) values (?, ?) on conflict (id) do update set interfaces = excluded.interfaces',
    [deviceId, interfacesText(interfaces)],
  )
}

async function removeOldChanges(tx: Transaction, deviceId: bigint): Promise<void> {
  const rows = await tx.all(
    `select id, kind, time from device_change where device_id = ? order by id desc limit 1000 offset ${keptChanges}`,
    [deviceId],
  )
  await removeAll(tx, deviceChanges.table, rows as AnyRecord[])
}

const asked = bulk('update device_facts set asked = ?, problem = ? where id = ?', [
  'bigint',
  'text',
  'bigint',
])

/** That devices were asked, and nothing has changed. */
export const writeAsked = (
  tx: Transaction,
  facts: readonly Pick<DeviceFacts, 'deviceId' | 'asked' | 'problem'>[],
): Promise<void> =>
  tx.runEach(
    asked,
    facts.map((one) => [one.asked, one.problem, one.deviceId]),
  )
