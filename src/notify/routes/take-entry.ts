// What follows from an entry of the log, for every route: incidents are opened, joined, told of changes, or closed. See
// decision 85 for the states.

import type { LogEntry } from '../../alarms/log/alarm-log.ts'
import { audiences } from '../../alarms/log/push-attributes.ts'
import type { Alarm } from '../../resources/alarms/alarm.ts'
import { CauseChanges } from './cause-changes.ts'
import { GroupChanges, isGroup } from './group-changes.ts'
import type { Incident } from './incident.ts'
import { type EntryContext, IncidentChanges, isUnsent, suppressionOf } from './incident-changes.ts'
import type { IncidentWork } from './incident-work.ts'
import type { LedgerRow } from './ledger.ts'
import { alarmsOf, changeOf, isLater, isNobodyNotified } from './log-entries.ts'
import type { Member } from './members.ts'
import type { KnownRoute, RouteIndex } from './route-index.ts'

/** An entry with the time at which it was written. */
export interface TimedEntry {
  readonly entry: LogEntry
  readonly at: number
}

const minute = 60_000
/** Entries that are older when they are read are told in one summary. */
export const staleAfter = 10 * minute
const causeMargin = 3000

export class EntryTaker {
  readonly #context: EntryContext
  readonly #work: IncidentWork
  readonly #changes: IncidentChanges
  readonly #groups: GroupChanges
  readonly #causes: CauseChanges
  readonly #now: number

  constructor(context: EntryContext) {
    this.#context = context
    this.#work = context.work
    this.#changes = new IncidentChanges(context)
    this.#groups = new GroupChanges(context, this.#changes)
    this.#causes = new CauseChanges(context, this.#changes)
    this.#now = context.work.tx.now
  }

