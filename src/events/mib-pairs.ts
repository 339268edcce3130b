// Pairs the notifications of a module that begin and end the same condition, by their names.

import type { MibNotification } from '../mibs/module-resolver.ts'
import { pairsByDenial } from './mib-denials.ts'
import { pairsByDescription } from './mib-descriptions.ts'
import { isForward, plausible } from './mib-directions.ts'
import { pairsByKin } from './mib-kin.ts'
import { pairsByMention } from './mib-mentions.ts'
import { antonyms, aroundEnds, endings, faultWords, isDenied, noise, stemOf, wordsOf } from './mib-words.ts'

export interface Pair {
  readonly fault: MibNotification
  readonly end: MibNotification
  /** The words in which their names differ. */
  readonly words: readonly [fault: string | undefined, end: string]
  /** Whether the words hardly mean anything else. */
  readonly sure: boolean
}

interface Candidate {
  readonly one: MibNotification
  readonly word: string | undefined
}

/** Names that differ only in words without meaning are few in real modules; a made-up module must not pair them all. */
const candidateLimit = 20

interface Group {
  readonly group: number
  readonly sure: boolean
}

/** The pairs of words that have each word on the side. */
function groupsBy(side: 'faults' | 'ends'): ReadonlyMap<string, readonly Group[]> {
  const words = antonyms.flatMap(({ [side]: words, sure }, group) =>
    [...new Set(words)].map((word) => ({ word, group, sure })),
  )
  return Map.groupBy(words, ({ word }) => word)
}

const faultGroups = groupsBy('faults')

const endGroups = groupsBy('ends')

/** Pairs inside one module; one end may be that of several faults, and one fault may have several ends. */
export function pairsOf(notifications: readonly MibNotification[]): Pair[] {
  const faults = faultsByStem(notifications)
  const pairs = new Map<string, Pair>()
  const ends = new Map<string, number>()
  /** The faults of an end, as long as they have not too many ends already. */
  const faultsOf = (key: string) => {
    const known = faults.get(key) ?? []
    const times = (ends.get(key) ?? 0) + 1
    if (known.length > 0) ends.set(key, times)
    return times > candidateLimit ? [] : known
  }
  for (const end of notifications) {
    const words = wordsOf(end.name)
    for (const [at, word] of words.entries()) {
      if (endings.has(word) && isDenied(words, at)) continue
      const stem = stemOf(words, at)
      for (const { group, sure } of endGroups.get(word) ?? []) {
        for (const { one, word: faultWord } of faultsOf(`${group} ${stem}`))
          add(pairs, { fault: one, end, words: [faultWord, word], sure })
      }
      // `NoLOS` ends `LOS`, and `HumidityNotLow` ends `HumidityTooLow`.
      const denies = (word === 'no' || word === 'not') && faultWords.has(words[at + 1] ?? '')
      if (!endings.has(word) && !denies) continue
      for (const { one } of faultsOf(`whole ${stem}`))
        add(pairs, { fault: one, end, words: [undefined, word], sure: stem !== '' })
    }
  }
  for (const pair of pairsByDenial(notifications)) add(pairs, pair)
  // A fault whose own name is in that of an end needs no other end.
  const named = new Set(
    [...pairs.values()].flatMap(({ fault, words: [word] }) => (word === undefined ? [fault] : [])),
  )
  for (const pair of pairsByCore(notifications)) if (!named.has(pair.fault)) add(pairs, pair)
  for (const pair of pairsByMention(notifications)) add(pairs, pair)
  const likely = plausible([...pairs.values()])
  const kin = plausible(pairsByKin(notifications, membersOf(likely)))
  const known = [...likely, ...kin]
  return [...known, ...plausible(pairsByDescription(notifications, membersOf(known)))]
}

const membersOf = (pairs: readonly Pair[]) => new Set(pairs.flatMap(({ fault, end }) => [fault, end]))

/** A name without the words that say whether it is a fault or an end, and these words. */
function coreOf({ name }: MibNotification) {
  const words = wordsOf(name).filter((word) => !noise.has(word))
  const ends = words.filter((word, at) => endings.has(word) && !isDenied(words, at))
  const faults = words.filter((word) => faultWords.has(word))
  const core = words.filter((word) => !endings.has(word) && !faultWords.has(word))
  return {
    core: (ends.length > 0 ? core.filter((word) => !aroundEnds.has(word)) : core).join(' '),
    ends,
    faults,
  }
}

/** `cpuUsageThresholdBackToNormal` ends `cpuUsageThresholdExceeded`: an end has no word of a fault that the fault lacks. */
function pairsByCore(notifications: readonly MibNotification[]): Pair[] {
  const all = notifications.map((one) => ({ one, ...coreOf(one) }))
  const faults = Map.groupBy(
    all.filter(
      (candidate) => candidate.ends.length === 0 && candidate.faults.length > 0 && candidate.core !== '',
    ),
    ({ core }) => core,
  )
  const used = new Map<string, number>()
  return all.flatMap(({ one: end, core, ends: [endWord], faults: named }) => {
    if (endWord === undefined) return []
    const times = (used.get(core) ?? 0) + 1
    used.set(core, times)
    const known = (times > candidateLimit ? [] : (faults.get(core) ?? [])).slice(0, candidateLimit)
    return known
      .filter((candidate) => named.every((word) => candidate.faults.includes(word)))
      .map(({ one: fault, faults: [word] }): Pair => ({ fault, end, words: [word, endWord], sure: true }))
  })
}

function faultsByStem(notifications: readonly MibNotification[]): Map<string, Candidate[]> {
  const found = new Map<string, Candidate[]>()
  const put = (key: string, candidate: Candidate) => {
    const known = found.get(key) ?? []
    if (known.length < candidateLimit) found.set(key, [...known, candidate])
  }
  for (const one of notifications) {
    const words = wordsOf(one.name)
    put(`whole ${stemOf(words)}`, { one, word: undefined })
    for (const [at, word] of words.entries()) {
      for (const { group } of faultGroups.get(word) ?? []) put(`${group} ${stemOf(words, at)}`, { one, word })
    }
  }
  return found
}

function add(pairs: Map<string, Pair>, pair: Pair): void {
  const { fault, end } = pair
  const key = `${fault.oid} ${end.oid}`
  if (fault === end || pairs.has(key)) return
  const reverse = `${end.oid} ${fault.oid}`
  if (pairs.has(reverse) && !isForward(pair)) return
  pairs.delete(reverse)
  pairs.set(key, pair)
}
