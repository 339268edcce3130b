// What happens to an incident that is open: it is told, acknowledged, held, begun again or closed. What follows are rows of
// the ledger.

import type { LogEntry } from '../../alarms/log/alarm-log.ts'
import type { Alarm } from '../../resources/alarms/alarm.ts'
import type { Change } from '../message.ts'
import type { Incident, NotifiedChannel } from './incident.ts'
import type { IncidentWork } from './incident-work.ts'
import { isLimitNotice, type LedgerRow } from './ledger.ts'
import { memberStateOf } from './members.ts'
import { limitReason, type MessageLimits } from './message-limits.ts'
import type { KnownRoute, RouteIndex } from './route-index.ts'

export interface EntryContext {
  readonly work: IncidentWork
  readonly routeIndex: RouteIndex
  readonly limits: MessageLimits
  /** Takes alarms of the service that no route takes. */
  readonly lastResort: KnownRoute | undefined
  /** The alarm as it is now; undefined where it was deleted. */
  alarm(id: bigint): Alarm | undefined
  /** What messages show of an alarm, as JSON. */
  describe(alarm: Alarm): string
  /** Reads further alarms, before they are asked for. */
  load(ids: readonly bigint[]): Promise<void>
  isOfService(alarm: Alarm): boolean
}

const minute = 60_000
/** How long alarms whose cause is over may take to end as well. */
export const afterCause = 2 * minute
/** Where more alarms outlive their cause, all of them are one incident. */
export const maxAlone = 20
/** How long after the first late one the number of an incident's alarms is told again. */
export const updateWait = 5 * minute

interface LimitedChannel extends NotifiedChannel {
  /** Why it gets no message. */
  readonly limit?: string | undefined
}

export class IncidentChanges {
  readonly #context: EntryContext
  readonly #work: IncidentWork
  readonly #now: number

  constructor(context: EntryContext) {
    this.#context = context
    this.#work = context.work
    this.#now = context.work.tx.now
  }

  setHead(entry: LogEntry, incident: Incident, change: Change): void {
    const row = this.#work.addRow(incident, { alarmId: incident.alarmId, logNumber: entry.number, change })
    this.#work.change(incident, { head: row.id })
  }

  async acknowledge(entry: LogEntry, incident: Incident): Promise<void> {
    const alarm = this.#context.alarm(entry.alarmId)
    const who = alarm?.ackUserName ?? ''
    await stopIncident(
      this.#work,
      incident,
      'acknowledged',
      `it was acknowledged${who === '' ? '' : ` by ${who}`}`,
    )
    await this.tell(entry, incident, 'acknowledged', who)
  }

  async unacknowledge(entry: LogEntry, incident: Incident): Promise<void> {
    if (incident.state !== 'acknowledged')
      return this.note(entry, incident, 'repeat', 'merged', 'the incident was not acknowledged')
    const alarm = this.#context.alarm(entry.alarmId)
    if (!alarm?.suppressed) return this.restart(entry, incident, 'repeat')
    this.#work.change(incident, { state: 'held' })
    this.note(entry, incident, 'repeat', 'suppressed', suppressionOf(alarm))
  }

