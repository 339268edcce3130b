// The words in names of notifications: how names are cut into words, and which words mean a fault or its end.

/** `slot12` → slot. */
export function withoutNumber(word: string): string {
  let end = word.length
  while (end > 0 && isDigit(word.charCodeAt(end - 1))) end -= 1
  return word.slice(0, end)
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

/** `cpqHo2FanFailed` → cpq, ho2, fan, failed. */
export function wordsOf(name: string): string[] {
  const words = cutName(name).flatMap((word) => apart(word.toLowerCase()).flatMap(withNumberApart))
  const read = words.map((word, at) => {
    // `returnFromBypass`, `returnNormal`; a return path, or the loss on it, ends nothing.
    if (word === 'return' && returns.has(words[at + 1] ?? '')) return 'returned'
    return abbreviations.get(word) ?? word
  })
  return read.includes('range') ? withRanges(read) : read
}

const returns = new Set(['from', 'to', 'back', 'normal'])

/** `switchAlarm1` and `switchClear1`: the number says which of them, and is no part of the word. */
function withNumberApart(word: string): readonly string[] {
  const plain = withoutNumber(word)
  if (plain === word) return [word]
  return noise.has(plain) || endings.has(plain) || faultWords.has(plain)
    ? [plain, word.slice(plain.length)]
    : [word]
}

/** `OutOfRange` and `WithinRange` are one word each. */
function withRanges(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const [before, next, last] = [words[at - 1] ?? '', words[at + 1], words[at + 2]]
    if (word === 'out' && next === 'of' && last === 'range') return 'outofrange'
    if (word === 'of' && before === 'out' && next === 'range') return []
    if ((word === 'in' || word === 'within') && next === 'range') return 'inrange'
    const isJoined = before === 'in' || before === 'within' || (before === 'of' && words[at - 2] === 'out')
    return word === 'range' && isJoined ? [] : word
  })
}

const negations = new Set(['not', 'no', 'non', 'cannot', 'cant', 'unable', 'never'])
const betweenNegated = new Set(['to', 'be', 'been', 'back', 'yet', 'fully', 'in', 'return', 'returned'])

/** `RaidNotOk`, `CannotRecover`, `NotBackToNormal`: whether the word at this place is denied. */
export function isDenied(words: readonly string[], place: number): boolean {
  let at = place - 1
  while (betweenNegated.has(words[at] ?? '')) at -= 1
  return negations.has(words[at] ?? '')
}

/**
 * With capitals: `CPUUsageHigh` → CPU, Usage, High. A word ends before what is neither letter nor digit, before a
 * capital, and before the last of several capitals.
 */
export function cutName(name: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at <= name.length; at += 1) {
    const code = name.charCodeAt(at)
    const isPart = isLower(code) || isUpper(code) || isDigit(code)
    if (isPart && !(at > from && beginsWord(name, at))) continue
    if (at > from) parts.push(...capitalsApart(name.slice(from, at)))
    from = isPart ? at : at + 1
  }
  return parts
}

/** `CurrentANOTIFY` and `CurrentACLEAR`: of words in capitals, what follows an acronym or a letter is one of these. */
const lastInCapitals = ['NOTIFY', 'CLEAR', 'CLEARED', 'ALARM', 'TRAP', 'FAIL', 'FAILURE', 'FAULT', 'NORMAL']

function capitalsApart(word: string): readonly string[] {
  const last = lastInCapitals.find((one) => word.endsWith(one) && word.length > one.length)
  const first = word.slice(0, -(last?.length ?? 0))
  return last === undefined || first !== first.toUpperCase() || abnormal.has(word) ? [word] : [first, last]
}

const abnormal = new Set(['ABNORMAL', 'UNCLEAR', 'DEFAULT'])

/** By codes, because hundreds of thousands of names are read, each several times, and patterns take longer. */
function beginsWord(name: string, at: number): boolean {
  if (!isUpper(name.charCodeAt(at))) return false
  return !isUpper(name.charCodeAt(at - 1)) || isLower(name.charCodeAt(at + 1))
}

const isUpper = (code: number) => code >= 0x41 && code <= 0x5a

const isLower = (code: number) => code >= 0x61 && code <= 0x7a

/** Words that some write without a capital: `Fanfailed`. */
const stuckEnds = [
  ...['failed', 'failure', 'fault', 'warning', 'cleared', 'restored', 'recovered', 'removed', 'inserted'],
  ...['exceeded', 'resume', 'abnormal', 'normal'],
]

const stuckPairs: ReadonlyMap<string, readonly string[]> = new Map(
  ['link', 'port', 'interface', 'trunk', 'vlan', 'peer', 'neighbor'].flatMap((word) =>
    ['up', 'down'].map((state) => [word + state, [word, state]] as const),
  ),
)

