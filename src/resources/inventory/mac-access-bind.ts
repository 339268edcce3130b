// Terminal access bindings: where a terminal may be connected.

import { Fault } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import {
  assigned,
  empty,
  groups,
  optional,
  type RecordOf,
  required,
  resource,
} from '../../schema/resource.ts'
import { int, long, mac, text } from '../../schema/scalar.ts'
import { bulk, type Reader, type Transaction } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import { collection, requireUnique } from '../collection.ts'
import { lookUpDevices } from './device.ts'
import { reassess } from './terminal.ts'
import { bindType, boundToInterfaces } from './terminal-standing.ts'
import { zoneOfDevice } from './zone.ts'

/** IEEE 802.1Q: 0 and 4095 are no VLANs. */
const vlanNumber = int({ min: 1, max: 4094 })

export const macAccessBind = resource(
  'macAccessBind',
  {
    id: assigned(long),
    terminalMac: required(mac, { keyed: true }),
    terminalName: optional(text(), { ...empty, keyed: true }),
    bindType: required(bindType),
    maintainer: optional(text(), { ...empty, keyed: true }),
    ifInfo: groups({ deviceId: required(long), ifIndex: required(long) }),
    /** The VLAN in which a switch is to put the terminal. */
    vlan: optional(vlanNumber),
  },
  { table: 'mac_access_bind', key: 'id' },
)

export type Binding = RecordOf<typeof macAccessBind.fields>

/** The bound interfaces once more, row by row: the list is filtered by them. */
const interfaces = { table: 'mac_access_bind_interface', link: 'bind_id' }

/** The last bit of the first pair marks a group; broadcast is a group of all. */
function requireOneTerminal(terminalMac: string): void {
  if (Number.parseInt(terminalMac.slice(0, 2), 16) % 2 === 0) return
  throw new Fault('invalid', `${terminalMac} is a group address: expected the address of one terminal`, {
    field: 'terminalMac',
  })
}

function check({ terminalMac, bindType, ifInfo }: Binding): void {
  requireOneTerminal(terminalMac)
  if (bindType !== boundToInterfaces && ifInfo.length > 0) {
    throw new Fault('invalid', 'ifInfo belongs to bindType 2 (MAC-to-interface binding) only', {
      field: 'ifInfo',
    })
  }
  if (bindType === boundToInterfaces && ifInfo.length === 0) {
    throw new Fault('invalid', 'bindType 2 needs at least one ifInfo with deviceId and ifIndex', {
      field: 'ifInfo',
    })
  }
  const seen = new Set<string>()
  for (const [index, { deviceId, ifIndex }] of ifInfo.entries()) {
    for (const [name, value] of Object.entries({ deviceId, ifIndex })) {
      if (value >= 0n) continue
      throw new Fault('invalid', `${value} is not accepted: expected a number that is not negative`, {
        field: `ifInfo[${index + 1}]/${name}`,
      })
    }
    const key = `${deviceId}/${ifIndex}`
    if (seen.has(key)) {
      throw new Fault('invalid', `interface ${ifIndex} of device ${deviceId} is given twice`, {
        field: `ifInfo[${index + 1}]`,
      })
    }
    seen.add(key)
  }
}

/** A binding may exist before its device does. */
export async function bindingWarnings(reader: Reader, { ifInfo }: Binding): Promise<string[]> {
  const { known, remarks } = await lookUpDevices(
    reader,
    ifInfo.map(({ deviceId }) => deviceId),
  )
  const interfaces = new Map(
    [...known].map(([id, device]) => [id, new Set(device.interfaces.map(({ ifIndex }) => ifIndex))]),
  )
  const unknown = ifInfo.filter(({ deviceId, ifIndex }) => interfaces.get(deviceId)?.has(ifIndex) === false)
  return [
    ...remarks,
    ...unknown.map(({ deviceId, ifIndex }) => `device ${deviceId} has no interface ${ifIndex}`),
  ]
}