  async take(timed: TimedEntry): Promise<void> {
    const { entry } = timed
    if (isLater(entry)) for (const id of alarmsOf(entry)) this.#noteOutside(entry, id)
    switch (entry.kind) {
      case 'raise':
      case 'rise':
      case 'release':
        return this.#raised(timed)
      case 'recover':
        for (const { id } of entry.cleared) await this.#over(entry, id, 'recovered')
        return
      case 'delete':
        return this.#over(entry, entry.alarmId, 'deleted')
      case 'cause':
        return this.#causes.found(entry)
      case 'acknowledge':
        return this.#each(entry, (incident) => this.#changes.acknowledge(entry, incident), true)
      case 'unacknowledge':
        return this.#each(entry, (incident) => this.#changes.unacknowledge(entry, incident), true)
      case 'note':
      case 'assign':
        return this.#each(entry, (incident) =>
          this.#changes.tell(entry, incident, 'note', this.#workText(entry)),
        )
      case 'shelve':
        return this.#each(entry, (incident) => this.#changes.hold(entry, incident), true)
      case 'unshelve':
        // Where the alarm is told again, its release follows.
        return this.#noteEach(entry, 'the end of its suppression is told')
      case 'escalate':
        // The step was made due by whoever asked for it.
        return this.#noteEach(entry, 'the next step says it')
    }
  }

  #noteEach(entry: LogEntry, reason: string): void {
    for (const { incidentId } of this.#work.members.of(entry.alarmId))
      this.#changes.note(entry, this.#work.get(incidentId), changeOf(entry), 'merged', reason)
  }

  /** For routes that took the alarm, and of none of whose open incidents it is a part. */
  #noteOutside(entry: LogEntry, alarmId: bigint): void {
    const { routeIndex, lastResort } = this.#context
    const inIncidents = new Set(this.#work.members.of(alarmId).map(({ routeId }) => routeId))
    for (const routeId of this.#work.routesOf(alarmId)) {
      if (inIncidents.has(routeId) || (!routeIndex.find(routeId) && routeId !== lastResort?.id)) continue
      this.#noteAlone(entry, routeId, this.#outsideReason(entry, alarmId), alarmId)
    }
  }

  #outsideReason(entry: LogEntry, alarmId: bigint): string {
    const alarm = this.#context.alarm(alarmId)
    if (isNobodyNotified(entry)) return alarm ? suppressionOf(alarm) : 'it was suppressed'
    const isOver = alarm === undefined || alarm.recStatus !== 0
    return isOver && entry.kind !== 'recover'
      ? 'the alarm was over already'
      : 'the route no longer tells of it'
  }

  /** The open incidents that an alarm is counted into; where it is not what they are about, its change is only noted. */
  async #each(entry: LogEntry, act: (incident: Incident) => Promise<void>, isOfAlarm = false): Promise<void> {
    const alarm = this.#context.alarm(entry.alarmId)
    for (const member of this.#work.members.of(entry.alarmId)) {
      const incident = this.#work.get(member.incidentId)
      if (alarm) this.#work.members.update(member, alarm)
      const change = changeOf(entry)
      if (isGroup(incident) && isOfAlarm) await this.#groups.changed(entry, incident, change)
      else if (incident.alarmId === entry.alarmId) await act(incident)
      else this.#changes.note(entry, incident, change, 'merged', 'it is counted into another alarm')
    }
  }

  async #raised(timed: TimedEntry): Promise<void> {
    const { entry, at } = timed
    const [facts] = entry.attributes
    const alarm = this.#context.alarm(entry.alarmId)
    const members = new Map(this.#work.members.of(entry.alarmId).map((member) => [member.routeId, member]))
    for (const member of members.values()) await this.#again(entry, member, alarm)
    if (!facts) return
    const subject = { facts, category: alarm?.alarmCategory ?? null, at }
    for (const route of this.#routes(subject, entry.number, alarm)) {
      if (members.has(route.id)) continue
      const suppressed = facts.audience === audiences.nobody
      if (!alarm) this.#noteAlone(entry, route.id, 'the alarm was deleted before it could be told')
      else if (suppressed) this.#noteAlone(entry, route.id, suppressionOf(alarm))
      else await this.#open(timed, route, alarm)
    }
  }

  #routes(
    subject: Parameters<RouteIndex['taking']>[0],
    number: bigint,
    alarm: Alarm | undefined,
  ): KnownRoute[] {
    const { routeIndex, lastResort, isOfService } = this.#context
    const found = routeIndex.taking(subject, number)
    return found.length === 0 && lastResort && alarm && isOfService(alarm) ? [lastResort] : found
  }

  /** An alarm that the route tells of already: it got worse, or is no longer suppressed. */
  async #again(entry: LogEntry, member: Member, alarm: Alarm | undefined): Promise<void> {
    const incident = this.#work.get(member.incidentId)
    if (alarm) this.#work.members.update(member, alarm)
    const level = entry.attributes[0]?.alarmLevel ?? incident.alarmLevel
    const isWorse = level < incident.alarmLevel
    if (isWorse || incident.alarmId === entry.alarmId) {
      this.#work.change(incident, {
        alarmLevel: Math.min(level, incident.alarmLevel),
        ...(alarm && { alarm: this.#context.describe(alarm) }),
        ...(alarm && isGroup(incident) && { alarmId: alarm.id }),
      })
    }
    if (entry.kind === 'release' && isGroup(incident)) return this.#groups.changed(entry, incident, 'raised')
    if (entry.kind === 'release' && incident.state === 'held' && incident.alarmId === entry.alarmId)
      return this.#changes.release(entry, incident)
    if (incident.state === 'held' && alarm?.suppressed)
      return this.#changes.note(entry, incident, changeOf(entry), 'suppressed', suppressionOf(alarm))
    if (entry.kind === 'rise' && incident.state !== 'held') return this.#worse(entry, incident, isWorse)
    this.#changes.note(entry, incident, changeOf(entry), 'merged', 'the route tells of it already')
  }

  /** Rows that have not been sent show the new level themselves. */
  async #worse(entry: LogEntry, incident: Incident, isWorse: boolean): Promise<void> {
    if (!isWorse)
      return this.#changes.note(entry, incident, 'worse', 'merged', 'the incident is as severe already')
    if (incident.state === 'waiting') {
      return this.#changes.note(
        entry,
        incident,
        'worse',
        'merged',
        'the first message, which is not sent yet, says it',
      )
    }
    const unsent = (await this.#work.pending(incident)).filter(isUnsent)
    // Quiet hours may let the new level pass: the time is found again when they are due.
    for (const row of unsent) {
      if (row.dueAt !== null && row.dueAt > this.#now && row.reason !== null) row.dueAt = this.#now
      this.#work.touch(row)
    }
    // What is planned for later is no reason to tell it late.
    const isDue = ({ dueAt, attempts }: LedgerRow) => attempts > 0 || (dueAt ?? 0) <= this.#now
    const waiting = new Set(unsent.filter(isDue).map(({ channelId }) => channelId))
    const told = (await this.#work.told(incident)).filter(({ channelId }) => !waiting.has(channelId))
    this.#changes.addRows(entry, incident, 'worse', told, '', 'messages that are not sent yet say it')
  }

  async #open(timed: TimedEntry, route: KnownRoute, alarm: Alarm): Promise<void> {
    const { entry, at } = timed
    if (at < this.#now - staleAfter) return this.#groups.addToSummary(entry, route, alarm)
    const rootId = this.#causes.rootOf(alarm)
    const known = await this.#work.withRoot(route.id, rootId)
    if (known) return this.#causes.count(entry, known, alarm)
    // A little later: by then the log says which alarm it follows from, or that it follows from none.
    const cause = alarm.causeId === 0n && alarm.causeUntil > 0 ? alarm.causeUntil + causeMargin : 0
    const delay = route.delay + (route.steps[0]?.after ?? 0)
    // By a clock that was set back since.
    const ahead = Math.max(0, at - this.#now)
    const incident = this.#work.open({
      routeId: route.id,
      kind: 'alarm',
      rootId,
      alarmId: alarm.id,
      alarmLevel: entry.attributes[0]?.alarmLevel ?? alarm.alarmLevel,
      alarm: this.#context.describe(alarm),
      state: 'waiting',
      alarms: 1,
      step: 0,
      dueAt: Math.max(at + delay, cause) - ahead,
      head: 0n,
    })
    this.#work.members.join(incident, alarm)
    this.#changes.setHead(entry, incident, 'raised')
  }

  async #over(entry: LogEntry, alarmId: bigint, why: 'recovered' | 'deleted'): Promise<void> {
    for (const member of this.#work.members.of(alarmId)) {
      const incident = this.#work.get(member.incidentId)
      this.#work.members.leave(member)
      this.#work.change(incident, { ended: incident.ended + 1 })
      if (isGroup(incident)) {
        await this.#groups.left(entry, incident, alarmId, why)
        continue
      }
      const hasOthers = await this.#work.members.has(incident)
      if (incident.rootId !== alarmId && hasOthers) {
        // Where the route does not take the root, messages are about the alarm that came first.
        if (incident.alarmId === alarmId) await this.#changes.showAnother(incident)
        this.#changes.note(entry, incident, 'recovered', 'merged', 'others of the incident are open', alarmId)
        continue
      }
      await this.#changes.close(entry, incident, why, alarmId)
      if (hasOthers) await this.#changes.goOnWithout(entry, incident)
    }
  }

  #noteAlone(entry: LogEntry, routeId: bigint, reason: string, alarmId = entry.alarmId): void {
    const change = changeOf(entry)
    const row = this.#work.addRow(undefined, { routeId, alarmId, logNumber: entry.number, change })
    this.#work.end(row, 'suppressed', reason)
  }

  #workText(entry: LogEntry): string {
    const alarm = this.#context.alarm(entry.alarmId)
    if (!alarm) return ''
    if (entry.kind === 'note') return alarm.note ?? ''
    return alarm.owner ? `assigned to ${alarm.owner}` : 'no longer assigned to anybody'
  }
}
