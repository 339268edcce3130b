// One incident that is due: who is told at its step, and what follows.

import type { Transaction } from '../../store/database.ts'
import type { Change } from '../message.ts'
import { summaryWait } from './group-changes.ts'
import type { Incident } from './incident.ts'
import { scheduleUpdate, stopIncident } from './incident-changes.ts'
import type { IncidentWork } from './incident-work.ts'
import { giveUpAfter, isLimitNotice, type LedgerRow } from './ledger.ts'
import { type MaintenancePause, pauseCheck } from './maintenance-pause.ts'
import { type Limited, limitReason, MessageLimits } from './message-limits.ts'
import type { Quotas } from './quotas.ts'
import { shortestRound } from './route.ts'
import type { KnownRoute } from './route-index.ts'
import { staleAfter } from './take-entry.ts'
import { isOwn, lastResort, lastResortDetail, type Recipient, type Resolved } from './targets.ts'

/** How long a storm is collected before it is told, and how long it lasts at most: what comes later is another one. */
export const stormWait = 30_000
export const stormTime = 10 * 60_000

export interface StepTargets extends Resolved {
  /** Undefined where it was deleted or disabled. */
  readonly route: KnownRoute | undefined
  readonly step: number
  /** Those of the last resort. */
  readonly last: readonly Recipient[]
}

export interface RunParts {
  /** The channel that an alarm of the service is about: it is not told through that one. */
  channelOf(incident: Incident): bigint | undefined
  readonly tx: Transaction
  readonly pauses: MaintenancePause
  readonly work: IncidentWork
  readonly quotas: Quotas
  readonly targets: StepTargets
}

/** One incident that is due. */
export class StepRun {
  readonly #parts: RunParts
  readonly #incident: Incident
  readonly #work: IncidentWork
  readonly #limits: MessageLimits
  readonly #now: number

  constructor(parts: RunParts, incident: Incident) {
    this.#parts = parts
    this.#incident = incident
    this.#work = parts.work
    this.#limits = new MessageLimits(parts.work, parts.quotas)
    this.#now = parts.tx.now
  }

