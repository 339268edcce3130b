// What an event OID means, ready for use: definitions by OID, texts and parameters prepared.

import { storeOnly, type TrapEvent, trapEvents } from '../resources/trap-event.ts'
import type { Database, Reader } from '../store/database.ts'
import type { Variable } from './incoming.ts'

interface Parameter {
  readonly oid: string
  readonly prefix: string
  readonly name: string
  readonly isKey: boolean
  readonly fromIndex: boolean
  readonly labels: ReadonlyMap<string, string>
}

/** A variable with the name and the value that people read. */
export interface NamedValue {
  readonly name: string
  readonly value: string
  readonly isKey: boolean
  /** The place of its variable in the trap. */
  readonly position: number
}

/** A variable that no definition names goes by its OID. */
export const unnamed = ({ oid, value }: Variable, position: number): NamedValue => ({
  name: oid,
  value,
  isKey: false,
  position,
})

export class EventDefinition {
  readonly oid: string
  readonly name: string
  readonly level: number
  readonly category: number
  readonly recovers: readonly string[]
  readonly storeOnly: boolean
  readonly #parameters: readonly Parameter[]
  readonly #template: readonly string[]

  constructor(event: TrapEvent) {
    this.oid = event.eventOid
    this.name = event.name
    this.level = event.alarmLevel
    this.category = event.alarmCategory
    this.recovers = event.recovers
    this.storeOnly = event.handling === storeOnly
    this.#parameters = event.parameter.map(({ oid, name, isKey, fromIndex, labels }) => ({
      oid,
      prefix: `${oid}.`,
      name,
      isKey: isKey === true,
      fromIndex: fromIndex === true,
      labels: readLabels(labels ?? ''),
    }))
    // Odd places hold the names between braces.
    this.#template = (event.alarmDesc ?? event.name).split(/\{(\w+)\}/)
  }

  /** One variable may tell two things: by its value, and by the row it stands in. */
  read(variables: readonly Variable[]): NamedValue[] {
    const values: NamedValue[] = []
    for (const [position, variable] of variables.entries()) {
      const before = values.length
      for (const { oid, prefix, name, isKey, fromIndex, labels } of this.#parameters) {
        if (!variable.oid.startsWith(prefix) && variable.oid !== oid) continue
        const value = fromIndex ? variable.oid.slice(prefix.length) : variable.value
        values.push({ name, isKey, position, value: labels.get(value) ?? value })
      }
      if (values.length === before) values.push(unnamed(variable, position))
    }
    return values
  }

  describe(values: readonly NamedValue[], more: Readonly<Record<string, string | undefined>>): string {
    return this.#template
      .map((part, index) => {
        if (index % 2 === 0) return part
        return values.find(({ name }) => name === part)?.value ?? more[part] ?? '?'
      })
      .join('')
  }
}

function readLabels(text: string): Map<string, string> {
  const pairs = text.split(';').map((pair) => pair.split('=', 2))
  return new Map(
    pairs.flatMap(([value, label]) => (value && label ? [[value.trim(), label.trim()] as const] : [])),
  )
}

/** Definitions are found by their OID at once, however many there are. */
export class EventCatalog {
  readonly #database: Pick<Database, 'version'>
  #definitions = new Map<string, EventDefinition>()
  #version = -1

  constructor(database: Pick<Database, 'version'>) {
    this.#database = database
  }

  /** As the definitions are now, for one use. */
  static async read(reader: Reader): Promise<EventCatalog> {
    const catalog = new EventCatalog({ version: () => 0 })
    await catalog.refresh(reader)
    return catalog
  }

  /** Brings the definitions up to date; a change counts from the next batch on. */
  async refresh(reader: Reader): Promise<void> {
    const version = this.#database.version(trapEvents.resource.table)
    if (version === this.#version) return
    const { form, name } = trapEvents.table
    const rows = await reader.all(`select ${form.names} from ${name}`)
    const events = rows.map((row) => new EventDefinition(form.toRecord(row) as TrapEvent))
    this.#definitions = new Map(events.map((event) => [event.oid, event]))
    this.#version = version
  }

  find(oid: string): EventDefinition | undefined {
    return this.#definitions.get(oid) ?? this.#definitions.get(otherSpelling(oid))
  }

  /** The OIDs of the definitions that are, or lie below, one of the given. */
  below(oids: readonly string[]): string[] {
    return [...this.#definitions.keys()].filter((oid) =>
      oids.some((above) => oid === above || oid.startsWith(`${above}.`)),
    )
  }
}

/** Devices and MIBs disagree on the 0 that RFC 3584 puts before the last number of a trap from version 1. */
export function otherSpelling(oid: string): string {
  const cut = oid.lastIndexOf('.')
  const parent = oid.slice(0, cut)
  return parent.endsWith('.0') ? parent.slice(0, -2) + oid.slice(cut) : `${parent}.0${oid.slice(cut)}`
}
