// Detects datagrams that were delivered twice: duplicated by the network, or sent again because an inform was not
// answered. A fault that recurs after its recovery may look the same, byte for byte; where the two cannot be
// distinguished, the datagram counts as new.

import { hash } from 'node:crypto'
import { inSpace, spaceOf } from '../schema/space.ts'
import { withoutCommunity } from '../snmp/community.ts'
import type { Inform, Trap } from '../snmp/decoder.ts'
import type { Datagram } from './datagram-block.ts'

/** A datagram that was seen. */
export interface Sighting {
  readonly print: Fingerprint
  /** Set when the datagram was not accepted after all: the same datagram is not a duplicate then. */
  refused: boolean
}

/** Bytes of memory for recent sightings, and roughly what one takes. */
const limit = 16 * 1024 * 1024
const cost = 400
/**
 * Milliseconds. Traps are not sent again, so their copies come from the network, which does not delay them for long.
 */
const networkDelay = 5000

export class Duplicates {
  readonly #window: number
  readonly #limit: number
  /**
   * The last datagram of each source, and of each of its requests. Two generations: the older one is dropped as a
   * whole.
   */
  #young = new Map<string, Sighting>()
  #old = new Map<string, Sighting>()
  #youngBytes = 0
  #youngSince = 0

  /** The window in milliseconds; 0: nothing is a duplicate. */
  constructor(window: number, memory = limit) {
    this.#window = window
    this.#limit = memory
  }

  /** The sighting that a datagram duplicates, or its own; undefined where duplicates are not detected. */
  see(print: Fingerprint): { readonly first: Sighting; readonly isAgain: boolean } | undefined {
    if (this.#window === 0) return undefined
    const { sourceIp, port, receivedAt: at, requestId } = print
    // A sender that waits for answers tells them apart by request number: another inform with the same number shows
    // that its numbers cannot be relied on. Traps have no such numbers: only the last datagram of the source, of any
    // kind, can be the same.
    const isInform = requestId !== undefined
    const key = isInform ? `${sourceIp} ${port} ${requestId}` : sourceIp
    const window = isInform ? this.#window : Math.min(this.#window, networkDelay)
    const known = this.#young.get(key) ?? this.#old.get(key)
    if (known && isSame(known.print, print) && Math.abs(at - known.print.receivedAt) < window) {
      if (!known.refused) return { first: known, isAgain: true }
    }
    this.#age(at)
    const first = { print, refused: false }
    this.#young.set(sourceIp, first).set(key, first)
    return { first, isAgain: false }
  }

  #age(now: number): void {
    this.#youngBytes += cost
    const isFull = this.#youngBytes > this.#limit / 2
    if (!isFull && Math.abs(now - this.#youngSince) < this.#window) return
    this.#old = this.#young
    this.#young = new Map()
    this.#youngBytes = cost
    this.#youngSince = now
  }
}

const isSame = (a: Fingerprint, b: Fingerprint) => a.bytes !== '' && a.bytes === b.bytes && a.port === b.port

/**
 * Identifies a datagram when it arrives again, at this node or another. No password can be read from it or guessed with
 * it.
 */
export interface Fingerprint {
  readonly sourceIp: string
  readonly port: number
  readonly receivedAt: number
  /** Only informs have one. */
  readonly requestId: number | undefined
  /** A digest of the bytes without the community; empty where the same bytes may be another notification. */
  readonly bytes: string
  /**
   * A digest of the parts that are the same at every node that receives it; empty where it is not needed or not known.
   */
  readonly content: string
}

export function fingerprintOf(
  datagram: Datagram,
  trap: Trap,
  inform: Pick<Inform, 'requestId'> | undefined,
  /** Whether there are several nodes. */
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

/**
 * Of a syslog message. Only copies at other nodes are detected, by the n-th equal content: a message that is repeated at
 * one node changes nothing, or is another fault.
 */
export const messagePrintOf = ({ sourceIp, receivedAt, bytes }: Datagram): Fingerprint => ({
  ...{ sourceIp, port: messagePort, receivedAt, requestId: undefined, bytes: '' },
  content: digest(Buffer.concat([Buffer.from(`${sourceIp} `), bytes])),
})

const messagePort = -1
export const isMessagePrint = ({ port }: Fingerprint) => port === messagePort

/** Half of a SHA-256 is enough, because nobody gains by a collision. */
const digest = (content: Buffer | string) => hash('sha256', content, 'base64').slice(0, 22)

/** A device that does not send its uptime may send the same bytes for two faults, which must not be confused. */
const hasUptime = ({ uptime }: Trap) => Number(uptime) > 0

/** Version 3 with authentication has its own protection against replays. */
const isDistinguishable = (trap: Trap) =>
  hasUptime(trap) && (trap.usm === undefined || trap.usm.level === 'noAuthNoPriv')

/** Device, time since its start, event and variables; not the number of the request, which differs. */
function contentOf({ sourceIp }: Datagram, { agentAddress, uptime, oid, variables }: Trap): string {
  const values = variables.map((variable) => [variable.oid, variable.type, variable.value])
  const device = agentAddress ? inSpace(agentAddress, spaceOf(sourceIp)) : sourceIp
  return JSON.stringify([device, Number(uptime), oid, values])
}

/** The form in the store: one line each, so that more can be appended. */
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
