// The kinds of devices there are, as programs of the iMC interface list them: vendors, categories, series and models.

import { crc32 } from 'node:zlib'
import type { Database } from '../../store/database.ts'

export interface DeviceKind {
  readonly id: bigint
  readonly name: string
}

/** By their numbers at IANA, of those whose devices are met most often. */
const vendorNames: Readonly<Record<string, string>> = {
  2: 'IBM',
  9: 'Cisco',
  11: 'HP',
  43: '3Com',
  45: 'Avaya',
  171: 'D-Link',
  193: 'Ericsson',
  207: 'Allied Telesis',
  311: 'Microsoft',
  318: 'APC',
  476: 'Vertiv',
  534: 'Eaton',
  674: 'Dell',
  890: 'Zyxel',
  1588: 'Brocade',
  1916: 'Extreme Networks',
  2011: 'Huawei',
  2620: 'Check Point',
  2636: 'Juniper Networks',
  3375: 'F5 Networks',
  3902: 'ZTE',
  4526: 'NETGEAR',
  4881: 'Ruijie',
  5951: 'Citrix',
  6486: 'Alcatel-Lucent Enterprise',
  6527: 'Nokia',
  6876: 'VMware',
  8072: 'Net-SNMP',
  11863: 'TP-Link',
  12356: 'Fortinet',
  14823: 'Aruba',
  14988: 'MikroTik',
  25461: 'Palo Alto Networks',
  25506: 'H3C',
  30065: 'Arista',
  41112: 'Ubiquiti',
  47196: 'HPE Aruba Networking',
}

/** With the numbers of iMC, and the words by which a type that people typed in belongs to one; the first that fits counts. */
const categories: readonly (readonly [id: number, name: string, words: RegExp | undefined])[] = [
  [3, 'Security', /firewall|security|\bvpn\b/i],
  [5, 'Wireless', /access point|wireless|wlan|wi-?fi|\bap\b/i],
  [6, 'Voice', /voice|phone|\bpbx\b/i],
  [1, 'Switches', /switch/i],
  [0, 'Routers', /router|gateway/i],
  [4, 'Storage', /storage|\bnas\b|\bsan\b/i],
  [2, 'Servers', /server/i],
  [7, 'Printers', /printer/i],
  [8, 'UPS', /\bups\b|power/i],
  [9, 'Desktops', /desktop|\bpc\b|workstation/i],
  [10, 'Others', undefined],
]

export const deviceCategories = (): DeviceKind[] =>
  categories.map(([id, name]) => ({ id: BigInt(id), name })).toSorted(byId)

/** The category of a device, by the type that people typed in; undefined where there is none. */
export function categoryOf(typeName: string | null | undefined): number | undefined {
  if (!typeName) return undefined
  return categories.find(([, , words]) => words?.test(typeName) ?? true)?.[0]
}

const byId = (a: DeviceKind, b: DeviceKind) => (a.id < b.id ? -1 : 1)

/** An id that stays the same: nothing is stored. */
const idOf = (name: string) => BigInt(crc32(name) & 0x7fff_ffff)

const maxKinds = 10_000
const enterprises = '1.3.6.1.4.1.'

const enterpriseOf = (oid: string) =>
  oid.startsWith(enterprises) ? oid.slice(enterprises.length).split('.')[0] : undefined

/** Well-known ones, and those of devices. */
export async function deviceVendors(database: Database): Promise<DeviceKind[]> {
  const rows = await database.readInBackground(
    `select distinct sys_oid as oid from device_facts union select distinct sys_oid from device where sys_oid is not null limit ${maxKinds}`,
    [],
  )
  const numbers = new Set([...Object.keys(vendorNames), ...rows.map(({ oid }) => enterpriseOf(String(oid)))])
  return [...numbers]
    .filter((number) => number !== undefined && /^\d{1,10}$/.test(number))
    .map((number) => ({
      id: BigInt(number as string),
      name: vendorNames[number as string] ?? `Enterprise ${number}`,
    }))
    .toSorted(byId)
}

/** The types that people typed in. */
export async function deviceSeries(database: Database): Promise<DeviceKind[]> {
  const rows = await database.readInBackground(
    `select distinct type_name as name from device where type_name is not null and type_name <> '' limit ${maxKinds}`,
    [],
  )
  return named(rows.map(({ name }) => String(name)))
}

/** The models that devices name themselves. */
export async function deviceModels(
  database: Database,
): Promise<(DeviceKind & { readonly sysOid: string })[]> {
  const rows = await database.readInBackground(
    `select model, min(sys_oid) as oid from device_facts where model <> '' group by model limit ${maxKinds}`,
    [],
  )
  const oids = new Map(rows.map(({ model, oid }) => [String(model), String(oid)]))
  return named([...oids.keys()]).map((one) => ({ ...one, sysOid: oids.get(one.name) ?? '' }))
}

const named = (names: readonly string[]) => names.map((name) => ({ id: idOf(name), name })).toSorted(byId)
