// Processes a block of datagrams: trap by trap, each seeing what the ones before it did. All of it happens in memory, on
// what was gathered before; what has changed is written afterwards.

import { serviceEvents } from '../../events/service-events.ts'
import type { Hits } from '../../resources/alarms/hits.ts'
import { candidate } from '../../rules/candidate.ts'
import type { RuleBook } from '../../rules/rule-book.ts'
import type { FlapChanges } from '../limits/flapping.ts'
import type { LimitWithSummary } from '../limits/limit-with-summary.ts'
import type { UnknownChanges } from '../limits/unknown-events.ts'
import { stormDraft } from '../service/service-alarm-draft.ts'
import type { AlarmChanges } from './alarm-changes.ts'
import { type AlarmDraft, bySystem, type Identity, type Wanted } from './alarm-draft.ts'
import { decide, tooManyOpen, tooManyUnknown } from './decide.ts'
import type { Rejected } from './incoming.ts'
import type { ProcessedTrap } from './kept-traps.ts'
import { draftOf, type Meaning, namesOf } from './meaning.ts'
import type { LateFaults } from './overtaking.ts'

/** What was gathered for a block. */
export interface BlockContext {
  readonly changes: AlarmChanges
  readonly flaps: FlapChanges
  readonly rules: RuleBook
  readonly hits: Hits
  readonly unknown: UnknownChanges
  readonly counts: LimitWithSummary
  readonly overtaking: LateFaults
  readonly unknownTraps: 'alarm' | 'store'
}

/** The alarms that a block may change. */
export function wantedBy(
  meanings: readonly Meaning[],
  rejected: readonly Rejected[],
  { flaps, unknown, counts }: Pick<BlockContext, 'flaps' | 'unknown' | 'counts'>,
): Wanted[] {
  const wanted: Wanted[] = []
  const ended = new Set<string>()
  for (const { ends } of meanings) for (const identity of ends) ended.add(identity.key)
  for (const meaning of meanings) {
    const mayEnd = ended.size > 0 && ended.has(meaning.identity.key)
    wanted.push(meaning, ...flaps.wanted(meaning, mayEnd))
    const { event, device, trap } = meaning
    wanted.push(...counts.wanted(device.id, device.name, trap.receivedAt))
    if (!event) wanted.push(...unknown.limit.wanted(device.id, device.name, trap.receivedAt))
    for (const identity of meaning.ends) {
      wanted.push({ identity }, ...flaps.wanted({ identity, alarmLevel: meaning.alarmLevel }, false))
    }
  }
  for (const { storm, receivedAt } of rejected) {
    if (storm !== undefined) wanted.push(stormDraft(storm, receivedAt))
  }
  return wanted
}

/** One alarm stands for the traps of a storm. */
export function processStorm({ storm, times, receivedAt, firstAt }: Rejected, context: BlockContext): void {
  if (storm === undefined) return
  countIn(stormDraft(storm, firstAt ?? receivedAt), times, context, receivedAt)
}

/** Counts traps in an alarm of the service; returns its id, undefined where a trap rule filters it. */
function countIn(
  draft: AlarmDraft,
  times: number,
  context: BlockContext,
  lastAt = draft.at,
): bigint | undefined {
  const { changes } = context
  const { identity, alarmLevel } = draft
  let more = times
  if (!changes.openAlarm(identity)) {
    if (filtersServiceAlarm(draft, context)) return undefined
    changes.raise(draft)
    more -= 1
  }
  if (more > 0) changes.repeat(identity, alarmLevel, lastAt, more)
  return changes.openAlarm(identity)?.id
}

/** Whether a trap rule filters an alarm of the service itself. */
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

