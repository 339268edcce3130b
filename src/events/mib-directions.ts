// Which of two notifications is the fault and which its end, where the words of their names can mean both: a fan that is
// off is a fault, and so is an overload that is on.

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { Pair } from './mib-pairs.ts'
import {
  endings,
  faultWords,
  isDenied,
  noise,
  passing,
  running,
  withoutNumber,
  wordsOf,
} from './mib-words.ts'

/** Things that are well when they are on or active: for these, off is the fault. */
const working = new Set([
  ...['power', 'powered', 'psu', 'supply', 'fan', 'pump', 'server', 'service', 'system', 'device', 'unit'],
  ...[
    'ups',
    'outlet',
    'load',
    'segment',
    'bank',
    'output',
    'relay',
    'laser',
    'radio',
    'vm',
    'cabinet',
    'slot',
  ],
  ...[
    'member',
    'port',
    'card',
    'module',
    'controller',
    'context',
    'node',
    'peer',
    'link',
    'interface',
    'host',
  ],
])

/** Conditions that somebody wants to know of: for these, on is the fault, whatever thing they are about. */
const conditions = new Set([
  ...['alarm', 'alert', 'threshold', 'usage', 'overload', 'loop', 'loopback', 'bypass', 'throttling', 'mute'],
  ...['contact', 'input', 'protection', 'failsafe', 'led', 'beacon', 'gasp', 'test', 'maintenance'],
  ...['duplicate', 'dup', 'conflict', 'spoofing', 'attack'],
])

/** Things of which there should be much: for these, to fall is the fault. */
const scarce = new Set([
  'free',
  'available',
  'remaining',
  'battery',
  'charge',
  'signal',
  'rssi',
  'fuel',
  'margin',
])

/** A limit that is crossed in both directions; above one range and below it are two faults. */
const limits = new Set(['threshold', 'limit', 'watermark', 'util', 'uti', 'utilization', 'usage'])

/** What somebody has asked for, or is about to be done, is no state. */
const errands = new Set([
  ...[
    'command',
    'cmd',
    'request',
    'req',
    'schedule',
    'user',
    'being',
    'progress',
    'complete',
    'abort',
    'time',
  ],
  ...['test', 'recording', 'kinescope', 'start'],
])

/** Words that mean the beginning in one name and the end in another. */
const switches: ReadonlyMap<string, 'on' | 'off'> = new Map([
  ...(['on', 'active', 'activated', 'activate'] as const).map((word) => [word, 'on'] as const),
  ...(['off', 'inactive', 'deactivated', 'deactivate'] as const).map((word) => [word, 'off'] as const),
])
const slopes: ReadonlyMap<string, 'up' | 'down'> = new Map([
  ['rising', 'up'],
  ['raising', 'up'],
  ['above', 'up'],
  ['falling', 'down'],
  ['below', 'down'],
])
/** For these, a word of a failure in both names means that both are faults: `stopFailed` and `startFailed`. */
const failures = new Set(['fail', 'failed', 'failure', 'cannot', 'unsuccessful'])
const acts = new Set(['stop', 'stopped', 'disable', 'disabled', 'open', 'opened', 'blocked', 'suspended'])
const stops = new Set([
  'stop',
  'stopped',
  'terminated',
  'halted',
  'start',
  'started',
  'begin',
  'began',
  'begun',
])
/** What is not merely interrupted is started again. */
const ceased = new Set(['shutdown', 'terminated', 'died', 'dead'])
const begins = new Set(['start', 'started', 'begin', 'began', 'begun', 'onset'])
const floods = new Set([
  ...['storm', 'flood', 'flooding', 'attack', 'congestion', 'surge', 'outage', 'flapping', 'flap'],
  ...['inconsistent', 'inconsistency', 'loop', 'degradation'],
])
const comesAndGoes = new Set([
  ...['disconnected', 'disconnect', 'lost', 'dropped', 'fail', 'failed', 'failure'],
  ...['removed', 'enter', 'entered'],
])

/** Whether it is an entry of a list of alarms that was added or removed: one that is added is a fault. */
function isOfAlarms(words: readonly string[], word: string): boolean {
  const before = words.slice(0, words.indexOf(word)).filter((one) => one !== 'entry')
  return (word === 'added' || word === 'removed') && before.at(-1) === 'alarm'
}

