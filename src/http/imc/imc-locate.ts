// Where a terminal is, and the ARP table of a device, as iMC-compatible clients ask for them.

import { Fault } from '../../fault.ts'
import { read } from '../../resources/collection.ts'
import { arpOf } from '../../resources/inventory/arp-entry.ts'
import { devices } from '../../resources/inventory/device.ts'
import { ipsOfMacs, locateMacs, type MacLocation, macsOfIp } from '../../resources/inventory/mac-locations.ts'
import { oneScalar } from '../../schema/list.ts'
import { empty, required } from '../../schema/resource.ts'
import { anyMac, coded, ip, long, macOf, text } from '../../schema/scalar.ts'
import type { Call, Handler } from '../call.ts'
import { answerMadeRows, answerRows } from '../handlers/list-handlers.ts'

export const realtimeLocation = {
  name: 'realtimeLocation',
  fields: {
    locateIp: required(text(), empty),
    deviceId: required(long),
    deviceIp: required(text(), empty),
    ifDesc: required(text(), empty),
    ifIndex: required(long),
  },
}

export const ipMacArp = {
  name: 'ipMacArp',
  fields: {
    /** The addresses of the device and of its interface in this service. */
    device: required(text()),
    deviceId: required(long),
    /** The address that the device knows, as in iMC: not its own. */
    deviceIp: required(ip),
    ifIndex: required(long),
    iface: required(text()),
    macAddress: required(anyMac),
  },
}

export const locateTypes = coded({ 1: 'MAC address', 2: 'IP address' })

/** What is at a port now; behind which port it is, where that is all that is known. */
export const locate: Handler = async (call) => {
  const { database } = call
  const { mac, address } = askedFor(call)
  const macs = mac === undefined ? await macsOfIp(database, address ?? '') : [mac]
  const ips = await ipsOfMacs(database, macs)
  const found = (await locateMacs(database, macs)).filter(({ deviceId }) => deviceId !== 0n)
  const here = found.filter(({ state, source }) => state === 'here' && source !== 'port')
  const behind = found.find(({ state, source }) => state === 'behind' && source === 'bridge')
  const places = here.length > 0 ? here : behind ? [behind] : []
  answerRows(
    call,
    realtimeLocation,
    unique(places).map((one) => ({
      locateIp: address ?? ips.get(one.mac)?.[0] ?? '',
      ...{ deviceId: one.deviceId, deviceIp: one.deviceIp, ifDesc: one.port, ifIndex: one.ifIndex },
    })),
  )
}

/** Some clients say no type. */
function askedFor({ parameters }: Call): { readonly mac?: string; readonly address?: string } {
  const type = oneScalar(parameters, 'type', locateTypes)
  const value = oneScalar(parameters, 'value', text())
  if (value === undefined)
    throw new Fault('invalid', 'value is required: a MAC address or an IP address', { field: 'value' })
  const isIp = type === undefined ? macOf(value) === undefined : type === 2
  return isIp
    ? { address: oneScalar(parameters, 'value', ip) ?? '' }
    : { mac: oneScalar(parameters, 'value', anyMac) ?? '' }
}

/** Two sources may say the same place. */
const unique = (places: readonly MacLocation[]) => [
  ...new Map(places.map((one) => [`${one.mac} ${one.deviceId} ${one.ifIndex} ${one.port}`, one])).values(),
]

export const listArp: Handler = async (call) => {
  const { database, id, base } = call
  await read(database, devices, id)
  const device = `${base}/plat/res/device/${id}`
  await answerMadeRows(call, ipMacArp, await arpOf(database, id), (one) => ({
    ...{ device, deviceId: id, deviceIp: one.ip, ifIndex: one.ifIndex },
    ...{ iface: `${device}/interface/${one.ifIndex}`, macAddress: one.mac },
  }))
}
