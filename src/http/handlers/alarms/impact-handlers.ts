// Handler for the impact of an alarm: the devices, terminals and addresses downstream.

import { impactOf } from '../../../alarms/causes/impact.ts'
import { alarms } from '../../../resources/alarms/alarm.ts'
import { read } from '../../../resources/collection.ts'
import { children, derived, groups, required, type Shape } from '../../../schema/resource.ts'
import { bool, ip, long, mac, text } from '../../../schema/scalar.ts'
import type { Handler } from '../../call.ts'
import { sendRecord } from '../../responses.ts'

const empty = { absent: 'empty' } as const
const address = groups({
  ip: required(ip),
  owner: required(text(), empty),
  description: required(text(), empty),
})

/** A device with the devices below it; the outermost is the one that the alarm is about. */
export const impactDocument: Shape = {
  name: 'impact',
  fields: {
    alarmId: derived(long),
    complete: derived(bool),
    deviceId: required(long),
    deviceName: required(text(), empty),
    deviceIp: required(ip, empty),
    zoneId: required(long),
    ifIndex: derived(long),
    parentIfIndex: derived(long),
    otherWays: derived(bool),
    devices: required(long),
    cutOff: required(long),
    terminals: required(long),
    addresses: required(long),
    zone: groups({
      zoneId: required(long),
      name: required(text(), empty),
      devices: required(long),
      terminals: required(long),
    }),
    address,
    terminal: groups({
      terminalMac: required(mac),
      terminalName: required(text(), empty),
      maintainer: required(text(), empty),
      ifIndex: required(long),
      address,
    }),
    impact: children(),
  },
}

/** A large network takes its time: it is a long read, for which nobody waits. */
export const showImpact: Handler = async (call) => {
  const { id, deviceId, ifIndex } = await read(call.database, alarms, call.id)
  const reader = { all: call.database.readInBackground.bind(call.database) }
  const { root, zones, complete } = await impactOf(reader, deviceId ?? 0n, ifIndex)
  const { otherWays: _, ...outermost } = root
  const shown = { ...outermost, alarmId: id, complete, zone: zones, ifIndex }
  sendRecord(call.response, call.form, impactDocument, shown)
}
