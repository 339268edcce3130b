// What is remembered of a datagram, so that it is recognised when it comes again, here or at another node. No password
// can be read from it, or guessed by it.

import { hash } from 'node:crypto'
import { withoutCommunity } from '../snmp/community.ts'
import type { Inform, Trap } from '../snmp/decoder.ts'
import type { Datagram } from './datagram-block.ts'

export interface Fingerprint {
  readonly sourceIp: string
  readonly port: number
  readonly receivedAt: number
  /** Of an inform. */
  readonly requestId: number | undefined
  /** Of its bytes without the community; empty where the same bytes may be another notification. */
  readonly bytes: string
  /** Of what is the same at every node that receives it; empty where that cannot be determined, or is not asked. */
  readonly content: string
}

export function fingerprintOf(
  datagram: Datagram,
  trap: Trap,
  inform: Pick<Inform, 'requestId'> | undefined,
  /** Whether several nodes receive. */
  isShared: boolean,
): Fingerprint {
  const { sourceIp, port, receivedAt, bytes } = datagram
  return {
    sourceIp,
    port,
    receivedAt,
    requestId: inform?.requestId,
    bytes: isDistinguishable(trap) ? digest(withoutCommunity(bytes)) : '',
    content: isShared && hasUptime(trap) ? digest(contentOf(datagram, trap)) : '',
  }
}

/** Half of SHA-256 tells apart what nobody has an interest in confusing. */
const digest = (content: Buffer | string) => hash('sha256', content, 'base64').slice(0, 22)

/** A device that does not give its uptime may send the same for two faults: one must not be taken for the other. */
const hasUptime = ({ uptime }: Trap) => Number(uptime) > 0

/** Version 3 with authentication has its own protection against replays. */
const isDistinguishable = (trap: Trap) =>
  hasUptime(trap) && (trap.usm === undefined || trap.usm.level === 'noAuthNoPriv')

/** Device, time since its start, event and variables; not the number of the request, which differs. */
function contentOf({ sourceIp }: Datagram, { agentAddress, uptime, oid, variables }: Trap): string {
  const values = variables.map((one) => [one.oid, one.type, one.value])
  return JSON.stringify([agentAddress ?? sourceIp, Number(uptime), oid, values])
}

/** For the store, one line each: more can be appended. */
export function linesOf(fingerprints: readonly Fingerprint[]): string {
  return fingerprints
    .map(({ sourceIp, port, receivedAt, requestId, bytes, content }) =>
      JSON.stringify([sourceIp, port, receivedAt, requestId ?? null, bytes, content]).concat('\n'),
    )
    .join('')
}

export function fingerprintsIn(lines: string): Fingerprint[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [sourceIp, port, receivedAt, requestId, bytes, content] = JSON.parse(line)
      return { sourceIp, port, receivedAt, requestId: requestId ?? undefined, bytes, content }
    })
}
