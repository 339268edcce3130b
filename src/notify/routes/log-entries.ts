// Entries of the log as routes see them: which alarms they concern, and how messages and the ledger name them.

import type { LogEntry } from '../../alarms/log/alarm-log.ts'
import { audiences } from '../../alarms/log/push-attributes.ts'
import type { Change } from '../message.ts'

const raises: ReadonlySet<LogEntry['kind']> = new Set(['raise', 'rise', 'release'])
export const isRaise = ({ kind }: LogEntry) => raises.has(kind)

/** A change of an alarm that nobody has received. */
export const isNobodyNotified = ({ attributes: [own] }: LogEntry) => own?.audience === audiences.nobody

/** What becomes of an alarm that was taken: it concerns routes that have taken it, also where they tell of it no longer. */
export const isLater = ({ kind }: LogEntry) => kind !== 'cause' && kind !== 'escalate' && !raises.has(kind)

/** The alarms whose incidents an entry may change. */
export const alarmsOf = ({ alarmId, cleared, kind }: LogEntry): bigint[] =>
  kind === 'recover' ? cleared.map(({ id }) => id) : [alarmId]

const changes: Readonly<Partial<Record<LogEntry['kind'], Change>>> = {
  rise: 'worse',
  recover: 'recovered',
  delete: 'recovered',
  acknowledge: 'acknowledged',
  unacknowledge: 'repeat',
  note: 'note',
  assign: 'note',
  shelve: 'note',
  unshelve: 'note',
  escalate: 'escalated',
}

/** How messages and the ledger name an entry. */
export const changeOf = ({ kind }: LogEntry): Change => changes[kind] ?? 'raised'
