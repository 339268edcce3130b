// What the variables of a notification say: a value, a message, or, perhaps, which part of the device is meant.

import type { MibObject } from '../mibs/oid-tree.ts'
import { deviceAndMessageWords, numberTypes, textTypes } from './mib-parts.ts'
import { withoutNumber, wordsOf } from './mib-words.ts'

/** What is measured, and facts about the device and the message. */
const told = new Set([
  ...deviceAndMessageWords,
  ...['value', 'usage', 'percent', 'percentage', 'rate', 'temperature', 'voltage', 'power', 'num', 'number'],
  ...[
    'time',
    'date',
    'timestamp',
    'level',
    'speed',
    'load',
    'size',
    'capacity',
    'min',
    'high',
    'low',
    'status',
  ],
  ...[
    'duration',
    'interval',
    'utilization',
    'util',
    'uptime',
    'bytes',
    'packets',
    'priority',
    'ident',
    'url',
  ],
])
/** Words for a text, or a number, of which only the sender knows what it says. */
const anything = new Set([
  ...['message', 'msg', 'string', 'text', 'descr', 'description', 'desc', 'info', 'information', 'detail'],
  ...[
    'details',
    'data',
    'args',
    'arg',
    'argument',
    'param',
    'parm',
    'content',
    'additional',
    'reason',
    'cause',
  ],
])

/** Whether a variable may say which part is meant, in a way that only people understand. */
export function mayName({ name, base, values }: MibObject): boolean {
  if (values.size > 0) return false
  const words = wordsOf(name).map(withoutNumber)
  const isText = textTypes.has(base)
  if (words.some((word) => anything.has(word) || word === 'lparam')) return isText || numberTypes.has(base)
  return isText && !words.some((word) => told.has(word))
}

/** Whether it is a text that is neither a message nor a value: an address, a domain, what is called after something. */
export function isTelling(object: MibObject): boolean {
  const words = wordsOf(object.name).map(withoutNumber)
  return textTypes.has(object.base) && mayName(object) && !words.some((word) => anything.has(word))
}
