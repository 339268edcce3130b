// The community in a message of version 1 or 2c: a password that travels in clear. Once a message is judged, nobody
// needs it any more.

import { BerReader, Tag } from './ber.ts'
import { attempt } from './malformed.ts'
import { oidContents } from './oid.ts'

/** snmpTrapCommunity.0: a proxy may pass the community on as a variable. */
export const trapCommunity = '1.3.6.1.6.3.18.1.4.0'

const passedOn = oidContents(trapCommunity)

interface Range {
  readonly start: number
  readonly end: number
}

/** Undefined in version 3, which has none, and in what is no message. */
function communityIn(bytes: Buffer): Range | undefined {
  return attempt(() => {
    // The lengths of what is around it may be wrong.
    const reader = new BerReader(bytes, headEnd(bytes, 0))
    if (bytes[0] !== Tag.sequence || reader.integer() > 1 || reader.peek() !== Tag.octetString)
      return undefined
    return valueAt(bytes, reader.at)
  })
}

/** Behind tag and length. */
const headEnd = (bytes: Buffer, at: number) => {
  const length = bytes[at + 1] ?? 0
  return at + 2 + (length >= 0x80 ? length & 0x7f : 0)
}

/** The contents of the element that begins there, as far as there are any. */
function valueAt(bytes: Buffer, at: number): Range {
  const start = headEnd(bytes, at)
  const short = bytes[at + 1] ?? 0
  const length = short < 0x80 ? short : bytes.subarray(at + 2, start).reduce((sum, one) => sum * 256 + one, 0)
  return { start: Math.min(start, bytes.length), end: Math.min(start + length, bytes.length) }
}

/** What follows the community: it identifies a message, and nobody can guess a password by it. */
export function withoutCommunity(bytes: Buffer): Buffer {
  return bytes.subarray(communityIn(bytes)?.end ?? 0)
}

/**
 * A copy in which communities are blanked out, also one that a proxy has passed on. Messages of version 3 stay as they
 * are: their digest covers every byte.
 */
export function blankCommunities(bytes: Buffer): Buffer {
  const community = communityIn(bytes)
  if (!community) return bytes
  const blanked = Buffer.from(bytes).fill('*', community.start, community.end)
  for (let at = blanked.indexOf(passedOn); at >= 0; at = blanked.indexOf(passedOn, at + 1)) {
    const { start, end } = valueAt(blanked, at + passedOn.length)
    blanked.fill('*', start, end)
  }
  return blanked
}
