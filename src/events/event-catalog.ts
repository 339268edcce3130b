// The event catalogue, prepared for use: definitions by OID, with compiled texts and parameters. What the store has no
// definition of is looked up in the catalogue of vendors' events.

import type { Library } from '../mibs/module-library.ts'
import type { MibNotification } from '../mibs/module-resolver.ts'
import { infoLevel } from '../resources/alarms/alarm.ts'
import {
  allMessageDefinitions,
  mayComeByTrap,
  messageDefinitions,
  otherEventOf,
  ownEventOf,
} from '../resources/alarms/message-definition.ts'
import {
  countWithSource,
  endAlarm,
  otherSpelling,
  storeOnly,
  type TrapEvent,
  trapEvents,
} from '../resources/alarms/trap-event.ts'
import { createIn } from '../resources/collection.ts'
import { cutterOf, searchedLength } from '../schema/pattern.ts'
import { fold } from '../schema/scalar.ts'
import type { Reader, Transaction } from '../store/database.ts'
import { TableCache } from '../store/table-cache.ts'
import type { ShippedEvent } from './catalogue-file.ts'
import { MibLibrary, type ModuleStore } from './mib-library.ts'
import { type NamedValue, nameOf, readable, spellings, type Variable } from './naming.ts'

interface Parameter {
  /** The OID of the variable, or `#` and its place in the trap, from 1. */
  readonly oid: string
  readonly prefix: string
  readonly name: string
  readonly isKey: boolean
  readonly fromIndex: boolean
  /** What its values mean, where the definition says so. */
  readonly labels: ReadonlyMap<string, string> | undefined
  readonly cut: ((value: string) => string | undefined) | undefined
}

/** What a trap does to the alarm of its resource. */
export interface TrapEffect {
  readonly kind: 'alarm' | 'end' | 'store'
  readonly level: number
  /** The alarms that it ends: those that the definition names, also that of its own event, or none. */
  readonly ends: 'recovered' | 'own' | 'none'
}

interface State {
  readonly parameter: string
  matches(value: string): boolean
  readonly effect: TrapEffect
}

/** Characters of a trap in which patterns are looked for; values beyond that stay whole. */
const searchedPerTrap = 20_000

