// Pairs an end whose name no fault repeats with the fault that it resembles most: `flashSpaceOk` with `lowOnFlashSpace`,
// `bandwidthThreshCleared` with `bandwidthThresholdCrossed`. The end's subject must be in the name of the fault, word by
// word; what the fault says beyond that must be how it is bad, or both must be neighbours in the module.

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { Pair } from './mib-pairs.ts'
import { aroundEnds, endings, faultWords, noise, wordsOf } from './mib-words.ts'

/** Words that are compared in one module: beyond that, most of its ends lack a fault, and names are no help. */
const comparisonLimit = 5_000_000
/** Words of a fault that its end does not repeat. */
const surplusLimit = 3
/** Faults of one end: more of them are most likely something else that happens to have the same words. */
const faultLimit = 3
/** Notifications of one condition are seldom further apart. */
const reach = 3

/** Words by which a fault says that it is one, or how bad, and which its end leaves out. */
const marks: ReadonlySet<string> = new Set([
  ...faultWords,
  ...noise,
  ...['occur', 'occurs', 'occurred', 'fire', 'fired', 'trigger', 'triggered', 'actv', 'active', 'crossed'],
  ...['cross', 'crossing', 'on', 'out', 'of', 'range', 'too', 'storm', 'flood', 'exhausted', 'full'],
  ...['not', 'no', 'usage', 'utilization', 'limit', 'incomplete', 'insufficient', 'excess', 'excessive'],
  ...['at', 'in', 'or', 'was', 'report', 'reported', 'present', 'degrade', 'problem', 'conflict'],
  ...['crash', 'crashed', 'higher', 'lower'],
])
/** Words around those that mark an end: `cpuBecomeNormal`, `stormAlarmClear`. */
const around: ReadonlySet<string> = new Set([...aroundEnds, 'become', 'becomes', 'chg', 'change', 'changed'])

/** Ends that the subject follows: `returnFromBypass`. */
const openings: ReadonlySet<string> = new Set(['returned', 'recover'])

/** What people empty or put back: that a log was cleared ends no fault. */
const belongings: ReadonlySet<string> = new Set([
  ...['log', 'logs', 'logfile', 'statistics', 'stats', 'statistic', 'counter', 'counters', 'history', 'pm'],
  ...['entry', 'entries', 'cache', 'table', 'database', 'config', 'configuration', 'password', 'all', 'file'],
  ...['route', 'neighbor', 'neighbour'],
])
const emptying: ReadonlySet<string> = new Set(['clear', 'clears', 'cleared', 'restore', 'restored'])
/** What begins and ends without a fault. */
const courses: ReadonlySet<string> = new Set([
  ...['backup', 'restore', 'call', 'session', 'user', 'snapshot', 'plan', 'password'],
])
/** What was done on purpose, and is well. */
const harmless: ReadonlySet<string> = new Set([
  ...['change', 'changed', 'changes', 'added', 'add', 'created', 'installed', 'inserted', 'upgraded'],
  ...['started', 'success', 'successful', 'complete', 'completed', 'presence', 'enable', 'enabled'],
  ...['deleted', 'destroyed'],
])
/** Words of which every module has many: alone they name no subject. */
const general: ReadonlySet<string> = new Set([
  ...['system', 'device', 'threshold', 'module', 'port', 'unit', 'sensor', 'value', 'operation', 'table'],
])

interface Subject {
  readonly one: MibNotification
  readonly words: readonly string[]
}

interface Candidate {
  readonly fault: MibNotification
  readonly surplus: readonly string[]
}

/** `paired` are the notifications that have a fault or an end already. */
export function pairsByKin(
  notifications: readonly MibNotification[],
  paired: ReadonlySet<MibNotification>,
): Pair[] {
  const beginning = beginningOf(notifications)
  const open = notifications.filter((one) => !paired.has(one))
  const faults = open.flatMap((one): Subject[] => {
    const words = wordsOf(one.name)
    return words.some((word) => endings.has(word)) ? [] : [{ one, words: beginning.cut(words) }]
  })
  const ends = open.filter(isEnd)
  const words = faults.reduce((sum, fault) => sum + fault.words.length, 0)
  const compared = ends.reduce((sum, { name }) => sum + wordsOf(name).length * words, 0)
  if (compared > comparisonLimit) return []
  return ends.flatMap((end) => faultsOf(end, faults, beginning))
}