export const macAccessBinds = collection({
  resource: macAccessBind,
  noun: 'binding',
  list: list('/res/access/macAccessBind', macAccessBind, {
    filters: ({ wildcard, macPart, equals, member, through }) => ({
      // As a switch shows it; the body takes one notation only.
      terminalMac: macPart('terminalMac'),
      terminalName: wildcard('terminalName'),
      bindType: equals('bindType'),
      deviceId: member(interfaces, 'device_id', long),
      ifIndex: member(interfaces, 'if_index', long),
      maintainer: wildcard('maintainer'),
      // Bound to an interface of a device in the zone.
      zoneId: through('device_id', zoneOfDevice, long, interfaces),
    }),
    orderBy: { id: 'id', terminalMac: 'terminalMac', terminalName: 'terminalName' },
    counted: ['bindType'],
  }),
  touchedTables: [
    { name: 'mac_access_bind_interface', key: ['bind_id', 'device_id', 'if_index'] },
    { name: 'terminal', key: ['id'] },
  ],
  rules: {
    adapt(draft) {
      // Changing a binding to "no authentication" removes its interfaces.
      if (draft.bindType !== boundToInterfaces && draft.ifInfo === undefined) draft.ifInfo = []
    },
    check,
    async saving(tx, { id, terminalMac }, before) {
      const unique = {
        table: 'mac_access_bind',
        column: 'terminal_mac_key',
        field: 'terminalMac',
        noun: 'binding',
      }
      await requireUnique(tx, unique, terminalMac, id)
      if (before && before.terminalMac !== terminalMac) await reassess(tx, before.terminalMac, undefined)
    },
    async saved(tx, record) {
      const { id, ifInfo } = record
      await tx.run('delete from mac_access_bind_interface where bind_id = ?', [id])
      for (const { deviceId, ifIndex } of ifInfo) {
        await tx.run(
          'insert into mac_access_bind_interface (bind_id, device_id, if_index) values (?, ?, ?)',
          [id, deviceId, ifIndex],
        )
      }
      await reassess(tx, record.terminalMac, record)
    },
    async deleting(tx, { id, terminalMac }) {
      await tx.run('delete from mac_access_bind_interface where bind_id = ?', [id])
      await reassess(tx, terminalMac, undefined)
    },
  },
})

const { form } = macAccessBinds.table
const byMac = `select ${form.shown} from mac_access_bind where terminal_mac_key = ?`
const byEachMac = bulk(byMac, ['text'])

/** The binding of a terminal. */
export async function bindingOf(reader: Reader, mac: string): Promise<Binding | undefined> {
  const [row] = await reader.all(byMac, [mac])
  return row && (form.toRecord(row) as Binding)
}

export async function bindingsOf(tx: Transaction, macs: readonly string[]): Promise<Map<string, Binding>> {
  const rows = await tx.allEach(
    byEachMac,
    macs.map((mac) => [mac]),
  )
  return new Map(rows.map((row) => [String(row.terminal_mac), form.toRecord(row) as Binding]))
}

/** A terminal at an interface that it is bound to. */
export interface BoundTerminal {
  readonly terminalMac: string
  readonly terminalName: string
  readonly maintainer: string
  readonly deviceId: bigint
  readonly ifIndex: bigint
}

/** The terminals bound to interfaces of devices; one that is bound to several of them is returned once. */
export async function terminalsBoundTo(
  reader: Reader,
  deviceIds: readonly bigint[],
): Promise<BoundTerminal[]> {
  const rows = await allWithValues(
    reader,
    deviceIds,
    (marks) =>
      `select b.id, b.terminal_mac, b.terminal_name, b.maintainer, i.device_id, i.if_index
       from mac_access_bind_interface i join mac_access_bind b on b.id = i.bind_id
       where i.device_id in (${marks}) order by i.device_id, i.if_index, b.id`,
  )
  const found = new Map<bigint, BoundTerminal>()
  for (const row of rows) {
    if (found.has(row.id as bigint)) continue
    found.set(row.id as bigint, {
      terminalMac: String(row.terminal_mac),
      terminalName: String(row.terminal_name ?? ''),
      maintainer: String(row.maintainer ?? ''),
      deviceId: row.device_id as bigint,
      ifIndex: row.if_index as bigint,
    })
  }
  return [...found.values()]
}
