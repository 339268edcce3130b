// Fills stores with rows that look like a user's, fast: straight into the tables, many to a transaction.

import { blankAlarm } from '../src/alarms/engine/alarm-draft.ts'
import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { alarms } from '../src/resources/alarms/alarm.ts'
import { traps } from '../src/resources/alarms/trap.ts'
import { type Collection, createIn } from '../src/resources/collection.ts'
import { assignedIps } from '../src/resources/inventory/assigned-ip-info.ts'
import { assignedIpScopes } from '../src/resources/inventory/assigned-ip-scope.ts'
import { devices } from '../src/resources/inventory/device.ts'
import { macAccessBinds } from '../src/resources/inventory/mac-access-bind.ts'
import { complete } from '../src/schema/read-document.ts'
import type { AnyRecord, Resource } from '../src/schema/resource.ts'
import type { Database } from '../src/store/database.ts'
import { insert } from '../src/store/table.ts'

const perTransaction = 50_000

/** A new store whose IP segment 1 holds so many addresses, and which holds so many bindings. */
export const fillStore = (data: string, count: { ips: number; bindings: number }): Promise<void> =>
  inStore(data, async (database) => {
    const segment = { id: 1n, startIp: '10.0.0.0', endIp: '10.255.255.255', name: 'Campus' }
    await database.transaction((tx) => createIn(tx, assignedIpScopes, segment))
    await fill(database, assignedIps, count.ips, assignedIp)
    await fill(database, macAccessBinds, count.bindings, binding)
  })

/** A new store with so many alarms of 400 devices: one in twenty is open, each recovered one is a minute older than the next. */
export const fillAlarms = (data: string, count: number): Promise<void> =>
  inStore(data, async (database) => {
    await fill(database, devices, 400, deviceRow)
    await fill(database, alarms, count, (index) => alarmRow(index, count))
    await setCounters(database, { alarm: count, device: 1400 })
  })

/** A new store with so many kept traps of 400 devices, spread over six days; of every ten, one raised an alarm. */
export const fillTraps = (data: string, count: number): Promise<void> =>
  inStore(data, async (database) => {
    await fill(database, devices, 400, deviceRow)
    await fill(database, alarms, Math.ceil(count / 10), (index) => alarmRow(index, count / 10))
    await fill(database, traps, count, (index) => trapRow(index, count))
    await setCounters(database, { alarm: Math.ceil(count / 10), trap: count, device: 1400 })
  })

async function inStore(data: string, work: (database: Database) => Promise<void>): Promise<void> {
  const app = await startApp(readConfig({ data, listen: '127.0.0.1:0', traps: '127.0.0.1:0' }, {}))
  try {
    await work(app.database)
  } finally {
    await app.stop()
  }
}

async function setCounters(database: Database, counters: Readonly<Record<string, number>>): Promise<void> {
  const set =
    'insert into counter (name, value) values (?, ?) on conflict (name) do update set value = excluded.value'
  await database.transaction(async (tx) => {
    for (const [name, value] of Object.entries(counters)) await tx.run(set, [name, value])
  })
}

async function fill(
  database: Database,
  { resource, table }: Collection,
  count: number,
  make: (index: number) => AnyRecord,
): Promise<void> {
  for (let start = 0; start < count; start += perTransaction) {
    await database.transaction(async (tx) => {
      const end = Math.min(count, start + perTransaction)
      for (let index = start; index < end; index += 1) await insert(tx, table, rowOf(resource, make(index)))
    })
  }
}

/** What is not said is empty; what is kept beside the fields of the record stays. */
const rowOf = ({ fields }: Resource, row: AnyRecord): AnyRecord => ({ ...complete(fields, row), ...row })

const octets = (number: number) => [number >> 16, (number >> 8) & 255, number & 255]

const rackOf = (index: number) => String(Math.floor(index / 10)).padStart(6, '0')

/** Ten addresses share a name, so that a filter by name finds the same number in a table of any size. */
const assignedIp = (index: number): AnyRecord => ({
  id: BigInt(index + 1),
  ip: `10.${octets(index).join('.')}`,
  name: `rack-${rackOf(index)}`,
  description: `Server ${index % 10} of rack ${rackOf(index)}, hall B`,
  parentId: 1n,
})

