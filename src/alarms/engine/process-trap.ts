// Processes the traps of a block one by one, each seeing the changes of those before it. Works in memory, on gathered data;
// the changes are written afterwards.

import { serviceEvents } from '../../events/service-events.ts'
import { foundByAsking } from '../../resources/alarms/alarm.ts'
import type { Hits } from '../../resources/alarms/hits.ts'
import { candidate } from '../../rules/candidate.ts'
import type { RuleIndex } from '../../rules/rule-index.ts'
import type { FlapChanges } from '../limits/flapping.ts'
import type { LimitWithSummary, UnknownChanges } from '../limits/open-limits.ts'
import { stormDraft } from '../service/service-alarms.ts'
import type { AlarmChanges } from './alarm-changes.ts'
import { type AlarmDraft, type AlarmToGather, type Identity, systemUser } from './alarm-draft.ts'
import { decide, tooManyOpen, tooManyUnknown } from './decide.ts'
import type { FaultReport } from './fault-turns.ts'
import type { RejectedDatagrams } from './incoming-trap.ts'
import type { LateFaults } from './late-faults.ts'
import type { ReportedFaults } from './reported-faults.ts'
import type { ProcessedTrap } from './trap-ledger.ts'
import { draftOf, namesOf, type TrapMeaning } from './trap-meaning.ts'

/** The gathered data of a block. */
export interface BlockContext {
  readonly changes: AlarmChanges
  readonly flapping: FlapChanges
  readonly rules: RuleIndex
  readonly hits: Hits
  readonly unknownLimit: UnknownChanges
  readonly openLimit: LimitWithSummary
  readonly lateFaults: LateFaults
  readonly reported: ReportedFaults
  readonly unknownTraps: 'alarm' | 'store'
}

/** The alarms that a block may change, to be gathered. */
export function alarmsToGather(
  meanings: readonly TrapMeaning[],
  rejected: readonly RejectedDatagrams[],
  { flapping, unknownLimit, openLimit }: Pick<BlockContext, 'flapping' | 'unknownLimit' | 'openLimit'>,
): AlarmToGather[] {
  const alarms: AlarmToGather[] = []
  const ended = new Set<string>()
  for (const { ends } of meanings) for (const identity of ends) ended.add(identity.key)
  for (const meaning of meanings) {
    const mayEnd = ended.size > 0 && ended.has(meaning.identity.key)
    alarms.push(meaning, ...flapping.alarmsToGather(meaning, mayEnd))
    const { event, device, trap } = meaning
    alarms.push(...openLimit.alarmsToGather(device.id, device.name, trap.receivedAt))
    if (!event) alarms.push(...unknownLimit.limit.alarmsToGather(device.id, device.name, trap.receivedAt))
    for (const identity of meaning.ends) {
      alarms.push(
        { identity },
        ...flapping.alarmsToGather({ identity, alarmLevel: meaning.alarmLevel }, false),
      )
    }
  }
  for (const { storm, receivedAt } of rejected) {
    if (storm !== undefined) alarms.push(stormDraft(storm, receivedAt))
  }
  return alarms
}

/** Counts the traps of a storm in one alarm. */
export function processStorm(
  { storm, times, receivedAt, firstAt }: RejectedDatagrams,
  context: BlockContext,
): void {
  if (storm === undefined) return
  countIn(stormDraft(storm, firstAt ?? receivedAt), times, context, receivedAt)
}

/** Counts traps in a service alarm; returns its id, or undefined if a trap rule filters it. */
function countIn(
  draft: AlarmDraft,
  times: number,
  context: BlockContext,
  lastAt = draft.at,
): bigint | undefined {
  const { changes } = context
  const { identity, alarmLevel } = draft
  let repeats = times
  if (!changes.openAlarm(identity)) {
    if (filtersServiceAlarm(draft, context)) return undefined
    changes.raise(draft)
    repeats -= 1
  }
  if (repeats > 0) changes.repeat(identity, alarmLevel, lastAt, repeats)
  return changes.openAlarm(identity)?.id
}

/** Whether a trap rule filters an alarm of the service about itself. */
export function filtersServiceAlarm(
  { OID, identity, at }: AlarmDraft,
  { rules, hits }: Pick<BlockContext, 'rules' | 'hits'>,
  oid = OID,
): boolean {
  const rule = rules.find({
    oid,
    eventOid: oid,
    deviceId: identity.deviceId,
    at,
    own: true,
    variables: [],
    values: [],
    interfaces: [],
  })
  if (rule) hits.add(rule.id, at)
  return rule !== undefined
}

