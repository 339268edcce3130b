// How severe a notification is: by a remark of the vendor, by words in its name, and by its description.

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { Pair } from './mib-pairs.ts'
import { endings, faultWords, isDenied, passing, wordsOf } from './mib-words.ts'

export const confidences = ['low', 'medium', 'high'] as const
export type Confidence = (typeof confidences)[number]

const changes = new Set(['change', 'changed', 'changes', 'modified', 'renamed'])
/** What somebody has changed on purpose. */
const settings = new Set([
  'config',
  'configuration',
  'id',
  'name',
  'ip',
  'login',
  'logout',
  'user',
  'mode',
  'admin',
])
/** Work that is done once: when it has failed, nothing is down. */
const work = new Set([
  ...[
    'install',
    'installation',
    'update',
    'upgrade',
    'backup',
    'archive',
    'download',
    'upload',
    'copy',
    'save',
  ],
  ...[
    'sync',
    'synchronization',
    'sent',
    'send',
    'request',
    'import',
    'export',
    'transfer',
    'job',
    'task',
    'call',
    'registration',
    'provisioning',
    'commit',
  ],
])
const attempts = new Set(['auth', 'aut', 'authentication', 'login', 'logon', 'password', 'access'])
const thresholds = new Set(['threshold', 'rising', 'exceeded', 'usage', 'utilization'])
export const isSignOfLife = ({ name }: MibNotification) =>
  /heart-?beat|keep-?alive|hello/i.test(name) &&
  !wordsOf(name).some((word) => faultWords.has(word) || endings.has(word))

export interface Verdict {
  readonly level: number
  readonly confidence: Confidence
  readonly reason: string
  /** It says little: that something has changed, not how. */
  readonly vague?: true
}

const infoLevel = 5
const unknownLevel = 4

export const verdict = (level: number, confidence: Confidence, reason: string): Verdict => ({
  level,
  confidence,
  reason,
})

export function levelOf(
  one: MibNotification,
  { pairs, refused }: { readonly pairs: readonly Pair[]; readonly refused: readonly Pair[] },
): Verdict {
  const isEnd = pairs.some(({ end }) => end === one)
  const isFault = pairs.some(({ fault }) => fault === one)
  if (isEnd && !isFault) return verdict(infoLevel, 'high', 'level 5, as it ends a fault')
  if (!isFault && refused.some(({ end }) => end === one))
    return verdict(infoLevel, 'low', 'level 5: it says that something is well again')
  const words = wordsOf(one.name)
  const byName = levelByName(words, { isFault, isPaired: isEnd || isFault })
  const severity = one.severity ?? severityIn(one.description)
  const said = severities[severity]
  // Many vendors call everything informational, also faults.
  const isContradicted = said === infoLevel && (isFault || (byName?.level ?? infoLevel) < infoLevel)
  if (said !== undefined && !isContradicted)
    return bySeverity({ severity, isRemark: one.severity !== undefined }, said, byName, isFault)
  if (isSignOfLife(one)) return verdict(infoLevel, 'medium', 'a heartbeat, which is kept but makes no alarm')
  const byText = levelByText(one.description)
  if (byName?.vague && byText && byText.level < 4) return byText
  if (byName ?? byText) return byName ?? (byText as Verdict)
  if (isFault) return verdict(3, 'medium', 'level 3: no word says how severe it is, but something ends it')
  return verdict(unknownLevel, 'low', 'level 4: no word says how severe it is')
}

/** `WARNING: The UPS runs on battery.` */
const severityIn = (description: string): string =>
  /^\s*(?:severity\s{0,3}[:=]\s{0,3})?([a-z]{4,13})\s{0,3}:/i.exec(description)?.[1]?.toLowerCase() ?? ''

/** Remarks of vendors are meant for other programs: where a name says something else altogether, the name counts. */
function bySeverity(
  { severity, isRemark }: { readonly severity: string; readonly isRemark: boolean },
  said: number,
  byName: Verdict | undefined,
  isFault: boolean,
): Verdict {
  const isSureOfFault = isFault && isRemark
  if (byName && byName.vague !== true && !isSureOfFault && byName.level - said > 1)
    return { ...byName, reason: `${byName.reason}, though the module says ${severity}` }
  return verdict(said, isFault ? 'high' : 'medium', `level ${said}: the module says ${severity}`)
}

