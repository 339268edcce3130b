// Finds and removes the community in messages of version 1 and 2c: a password in clear text, which is not needed once
// the message is accepted or refused.

import { BerReader, Tag } from './ber.ts'
import { attempt } from './malformed.ts'
import { oidContents } from './oid.ts'

/** snmpTrapCommunity.0: a proxy may pass the community on as a variable. */
export const trapCommunity = '1.3.6.1.6.3.18.1.4.0'

const trapCommunityBytes = oidContents(trapCommunity)

interface Range {
  readonly start: number
  readonly end: number
}

/** Undefined in version 3, which has none, and in bytes that are not a message. */
function communityIn(bytes: Buffer): Range | undefined {
  return attempt(() => {
    // The lengths of the containers around it may be wrong.
    const reader = new BerReader(bytes, headEnd(bytes, 0))
    if (bytes[0] !== Tag.sequence || reader.integer() > 1 || reader.peek() !== Tag.octetString)
      return undefined
    return valueAt(bytes, reader.at)
  })
}

/** The end of an element's tag and length. */
const headEnd = (bytes: Buffer, at: number) => {
  const length = bytes[at + 1] ?? 0
  return at + 2 + (length >= 0x80 ? length & 0x7f : 0)
}

/** The contents of the element that begins at `at`, as far as they are present. */
function valueAt(bytes: Buffer, at: number): Range {
  const start = headEnd(bytes, at)
  const short = bytes[at + 1] ?? 0
  const length =
    short < 0x80 ? short : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0)
  return { start: Math.min(start, bytes.length), end: Math.min(start + length, bytes.length) }
}

/** The bytes after the community: they identify a message, and no password can be guessed from their digest. */
export function withoutCommunity(bytes: Buffer): Buffer {
  return bytes.subarray(communityIn(bytes)?.end ?? 0)
}

/**
 * A copy in which communities are blanked out, including one that a proxy has passed on. Messages of version 3 are
 * returned unchanged, because their digest covers every byte.
 */
export function blankCommunities(bytes: Buffer): Buffer {
  const community = communityIn(bytes)
  if (!community) return bytes
  const blanked = Buffer.from(bytes).fill('*', community.start, community.end)
  for (
    let at = blanked.indexOf(trapCommunityBytes);
    at >= 0;
    at = blanked.indexOf(trapCommunityBytes, at + 1)
  ) {
    const { start, end } = valueAt(blanked, at + trapCommunityBytes.length)
    blanked.fill('*', start, end)
  }
  return blanked
}
