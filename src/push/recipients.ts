// Whether an entry of the log concerns a client: by its kind, its facts, and what the client has been given before.

import type { EntryKind, LogEntry } from '../alarms/log/alarm-log.ts'
import { type Filter, matches } from './stream-filter.ts'

/** What entries are compared with. */
export interface Recipient {
  readonly filter: Filter
  /** What was pushed before this time was not sent to it. */
  readonly sentFrom: number
}

const pushed: ReadonlySet<EntryKind> = new Set(['raise', 'rise', 'release', 'recover'])

/**
 * Whether entries of a kind are for clients with a filter: entries about people's work are for clients that asked for
 * them.
 */
export const matchesFilter = ({ changes }: Filter, { kind }: LogEntry): boolean => changes || pushed.has(kind)

/** Whether a client has been sent an alarm already, at the level that it has now. */
export function wasSent({ filter, sentFrom }: Recipient, { earlierPushes, attributes }: LogEntry): boolean {
  const level = attributes[0]?.alarmLevel
  return earlierPushes.some(
    (one) =>
      (one.alarmLevel === undefined || one.alarmLevel === level) &&
      one.at >= sentFrom &&
      matches(filter, [one]),
  )
}

export const isRecipient = (client: Recipient, entry: LogEntry): boolean =>
  matchesFilter(client.filter, entry) && matches(client.filter, entry.attributes) && !wasSent(client, entry)
