// Which part of a device a variable outside of tables names, by the words of its name or of the description: a port, a fan,
// a peer.

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { MibObject } from '../mibs/oid-tree.ts'
import { wordsOf } from './mib-words.ts'

export interface Part {
  readonly thing: string
  /** Of two names of one thing, the lower is more surely its own. */
  readonly rank: number
  /** The name may be that of something else. */
  readonly doubtful: boolean
}

export const textTypes = new Set(['OCTET STRING', 'OBJECT IDENTIFIER', 'IpAddress', 'Opaque'])
export const numberTypes = new Set(['INTEGER', 'Integer32', 'Unsigned32'])

/** The last word of names by which parts of a device are distinguished, where they exist for notifications alone. */
const identifying = new Set(['index', 'name', 'slot', 'port', 'unit', 'instance'])
/** And those of other variables: a name may be that of anything, a number of a board is that of the board. */
const numbering = new Set([
  ...['source', 'resource', 'entity', 'peer', 'neighbor', 'index', 'slot', 'port', 'unit', 'instance'],
  ...['shelf', 'board', 'sensor', 'channel', 'interface', 'outlet', 'phase', 'bank', 'breaker', 'door'],
])
export const numbered = new Set([
  ...[
    'slot',
    'port',
    'unit',
    'shelf',
    'board',
    'card',
    'module',
    'sensor',
    'channel',
    'outlet',
    'peer',
    'node',
  ],
  ...['fan', 'psu', 'disk', 'drive', 'onu', 'olt', 'ap', 'line', 'tunnel', 'neighbor', 'cluster', 'group'],
  ...[
    'interface',
    'probe',
    'phase',
    'bank',
    'breaker',
    'door',
    'contact',
    'relay',
    'subfeed',
    'supply',
    'bay',
  ],
])
const numbers = new Set([
  ...['number', 'num', 'no', 'nr', 'id', 'identifier', 'addr', 'address', 'name', 'label', 'mac'],
])
/** Names of what comes and goes, of the device itself, and of counts. */
const passing = new Set([
  ...['user', 'client', 'process', 'session', 'packet', 'request', 'sys', 'host', 'hostname', 'serial'],
  ...[
    'count',
    'max',
    'current',
    'total',
    'sequence',
    'seq',
    'log',
    'vendor',
    'old',
    'new',
    'agent',
    'manager',
  ],
  ...['code'],
])
/** Tables of what has happened have a new row each time. */
const history = new Set(['ev', 'event', 'log', 'history', 'hist', 'notification', 'notif'])
/** Of two names of one thing, the one that is more surely its own. */
const certainty = [
  ...[
    'index',
    'number',
    'num',
    'no',
    'nr',
    'id',
    'identifier',
    'mac',
    'name',
    'label',
    'address',
    'addr',
    'ip',
  ],
]

/** The device, its messages, their causes, and who uses it: what these are called names no part. */
export const others = new Set([
  ...[
    'sys',
    'system',
    'host',
    'hostname',
    'device',
    'product',
    'model',
    'serial',
    'vendor',
    'oem',
    'chassis',
  ],
  ...[
    'event',
    'message',
    'msg',
    'alarm',
    'alert',
    'trap',
    'notification',
    'record',
    'log',
    'sequence',
    'seq',
  ],
  ...[
    'reason',
    'cause',
    'error',
    'problem',
    'type',
    'severity',
    'class',
    'category',
    'version',
    'code',
    'state',
  ],
  ...[
    'user',
    'client',
    'session',
    'process',
    'task',
    'job',
    'file',
    'agent',
    'manager',
    'site',
    'enterprise',
  ],
  ...[
    'old',
    'new',
    'current',
    'previous',
    'last',
    'prev',
    'max',
    'total',
    'contact',
    'location',
    'community',
    'ident',
  ],
  ...['software', 'firmware', 'operator', 'login', 'tag', 'fqdn', 'threshold', 'limit', 'count'],
])
/** How something is told apart in whatever way. */
const pointers = new Set(['object', 'component', 'fqdd', 'designation'])
const doubtfully = new Set([
  ...[...numbering, ...numbered, ...pointers],
  ...['no', 'nr', 'id', 'identifier', 'addr', 'address', 'name', 'label', 'mac', 'ip'],
])
/** What an object identifier may stand for besides an object. */
const kinds = new Set([
  'enterprise',
  'type',
  'cause',
  'reason',
  'class',
  'vendor',
  'product',
  'problem',
  'descr',
])

