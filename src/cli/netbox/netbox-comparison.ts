// Compares what NetBox says with this inventory, and with the links that devices show.

import type { CableEnd, NetBoxDevice, NetBoxInventory } from './netbox-inventory.ts'

/** A device as an export writes it; further fields stay as they are. */
export interface OwnDevice {
  readonly id: string
  readonly ip: string
  readonly label: string
  readonly location?: string
  readonly typeName?: string
  readonly zoneId?: string
  readonly otherAddress?: readonly { readonly ip: string }[]
}

export interface OwnZone {
  readonly zoneId: string
  readonly name: string
}

/** A link that devices show, with the names of its ports. */
export interface OwnLink {
  readonly ends: readonly [CableEnd, CableEnd]
  readonly differs: boolean
}

export interface OwnInventory {
  readonly zones: readonly OwnZone[]
  readonly devices: readonly OwnDevice[]
  readonly links: readonly OwnLink[]
  /** Labels of devices whose neighbours are known. */
  readonly asked: ReadonlySet<string>
}

interface Change {
  readonly field: string
  readonly here: string
  readonly there: string
}

export interface Comparison {
  readonly newZones: readonly string[]
  readonly newDevices: readonly NetBoxDevice[]
  readonly changed: readonly {
    readonly own: OwnDevice
    readonly device: NetBoxDevice
    readonly changes: readonly Change[]
  }[]
  /** In the zones of NetBox's sites, and not in NetBox. */
  readonly onlyHere: readonly OwnDevice[]
  /** Cables that no link shows, and links that are no cable. */
  readonly unseen: readonly (readonly [CableEnd, CableEnd])[]
  readonly unplanned: readonly OwnLink[]
}

const folded = (name: string) => name.toLowerCase()

export function compareWith(netBox: NetBoxInventory, own: OwnInventory): Comparison {
  const zones = new Map(own.zones.map((zone) => [folded(zone.name), zone]))
  const zoneNames = new Map(own.zones.map(({ zoneId, name }) => [zoneId, name]))
  const byIp = new Map(own.devices.map((one) => [one.ip, one]))
  const byLabel = new Map(own.devices.map((one) => [folded(one.label), one]))
  const matched = new Set<OwnDevice>()
  const newDevices: NetBoxDevice[] = []
  const changed: Comparison['changed'][number][] = []
  /** What devices of NetBox are called here. */
  const labels = new Map<string, string>()
  for (const device of netBox.devices) {
    const found = [byIp.get(device.ip), byLabel.get(folded(device.name))].find(
      (one) => one !== undefined && !matched.has(one),
    )
    if (!found) {
      newDevices.push(device)
      continue
    }
    matched.add(found)
    labels.set(device.name, found.label)
    const changes = changesOf(found, device, zoneNames.get(found.zoneId ?? '1') ?? '')
    if (changes.length > 0) changed.push({ own: found, device, changes })
  }
  const sites = new Set(netBox.sites.map(folded))
  const onlyHere = own.devices.filter(
    (one) => !matched.has(one) && sites.has(folded(zoneNames.get(one.zoneId ?? '1') ?? '')),
  )
  return {
    newZones: usedSites(netBox).filter((name) => !zones.has(folded(name))),
    ...{ newDevices, changed, onlyHere },
    ...compareCables(netBox.cables, own, labels),
  }
}

/** Sites without a device are no zones. */
const usedSites = ({ devices }: NetBoxInventory) => {
  const names = new Map(devices.map(({ site }) => [folded(site), site]))
  names.delete('')
  return [...names.values()].toSorted()
}

function changesOf(own: OwnDevice, device: NetBoxDevice, zone: string): Change[] {
  const otherHere = (own.otherAddress ?? []).map((one) => one.ip).toSorted()
  const pairs: readonly (readonly [string, string, string])[] = [
    ['label', own.label, device.name],
    ['ip', own.ip, device.ip],
    ['location', own.location ?? '', device.location],
    ['typeName', own.typeName ?? '', device.type],
    ['zone', zone, device.site],
    ['otherAddress', otherHere.join(', '), device.otherAddress.join(', ')],
  ]
  return pairs.flatMap(([field, here, there]) => {
    const isSame = field === 'zone' ? folded(here) === folded(there) : here === there
    // What NetBox does not say changes nothing.
    return isSame || there === '' ? [] : [{ field, here, there }]
  })
}

function compareCables(
  cables: NetBoxInventory['cables'],
  own: OwnInventory,
  labels: ReadonlyMap<string, string>,
): Pick<Comparison, 'unseen' | 'unplanned'> {
  const here = cables.map(([from, to]) =>
    [from, to].map((end) => ({ ...end, device: labels.get(end.device) })),
  )
  const isCable = ({ ends }: OwnLink) =>
    here.some((cable) =>
      [cable, cable.toReversed()].some((one) => one.every((end, i) => isSamePort(end, ends[i]))),
    )
  const unseen = cables.filter((_, index) => {
    const cable = here[index] ?? []
    // Of devices that say nothing of their neighbours nothing follows.
    if (!cable.some(({ device }) => device !== undefined && own.asked.has(device))) return false
    return !own.links.some(({ ends }) =>
      [cable, cable.toReversed()].some((one) => one.every((end, i) => isSamePort(end, ends[i]))),
    )
  })
  const known = new Set(labels.values())
  const unplanned = own.links.filter(
    (one) => one.ends.every(({ device }) => known.has(device)) && !isCable(one),
  )
  return { unseen, unplanned }
}

const isSamePort = (one: { readonly device: string | undefined; readonly port: string }, other?: CableEnd) =>
  other !== undefined && one.device === other.device && isSameName(one.port, other.port)

/** `Gi1/0/7` is GigabitEthernet1/0/7: the same numbers, and the beginning of the same word. */
export function isSameName(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)]
  if (a.numbers !== b.numbers) return false
  return (
    a.word === b.word ||
    (a.word !== '' && b.word !== '' && (a.word.startsWith(b.word) || b.word.startsWith(a.word)))
  )
}

function partsOf(name: string): { readonly word: string; readonly numbers: string } {
  const text = name.trim().toLowerCase()
  const first = text.search(/\d/)
  const cut = first === -1 ? text.length : first
  return { word: text.slice(0, cut).replace(/[^\p{L}]/gu, ''), numbers: text.slice(cut) }
}
