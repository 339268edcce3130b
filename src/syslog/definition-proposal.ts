// Proposes a definition for a message: a pattern of its words, in which what differs from message to message is a part. Where a
// definition knows the message, its event and its parts are proposed, so that people change what is there.

import { isIP } from 'node:net'
import { handling, type MessageDefinition } from '../resources/alarms/message-definition.ts'
import type { MessageMatcher, SyslogMeaning } from './message-matcher.ts'
import { transitionOf } from './state-words.ts'
import type { MessageCode, SyslogMessage } from './syslog-message.ts'

export interface SampleMessage {
  /** Its code or program. */
  readonly origin: string
  /** Its text, or the words of a shape, with `*` for those that differ. */
  readonly text: string
}

export type ProposedDefinition = Pick<
  MessageDefinition,
  'name' | 'code' | 'word' | 'message' | 'key' | 'eventOid'
>

const maxPatternLength = 300
const maxParts = 9
const maxNameLength = 100

export function proposeDefinition(sample: SampleMessage, matcher: MessageMatcher): ProposedDefinition {
  const { origin, text } = sample
  const isCode = /^[A-Z0-9_]+(?:-\w+)*$/.test(origin) && /[-_]/.test(origin)
  const code: MessageCode | undefined = isCode
    ? {
        name: origin,
        otherNames: [],
        mnemonic: origin.slice(origin.lastIndexOf('-') + 1),
        severity: undefined,
      }
    : undefined
  const meaning = matcher.match(messageOf(sample, code))
  const { pattern, parts } = patternOf(text, meaning?.parts ?? new Map())
  const does = meaning?.does ?? transitionOf(code?.mnemonic ?? '', text) ?? 'raise'
  const effect = { raise: handling.raise, clear: handling.end, event: handling.none, ignore: handling.none }[
    does
  ]
  const known = meaning?.definition.key.filter((part) => parts.includes(part)) ?? []
  const key = known.length > 0 ? known : parts.slice(0, 1)
  const words = `${origin} ${text}`.match(/[A-Za-z]{3,}/g) ?? []
  return {
    name: `${origin} ${text.split('*')[0] ?? ''}`.trim().slice(0, maxNameLength).toWellFormed(),
    code: code ? [code.name] : [],
    word: code ? [] : words.slice(0, 1).map((word) => word.slice(0, 64).toLowerCase()),
    message: [{ pattern, handling: effect }],
    key: effect === handling.none ? [] : key,
    eventOid: eventOf(meaning, effect),
  }
}

const eventOf = (meaning: SyslogMeaning | undefined, effect: number) =>
  effect === handling.none ? null : (meaning?.definition.event?.eventOid ?? null)

const messageOf = ({ origin, text }: SampleMessage, code: MessageCode | undefined): SyslogMessage => ({
  ...{ facility: 1, severity: 5, host: undefined, time: undefined, processId: undefined, data: new Map() },
  program: code ? undefined : origin,
  ...{ code, text },
})

/** A piece of the text that differs from message to message, and the name of its part. */
interface Part {
  readonly start: number
  readonly end: number
  readonly name: string
  readonly looks: string
}

function patternOf(text: string, known: ReadonlyMap<string, string>) {
  const found = partsIn(text, known)
  const names: string[] = []
  let pattern = ''
  let at = 0
  for (const part of [...found, { start: text.length, end: text.length, name: '', looks: '' }]) {
    // Words, and spaces between them, of which some devices send several.
    for (const piece of text.slice(at, part.start).match(/ +|[^ ]+/g) ?? []) {
      const more = /^ {2,}$/.test(piece) ? ' +' : literal(piece)
      if (pattern.length + more.length > maxPatternLength) return { pattern, parts: names }
      pattern += more
    }
    const isNamed = part.name !== '' && names.length < maxParts
    const more = isNamed ? `(?P<${part.name}>${part.looks})` : part.looks
    if (pattern.length + more.length > maxPatternLength) break
    pattern += more
    if (isNamed) names.push(part.name)
    at = part.end
  }
  return { pattern, parts: names }
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Those that the definition names, and words with a digit, in their order. */
function partsIn(text: string, known: ReadonlyMap<string, string>): Part[] {
  const parts: Part[] = []
  const names = new Set<string>()
  for (const [name, value] of known) {
    const start = value.trim() === '' ? -1 : text.toLowerCase().indexOf(value.trim().toLowerCase())
    const end = start + value.trim().length
    // What it does is proposed for this very state.
    if (name === 'state' || start < 0 || parts.some((one) => start < one.end && one.start < end)) continue
    names.add(name)
    parts.push({ start, end, name, looks: looksOf(value.trim()).looks })
  }
  for (const { 0: word, index } of text.matchAll(/\*|[\w][\w/:.%-]*/g)) {
    if (word !== '*' && !/\d/.test(word)) continue
    const value = withoutEnd(word)
    const end = index + value.length
    if (parts.some((one) => index < one.end && one.start < end)) continue
    const { name, looks } = looksOf(value)
    parts.push({ start: index, end, name: unused(name, names), looks })
  }
  return parts.sort((a, b) => a.start - b.start)
}

function looksOf(value: string): { readonly name: string; readonly looks: string } {
  if (/^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^(?:[0-9a-f]{4}[.-]){2}[0-9a-f]{4}$/i.test(value))
    return { name: 'mac', looks: '{mac}' }
  if (isIP(value) !== 0) return { name: 'address', looks: '{address}' }
  if (/^\d+$/.test(value)) return { name: 'number', looks: String.raw`\d+` }
  if (/^[A-Za-z].*\d$/.test(value) && value.includes('/')) return { name: 'ifDescr', looks: '{port}' }
  return { name: 'part', looks: String.raw`\S+` }
}

/** A comma or colon belongs to the sentence. */
function withoutEnd(word: string): string {
  let end = word.length
  while (end > 0 && '/:.%-'.includes(word.charAt(end - 1))) end -= 1
  return word.slice(0, end)
}

function unused(name: string, names: Set<string>): string {
  let unique = name
  for (let n = 2; names.has(unique); n += 1) unique = `${name}${n}`
  names.add(unique)
  return unique
}