function isEnd({ name }: MibNotification): boolean {
  const words = wordsOf(name)
  const at = words.findLastIndex((word) => endings.has(word))
  const isLast = words.slice(at + 1).every((word) => noise.has(word) || word === 'mode')
  const isFirst = openings.has(words[at] ?? '')
  const isNegated = (words.includes('not') && !isFirst) || words[at] === 'operational'
  return (
    at >= 0 &&
    (isLast || isFirst) &&
    !isNegated &&
    !words.some((word, index) => index !== at && courses.has(word)) &&
    !(emptying.has(words[at] ?? '') && words.some((word) => belongings.has(word)))
  )
}

function faultsOf(end: MibNotification, faults: readonly Subject[], beginning: Beginning): Pair[] {
  const all = beginning.cut(wordsOf(end.name))
  const word = all.findLast((each) => endings.has(each)) ?? ''
  const subject = all.filter((each) => !endings.has(each) && !around.has(each) && !noise.has(each))
  if (!subject.some((each) => each.length > 1 && !general.has(each))) return []
  const found = faults.flatMap((fault) => {
    const surplus = surplusOf(subject, fault.words)
    return surplus ? [{ fault: fault.one, surplus }] : []
  })
  const marked = found.filter(({ surplus }) => surplus.every((each) => marks.has(each)))
  const near = marked.length > 0 ? marked : found.filter((each) => isClose(each, end))
  const limit = marked.length > 0 ? faultLimit : 1
  if (near.length > limit) return []
  return near.map(({ fault, surplus }) => ({
    fault,
    end,
    words: [surplus.findLast((each) => !noise.has(each)), word],
    sure: false,
  }))
}

/** The words of a fault that are not in the subject of an end; undefined where it lacks a word, or has too many others. */
function surplusOf(subject: readonly string[], words: readonly string[]): string[] | undefined {
  const left = [...words]
  for (const word of subject) {
    const at = left.findIndex((each) => isAlike(word, each))
    if (at < 0) return undefined
    left.splice(at, 1)
  }
  const isTooMuch = left.filter((word) => !noise.has(word)).length > surplusLimit
  return isTooMuch || left.some((word) => harmless.has(word)) ? undefined : left
}

/** The same word, in another form or cut off: `volt` and `voltage`, `degrade` and `degraded`, `thrshld` and `threshold`. */
function isAlike(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < 3 || /\d/.test(long)) return false
  return long.startsWith(short) || (!/[aeiou]/.test(short) && isOfLetters(short, long))
}

/** Whether the letters of one are in the other, in the same order, and both begin and end alike. */
function isOfLetters(short: string, long: string): boolean {
  if (short[0] !== long[0]) return false
  let at = 0
  for (const letter of long) if (letter === short[at]) at += 1
  return at === short.length
}

const arcsOf = (oid: string) => ({
  parent: oid.slice(0, oid.lastIndexOf('.')),
  last: Number(oid.slice(oid.lastIndexOf('.') + 1)),
})

/** Beside it in the module, with a single word that could mean anything. */
function isClose({ fault: { oid }, surplus }: Candidate, end: MibNotification): boolean {
  if (surplus.filter((word) => !marks.has(word)).length > 1) return false
  const [one, other] = [arcsOf(oid), arcsOf(end.oid)]
  return one.parent === other.parent && Math.abs(one.last - other.last) <= reach
}

/** How the names of a module begin. */
interface Beginning {
  cut(words: readonly string[]): readonly string[]
}

/** The words that all names begin with, and one of a letter or two after them that many have: `acmeNFanFailed`, `acmeFanOk`. */
function beginningOf(notifications: readonly MibNotification[]): Beginning {
  const names = notifications.map(({ name }) => wordsOf(name))
  const [first = [], ...others] = names
  const differs = first.findIndex((word, at) => others.some((words) => words[at] !== word))
  const prefix = others.length < 2 ? 0 : Math.max(0, differs)
  const following = Map.groupBy(names, (words) => words[prefix] ?? '')
  const isInfix = (word: string) =>
    /^[a-z]{1,2}$/.test(word) && (following.get(word)?.length ?? 0) * 5 > names.length && names.length >= 10
  return { cut: (words) => words.slice(isInfix(words[prefix] ?? '') ? prefix + 1 : prefix) }
}
