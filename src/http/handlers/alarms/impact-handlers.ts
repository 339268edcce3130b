// What an alarm means for others.

import { impactOf } from '../../../alarms/causes/impact.ts'
import { alarms } from '../../../resources/alarms/alarm.ts'
import { read } from '../../../resources/collection.ts'
import { children, derived, many, need, type Shape } from '../../../schema/resource.ts'
import { bool, ip, long, mac, text } from '../../../schema/scalar.ts'
import { sendRecord } from '../../responses.ts'
import type { Handler } from '../../call.ts'

const empty = { absent: 'empty' } as const
const address = many({ ip: need(ip), owner: need(text(), empty), description: need(text(), empty) })

/** A device with the devices behind it; the outermost is the one that the alarm is about. */
export const impactDocument: Shape = {
  name: 'impact',
  fields: {
    alarmId: derived(long),
    complete: derived(bool),
    deviceId: need(long),
    deviceName: need(text(), empty),
    deviceIp: need(ip, empty),
    zoneId: need(long),
    ifIndex: derived(long),
    parentIfIndex: derived(long),
    otherWays: derived(bool),
    devices: need(long),
    cutOff: need(long),
    terminals: need(long),
    addresses: need(long),
    zone: many({ zoneId: need(long), name: need(text(), empty), devices: need(long), terminals: need(long) }),
    address,
    terminal: many({
      terminalMac: need(mac),
      terminalName: need(text(), empty),
      maintainer: need(text(), empty),
      ifIndex: need(long),
      address,
    }),
    impact: children(),
  },
}

/** A large network takes its time: it is a long read, for which nobody waits. */
export const showImpact: Handler = async (call) => {
  const { id, deviceId, ifIndex } = await read(call.database, alarms, call.id)
  const reader = { all: call.database.longRead.bind(call.database) }
  const { root, zones, complete } = await impactOf(reader, deviceId ?? 0n, ifIndex)
  const { otherWays: _, ...outermost } = root
  const shown = { ...outermost, alarmId: id, complete, zone: zones, ifIndex }
  sendRecord(call.response, call.form, impactDocument, shown)
}
