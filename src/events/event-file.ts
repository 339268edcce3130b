// Reads a file of event definitions, and checks it: a mistake is reported with the file, the entry and the field.
//
// The form is JSON, `{ "about": …, "events": [ … ] }`, one file for a vendor or a group of modules: every editor knows it,
// and the built-in parser is fast. A field `note` is for people.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault } from '../fault.ts'
import type { TrapEvent } from '../resources/alarms/trap-event.ts'
import { DefinitionEntry } from '../schema/definition-entry.ts'
import { pattern } from '../schema/pattern.ts'

// What a definition of an event says, as it is shipped with the program.

/** A variable of a notification: where its value comes from, and what that value is called. */
export interface EventParameter {
  /** The variable's OID without its instance. */
  readonly oid: string
  readonly name: string
  /** It identifies the alarm's resource: a fault and its recovery agree in all of these. */
  readonly isKey?: true
  /** The value is the instance part of the variable's OID (a table's index), not the variable's value. */
  readonly fromIndex?: true
  /** Labels for the numbers of an enumeration: `1=up;2=down;3=testing`. */
  readonly labels?: string
  /** What to take from the value: the first group, or all that it matches. */
  readonly pattern?: string
}

/** What the notification does if a parameter has one of some values. */
export interface EventState {
  readonly parameter: string
  /** Values or labels, separated by semicolons; `*` stands for any text. */
  readonly values: string
  /** 0: kept as a trap. 1: makes an alarm. 2: ends it. */
  readonly handling: 0 | 1 | 2
  readonly alarmLevel?: 1 | 2 | 3 | 4 | 5
}

/** One notification as the standards define it, and what it means as an alarm. */
export interface StandardEvent {
  /** SNMPv2 form (RFC 3584), no leading dot. */
  readonly eventOid: string
  readonly name: string
  /** 1 Critical, 2 Major, 3 Minor, 4 Warning, 5 Info. A notification that ends an alarm is 5. */
  readonly alarmLevel: 1 | 2 | 3 | 4 | 5
  readonly alarmCategory: number
  /** Text over the parameters' names, `{deviceName}` and `{deviceIp}`. */
  readonly alarmDesc: string
  readonly parameter?: readonly EventParameter[]
  /** The events whose alarm, on the same key parameters, this notification ends. */
  readonly recovers?: readonly string[]
  /** Its alarm means that what hangs behind the interface is out of reach, or the device itself where it names none. */
  readonly outOfReach?: true
  /** 0: kept as a trap, makes no alarm. Absent: makes an alarm. */
  readonly handling?: 0
  /** What it does by the value of a parameter; the first that matches counts. */
  readonly state?: readonly EventState[]
}

/** Ids are part of the interface: a client may filter by them, so a number is never given a new meaning. */
export const category = {
  system: 1,
  availability: 2,
  link: 3,
  status: 4,
  power: 5,
  routing: 6,
  bridging: 7,
  security: 8,
  threshold: 9,
  configuration: 10,
  wireless: 11,
  service: 12,
  other: 15,
} as const

export const alarmCategories: readonly { readonly id: number; readonly name: string }[] = [
  { id: category.system, name: 'System' },
  { id: category.availability, name: 'Device availability' },
  { id: category.link, name: 'Interface and link' },
  { id: category.status, name: 'Device status' },
  { id: category.power, name: 'Environment and power' },
  { id: category.routing, name: 'Routing' },
  { id: category.bridging, name: 'Bridging and spanning tree' },
  { id: category.security, name: 'Security' },
  { id: category.threshold, name: 'Performance and thresholds' },
  { id: category.configuration, name: 'Configuration' },
  { id: category.wireless, name: 'Wireless' },
  { id: category.service, name: 'Service' },
  { id: category.other, name: 'Other' },
]

/** The same as a record; `source` says where it comes from. */
export const shippedOf = (event: StandardEvent, source: string): Omit<TrapEvent, 'id'> => ({
  ...event,
  handling: event.handling ?? null,
  outOfReach: event.outOfReach ?? null,
  parameter: (event.parameter ?? []).map(({ oid, name, isKey, fromIndex, labels, pattern }) => ({
    ...{ oid, name, isKey: isKey ?? null, fromIndex: fromIndex ?? null },
    ...{ labels: labels ?? null, pattern: pattern ?? null },
  })),
  recovers: [...(event.recovers ?? [])],
  state: (event.state ?? []).map((state) => ({ ...state, alarmLevel: state.alarmLevel ?? null })),
  source,
})

function readEventFile(file: URL): StandardEvent[] {
  return readEvents(readFileSync(file, 'utf8'), basename(fileURLToPath(file)))
}