/** `trapId` is the number under which the trap is kept. */
export function processTrap(meaning: Meaning, context: BlockContext, trapId = 0n): ProcessedTrap {
  const { trap, device, event, values, identity, alarmLevel: level, ends } = meaning
  const { changes, flaps, rules, hits, overtaking } = context
  overtaking.recovered(ends, trap)
  for (const one of [...ends, identity]) if (flaps.isAbandoned(one)) flaps.end(one)
  const open = changes.openAlarm(identity)
  const ended = ends.filter((one) => changes.openAlarm(one))
  const calmed = ends.filter((one) => flaps.find(one)?.isOpen)
  const isFlapping = flaps.find(identity) !== undefined
  const seen = { oid: trap.oid, deviceId: device.id, at: trap.receivedAt, variables: trap.variables }
  const rule = rules.find(candidate(seen, event, values, device.interfaces))
  const full = open ? undefined : fullFor(meaning, context)
  const decision = decide({
    event,
    level,
    open,
    isOvertaken: overtaking.isOvertaken(meaning),
    endsOpen: ended.length > 0,
    endsFlapping: calmed.length > 0,
    flaps: isFlapping,
    flapsNow: !open && !isFlapping && flaps.isDue(identity, trap.receivedAt),
    rule: rule?.id,
    unknownTraps: context.unknownTraps,
    full: full?.reason,
  })
  const { reason } = decision
  const common = { reason, deviceId: device.id, eventName: meaning.name, names: namesOf(meaning) }
  const draft = () => ({ ...draftOf(meaning), trapId, reason })
  switch (decision.kind) {
    case 'raise': {
      const alarmId = changes.raise(draft())
      context.counts.add(device.id, 1)
      if (!event) context.unknown.raised(alarmId, identity)
      return { ...common, outcome: 'raised', alarmId }
    }
    case 'summarise':
      return { ...common, outcome: 'collapsed', alarmId: full && countIn(full.summary, 1, context) }
    case 'repeat':
      return { ...common, outcome: 'repeated', alarmId: changes.repeat(identity, level, trap.receivedAt) }
    case 'recover':
      context.counts.add(device.id, -ended.length)
      // An alarm that comes and goes while it is held back does not flap.
      for (const one of ended) {
        if (!changes.openAlarm(one)?.isSuppressed) flaps.recovered(one, trap.receivedAt)
      }
      for (const one of calmed) flaps.recovery(one, trap.receivedAt)
      return { ...common, outcome: 'recovered', alarmId: changes.recover(ended, draft(), bySystem) }
    case 'collapse':
      return { ...common, ...summarise(decision.how, draft(), calmed, context) }
    case 'filter':
      if (rule) hits.add(rule.id, trap.receivedAt)
      return { ...common, outcome: 'filtered' }
    case 'store':
      return { ...common, outcome: 'stored-only' }
  }
}

/** The alarm that stands for a further alarm, and why, where the limit of open alarms is reached. */
function fullFor({ event, device, trap }: Meaning, { unknown, counts }: BlockContext) {
  const about = [device.id, device.name, trap.receivedAt] as const
  const ofUnknown = event ? undefined : unknown.limit.summary(...about)
  if (ofUnknown) return { summary: ofUnknown, reason: tooManyUnknown } as const
  const summary = counts.summary(...about)
  return summary && ({ summary, reason: tooManyOpen } as const)
}

/** The summary that stands for an alarm that flaps. */
function summarise(
  how: 'recovery' | 'fault' | 'start',
  fault: AlarmDraft,
  calmed: readonly Identity[],
  context: BlockContext,
): Pick<ProcessedTrap, 'outcome' | 'alarmId'> & Partial<ProcessedTrap> {
  const { changes, flaps } = context
  if (how === 'fault') return { outcome: 'collapsed', alarmId: flaps.fault(fault) }
  if (how === 'recovery') {
    const [alarmId] = calmed.map((one) => flaps.recovery(one, fault.at)).slice(-1)
    return { outcome: 'collapsed', alarmId }
  }
  const summary = flaps.summary(fault)
  // Whoever filters the summary wants to see the alarms it would stand for.
  if (filtersServiceAlarm(summary, context, serviceEvents.alarmFlapping.eventOid)) {
    const reason = 'it flaps, and its summary is filtered'
    return { outcome: 'raised', reason, alarmId: changes.raise(fault) }
  }
  return { outcome: 'collapsed', alarmId: flaps.start(fault, summary) }
}
