// Asks a device for the MAC addresses at its ports and for its table of ARP, within limits, and keeps what has changed.

import { lookUpDevices } from '../../resources/inventory/device.ts'
import { learntOf } from '../../resources/inventory/learnt.ts'
import { stationsOf, writeStations } from '../../resources/inventory/learnt-stations.ts'
import { neighbourDevices } from '../../resources/inventory/neighbour-devices.ts'
import type { Database } from '../../store/database.ts'
import type { AskFault } from '../ask-fault.ts'
import type { DeviceSession } from '../device-session.ts'
import { askArp, askStations } from '../device-stations.ts'
import { clean, type DeviceReport, maxRows, partReader, tableLimits } from './device-report.ts'
import { type StationReport, stationDifference } from './station-difference.ts'

/** Never throws because of what the device does; the problem is empty where there is none. */
export async function askStationReport(
  session: DeviceSession,
  { system }: Pick<DeviceReport, 'system'>,
): Promise<StationReport & { readonly problem: string }> {
  const problems: AskFault[] = []
  const table = partReader(problems)
  const macs = await table(() => askStations(session, system.objectId, tableLimits, maxRows))
  const arps = await table(() => askArp(session, tableLimits))
  return { macs, arps, problem: clean(problems[0]?.message, 500) }
}

/** After its ports and neighbours were kept, whose names are needed. */
export async function keepStations(
  database: Database,
  deviceId: bigint,
  report: StationReport,
  keepDays: number,
): Promise<void> {
  const before = await stationsOf(database, deviceId)
  if (report.macs.rows.length + report.arps.rows.length + before.macs.length + before.arps.length === 0)
    return
  const { ports, neighbours } = await learntOf(database, deviceId)
  const { known } = await lookUpDevices(database, [deviceId])
  const interfaces = known.get(deviceId)?.interfaces ?? []
  const there = neighbours.filter(({ missing }) => !missing)
  const devices = await neighbourDevices(database, there)
  const place = {
    ...{ deviceId, ports, keepDays, now: database.now() },
    typed: new Map(
      interfaces.flatMap(({ basePort, ifIndex }) => (basePort === null ? [] : [[Number(basePort), ifIndex]])),
    ),
    uplinks: new Set(there.filter(({ id }) => devices.has(id)).map(({ ifIndex }) => ifIndex)),
  }
  await writeStations(database, deviceId, stationDifference(before, report, place))
}
