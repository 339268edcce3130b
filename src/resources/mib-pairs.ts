// Which notification of a module ends which, as far as their names tell.

import type { MibNotification } from '../mibs/library.ts'
import { antonyms, endings, noise, wordsOf } from './mib-words.ts'

export interface Pair {
  readonly fault: MibNotification
  readonly end: MibNotification
  /** The words in which their names differ. */
  readonly words: readonly [fault: string | undefined, end: string]
  /** Whether the words hardly mean anything else. */
  readonly sure: boolean
}

/** What is well when it is on: for these, off is the fault. */
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

/** Pairs inside one module; one end may be that of several faults, and one fault may have several ends. */
export function pairsOf(notifications: readonly MibNotification[]): Pair[] {
  const faults = faultsByStem(notifications)
  const pairs: Pair[] = []
  for (const end of notifications) {
    const words = wordsOf(end.name)
    for (const [at, word] of words.entries()) {
      const stem = stemOf(words, at)
      for (const [group, { ends, sure }] of antonyms.entries()) {
        if (!ends.includes(word)) continue
        for (const { one, word: faultWord } of faults.get(`${group} ${stem}`) ?? [])
          add(pairs, { fault: one, end, words: [faultWord, word], sure })
      }
      if (!endings.has(word)) continue
      for (const { one } of faults.get(`whole ${stem}`) ?? [])
        add(pairs, { fault: one, end, words: [undefined, word], sure: stem !== '' })
    }
  }
  return pairs
}

function faultsByStem(notifications: readonly MibNotification[]): Map<string, Candidate[]> {
  const found = new Map<string, Candidate[]>()
  const put = (key: string, candidate: Candidate) => found.set(key, [...(found.get(key) ?? []), candidate])
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

/** The words without the one that tells fault from end, and without those that say nothing. */
function stemOf(words: readonly string[], without = -1): string {
  return words.filter((word, at) => at !== without && !noise.has(word)).join(' ')
}

function add(pairs: Pair[], pair: Pair): void {
  const { fault, end } = pair
  if (fault === end || pairs.some((known) => known.fault === fault && known.end === end)) return
  const reverse = pairs.findIndex((known) => known.fault === end && known.end === fault)
  if (reverse < 0) pairs.push(pair)
  else if (isBetter(pair)) pairs[reverse] = pair
}

/** Some words go both ways: a fan that is off is the fault, and an overload that is on. */
function isBetter({ fault, words: [word], sure }: Pair): boolean {
  if (word !== 'on' && word !== 'off') return sure
  return (word === 'off') === wordsOf(fault.name).some((one) => powered.has(one))
}
