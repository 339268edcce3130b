// Devices, with all addresses they send from.

import { Fault } from '../../fault.ts'
import { groupReader } from '../../schema/json.ts'
import { list } from '../../schema/list.ts'
import { complete } from '../../schema/read-document.ts'
import {
  assigned,
  derived,
  empty,
  groups,
  optional,
  type RecordOf,
  required,
  resource,
} from '../../schema/resource.ts'
import { ip, long, oid, text } from '../../schema/scalar.ts'
import { addressOf, defaultSpace, inSpace, spaceNumber, spaceOf } from '../../schema/space.ts'
import { bulk, type Database, type Reader, type Transaction } from '../../store/database.ts'
import { find, findAll, insertAll, update } from '../../store/table.ts'
import { allWithValues } from '../../store/where.ts'
import { auditChange } from '../access/audit-entry.ts'
import { collection } from '../collection.ts'
import {
  checkLinks,
  childrenOf,
  forgetLinks,
  parentLinks,
  requireNoCircle,
  writeLinks,
} from './device-links.ts'
import { deviceStatus, Statuses, statusWord } from './device-status.ts'
import { forgetLearnt } from './learnt-rows.ts'
import { defaultZone, requireZone } from './zone.ts'

export const device = resource(
  'device',
  {
    id: assigned(long),
    ip: required(ip, { keyed: true }),
    label: required(text(), { keyed: true }),
    mask: optional(ip, empty),
    status: derived(deviceStatus),
    statusDesc: derived(text()),
    sysName: optional(text(), { ...empty, keyed: true }),
    sysDescription: optional(text(), empty),
    sysOid: optional(oid, empty),
    location: optional(text(), empty),
    contact: optional(text(), empty),
    typeName: optional(text(), empty),
    zoneId: optional(long),
    /** The space of all its addresses; absent for the default one. */
    space: optional(spaceNumber),
    /** `basePort`: its number as a port of the bridge (dot1dBasePort), by which some notifications name it. */
    interfaces: groups({ ifIndex: required(long), ifDesc: required(text()), basePort: optional(long) }),
    otherAddress: groups({ ip: required(ip) }),
    /** The devices through which it is reached. */
    parent: parentLinks,
  },
  {
    table: 'device',
    key: 'id',
    ignored: [
      ...['link', 'symbolId', 'symbolName', 'symbolType', 'symbolDesc', 'symbolLevel', 'parentId'],
      ...['categoryId', 'topoIconName', 'devCategoryImgSrc'],
    ],
  },
)

export type Device = RecordOf<typeof device.fields>

const addressesOf = (record: Device) => [record.ip, ...record.otherAddress.map((other) => other.ip)]

async function requireFree(tx: Transaction, record: Device): Promise<void> {
  for (const [index, address] of addressesOf(record).entries()) {
    const [other] = await tx.all(
      'select device_id from device_address where ip = ? and space = ? and device_id <> ?',
      [address, record.space ?? defaultSpace, record.id],
    )
    if (other) {
      const where = record.space ? ` in space ${record.space}` : ''
      throw new Fault('conflict', `address ${address} belongs to device ${other.device_id} already${where}`, {
        field: index === 0 ? 'ip' : `otherAddress[${index}]/ip`,
      })
    }
  }
}

