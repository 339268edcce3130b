// The text of a proposed definition: what happened in words, and the variables that tell more.

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { MibObject } from '../mibs/oid-tree.ts'
import type { TrapEvent } from '../resources/alarms/trap-event.ts'
import { argumentsOf } from './mib-parts.ts'
import { apart, cutName, endings, faultWords, spelledOut, wordsOf } from './mib-words.ts'

type Parameter = TrapEvent['parameter'][number]

/** More than this nobody reads at a glance. */
const textVariables = 6
const textLimit = 1000

/** Words that say only that it is a notification, at either end of a name. */
const fillers = new Set(['trap', 'traps', 'notification', 'notif', 'notify', 'event', 'evt'])

const acronyms = new Set([
  ...[
    'aaa',
    'ac',
    'acl',
    'ap',
    'api',
    'arp',
    'atm',
    'bfd',
    'bgp',
    'cli',
    'cpu',
    'crc',
    'dc',
    'dhcp',
    'dns',
    'dos',
    'fru',
  ],
  ...[
    'ftp',
    'gps',
    'ha',
    'http',
    'id',
    'ike',
    'io',
    'ip',
    'ipsec',
    'isdn',
    'lan',
    'ldap',
    'ldp',
    'lacp',
    'lag',
    'led',
  ],
  ...[
    'lldp',
    'lsp',
    'mac',
    'mpls',
    'nat',
    'ntp',
    'oid',
    'olt',
    'onu',
    'ospf',
    'pdu',
    'pim',
    'poe',
    'pon',
    'psu',
  ],
  ...[
    'ptp',
    'qos',
    'radius',
    'raid',
    'ram',
    'rf',
    'rx',
    'sdh',
    'sfp',
    'sip',
    'snmp',
    'ssd',
    'ssh',
    'ssid',
    'ssl',
    'stp',
  ],
  ...['tcp', 'tftp', 'tls', 'tx', 'udp', 'ups', 'usb', 'vlan', 'vm', 'vpn', 'vrrp', 'wan', 'wlan'],
])

/** Facts about the sender and the message, which are shown elsewhere. */
const bookkeeping = new Set([
  ...[
    'sys',
    'serial',
    'time',
    'date',
    'timestamp',
    'seq',
    'sequence',
    'uptime',
    'location',
    'contact',
    'hostname',
    'url',
  ],
])
/** Columns that people call a row by. */
const names = new Set(['name', 'descr', 'description', 'label', 'alias'])

/** What the notifications of a module have in common. */
export interface Naming {
  /** How many words all names begin with: the vendor and the product. */
  readonly prefix: number
  /** Words that the descriptions write in capitals only. */
  readonly acronyms: ReadonlySet<string>
}

export const namingOf = (notifications: readonly MibNotification[]): Naming => ({
  prefix: prefixLength(notifications),
  acronyms: acronymsOf(notifications),
})

const descriptionLimit = 2000

/** `adslAtucLof` is about an ADSL ATUC, as its module writes; what it also writes in small letters is a word. */
function acronymsOf(notifications: readonly MibNotification[]): ReadonlySet<string> {
  const capitals = new Set<string>()
  const words = new Set<string>()
  for (const { description } of notifications) {
    for (const [word] of description.slice(0, descriptionLimit).matchAll(/[A-Za-z0-9]+/g)) {
      if (/^[A-Z][A-Z0-9]{1,5}$/.test(word)) capitals.add(word.toLowerCase())
      else if (/^[A-Z]?[a-z]+$/.test(word)) words.add(word.toLowerCase())
    }
  }
  return capitals.difference(words).difference(faultWords).difference(endings)
}

function prefixLength(notifications: readonly MibNotification[]): number {
  const [first = [], ...others] = notifications.map(({ name }) =>
    splitName(name).map((word) => word.toLowerCase()),
  )
  if (others.length < 2) return 0
  const shortest = others.reduce((least, words) => Math.min(least, words.length), first.length)
  let shared = 0
  // A word is left at least.
  while (shared < shortest - 1 && others.every((words) => words[shared] === first[shared])) shared += 1
  return shared
}

/** With its capitals: `CPUUsageHigh` → CPU, Usage, High. */
const splitName = (name: string): string[] =>
  cutName(name).flatMap((word) => (/^[A-Z]?[a-z]+$/.test(word) ? apart(word.toLowerCase()) : [word]))