export const isHistory = (words: readonly string[]) => words.some((word) => history.has(word))

/** Of a variable with this name, or of which the description says this; undefined where it is no part of the device. */
export function partOf(object: MibObject, words: readonly string[]): Part | undefined {
  const { access } = object
  const last = words.at(-1) ?? ''
  const head = words.slice(0, -1).filter((word) => !certainty.includes(word))
  const thing = head.at(-1) ?? ''
  const isNumber = numbers.has(last) && numbered.has(thing)
  const isPart = numbering.has(last) || (access === 'accessible-for-notify' && identifying.has(last))
  const isOther = words.slice(-3).some((word) => passing.has(word)) || history.has(thing)
  if ((!isNumber && !isPart) || isOther) return doubtfulPart(object, words)
  const said = words.slice(head.length).find((word) => certainty.includes(word))
  return {
    thing: isNumber || certainty.includes(last) ? thing : last,
    rank: said === undefined ? -1 : certainty.indexOf(said),
    doubtful: false,
  }
}

/** Whatever is called a name, a number or an object, unless it is that of something else; and what points to an object. */
function doubtfulPart({ base, values }: MibObject, words: readonly string[]): Part | undefined {
  if (values.size > 0 || !(textTypes.has(base) || numberTypes.has(base))) return undefined
  const own = trimmed(words)
  const last = own.at(-1) ?? ''
  const thing = own.findLast((word) => !certainty.includes(word)) ?? ''
  const part: Part = { thing, rank: certainty.length + certainty.indexOf(last), doubtful: true }
  if (base === 'OBJECT IDENTIFIER') return own.some((word) => kinds.has(word)) ? undefined : part
  if (pointers.has(last)) return part
  if (others.has(thing) || others.has(own.at(-2) ?? '') || !doubtfully.has(last)) return undefined
  return own.length > 1 || numbered.has(last) ? part : undefined
}

/** `SlotStr`, `NameEvent`, `NotifyId`: words that say only what a variable is for, or how it is written. */
function trimmed(words: readonly string[]): readonly string[] {
  const written = words.filter((word) => word !== 'notify')
  while (written.length > 1 && forms.has(written.at(-1) ?? '')) written.pop()
  return written
}

const forms = new Set(['trap', 'notification', 'notif', 'event', 'str', 'string', 'text'])

const ordinals = [
  ...['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'],
]
const descriptionLimit = 4000
const phrase =
  /\b(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\s+(?:argument|variable|varbind|parameter)\s+is\s+(?:the\s+|an?\s+)?([a-z][a-z /\s-]{1,59})/gi

/**
 * The words for each variable that a description names by its place, where its name says nothing: "The third argument is
 * the phase number."
 */
export function argumentsOf({
  description,
  objects,
}: MibNotification): ReadonlyMap<MibObject, readonly string[]> {
  const found = new Map<MibObject, readonly string[]>()
  for (const [, ordinal = '', said = ''] of description.slice(0, descriptionLimit).matchAll(phrase)) {
    const object = objects[ordinals.indexOf(ordinal.toLowerCase())]
    if (object && !found.has(object)) found.set(object, nounOf(wordsOf(said)))
  }
  return found
}

/** "The number of the contact" is the contact's number; what follows the noun is left out: "the voltage in tenths of volts". */
function nounOf(words: readonly string[]): string[] {
  const [first = '', second, ...rest] = words
  if (second === 'of') return [...nounOf(rest.filter((word) => word !== 'the')), first]
  const end = words.findIndex((word, at) => at > 0 && connectives.has(word))
  return [...words.slice(0, end < 0 ? undefined : end)]
}

const connectives = new Set([
  'in',
  'as',
  'of',
  'that',
  'which',
  'with',
  'for',
  'on',
  'associated',
  'representing',
])
