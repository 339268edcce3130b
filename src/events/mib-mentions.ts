// Pairs of notifications that their descriptions name: "clears linkFailed", "cleared by trap 12".

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { Pair } from './mib-pairs.ts'
import { endings, wordsOf } from './mib-words.ts'

/** Words of a description that are read. */
const wordLimit = 300
/** Words between the verb and the name. */
const reach = 8

const clearing = new Set(['clears', 'clear', 'cancels', 'cancel', 'resolves', 'ends', 'clearing'])
const cleared = new Set(['cleared', 'canceled', 'cancelled', 'resolved', 'ended'])
/** Before a number, these say that it is that of a notification. */
const numbered = new Set(['trap', 'traps', 'alarm', 'alarms', 'event', 'notification', 'number', 'no', 'id'])

const saysEnd = /\b(?:clears?|cleared|ends?|cancels?|resolves?|recover(?:s|ed|y)?|restor(?:es|ed|ation))\b/i

export function pairsByMention(notifications: readonly MibNotification[]): Pair[] {
  const byName = new Map(notifications.map((one) => [one.name, one]))
  const byOid = new Map(notifications.map((one) => [one.oid, one]))
  return notifications.flatMap((one) => {
    // Full stops separate sentences, across which nothing is meant.
    const words = (one.description.match(/[A-Za-z][\w-]*|\d+|\.(?=\s|$)/g) ?? []).slice(0, wordLimit)
    return words.flatMap((word, at) => {
      const other = byName.get(word) ?? numberedAt(one, words, at, byOid)
      if (!other || other === one) return []
      const sentence = words.slice(Math.max(0, at - reach), at)
      const before = sentence.slice(sentence.lastIndexOf('.') + 1).map((each) => each.toLowerCase())
      return pairOf(one, other, before) ?? []
    })
  })
}

/** "Trap 12": the notification beside this one that has this number. */
function numberedAt(
  { oid }: MibNotification,
  words: readonly string[],
  at: number,
  byOid: ReadonlyMap<string, MibNotification>,
): MibNotification | undefined {
  const word = words[at] ?? ''
  if (!/^\d{1,9}$/.test(word) || !numbered.has((words[at - 1] ?? '').toLowerCase())) return undefined
  return byOid.get(`${oid.slice(0, oid.lastIndexOf('.'))}.${Number(word)}`)
}

/** By the words before the name of the other. */
function pairOf(one: MibNotification, other: MibNotification, before: readonly string[]): Pair | undefined {
  const by = before.lastIndexOf('by')
  if (by > 0 && before.slice(0, by).some((word) => cleared.has(word)))
    return { fault: one, end: other, words: [undefined, 'cleared'], sure: false }
  const verb = before.findLast((word) => clearing.has(word))
  if (verb !== undefined && !before.includes('not'))
    return { fault: other, end: one, words: [undefined, verb], sure: false }
  // A name that says an end, and a description that speaks of one.
  const endWord = wordsOf(one.name).find((word) => endings.has(word))
  if (endWord === undefined || !saysEnd.test(one.description)) return undefined
  if (wordsOf(other.name).some((word) => endings.has(word))) return undefined
  return { fault: other, end: one, words: [undefined, endWord], sure: false }
}