export const devices = collection({
  resource: device,
  noun: 'device',
  list: list('/plat/res/device', device, {
    filters: ({ wildcard, anySpelling, equals, anyOf }) => ({
      id: anyOf('id'),
      ip: anySpelling('ip'),
      label: wildcard('label'),
      sysName: wildcard('sysName'),
      zoneId: equals('zoneId'),
      space: equals('space', { missing: defaultSpace }),
    }),
    orderBy: { id: 'id', ip: 'ip', label: 'label', sysName: 'sysName' },
  }),
  touchedTables: [
    { name: 'zone', key: ['id'] },
    { name: 'device_address', key: ['ip', 'space'] },
    { name: 'device_parent', key: ['device_id', 'position'] },
  ],
  rules: {
    check(record) {
      const addresses = addressesOf(record)
      const seen = new Set<string>()
      for (const [index, address] of addresses.entries()) {
        if (seen.has(address)) {
          const field = `otherAddress[${index}]/ip`
          throw new Fault('invalid', `address ${address} is given twice`, { field })
        }
        seen.add(address)
      }
      checkLinks(record)
    },
    async saving(tx, record) {
      record.zoneId ??= defaultZone
      if (record.space === defaultSpace) record.space = null
      await requireZone(tx, record.zoneId)
      await requireFree(tx, record)
      await requireNoCircle(tx, record)
    },
    async saved(tx, record) {
      await writeLinks(tx, record)
      await tx.run('delete from device_address where device_id = ?', [record.id])
      await tx.runEach(
        addressRow,
        addressesOf(record).map((address) => [address, record.space ?? defaultSpace, record.id]),
      )
    },
    async deleting(tx, { id }) {
      await tx.run('delete from device_address where device_id = ?', [id])
      await tx.run('delete from device_parent where device_id = ?', [id])
      await forgetLearnt(tx, id)
      await forgetLinks(tx, id)
      await letGo(tx, id)
    },
    show: showStatus,
  },
})

/** The devices with these ids, and a warning for each id that has none. */
export async function lookUpDevices(
  reader: Reader,
  ids: readonly bigint[],
): Promise<{ readonly known: ReadonlyMap<bigint, Device>; readonly remarks: string[] }> {
  const named = [...new Set(ids)]
  const found = (await findAll(reader, devices.table, named)) as Device[]
  const known = new Map(found.map((one) => [one.id, one]))
  return {
    known,
    remarks: named.filter((id) => !known.has(id)).map((id) => `device ${id} does not exist`),
  }
}

/** What identifies a device to people. */
export type DeviceHead = Pick<Device, 'id' | 'ip' | 'label'> & { readonly zoneId: bigint }

/** Those after an id, in the order of their ids; of one zone, where it is named. */
export async function readHeadsAfter(
  reader: Reader,
  after: bigint,
  limit: number,
  zoneId?: bigint,
): Promise<DeviceHead[]> {
  const rows = await reader.all(
    `select id, ip, label, zone_id from device where id > ?${zoneId === undefined ? '' : ' and zone_id = ?'} order by id limit ${limit}`,
    [after, ...(zoneId === undefined ? [] : [zoneId])],
  )
  return rows.map((row) => ({
    id: row.id as bigint,
    ip: String(row.ip),
    label: String(row.label),
    zoneId: row.zone_id as bigint,
  }))
}

/** The heads of very many devices: their interfaces, which are most of a record, are not read. */
export async function deviceHeads(reader: Reader, ids: readonly bigint[]): Promise<Map<bigint, DeviceHead>> {
  const rows = await allWithValues(
    reader,
    ids,
    (marks) => `select id, ip, label, zone_id from device where id in (${marks})`,
  )
  return new Map(
    rows.map((row) => {
      const id = row.id as bigint
      return [id, { id, ip: String(row.ip), label: String(row.label), zoneId: row.zone_id as bigint }]
    }),
  )
}

/** The main addresses of all devices, their spaces and their zones. */
export async function deviceAddresses(
  database: Database,
): Promise<{ readonly id: bigint; readonly ip: string; readonly space: number; readonly zoneId: bigint }[]> {
  const rows = await database.values('select id, ip, space, zone_id from device', [], true)
  return rows.map(([id, ip, space, zoneId]) => ({
    ...{ id: id as bigint, ip: String(ip), space: Number(space ?? defaultSpace), zoneId: zoneId as bigint },
  }))
}

/** All addresses of all devices of a space, the main ones and others. */
export async function allAddresses(database: Database, space: number): Promise<Set<string>> {
  const rows = await database.values('select ip from device_address where space = ?', [space], true)
  return new Set(rows.map(([ip]) => String(ip)))
}

const columns = devices.table.form.shown.replaceAll(/\w+/g, 'device.$&')
const byAddress = bulk(
  `select device_address.ip as address, device_address.space as in_space, ${columns} from device_address join device on device.id = device_address.device_id where device_address.ip = ? and device_address.space = ?`,
  ['text', 'integer'],
)

