// Incidents that a route would have had, simulated over the changes of stored alarms: what take-entry.ts and step-run.ts do
// with rows of the store, in memory and without their reasons.

import type { PastChange } from '../../alarms/history/past-changes.ts'
import { EventQueue } from './event-queue.ts'
import { afterCause, maxAlone, updateWait } from './incident-changes.ts'
import type { MemberState } from './members.ts'
import { type DeviceShare, PastMessages, type PastSubject, type PastThread } from './past-messages.ts'
import { quotaKinds } from './quotas.ts'
import { shortestRound } from './route.ts'
import type { KnownRoute } from './route-index.ts'
import { stormTime, stormWait } from './step-run.ts'
import type { Directory, Resolved } from './targets.ts'

/** An alarm, as far as it is known what became of it. */
export interface PastAlarm extends PastSubject {
  readonly id: bigint
  /** The alarm that it follows from, and until when that one was open. */
  readonly parentId: bigint
  readonly parentUntil: number
  /** Whether the route takes it when it is told the n-th time, and its level then. */
  takes(pushed: number, at: number): boolean
  levelAt(pushed: number): number
}

interface Member {
  isAcknowledged: boolean
  isHeld: boolean
}

const stateOfMember = ({ isAcknowledged, isHeld }: Member): MemberState =>
  isHeld ? 'held' : isAcknowledged ? 'acknowledged' : 'open'

interface PastIncident extends PastThread {
  /** Not of a storm. */
  readonly rootId: bigint | undefined
  about: PastAlarm
  state: 'waiting' | 'open' | 'acknowledged' | 'held' | 'closed'
  step: number
  readonly openedAt: number
  /** When its next step is due; a step that was planned for another time is not executed. */
  dueAt: number | undefined
  /** In the order in which they came. */
  readonly members: Map<PastAlarm, Member>
}

const rank = { change: 0, step: 1 }

/** What became of alarms that the route takes. */
export interface PastOutcomes {
  suppressed: number
  short: number
  merged: number
  inStorms: number
}

export class PastIncidents {
  readonly outcomes: PastOutcomes = { suppressed: 0, short: 0, merged: 0, inStorms: 0 }
  readonly #queue = new EventQueue()
  readonly #messages: PastMessages
  readonly #route: KnownRoute
  readonly #resolve: (step: number, at: number) => Promise<Resolved>
  readonly #byRoot = new Map<bigint, PastIncident>()
  readonly #byAlarm = new Map<bigint, PastIncident>()
  #storm: PastIncident | undefined
  #now = 0

  constructor(
    directory: Directory,
    route: KnownRoute,
    resolve: (step: number, at: number) => Promise<Resolved>,
  ) {
    this.#messages = new PastMessages(this.#queue, directory, route)
    this.#route = route
    this.#resolve = resolve
  }

  get sent(): number {
    return this.#messages.sent
  }

  get limited(): number {
    return this.#messages.limited
  }

  get devices(): Iterable<DeviceShare> {
    return this.#messages.devices.values()
  }

