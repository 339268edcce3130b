// What discoveries have found: addresses that answer, or where something is, or that neighbours are named with. People accept
// them into the inventory.

import { list } from '../../schema/list.ts'
import { assigned, assignedSet, derived, empty, type RecordOf, resource } from '../../schema/resource.ts'
import { instant, ip, long, oid, text } from '../../schema/scalar.ts'
import { bulk, type Database, type Reader, type SqlValue, type Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { findAll, insertAll } from '../../store/table.ts'
import { addToTally } from '../../store/tally.ts'
import { allWithValues } from '../../store/where.ts'
import { collection, createIn } from '../collection.ts'
import { oneOf } from '../notify/gateway.ts'
import { deviceHeads, deviceIdsAt, devices } from './device.ts'
import { requireDiscovery } from './discovery.ts'

/** `named`: a neighbour is said to have this address, which was not asked. */
export const foundStates = ['answering', 'refusing', 'named'] as const

const word = text({ maxLength: 255 })

export const discovered = resource(
  'discovered',
  {
    id: assigned(long),
    discoveryId: assigned(long),
    ip: assigned(ip, { keyed: true }),
    state: assigned(oneOf(...foundStates)),
    reason: assigned(text({ maxLength: 20 }), empty),
    problem: assigned(text({ maxLength: 500 }), empty),
    /** The profile by which it was asked; 0: without one. */
    profileId: assigned(long),
    sysName: assigned(word, { ...empty, keyed: true }),
    sysDescription: assigned(text(), empty),
    sysOid: assigned(oid, empty),
    location: assigned(word, empty),
    serialNumber: assigned(word, empty),
    model: assigned(word, empty),
    software: assigned(word, empty),
    otherAddress: assignedSet(ip),
    namedBy: assigned(text(), empty),
    firstFound: assigned(instant),
    lastFound: assigned(instant),
    /** The device of the inventory that has the address. */
    deviceId: derived(long, { mayBeAbsent: true }),
    deviceName: derived(text(), empty),
  },
  { table: 'discovered', key: 'id' },
)
type Discovered = RecordOf<typeof discovered.fields>
/** As a run finds it. */
export type Found = Omit<
  Discovered,
  'id' | 'discoveryId' | 'firstFound' | 'lastFound' | 'deviceId' | 'deviceName'
>

export const discoveredList = collection({
  resource: discovered,
  noun: 'discovered device',
  list: list('/plat/discovered', discovered, {
    filters: ({ anyOf, anySpelling, wildcard }) => ({
      discoveryId: anyOf('discoveryId'),
      state: anyOf('state'),
      ip: anySpelling('ip'),
      sysName: wildcard('sysName'),
    }),
    orderBy: { ip: 'ip', id: 'id', sysName: 'sysName' },
    unindexed: true,
  }),
  rules: { show: showDevices },
})

async function showDevices(database: Database, records: Discovered[]): Promise<void> {
  const ids = await deviceIdsAt(
    database,
    records.map((record) => record.ip),
  )
  const heads = await deviceHeads(database, [...new Set(ids.values())])
  for (const record of records) {
    const id = ids.get(record.ip)
    if (id !== undefined) record.deviceId = id
    record.deviceName = heads.get(id ?? 0n)?.label ?? ''
  }
}

const knownFound = bulk('select id, ip, first_found from discovered where discovery_id = ? and ip = ?', [
  'bigint',
  'text',
])

/** Keeps what a run has found; what was found before keeps its id. */
export async function writeFound(
  tx: Transaction,
  discoveryId: bigint,
  found: readonly Found[],
): Promise<void> {
  const { table } = discoveredList
  const rows = await tx.allEach(
    knownFound,
    found.map((one) => [discoveryId, one.ip]),
  )
  const known = new Map(rows.map((row) => [String(row.ip), row]))
  const next = await openIds(tx, table.name)
  const records = found.map((one) => {
    const row = known.get(one.ip)
    const id = (row?.id as bigint | undefined) ?? next(table.name)
    const firstFound = row ? Number(row.first_found) : tx.now
    return { ...one, id, discoveryId, firstFound, lastFound: tx.now }
  })
  const isNew = (record: { readonly ip: string }) => !known.has(record.ip)
  await insertAll(tx, table, records.filter(isNew))
  const types = table.form.columns.map(({ type }) => type)
  await tx.runEach(
    bulk(table.sql.update, [...types, 'bigint']),
    records.filter((one) => !isNew(one)).map((one): SqlValue[] => [...table.form.toRow(one), one.id]),
  )
}

/** Removes what a run has not found again, or has found under another address. */
export async function removeNotFound(
  tx: Transaction,
  discoveryId: bigint,
  found: ReadonlySet<string>,
): Promise<void> {
  const rows = await tx.all('select id, ip from discovered where discovery_id = ?', [discoveryId])
  const gone = rows.filter((row) => !found.has(String(row.ip))).map((row) => [row.id as bigint])
  await tx.runEach(discoveredList.table.bulk.remove, gone)
  addToTally(tx, discoveredList.table, '', '', -gone.length)
}

export interface Accepted {
  readonly added: readonly bigint[]
  readonly remarks: readonly string[]
}

/** Adds to the inventory what was chosen of what a discovery has found. */
export async function acceptFound(
  tx: Transaction,
  discoveryId: bigint,
  ids: readonly bigint[],
): Promise<Accepted> {
  const { zoneId } = await requireDiscovery(tx, discoveryId)
  const all = (await findAll(tx, discoveredList.table, ids)) as Discovered[]
  const chosen = all.filter((one) => one.discoveryId === discoveryId)
  const added: bigint[] = []
  const remarks = ids
    .filter((id) => !chosen.some((one) => one.id === id))
    .map((id) => `discovery ${discoveryId} has found nothing with id ${id}`)
  for (const { ip: address, sysName, otherAddress } of chosen) {
    const taken = await deviceIdsAt(tx, [address, ...otherAddress])
    const owner = taken.get(address)
    if (owner !== undefined) {
      remarks.push(`${address} belongs to device ${owner} already`)
      continue
    }
    const others = otherAddress.filter((other) => !taken.has(other)).map((other) => ({ ip: other }))
    const draft = { ip: address, label: sysName || address, zoneId, otherAddress: others }
    added.push(await createIn(tx, devices, draft))
  }
  return { added, remarks }
}

/** What devices of the inventory say of themselves, by which they are recognised at another address. */
export async function factsByName(
  reader: Reader,
  nameKeys: readonly string[],
): Promise<
  {
    readonly sysName: string
    readonly sysOid: string
    readonly serialNumber: string
    readonly address: readonly string[]
  }[]
> {
  const rows = await allWithValues(
    reader,
    nameKeys,
    (marks) =>
      `select sys_name, sys_oid, serial_number, address from device_facts where sys_name_key in (${marks})`,
  )
  return rows.map((row) => ({
    sysName: String(row.sys_name),
    sysOid: String(row.sys_oid),
    serialNumber: String(row.serial_number),
    address: JSON.parse(String(row.address)) as string[],
  }))
}

/** Neighbours with an address that devices of the inventory have named. */
export async function namedNeighbours(reader: Reader): Promise<
  {
    readonly address: string
    readonly sysName: string
    readonly platform: string
    readonly namedBy: string
  }[]
> {
  const rows = await reader.all(
    "select neighbour.address, neighbour.sys_name, neighbour.platform, neighbour.port_name, device.label from neighbour join device on device.id = neighbour.device_id where neighbour.address <> '' order by neighbour.id limit 100000",
  )
  return rows.map((row) => ({
    address: String(row.address),
    sysName: String(row.sys_name),
    platform: String(row.platform),
    namedBy: `${row.label} ${row.port_name}`.trim(),
  }))
}