function levelByName(
  words: readonly string[],
  { isFault, isPaired }: { readonly isFault: boolean; readonly isPaired: boolean },
): Verdict | undefined {
  const found = gravest(words)
  const isFaultWord = found && found.level < infoLevel
  const lonelyEnd = words.findLast((word, at) => endings.has(word) && !isDenied(words, at))
  // `FailureCleared` is an end, `recoveryFailed` is none.
  const isOver = lonelyEnd !== undefined && words.lastIndexOf(lonelyEnd) > words.findLastIndex(isFaulty)
  if (lonelyEnd !== undefined && (!isFaultWord || isOver) && !isFault)
    return verdict(infoLevel, 'low', `level 5: "${lonelyEnd}" sounds like an end, but of what is not clear`)
  // A fault that something ends is more than a piece of information, whatever its name says.
  if (!found || (isFault && found.level === infoLevel)) return undefined
  const level = adjusted(found, words)
  const reason = `level ${level}: "${found.word}" in its name`
  if (changes.has(found.word))
    return { ...verdict(level, 'medium', `${reason}, and which states are bad only you know`), vague: true }
  if (weak.has(found.word)) return { ...verdict(level, 'medium', reason), vague: true }
  // An alarm without an end stays until somebody ends it: worth a look, however sure the level is.
  return verdict(level, isPaired ? 'high' : 'medium', reason)
}

const isFaulty = (word: string) => faultWords.has(word)

/** What a word means depends on the others: a failed login is no failure of the device. */
function adjusted({ level, word }: { level: number; word: string }, words: readonly string[]): number {
  const has = (some: ReadonlySet<string>) => words.some((one) => some.has(one))
  if (changes.has(word) && has(settings)) return infoLevel
  if (leaving.has(word) && has(passing)) return infoLevel
  if (level === 2 && has(attempts)) return 4
  if (level === 2 && (has(work) || has(measuring))) return 3
  if (level === 3 && word.startsWith('error') && words.includes('hardware')) return 2
  // What is too warm does not run for long; a warning of that is one.
  if (level === 4 && limits.has(word) && has(physical) && !has(mild)) return 3
  return level === 3 && has(thresholds) && has(rises) ? 4 : level
}

/** That a sensor has failed does not mean that what it measures has. */
const measuring = new Set(['sensor', 'sens', 'probe', 'thermistor'])
const physical = new Set(['temperature', 'voltage', 'thermal'])
const limits = new Set([
  'high',
  'low',
  'higher',
  'lower',
  'exceeded',
  'exceed',
  'exceeds',
  'above',
  'below',
  'over',
  'under',
])
const mild = new Set(['warning', 'warn', 'threshold', 'sfp', 'transceiver', 'ddm', 'ddmi'])
const leaving = new Set(['disconnected', 'disconnect', 'dropped', 'removed'])
const rises = new Set(['rising', 'usage', 'utilization'])

/** A description that names something harmless may still be about a fault, and few faults are critical. */
function levelByText(description: string): Verdict | undefined {
  const [first = ''] = description.slice(0, descriptionLimit).split(/\.(?:\s|$)/)
  const found = gravest(wordsOf(first))
  if (!found || found.level === infoLevel) return undefined
  const level = Math.max(found.level, 2)
  return verdict(level, 'medium', `level ${level}: "${found.word}" in its description`)
}

// After its first sentence a description goes into details.
const descriptionLimit = 300

const denials = new Set(['not', 'no'])
/** `notResponding`, `noResponse`. */
const answers = new Set(['responding', 'response', 'reachable', 'available', 'running'])

/** `NotPresent`, `NoChannelAvailable`. */
const isMissing = (words: readonly string[], at: number) =>
  weakInfo.includes(words[at] ?? '') && words.slice(0, at).some((word) => denials.has(word))

function gravest(words: readonly string[]): { level: number; word: string } | undefined {
  const denied = words.find((word, at) => answers.has(word) && denials.has(words[at - 1] ?? ''))
  if (denied !== undefined) return { level: 2, word: `not ${denied}` }
  const unwell = words.find((word, at) => (endings.has(word) && isDenied(words, at)) || isMissing(words, at))
  for (const { level, words: wanted } of levels) {
    const word = words.find((one, at) => wanted.includes(one) && !isGuard(words, at))
    if (unwell !== undefined && level > 3) return { level: 3, word: `not ${unwell}` }
    if (word !== undefined) return { level, word }
  }
  return undefined
}

/** Words that say something of a name, unless the description says more. */
const weakWarnings = [
  ...[
    'drift',
    'expires',
    'expire',
    'timed',
    'stale',
    'wrong',
    'incorrect',
    'illegal',
    'tamper',
    'higher',
    'lower',
  ],
]
const weakInfo = [
  ...['create', 'creation', 'delete', 'deletion', 'add', 'installed', 'replaced', 'loaded'],
  ...['join', 'joined', 'learned', 'registered', 'associated', 'connected', 'enabled', 'enable'],
  ...['successful', 'successfully', 'completion', 'generated', 'ready', 'authorized', 'accepted'],
  ...['granted', 'available', 'online', 'present', 'reachable'],
]
const weak: ReadonlySet<string> = new Set([...weakWarnings, ...weakInfo])

