// What a notification is about, by the words of its name and of what it carries: the category of its alarm.

import type { MibNotification } from '../mibs/module-resolver.ts'
import { category } from './event-file.ts'
import { wordsOf } from './mib-words.ts'

/** The first that has a word of the name, or of what the notification carries, is what it is about. */
const subjects: readonly { readonly category: number; readonly words: readonly string[] }[] = [
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

export function subjectOf(words: readonly string[], { objects }: MibNotification): number {
  const about = (wanted: readonly string[]) =>
    subjects.find((subject) => subject.words.some((word) => wanted.includes(word)))?.category
  return about(words) ?? about(objects.flatMap(({ name }) => wordsOf(name))) ?? category.other
}
