// What NetBox says of sites, devices, their addresses and their cables, in the words of this inventory.

import { isIP } from 'node:net'
import { ip } from '../../schema/scalar.ts'
import { type NetBoxPlace, type NetBoxRecord, readNetBox } from './netbox-api.ts'

export interface NetBoxDevice {
  readonly name: string
  readonly ip: string
  readonly site: string
  readonly location: string
  readonly type: string
  readonly otherAddress: readonly string[]
}

export interface CableEnd {
  readonly device: string
  readonly port: string
}

export interface NetBoxInventory {
  /** Their names. */
  readonly sites: readonly string[]
  readonly devices: readonly NetBoxDevice[]
  readonly cables: readonly (readonly [CableEnd, CableEnd])[]
  /** Why some are left out, in sentences. */
  readonly skipped: readonly string[]
}

/** Devices that are in operation, or soon. */
const usedStatus = new Set(['active', 'staged', 'failed'])

export async function readInventory(place: NetBoxPlace): Promise<NetBoxInventory> {
  const [sites, devices, addresses, cables] = [
    await readNetBox(place, 'dcim/sites'),
    await readNetBox(place, 'dcim/devices'),
    await readNetBox(place, 'ipam/ip-addresses'),
    await readNetBox(place, 'dcim/cables'),
  ]
  return inventoryOf(sites, devices, addresses, cables)
}

type Records = readonly NetBoxRecord[]

export function inventoryOf(
  sites: Records,
  devices: Records,
  addresses: Records,
  cables: Records,
): NetBoxInventory {
  const skips = new Skips()
  const owned = Map.groupBy(addresses, (one) => idOf(partOf(one, 'assigned_object', 'device')))
  const vrfs = new Map(addresses.map((one) => [one.id, idOf(partOf(one, 'vrf'))]))
  const kept = devices.flatMap((one) => {
    const device = deviceOf(one, owned.get(one.id as number) ?? [], vrfs, skips)
    return device ? [device] : []
  })
  const single = withoutTwins(kept, skips)
  const known = new Set(single.map(({ name }) => name))
  return {
    sites: sites.map(nameOf).filter((name) => name !== ''),
    devices: single,
    cables: cables.flatMap((one) => cableOf(one, known)),
    skipped: skips.sentences(),
  }
}

function deviceOf(
  record: NetBoxRecord,
  addresses: Records,
  vrfs: ReadonlyMap<unknown, number | undefined>,
  skips: Skips,
): NetBoxDevice | undefined {
  const name = nameOf(record)
  const status = textIn(record, 'status', 'value')
  if (!usedStatus.has(status)) return skips.add('not in operation', name || `device ${record.id}`)
  if (name === '') return skips.add('without a name', `device ${record.id}`)
  const primary =
    partOf(record, 'primary_ip') ?? partOf(record, 'primary_ip4') ?? partOf(record, 'primary_ip6')
  const own = addressOf(primary)
  if (own === undefined) return skips.add('without a primary address', name)
  const vrf = vrfs.get(idOf(primary))
  const others = addresses
    // Those of another VRF belong to another network.
    .filter((one) => idOf(partOf(one, 'vrf')) === vrf)
    .flatMap((one) => addressOf(one) ?? [])
  const site = nameOf(partOf(record, 'site'))
  const place = [nameOf(partOf(record, 'location')), nameOf(partOf(record, 'rack'))]
  return {
    ...{ name, ip: own, site },
    location: [site, ...place].filter((one) => one !== '').join(', '),
    type: nameOf(partOf(record, 'role') ?? partOf(record, 'device_role')),
    otherAddress: [...new Set(others)].filter((one) => one !== own).toSorted(),
  }
}

/** An address names one device, and a name as well: of several, the first is kept. */
function withoutTwins(devices: readonly NetBoxDevice[], skips: Skips): NetBoxDevice[] {
  const taken = new Set<string>()
  const isFirst = (key: string) => !taken.has(key) && taken.add(key)
  const single = devices.filter(({ name, ip: own }) => {
    const hasTwin = taken.has(own) || taken.has(name.toLowerCase())
    if (hasTwin) skips.add('with a name or a primary address that another device has', name)
    else for (const key of [own, name.toLowerCase()]) taken.add(key)
    return !hasTwin
  })
  return single.map((one) => ({ ...one, otherAddress: one.otherAddress.filter(isFirst) }))
}

/** One line between two ports, or none: cables of power and those with several ends say nothing of neighbours. */
function cableOf(record: NetBoxRecord, known: ReadonlySet<string>): [CableEnd, CableEnd][] {
  const [a, b] = [endsIn(record.a_terminations), endsIn(record.b_terminations)]
  const [from] = a
  const [to] = b
  if (!from || !to || a.length > 1 || b.length > 1) return []
  return known.has(from.device) && known.has(to.device) ? [[from, to]] : []
}

const endsIn = (ends: unknown): CableEnd[] =>
  (Array.isArray(ends) ? ends : []).flatMap((end: NetBoxRecord) => {
    const object = partOf(end, 'object')
    const device = nameOf(partOf(object, 'device'))
    return end?.object_type === 'dcim.interface' && device !== '' ? [{ device, port: nameOf(object) }] : []
  })

function partOf(record: NetBoxRecord | undefined, ...path: readonly string[]): NetBoxRecord | undefined {
  let part: unknown = record
  for (const step of path) part = isRecord(part) ? part[step] : undefined
  return isRecord(part) ? part : undefined
}

const isRecord = (value: unknown): value is NetBoxRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textIn = (record: NetBoxRecord | undefined, ...path: readonly string[]): string => {
  const part = partOf(record, ...path.slice(0, -1))
  const value = part?.[path.at(-1) ?? '']
  return typeof value === 'string' ? value.trim().slice(0, 255) : ''
}
const nameOf = (record: NetBoxRecord | undefined) => textIn(record, 'name')
const idOf = (record: NetBoxRecord | undefined) => (typeof record?.id === 'number' ? record.id : undefined)

/** Without the length of its network. */
function addressOf(record: NetBoxRecord | undefined): string | undefined {
  const [address = ''] = textIn(record, 'address').split('/')
  return isIP(address) === 0 ? undefined : ip.read(address)
}

/** Records that are left out, by the reason. */
class Skips {
  readonly #names = new Map<string, string[]>()

  add(reason: string, name: string): undefined {
    this.#names.set(reason, [...(this.#names.get(reason) ?? []), name])
  }

  sentences(): string[] {
    return [...this.#names].map(([reason, names]) => {
      const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
      const noun = names.length === 1 ? 'device' : 'devices'
      return `${names.length} ${noun} ${reason}: ${names.slice(0, 5).join(', ')}${more}`
    })
  }
}