/** What is guarded against: that loop detection was enabled is no loop. */
const guarded: ReadonlySet<string> = new Set([
  ...['storm', 'loop', 'rogue', 'spoofing', 'congestion', 'tampering', 'attack', 'intrusion'],
])
const guards: ReadonlySet<string> = new Set(['control', 'prevention', 'protection', 'guard', 'spoofing'])

const isGuard = (words: readonly string[], at: number) =>
  guarded.has(words[at] ?? '') &&
  (guards.has(words[at + 1] ?? '') ||
    words.slice(at + 1).some((word) => changes.has(word) || word === 'enabled'))

/** More severe first. A word decides by itself, in a name more surely than in a description. */
const levels: readonly { readonly level: 1 | 2 | 3 | 4 | 5; readonly words: readonly string[] }[] = [
  { level: 1, words: ['critical', 'crit', 'fatal', 'emergency', 'disaster', 'catastrophic', 'severe'] },
  {
    level: 2,
    words: [
      ...[
        'down',
        'fail',
        'failed',
        'fails',
        'failure',
        'failing',
        'fault',
        'faulted',
        'faulty',
        'lost',
        'loss',
      ],
      ...['major', 'dead', 'died', 'broken', 'offline', 'unreachable', 'unavailable', 'shutdown', 'overheat'],
      ...['unresponsive', 'crash', 'crashed', 'panic', 'outage', 'los', 'overtemperature', 'disconnected'],
      ...['smoke', 'leak', 'leakage'],
    ],
  },
  {
    level: 3,
    words: [
      ...[
        'range',
        'outofrange',
        'unplugged',
        'plugout',
        'aborted',
        'abort',
        'bypass',
        'failover',
        'unsupported',
        'exhausted',
        'dump',
      ],
      ...['minor', 'degraded', 'error', 'errors', 'invalid', 'mismatch', 'violation', 'attack', 'intrusion'],
      ...['abnormal', 'missing', 'removed', 'removal', 'absent', 'bad', 'stopped', 'blocked', 'overload'],
      ...['corrupt', 'corrupted', 'unauthorized', 'denied', 'rejected', 'conflict', 'duplicate', 'expired'],
      ...['problem', 'problems', 'exhaustion', 'incompatible', 'inconsistent', 'inconsistency', 'malformed'],
      ...['misconfiguration', 'misconfigured', 'unsecure', 'rogue', 'rogues', 'spoofing', 'loop'],
      ...['storm', 'congestion', 'tampering', 'unhealthy', 'unstable', 'insufficient'],
    ],
  },
  {
    level: 4,
    words: [
      ...['warning', 'warn', 'threshold', 'exceed', 'exceeded', 'exceeds', 'high', 'low', 'above', 'below'],
      ...[
        'rising',
        'exceeding',
        'excessive',
        'usage',
        'limit',
        'reached',
        'skew',
        'full',
        'near',
        'approaching',
        'expiring',
        'over',
        'under',
        'retry',
        'timeout',
        'battery',
      ],
      ...['disabled', 'inactive', 'change', 'changed', 'changes', 'mode', 'switchover', 'restart'],
      ...['reboot', 'rebooted', 'reset', 'flapping', 'unknown'],
      ...weakWarnings,
    ],
  },
  {
    level: 5,
    words: [
      ...[
        'informational',
        'information',
        'notice',
        'commit',
        'test',
        'heartbeat',
        'keepalive',
        'login',
        'logout',
        'logged',
      ],
      ...[
        'complete',
        'completed',
        'finished',
        'done',
        'success',
        'succeeded',
        'started',
        'start',
        'inserted',
      ],
      ...[
        'startup',
        'progress',
        'deleted',
        'added',
        'created',
        'saved',
        'update',
        'updated',
        'upgrade',
        'configured',
        'hello',
      ],
      ...weakInfo,
    ],
  },
]

/** The words of vendors' comments. */
const severities: Readonly<Record<string, 1 | 2 | 3 | 4 | 5>> = {
  critical: 1,
  fatal: 1,
  severe: 1,
  major: 2,
  error: 2,
  minor: 3,
  warning: 4,
  informational: 5,
  info: 5,
  normal: 5,
  indeterminate: 4,
}