type EventContent = Omit<TrapEvent, 'id' | 'source'> & Partial<Pick<TrapEvent, 'source'>>

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
  /** Whether some variables are found by their place. */
  readonly #hasPlaces: boolean
  readonly #template: readonly string[]
  readonly #states: readonly State[]
  readonly #effect: TrapEffect
  /** Where it comes from the catalogue of vendors' events, and the store has no such row yet. */
  readonly shipped: ShippedEvent | undefined

  constructor(event: EventContent, shipped?: ShippedEvent) {
    this.shipped = shipped
    this.oid = event.eventOid
    this.name = event.name
    this.level = event.alarmLevel
    this.category = event.alarmCategory
    this.recovers = event.recovers
    this.storeOnly = event.handling === storeOnly
    this.outOfReach = event.outOfReach === true
    // A restart ends the alarm of a shutdown and deserves an alarm of its own; a plain recovery does not.
    const isEnd = event.recovers.length > 0 && event.alarmLevel >= infoLevel
    this.#effect = {
      kind: this.storeOnly ? 'store' : isEnd ? 'end' : 'alarm',
      level: event.alarmLevel,
      ends: 'recovered',
    }
    this.#states = event.state.map((state) => stateOf(state, event.alarmLevel))
    this.#parameters = event.parameter.map(({ oid, name, isKey, fromIndex, labels, pattern }) => ({
      oid,
      prefix: `${oid}.`,
      name,
      isKey: isKey === true,
      fromIndex: fromIndex === true,
      labels: readLabels(labels ?? ''),
      cut: pattern ? cutterOf(pattern) : undefined,
    }))
    this.#hasPlaces = event.parameter.some(({ oid }) => oid.startsWith('#'))
    // Odd places hold the names between braces.
    this.#template = (event.alarmDesc ?? event.name).split(/\{(\w+)\}/)
  }

  /** One variable may give two values: its own, and the row it is in. */
  read(variables: readonly Variable[], library: Library): NamedValue[] {
    const values: NamedValue[] = []
    let position = 0
    let searchable = searchedPerTrap
    for (const variable of variables) {
      const before = values.length
      const place = this.#hasPlaces ? `#${position + 1}` : undefined
      for (const { oid, prefix, name, isKey, fromIndex, labels, cut } of this.#parameters) {
        if (!variable.oid.startsWith(prefix) && variable.oid !== oid && oid !== place) continue
        const whole = fromIndex && oid !== place ? variable.oid.slice(prefix.length) : variable.value
        if (cut) searchable -= Math.min(whole.length, searchedLength)
        const raw = (searchable >= 0 ? cut?.(whole) : undefined) ?? whole
        const value = labels?.get(raw)
        if (value !== undefined) values.push({ name, isKey, position, value, raw })
        // Values that identify a resource stay as they came: loading a module must not change them.
        else if (isKey || fromIndex || raw !== whole) values.push({ name, isKey, position, value: raw })
        else values.push({ name, isKey, position, raw, ...readable(library, variable) })
      }
      if (values.length === before) values.push(nameOf(library, variable, position))
      position += 1
    }
    return values
  }

  /** What a trap with these values does: by the first state that one of them matches, else as the definition says. */
  effectOf(values: readonly NamedValue[]): TrapEffect {
    if (this.#effect.kind === 'store') return this.#effect
    const found = this.#states.find(({ parameter, matches }) =>
      values.some((one) => one.name === parameter && spellings(one).some(matches)),
    )
    return found?.effect ?? this.#effect
  }

  /** Whether some of its traps end the alarm of others. */
  get endsOwn(): boolean {
    return this.#states.some(({ effect }) => effect.ends === 'own')
  }

  /**
   * Where the state that its traps report can be asked for: a column of the table whose row is the key of its alarms.
   * Undefined where the state is not in such a row, or where several variables say it.
   */
  get stateColumn(): { readonly oid: string; readonly name: string; readonly key: string } | undefined {
    const named = new Set(this.#states.map(({ parameter }) => parameter))
    const [state, ...otherStates] = this.#parameters.filter(({ name }) => named.has(name))
    const [key, ...otherKeys] = this.#parameters.filter(({ isKey }) => isKey)
    if (!this.endsOwn || !state || !key || otherStates.length + otherKeys.length > 0) return undefined
    const isPlain = !state.fromIndex && !state.cut && key.fromIndex && !key.cut && !key.labels
    if (!isPlain || tableOf(state.oid) !== tableOf(key.oid)) return undefined
    return { oid: state.oid, name: state.name, key: key.name }
  }

  /** The columns and scalars whose values its traps carry. */
  get carried(): readonly string[] {
    return [...new Set(this.#parameters.map(({ oid }) => oid).filter((oid) => !oid.startsWith('#')))]
  }

  /** Whether its traps end alarms, and never raise one. */
  get onlyEnds(): boolean {
    return this.#effect.kind === 'end' && this.#states.every(({ effect }) => effect.kind !== 'alarm')
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

const tableOf = (column: string) => column.slice(0, column.lastIndexOf('.'))

function stateOf(
  { parameter, values, handling, alarmLevel }: TrapEvent['state'][number],
  level: number,
): State {
  const wanted = values.split(';').map((one) => fold(one.trim()).split('*'))
  const matches = (value: string) => {
    const folded = fold(value.slice(0, stateLength))
    return wanted.some((parts) => matchesParts(folded, parts))
  }
  if (handling === endAlarm)
    return { parameter, matches, effect: { kind: 'end', level: infoLevel, ends: 'own' } }
  const kind = handling === storeOnly ? 'store' : 'alarm'
  return { parameter, matches, effect: { kind, level: alarmLevel ?? level, ends: 'none' } }
}

/** Values that say a state are short; of a text, its beginning is searched. */
const stateLength = 2000

/** The parts in this order, with any text between them: the first from the beginning, the last up to the end. */
function matchesParts(value: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return value === first
  if (!value.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const found = value.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return value.length - last.length >= at && value.endsWith(last)
}

function readLabels(text: string): Map<string, string> | undefined {
  if (text === '') return undefined
  const pairs = text.split(';').map((pair) => pair.split('=', 2))
  return new Map(
    pairs.flatMap(([value, label]) => (value && label ? [[value.trim(), label.trim()] as const] : [])),
  )
}

interface Definitions {
  readonly byOid: ReadonlyMap<string, EventDefinition>
  /** Events of which traps and messages report, by definitions of users. */
  readonly shared: ReadonlySet<string>
}

async function readDefinitions(reader: Reader): Promise<Definitions> {
  const { form, name } = trapEvents.table
  const rows = await reader.all(`select ${form.names} from ${name}`)
  const messages = await allMessageDefinitions(reader)
  const own = messages.map(ownEventOf).filter((event) => event !== undefined)
  // What the store says of an event counts.
  const events = [...own, ...rows.map((row) => form.toRecord(row) as TrapEvent)]
  const others = messages.map(otherEventOf).filter((oid) => oid !== undefined)
  return {
    byOid: new Map(events.map((event) => [event.eventOid, new EventDefinition(event)])),
    shared: new Set(others.filter(mayComeByTrap)),
  }
}

/** Events of the catalogue of vendors that a block of traps, and a store, keeps as rows. A sender may invent traps. */
const keptPerBlock = 50
const keptInAll = 2000

/** Prepared definitions of vendors that are no rows, or not yet. */
const preparedLimit = 500

/** Definitions are found by their OID in constant time, however many there are. */
export class EventCatalog {
  readonly #modules: MibLibrary
  readonly #cache: TableCache<Definitions>
  #definitions: ReadonlyMap<string, EventDefinition> = new Map()
  #shared: ReadonlySet<string> = new Set()
  readonly #prepared = new Map<string, EventDefinition>()
  #tried: ReadonlyMap<string, EventDefinition> = new Map()
  /** Events that only syslog messages report. */
  readonly #messageEvents: ReadonlyMap<string, ShippedEvent>

  constructor(
    database: ModuleStore,
    modules = new MibLibrary(database),
    messageEvents: ReadonlyMap<string, ShippedEvent> = new Map(),
  ) {
    this.#modules = modules
    this.#messageEvents = messageEvents
    this.#cache = new TableCache(database, trapEvents.resource.table, messageDefinitions.resource.table)
  }

  /** The current definitions and modules, for one use. */
  static async read(reader: Reader): Promise<EventCatalog> {
    const catalog = new EventCatalog({ version: () => 0, all: (sql, values) => reader.all(sql, values) })
    await catalog.refresh(reader)
    return catalog
  }

  /** Brings definitions and modules up to date; a change counts from the next batch on. */
  async refresh(reader: Reader): Promise<void> {
    await this.#modules.vendors.open()
    await this.#modules.refreshSoon()
    const { byOid, shared } = await this.#cache.get(reader, readDefinitions)
    this.#definitions = byOid
    this.#shared = shared
  }

  /** Definitions of the store whose state can be asked for. */
  get askable(): readonly EventDefinition[] {
    return [...new Set(this.#definitions.values())].filter(({ stateColumn }) => stateColumn !== undefined)
  }

  /** Events of which both traps and messages report, because users have defined that. */
  get shared(): ReadonlySet<string> {
    return this.#shared
  }

  /** Definitions that count before those of the store, for a test. */
  preferTried(events: readonly EventDefinition[]): void {
    this.#tried = new Map(events.map((event) => [event.oid, event]))
  }

  find(oid: string): EventDefinition | undefined {
    const tried = this.#tried.get(oid) ?? this.#tried.get(otherSpelling(oid))
    if (tried) return tried
    return this.#definitions.get(oid) ?? this.#definitions.get(otherSpelling(oid)) ?? this.#findShipped(oid)
  }

  #findShipped(oid: string): EventDefinition | undefined {
    const known = this.#prepared.get(oid)
    if (known) return known
    const shipped = this.#messageEvents.get(oid) ?? this.#modules.vendors.find(oid)
    if (!shipped) return undefined
    const event = new EventDefinition(shipped, shipped)
    if (this.#prepared.size >= preparedLimit) this.#prepared.clear()
    this.#prepared.set(oid, event)
    return event
  }

  /** Events of vendors that are used become rows: people see them in lists, exports and reports, and can change them. */
  async keepUsed(tx: Transaction, events: Iterable<EventDefinition | undefined>): Promise<void> {
    const used = new Set<ShippedEvent>()
    for (const event of events) if (event?.shipped && used.size < keptPerBlock) used.add(event.shipped)
    if (used.size === 0) return
    const room = Math.max(0, keptInAll - (await countWithSource(tx)))
    for (const shipped of [...used].slice(0, room)) await createIn(tx, trapEvents, { ...shipped })
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
