// The network as a graph: all devices with their zones, and the links between them, of which a map is drawn.

import { empty, groups, required } from '../../schema/resource.ts'
import { ip, long, text } from '../../schema/scalar.ts'
import type { Database } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
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

/** Of a network that is large this is a long read, for which nobody waits; or a device with what is beside it. */
export async function topologyIn(database: Database, beside?: bigint) {
  const links = await linksBetween(database, beside)
  const near =
    beside === undefined
      ? undefined
      : new Set([beside, ...links.flatMap(({ deviceId, otherId }) => [deviceId, otherId])])
  const devices = await readDevices(database, near && [...near])
  const known = new Set(devices.map(({ id }) => id))
  const inUse = new Set(devices.map(({ zoneId }) => zoneId))
  const zones = await database.values('select id, name from zone order by id', [], true)
  return {
    zone: zones
      .map(([zoneId, name]) => ({ zoneId: zoneId as bigint, name: String(name) }))
      .filter(({ zoneId }) => !near || inUse.has(zoneId)),
    device: devices,
    link: links.filter(({ deviceId, otherId }) => known.has(deviceId) && known.has(otherId)),
  }
}

async function readDevices(database: Database, ids: readonly bigint[] | undefined) {
  const columns = 'id, label, ip, type_name, zone_id'
  const rows = ids
    ? (
        await allWithValues(database, ids, (marks) => `select ${columns} from device where id in (${marks})`)
      ).map((row) => [row.id, row.label, row.ip, row.type_name, row.zone_id])
    : await database.values(`select ${columns} from device`, [], true)
  return rows
    .map(([id, label, address, typeName, zoneId]) => ({
      ...{ id: id as bigint, label: String(label), ip: String(address) },
      ...{ typeName: String(typeName ?? ''), zoneId: zoneId as bigint },
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Uplinks, and cables between the same devices that lead nowhere up. */
async function linksBetween(database: Database, beside: bigint | undefined): Promise<TopologyLink[]> {
  const uplinks = (await allUplinks(database, beside)).map(
    ({ deviceId, parentId, ifIndex, parentIfIndex, isTyped }): TopologyLink => ({
      ...{ deviceId, ifIndex: ifIndex ?? 0n, otherId: parentId, otherIfIndex: parentIfIndex ?? 0n },
      ...{ direction: 'up', origin: isTyped ? 'typed' : 'learnt', state: 'typed' },
    }),
  )
  const byPair = Map.groupBy(uplinks, pairOf)
  const of = beside === undefined ? '' : ' and (device_id = ? or other_id = ?)'
  const rows = await database.values(
    `select device_id, if_index, other_id, other_if_index, state from link where device_id < other_id${of} order by id`,
    beside === undefined ? [] : [beside, beside],
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
