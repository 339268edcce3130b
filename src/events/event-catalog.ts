// The event catalogue, prepared for use: definitions by OID, with compiled texts and parameters.

import type { Library } from '../mibs/module-library.ts'
import type { MibNotification } from '../mibs/module-resolver.ts'
import { otherSpelling, storeOnly, type TrapEvent, trapEvents } from '../resources/alarms/trap-event.ts'
import type { Reader } from '../store/database.ts'
import { TableCache } from '../store/table-cache.ts'
import { MibLibrary, type ModuleStore } from './mib-library.ts'
import { type NamedValue, nameOf, readable, type Variable } from './naming.ts'

interface Parameter {
  readonly oid: string
  readonly prefix: string
  readonly name: string
  readonly isKey: boolean
  readonly fromIndex: boolean
  /** What its values mean, where the definition says so. */
  readonly labels: ReadonlyMap<string, string> | undefined
}

export class EventDefinition {
  readonly oid: string
  readonly name: string
  readonly level: number
  readonly category: number
  readonly recovers: readonly string[]
  readonly storeOnly: boolean
  /** Its alarm means that the device, or what hangs behind the interface, is out of reach. */
  readonly outOfReach: boolean
  readonly #parameters: readonly Parameter[]
  readonly #template: readonly string[]

  constructor(event: TrapEvent) {
    this.oid = event.eventOid
    this.name = event.name
    this.level = event.alarmLevel
    this.category = event.alarmCategory
    this.recovers = event.recovers
    this.storeOnly = event.handling === storeOnly
    this.outOfReach = event.outOfReach === true
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

  /** One variable may give two values: its own, and the row it is in. */
  read(variables: readonly Variable[], library: Library): NamedValue[] {
    const values: NamedValue[] = []
    let position = 0
    for (const variable of variables) {
      const before = values.length
      for (const { oid, prefix, name, isKey, fromIndex, labels } of this.#parameters) {
        if (!variable.oid.startsWith(prefix) && variable.oid !== oid) continue
        const raw = fromIndex ? variable.oid.slice(prefix.length) : variable.value
        const value = labels?.get(raw)
        if (value !== undefined) values.push({ name, isKey, position, value, raw })
        // Values that identify a resource stay as they came: loading a module must not change them.
        else if (isKey || fromIndex) values.push({ name, isKey, position, value: raw })
        else values.push({ name, isKey, position, raw, ...readable(library, variable) })
      }
      if (values.length === before) values.push(nameOf(library, variable, position))
      position += 1
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

function readLabels(text: string): Map<string, string> | undefined {
  if (text === '') return undefined
  const pairs = text.split(';').map((pair) => pair.split('=', 2))
  return new Map(
    pairs.flatMap(([value, label]) => (value && label ? [[value.trim(), label.trim()] as const] : [])),
  )
}

async function readDefinitions(reader: Reader): Promise<ReadonlyMap<string, EventDefinition>> {
  const { form, name } = trapEvents.table
  const rows = await reader.all(`select ${form.names} from ${name}`)
  const events = rows.map((row) => new EventDefinition(form.toRecord(row) as TrapEvent))
  return new Map(events.map((event) => [event.oid, event]))
}

/** Definitions are found by their OID in constant time, however many there are. */
export class EventCatalog {
  readonly #modules: MibLibrary
  readonly #cache: TableCache<ReadonlyMap<string, EventDefinition>>
  #definitions: ReadonlyMap<string, EventDefinition> = new Map()

  constructor(database: ModuleStore, modules = new MibLibrary(database)) {
    this.#modules = modules
    this.#cache = new TableCache(database, trapEvents.resource.table)
  }

  /** The current definitions and modules, for one use. */
  static async read(reader: Reader): Promise<EventCatalog> {
    const catalog = new EventCatalog({ version: () => 0, all: (sql, values) => reader.all(sql, values) })
    await catalog.refresh(reader)
    return catalog
  }

  /** Brings definitions and modules up to date; a change counts from the next batch on. */
  async refresh(reader: Reader): Promise<void> {
    await this.#modules.refreshSoon()
    this.#definitions = await this.#cache.get(reader, readDefinitions)
  }

  find(oid: string): EventDefinition | undefined {
    return this.#definitions.get(oid) ?? this.#definitions.get(otherSpelling(oid))
  }

  /** What a module says of an event. */
  notification(oid: string): MibNotification | undefined {
    const { current } = this.#modules
    return current.notification(oid) ?? current.notification(otherSpelling(oid))
  }

  read(event: EventDefinition | undefined, variables: readonly Variable[]): NamedValue[] {
    const { current } = this.#modules
    return event?.read(variables, current) ?? variables.map((one, position) => nameOf(current, one, position))
  }

  /** The OIDs of the definitions that are, or lie below, one of the given. */
  below(oids: readonly string[]): string[] {
    return [...this.#definitions.keys()].filter((oid) =>
      oids.some((above) => oid === above || oid.startsWith(`${above}.`)),
    )
  }
}
