// What syslog messages mean, as users define it: which messages raise an alarm, and which end it. Where no trap reports the
// same, a definition has an event of its own, whose OID is made from its id.

import { readNetworks } from '../../config/networks.ts'
import { Fault, shown } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import { messageFinderOf, messagePattern } from '../../schema/message-pattern.ts'
import {
  assigned,
  empty,
  optional,
  type RecordOf,
  required,
  requiredGroups,
  resource,
  set,
} from '../../schema/resource.ts'
import { coded, fold, int, long, oid, type Scalar, text } from '../../schema/scalar.ts'
import type { Reader } from '../../store/database.ts'
import { collection, requireRoom, requireUnique } from '../collection.ts'
import { alarmLevel } from './alarm.ts'
import { addressesIn, maxPlaces, type Place, places } from './named-devices.ts'
import type { TrapEvent } from './trap-event.ts'

/** What a message does whose text matches a pattern. */
export const handling = { none: 0, raise: 1, end: 2, byState: 3 } as const

const name = text({ maxLength: 100 })

const letters = text({
  maxLength: 64,
  pattern: { source: '[A-Za-z]+', accepted: 'a word of the letters a to z, at most 64' },
})
const word: Scalar<string> = { ...letters, read: (value) => letters.read(value).toLowerCase() }

const plainNetwork = text({ maxLength: 50 })
const network: Scalar<string> = {
  ...plainNetwork,
  accepted: 'an address such as 10.0.0.7, or a network such as 10.0.0.0/8',
  read(value) {
    try {
      const [only, ...others] = readNetworks(plainNetwork.read(value))
      if (only !== undefined && others.length === 0) return only
    } catch {
      // It is refused below.
    }
    throw new Fault('invalid', `${shown(value)} is not accepted: expected ${network.accepted}`)
  },
}

export const messageDefinition = resource(
  'messageDefinition',
  {
    id: assigned(long),
    name: required(name, { keyed: true }),
    /** Messages are looked at that have one of these codes, or one of these words in code, program or text. */
    code: set(
      text({
        maxLength: 100,
        pattern: {
          source: '[^%]+',
          accepted: 'a code as the list of messages shows it, such as LINK-UPDOWN, of at most 100 characters',
        },
      }),
    ),
    word: set(word),
    /** Only of devices with one of these addresses, or that one of these names; without any, of all. */
    network: set(network),
    device: set(long),
    typeName: set(text()),
    zone: set(long),
    /** Tried in this order; the first that matches counts. */
    message: requiredGroups({
      pattern: optional(messagePattern),
      handling: required(
        coded({
          [handling.none]: 'no alarm',
          [handling.raise]: 'raise the alarm',
          [handling.end]: 'end the alarm',
          [handling.byState]: 'as the part "state", or the text, says',
        }),
      ),
    }),
    /** Texts that are not meant. */
    unless: optional(messagePattern),
    /** The parts that name the resource. */
    key: set(name),
    /** What the part `state` may be; other values are judged by their words. */
    raises: set(name),
    clears: set(name),
    /** Of an event that other definitions describe; otherwise the service assigns one, which the next three describe. */
    eventOid: optional(oid),
    /** Without one, the severity of the message says it. */
    alarmLevel: optional(alarmLevel),
    alarmCategory: optional(int({ min: 1 })),
    /** A text with {names} of parts in it. */
    alarmDesc: optional(text({ maxLength: 2000 })),
    description: optional(text(), empty),
  },
  { table: 'message_definition', key: 'id' },
)

export type MessageDefinition = RecordOf<typeof messageDefinition.fields>

/** All of them are read again whenever one changes. */
const maxDefinitions = 1000
const maxTexts = 20
const maxNames = 100
const maxParts = 20

/** The events of the service, and of what messages report to it. */
const serviceArc = '1.3.6.1.4.1.32473.514.'
const ownArc = `${serviceArc}4.`
/** Of a message that is stored, its text is a variable, and all of it as it came. */
export const messageTextOid = `${serviceArc}3.1`
export const wholeMessageOid = `${serviceArc}3.3`
const reserved = ['deviceName', 'deviceIp', 'message']
const otherCategory = 15
/** Of the event, where each message says the level of its alarm. */
const defaultLevel = 4

