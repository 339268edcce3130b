// Where is this MAC? Also by the address of IP that belongs to it.

import { Fault } from '../../../fault.ts'
import {
  ipsOfMacs,
  locateMacs,
  locationSources,
  locationStates,
  macsOfIp,
} from '../../../resources/inventory/mac-locations.ts'
import { oneOf } from '../../../resources/notify/gateway.ts'
import { oneScalar } from '../../../schema/list.ts'
import { empty, required, set } from '../../../schema/resource.ts'
import { anyMac, instant, int, ip, long, text } from '../../../schema/scalar.ts'
import type { Handler } from '../../call.ts'
import { answerMadeRows } from '../list-handlers.ts'

export const macLocationDocument = {
  name: 'macLocation',
  fields: {
    mac: required(anyMac),
    /** The addresses of IP that belong to it. */
    ip: set(ip),
    source: required(oneOf(...locationSources)),
    state: required(oneOf(...locationStates)),
    deviceId: required(long),
    deviceIp: required(text(), empty),
    deviceName: required(text(), empty),
    ifIndex: required(long),
    port: required(text(), empty),
    vlan: required(int()),
    since: required(instant),
    lastTime: required(instant),
  },
}

export const listMacLocations: Handler = async (call) => {
  const { database, parameters } = call
  const mac = oneScalar(parameters, 'mac', anyMac)
  const address = oneScalar(parameters, 'ip', ip)
  if ((mac === undefined) === (address === undefined))
    throw new Fault('invalid', 'expected either mac or ip', { field: 'mac' })
  const macs = mac === undefined ? await macsOfIp(database, address ?? '') : [mac]
  const addresses = await ipsOfMacs(database, macs)
  const found = await locateMacs(database, macs)
  await answerMadeRows(call, macLocationDocument, found, (one) => ({
    ...one,
    ip: addresses.get(one.mac) ?? [],
  }))
}