/** Of the two directions that names allow, whether it is this one. */
export function isForward({ fault, end, words: [word = '', endWord], sure }: Pair): boolean {
  const said = bySeverity(fault, end)
  if (said !== undefined && !sure) return said
  if (isOfAlarms(wordsOf(fault.name), word)) return word === 'added'
  const has = subjectOf(fault, word)
  const [position, slope] = [switches.get(word), slopes.get(word)]
  if (position !== undefined && switches.has(endWord))
    return (position === 'off') === (has(working) && !has(conditions) && !has(faultWords))
  if (slope !== undefined && slopes.has(endWord)) return (slope === 'down') === has(scarce)
  return sure
}

const stuck = ['mute', 'alarm', 'fault', 'protection']

/** Asks for words in a name, without the one that differs and without numbers. What follows is no subject: `powerOffAlarm`. */
function subjectOf({ name }: MibNotification, differing: string): (some: ReadonlySet<string>) => boolean {
  const words = wordsOf(name)
  const at = words.indexOf(differing)
  const subject = words
    .filter((_, index) => index < at || (index > at && !noise.has(words[index] ?? '')))
    .map(withoutNumber)
    // Words that were written as one: `audiomuteActive`.
    .flatMap((one) => [one, ...stuck.filter((end) => one.endsWith(end))])
  return (some) => subject.some((one) => some.has(one))
}

/** Vendors that call one of the two informational know which it is. */
function bySeverity(fault: MibNotification, end: MibNotification): boolean | undefined {
  const [one, other] = [fault.severity, end.severity].map((said) => said !== undefined && harmless.has(said))
  if (fault.severity === undefined || end.severity === undefined || one === other) return undefined
  return !one
}

const harmless = new Set(['informational', 'info', 'normal'])

/** Without pairs of which one side contradicts: of two ends, of two faults, or of what is no fault. */
export function plausible(pairs: readonly Pair[]): Pair[] {
  const surely = new Set(pairs.filter(({ fault, sure }) => sure && !saysEnd(fault)).map(({ fault }) => fault))
  return pairs.filter((pair) => {
    if ((pair.words[0] !== undefined && saysEnd(pair.fault)) || (!pair.sure && surely.has(pair.end)))
      return false
    return isClear(pair) && meansFault(pair)
  })
}

/** A name that ends with the word for an end is that of an end, also where another one ends it. */
function saysEnd({ name }: MibNotification): boolean {
  const words = wordsOf(name).filter((word) => !noise.has(word))
  const last = words.length - 1
  return last > 0 && endings.has(words[last] ?? '') && !isDenied(words, last)
}

/** Whether the words say enough: what is on, active or above may be well. */
function isClear(pair: Pair): boolean {
  const { fault, words, sure } = pair
  const [word = '', endWord] = words
  const has = subjectOf(fault, word)
  if (sure || words[0] === undefined || endings.has(endWord)) return true
  if (switches.has(word) && switches.has(endWord)) {
    if ((has(errands) || has(passing)) && !has(conditions)) return false
    // What is on by itself is a fault by default, what is active is not.
    return isForward(pair) && (word === 'on' || word === 'off' || has(conditions) || has(working))
  }
  if (slopes.has(word) && slopes.has(endWord)) return isForward(pair) && (has(limits) || word === 'rising')
  return !(acts.has(word) && has(errands)) && !has(failures)
}

/** Calls, users and sessions come and go, and only what is meant to run is missed when it has stopped. */
function meansFault({ fault, words: [word, endWord] }: Pair): boolean {
  const words = wordsOf(fault.name)
  if (word === undefined) return true
  if (isOfAlarms(words, word)) return word === 'added'
  if (word === 'added') return false
  if (ceased.has(word) && endWord.startsWith('resum')) return false
  // A storm that has started is a fault, and a heartbeat that has stopped, and is resumed.
  if (begins.has(word) && words.some((one) => floods.has(one) || faultWords.has(one))) return true
  if (stops.has(word))
    return (endings.has(endWord) && !begins.has(word)) || words.some((one) => running.has(one))
  return !comesAndGoes.has(word) || !words.some((one) => passing.has(one))
}
