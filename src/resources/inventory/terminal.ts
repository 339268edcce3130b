// Terminals that were seen: where each is and was. The service records them; callers cannot create them.

import { Fault } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import { assigned, derived, empty, optional, type RecordOf, resource } from '../../schema/resource.ts'
import { anyMac, bool, instant, int, ip, long, text } from '../../schema/scalar.ts'
import { bulk, type Database, type Reader, type Transaction } from '../../store/database.ts'
import { find, removeAll, setColumns, update } from '../../store/table.ts'
import { allWithValues } from '../../store/where.ts'
import { audit } from '../access/audit-entry.ts'
import { collection } from '../collection.ts'
import { forgetMac } from './learnt-stations.ts'
import { standing } from './terminal-standing.ts'
import { zoneOfDevice } from './zone.ts'

const word = text({ maxLength: 100 })

/** Where it is, or was, and for how long. */
const stay = {
  terminalMac: assigned(anyMac),
  /** From its binding. */
  terminalName: derived(text(), empty),
  maintainer: derived(text(), empty),
  /** 0: no device has the address. */
  deviceId: assigned(long),
  deviceIp: assigned(ip),
  deviceName: derived(text(), empty),
  /** Absent if it could not be determined from the device's request. */
  ifIndex: optional(long, empty),
  port: optional(text(), empty),
  ip: optional(ip, { ...empty, keyed: true }),
  vlan: optional(int(), empty),
  since: assigned(instant),
  lastTime: assigned(instant),
}

export const terminal = resource(
  'terminal',
  {
    id: assigned(long),
    ...stay,
    /** How it was last seen: authorize, accounting or trap. */
    source: assigned(word),
    present: assigned(bool),
    bound: assigned(bool),
    violation: assigned(bool),
    /** Of the last decision about it. */
    reason: optional(word, empty),
  },
  { table: 'terminal', key: 'id' },
)

export const terminalStay = resource(
  'terminalStay',
  { id: assigned(long), ...stay },
  { table: 'terminal_stay', key: 'id' },
)

export type Terminal = RecordOf<typeof terminal.fields>
export type TerminalStay = RecordOf<typeof terminalStay.fields>

export const terminals = collection({
  resource: terminal,
  noun: 'terminal',
  list: list('/res/access/terminal', terminal, {
    filters: ({ equals, anySpelling, macPart, period, through }) => ({
      terminalMac: macPart('terminalMac'),
      deviceId: equals('deviceId'),
      ifIndex: equals('ifIndex'),
      ip: anySpelling('ip'),
      present: equals('present'),
      bound: equals('bound'),
      violation: equals('violation'),
      startTime: period('lastTime', 'from'),
      endTime: period('lastTime', 'until'),
      zoneId: through('device_id', zoneOfDevice, long),
    }),
    orderBy: { id: 'id', terminalMac: 'terminalMac', ip: 'ip', lastTime: 'lastTime' },
    unindexed: true,
  }),
  rules: { show: showNames },
})

export const terminalStays = collection({
  resource: terminalStay,
  noun: 'stay of a terminal',
  list: list('/res/access/terminalStay', terminalStay, {
    filters: ({ equals, anySpelling, macPart, period }) => ({
      terminalMac: macPart('terminalMac'),
      deviceId: equals('deviceId'),
      ifIndex: equals('ifIndex'),
      ip: anySpelling('ip'),
      startTime: period('lastTime', 'from'),
      endTime: period('since', 'until'),
    }),
    orderBy: { id: 'id', since: 'since' },
    descendingWithoutOrder: true,
    unindexed: true,
  }),
  rules: { show: showNames },
})

/** Names are looked up when they are shown: they change without the terminal being seen. */
async function showNames(database: Database, records: (Terminal | TerminalStay)[]): Promise<void> {
  const macs = [...new Set(records.map(({ terminalMac }) => terminalMac))]
  const bindings = await allWithValues(
    database,
    macs,
    (marks) =>
      `select terminal_mac, terminal_name, maintainer from mac_access_bind where terminal_mac_key in (${marks})`,
  )
  const ids = [...new Set(records.map(({ deviceId }) => deviceId))]
  const devices = await allWithValues(
    database,
    ids,
    (marks) => `select id, label from device where id in (${marks})`,
  )
  const byMac = new Map(bindings.map((row) => [row.terminal_mac, row]))
  const labels = new Map(devices.map((row) => [row.id, String(row.label)]))
  for (const record of records) {
    const binding = byMac.get(record.terminalMac)
    record.terminalName = String(binding?.terminal_name ?? '')
    record.maintainer = String(binding?.maintainer ?? '')
    record.deviceName = labels.get(record.deviceId) ?? ''
  }
}

const { form } = terminals.table
const byMac = bulk(`select ${form.shown} from terminal where terminal_mac = ?`, ['text'])

/** Those of them that were seen, by their MAC address. */
export async function terminalsOf(tx: Transaction, macs: readonly string[]): Promise<Map<string, Terminal>> {
  const rows = await tx.allEach(
    byMac,
    macs.map((mac) => [mac]),
  )
  return new Map(rows.map((row) => [String(row.terminal_mac), form.toRecord(row) as Terminal]))
}

/** Those that are at a device now. */
export async function presentAt(reader: Reader, deviceId: bigint, deviceIp: string): Promise<Terminal[]> {
  const sql = `select ${form.shown} from terminal where device_id = ? and device_ip = ? and present = 1`
  const rows = await reader.all(sql, [deviceId, deviceIp])
  return rows.map((row) => form.toRecord(row) as Terminal)
}

/** All that is stored of a terminal, for many at once. */
export const terminalChanged = setColumns(
  terminals.table,
  form.columns.map(({ name }) => `${name} = ?`).join(', '),
  form.columns.map(({ type }) => type),
)

/** Called when a binding has changed: decides again whether the terminal may be where it is. */
export async function reassess(
  tx: Transaction,
  terminalMac: string,
  binding: Parameters<typeof standing>[0],
): Promise<void> {
  const before = (await terminalsOf(tx, [terminalMac])).get(terminalMac)
  if (!before) return
  const violation = standing(binding, before) === 'elsewhere'
  const record = { ...before, bound: binding !== undefined, violation }
  await update(tx, terminals.table, before.id, before, record)
}

/** Erases a terminal with its history. The audit log records that it was done, but none of the data. */
export async function forgetTerminal(tx: Transaction, id: bigint): Promise<void> {
  const record = (await find(tx, terminals.table, id)) as Terminal | undefined
  if (!record) throw new Fault('gone', `terminal ${id} does not exist`)
  const { terminalMac } = record
  const rows = await tx.all(
    `select ${terminalStays.table.form.shown} from terminal_stay where terminal_mac = ?`,
    [terminalMac],
  )
  await removeAll(tx, terminalStays.table, rows.map(terminalStays.table.form.toRecord))
  await removeAll(tx, terminals.table, [record])
  await forgetMac(tx, terminalMac)
  await audit(tx, {
    action: 'erase',
    resource: terminal.name,
    id,
    detail: `with ${rows.length} earlier stays`,
  })
}
