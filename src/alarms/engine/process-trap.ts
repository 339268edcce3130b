// Settles a block of datagrams: trap by trap, each seeing what the ones before it did. All of it happens in memory, on
// what was gathered before; what has changed is written afterwards.

import { ownEvents } from '../../events/service-events.ts'
import type { Hits } from '../../resources/alarms/hits.ts'
import { candidate } from '../../rules/candidate.ts'
import type { RuleBook } from '../../rules/rule-book.ts'
import type { AlarmChanges } from './alarm-changes.ts'
import { decide, tooManyOpen, tooManyUnknown } from './decide.ts'
import { type AlarmDraft, bySystem, type Identity, type Wanted } from './alarm-draft.ts'
import type { FlapPart } from '../limits/flapping.ts'
import type { Settled } from './kept-traps.ts'
import type { Rejected } from './incoming.ts'
import { draftOf, type Meaning, namesOf } from './meaning.ts'
import type { OpenPart } from '../limits/open-limits.ts'
import type { Overtaking } from './overtaking.ts'
import { stormDraft } from '../service/service-alarm-draft.ts'
import type { UnknownPart } from '../limits/unknown-events.ts'

/** What was gathered for a block. */
export interface Scene {
  readonly changes: AlarmChanges
  readonly flaps: FlapPart
  readonly rules: RuleBook
  readonly hits: Hits
  readonly unknown: UnknownPart
  readonly counts: OpenPart
  readonly overtaking: Overtaking
  readonly unknownTraps: 'alarm' | 'store'
}

/** The alarms that a block may change. */
export function wantedBy(
  meanings: readonly Meaning[],
  rejected: readonly Rejected[],
  { flaps, unknown, counts }: Pick<Scene, 'flaps' | 'unknown' | 'counts'>,
): Wanted[] {
  const wanted: Wanted[] = []
  const ended = new Set<string>()
  for (const { ends } of meanings) for (const identity of ends) ended.add(identity.key)
  for (const meaning of meanings) {
    const mayEnd = ended.size > 0 && ended.has(meaning.identity.key)
    wanted.push(meaning, ...flaps.wanted(meaning, mayEnd))
    const { event, device, trap } = meaning
    wanted.push(...counts.wanted(device.id, device.name, trap.receivedAt))
    if (!event) wanted.push(...unknown.wanted(device.id, device.name, trap.receivedAt))
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
export function settleStorm({ storm, times, receivedAt, firstAt }: Rejected, scene: Scene): void {
  if (storm === undefined) return
  standFor(stormDraft(storm, firstAt ?? receivedAt), times, scene, receivedAt)
}

/** Counts traps in an alarm of the service; returns its id, undefined where a trap rule filters it. */
function standFor(draft: AlarmDraft, times: number, scene: Scene, lastAt = draft.at): bigint | undefined {
  const { changes } = scene
  const { identity, alarmLevel } = draft
  let more = times
  if (!changes.openAlarm(identity)) {
    if (filtersOwn(draft, scene)) return undefined
    changes.raise(draft)
    more -= 1
  }
  if (more > 0) changes.repeat(identity, alarmLevel, lastAt, more)
  return changes.openAlarm(identity)?.id
}

/** Whether a trap rule filters an alarm of the service itself. */
export function filtersOwn(
  { OID, identity, at }: AlarmDraft,
  { rules, hits }: Pick<Scene, 'rules' | 'hits'>,
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
export function settle(meaning: Meaning, scene: Scene, trapId = 0n): Settled {
  const { trap, device, event, values, identity, alarmLevel: level, ends } = meaning
  const { changes, flaps, rules, hits, overtaking } = scene
  overtaking.recovered(ends, trap)
  for (const one of [...ends, identity]) if (flaps.isAbandoned(one)) flaps.end(one)
  const open = changes.openAlarm(identity)
  const ended = ends.filter((one) => changes.openAlarm(one))
  const calmed = ends.filter((one) => flaps.find(one)?.isOpen)
  const isFlapping = flaps.find(identity) !== undefined
  const seen = { oid: trap.oid, deviceId: device.id, at: trap.receivedAt, variables: trap.variables }
  const rule = rules.find(candidate(seen, event, values, device.interfaces))
  const full = open ? undefined : fullFor(meaning, scene)
  const decision = decide({
    event,
    level,
    open,
    isOvertaken: overtaking.isOvertaken(meaning),
    endsSome: ended.length > 0,
    calmsSome: calmed.length > 0,
    flaps: isFlapping,
    flapsNow: !open && !isFlapping && flaps.isDue(identity, trap.receivedAt),
    rule: rule?.id,
    unknownTraps: scene.unknownTraps,
    full: full?.reason,
  })
  const { reason } = decision
  const common = { reason, deviceId: device.id, eventName: meaning.name, names: namesOf(meaning) }
  const draft = () => ({ ...draftOf(meaning), trapId, reason })
  switch (decision.kind) {
    case 'raise': {
      const alarmId = changes.raise(draft())
      scene.counts.add(device.id, 1)
      if (!event) scene.unknown.raised(alarmId, identity)
      return { ...common, bin: 'raised', alarmId }
    }
    case 'summarise':
      return { ...common, bin: 'collapsed', alarmId: full && standFor(full.summary, 1, scene) }
    case 'repeat':
      return { ...common, bin: 'repeated', alarmId: changes.repeat(identity, level, trap.receivedAt) }
    case 'recover':
      scene.counts.add(device.id, -ended.length)
      // An alarm that comes and goes while it is held back does not flap.
      for (const one of ended) {
        if (!changes.openAlarm(one)?.isSuppressed) flaps.recovered(one, trap.receivedAt)
      }
      for (const one of calmed) flaps.recovery(one, trap.receivedAt)
      return { ...common, bin: 'recovered', alarmId: changes.recover(ended, draft(), bySystem) }
    case 'collapse':
      return { ...common, ...collapse(decision.how, draft(), calmed, scene) }
    case 'filter':
      if (rule) hits.add(rule.id, trap.receivedAt)
      return { ...common, bin: 'filtered' }
    case 'store':
      return { ...common, bin: 'stored-only' }
  }
}

/** The alarm that stands for a further alarm, and why, where the limit of open alarms is reached. */
function fullFor({ event, device, trap }: Meaning, { unknown, counts }: Scene) {
  const about = [device.id, device.name, trap.receivedAt] as const
  const ofUnknown = event ? undefined : unknown.summary(...about)
  if (ofUnknown) return { summary: ofUnknown, reason: tooManyUnknown } as const
  const summary = counts.summary(...about)
  return summary && ({ summary, reason: tooManyOpen } as const)
}

/** The summary that stands for an alarm that flaps. */
function collapse(
  how: 'recovery' | 'fault' | 'start',
  fault: AlarmDraft,
  calmed: readonly Identity[],
  scene: Scene,
): Pick<Settled, 'bin' | 'alarmId'> & Partial<Settled> {
  const { changes, flaps } = scene
  if (how === 'fault') return { bin: 'collapsed', alarmId: flaps.fault(fault) }
  if (how === 'recovery') {
    const [alarmId] = calmed.map((one) => flaps.recovery(one, fault.at)).slice(-1)
    return { bin: 'collapsed', alarmId }
  }
  const summary = flaps.summary(fault)
  // Whoever filters the summary wants to see the alarms it would stand for.
  if (filtersOwn(summary, scene, ownEvents.alarmFlapping.eventOid)) {
    const reason = 'it flaps, and its summary is filtered'
    return { bin: 'raised', reason, alarmId: changes.raise(fault) }
  }
  return { bin: 'collapsed', alarmId: flaps.start(fault, summary) }
}
