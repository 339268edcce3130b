// Pairs the notifications of a module that begin and end the same condition, by their names.

import type { MibNotification } from '../mibs/module-resolver.ts'
import { antonyms, endings, noise, wordsOf } from './mib-words.ts'

export interface Pair {
  readonly fault: MibNotification
  readonly end: MibNotification
  /** The words in which their names differ. */
  readonly words: readonly [fault: string | undefined, end: string]
  /** Whether the words hardly mean anything else. */
  readonly sure: boolean
}

/** Things that are well when they are on: for these, off is the fault. */
const powered = new Set([
  'power',
  'psu',
  'supply',
  'fan',
  'pump',
  'server',
  'service',
  'system',
  'device',
  'unit',
])

interface Candidate {
  readonly one: MibNotification
  readonly word: string | undefined
}

/** Names that differ only in words without meaning are few in real modules; a made-up module must not pair them all. */
const candidateLimit = 20

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
      const stem = stemOf(words, at)
      for (const [group, { ends: endWords, sure }] of antonyms.entries()) {
        if (!endWords.includes(word)) continue
        for (const { one, word: faultWord } of faultsOf(`${group} ${stem}`))
          add(pairs, { fault: one, end, words: [faultWord, word], sure })
      }
      if (!endings.has(word)) continue
      for (const { one } of faultsOf(`whole ${stem}`))
        add(pairs, { fault: one, end, words: [undefined, word], sure: stem !== '' })
    }
  }
  return [...pairs.values()]
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
      for (const [group, { faults }] of antonyms.entries()) {
        if (faults.includes(word)) put(`${group} ${stemOf(words, at)}`, { one, word })
      }
    }
  }
  return found
}

/** The words without the one that distinguishes fault from end, and without filler words. */
function stemOf(words: readonly string[], without = -1): string {
  return words.filter((word, at) => at !== without && !noise.has(word)).join(' ')
}

function add(pairs: Map<string, Pair>, pair: Pair): void {
  const { fault, end } = pair
  const key = `${fault.oid} ${end.oid}`
  if (fault === end || pairs.has(key)) return
  const reverse = `${end.oid} ${fault.oid}`
  if (pairs.has(reverse) && !isBetter(pair)) return
  pairs.delete(reverse)
  pairs.set(key, pair)
}

/** Some words depend on the subject: a fan that is off is a fault, and so is an overload that is on. */
function isBetter({ fault, words: [word], sure }: Pair): boolean {
  if (word !== 'on' && word !== 'off') return sure
  return (word === 'off') === wordsOf(fault.name).some((one) => powered.has(one))
}
