// Reads a file of event definitions, and checks it: a mistake is reported with the file, the entry and the field.
//
// The form is JSON, `{ "about": …, "events": [ … ] }`, one file for a vendor or a group of modules: every editor knows it,
// and the built-in parser is fast. A field `note` is for people.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault, shown } from '../fault.ts'
import { category, type EventParameter, type StandardEvent } from './event-definition.ts'

export function readEventFile(file: URL): StandardEvent[] {
  return readEvents(readFileSync(file, 'utf8'), basename(fileURLToPath(file)))
}

export function readEvents(text: string, file: string): StandardEvent[] {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    throw new Fault('invalid', `${file}: ${(cause as Error).message}`, { cause })
  }
  const whole = new Entry(file, content, ['about', 'events'])
  whole.text('about')
  const seen = new Set<string>()
  return whole.list('events').map((one, index) => {
    const name = (one as { name?: unknown } | null)?.name
    const event = eventOf(new Entry(`${file}: event ${index + 1} (${shown(String(name))})`, one, eventFields))
    if (seen.has(event.eventOid)) throw new Fault('invalid', `${file}: ${event.eventOid} is defined twice`)
    seen.add(event.eventOid)
    return event
  })
}

const eventFields = [
  ...['eventOid', 'name', 'alarmLevel', 'alarmCategory', 'alarmDesc', 'handling', 'outOfReach', 'recovers'],
  ...['parameter', 'note'],
]
const oid = /^[0-2](\.\d+)+$/
const labels = /^[-.\d]+=[^;]+(;[-.\d]+=[^;]+)*$/
const anything = /./s

function eventOf(entry: Entry): StandardEvent {
  const { outOfReach, handling, recovers, parameter, note } = entry.fields
  if (note !== undefined) entry.text('note')
  const event: StandardEvent = {
    eventOid: entry.text('eventOid', oid, 'an OID'),
    name: entry.text('name'),
    alarmLevel: entry.oneOf('alarmLevel', [1, 2, 3, 4, 5] as const),
    alarmCategory: category[entry.oneOf('alarmCategory', Object.keys(category) as (keyof typeof category)[])],
    alarmDesc: entry.text('alarmDesc'),
    ...(handling !== undefined && { handling: entry.oneOf('handling', [0] as const) }),
    ...(outOfReach !== undefined && { outOfReach: entry.oneOf('outOfReach', [true] as const) }),
    ...(recovers !== undefined && {
      recovers: entry.list('recovers').map((_, at) => entry.oidAt('recovers', at)),
    }),
    ...(parameter !== undefined && {
      parameter: entry.list('parameter').map((one, at) => parameterOf(entry, one, at)),
    }),
  }
  const known = new Set(['deviceName', 'deviceIp', ...(event.parameter ?? []).map(({ name }) => name)])
  for (const [, name = ''] of event.alarmDesc.matchAll(/\{(\w+)\}/g))
    if (!known.has(name)) entry.refuse('alarmDesc', `names {${name}}, which is no parameter`)
  return event
}

function parameterOf(event: Entry, one: unknown, index: number): EventParameter {
  const place = `${event.place}: parameter ${index + 1}`
  const entry = new Entry(place, one, ['oid', 'name', 'isKey', 'fromIndex', 'labels'])
  const { isKey, fromIndex, labels: given } = entry.fields
  return {
    oid: entry.text('oid', oid, 'an OID'),
    name: entry.text('name'),
    ...(given !== undefined && { labels: entry.text('labels', labels, 'labels such as 1=up;2=down') }),
    ...(isKey !== undefined && { isKey: entry.oneOf('isKey', [true] as const) }),
    ...(fromIndex !== undefined && { fromIndex: entry.oneOf('fromIndex', [true] as const) }),
  }
}

/** An object of the file, and where it is. */
class Entry {
  readonly place: string
  readonly fields: Readonly<Record<string, unknown>>

  constructor(place: string, content: unknown, known: readonly string[]) {
    this.place = place
    if (typeof content !== 'object' || content === null || Array.isArray(content))
      throw new Fault('invalid', `${place}: an object is expected`)
    this.fields = content as Record<string, unknown>
    for (const name of Object.keys(content))
      if (!known.includes(name)) this.refuse(name, 'is not a known field')
  }

  refuse(field: string, reason: string): never {
    throw new Fault('invalid', `${this.place}: ${field} ${reason}`)
  }

  text(field: string, pattern = anything, expected = 'text'): string {
    const value = this.fields[field]
    if (typeof value === 'string' && pattern.test(value)) return value
    return this.refuse(field, `is ${shown(String(value))}: ${expected} is expected`)
  }

  oneOf<T>(field: string, values: readonly T[]): T {
    const value = this.fields[field]
    const found = values.find((one) => one === value)
    return found ?? this.refuse(field, `is ${shown(String(value))}: one of ${values.join(', ')} is expected`)
  }

  list(field: string): readonly unknown[] {
    const value = this.fields[field]
    return Array.isArray(value) ? value : this.refuse(field, 'is missing: a list is expected')
  }

  oidAt(field: string, index: number): string {
    const value = this.list(field)[index]
    if (typeof value === 'string' && oid.test(value)) return value
    return this.refuse(`${field}[${index + 1}]`, `is ${shown(String(value))}: an OID is expected`)
  }
}