export function readEvents(text: string, file: string): StandardEvent[] {
  const whole = DefinitionEntry.ofFile(text, file, ['about', 'events'])
  whole.text('about')
  const seen = new Set<string>()
  return whole.entries('events', 'event', eventFields).map((entry) => {
    const event = eventOf(entry)
    if (seen.has(event.eventOid)) throw new Fault('invalid', `${file}: ${event.eventOid} is defined twice`)
    seen.add(event.eventOid)
    return event
  })
}

const eventFields = [
  ...['eventOid', 'name', 'alarmLevel', 'alarmCategory', 'alarmDesc', 'handling', 'outOfReach', 'recovers'],
  ...['parameter', 'state', 'note'],
]
export const oidPattern = /^[0-2](\.\d+)+$/
const labels = /^[-.\d]+=[^;]+(;[-.\d]+=[^;]+)*$/

function eventOf(entry: DefinitionEntry): StandardEvent {
  const { outOfReach, handling, recovers, parameter, state, note } = entry.fields
  if (note !== undefined) entry.text('note')
  const event: StandardEvent = {
    eventOid: entry.text('eventOid', oidPattern, 'an OID'),
    name: entry.text('name'),
    alarmLevel: entry.oneOf('alarmLevel', [1, 2, 3, 4, 5] as const),
    alarmCategory: category[entry.oneOf('alarmCategory', Object.keys(category) as (keyof typeof category)[])],
    alarmDesc: entry.text('alarmDesc'),
    ...(handling !== undefined && { handling: entry.oneOf('handling', [0] as const) }),
    ...(outOfReach !== undefined && { outOfReach: entry.oneOf('outOfReach', [true] as const) }),
    ...(recovers !== undefined && {
      recovers: entry.list('recovers').map((_, at) => entry.textAt('recovers', at, oidPattern, 'an OID')),
    }),
    ...(parameter !== undefined && {
      parameter: entry.entries('parameter', 'parameter', parameterFields).map(parameterOf),
    }),
    ...(state !== undefined && { state: entry.entries('state', 'state', stateFields).map(stateOf) }),
  }
  for (const { parameter: name } of event.state ?? [])
    if (!event.parameter?.some((one) => one.name === name))
      entry.refuse('state', `names ${name}, which is no parameter`)
  const known = new Set(['deviceName', 'deviceIp', ...(event.parameter ?? []).map(({ name }) => name)])
  for (const [, name = ''] of event.alarmDesc.matchAll(/\{(\w+)\}/g))
    if (!known.has(name)) entry.refuse('alarmDesc', `names {${name}}, which is no parameter`)
  return event
}

const parameterFields = ['oid', 'name', 'isKey', 'fromIndex', 'labels', 'pattern']

function parameterOf(entry: DefinitionEntry): EventParameter {
  const { isKey, fromIndex, labels: labelText, pattern: cut } = entry.fields
  return {
    oid: entry.text('oid', oidPattern, 'an OID'),
    name: entry.text('name'),
    ...(labelText !== undefined && { labels: entry.text('labels', labels, 'labels such as 1=up;2=down') }),
    ...(isKey !== undefined && { isKey: entry.oneOf('isKey', [true] as const) }),
    ...(fromIndex !== undefined && { fromIndex: entry.oneOf('fromIndex', [true] as const) }),
    ...(cut !== undefined && { pattern: pattern.read(entry.text('pattern')) }),
  }
}

export const stateFields = ['parameter', 'values', 'handling', 'alarmLevel']

export function stateOf(entry: DefinitionEntry): EventState {
  return {
    parameter: entry.text('parameter'),
    values: entry.text('values'),
    handling: entry.oneOf('handling', [0, 1, 2] as const),
    ...(entry.fields.alarmLevel !== undefined && {
      alarmLevel: entry.oneOf('alarmLevel', [1, 2, 3, 4, 5] as const),
    }),
  }
}

// What a new store knows of the standard notifications: name, level, category, text, which variables identify the
// resource, and what ends what. They are in files, one for a group of modules, which people read and correct. OIDs are as
// the modules define them: the other spelling that RFC 3584 gives some of them in a trap of version 1 (33.2.0.1 for 33.2.1)
// is handled by the look-up. Checked against the modules themselves; the texts are our own.

const folder = new URL('../../definitions/events/', import.meta.url)
const read = (name: string) => readEventFile(new URL(`${name}.json`, folder))

/** In the order in which a new store gives them ids. */
const files = ['system', 'links', 'power', 'routing', 'ospf', 'isis', 'mpls', 'monitoring', 'access']

export const standardEvents = files.flatMap(read)

/** MAC addresses that switches have learnt or removed: they report where terminals are, and raise no alarms. */
export const terminalEvents = read('terminals')