  /** Lets time pass. */
  runUntil(time: number): Promise<void> {
    return this.#queue.runUntil(time, (now) => {
      this.#now = now
      this.#messages.now = now
    })
  }

  /** Plans what became of an alarm; `over`: when it ended, if it did. */
  add(
    alarm: PastAlarm,
    at: number,
    wasSuppressed: boolean,
    changes: readonly PastChange[],
    over?: number,
  ): void {
    const plan = (time: number, run: () => void) => this.#queue.add(time, rank.change, run)
    let pushed = 0
    if (!wasSuppressed) plan(at, () => this.#raised(alarm, 0))
    else if (!changes.some(({ kind }) => kind === 'release')) this.outcomes.suppressed += 1
    for (const { kind, at: time, pushed: isPushed } of changes) {
      if (kind !== 'release' && kind !== 'rise') plan(time, () => this.#changed(alarm, kind))
      else if (isPushed) {
        if (!wasSuppressed || pushed > 0) pushed += 1
        const number = pushed
        if (wasSuppressed && pushed === 0) pushed = 1
        plan(time, () => this.#raised(alarm, number, kind === 'release'))
      }
    }
    if (over !== undefined) plan(over, () => this.#over(alarm))
  }

  #raised(alarm: PastAlarm, pushed: number, isRelease = false): void {
    const level = alarm.levelAt(pushed)
    const isWorse = level < alarm.alarmLevel
    alarm.alarmLevel = level
    const known = this.#byAlarm.get(alarm.id)
    if (known) this.#again(known, alarm, isRelease, isWorse)
    else if (alarm.takes(pushed, this.#now)) this.#take(alarm)
  }

  #take(alarm: PastAlarm): void {
    const rootId = alarm.parentId !== 0n && alarm.parentUntil > this.#now ? alarm.parentId : alarm.id
    const cause = this.#byRoot.get(rootId)
    const { delay, steps } = this.#route
    if (cause) this.#join(cause, alarm)
    else this.#plan(this.#open(alarm, rootId), this.#now + delay + (steps[0]?.after ?? 0))
  }

  #open(alarm: PastAlarm, rootId: bigint | undefined): PastIncident {
    const incident: PastIncident = {
      ...{ rootId, about: alarm, state: 'waiting', step: 0, openedAt: this.#now, dueAt: undefined, turn: 0 },
      ...{ members: new Map(), told: new Map(), waiting: new Map(), quiet: new Set() },
    }
    if (rootId !== undefined) this.#byRoot.set(rootId, incident)
    this.#enter(incident, alarm, { isAcknowledged: false, isHeld: false })
    return incident
  }

  #enter(incident: PastIncident, alarm: PastAlarm, member: Member): void {
    incident.members.set(alarm, member)
    this.#byAlarm.set(alarm.id, incident)
  }

  #join(incident: PastIncident, alarm: PastAlarm): void {
    this.outcomes.merged += 1
    this.#enter(incident, alarm, { isAcknowledged: false, isHeld: false })
    if (incident.rootId === alarm.id) incident.about = alarm
    if (incident.state === 'open' || incident.state === 'acknowledged') this.#update(incident)
  }

  /** The new number of alarms, a while later. */
  #update(incident: PastIncident): void {
    for (const [channelId, contactId] of incident.told) {
      if (incident.waiting.has(channelId)) continue
      this.#messages.send(incident, { channelId, contactId, delay: updateWait })
    }
  }

  #again(incident: PastIncident, alarm: PastAlarm, isRelease: boolean, isWorse: boolean): void {
    const member = incident.members.get(alarm)
    if (isRelease && member?.isHeld) {
      member.isHeld = false
      this.#wake(incident, alarm, member)
    } else if (isWorse && incident.state !== 'held' && incident.state !== 'waiting') this.#tellWorse(incident)
  }

  #tellWorse(incident: PastIncident): void {
    for (const again of incident.quiet) again()
    for (const [channelId, contactId] of incident.told)
      if (!incident.waiting.has(channelId)) this.#messages.send(incident, { channelId, contactId, delay: 0 })
  }

  /** One that calls nobody begins again, where its alarm is neither acknowledged nor shelved any more. */
  #wake(incident: PastIncident, alarm: PastAlarm, member: Member): void {
    const isGroup = incident.rootId === undefined
    if (incident.state !== 'acknowledged' && incident.state !== 'held') return
    if (!isGroup && incident.about !== alarm) return
    const state = isGroup ? stateOf(incident) : stateOfMember(member)
    if (state !== 'open') incident.state = state ?? incident.state
    else {
      Object.assign(incident, { state: 'waiting', step: 0 })
      this.#plan(incident, this.#now)
    }
  }

  #changed(alarm: PastAlarm, kind: PastChange['kind']): void {
    const incident = this.#byAlarm.get(alarm.id)
    const member = incident?.members.get(alarm)
    if (!incident || !member) return
    const isAbout = incident.about === alarm
    if (kind === 'note' || kind === 'assign') {
      const told = [...incident.told].map(([channelId, contactId]) => ({ channelId, contactId, delay: 0 }))
      if (isAbout) this.#messages.sendLimited(incident, told, false)
    } else if (kind === 'acknowledge' || kind === 'shelve') {
      Object.assign(member, kind === 'shelve' ? { isHeld: true } : { isAcknowledged: true })
      this.#rest(incident, kind, isAbout)
    } else if (kind === 'unacknowledge') {
      member.isAcknowledged = false
      this.#wake(incident, alarm, member)
    } else if (kind === 'escalate' && incident.state === 'open' && incident.dueAt !== undefined)
      this.#plan(incident, this.#now)
  }

  /** Somebody has it, or it was shelved: nobody else is called. */
  #rest(incident: PastIncident, kind: 'acknowledge' | 'shelve', isAbout: boolean): void {
    const isGroup = incident.rootId === undefined
    const state = isGroup ? stateOf(incident) : kind === 'shelve' ? 'held' : 'acknowledged'
    const isCalling = incident.state === 'waiting' || incident.state === 'open'
    if (isGroup && !isCalling) incident.state = state ?? incident.state
    if (isGroup ? state === 'open' || !isCalling : !isAbout) return
    this.#stop(incident, state ?? 'held')
    if (kind === 'acknowledge' && state === 'acknowledged') this.#messages.tell(incident)
  }

  #stop(incident: PastIncident, state: PastIncident['state']): void {
    const isNobodyNotified = incident.rootId !== undefined && incident.told.size === 0
    if (incident.state === 'waiting' && state !== 'held' && isNobodyNotified) this.outcomes.short += 1
    this.#messages.stop(incident)
    Object.assign(incident, { state, dueAt: undefined })
  }

  #over(alarm: PastAlarm): void {
    const incident = this.#byAlarm.get(alarm.id)
    if (!incident) return
    incident.members.delete(alarm)
    this.#byAlarm.delete(alarm.id)
    if (incident.rootId === undefined) this.#left(incident, alarm)
    else if (incident.rootId !== alarm.id && incident.members.size > 0) {
      if (incident.about === alarm) incident.about = mostSevere(incident) ?? alarm
    } else {
      this.#close(incident)
      this.#goOnWithout(incident)
    }
  }

  /** One alarm of a storm is over. */
  #left(storm: PastIncident, alarm: PastAlarm): void {
    const state = stateOf(storm)
    if (state === undefined && storm.state !== 'waiting') this.#close(storm)
    else if (storm.about === alarm) storm.about = mostSevere(storm) ?? alarm
    if (state !== undefined && state !== 'open' && storm.state === 'open') this.#stop(storm, state)
  }

  #close(incident: PastIncident): void {
    this.#stop(incident, 'closed')
    this.#messages.tell(incident)
    this.#forget(incident)
  }

  #forget(incident: PastIncident): void {
    if (incident.rootId !== undefined) this.#byRoot.delete(incident.rootId)
    if (this.#storm === incident) this.#storm = undefined
  }

  /** Alarms that outlive their cause. */
  #goOnWithout({ members }: PastIncident): void {
    const left = [...members].sort(([a], [b]) => bySeverity(a, b))
    const [first] = left
    if (!first) return
    const storm = left.length > maxAlone ? this.#open(first[0], undefined) : undefined
    if (storm) this.#storm = storm
    for (const [alarm, member] of left) {
      const incident = storm ?? this.#open(alarm, alarm.id)
      this.#enter(incident, alarm, member)
      if (storm) continue
      const state = stateOfMember(member)
      if (state === 'open') this.#plan(incident, this.#now + afterCause)
      else incident.state = state
    }
    if (storm) this.#plan(storm, this.#now + afterCause)
  }

  #plan(incident: PastIncident, at: number): void {
    incident.dueAt = at
    this.#queue.add(at, rank.step, async () => {
      if (incident.dueAt !== at || incident.state === 'closed') return
      incident.dueAt = undefined
      await this.#due(incident)
    })
  }

  async #due(incident: PastIncident): Promise<void> {
    const { steps, repeatAfter } = this.#route
    const isStorm = incident.rootId === undefined
    if (incident.state === 'waiting' && !isStorm && this.#joinsStorm(incident)) return
    const isFirst = incident.state === 'waiting'
    incident.state = 'open'
    if (incident.step < steps.length) await this.#step(incident, isStorm && isFirst)
    else if (incident.told.size === 0 && incident.waiting.size === 0) {
      incident.step = 0
      this.#plan(incident, this.#now + Math.max(0, shortestRound * 1000 - repeatAfter))
    } else {
      const told = [...incident.told]
        .filter(([channelId]) => !incident.waiting.has(channelId))
        .map(([channelId, contactId]) => ({ channelId, contactId, delay: 0 }))
      this.#messages.sendLimited(incident, told, false)
      if (repeatAfter > 0) this.#plan(incident, this.#now + repeatAfter)
    }
    if (!isStorm) return
    const state = stateOf(incident)
    if (state === undefined) {
      incident.state = 'closed'
      this.#forget(incident)
    } else if (state !== 'open') Object.assign(incident, { state, dueAt: undefined })
  }

  async #step(incident: PastIncident, isSummary: boolean): Promise<void> {
    const { recipients } = await this.#resolve(incident.step, this.#now)
    this.#messages.sendLimited(incident, recipients, isSummary)
    const { steps, startsAgain, repeatAfter } = this.#route
    incident.step += 1
    const next = steps[incident.step]
    if (next) return this.#plan(incident, this.#now + (recipients.length === 0 ? 0 : next.after))
    if (startsAgain) {
      incident.step = 0
      const wait = repeatAfter || (steps.at(-1)?.after ?? 0)
      return this.#plan(incident, this.#now + Math.max(wait, shortestRound * 1000))
    }
    if (repeatAfter > 0) this.#plan(incident, this.#now + repeatAfter)
  }

  #joinsStorm(incident: PastIncident): boolean {
    const { span, limit } = quotaKinds.storm
    if (!this.#messages.exceeds('storm', span, limit) || incident.told.size > 0) return false
    let storm = this.#storm
    const isCalling = storm?.state === 'waiting' || storm?.state === 'open'
    if (!storm || !isCalling || this.#now - storm.openedAt >= stormTime) {
      storm = this.#open(incident.about, undefined)
      this.#storm = storm
      this.#plan(storm, this.#now + stormWait)
    }
    this.outcomes.inStorms += incident.members.size
    incident.state = 'closed'
    this.#forget(incident)
    for (const [alarm, member] of incident.members) this.#enter(storm, alarm, member)
    if (incident.about.alarmLevel < storm.about.alarmLevel) storm.about = incident.about
    if (storm.state !== 'waiting') this.#update(storm)
    return true
  }
}

/** Open while one of its alarms is; undefined where none is left. */
function stateOf({ members }: PastIncident): MemberState | undefined {
  let found: MemberState | undefined
  for (const member of members.values()) {
    const state = stateOfMember(member)
    if (state === 'open') return state
    if (state === 'acknowledged' || found === undefined) found = state
  }
  return found
}

const bySeverity = (a: PastAlarm, b: PastAlarm) => a.alarmLevel - b.alarmLevel || (a.id < b.id ? -1 : 1)

/** Among the first ones: of a very large storm, the others would take long. */
const maxCompared = 100

function mostSevere({ members }: PastIncident): PastAlarm | undefined {
  let [found] = members.keys()
  let compared = 0
  for (const alarm of members.keys()) {
    if (found && bySeverity(alarm, found) < 0) found = alarm
    compared += 1
    if (compared === maxCompared) break
  }
  return found
}
