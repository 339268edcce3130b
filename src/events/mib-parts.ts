// Which part of a device (a port, a fan, a peer) a scalar variable of a notification identifies, by the words of its name or
// of its description.

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { MibObject } from '../mibs/oid-tree.ts'
import { wordsOf } from './mib-words.ts'

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))

export interface Part {
  /** The kind of part: `fan`, `port`. */
  readonly thing: string
  /** Where several variables identify the same part, the one with the lowest rank is the most certain. */
  readonly rank: number
  /** The variable may identify something else than a part. */
  readonly doubtful: boolean
}

export const textTypes = new Set(['OCTET STRING', 'OBJECT IDENTIFIER', 'IpAddress', 'Opaque'])
export const numberTypes = wordSet('INTEGER Integer32 Unsigned32')

/** A variable of notifications alone (`accessible-for-notify`) identifies a part if its name ends in one of these. */
const notificationKeyWords = wordSet('index name slot port unit instance')
/** Any variable does if its name ends in one of these. */
const keyWords = wordSet(
  'source resource entity peer neighbor index slot port unit instance shelf board sensor channel ' +
    'interface outlet phase bank breaker door',
)
export const numberedParts = wordSet(
  'slot port unit shelf board card module sensor channel outlet peer node fan psu disk drive onu olt ap ' +
    'line tunnel neighbor cluster group interface probe phase bank breaker door contact relay subfeed ' +
    'supply bay',
)
const numberWords = wordSet('number num no nr id identifier addr address name label mac')
/** What is no part: what comes and goes, the device itself, counts. */
const nonPartWords = wordSet(
  'user client process session packet request sys host hostname serial count max current total sequence ' +
    'seq log vendor old new agent manager code',
)
/** Tables of events get a new row each time, so their rows identify nothing that lasts. */
const historyWords = wordSet('ev event log history hist notification notif')
/** Last words of names that identify a part, the most certain first. */
const keyWordsByCertainty = 'index number num no nr id identifier mac name label address addr ip'.split(' ')

/** The device, its messages, their causes and its users: their names identify no part. */
export const deviceAndMessageWords = wordSet(
  'sys system host hostname device product model serial vendor oem chassis event message msg alarm ' +
    'alert trap notification record log sequence seq reason cause error problem type severity class ' +
    'category version code state user client session process task job file agent manager site enterprise ' +
    'old new current previous last prev max total contact location community ident software firmware ' +
    'operator login tag fqdn threshold limit count',
)
/** Words for a reference to any kind of part. */
const pointerWords = wordSet('object component fqdd designation')
const possibleKeyWords = new Set([
  ...[...keyWords, ...numberedParts, ...pointerWords],
  ...['no', 'nr', 'id', 'identifier', 'addr', 'address', 'name', 'label', 'mac', 'ip'],
])
/** An object identifier with one of these words is a type, not a reference to a part. */
const typeWords = wordSet('enterprise type cause reason class vendor product problem descr')

export const isHistory = (words: readonly string[]) => words.some((word) => historyWords.has(word))

/** The part that a variable identifies, by the words of its name or description; undefined if it identifies none. */
export function partOf(object: MibObject, words: readonly string[]): Part | undefined {
  const { access } = object
  const last = words.at(-1) ?? ''
  const head = words.slice(0, -1).filter((word) => !keyWordsByCertainty.includes(word))
  const thing = head.at(-1) ?? ''
  const isNumber = numberWords.has(last) && numberedParts.has(thing)
  const isPart = keyWords.has(last) || (access === 'accessible-for-notify' && notificationKeyWords.has(last))
  const isOther = words.slice(-3).some((word) => nonPartWords.has(word)) || historyWords.has(thing)
  if ((!isNumber && !isPart) || isOther) return doubtfulPart(object, words)
  const said = words.slice(head.length).find((word) => keyWordsByCertainty.includes(word))
  return {
    thing: isNumber || keyWordsByCertainty.includes(last) ? thing : last,
    rank: said === undefined ? -1 : keyWordsByCertainty.indexOf(said),
    doubtful: false,
  }
}

/** For variables that are called a name or number of something, or refer to an object, but not surely of a part. */
function doubtfulPart({ base, values }: MibObject, words: readonly string[]): Part | undefined {
  if (values.size > 0 || !(textTypes.has(base) || numberTypes.has(base))) return undefined
  const own = trimmed(words)
  const last = own.at(-1) ?? ''
  const thing = own.findLast((word) => !keyWordsByCertainty.includes(word)) ?? ''
  const part: Part = {
    thing,
    rank: keyWordsByCertainty.length + keyWordsByCertainty.indexOf(last),
    doubtful: true,
  }
  if (base === 'OBJECT IDENTIFIER') return own.some((word) => typeWords.has(word)) ? undefined : part
  if (pointerWords.has(last)) return part
  if (
    deviceAndMessageWords.has(thing) ||
    deviceAndMessageWords.has(own.at(-2) ?? '') ||
    !possibleKeyWords.has(last)
  )
    return undefined
  return own.length > 1 || numberedParts.has(last) ? part : undefined
}

/** Without words that only say what the variable is for, or its format: `SlotStr`, `NameEvent`, `NotifyId`. */
function trimmed(words: readonly string[]): readonly string[] {
  const written = words.filter((word) => word !== 'notify')
  while (written.length > 1 && formWords.has(written.at(-1) ?? '')) written.pop()
  return written
}

const formWords = wordSet('trap notification notif event str string text')

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
const descriptionLimit = 4000
const phrase =
  /\b(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\s+(?:argument|variable|varbind|parameter)\s+is\s+(?:the\s+|an?\s+)?([a-z][a-z /\s-]{1,59})/gi

/**
 * The words for each variable that the description of a notification describes by its position: "The third argument is the
 * phase number."
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

const connectives = wordSet('in as of that which with for on associated representing')
