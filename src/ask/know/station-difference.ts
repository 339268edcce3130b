// Compares the MAC addresses that a device names with those that it named before. Bridges forget an address within minutes
// of its last frame, so one that is not named is kept for some days as the place where it was last.

import type { ArpEntry } from '../../resources/inventory/arp-entry.ts'
import type { Difference } from '../../resources/inventory/learnt.ts'
import type { LearntStations, StationDifference } from '../../resources/inventory/learnt-stations.ts'
import type { MacEntry } from '../../resources/inventory/mac-entry.ts'
import { type Port, portName } from '../../resources/inventory/port.ts'
import type { ArpFacts, StationFacts } from '../device-stations.ts'
import type { Part } from './device-report.ts'

export interface StationReport {
  readonly macs: Part<StationFacts>
  readonly arps: Part<ArpFacts>
}

/** What is known of the device and its ports. */
export interface StationPlace {
  readonly deviceId: bigint
  readonly now: number
  readonly ports: readonly Pick<Port, 'ifIndex' | 'name' | 'description'>[]
  /** Indexes that people typed in, by the number of the port at the bridge. */
  readonly typed: ReadonlyMap<number, bigint>
  /** Indexes of ports at which devices of the inventory are. */
  readonly uplinks: ReadonlySet<bigint>
  /** For how many days the last place of an address is kept. */
  readonly keepDays: number
}

/** A port with more MAC addresses leads to other devices, whether they can be asked or not. */
const maxAtPort = 16
/** Of each device, those at uplinks: they are the same at many devices, and tell little. */
const maxAtUplinks = 2000
const day = 86_400_000
const maxDays = 7

export function stationDifference(
  before: LearntStations,
  report: StationReport,
  place: StationPlace,
): StationDifference {
  const names = new Map(place.ports.map((port) => [port.ifIndex, portName(port)]))
  const arps = report.arps.rows.map((facts) => arpFrom(facts, names, place))
  const told = { ...report.macs, rows: macsFrom(report.macs.rows, names, place) }
  return {
    macs: difference(before.macs, told, macs, place),
    arps: difference(before.arps, { ...report.arps, rows: arps }, addresses, place),
  }
}

function macsFrom(
  rows: readonly StationFacts[],
  names: ReadonlyMap<bigint, string>,
  { deviceId, now, typed, uplinks }: StationPlace,
): MacEntry[] {
  const entries = rows.map(({ mac, vlan, basePort, ifIndex }) => {
    const index = typed.get(basePort) ?? BigInt(ifIndex ?? 0)
    return {
      ...{ id: 0n, deviceId, deviceName: '', mac, vlan: vlan ?? 0, ifIndex: index },
      portName: names.get(index) ?? (index === 0n ? `bridge port ${basePort}` : ''),
      ...{ uplink: false, learnt: now, gone: 0 },
    }
  })
  const atPort = Map.groupBy(entries, placeOf)
  const isUplink = (entry: MacEntry) =>
    uplinks.has(entry.ifIndex) || new Set(atPort.get(placeOf(entry))?.map(({ mac }) => mac)).size > maxAtPort
  const isUplinkAt = new Map(
    [...atPort].map(([key, [first]]) => [key, first !== undefined && isUplink(first)]),
  )
  const marked = entries.map((entry) => ({ ...entry, uplink: isUplinkAt.get(placeOf(entry)) ?? false }))
  return [
    ...marked.filter(({ uplink }) => !uplink),
    ...marked.filter(({ uplink }) => uplink).slice(0, maxAtUplinks),
  ]
}

const placeOf = ({ ifIndex, portName }: MacEntry) => (ifIndex === 0n ? portName : String(ifIndex))

const arpFrom = (
  { ip, mac, ifIndex }: ArpFacts,
  names: ReadonlyMap<bigint, string>,
  { deviceId, now }: StationPlace,
): ArpEntry => ({
  ...{ id: 0n, deviceId, deviceName: '', ip, mac, ifIndex: BigInt(ifIndex) },
  ...{ portName: names.get(BigInt(ifIndex)) ?? '', learnt: now, gone: 0 },
})

/** What a row is about, what it says of that, and whether it is worth keeping when it is gone. */
interface Kind<T> {
  identityOf(row: T): string
  stateOf(row: T): string
  /** Everything that is written. */
  isSame(a: T, b: T): boolean
  isKept(row: T): boolean
}

const macs: Kind<MacEntry> = {
  identityOf: ({ mac, vlan }) => `${mac} ${vlan}`,
  // A port may get another index.
  stateOf: ({ portName, ifIndex }) => portName || String(ifIndex),
  isSame: (a, b) => a.ifIndex === b.ifIndex && a.portName === b.portName && a.uplink === b.uplink,
  isKept: ({ uplink }) => !uplink,
}

const addresses: Kind<ArpEntry> = {
  identityOf: ({ ip, portName, ifIndex }) => `${ip} ${portName || ifIndex}`,
  stateOf: ({ mac }) => mac,
  isSame: (a, b) => a.mac === b.mac && a.ifIndex === b.ifIndex && a.portName === b.portName,
  isKept: () => true,
}

type Row = { readonly id: bigint; readonly learnt: number; readonly gone: number }

function difference<T extends Row>(
  before: readonly T[],
  told: Part<T>,
  { identityOf, stateOf, isSame, isKept }: Kind<T>,
  { now, keepDays }: StationPlace,
): Difference<T> {
  const free = new Map<string, T>()
  const removed: T[] = []
  for (const row of before) {
    const key = identityOf(row)
    // Two nodes may have written the same at a takeover.
    const twice = free.get(key)
    if (twice) removed.push(twice)
    free.set(key, row)
  }
  const added: T[] = []
  const changed: T[] = []
  for (const [key, row] of new Map(told.rows.map((one) => [identityOf(one), one]))) {
    const old = free.get(key)
    free.delete(key)
    if (!old) added.push(row)
    else if (!isSame(old, row) || old.gone !== 0) {
      const learnt = stateOf(old) === stateOf(row) ? old.learnt : now
      changed.push({ ...row, id: old.id, learnt })
    }
  }
  const left = [...free.values()]
  const keptFor = Math.min(keepDays, maxDays) * day
  const isWorthIt = (old: T) => keptFor > 0 && isKept(old) && (old.gone === 0 || now - old.gone <= keptFor)
  const kept = told.isComplete ? left.filter(isWorthIt) : left
  const recent = new Set(mostRecent(kept, maxRows - told.rows.length))
  removed.push(...left.filter((old) => !recent.has(old)))
  if (told.isComplete) for (const old of recent) if (old.gone === 0) changed.push({ ...old, gone: now })
  return { added, changed, removed }
}

/** Addresses that are not named must not add up: a device may invent others each time. */
const maxRows = 10_000

const mostRecent = <T extends Row>(rows: readonly T[], max: number): readonly T[] =>
  rows.length <= max
    ? rows
    : rows.toSorted((a, b) => lastNamed(b) - lastNamed(a) || b.learnt - a.learnt).slice(0, Math.max(0, max))

const lastNamed = ({ gone }: Row) => (gone === 0 ? Number.MAX_SAFE_INTEGER : gone)