  async hold(entry: LogEntry, incident: Incident): Promise<void> {
    await stopIncident(this.#work, incident, 'held', 'the alarm was shelved')
    this.note(entry, incident, 'note', 'suppressed', 'the alarm was shelved')
  }

  /** The alarm is no longer suppressed. */
  async release(entry: LogEntry, incident: Incident): Promise<void> {
    if (this.#context.alarm(entry.alarmId)?.ackStatus !== 1) return this.restart(entry, incident, 'raised')
    this.#work.change(incident, { state: 'acknowledged' })
    this.note(entry, incident, 'raised', 'suppressed', 'it is acknowledged')
  }

  /** From the first step again. */
  async restart(entry: LogEntry, incident: Incident, change: Change): Promise<void> {
    await this.#work.endHead(incident, 'merged', 'the incident begins again')
    this.#work.change(incident, { state: 'waiting', step: 0, dueAt: this.#now })
    this.setHead(entry, incident, change)
  }

  async close(entry: LogEntry, incident: Incident, why: string, alarmId: bigint): Promise<void> {
    const wasWaiting = incident.state === 'waiting'
    await stopIncident(this.#work, incident, 'closed', 'it was over before it was sent')
    const told = await this.#work.told(incident)
    const alarm = this.#context.alarm(incident.alarmId)
    if (alarm) this.#work.change(incident, { alarm: this.#context.describe(alarm) })
    this.addRows(
      entry,
      incident,
      'recovered',
      told,
      why === 'deleted' ? why : '',
      wasWaiting ? 'nobody was told yet' : 'nobody was told',
      alarmId,
    )
    this.#work.close(incident)
  }

  /** The cause is over and some of its alarms are not: they get time to end, and are told if they do not. */
  async goOnWithout(entry: LogEntry, closed: Incident): Promise<void> {
    const { members } = this.#work
    const ids = await members.mostSevere(closed, maxAlone + 1)
    await this.#context.load(ids)
    const left = ids.flatMap((id) => this.#context.alarm(id) ?? [])
    const [first] = left
    if (first && ids.length > maxAlone) {
      const storm = this.#openAfter(closed, first, { kind: 'storm', rootId: 0n })
      this.#work.change(storm, { alarms: Math.max(ids.length, closed.alarms - closed.ended) })
      await members.move(closed, storm)
      this.setHead(entry, storm, 'summary')
      return
    }
    await members.move(closed, undefined)
    for (const alarm of left) await this.#goOnAlone(entry, closed, alarm)
  }

  async #goOnAlone(entry: LogEntry, closed: Incident, alarm: Alarm): Promise<void> {
    const known = await this.#work.withRoot(closed.routeId, alarm.id)
    const incident = known ?? this.#openAfter(closed, alarm, { kind: 'alarm', rootId: alarm.id })
    this.#work.members.join(incident, alarm)
    if (known) {
      this.#work.change(known, { alarms: known.alarms + 1 })
      return this.note(entry, known, 'raised', 'merged', 'the route tells of it already', alarm.id)
    }
    this.setHead(entry, incident, 'raised')
    const state = memberStateOf(alarm)
    if (state !== 'open') {
      const reason = state === 'held' ? suppressionOf(alarm) : 'it is acknowledged'
      await stopIncident(this.#work, incident, state, reason)
    }
  }

  #openAfter({ routeId }: Incident, alarm: Alarm, what: Pick<Incident, 'kind' | 'rootId'>): Incident {
    const { id: alarmId, alarmLevel } = alarm
    return this.#work.open({
      ...{ ...what, routeId, alarmId, alarmLevel, alarm: this.#context.describe(alarm) },
      ...{ state: 'waiting', alarms: 1, step: 0, head: 0n, dueAt: this.#now + afterCause },
    })
  }

  /** The alarm that messages were about is over: they are about the most severe of the others. */
  async showAnother(incident: Incident): Promise<void> {
    const ids = await this.#work.members.mostSevere(incident, 1)
    await this.#context.load(ids)
    const alarm = this.#context.alarm(ids[0] ?? 0n)
    if (alarm) this.#work.change(incident, { alarmId: alarm.id, alarm: this.#context.describe(alarm) })
  }

  /** Tells those who were told of the fault. */
  async tell(entry: LogEntry, incident: Incident, change: Change, detail: string): Promise<void> {
    const alarm = this.#context.alarm(incident.alarmId)
    if (alarm) this.#work.change(incident, { alarm: this.#context.describe(alarm) })
    const told = await this.#work.told(incident)
    // Programs may write any number of notes; everything else that is told happens a few times.
    const channels = change === 'note' ? await this.#withLimits(incident, told) : told
    this.addRows(entry, incident, change, channels, detail, 'nobody was told of the fault')
  }

  async #withLimits(incident: Incident, told: readonly NotifiedChannel[]): Promise<LimitedChannel[]> {
    const { routeIndex, lastResort, limits } = this.#context
    const id = incident.routeId
    const route = id === lastResort?.id ? lastResort : (routeIndex.find(id) ?? { id, hourlyLimit: 0 })
    const limited = await limits.apply(incident, route, told, 'note')
    return limited.map(({ recipient, limit }) => ({ ...recipient, limit }))
  }

  addRows(
    entry: LogEntry,
    incident: Incident,
    change: Change,
    channels: readonly LimitedChannel[],
    detail: string,
    otherwise: string,
    alarmId = entry.alarmId,
  ): void {
    if (channels.length === 0) this.note(entry, incident, change, 'suppressed', otherwise, alarmId)
    for (const { channelId, contactId, limit } of channels) {
      const row = this.#work.addRow(incident, {
        ...{ alarmId, logNumber: entry.number, change, detail, channelId, contactId, step: incident.step },
        dueAt: this.#now,
      })
      if (limit !== undefined) this.#work.end(row, 'limited', limitReason(limit))
    }
  }

  /** A row without a channel: what became of a change that goes to nobody. */
  note(
    entry: LogEntry,
    incident: Incident,
    change: Change,
    outcome: 'merged' | 'suppressed',
    reason: string,
    alarmId = entry.alarmId,
  ): void {
    const row = this.#work.addRow(incident, { alarmId, logNumber: entry.number, change })
    this.#work.end(row, outcome, reason)
  }
}

/** Whether it was surely not received: no attempt began whose answer is missing. */
export const isUnsent = (row: LedgerRow): boolean => row.attemptOpen === 0

/** Ends what waits, and calls nobody else. */
export async function stopIncident(
  work: IncidentWork,
  incident: Incident,
  state: Incident['state'],
  reason: string,
): Promise<void> {
  await work.endHead(incident, 'suppressed', reason)
  for (const row of await work.pending(incident))
    if (isUnsent(row) && !isLimitNotice(row)) work.end(row, 'suppressed', reason)
  work.change(incident, { state, dueAt: null })
}

export const suppressionOf = ({ suppressedBy }: Alarm): string =>
  suppressedBy.length === 0
    ? 'it was suppressed'
    : `it was suppressed: ${suppressedBy.join(', ')}`.slice(0, 500)

export async function scheduleUpdate(work: IncidentWork, incident: Incident): Promise<void> {
  const waiting = new Set((await work.pending(incident)).map(({ channelId }) => channelId))
  for (const { channelId, contactId } of await work.told(incident)) {
    if (waiting.has(channelId)) continue
    work.addRow(incident, {
      ...{
        alarmId: incident.alarmId,
        logNumber: 0n,
        change: 'summary',
        channelId,
        contactId,
        step: incident.step,
      },
      dueAt: work.tx.now + updateWait,
    })
  }
}
