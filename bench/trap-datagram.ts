// Traps and informs as bytes: the load of several benchmarks.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { encodeNotification } from '../src/snmp/send.ts'
import type { Variable } from '../src/snmp/variables.ts'

export const linkDown = '1.3.6.1.6.3.1.1.5.3'
const ifEntry = '1.3.6.1.2.1.2.2.1'
export const devices = 200

const integer = (oid: string, value: number): Variable => ({
  oid,
  type: 'Integer32',
  value: String(value),
  hex: false,
})

/**
 * Interface after interface of one device after the other goes down: each number is an alarm of its own. Where several
 * sources send in turn, these are the devices.
 */
export function datagram(number: number, sources: number): Buffer {
  const device = number % devices
  const ifIndex = Math.floor(number / (sources || devices)) + 1
  const agent = `10.200.${device >> 8}.${(device & 255) + 1}`
  const address: Variable = { oid: '1.3.6.1.6.3.18.1.3.0', type: 'IpAddress', value: agent, hex: false }
  return encodeNotification({
    version: '2c',
    community: 'public',
    oid: linkDown,
    uptime: 123_456,
    requestId: number + 1,
    variables: [
      integer(`${ifEntry}.1.${ifIndex}`, ifIndex),
      integer(`${ifEntry}.7.${ifIndex}`, 1),
      integer(`${ifEntry}.8.${ifIndex}`, 2),
      ...(sources === 0 ? [address] : []),
    ],
  })
}

/** An inform about an interface: a number is an alarm of its own. */
export const inform = (number: number): Buffer =>
  encodeNotification({
    ...{ version: '2c', community: 'public', oid: linkDown, uptime: 1, requestId: number, inform: true },
    variables: [integer(`${ifEntry}.1.${number}`, number)],
  })

/** A port for traps that nobody uses. */
export async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}
