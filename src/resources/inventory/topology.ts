// The network as a graph: all devices with their zones, and the links between them, of which a map is drawn.

import { empty, groups, required } from '../../schema/resource.ts'
import { ip, long, text } from '../../schema/scalar.ts'
import type { Database } from '../../store/database.ts'
import { oneOf } from '../notify/gateway.ts'
import { allUplinks } from './device-links.ts'
import { type LinkState, linkStates } from './link.ts'

export const topologyDocument = {
  name: 'topology',
  fields: {
    zone: groups({ zoneId: required(long), name: required(text()) }),
    device: groups({
      id: required(long),
      label: required(text()),
      ip: required(ip),
      typeName: required(text(), empty),
      zoneId: required(long),
    }),
    /** Each is here once: `deviceId` is the lower end where `direction` is `up`. 0: the port is not known. */
    link: groups({
      deviceId: required(long),
      ifIndex: required(long),
      otherId: required(long),
      otherIfIndex: required(long),
      direction: required(oneOf('up', 'none')),
      origin: required(oneOf('typed', 'learnt')),
      /** Of a link that neighbours show: what both ends say of it. `typed`: no neighbour has shown it. */
      state: required(oneOf('typed', ...linkStates)),
    }),
  },
}

interface TopologyLink {
  readonly deviceId: bigint
  readonly ifIndex: bigint
  readonly otherId: bigint
  readonly otherIfIndex: bigint
  readonly direction: 'up' | 'none'
  readonly origin: 'typed' | 'learnt'
  state: 'typed' | LinkState
}

/** A large network takes its time: these are long reads, for which nobody waits. */
export async function topologyIn(database: Database) {
  const zones = await database.values('select id, name from zone order by id', [], true)
  const devices = await database.values(
    'select id, label, ip, type_name, zone_id from device order by id',
    [],
    true,
  )
  const known = new Set(devices.map(([id]) => id as bigint))
  return {
    zone: zones.map(([zoneId, name]) => ({ zoneId: zoneId as bigint, name: String(name) })),
    device: devices.map(([id, label, address, typeName, zoneId]) => ({
      ...{ id: id as bigint, label: String(label), ip: String(address) },
      ...{ typeName: String(typeName ?? ''), zoneId: zoneId as bigint },
    })),
    link: (await linksBetween(database)).filter(
      ({ deviceId, otherId }) => known.has(deviceId) && known.has(otherId),
    ),
  }
}

/** Uplinks, and cables between the same devices that lead nowhere up. */
async function linksBetween(database: Database): Promise<TopologyLink[]> {
  const uplinks = (await allUplinks(database)).map(
    ({ deviceId, parentId, ifIndex, parentIfIndex, isTyped }): TopologyLink => ({
      ...{ deviceId, ifIndex: ifIndex ?? 0n, otherId: parentId, otherIfIndex: parentIfIndex ?? 0n },
      ...{ direction: 'up', origin: isTyped ? 'typed' : 'learnt', state: 'typed' },
    }),
  )
  const byPair = Map.groupBy(uplinks, pairOf)
  const rows = await database.values(
    'select device_id, if_index, other_id, other_if_index, state from link where device_id < other_id order by id',
    [],
    true,
  )
  const others: TopologyLink[] = []
  for (const [deviceId, ifIndex, otherId, otherIfIndex, state] of rows) {
    const cable: TopologyLink = {
      ...{ deviceId: deviceId as bigint, ifIndex: ifIndex as bigint },
      ...{ otherId: otherId as bigint, otherIfIndex: otherIfIndex as bigint },
      ...{ direction: 'none', origin: 'learnt', state: state as LinkState },
    }
    const uplink = byPair.get(pairOf(cable))?.find((one) => one.state === 'typed' && fits(one, cable))
    if (uplink) uplink.state = cable.state
    else others.push(cable)
  }
  return [...uplinks, ...others]
}

const pairOf = ({ deviceId, otherId }: TopologyLink) =>
  deviceId < otherId ? `${deviceId} ${otherId}` : `${otherId} ${deviceId}`

/** A port that is not known may be any. */
function fits(uplink: TopologyLink, cable: TopologyLink): boolean {
  const isTurned = uplink.deviceId !== cable.deviceId
  const [own, other] = isTurned ? [cable.otherIfIndex, cable.ifIndex] : [cable.ifIndex, cable.otherIfIndex]
  const isSame = (a: bigint, b: bigint) => a === b || a === 0n || b === 0n
  return isSame(uplink.ifIndex, own) && isSame(uplink.otherIfIndex, other)
}