  async run(): Promise<void> {
    const { route, step } = this.#parts.targets
    if (!route) return this.#endWithRoute()
    const windows = await this.#parts.pauses.covering(this.#parts.tx, this.#incident)
    if (windows !== undefined) return this.#pause(step < route.steps.length ? 'escalated' : 'repeat', windows)
    const isFirst = this.#incident.state === 'waiting' && this.#incident.kind === 'alarm'
    if (isFirst && (await this.#joinsGroup(route))) return
    if (step >= route.steps.length) await this.#repeat(route)
    else await this.#step(route)
    if (this.#incident.kind !== 'alarm') await this.#endIfOver()
  }

  /** Nobody else is called. Whoever was told of the fault is told of its end, as ever. */
  async #endWithRoute(): Promise<void> {
    const incident = this.#incident
    await stopIncident(this.#work, incident, incident.state, 'the route was deleted or disabled')
    // What has an attempt without an answer may have arrived.
    if ((await this.#work.told(incident)).length > 0) return this.#work.change(incident, { state: 'open' })
    await this.#work.members.move(incident, undefined)
    this.#work.close(incident)
  }

  /** The row that waits says why; another one stays in the ledger when it goes on. */
  async #pause(change: Change, windows: string): Promise<void> {
    const head = (await this.#work.head(this.#incident)) ?? this.#newRow(change)
    if (head.reason === null) {
      const paused = this.#newRow(head.change)
      this.#work.end(paused, 'suppressed', `paused by ${windows}; it goes on afterwards`.slice(0, 500))
    }
    head.reason = windows.slice(0, 500)
    this.#work.touch(head)
    this.#work.change(this.#incident, { head: head.id, dueAt: this.#now + pauseCheck })
  }

  /** Where a route opens very many incidents, the rest of them is one; so are those that were due during an outage. */
  async #joinsGroup(route: KnownRoute): Promise<boolean> {
    const incident = this.#incident
    const isLate = this.#now - (incident.dueAt ?? this.#now) > staleAfter
    if (!isLate && !(await this.#parts.quotas.exceeds('storm', route.id))) return false
    // One that begins again stays by itself: whoever was told of it is told of its end.
    if ((await this.#work.told(incident)).length > 0) return false
    const target = isLate ? await this.#summary(route) : await this.#storm(route)
    this.#work.change(target, {
      alarms: target.alarms + incident.alarms,
      ended: target.ended + incident.ended,
      ...(incident.alarmLevel < target.alarmLevel && {
        alarmId: incident.alarmId,
        alarmLevel: incident.alarmLevel,
        alarm: incident.alarm,
      }),
    })
    const reason = isLate ? 'it is in the summary after the outage' : 'it is counted into a storm'
    await this.#work.endHead(incident, 'merged', reason)
    this.#work.close(incident)
    await this.#work.members.move(incident, target)
    if (target.state !== 'waiting') await scheduleUpdate(this.#work, target)
    return true
  }

  /** One that people are being called for. An older one is told to nobody again: what comes later is another storm. */
  async #storm(route: KnownRoute): Promise<Incident> {
    const storm = await this.#work.ofKind(route.id, 'storm')
    const isCalling = storm?.state === 'waiting' || storm?.state === 'open'
    const isCurrent = isCalling && Math.abs(this.#now - storm.openedAt) < stormTime
    return isCurrent ? storm : this.#openGroup(route, 'storm', stormWait)
  }

  /** One that is not sent yet. */
  async #summary(route: KnownRoute): Promise<Incident> {
    const summary = await this.#work.ofKind(route.id, 'outage')
    return summary?.state === 'waiting' ? summary : this.#openGroup(route, 'outage', summaryWait)
  }

  #openGroup(route: KnownRoute, kind: 'storm' | 'outage', wait: number): Incident {
    const { alarmId, alarmLevel, alarm } = this.#incident
    const group = this.#work.open({
      ...{ routeId: route.id, kind, rootId: 0n, state: 'waiting', alarms: 0, step: 0, head: 0n },
      ...{ alarmId, alarmLevel, alarm, dueAt: this.#now + wait },
    })
    const row = this.#work.addRow(group, { alarmId, logNumber: 0n, change: 'summary' })
    this.#work.change(group, { head: row.id })
    return group
  }

  async #step(route: KnownRoute): Promise<void> {
    const { targets } = this.#parts
    const head = await this.#work.head(this.#incident)
    const change: Change = head?.change ?? 'escalated'
    const about = this.#parts.channelOf(this.#incident)
    const recipients = targets.recipients.filter(({ channelId }) => channelId !== about)
    if (recipients.length === 0) {
      const remarks =
        about === undefined ? targets.remarks : ['the alarm is about the only channel of this step']
      this.#skip(head, change, remarks.join('; ') || 'the step has no targets')
    } else {
      const limited = await this.#limits.apply(this.#incident, route, recipients, change)
      this.#addRows(head, change, limited)
    }
    const isLast = this.#incident.step + 1 >= route.steps.length
    if (isLast && isOwn(this.#incident) && route.id !== lastResort.id && (await this.#isNobodyNotified()))
      await this.#tellLastResort(undefined, change)
    this.#work.change(this.#incident, { state: 'open', head: 0n })
    this.#setNext(route, recipients.length === 0)
  }

  /** Nobody is told at this step: it does not wait. */
  #skip(head: LedgerRow | undefined, change: Change, reason: string): void {
    const row = head ?? this.#newRow(change)
    row.step = this.#incident.step
    this.#work.end(row, 'suppressed', `step ${this.#incident.step + 1}: ${reason}`.slice(0, 500))
  }

  /** Whether nobody was told of the fault, and nobody will be. */
  async #isNobodyNotified(): Promise<boolean> {
    if ((await this.#work.told(this.#incident)).length > 0) return false
    return (await this.#work.pending(this.#incident)).every(isLimitNotice)
  }

  /** An alarm of the service that a route took, and told to nobody in any of its steps. */
  async #tellLastResort(head: LedgerRow | undefined, change: Change): Promise<void> {
    const incident = this.#incident
    const about = this.#parts.channelOf(incident)
    const recipients = this.#parts.targets.last.filter(({ channelId }) => channelId !== about)
    if (head && recipients.length === 0)
      return this.#work.end(head, 'suppressed', 'the last resort: no administrator can be told')
    const limited = await this.#limits.apply(incident, lastResort, recipients, change)
    // A message of a storm with a detail would say that a limit was reached.
    const told = change === 'summary' ? 'escalated' : change
    this.#addRows(head ?? this.#newRow(told, { detail: lastResortDetail }), told, limited)
  }

  #newRow(change: Change, fields: Partial<LedgerRow> = {}): LedgerRow {
    const { alarmId, step } = this.#incident
    return this.#work.addRow(this.#incident, { alarmId, logNumber: 0n, change, step, ...fields })
  }

  /** The row that waited becomes that of the first recipient. */
  #addRows(head: LedgerRow | undefined, change: Change, limited: readonly Limited<Recipient>[]): void {
    let free = head
    for (const { recipient, limit } of limited) {
      const { contactId, channelId, delay } = recipient
      const dueAt = this.#now + delay
      const fields = {
        ...{ contactId, channelId, dueAt, giveUpAt: dueAt + giveUpAfter, step: this.#incident.step },
        reason: null,
      }
      const row = free
        ? Object.assign(free, fields)
        : this.#newRow(change, { ...fields, detail: head?.detail ?? '', logNumber: head?.logNumber ?? 0n })
      this.#work.touch(row)
      free = undefined
      if (limit !== undefined) this.#work.end(row, 'limited', limitReason(limit))
    }
  }

  /** When the next step is due, the first one again, or a repeat. */
  #setNext(route: KnownRoute, isSkipped: boolean): void {
    const step = this.#incident.step + 1
    const next = route.steps[step]
    this.#work.change(
      this.#incident,
      next ? { step, dueAt: this.#now + (isSkipped ? 0 : next.after) } : this.#afterLast(route),
    )
  }

  #afterLast({ startsAgain, repeatAfter, steps }: KnownRoute): Pick<Incident, 'step' | 'dueAt'> {
    if (startsAgain) {
      const wait = repeatAfter || (steps.at(-1)?.after ?? 0)
      return { step: 0, dueAt: this.#now + Math.max(wait, shortestRound * 1000) }
    }
    return { step: steps.length, dueAt: repeatAfter > 0 ? this.#now + repeatAfter : null }
  }

  /** All steps are done, and nobody has acknowledged. */
  async #repeat(route: KnownRoute): Promise<void> {
    const head = await this.#work.head(this.#incident)
    if (head?.detail === lastResortDetail) {
      await this.#tellLastResort(head, head.change)
      return this.#work.change(this.#incident, { head: 0n, ...this.#afterLast(route) })
    }
    if (await this.#isNobodyNotified()) return this.#beginAgain(route, head)
    const told = await this.#work.told(this.#incident)
    const waiting = new Set((await this.#work.pending(this.#incident)).map(({ channelId }) => channelId))
    const recipients = told
      .filter(({ channelId }) => !waiting.has(channelId))
      .map((one) => ({ ...one, delay: 0 }))
    if (recipients.length > 0)
      this.#addRows(head, 'repeat', await this.#limits.apply(this.#incident, route, recipients, 'repeat'))
    else if (head) this.#work.end(head, 'suppressed', 'earlier messages are not sent yet')
    const dueAt = route.repeatAfter > 0 ? this.#now + route.repeatAfter : null
    this.#work.change(this.#incident, { state: 'open', head: 0n, dueAt })
  }

  /** There is nobody to repeat it to: somebody else may be on call by now, or a limit or a fault be over. */
  #beginAgain({ repeatAfter }: KnownRoute, head: LedgerRow | undefined): void {
    const row = head ?? this.#newRow('repeat')
    const wait = Math.max(0, shortestRound * 1000 - repeatAfter)
    this.#work.change(this.#incident, { state: 'open', step: 0, head: row.id, dueAt: this.#now + wait })
  }

  /** A storm or a summary for whose alarms nobody has to be called is told once. */
  async #endIfOver(): Promise<void> {
    const state = await this.#work.members.stateOf(this.#incident)
    if (state === undefined) this.#work.close(this.#incident)
    else if (state !== 'open') this.#work.change(this.#incident, { state, dueAt: null })
  }
}
