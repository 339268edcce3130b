// Pairs of which one denies the other: `ntpNotSync` and `ntpSync`, `inletTooHigh` and `inletNotTooHigh`. What is denied says
// which of them is the fault.

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { Pair } from './mib-pairs.ts'
import { faultWords, stemOf, withoutNumber, wordsOf } from './mib-words.ts'

/** Names with the same words beyond filler words; a made-up module must not pair them all. */
const sameLimit = 4

/** To be this is good: not to be it is the fault. */
const good: ReadonlySet<string> = new Set([
  ...['ready', 'sync', 'synced', 'synchronized', 'present', 'available', 'avail', 'aval', 'reachable'],
  ...['responding', 'running', 'functional', 'operational', 'connected', 'installed', 'in', 'warmed', 'ok'],
  ...['powered', 'healthy', 'forwarding', 'normal', 'established', 'found', 'applied', 'saved', 'working'],
  ...['registered', 'alive', 'good', 'redundant', 'charged', 'locked', 'inrange', 'stable', 'consistent'],
  ...['compatible', 'sufficient'],
])
/** Before a word, these deny it: `unhealthy`, `inoperational`. */
const prefixes = ['un', 'in', 'non', 'dis', 'de']
/** To be this is bad, whatever follows: not to be it is the end. */
const bad: ReadonlySet<string> = new Set([
  ...faultWords,
  ...['on', 'suppressed', 'decreasing', 'increasing', 'overloaded', 'congested', 'current', 'full'],
])

export function pairsByDenial(notifications: readonly MibNotification[]): Pair[] {
  const byStem = Map.groupBy(notifications, ({ name }) => stemOf(wordsOf(name)))
  return notifications.flatMap((denial) => {
    const words = wordsOf(denial.name)
    const at = words.indexOf('not')
    if (at < 0) return byPrefix(denial, words, byStem)
    const others = (byStem.get(stemOf(words, at)) ?? []).slice(0, sameLimit)
    const [denied = ''] = words.slice(at + 1).filter((word) => word !== 'too')
    const isAlarm = denied === 'active' && words.some((word) => withoutNumber(word) === 'alarm')
    if (isAlarm || (bad.has(denied) && !words.slice(at + 1).some((word) => good.has(word))))
      return others.map((fault): Pair => ({ fault, end: denial, words: [denied, 'not'], sure: true }))
    if (!good.has(denied) || words.slice(at + 1).some((word) => bad.has(word))) return []
    return others.map((end): Pair => ({ fault: denial, end, words: ['not', denied], sure: true }))
  })
}

/** Of these the opposite is also done on purpose. */
const deliberate: ReadonlySet<string> = new Set(['locked', 'registered', 'installed', 'applied', 'saved'])

/** `poolUnhealthy` and `poolHealthy`. */
function byPrefix(
  fault: MibNotification,
  words: readonly string[],
  byStem: ReadonlyMap<string, readonly MibNotification[]>,
): Pair[] {
  return words.flatMap((word, at) => {
    const prefix = prefixes.find((one) => word.startsWith(one))
    const rest = word.slice(prefix?.length ?? 0)
    if (prefix === undefined || deliberate.has(rest) || !good.has(rest)) return []
    const others = (byStem.get(stemOf(words.with(at, rest))) ?? []).slice(0, sameLimit)
    return others.map((end): Pair => ({ fault, end, words: [word, rest], sure: true }))
  })
}
