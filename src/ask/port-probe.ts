// Finds out more about a device that did not answer. A socket for many devices is not told when a machine refuses a
// datagram; one that is connected to a single address is.

import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { encodeDiscovery, readAnswer } from '../snmp/send.ts'
import { AskFault, addressText, type DeviceAddress } from './ask-fault.ts'

/**
 * - `closed`: the machine is there, and nothing listens on the port;
 * - `agent`: an agent is there that speaks version 3;
 * - `silent`: nothing more is known.
 */
export type ProbeResult = 'closed' | 'agent' | 'silent'

/** Sends the discovery of version 3, which has no credentials and which every agent of that version answers. */
export function probe({ address, port }: DeviceAddress, timeout: number): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const id = randomInt(1, 0x7fff_ffff)
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
    let ended = false
    const end = (result: ProbeResult) => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      socket.close()
      resolve(result)
    }
    const timer = setTimeout(() => end('silent'), timeout)
    const fail = (error: Error | null) => {
      if (error) end((error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? 'closed' : 'silent')
    }
    socket.on('error', fail)
    socket.on('message', (datagram) => {
      if (readAnswer(datagram)?.requestId === id) end('agent')
    })
    socket.connect(port, address, (error?: Error) => {
      if (error) fail(error)
      else socket.send(encodeDiscovery(id), fail)
    })
  })
}

const PROBE_TIMEOUT = 1000

/** What a probe says after silence, for people. */
export async function explainSilence(device: DeviceAddress, sentences: readonly string[]): Promise<AskFault> {
  const found = await probe(device, PROBE_TIMEOUT)
  if (found === 'closed') return closedPort(device)
  const more =
    found === 'agent'
      ? 'an agent that speaks version 3 is there, so the community may be wrong, or this machine may not be allowed to ask'
      : 'it may be off or unreachable, may not speak SNMP, or ignores a wrong community'
  return new AskFault(found === 'agent' ? 'credentials' : 'silent', [...sentences, more].join('; '))
}

/** A fault if the machine is there and says that nothing listens. */
export const probeClosed = async (device: DeviceAddress): Promise<AskFault | undefined> =>
  (await probe(device, PROBE_TIMEOUT)) === 'closed' ? closedPort(device) : undefined

const closedPort = (device: DeviceAddress) =>
  new AskFault('closed', `nothing listens on ${addressText(device)}: the machine refuses the question`)
