// Reads files of syslog definitions, and checks them: a mistake is reported with the file, the entry and the field.
//
// The form is JSON, `{ "about": …, "definitions": [ … ] }`, one file for a subject. A definition leads from a message to an
// event that a trap could report as well. It carries the messages that it was written for, which a test reads.

import { readFileSync } from 'node:fs'
import type { Networks } from '../config/networks.ts'
import { readEvents, type StandardEvent, standardEvents } from '../events/event-file.ts'
import { Fault } from '../fault.ts'
import { DefinitionEntry } from '../schema/definition-entry.ts'
import { messageFinderOf } from '../schema/message-pattern.ts'
import type { PartFinder } from '../schema/pattern.ts'

export type ReportedEvent = Pick<StandardEvent, 'eventOid' | 'name' | 'parameter'>

export interface SyslogDefinition {
  readonly name: string
  /** The event whose alarm it raises or ends. Absent if messages are only recognised, so that no other definition matches. */
  readonly event: ReportedEvent | undefined
  /** What a message does: always the same, or what its state says. */
  readonly does: 'raise' | 'clear' | 'state' | 'event' | 'ignore'
  /** Codes of messages, without severity. */
  readonly codes: readonly string[]
  /** Messages of other codes, or of none, are looked at if one of these words is in them. */
  readonly words: readonly string[]
  /** The first that matches gives the parts; one of them has to match. */
  readonly texts: readonly PartFinder[]
  /** Texts that are not meant. */
  readonly unless: PartFinder | undefined
  /** The parts that name the resource. */
  readonly key: readonly string[]
  /** What the part `state` may be, in lower case; other values are judged by their words. */
  readonly raises: readonly string[]
  readonly clears: readonly string[]
  /** The addresses of devices whose messages are meant; absent for all. */
  readonly onlyFrom: Pick<Networks, 'has'> | undefined
  /** Whether the severity of the message says the level of its alarm. */
  readonly isLevelBySeverity: boolean
  /** What it does is what its author has written, even if the words of a message say otherwise. */
  readonly isLiteral: boolean
  readonly examples: readonly SyslogExample[]
}

/** A message that the definition was written for, and what is made of it. */
export interface SyslogExample {
  readonly message: string
  readonly does: 'raise' | 'clear' | 'event' | 'ignore'
  readonly resource: string
}

const fields = [
  ...['name', 'event', 'does', 'codes', 'words', 'texts', 'unless', 'key', 'raises', 'clears', 'examples'],
  'note',
]
/** `areKnown`: the patterns are known to be accepted, and are compiled when a message may match them. */
export function readDefinitions(
  text: string,
  file: string,
  events: ReadonlyMap<string, StandardEvent>,
  areKnown = false,
): SyslogDefinition[] {
  const whole = DefinitionEntry.ofFile(text, file, ['about', 'definitions'])
  whole.text('about')
  return whole
    .entries('definitions', 'definition', fields)
    .map((entry) => definitionOf(entry, events, areKnown))
}

function definitionOf(
  entry: DefinitionEntry,
  events: ReadonlyMap<string, StandardEvent>,
  areKnown: boolean,
): SyslogDefinition {
  const { event: oid, unless, note } = entry.fields
  if (note !== undefined) entry.text('note')
  const does = entry.oneOf('does', ['raise', 'clear', 'state', 'event', 'ignore'] as const)
  const event = oid === undefined ? undefined : events.get(entry.text('event'))
  if (does === 'ignore' ? oid !== undefined : event === undefined)
    entry.refuse('event', does === 'ignore' ? 'is not used by "ignore"' : 'is no known event')
  const texts = optionalTexts(entry, 'texts').map((source) => finderOf(entry, 'texts', source, areKnown))
  const known = new Set(texts.flatMap(({ names }) => names))
  const key = optionalTexts(entry, 'key')
  for (const part of key) if (!known.has(part)) entry.refuse('key', `names ${part}, which no text has`)
  const codes = optionalTexts(entry, 'codes').map((code) => code.toUpperCase())
  const words = optionalTexts(entry, 'words')
  if (codes.length + words.length === 0)
    entry.refuse('codes', 'and words are missing: one of them is expected')
  for (const word of words)
    if (!/^[a-z]+$/.test(word)) entry.refuse('words', `has ${word}: small letters are expected`)
  return {
    name: entry.text('name'),
    event,
    does,
    codes,
    words,
    texts,
    unless: unless === undefined ? undefined : finderOf(entry, 'unless', entry.text('unless'), areKnown),
    key,
    raises: optionalTexts(entry, 'raises'),
    clears: optionalTexts(entry, 'clears'),
    onlyFrom: undefined,
    isLevelBySeverity: false,
    isLiteral: false,
    examples: entry.entries('examples', 'example', ['message', 'does', 'resource']).map(exampleOf),
  }
}

function exampleOf(entry: DefinitionEntry): SyslogExample {
  return {
    message: entry.text('message'),
    does: entry.oneOf('does', ['raise', 'clear', 'event', 'ignore'] as const),
    resource: entry.fields.resource === undefined ? '' : entry.text('resource'),
  }
}

const optionalTexts = (entry: DefinitionEntry, field: string): string[] =>
  entry.fields[field] === undefined ? [] : entry.list(field).map((_, at) => entry.textAt(field, at, /^/))

function finderOf(entry: DefinitionEntry, field: string, source: string, isKnown: boolean): PartFinder {
  try {
    return messageFinderOf(source, isKnown)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return entry.refuse(field, error.message)
  }
}

const folder = new URL('../../definitions/syslog/', import.meta.url)

/** In the order in which they are tried: definitions that are more exact come before those by common words. */
const files = [
  ...['neutral', 'optics', 'routing', 'bridging', 'security', 'services', 'links', 'environment', 'hardware'],
  ...['system', 'general'],
]

export interface SyslogCatalogue {
  /** Those that no standard notification reports; their OIDs are below our own arc. */
  readonly events: readonly StandardEvent[]
  readonly definitions: readonly SyslogDefinition[]
}

/** The definitions that are shipped with the program; `areKnown` as above: a test compiles all patterns. */
export function readShippedDefinitions(areKnown = true): SyslogCatalogue {
  const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')
  const events = readEvents(read('events.json'), 'events.json')
  const byOid = new Map([...standardEvents, ...events].map((event) => [event.eventOid, event]))
  const definitions = files.flatMap((name) =>
    readDefinitions(read(`${name}.json`), `${name}.json`, byOid, areKnown),
  )
  return { events, definitions }
}
