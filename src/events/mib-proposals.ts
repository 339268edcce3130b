// Proposes definitions for the notifications of loaded modules: level, clearing event, and the parameters that name
// the resource, each with a reason and a confidence.

import type { Library } from '../mibs/module-library.ts'
import type { MibNotification } from '../mibs/module-resolver.ts'
import { otherSpelling, storeOnly, type trapEvent } from '../resources/alarms/trap-event.ts'
import type { DraftOf } from '../schema/resource.ts'
import { type Group, groupsOf, isOneOfADevice } from './mib-groups.ts'
import { type Confidence, confidences, isSignOfLife, levelOf, type Verdict, verdict } from './mib-levels.ts'
import { type Pair, pairsOf } from './mib-pairs.ts'
import { type KeyParameter, keysOf, keyWords, parametersOf } from './mib-parameters.ts'
import { statesFrom, stateVariable } from './mib-states.ts'
import { subjectOf } from './mib-subjects.ts'
import { type Naming, namingOf, textOf } from './mib-texts.ts'
import { antonyms, wordsOf } from './mib-words.ts'

export interface Proposal {
  readonly module: string
  readonly event: DraftOf<typeof trapEvent.fields> & { readonly eventOid: string; readonly name: string }
  readonly confidence: Confidence
  readonly reason: string
  /** The OIDs of those it ends, is ended by, or shares an end with: accepted together or not at all. */
  readonly partners: readonly string[]
}

/** `defined` says whether an event OID has a definition already. */
export function propose(library: Library, defined: (oid: string) => boolean): Proposal[] {
  const isDefined = (oid: string) => defined(oid) || defined(otherSpelling(oid))
  return [...library.modules.values()].flatMap(({ notifications }) => {
    // Of two modules that describe one event, one is used.
    const own = notifications.filter((one) => library.notification(one.oid) === one)
    const naming = namingOf(own)
    return groupsOf(own, pairsOf(own)).flatMap((group) => proposeGroup({ ...group, naming }, isDefined))
  })
}

interface ModuleGroup extends Group {
  readonly naming: Naming
}

function proposeGroup(
  { members, pairs, refused, naming }: ModuleGroup,
  isDefined: (oid: string) => boolean,
): Proposal[] {
  const open = members.filter(({ oid }) => !isDefined(oid))
  if (open.length === 0) return []
  const keys = keysOf(members, !isOneOfADevice(members))
  const warns = members.some(({ name }) =>
    wordsOf(name).some((word) => word === 'warn' || word === 'warning'),
  )
  const levelled = open.map((one) => ({ one, ...asAlarm(one, levelOf(one, { pairs, refused }), warns) }))
  const verdicts = [...levelled, ...pairs.map((pair) => trustOf(pair, isDefined))]
  const confidence = least(verdicts.map((verdict) => verdict.confidence))
  const oids = open.map(({ oid }) => oid)
  return levelled.map(({ one, level, reason }) => ({
    module: one.module,
    event: eventOf(one, level, keys.parameters(one), { pairs, naming }),
    confidence: keys.dropped ? 'low' : least([confidence, trustInKey(one, keys.parameters(one), pairs)]),
    reason: sentence([reason, ...pairWords(one, { pairs, refused }, isDefined), keyWords(one, keys)]),
    partners: oids.filter((oid) => oid !== one.oid),
  }))
}

/** Beside a warning about the same, what is called an alarm is worse. */
function asAlarm({ name }: MibNotification, found: Verdict, warns: boolean): Verdict {
  const words = wordsOf(name)
  const isWarning = words.includes('warn') || words.includes('warning')
  if (!warns || isWarning || found.level !== 4 || !words.includes('alarm')) return found
  return verdict(2, found.confidence, 'level 2: "alarm" in its name, and there is a warning as well')
}

/** Where variables are sent and none is known to name the resource, one unit's end may end another's fault. */
function trustInKey(
  { objects }: MibNotification,
  keys: readonly KeyParameter[],
  pairs: readonly Pair[],
): Confidence {
  if (pairs.length === 0) return 'medium'
  return keys.some(({ fromIndex, object }) => fromIndex || object.kind === 'column') || objects.length === 0
    ? 'high'
    : 'medium'
}

function eventOf(
  one: MibNotification,
  level: number,
  keys: readonly KeyParameter[],
  { pairs, naming }: Pick<ModuleGroup, 'pairs' | 'naming'>,
): Proposal['event'] {
  const words = wordsOf(one.name)
  const parameter = parametersOf(one, keys)
  const state = pairs.length > 0 || isSignOfLife(one) ? undefined : stateVariable(one)
  const named =
    state && parameter.find(({ oid, fromIndex, isKey }) => oid === state.object.oid && !fromIndex && !isKey)
  return {
    ...(state && named && { state: statesFrom(state, named.name, keys.length > 0 || isOneOfADevice([one])) }),
    eventOid: one.oid,
    name: one.name,
    alarmLevel: level,
    alarmCategory: subjectOf(words, one),
    alarmDesc: textOf(one, parameter, naming),
    parameter,
    recovers: pairs.filter(({ end }) => end === one).map(({ fault }) => fault.oid),
    ...(isSignOfLife(one) && { handling: storeOnly }),
  }
}

/** A pair is as certain as the words, and as what both carry. */
function trustOf(
  { fault, end, sure }: Pair,
  isDefined: (oid: string) => boolean,
): { confidence: Confidence } {
  if (isDefined(fault.oid) || isDefined(end.oid)) return { confidence: 'low' }
  const shared = fault.objects.some((object) => end.objects.includes(object))
  const nothing = fault.objects.length === 0 && end.objects.length === 0
  if (!shared && !nothing) return { confidence: 'low' }
  return { confidence: sure ? 'high' : 'medium' }
}

function pairWords(
  one: MibNotification,
  { pairs, refused }: Pick<Group, 'pairs' | 'refused'>,
  isDefined: (oid: string) => boolean,
): string[] {
  const said = pairs.flatMap(({ fault, end, words: [faultWord, endWord] }) => {
    if (fault !== one && end !== one) return []
    const difference =
      faultWord === undefined
        ? `the names differ only in "${endWord}"`
        : `"${faultWord}" and "${endWord}" in the names`
    const other = fault === one ? end : fault
    const shared = fault.objects.some((object) => end.objects.includes(object))
    const nothing = fault.objects.length === 0 && end.objects.length === 0
    const carried = shared
      ? ', and they carry the same objects'
      : nothing
        ? ''
        : ', but they carry different objects'
    const taken = isDefined(other.oid) ? `, but ${other.name} has a definition of its own already` : ''
    const verb = end === one ? `it ends ${other.name}` : `${other.name} ends it`
    return [`${verb}: ${difference}${carried}${taken}`]
  })
  const unclear = refused.flatMap(({ fault, end }) => {
    if (fault === one) return [`${end.name} seems to end it, but does not say which one has ended`]
    return end === one ? [`it seems to end ${fault.name}, but does not say which one has ended`] : []
  })
  if (said.length + unclear.length > 0 || !sounds(one)) return [...said, ...unclear]
  return ['nothing in the module seems to end it']
}

/** Whether one would expect an end. */
const sounds = ({ name }: MibNotification) =>
  wordsOf(name).some((word) => antonyms.some(({ faults, sure }) => sure && faults.includes(word)))

const least = (all: readonly Confidence[]): Confidence =>
  confidences.find((one) => all.includes(one)) ?? 'high'

function sentence(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.slice(0, 1000)
}
