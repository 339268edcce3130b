// Proposes definitions for the notifications of loaded modules: level, clearing event, and the parameters that name
// the resource, each with a reason and a confidence.

import type { Library } from '../mibs/module-library.ts'
import type { MibNotification } from '../mibs/module-resolver.ts'
import { otherSpelling, storeOnly, type trapEvent } from '../resources/alarms/trap-event.ts'
import type { DraftOf } from '../schema/resource.ts'
import { category } from './event-definition.ts'
import { levels, severities } from './mib-level-words.ts'
import { type Pair, pairsOf } from './mib-pairs.ts'
import { type KeyParameter, keysOf, keyWords, parametersOf, textOf } from './mib-parameters.ts'
import { antonyms, endings, subjects, wordsOf } from './mib-words.ts'

export const confidences = ['low', 'medium', 'high'] as const
export type Confidence = (typeof confidences)[number]

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
    return groupsOf(own, pairsOf(own)).flatMap((group) => proposeGroup(group, isDefined))
  })
}

/** Notifications that belong together, and how. */
interface Group {
  readonly members: readonly MibNotification[]
  readonly pairs: readonly Pair[]
}

function groupsOf(notifications: readonly MibNotification[], pairs: readonly Pair[]): Group[] {
  const groupOf = new Map(notifications.map((one) => [one, new Set([one])]))
  for (const { fault, end } of pairs) {
    const joined = groupOf.get(fault) as Set<MibNotification>
    const other = groupOf.get(end) as Set<MibNotification>
    if (joined === other) continue
    for (const one of other) {
      joined.add(one)
      groupOf.set(one, joined)
    }
  }
  // In the order of the module.
  const members = Map.groupBy(notifications, (one) => groupOf.get(one))
  const within = Map.groupBy(pairs, ({ fault }) => groupOf.get(fault))
  return [...members].map(([group, some]) => ({ members: some, pairs: within.get(group) ?? [] }))
}

function proposeGroup({ members, pairs }: Group, isDefined: (oid: string) => boolean): Proposal[] {
  const open = members.filter(({ oid }) => !isDefined(oid))
  if (open.length === 0) return []
  const keys = keysOf(members)
  const levelled = open.map((one) => ({ one, ...levelOf(one, pairs) }))
  const verdicts = [...levelled, ...pairs.map((pair) => trustOf(pair, isDefined))]
  const confidence = least(verdicts.map((verdict) => verdict.confidence))
  const oids = open.map(({ oid }) => oid)
  return levelled.map(({ one, level, reason }) => ({
    module: one.module,
    event: eventOf(one, level, keys.parameters(one), pairs),
    confidence: keys.dropped ? 'low' : confidence,
    reason: sentence([reason, ...pairWords(one, pairs, isDefined), keyWords(one, keys)]),
    partners: oids.filter((oid) => oid !== one.oid),
  }))
}

function eventOf(
  one: MibNotification,
  level: number,
  keys: readonly KeyParameter[],
  pairs: readonly Pair[],
): Proposal['event'] {
  const words = wordsOf(one.name)
  const parameter = parametersOf(one, keys)
  return {
    eventOid: one.oid,
    name: one.name,
    alarmLevel: level,
    alarmCategory: subjectOf(words, one),
    alarmDesc: textOf(one, parameter),
    parameter,
    recovers: pairs.filter(({ end }) => end === one).map(({ fault }) => fault.oid),
    ...(words.some((word) => signsOfLife.has(word)) && { handling: storeOnly }),
  }
}

const changes = new Set(['change', 'changed', 'changes'])
const signsOfLife = new Set(['heartbeat', 'keepalive', 'hello'])

interface Verdict {
  readonly level: number
  readonly confidence: Confidence
  readonly reason: string
}

const infoLevel = 5
const unknownLevel = 4

const verdict = (level: number, confidence: Confidence, reason: string): Verdict => ({
  level,
  confidence,
  reason,
})

function levelOf(one: MibNotification, pairs: readonly Pair[]): Verdict {
  const isEnd = pairs.some(({ end }) => end === one)
  const isFault = pairs.some(({ fault }) => fault === one)
  if (isEnd && !isFault) return verdict(infoLevel, 'high', 'level 5, as it ends a fault')
  const said = one.severity === undefined ? undefined : severities[one.severity]
  if (said !== undefined) return verdict(said, 'high', `level ${said}: the module says ${one.severity}`)
  const words = wordsOf(one.name)
  if (words.some((word) => signsOfLife.has(word)))
    return verdict(infoLevel, 'medium', 'a heartbeat, which is kept but makes no alarm')
  return (
    levelByName(words, { isFault, isPaired: isEnd || isFault }) ??
    levelByText(one.description, isFault) ??
    verdict(unknownLevel, 'low', 'level 4: no word says how severe it is')
  )
}

function levelByName(
  words: readonly string[],
  { isFault, isPaired }: { readonly isFault: boolean; readonly isPaired: boolean },
): Verdict | undefined {
  const found = gravest(words)
  const isFaultWord = found && found.level < infoLevel
  const lonelyEnd = words.find((word) => endings.has(word))
  if (lonelyEnd !== undefined && !isFaultWord && !isFault)
    return verdict(infoLevel, 'low', `level 5: "${lonelyEnd}" sounds like an end, but of what is not clear`)
  if (!found) return undefined
  const reason = `level ${found.level}: "${found.word}" in its name`
  if (changes.has(found.word))
    return verdict(found.level, 'medium', `${reason}, and which states are bad only you know`)
  // An alarm without an end stays until somebody ends it: worth a look, however sure the level is.
  return verdict(found.level, isPaired || found.level === infoLevel ? 'high' : 'medium', reason)
}

function levelByText(description: string, isFault: boolean): Verdict | undefined {
  const found = gravest(wordsOf(description.slice(0, descriptionLimit)))
  if (!found || (found.level === infoLevel && isFault)) return undefined
  return verdict(found.level, 'medium', `level ${found.level}: "${found.word}" in its description`)
}

// Behind its first sentences a description goes into details.
const descriptionLimit = 300

function gravest(words: readonly string[]): { level: number; word: string } | undefined {
  for (const { level, words: wanted } of levels) {
    const word = words.find((one) => wanted.includes(one))
    if (word !== undefined) return { level, word }
  }
  return undefined
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
  return { confidence: sure && shared ? 'high' : 'medium' }
}

function pairWords(
  one: MibNotification,
  pairs: readonly Pair[],
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
  return said.length > 0 || !sounds(one) ? said : ['nothing in the module seems to end it']
}

/** Whether one would expect an end. */
const sounds = ({ name }: MibNotification) =>
  wordsOf(name).some((word) => antonyms.some(({ faults, sure }) => sure && faults.includes(word)))

function subjectOf(words: readonly string[], { objects }: MibNotification): number {
  const about = (wanted: readonly string[]) =>
    subjects.find((subject) => subject.words.some((word) => wanted.includes(word)))?.category
  return about(words) ?? about(objects.flatMap(({ name }) => wordsOf(name))) ?? category.other
}

const least = (all: readonly Confidence[]): Confidence =>
  confidences.find((one) => all.includes(one)) ?? 'high'

function sentence(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.slice(0, 1000)
}