const binding = (index: number): AnyRecord => ({
  id: BigInt(index + 1),
  terminalMac: ['00', '1b', '44', ...octets(index).map((octet) => octet.toString(16).padStart(2, '0'))].join(
    ':',
  ),
  terminalName: `terminal-${index}`,
  bindType: 2,
  maintainer: `operator-${index % 50}`,
  ifInfo: [{ deviceId: BigInt(index % 400), ifIndex: BigInt(index % 48) }],
})

const minute = 60_000
const newest = Date.now()

function alarmRow(index: number, count: number): AnyRecord {
  const isOpen = index % 20 === 0
  // No older than what is kept.
  const at = newest - Math.min(count - index, 400_000) * minute
  const ifIndex = Math.floor(index / 400) + 1
  const deviceId = BigInt((index % 400) + 1000)
  return {
    ...blankAlarm,
    id: BigInt(index + 1),
    OID: '1.3.6.1.6.3.1.1.5.3',
    originalType: 1,
    deviceId,
    deviceIp: `10.100.${(index % 400) >> 8}.${(index % 400) & 255}`,
    deviceName: `acc-${index % 400}`,
    alarmLevel: (index % 5) + 1,
    alarmCategory: 3,
    faultTime: at,
    recTime: isOpen ? 0 : at + minute,
    recStatus: isOpen ? 0 : 1,
    recUserName: isOpen ? '' : '$SYSTEM',
    ackTime: 0,
    ackStatus: 0,
    ackUserName: '',
    alarmDesc: `Interface GigabitEthernet1/0/${ifIndex} (index ${ifIndex}) is down`,
    paras: `*ifIndex=${ifIndex};ifAdminStatus=up;ifOperStatus=down`,
    parentId: 0n,
    somState: 0,
    isReceoverFault: 0,
    recoverFaultIdList: [],
    remark: null,
    eventName: 'linkDown',
    alarmType: '1.3.6.1.6.3.1.1.5.3',
    resource: `ifIndex=${ifIndex}`,
    repeats: 1n,
    lastTime: at,
  }
}

const deviceRow = (index: number): AnyRecord =>
  complete(devices.resource.fields, {
    id: BigInt(index + 1000),
    ip: `10.100.${index >> 8}.${index & 255}`,
    label: `acc-${index}`,
    zoneId: 1n,
    interfaces: Array.from({ length: 48 }, (_, port) => ({
      ifIndex: BigInt(port + 1),
      ifDesc: `GigabitEthernet1/0/${port + 1}`,
    })),
  })

const trapSpan = 6 * 24 * 60 * minute
const linkEvents = ['1.3.6.1.6.3.1.1.5.3', '1.3.6.1.6.3.1.1.5.4'] as const
const others = Array.from({ length: 40 }, (_, index) => `1.3.6.1.4.1.${9 + index}.9.43.2.0.${index + 1}`)

/** Every second one is about a link. */
function trapRow(index: number, count: number): AnyRecord {
  const device = (index * 7) % 400
  const ifIndex = (Math.floor(index / 400) % 48) + 1
  const isLink = index % 2 === 0
  const OID = isLink ? (linkEvents[(index / 2) % 2] ?? '') : (others[index % others.length] ?? '')
  const bin = index % 10 === 0 ? 'raised' : index % 10 === 2 ? 'recovered' : 'repeated'
  const column = (number: number, value: string, type: string) => ({
    oid: `1.3.6.1.2.1.2.2.1.${number}.${ifIndex}`,
    type,
    name: null,
    value,
  })
  return {
    id: BigInt(index + 1),
    receivedTime: newest - trapSpan + Math.floor((index * trapSpan) / count),
    sourceIp: `10.100.${device >> 8}.${device & 255}`,
    version: '2c',
    OID,
    deviceId: BigInt(device + 1000),
    eventName: isLink ? 'linkDown' : null,
    bin,
    reason: bin,
    alarmId: bin === 'raised' ? BigInt(index / 10 + 1) : null,
    variables: [
      column(1, String(ifIndex), 'Integer32'),
      column(7, '1', 'Integer32'),
      column(8, '2', 'Integer32'),
      column(2, `GigabitEthernet1/0/${ifIndex}`, 'OctetString'),
    ],
  }
}
