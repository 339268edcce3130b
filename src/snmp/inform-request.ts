// Recognises informs before they are authenticated: neither community nor user is checked, and nothing is trusted.

import { BerReader, Tag } from './ber.ts'
import { attempt } from './malformed.ts'
import { readMessageV3 } from './message-v3.ts'

/**
 * The number by which a sender tells its informs apart: of the request, or in version 3 of the message. Undefined if
 * the datagram is not an inform, or if equal bytes may be another notification: a device that does not send its uptime
 * may send the same bytes for two faults, and version 3 without authentication protects nothing.
 */
export function requestOf(bytes: Buffer): number | undefined {
  return attempt(() => {
    const reader = new BerReader(bytes)
    reader.enter(Tag.sequence)
    const version = reader.integer()
    if (version === 3) {
      const { id, level, reportable } = readMessageV3(reader)
      return reportable && level !== 'noAuthNoPriv' ? id : undefined
    }
    if (version !== 1) return undefined
    reader.octets()
    if (reader.peek() !== Tag.inform) return undefined
    reader.enter(Tag.inform)
    const request = reader.integer()
    reader.integer()
    reader.integer()
    reader.enter(Tag.sequence)
    reader.enter(Tag.sequence)
    reader.octets(Tag.objectIdentifier)
    return reader.unsigned(Tag.timeTicks) > 0 ? request : undefined
  })
}