/** Decides what a trap does to alarms, and does it; returns the outcome. */
export function processTrap(meaning: TrapMeaning, context: BlockContext, trapId = 0n): ProcessedTrap {
  const { trap, device, event, values, identity, effect, alarmLevel: level, ends } = meaning
  const { changes, flapping, rules, hits, lateFaults, reported } = context
  lateFaults.noteRecovery(ends, trap)
  for (const one of [...ends, identity]) if (flapping.isSummaryGone(one)) flapping.end(one)
  const open = changes.openAlarm(identity)
  const { ending, fault, isOvertaken } = matchReports(meaning, context)
  const ended = ending.filter((one) => changes.openAlarm(one))
  const endedFlaps = ending.filter((one) => flapping.find(one)?.isOpen)
  const isFlapping = flapping.find(identity) !== undefined
  const received = { oid: trap.oid, deviceId: device.id, at: trap.receivedAt, variables: trap.variables }
  const rule = rules.find(candidate(received, event, values, device.interfaces))
  const limit = open ? undefined : limitFor(meaning, context)
  const decision = decide({
    isDefined: event !== undefined,
    effect,
    level,
    open,
    isOvertaken,
    isUnclear: fault === 'unclear',
    endsEarlier: ending.length < ends.length,
    endsOpen: ended.length > 0,
    endsFlapping: endedFlaps.length > 0,
    isFlapping: isFlapping,
    startsFlapping: !open && !isFlapping && flapping.startsFlapping(identity, trap.receivedAt),
    filteredBy: rule?.id,
    unknownTraps: context.unknownTraps,
    limitReached: limit?.reason,
  })
  const { reason } = decision
  const common = { reason, deviceId: device.id, eventName: meaning.name, names: namesOf(meaning) }
  const draft = () => ({
    ...draftOf(meaning),
    trapId,
    reason: trap.found === undefined ? reason : foundByAsking,
  })
  switch (decision.kind) {
    case 'raise': {
      const alarmId = changes.raise(draft())
      context.openLimit.add(device.id, 1)
      if (!event) context.unknownLimit.raised(alarmId, identity)
      return { ...common, outcome: 'raised', alarmId }
    }
    case 'summarise':
      return { ...common, outcome: 'collapsed', alarmId: limit && countIn(limit.summary, 1, context) }
    case 'repeat':
      return { ...common, outcome: 'repeated', alarmId: changes.repeat(identity, level, trap.receivedAt) }
    case 'recover':
      context.openLimit.add(device.id, -ended.length)
      // An alarm that comes and goes while it is suppressed does not flap.
      for (const one of ended) {
        if (!changes.openAlarm(one)?.isSuppressed) flapping.countCycle(one, trap.receivedAt)
      }
      for (const one of endedFlaps) flapping.recovery(one, trap.receivedAt)
      return { ...common, outcome: 'recovered', alarmId: changes.recover(ended, draft(), systemUser) }
    case 'collapse':
      return { ...common, ...collapseFlap(decision.how, draft(), endedFlaps, context) }
    case 'hold':
      reported.hold(draft(), trap)
      return { ...common, outcome: 'stored-only' }
    case 'filter':
      if (rule) hits.add(rule.id, trap.receivedAt)
      return { ...common, outcome: 'filtered' }
    case 'store':
      return { ...common, outcome: 'stored-only' }
  }
}

/** Which alarms it may end, and whether its fault is a new one, given what traps and messages have reported before. */
function matchReports(
  meaning: TrapMeaning,
  { changes, flapping, lateFaults, reported }: BlockContext,
): { ending: readonly Identity[]; fault: FaultReport; isOvertaken: boolean } {
  const { trap, identity, effect, ends } = meaning
  const isLate = lateFaults.isOvertaken(meaning)
  const isAtFault = (one: Identity) =>
    changes.openAlarm(one) !== undefined || flapping.find(one)?.isOpen === true
  const ending = effect === 'store' ? [] : ends.filter((one) => reported.end(one, trap, isAtFault(one)))
  const reports = effect === 'alarm' && !isLate
  const fault = reports ? reported.fault(identity, trap, isAtFault(identity)) : 'counts'
  return { ending, fault, isOvertaken: isLate || fault === 'ended' }
}

/** If a limit of open alarms is reached: the summary alarm that counts further ones, and the reason. */
function limitFor({ event, device, trap }: TrapMeaning, { unknownLimit, openLimit }: BlockContext) {
  const about = [device.id, device.name, trap.receivedAt] as const
  const ofUnknown = event ? undefined : unknownLimit.limit.summary(...about)
  if (ofUnknown) return { summary: ofUnknown, reason: tooManyUnknown } as const
  const summary = openLimit.summary(...about)
  return summary && ({ summary, reason: tooManyOpen } as const)
}

/** Counts a trap of a flapping alarm in its summary alarm. */
function collapseFlap(
  how: 'recovery' | 'fault' | 'start',
  fault: AlarmDraft,
  endedFlaps: readonly Identity[],
  context: BlockContext,
): Pick<ProcessedTrap, 'outcome' | 'alarmId'> & Partial<ProcessedTrap> {
  const { changes, flapping } = context
  if (how === 'fault') return { outcome: 'collapsed', alarmId: flapping.fault(fault) }
  if (how === 'recovery') {
    const [alarmId] = endedFlaps.map((one) => flapping.recovery(one, fault.at)).slice(-1)
    return { outcome: 'collapsed', alarmId }
  }
  const summary = flapping.summary(fault)
  // Whoever filters the summary wants to see the alarms themselves.
  if (filtersServiceAlarm(summary, context, serviceEvents.alarmFlapping.eventOid)) {
    const reason = 'it flaps, and its summary is filtered'
    return { outcome: 'raised', reason, alarmId: changes.raise(fault) }
  }
  return { outcome: 'collapsed', alarmId: flapping.start(fault, summary) }
}