export const messageDefinitions = collection({
  resource: messageDefinition,
  noun: 'message definition',
  list: list('/fault/messageDefinition', messageDefinition, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { id: 'id', name: 'name' },
    size: { default: 100, negative: 'default' },
  }),
  rules: {
    check(definition) {
      checkSizes(definition)
      checkMessages(definition)
      checkStates(definition)
      checkEvent(definition)
    },
    async saving(tx, definition, before) {
      const unique = {
        ...{ table: 'message_definition', column: 'name_key', field: 'name', noun: 'message definition' },
      }
      await requireUnique(tx, unique, fold(definition.name), definition.id, definition.name)
      if (!before)
        await requireRoom(
          tx,
          'message_definition',
          maxDefinitions,
          'message definitions already: delete one first',
        )
      if (makesAlarms(definition)) definition.eventOid ??= ownOid(definition)
    },
  },
})

const refuse = (field: string, reason: string): never => {
  throw new Fault('invalid', `${field}: ${reason}`, { field })
}

function checkSizes(definition: MessageDefinition): void {
  const { code, word, message } = definition
  if (message.length > maxTexts) refuse('message', `expected at most ${maxTexts}`)
  for (const field of ['code', 'word', 'network', 'key', 'raises', 'clears'] as const)
    if (definition[field].length > maxNames) refuse(field, `expected at most ${maxNames}`)
  for (const field of places)
    if (definition[field].length > maxPlaces) refuse(field, `expected at most ${maxPlaces}`)
  if (code.length + word.length === 0)
    refuse('code', 'expected a code, or a word, by which messages are looked up')
}

const partsIn = (pattern: string | null): readonly string[] =>
  pattern === null ? [] : messageFinderOf(pattern, true).names

/** The named parts of all patterns, in the order in which they come first. */
const partsOf = ({ message }: Pick<MessageDefinition, 'message'>): string[] => [
  ...new Set(message.flatMap(({ pattern }) => partsIn(pattern))),
]

function checkMessages(definition: MessageDefinition): void {
  const { message, word, key, alarmDesc } = definition
  const parts = partsOf(definition)
  if (parts.length > maxParts) refuse('message/pattern', `expected at most ${maxParts} named parts`)
  const taken = parts.find((part) => reserved.includes(part))
  if (taken !== undefined)
    refuse('message/pattern', `${shown(taken)} has another meaning: name the part otherwise`)
  if (word.length > 0 && message.some(({ pattern }) => pattern === null))
    refuse('message/pattern', 'expected in each message: a word alone is in too many texts')
  for (const [at, { pattern, handling: does }] of message.entries()) {
    const missing = key.find((part) => !partsIn(pattern).includes(part))
    if (does !== handling.none && missing !== undefined)
      refuse('key', `names ${shown(missing)}, which is no part (?P<${missing}>.*) of pattern ${at + 1}`)
  }
  const known = [...parts, ...reserved]
  for (const [, part = ''] of (alarmDesc ?? '').matchAll(/\{(\w+)\}/g))
    if (!known.includes(part)) refuse('alarmDesc', `names {${part}}: expected one of ${known.join(', ')}`)
}

function checkStates({ message, raises, clears }: MessageDefinition): void {
  if (message.some(({ handling: does }) => does === handling.byState)) return
  for (const [field, values] of [
    ['raises', raises],
    ['clears', clears],
  ] as const)
    if (values.length > 0) refuse(field, `goes with a message of handling ${handling.byState} only`)
}

const makesAlarms = ({ message }: Pick<MessageDefinition, 'message'>) =>
  message.some(({ handling: does }) => does !== handling.none)

const ownOid = ({ id }: Pick<MessageDefinition, 'id'>) => `${ownArc}${id}`

const hasOwnEvent = ({ id, eventOid }: Pick<MessageDefinition, 'id' | 'eventOid'>) =>
  eventOid === null || eventOid === ownOid({ id })