/** The device that has this address in the default space, with its interfaces as they are stored. */
export async function deviceTextAt(
  reader: Reader,
  address: string,
): Promise<{ id: bigint; ip: string; label: string; interfaces: string } | undefined> {
  const [row] = await reader.all(
    'select device.id, device.ip, device.label, device.interfaces from device_address join device on device.id = device_address.device_id where device_address.ip = ? and device_address.space = ?',
    [address, defaultSpace],
  )
  if (!row) return undefined
  const text = (column: string) => String(row[column])
  return { id: row.id as bigint, ip: text('ip'), label: text('label'), interfaces: text('interfaces') }
}

/** Interfaces from the text in which they are stored. */
export const interfacesIn = groupReader(device.fields.interfaces.fields) as (
  text: string,
) => Device['interfaces']

/** The devices that have these addresses, each by the address; of a space other than the default, as `inSpace` writes it. */
export async function findByAddress(
  tx: Transaction,
  addresses: readonly string[],
): Promise<Map<string, Device>> {
  const rows = await tx.allEach(
    byAddress,
    addresses.map((spaced) => [addressOf(spaced), spaceOf(spaced)]),
  )
  return new Map(
    rows.map((row) => [
      inSpace(String(row.address), Number(row.in_space)),
      devices.table.form.toRecord(row) as Device,
    ]),
  )
}

const addressRow = bulk('insert into device_address (ip, space, device_id) values (?, ?, ?)', [
  ...(['text', 'integer', 'bigint'] as const),
])

/** Adds devices of which nothing is known but an address, written as by `inSpace`, that no other device has. */
export async function register(tx: Transaction, found: ReadonlyMap<string, bigint>): Promise<void> {
  const records = Array.from(found, ([spaced, id]) => {
    const space = spaceOf(spaced) || null
    return complete(device.fields, { id, ip: addressOf(spaced), label: spaced, zoneId: defaultZone, space })
  })
  await insertAll(tx, devices.table, records)
  const rows = Array.from(found, ([spaced, id]) => [addressOf(spaced), spaceOf(spaced), id])
  await tx.runEach(addressRow, rows)
}

/** Links to a deleted device are removed. */
async function letGo(tx: Transaction, id: bigint): Promise<void> {
  for (const childId of await childrenOf(tx, id)) {
    const before = (await find(tx, devices.table, childId)) as Device | undefined
    if (!before) continue
    const record = { ...before, parent: before.parent.filter(({ deviceId }) => deviceId !== id) }
    await update(tx, devices.table, childId, before, record)
    await writeLinks(tx, record)
    await auditChange(tx, 'modify', device, childId, before, record)
  }
}

async function showStatus(database: Database, records: Device[]): Promise<void> {
  if (records.length === 0) return
  const statuses = await Statuses.read(
    database,
    records.map(({ id }) => id),
  )
  for (const record of records) {
    const status = statuses.of(record.id)
    record.status = status
    record.statusDesc = statusWord(status)
  }
}

/** All addresses of a device, written as by `inSpace`; none if it does not exist. */
export async function addressesOfDevice(reader: Reader, id: bigint): Promise<string[]> {
  const rows = await reader.all('select ip, space from device_address where device_id = ? order by ip', [id])
  return rows.map(({ ip, space }) => inSpace(String(ip), Number(space)))
}

/** Which device has each of these addresses, written as by `inSpace`; addresses of none are missing. */
export async function deviceIdsAt(
  reader: Reader,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await allWithValues(
    reader,
    [...new Set(addresses.map(addressOf))],
    (marks) => `select ip, space, device_id from device_address where ip in (${marks})`,
  )
  const asked = new Set(addresses)
  const found = rows.map(
    (row) => [inSpace(String(row.ip), Number(row.space)), row.device_id as bigint] as const,
  )
  return new Map(found.filter(([spaced]) => asked.has(spaced)))
}

/** The device that has an address in a space, its main one or another. */
export async function deviceAt(
  reader: Reader,
  address: string,
  space = defaultSpace,
): Promise<bigint | null> {
  const [row] = await reader.all('select device_id from device_address where ip = ? and space = ?', [
    address,
    space,
  ])
  return (row?.device_id as bigint | undefined) ?? null
}
