// Finds the variable of a notification that says whether it is a fault or its end, by the names of its values.

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { MibObject } from '../mibs/oid-tree.ts'
import { endAlarm, storeOnly, type TrapEvent } from '../resources/alarms/trap-event.ts'
import { wordsOf } from './mib-words.ts'

type State = TrapEvent['state'][number]

/** A variable, and what its values mean. */
export interface StateVariable {
  readonly object: MibObject
  /** Numbers of values that end the alarm. */
  readonly ends: readonly number[]
  /** Numbers of values that raise it, by level. */
  readonly raises: ReadonlyMap<number, readonly number[]>
}

const wellWords = new Set([
  ...[
    'normal',
    'ok',
    'okay',
    'good',
    'up',
    'clear',
    'cleared',
    'healthy',
    'online',
    'operational',
    'established',
  ],
  ...[
    'synchronized',
    'synced',
    'sync',
    'resolved',
    'resolution',
    'recovered',
    'restored',
    'working',
    'running',
  ],
  ...[
    'available',
    'reachable',
    'connected',
    'fine',
    'operable',
    'nominal',
    'nofault',
    'noalarm',
    'full',
    'inrange',
  ],
])

/** Good where the variable is about an alarm, and bad or nothing elsewhere. */
const wellForAlarms = new Set(['off', 'inactive', 'none', 'no', 'deasserted', 'reset', 'end', 'false'])
const badForAlarms = new Set(['on', 'active', 'set', 'yes', 'asserted', 'raised', 'true', 'begin'])

const badWords: readonly (readonly [level: number, words: ReadonlySet<string>])[] = [
  [1, new Set(['critical', 'crit', 'emergency', 'fatal', 'shutdown', 'disaster', 'nonrecoverable'])],
  [
    2,
    new Set([
      ...[
        'major',
        'down',
        'fail',
        'failed',
        'failure',
        'fault',
        'faulty',
        'faulted',
        'error',
        'lost',
        'loss',
      ],
      ...[
        'tripped',
        'stalled',
        'dead',
        'broken',
        'offline',
        'unreachable',
        'unavailable',
        'problem',
        'severe',
      ],
      ...['stopped', 'idle', 'disconnected'],
    ]),
  ],
  [
    3,
    new Set([
      ...['minor', 'degraded', 'abnormal', 'alarm', 'bad', 'missing', 'unsynchronized', 'unsync', 'isolated'],
      ...[
        'unhealthy',
        'exceeded',
        'range',
        'outofrange',
        'overload',
        'absent',
        'removed',
        'disabled',
        'stratumunsync',
      ],
    ]),
  ],
  [4, new Set(['warning', 'warn', 'high', 'low', 'indeterminate', 'near', 'open', 'over', 'under'])],
]

/** What somebody has set, or what kind of thing it is, is no state of it. */
const settings = new Set([
  'admin',
  'control',
  'request',
  'action',
  'type',
  'enable',
  'mode',
  'kind',
  'reason',
  'cause',
  'class',
  'config',
  'addr',
])
const stateNames = new Set([
  ...['status', 'state', 'severity', 'condition', 'health', 'alarm', 'fault', 'indicator', 'level', 'oper'],
])
const alarmNames = new Set([
  'alarm',
  'fault',
  'fail',
  'failure',
  'error',
  'indicator',
  'active',
  'alm',
  'trap',
])

const failing = new Set(['fail', 'failure', 'fault'])

/** The one that is named most like a state; undefined where there is none, or two that are equally likely. */
export function stateVariable({ objects }: MibNotification): StateVariable | undefined {
  const found = [...new Set(objects)].flatMap((object) => {
    const read = readStates(object)
    return read ? [{ read, rank: rankOf(object) }] : []
  })
  found.sort((a, b) => b.rank - a.rank)
  const [first, second] = found
  return first && first.rank > (second?.rank ?? -1) ? first.read : undefined
}

/** A severity with a value for the end says more than a state, and a state more than another enumeration. */
function rankOf({ name }: MibObject): number {
  const words = wordsOf(name)
  const summary = words.some((word) => wholes.has(word)) ? 0.5 : 0
  if (words.includes('severity')) return 3 - summary
  return (words.some((word) => stateNames.has(word)) ? 2 : 1) - summary
}

/** The state of the whole device says less than that of the part. */
const wholes = new Set(['system', 'overall', 'total', 'aggregate', 'device', 'chassis'])

/** Longer lists are of causes: each value is another fault, and none is a state of the others. */
const valueLimit = 40

function readStates(object: MibObject): StateVariable | undefined {
  const { base, values, name } = object
  const about = wordsOf(name)
  if (
    values.size < 2 ||
    values.size > valueLimit ||
    base === 'BITS' ||
    about.some((word) => settings.has(word))
  )
    return undefined
  const isAlarm = about.some((word) => alarmNames.has(word))
  // A truth value says what its name says: `PeerUp` is good.
  const isTruth = values.get(1) === 'true' && values.get(2) === 'false'
  if (isTruth && !isAlarm) {
    const isGood = about.some((word) => wellWords.has(word))
    return isGood ? { object, ends: [1], raises: new Map([[3, [2]]]) } : undefined
  }
  // What has failed is worse than what has an alarm.
  const asserted = about.some((word) => failing.has(word)) ? 2 : 3
  const ends: number[] = []
  const raises = new Map<number, number[]>()
  for (const [number, label] of values) {
    const level = levelOf(wordsOf(label), isAlarm ? asserted : undefined)
    if (level === 0) ends.push(number)
    else if (level !== undefined) raises.set(level, [...(raises.get(level) ?? []), number])
  }
  // An enumeration that is all good, or all bad, ends nothing.
  return ends.length > 0 && ends.length <= 3 && raises.size > 0 ? { object, ends, raises } : undefined
}

/** 0 for the end; undefined where the label says nothing. `asserted` is the level of an alarm that is on. */
function levelOf(label: readonly string[], asserted: number | undefined): number | undefined {
  const negates = label[0] === 'not' || label[0] === 'no' || label[0] === 'non'
  const level = badWords.find(([, words]) => label.some((word) => words.has(word)))?.[0]
  if (level !== undefined) return negates && level > 1 ? 0 : level
  if (label.some((word) => wellWords.has(word))) return negates ? 3 : 0
  if (asserted === undefined) return undefined
  if (label.length === 1 && wellForAlarms.has(label[0] ?? '')) return 0
  return label.length === 1 && badForAlarms.has(label[0] ?? '') ? asserted : undefined
}

/**
 * The states of a definition. Values are given by number: labels may repeat. Where nothing says which of several parts is
 * well again, that ends no alarm.
 */
export function statesFrom(
  { object, ends, raises }: StateVariable,
  parameter: string,
  saysWhich: boolean,
): State[] {
  const { values } = object
  const list = (numbers: readonly number[]) => numbers.filter((number) => values.has(number)).join(';')
  return [
    { parameter, values: list(ends), handling: saysWhich ? endAlarm : storeOnly, alarmLevel: null },
    ...[...raises]
      .sort(([a], [b]) => a - b)
      .map(([alarmLevel, numbers]): State => ({ parameter, values: list(numbers), handling: 1, alarmLevel })),
  ]
}
