// Compares the neighbours that a device names with those that it named before. One that is missing once may be back with the
// next question: devices forget neighbours when they restart. It is gone when it is missing twice.

import type { Difference } from '../../resources/inventory/learnt.ts'
import type { Neighbour } from '../../resources/inventory/neighbour.ts'
import { type Port, portName } from '../../resources/inventory/port.ts'
import type { NeighbourFacts } from '../device-neighbours.ts'
import { clean, type Part } from './device-report.ts'
import type { Moment } from './port-difference.ts'

export interface NeighbourChange {
  readonly kind: 'neighbourAdded' | 'neighbourRemoved' | 'neighbourChanged'
  readonly neighbour: Neighbour
  readonly oldValue: string
  readonly newValue: string
}

export interface NeighbourDifference extends Difference<Neighbour> {
  readonly changes: readonly NeighbourChange[]
}

export function neighbourDifference(
  before: readonly Neighbour[],
  told: Part<NeighbourFacts>,
  ports: readonly Port[],
  moment: Moment,
): NeighbourDifference {
  const locate = localPorts(ports)
  const named = unique(told.rows.map((facts) => neighbourFrom(facts, locate(facts), moment)))
  const free = new Map(before.map((one) => [identityOf(one), one]))
  const added: Neighbour[] = []
  const changed: Neighbour[] = []
  const removed: Neighbour[] = []
  const changes: NeighbourChange[] = []
  const fresh = named.filter((one) => {
    const old = free.get(identityOf(one))
    if (!old) return true
    free.delete(identityOf(one))
    if (compared.some((name) => old[name] !== one[name])) changed.push({ ...one, id: old.id })
    return false
  })
  const byPlace = Map.groupBy([...free.values()], placeOf)
  for (const one of fresh) {
    const old = byPlace.get(placeOf(one))?.shift()
    if (old) {
      free.delete(identityOf(old))
      changed.push({ ...one, id: old.id })
      const [oldValue, newValue] = [neighbourText(old), neighbourText(one)]
      if (oldValue !== newValue)
        changes.push({ kind: 'neighbourChanged', neighbour: one, oldValue, newValue })
      continue
    }
    added.push(one)
    changes.push({ kind: 'neighbourAdded', neighbour: one, oldValue: '', newValue: neighbourText(one) })
  }
  for (const old of told.isComplete ? free.values() : []) {
    if (old.missing) {
      removed.push(old)
      changes.push({ kind: 'neighbourRemoved', neighbour: old, oldValue: neighbourText(old), newValue: '' })
    } else changed.push({ ...old, missing: true })
  }
  return { added, changed, removed, changes }
}

/** What people call it. */
const neighbourText = ({ sysName, chassis, address, remotePort }: Neighbour): string =>
  `${sysName || chassis || address} ${remotePort}`.trim()

type Locate = (facts: NeighbourFacts) => Port | undefined

const compared = [
  ...(['ifIndex', 'portName', 'sysName', 'remotePortDescription', 'address', 'platform', 'missing'] as const),
]

/** Its own port keeps its name when it gets another index. */
const placeOf = ({ protocol, ifIndex, portName }: Neighbour) => `${protocol} ${portName || ifIndex}`

const identityOf = (one: Neighbour) =>
  JSON.stringify([placeOf(one), one.chassis || one.sysName || one.address, one.remotePort])

const unique = (neighbours: readonly Neighbour[]) => [
  ...new Map(neighbours.map((one) => [identityOf(one), one])).values(),
]

function neighbourFrom(
  { protocol, localPort, localName, ...facts }: NeighbourFacts,
  port: Port | undefined,
  { deviceId, now }: Moment,
): Neighbour {
  return {
    id: 0n,
    deviceId,
    deviceName: '',
    ifIndex: port?.ifIndex ?? (protocol === 'cdp' ? BigInt(localPort) : 0n),
    portName: port ? portName(port) : clean(localName ?? (protocol === 'lldp' ? `port ${localPort}` : '')),
    protocol,
    chassis: clean(facts.chassis),
    sysName: clean(facts.systemName),
    remotePort: clean(facts.port),
    remotePortDescription: clean(facts.portDescription),
    address: facts.address ?? '',
    platform: clean(facts.platform),
    learnt: now,
    missing: false,
    neighbourId: 0n,
    neighbourName: '',
  }
}

/** LLDP numbers ports by itself: they are found by name, description or MAC address, else by number. */
function localPorts(ports: readonly Port[]): (facts: NeighbourFacts) => Port | undefined {
  const byIndex = new Map(ports.map((port) => [Number(port.ifIndex), port]))
  const byName = new Map<string, Port | undefined>()
  for (const port of ports)
    for (const name of new Set([port.name, port.description, port.mac, port.alias]))
      if (name !== '') byName.set(name, byName.has(name) ? undefined : port)
  const locate: Locate = ({ protocol, localPort, localName }) => {
    const found = protocol === 'lldp' ? byName.get(clean(localName)) : undefined
    return found ?? byIndex.get(localPort)
  }
  return locate
}
