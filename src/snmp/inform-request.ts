// Whether the sender of a datagram waits for an answer, as far as can be seen from outside: nothing is trusted, and
// neither community nor user is looked at.

import { BerReader, Tag } from './ber.ts'
import { attempt } from './malformed.ts'
import { readMessageV3 } from './message-v3.ts'

/**
 * What tells an inform from others of its sender: the number of the request, or of the message in version 3. Undefined
 * where it is none, or where the same bytes may be another notification: a device that does not give its uptime may send
 * the same for two faults, and version 3 without authentication protects nothing.
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
