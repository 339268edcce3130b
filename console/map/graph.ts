// The network as the service knows it, made ready for a map: which device is in which tier, and what is above and below it.

export interface TopologyAnswer {
  readonly zone?: readonly { readonly zoneId: string; readonly name: string }[]
  readonly device?: readonly {
    readonly id: string
    readonly label: string
    readonly ip: string
    readonly typeName: string
    readonly zoneId: string
  }[]
  readonly link?: readonly {
    readonly deviceId: string
    readonly ifIndex: string
    readonly otherId: string
    readonly otherIfIndex: string
    readonly direction: string
    readonly origin: string
    readonly state: string
  }[]
}

export interface MapDevice {
  readonly id: string
  readonly label: string
  readonly ip: string
  readonly type: string
  readonly zoneId: string
  /** 0 at the top; those that hang below nothing are at the top. */
  readonly tier: number
  readonly parents: readonly string[]
  readonly children: readonly string[]
}

export interface MapLink {
  readonly key: string
  /** The lower end of an uplink. */
  readonly from: string
  /** Empty where it is not known. */
  readonly fromPort: string
  readonly to: string
  readonly toPort: string
  readonly isUp: boolean
  /** Its ends contradict each other, or nobody names it any more. */
  readonly isDoubtful: boolean
}

export interface Graph {
  readonly devices: ReadonlyMap<string, MapDevice>
  readonly links: readonly MapLink[]
  /** By device. */
  readonly linksAt: ReadonlyMap<string, readonly MapLink[]>
  readonly zones: ReadonlyMap<string, string>
}

/** Names are in the order that people expect: a-2 before a-10. */
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
export const byName = (a: MapDevice, b: MapDevice) => names.compare(a.label, b.label)
export const compareNames = (a: string, b: string) => names.compare(a, b)

const portOf = (ifIndex: string) => (ifIndex === '0' ? '' : ifIndex)

export function graphOf({ zone = [], device = [], link = [] }: TopologyAnswer): Graph {
  const links = link.map(
    ({ deviceId, ifIndex, otherId, otherIfIndex, direction, state }): MapLink => ({
      key: `${deviceId} ${ifIndex} ${otherId} ${otherIfIndex}`,
      ...{ from: deviceId, fromPort: portOf(ifIndex), to: otherId, toPort: portOf(otherIfIndex) },
      ...{ isUp: direction === 'up', isDoubtful: state === 'differs' || state === 'gone' },
    }),
  )
  const parents = new Map<string, Set<string>>()
  const children = new Map<string, Set<string>>()
  const linksAt = new Map<string, MapLink[]>()
  const add = <T>(map: Map<string, T[]>, key: string, value: T) => {
    const known = map.get(key)
    if (known) known.push(value)
    else map.set(key, [value])
  }
  for (const one of links) {
    add(linksAt, one.from, one)
    add(linksAt, one.to, one)
    if (!one.isUp) continue
    parents.set(one.from, (parents.get(one.from) ?? new Set()).add(one.to))
    children.set(one.to, (children.get(one.to) ?? new Set()).add(one.from))
  }
  const tiers = tiersOf(
    device.map(({ id }) => id),
    parents,
    children,
  )
  const devices = new Map(
    device.map(({ id, label, ip, typeName, zoneId }) => [
      id,
      {
        ...{ id, label: label || ip, ip, type: typeName, zoneId, tier: tiers.get(id) ?? 0 },
        ...{ parents: [...(parents.get(id) ?? [])], children: [...(children.get(id) ?? [])] },
      },
    ]),
  )
  return { devices, links, linksAt, zones: new Map(zone.map(({ zoneId, name }) => [zoneId, name])) }
}

/** Below all of its parents: one more than the lowest of them. Links make no circles; what is in one all the same has no tier. */
export function tiersOf(
  ids: readonly string[],
  parents: ReadonlyMap<string, ReadonlySet<string>>,
  children: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, number> {
  const missing = new Map(ids.map((id) => [id, parents.get(id)?.size ?? 0]))
  const tiers = new Map(ids.filter((id) => missing.get(id) === 0).map((id) => [id, 0]))
  const ready = [...tiers.keys()]
  for (const id of ready)
    for (const child of children.get(id) ?? []) {
      const left = (missing.get(child) ?? 0) - 1
      missing.set(child, left)
      tiers.set(child, Math.max(tiers.get(child) ?? 0, (tiers.get(id) ?? 0) + 1))
      if (left === 0) ready.push(child)
    }
  return tiers
}

/** All that are above a device, with the links on the way: its way to the core. */
export function wayUp(graph: Graph, id: string): { devices: Set<string>; links: Set<string> } {
  const devices = new Set([id])
  const links = new Set<string>()
  for (const one of devices)
    for (const link of graph.linksAt.get(one) ?? [])
      if (link.isUp && link.from === one) {
        links.add(link.key)
        devices.add(link.to)
      }
  return { devices, links }
}