function checkEvent(definition: MessageDefinition): void {
  const given = (['eventOid', 'alarmLevel', 'alarmCategory', 'alarmDesc'] as const).filter(
    (field) => definition[field] !== null,
  )
  if (!makesAlarms(definition)) {
    if (given[0]) refuse(given[0], 'goes with messages that raise or end an alarm')
    return
  }
  if (!hasOwnEvent(definition) && given[1])
    refuse(
      given[1],
      'goes with an event of its own: leave it out, or eventOid; the event has its own definition',
    )
}

/** The event of its own, if the definition has one. */
export function ownEventOf(
  definition: Pick<
    MessageDefinition,
    'id' | 'name' | 'eventOid' | 'alarmLevel' | 'alarmCategory' | 'alarmDesc' | 'message' | 'key'
  >,
): Omit<TrapEvent, 'id' | 'source'> | undefined {
  const { name: title, alarmLevel: level, alarmCategory, alarmDesc, key } = definition
  if (!makesAlarms(definition) || !hasOwnEvent(definition)) return undefined
  const eventOid = ownOid(definition)
  const plain = { fromIndex: null, labels: null, pattern: null }
  return {
    eventOid,
    name: title,
    alarmLevel: level ?? defaultLevel,
    alarmCategory: alarmCategory ?? otherCategory,
    alarmDesc: alarmDesc ?? '{message}',
    handling: null,
    parameter: [
      ...partsOf(definition).map((part, at) => ({
        ...{ oid: `${eventOid}.${at + 1}`, name: part, isKey: key.includes(part), ...plain },
      })),
      { oid: messageTextOid, name: 'message', isKey: false, ...plain },
    ],
    recovers: [],
    outOfReach: null,
    state: [],
  }
}

/** The event that a definition names and another describes. */
export const otherEventOf = (definition: MessageDefinition): string | undefined =>
  hasOwnEvent(definition) ? undefined : (definition.eventOid ?? undefined)

/** Whether traps may report the event as well. */
export const mayComeByTrap = (eventOid: string) => !eventOid.startsWith(serviceArc)

/** Whether the severity of a message says the level of its alarm. */
export const isLevelBySeverity = (definition: MessageDefinition) =>
  ownEventOf(definition) !== undefined && definition.alarmLevel === null

export async function allMessageDefinitions(reader: Pick<Reader, 'all'>): Promise<MessageDefinition[]> {
  const { form, name: table } = messageDefinitions.table
  const rows = await reader.all(`select ${form.names} from ${table} order by id`)
  return rows.map((row) => form.toRecord(row) as MessageDefinition)
}

/** The addresses of the devices that each definition names, by its id; absent: it names none. */
export type NamedAddresses = ReadonlyMap<bigint, readonly ReadonlySet<string>[]>

type Named = Pick<MessageDefinition, Place>

export const namesDevices = (definition: Named) => places.some((place) => definition[place].length > 0)

export async function namedAddresses(reader: Pick<Reader, 'all'>): Promise<NamedAddresses> {
  const { form, name: table } = messageDefinitions.table
  const rows = await reader.all(
    `select ${form.names} from ${table} where device <> '[]' or type_name <> '[]' or zone <> '[]'`,
  )
  return addressesNamedBy(
    reader,
    rows.map((row) => form.toRecord(row) as MessageDefinition),
  )
}

/** Definitions that name the same place share the set of its addresses. */
export async function addressesNamedBy(
  reader: Pick<Reader, 'all'>,
  definitions: readonly (Named & Pick<MessageDefinition, 'id'>)[],
): Promise<NamedAddresses> {
  const found = new Map<bigint, ReadonlySet<string>[]>()
  for (const place of places) {
    const values = new Set(definitions.flatMap((definition): (bigint | string)[] => definition[place]))
    const addresses = await addressesIn(reader, place, [...values])
    for (const definition of definitions) {
      if (definition[place].length === 0) continue
      const sets = definition[place].map((value) => addresses.get(value) ?? new Set<string>())
      found.set(definition.id, [...(found.get(definition.id) ?? []), ...sets])
    }
  }
  return found
}
