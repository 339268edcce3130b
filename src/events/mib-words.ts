// Interprets the words in names of notifications: severity, which one clears which, and the subject.

import { category } from './event-definition.ts'

/** `cpqHo2FanFailed` → cpq, ho2, fan, failed. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/** Words that mean only that it is a notification. */
export const noise: ReadonlySet<string> = new Set([
  ...['trap', 'traps', 'notification', 'notifications', 'notify', 'notif', 'event', 'alarm', 'alert', 'rev1'],
  ...['is', 'has', 'the', 'to', 'state', 'status', 'condition', 'new', 'became', 'been', 'detected', 'v2'],
])

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
]

const over = [...well, ...ended]

export const antonyms: readonly Antonyms[] = [
  { faults: ['down'], ends: ['up', ...over], sure: true },
  {
    faults: ['fail', 'failed', 'fails', 'failure', 'failing', 'fault', 'faulty', 'faulted', 'error', 'bad'],
    ends: [...over, 'success', 'succeeded', 'passed', 'working'],
    sure: true,
  },
  {
    faults: ['lost', 'loss', 'broken', 'disconnected', 'disconnect', 'dropped', 'los', 'lof'],
    ends: ['established', 'found', 'regained', 'gained', 'connected', 'connect', 'reconnected', ...over],
    sure: true,
  },
  {
    faults: ['set', 'raise', 'raised', 'assert', 'asserted'],
    ends: ['deassert', 'deasserted', 'reset', ...over],
    sure: true,
  },
  {
    faults: ['high', 'low', 'over', 'under', 'exceeded', 'exceed', 'exceeds', 'above', 'below', 'abnormal'],
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
  { faults: ['rising'], ends: ['falling'], sure: false },
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
  { faults: ['invalid'], ends: ['valid'], sure: true },
  { faults: ['mismatch', 'mismatched'], ends: ['match', 'matched', ...over], sure: true },
  {
    faults: ['active', 'activated', 'activate'],
    ends: ['inactive', 'deactivated', 'deactivate', ...over],
    sure: false,
  },
  {
    faults: ['on', 'start', 'started', 'begin', 'began', 'onset'],
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
    faults: ['disabled', 'disable', 'blocked', 'suspended'],
    ends: ['enabled', 'enable', 'unblocked', 'resumed', ...over],
    sure: false,
  },
  { faults: ['open', 'opened'], ends: ['close', 'closed', ...over], sure: false },
  { faults: ['unsynchronized', 'unsync', 'desync'], ends: ['synchronized', 'sync', ...over], sure: true },
]

/** Words that end something whose name goes on without them: `cpuAlarm`, `cpuAlarmCleared`. */
export const endings: ReadonlySet<string> = new Set(over)

/** The first that has a word of the name, or of what the notification carries, is what it is about. */
export const subjects: readonly { readonly category: number; readonly words: readonly string[] }[] = [
  {
    category: category.security,
    words: [
      ...['authentication', 'auth', 'unauthorized', 'violation', 'attack', 'intrusion', 'security', 'login'],
      ...['password', 'firewall', 'spoof', 'access', 'denied', 'rogue', 'ids', 'ips', 'certificate'],
    ],
  },
  {
    category: category.power,
    words: [
      ...['power', 'battery', 'ups', 'fan', 'temperature', 'temp', 'psu', 'voltage', 'humidity', 'overheat'],
      ...[
        'thermal',
        'rectifier',
        'current',
        'supply',
        'fru',
        'env',
        'environment',
        'cooling',
        'smoke',
        'door',
      ],
    ],
  },
  {
    category: category.routing,
    words: [
      'bgp',
      'ospf',
      'isis',
      'rip',
      'eigrp',
      'route',
      'routing',
      'vrrp',
      'hsrp',
      'pim',
      'ldp',
      'mpls',
      'bfd',
    ],
  },
  {
    category: category.bridging,
    words: ['stp', 'rstp', 'mstp', 'bridge', 'vlan', 'topology', 'spanning', 'mac', 'erps'],
  },
  {
    category: category.wireless,
    words: ['wlan', 'wifi', 'wireless', 'ap', 'radio', 'ssid', 'station', 'rf', 'channel', 'client'],
  },
  {
    category: category.link,
    words: [
      'link',
      'interface',
      'if',
      'port',
      'ethernet',
      'tunnel',
      'lag',
      'trunk',
      'optical',
      'sfp',
      'transceiver',
      'line',
    ],
  },
  {
    category: category.threshold,
    words: [
      'threshold',
      'cpu',
      'memory',
      'utilization',
      'usage',
      'load',
      'queue',
      'rate',
      'limit',
      'exceeded',
      'disk',
      'storage',
    ],
  },
  {
    category: category.configuration,
    words: ['config', 'configuration', 'cfg', 'changed', 'upgrade', 'image', 'firmware', 'license'],
  },
  {
    category: category.availability,
    words: [
      'restart',
      'reboot',
      'coldstart',
      'warmstart',
      'shutdown',
      'unreachable',
      'offline',
      'online',
      'start',
      'reset',
    ],
  },
  {
    category: category.service,
    words: ['service', 'server', 'process', 'daemon', 'session', 'call', 'sip', 'database', 'job'],
  },
  {
    category: category.status,
    words: [
      'card',
      'module',
      'slot',
      'board',
      'unit',
      'chassis',
      'cluster',
      'stack',
      'node',
      'status',
      'state',
    ],
  },
]