export function apart(word: string): readonly string[] {
  const end = stuckEnds.find((one) => word.endsWith(one))
  if (end === undefined) return stuckPairs.get(word) ?? [word]
  const start = word.slice(0, -end.length)
  return /^[a-z]{3,}$/.test(start) ? [start, end] : [word]
}

const abbreviations: ReadonlyMap<string, string> = new Map([
  ...(['clr', 'clrd', 'clrs'].map((short) => [short, 'cleared']) as [string, string][]),
  ...(['rcvrd', 'recov', 'rcvd', 'rcvr', 'rcvry'].map((short) => [short, 'recovered']) as [string, string][]),
  ['rtn', 'returned'],
  ['norm', 'normal'],
  ['dn', 'down'],
  ['hi', 'high'],
  ['lo', 'low'],
  ['alrm', 'alarm'],
  ['alm', 'alarm'],
  ['err', 'error'],
  ['thr', 'threshold'],
  ['thresh', 'threshold'],
  ['excd', 'exceeded'],
  ['flt', 'fault'],
  ['temp', 'temperature'],
  ['sucess', 'success'],
  ['com', 'communication'],
  ['comm', 'communication'],
  ['comms', 'communication'],
])

/** An abbreviation as people would say it. */
export const spelledOut = (word: string): string => abbreviations.get(word) ?? word

/** Words that mean only that it is a notification. */
export const noise: ReadonlySet<string> = new Set([
  ...['trap', 'traps', 'notification', 'notifications', 'notify', 'notif', 'event', 'alarm', 'alert', 'rev1'],
  ...[
    'is',
    'has',
    'the',
    'to',
    'state',
    'status',
    'condition',
    'new',
    'became',
    'been',
    'detected',
    'v2',
    'too',
  ],
])

/** The words without the one that distinguishes fault from end, and without filler words. */
export function stemOf(words: readonly string[], without = -1): string {
  return words.filter((word, at) => at !== without && !noise.has(word)).join(' ')
}

/** What a fault is called, and what its end is called then; `sure` where the words hardly mean anything else. */
interface Antonyms {
  readonly faults: readonly string[]
  readonly ends: readonly string[]
  readonly sure: boolean
}

const well = [
  'ok',
  'okay',
  'normal',
  'nominal',
  'good',
  'restored',
  'restore',
  'recovered',
  'recovery',
  'recover',
  'clear',
]

const ended = [
  'cleared',
  'clears',
  'resolved',
  'repaired',
  'fixed',
  'healthy',
  'operational',
  'returned',
  'gone',
  'resume',
  'resumed',
  'resumes',
  'resumption',
  'deassert',
  'deasserted',
  'abate',
  'abated',
  'cease',
  'ceased',
  'cancel',
  'canceled',
  'cancelled',
  'reestablished',
]

const over = [...well, ...ended]

