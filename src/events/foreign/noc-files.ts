// The parts of NOC's collections that say what a trap means: classification rules, event classes and alarm classes, in
// JSON, one or several in a file.

import { Fault, shown } from '../../fault.ts'
import { type Json, readJson } from '../../schema/json-text.ts'
import type { SourceFile } from './foreign-event.ts'

export interface NocRule {
  readonly file: string
  readonly place: string
  readonly name: string
  readonly eventClass: string
  readonly preference: number
  readonly patterns: readonly { readonly key: string; readonly value: string }[]
}

export interface Disposition {
  readonly action: string
  readonly condition: string
  readonly alarmClass: string
}

export interface AlarmClass {
  readonly severity: string
  readonly keys: readonly string[]
  readonly subject: string
}

export interface NocCollections {
  readonly rules: NocRule[]
  readonly eventClasses: Map<string, readonly Disposition[]>
  readonly alarmClasses: Map<string, AlarmClass>
}

type Item = { readonly [key: string]: Json }

export function readNocFiles(files: readonly SourceFile[]): NocCollections {
  const all: NocCollections = { rules: [], eventClasses: new Map(), alarmClasses: new Map() }
  for (const file of files) {
    const whole = parse(file)
    const isList = Array.isArray(whole)
    for (const [at, one] of (isList ? whole : [whole]).entries())
      readItem(all, file.name, isList ? `entry ${at + 1}` : 'line 1', one)
  }
  return all
}

function parse({ name, text }: SourceFile): Json {
  try {
    return readJson(text)
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    throw new Fault('invalid', `${name}: ${cause.message}`, { cause })
  }
}

const expected =
  'an object with patterns (a rule), disposition or action (an event class), or default_severity__name (an alarm class)'

function readItem(all: NocCollections, file: string, place: string, one: Json): void {
  const reader = new ItemReader(file, place, one)
  const { item } = reader
  if ('patterns' in item) {
    all.rules.push({
      ...{ file, place, name: reader.text('name'), eventClass: reader.text('event_class__name') },
      preference: Number(item.preference ?? 1000),
      patterns: reader.items('patterns').map((pattern) => ({
        key: pattern.text('key_re'),
        value: pattern.text('value_re'),
      })),
    })
  } else if ('default_severity__name' in item) {
    const keys = item.reference ?? item.discriminator ?? []
    if (!Array.isArray(keys) || keys.some((key) => typeof key !== 'string'))
      reader.refuse('discriminator', 'a list of names')
    all.alarmClasses.set(reader.text('name'), {
      severity: reader.text('default_severity__name'),
      keys: keys as readonly string[],
      subject: typeof item.subject_template === 'string' ? item.subject_template : '',
    })
  } else if ('disposition' in item || 'action' in item) {
    const found = item.disposition === undefined ? [] : reader.items('disposition')
    all.eventClasses.set(
      reader.text('name'),
      found.map((part) => ({
        action: part.text('action'),
        condition: String(part.item.condition ?? 'True'),
        alarmClass: String(part.item.alarm_class__name ?? ''),
      })),
    )
  } else throw new Fault('invalid', `${file}: ${place}: expected ${expected}`)
}

class ItemReader {
  readonly #where: string
  readonly item: Item

  constructor(file: string, place: string, one: Json) {
    this.#where = `${file}: ${place}`
    if (typeof one !== 'object' || one === null || Array.isArray(one))
      throw new Fault('invalid', `${this.#where}: expected ${expected}`)
    this.item = one as Item
  }

  refuse(field: string, wanted: string): never {
    throw new Fault(
      'invalid',
      `${this.#where}: ${field} is ${shown(JSON.stringify(this.item[field]) ?? 'missing')}: expected ${wanted}`,
    )
  }

  text(field: string): string {
    const value = this.item[field]
    return typeof value === 'string' && value !== '' ? value : this.refuse(field, 'text')
  }

  items(field: string): ItemReader[] {
    const value = this.item[field]
    if (!Array.isArray(value)) this.refuse(field, 'a list')
    return (value as readonly Json[]).map((one, at) => new ItemReader(this.#where, `${field} ${at + 1}`, one))
  }
}
