// An incident: what one route tells of one cause. See decision 85.

import type { Row, SqlType, SqlValue } from '../../store/database.ts'

export type IncidentState = 'waiting' | 'open' | 'acknowledged' | 'held' | 'closed'
export type IncidentKind = 'alarm' | 'storm' | 'outage'

export interface Incident {
  readonly id: bigint
  readonly routeId: bigint
  readonly kind: IncidentKind
  /** The alarm that its members follow from; 0 for a storm or a summary. */
  rootId: bigint
  /** The alarm that messages are about, its level, and what messages show of it, as JSON. */
  alarmId: bigint
  alarmLevel: number
  alarm: string
  state: IncidentState
  /** How many alarms were counted into it, and how many of them are over. */
  alarms: number
  ended: number
  /** The step that is due next, and when. */
  step: number
  dueAt: number | null
  /** The row of the ledger that waits for the step; 0 for none. */
  head: bigint
  readonly openedAt: number
  changedAt: number
  closedAt: number | null
}

/** A channel that was told of an incident, or may have been. */
export interface NotifiedChannel {
  readonly channelId: bigint
  readonly contactId: bigint
}

/** Its fields, columns and their types. */
export const incidentFields: readonly (readonly [keyof Incident, string, SqlType])[] = [
  ['routeId', 'route_id', 'bigint'],
  ['kind', 'kind', 'text'],
  ['rootId', 'root_id', 'bigint'],
  ['alarmId', 'alarm_id', 'bigint'],
  ['alarmLevel', 'alarm_level', 'integer'],
  ['alarm', 'alarm', 'text'],
  ['state', 'state', 'text'],
  ['alarms', 'alarms', 'integer'],
  ['ended', 'ended', 'integer'],
  ['step', 'step', 'integer'],
  ['dueAt', 'due_at', 'bigint'],
  ['head', 'head', 'bigint'],
  ['openedAt', 'opened_at', 'bigint'],
  ['changedAt', 'changed_at', 'bigint'],
  ['closedAt', 'closed_at', 'bigint'],
]
const names = incidentFields.map(([, column]) => column)
export const incidentColumns = `id, ${names.join(', ')}`

export function incidentOf(row: Row): Incident {
  const optional = (value: SqlValue | undefined) =>
    value === null || value === undefined ? null : Number(value)
  return {
    id: row.id as bigint,
    routeId: row.route_id as bigint,
    kind: row.kind as IncidentKind,
    rootId: row.root_id as bigint,
    alarmId: row.alarm_id as bigint,
    alarmLevel: Number(row.alarm_level),
    alarm: String(row.alarm),
    state: row.state as IncidentState,
    alarms: Number(row.alarms),
    ended: Number(row.ended),
    step: Number(row.step),
    dueAt: optional(row.due_at),
    head: row.head as bigint,
    openedAt: Number(row.opened_at),
    changedAt: Number(row.changed_at),
    closedAt: optional(row.closed_at),
  }
}

/** Why a message is not sent whose change the channel knows from another route. */
export const notifiedByAnother = 'another route has told this channel'

/** Whether a row of the ledger means that its channel was told, or may have been. */
export const isNotified = `(outcome = 'delivered' or attempt_open = 1 or (outcome = 'merged' and reason = '${notifiedByAnother}'))`

/** Not a message that says that a limit was reached: whoever got that one was not told of the fault. */
export const isAboutFault = "not (change = 'summary' and detail <> '')"
