// Incidents of several alarms that have no common cause: a storm, and the summary after an outage. Each of their alarms is
// acknowledged, shelved or over by itself; people are called as long as one of them is none of these.

import type { LogEntry } from '../../alarms/log/alarm-log.ts'
import type { Alarm } from '../../resources/alarms/alarm.ts'
import type { Change } from '../message.ts'
import type { Incident } from './incident.ts'
import { type EntryContext, type IncidentChanges, stopIncident } from './incident-changes.ts'
import type { IncidentWork } from './incident-work.ts'
import type { MemberState } from './members.ts'
import type { KnownRoute } from './route-index.ts'

/** How long after its alarms the summary is made. */
export const summaryWait = 5000
const othersOpen = 'others of the incident are open'

export const isGroup = ({ rootId }: Incident): boolean => rootId === 0n

export class GroupChanges {
  readonly #context: EntryContext
  readonly #work: IncidentWork
  readonly #changes: IncidentChanges

  constructor(context: EntryContext, changes: IncidentChanges) {
    this.#context = context
    this.#work = context.work
    this.#changes = changes
  }

  /** One of its alarms was acknowledged or shelved, or is so no longer. */
  async changed(entry: LogEntry, incident: Incident, change: Change): Promise<void> {
    const state = (await this.#work.members.stateOf(incident)) ?? 'open'
    const isCalling = incident.state === 'waiting' || incident.state === 'open'
    if (isCalling && state !== 'open' && !isSentAnyway(incident, state))
      return this.#rest(entry, incident, change, state)
    const wakes = entry.kind === 'unacknowledge' || entry.kind === 'release'
    if (!isCalling && state === 'open' && wakes) return this.#changes.restart(entry, incident, change)
    if (!isCalling && state !== 'open') this.#work.change(incident, { state })
    const reason = isCalling ? othersOpen : `the incident is ${incident.state}`
    this.#changes.note(entry, incident, change, 'merged', reason)
  }

  /** Nobody has to be called for any of its alarms. */
  async #rest(entry: LogEntry, incident: Incident, change: Change, state: MemberState): Promise<void> {
    if (entry.kind === 'acknowledge' && state === 'acknowledged')
      return this.#changes.acknowledge(entry, incident)
    const reason = `its alarms are ${state === 'held' ? 'suppressed' : 'acknowledged'}`
    await stopIncident(this.#work, incident, state, reason)
    this.#changes.note(entry, incident, change, 'suppressed', reason)
  }

  /** One of its alarms is over. One that is not sent yet is sent all the same: it says how many are over. */
  async left(
    entry: LogEntry,
    incident: Incident,
    alarmId: bigint,
    why: 'recovered' | 'deleted',
  ): Promise<void> {
    const state = await this.#work.members.stateOf(incident)
    if (state === undefined && incident.state !== 'waiting')
      return this.#changes.close(entry, incident, why, alarmId)
    if (incident.alarmId === alarmId) await this.#changes.showAnother(incident)
    const reason = state === undefined ? 'the message that is to come says it' : othersOpen
    this.#changes.note(entry, incident, 'recovered', 'merged', reason, alarmId)
    if (state !== undefined && state !== 'open' && incident.state === 'open')
      await stopIncident(
        this.#work,
        incident,
        state,
        'its alarms that are left are acknowledged or suppressed',
      )
  }

  /** A change that is old when it is read. */
  async addToSummary(entry: LogEntry, route: KnownRoute, alarm: Alarm): Promise<void> {
    const found = await this.#work.ofKind(route.id, 'outage')
    const summary = found?.state === 'waiting' ? found : this.#openSummary(route, alarm)
    const isOver = alarm.recStatus !== 0
    const isMostSevere = alarm.alarmLevel < summary.alarmLevel
    this.#work.change(summary, {
      alarms: summary.alarms + 1,
      ended: summary.ended + (isOver ? 1 : 0),
      ...(isMostSevere && {
        alarmId: alarm.id,
        alarmLevel: alarm.alarmLevel,
        alarm: this.#context.describe(alarm),
      }),
    })
    if (!isOver) this.#work.members.join(summary, alarm)
    this.#changes.note(entry, summary, 'raised', 'merged', 'it is in the summary after the outage', alarm.id)
  }

  #openSummary(route: KnownRoute, alarm: Alarm): Incident {
    const summary = this.#work.open({
      ...{ routeId: route.id, kind: 'outage', rootId: 0n, state: 'waiting', alarms: 0, step: 0, head: 0n },
      ...{ alarmId: alarm.id, alarmLevel: alarm.alarmLevel, alarm: this.#context.describe(alarm) },
      dueAt: this.#work.tx.now + summaryWait,
    })
    const row = this.#work.addRow(summary, { alarmId: alarm.id, logNumber: 0n, change: 'summary' })
    this.#work.change(summary, { head: row.id })
    return summary
  }
}

/** What was acknowledged while notifications were not sent is told all the same, once. */
const isSentAnyway = ({ kind, state }: Incident, members: MemberState): boolean =>
  kind === 'outage' && state === 'waiting' && members === 'acknowledged'