export const antonyms: readonly Antonyms[] = [
  { faults: ['down'], ends: ['up', ...over], sure: true },
  {
    faults: ['fail', 'failed', 'fails', 'failure', 'failing', 'fault', 'faulty', 'faulted', 'error', 'bad'],
    ends: [...over, 'success', 'succeeded', 'successful', 'succeed', 'passed', 'pass', 'working'],
    sure: true,
  },
  {
    faults: ['lost', 'loss', 'broken', 'disconnected', 'disconnect', 'dropped', 'los', 'lof'],
    ends: [
      ...['established', 'found', 'regained', 'gained', 'connected', 'connect', 'reconnected', 'reconnect'],
      ...over,
    ],
    sure: true,
  },
  {
    faults: ['set', 'raise', 'raised', 'assert', 'asserted'],
    ends: ['deassert', 'deasserted', 'reset', ...over],
    sure: true,
  },
  {
    faults: [
      ...[
        'high',
        'low',
        'higher',
        'lower',
        'over',
        'under',
        'exceeded',
        'exceed',
        'exceeds',
        'above',
        'below',
      ],
      'abnormal',
    ],
    ends: [...over, 'within'],
    sure: true,
  },
  {
    faults: [
      'critical',
      'major',
      'minor',
      'warning',
      'warn',
      'degraded',
      'threshold',
      'overload',
      'overheat',
    ],
    ends: over,
    sure: true,
  },
  { faults: ['outofrange'], ends: ['inrange', 'within', ...over], sure: true },
  { faults: ['busy'], ends: ['unbusy', ...over], sure: true },
  { faults: ['plugout', 'unplugged'], ends: ['plugin', 'plugged'], sure: true },
  { faults: ['partition', 'partitioned'], ends: ['heal', 'healed'], sure: true },
  // `WatchdogFailure` and `WatchdogUp`.
  { faults: ['failed', 'failure', 'fault'], ends: ['up'], sure: false },
  { faults: ['rising', 'raising'], ends: ['falling', ...over], sure: false },
  { faults: ['falling'], ends: ['rising', 'raising'], sure: false },
  { faults: ['above'], ends: ['below'], sure: false },
  { faults: ['below'], ends: ['above'], sure: false },
  { faults: ['exceeded', 'excessive', 'reach', 'reached'], ends: ['normal', 'within', ...over], sure: true },
  {
    faults: ['detect', 'detected', 'detection'],
    ends: ['recover', 'recovered', 'recovery', 'cleared', 'clear'],
    sure: true,
  },
  // That a signal was lost, and is detected.
  { faults: ['lost', 'loss'], ends: ['detect', 'detected'], sure: false },
  {
    faults: ['occur', 'occurs', 'occurred', 'fire', 'fired', 'trigger', 'triggered', 'block', 'limited'],
    ends: ['release', 'released', ...over],
    sure: true,
  },
  { faults: ['control', 'apply', 'applied'], ends: ['release', 'released'], sure: false },
  {
    faults: ['enter', 'entered', 'entering', 'entry'],
    ends: ['exit', 'exited', 'exiting', 'leave', 'left'],
    sure: true,
  },
  { faults: ['unavailable', 'inaccessible'], ends: ['available', 'accessible', ...over], sure: true },
  { faults: ['unreachable', 'unresponsive'], ends: ['reachable', 'responsive', ...over], sure: true },
  { faults: ['offline'], ends: ['online', ...over], sure: true },
  {
    faults: ['removed', 'removal', 'missing', 'absent', 'extracted', 'pulled'],
    ends: ['inserted', 'insertion', 'present', 'added', 'installed'],
    sure: true,
  },
  { faults: ['remove'], ends: ['insert'], sure: true },
  // Only of entries of a list of alarms.
  { faults: ['added'], ends: ['removed', 'deleted'], sure: false },
  { faults: ['invalid'], ends: ['valid'], sure: true },
  { faults: ['mismatch', 'mismatched'], ends: ['match', 'matched', ...over], sure: true },
  {
    faults: ['active', 'activated', 'activate'],
    ends: ['inactive', 'deactivated', 'deactivate', ...over],
    sure: false,
  },
  {
    faults: ['inactive', 'deactivated', 'deactivate'],
    ends: ['active', 'activated', 'activate'],
    sure: false,
  },
  {
    faults: ['on', 'start', 'started', 'begin', 'began', 'begun', 'onset'],
    ends: ['off', 'end', 'ended', 'finished', 'over', ...over],
    sure: false,
  },
  {
    faults: ['stop', 'stopped', 'shutdown', 'halted', 'terminated', 'died', 'dead'],
    ends: ['start', 'started', 'running', 'restarted', 'alive', ...over],
    sure: false,
  },
  { faults: ['off'], ends: ['on'], sure: false },
  {
    faults: ['disabled', 'disable', 'blocked', 'suspended', 'suspend', 'paused'],
    ends: ['enabled', 'enable', 'unblocked', 'resumed', ...over],
    sure: false,
  },
  { faults: ['open', 'opened'], ends: ['close', 'closed', ...over], sure: false },
  { faults: ['unsynchronized', 'unsync', 'desync'], ends: ['synchronized', 'sync', ...over], sure: true },
]

/** Words that end something whose name goes on without them: `cpuAlarm`, `cpuAlarmCleared`. */
export const endings: ReadonlySet<string> = new Set(over)

/** Words that only faults have. */
export const faultWords: ReadonlySet<string> = new Set([
  ...antonyms.filter(({ sure }) => sure).flatMap(({ faults }) => faults),
  ...['fatal', 'shutdown', 'stopped', 'slow', 'unknown', 'timeout', 'rising', 'cannot'],
])

/** Words around the one that ends something: `ThresholdBackToNormal`. */
export const aroundEnds: ReadonlySet<string> = new Set(['back', 'to', 'in', 'now', 'again', 'from'])

/** What comes and goes in the course of events: that a call is disconnected is no fault. */
export const passing: ReadonlySet<string> = new Set([
  ...['call', 'calls', 'conference', 'participant', 'user', 'client', 'login', 'logon', 'logout', 'session'],
  ...['station', 'sta', 'subscriber', 'visitor', 'guest', 'auth', 'authentication', 'password', 'entry'],
  ...['association', 'disassociation', 'reassociation', 'pwd', 'passwd'],
])

/** Things that run: that one of these has stopped is a fault. Other things stop because they are done. */
export const running: ReadonlySet<string> = new Set([
  ...['process', 'service', 'svc', 'server', 'daemon', 'agent', 'system', 'fan', 'pump', 'clock', 'engine'],
  ...['application', 'app', 'node', 'device', 'unit', 'power', 'compressor', 'generator', 'vm', 'host'],
])
