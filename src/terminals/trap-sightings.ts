// Takes sightings of terminals from the traps in which switches report MAC addresses, in the transaction of their block.

import type { BlockObserver } from '../alarms/engine/engine.ts'
import { type Device, lookUpDevices } from '../resources/inventory/device.ts'
import { type MacChange, macChanges } from './mac-notification.ts'
import type { Place, Sighting } from './sighting.ts'
import { TerminalLocations } from './terminal-locations.ts'

const batchSize = 500

export const observeMacTraps =
  (settings: Parameters<typeof TerminalLocations.apply>[2]): BlockObserver =>
  async (changes, tx, meanings, filtersServiceAlarm) => {
    const reported = meanings.flatMap(({ trap, device }) =>
      macChanges(trap.oid, trap.variables).map((change) => ({ change, device, at: trap.receivedAt })),
    )
    if (reported.length === 0) return
    const { known } = await lookUpDevices(
      tx,
      reported.map(({ device }) => device.id),
    )
    const sightings = reported.map(({ change, device, at }): Sighting => {
      const port = bridgePort(known.get(device.id)?.interfaces ?? [], change)
      const place = { deviceId: device.id, deviceIp: device.ip, deviceName: device.name, ...port }
      const { mac, isGone, vlan } = change
      return { mac, at, place, source: 'trap', isGone, vlan }
    })
    for (let start = 0; start < sightings.length; start += batchSize) {
      const batch = sightings.slice(start, start + batchSize)
      await TerminalLocations.apply([tx, changes, filtersServiceAlarm], batch, settings)
    }
  }

/** The interface that a switch names by its ifIndex, or by its bridge port number. */
function bridgePort(
  interfaces: Device['interfaces'],
  { ifIndex, basePort }: MacChange,
): Pick<Place, 'ifIndex' | 'port'> {
  const found = interfaces.find((one) =>
    ifIndex === null ? one.basePort === basePort : one.ifIndex === ifIndex,
  )
  if (found) return { ifIndex: found.ifIndex, port: found.ifDesc }
  return ifIndex === null
    ? { ifIndex: null, port: `bridge port ${basePort}` }
    : { ifIndex, port: `interface ${ifIndex}` }
}
