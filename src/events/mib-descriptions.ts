// Pairs of notifications whose names say nothing of the kind, and whose descriptions are the same but for the word that
// says whether something begins or ends: "when alarm 4 was triggered", "when alarm 4 was cleared".

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { Pair } from './mib-pairs.ts'
import { antonyms, endings, faultWords, isDenied, noise, withoutNumber, wordsOf } from './mib-words.ts'

const descriptionLimit = 300
const wordLimit = 40
/** Beyond the word that differs: a description of two words is that of many. */
const minWords = 3

interface Said {
  readonly one: MibNotification
  readonly word: string
}

/** `paired` are those that have a fault or an end already: their names are surer. */
export function pairsByDescription(
  notifications: readonly MibNotification[],
  paired: ReadonlySet<MibNotification>,
): Pair[] {
  const faults = new Map<string, Said[]>()
  const ends = new Map<string, Said[]>()
  for (const one of notifications) {
    if (paired.has(one)) continue
    const words = wordsOf(one.description.slice(0, descriptionLimit)).filter((word) => !filler.has(word))
    if (words.length > wordLimit) continue
    for (const [at, word] of words.entries()) {
      const rest = words.toSpliced(at, 1)
      if (rest.length < minWords || isDenied(words, at)) continue
      for (const [group, { faults: bad, ends: well, sure }] of antonyms.entries()) {
        const isEnd = well.includes(word) && endings.has(word)
        const side = bad.includes(word) ? faults : isEnd ? ends : undefined
        if (sure && side && !orders.has(word)) push(side, `${group} ${rest.join(' ')}`, { one, word })
      }
    }
  }
  return [...faults].flatMap(([key, [fault, ...others]]) => {
    const [end, ...more] = ends.get(key) ?? []
    // Where several are described alike, somebody has copied the text.
    if (!fault || !end || others.length + more.length > 0 || !areAlike(fault.one, end.one)) return []
    return [{ fault: fault.one, end: end.one, words: [fault.word, end.word], sure: false } as const]
  })
}

/** What is done on purpose: an option that was set, and is cleared, is no fault. */
const orders: ReadonlySet<string> = new Set(['set', 'raise', 'assert'])

const filler: ReadonlySet<string> = new Set([
  ...noise,
  'a',
  'an',
  'was',
  'are',
  'this',
  'it',
  'its',
  'be',
  'when',
])

/** Names of one condition have most words in common; which of several it is, the descriptions say. */
function areAlike(fault: MibNotification, end: MibNotification): boolean {
  const [one, other] = [fault, end].map(
    ({ name }) => new Set(wordsOf(name).map(withoutNumber).filter(isSubject)),
  )
  if (!one || !other || wordsOf(fault.name).some((word) => endings.has(word))) return false
  const shared = one.intersection(other).size
  return shared > 0 && shared * 2 >= Math.max(one.size, other.size)
}

const isSubject = (word: string) =>
  word !== '' && !noise.has(word) && !endings.has(word) && !faultWords.has(word)

function push(map: Map<string, Said[]>, key: string, said: Said): void {
  const known = map.get(key)
  if (known) known.push(said)
  else map.set(key, [said])
}