function readable(word: string, known: ReadonlySet<string>): string {
  const lower = word.toLowerCase()
  const meant = meanings.get(lower)
  if (meant !== undefined) return meant
  if (
    acronyms.has(lower) ||
    known.has(lower) ||
    (word.length < 5 && word === word.toUpperCase() && /[A-Z]/.test(word))
  )
    return word.toUpperCase()
  return spelledOut(lower)
}

/** Abbreviations that not everybody knows at night. */
const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    lof: 'loss of frame',
    los: 'loss of signal',
    ais: 'alarm indication',
    cfg: 'configuration',
    mgmt: 'management',
    util: 'utilization',
    mem: 'memory',
    pwr: 'power',
    intf: 'interface',
    nbr: 'neighbor',
    auth: 'authentication',
    volt: 'voltage',
    batt: 'battery',
    env: 'environment',
    svc: 'service',
    freq: 'frequency',
    addr: 'address',
    sess: 'session',
    conn: 'connection',
    chg: 'changed',
    dev: 'device',
    thres: 'threshold',
    curr: 'current',
    ctrl: 'control',
    descr: 'description',
    desc: 'description',
    msg: 'message',
  }),
)

function titleOf(name: string, { prefix, acronyms: known }: Naming): string {
  const all = splitName(name)
  const words = all.slice(Math.min(prefix, all.length - 1))
  while (words.length > 1 && fillers.has((words.at(-1) ?? '').toLowerCase())) words.pop()
  while (words.length > 1 && fillers.has((words[0] ?? '').toLowerCase())) words.shift()
  const title = words.map((word) => readable(word, known)).join(' ')
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}`
}

/** What happened, in the words of its name, and the variables that tell more, those that name the resource first. */
export function textOf(
  notification: MibNotification,
  parameters: readonly Parameter[],
  naming: Naming,
): string {
  const { name, objects } = notification
  const described = argumentsOf(notification)
  const objectOf = ({ oid }: Parameter) => objects.find((object) => object.oid === oid)
  const saidOf = (one: Parameter) => {
    const object = objectOf(one)
    return object && !one.fromIndex ? described.get(object) : undefined
  }
  const telling = parameters.filter(
    (one) => !isBookkeeping(one, saidOf(one)) && !isNamed(one, parameters, objectOf),
  )
  const shared = sharedStart(telling.map((one) => splitName(one.name)))
  const label = (one: Parameter) =>
    saidOf(one)
      ?.map((word) => readable(word, naming.acronyms))
      .join(' ') ?? labelOf(one.name, shared, naming)
  const shown = [...telling.filter(({ isKey }) => isKey), ...telling.filter(({ isKey }) => !isKey)]
    .slice(0, textVariables)
    .map((one) => `${label(one)} {${one.name}}${one.fromIndex ? '' : unitOf(objectOf(one))}`)
  const title = titleOf(name, naming)
  return `${title}${shown.length > 0 ? `: ${shown.join(', ')}` : ''}`.slice(0, textLimit)
}

const isBookkeeping = ({ name, isKey }: Parameter, said: readonly string[] | undefined) =>
  !isKey && (said ?? wordsOf(name)).some((word) => bookkeeping.has(word))

/** The number of a row adds nothing where its name is sent. */
function isNamed(
  { oid, isKey, fromIndex }: Parameter,
  parameters: readonly Parameter[],
  objectOf: (one: Parameter) => MibObject | undefined,
): boolean {
  if (!isKey) return false
  const own = objectOf({ oid } as Parameter)?.row
  return parameters.some((other) => {
    const column = objectOf(other)
    const isName = !other.fromIndex && names.has(wordsOf(other.name).at(-1) ?? '')
    return (
      isName && column?.row !== undefined && column.row === own && (fromIndex === true || other.oid !== oid)
    )
  })
}

/** Words that all variables begin with say as little as the vendor's prefix does. */
function sharedStart(names: readonly (readonly string[])[]): number {
  const [first = [], ...others] = names
  if (others.length === 0) return 0
  let shared = 0
  while (
    first.length - 1 > shared &&
    others.every((one) => one.length - 1 > shared && one[shared] === first[shared])
  )
    shared += 1
  return shared
}

const labelOf = (name: string, shared: number, { acronyms: known }: Naming) =>
  splitName(name)
    .slice(shared)
    .map((word) => readable(word, known))
    .join(' ')

function unitOf(object: MibObject | undefined): string {
  const units = object?.units ?? ''
  return /^[\w%° ./-]{1,20}$/.test(units) ? ` ${units}` : ''
}
