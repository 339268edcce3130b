// Trap rules in force: which rule, if any, filters a trap. Rules are indexed by device and event, so that a trap is
// compared only with those that could concern it.

import { ancestors } from '../events/ancestors.ts'
import { type TrapRule, trapRules } from '../resources/alarms/trap-rule.ts'
import type { Database, Reader, Row } from '../store/database.ts'
import { TableCache } from '../store/table-cache.ts'
import { ruleRows } from './rule-rows.ts'
import { type Candidate, CompiledRule, Validities } from './rules.ts'
import type { ZoneTime } from './zone-time.ts'

const cacheLimit = 50_000

/** The rules that concern an event of a device, in the order of their ids. */
type Concerning = readonly CompiledRule[]

/** One object for all events that no rule concerns: most of them. */
const none: Concerning = []

interface Known {
  /** The row as it was read, to see whether it has changed. */
  readonly text: string
  readonly rule: CompiledRule
}

export class RuleBook {
  readonly #zone: ZoneTime
  #validities: Validities
  readonly #known = new Map<bigint, Known>()
  /** Device (or any) → event (or any) → rules. */
  readonly #shelves = new Map<bigint | undefined, Map<string | undefined, CompiledRule[]>>()
  /** Device → event (and its definition, where that spells it differently) → rules, cached. */
  readonly #found = new Map<number, Map<string, Concerning>>()
  #foundCount = 0
  readonly #cache: TableCache<void>

  constructor(database: Database, zone: ZoneTime) {
    this.#cache = new TableCache(database, trapRules.resource.table)
    this.#zone = zone
    this.#validities = new Validities(zone)
  }

  /** Brings the rules up to date; a change takes effect with the next batch. Only changed rules are compiled anew. */
  refresh(reader: Reader): Promise<void> {
    return this.#cache.get(reader, () => this.#read(reader))
  }

  async #read(reader: Reader): Promise<void> {
    const gone = new Set(this.#known.keys())
    for await (const row of ruleRows(reader)) {
      gone.delete(row.id as bigint)
      this.#bring(row)
    }
    for (const id of gone) this.#remove(id)
  }

  #bring(row: Row): void {
    const id = row.id as bigint
    const text = Object.values(row).join('\0')
    if (this.#known.get(id)?.text === text) return
    this.#remove(id)
    this.#add(text, trapRules.table.form.toRecord(row) as TrapRule)
  }

  replace(rules: readonly TrapRule[]): void {
    for (const id of [...this.#known.keys()]) this.#remove(id)
    for (const rule of rules) this.#add('', rule)
  }

  #add(text: string, record: TrapRule): void {
    // Those of deleted rules would stay for ever.
    if (this.#validities.size > 2 * this.#known.size + 1000) this.#validities = new Validities(this.#zone)
    const rule = new CompiledRule(record, this.#zone, this.#validities)
    this.#known.set(rule.id, { text, rule })
    for (const device of rule.devices) {
      const events = this.#shelves.get(device) ?? new Map<string | undefined, CompiledRule[]>()
      this.#shelves.set(device, events)
      for (const event of rule.events) {
        const shelf = events.get(event)
        if (shelf) shelf.push(rule)
        else events.set(event, [rule])
      }
    }
    this.#forget()
  }

  #remove(id: bigint): void {
    const rule = this.#known.get(id)?.rule
    if (!rule) return
    this.#known.delete(id)
    for (const device of rule.devices) {
      const events = this.#shelves.get(device)
      for (const event of rule.events) {
        const left = events?.get(event)?.filter((one) => one !== rule) ?? []
        if (left.length > 0) events?.set(event, left)
        else events?.delete(event)
      }
      if (events?.size === 0) this.#shelves.delete(device)
    }
    this.#forget()
  }

  /** The first rule, by id, that filters the trap. */
  find(trap: Candidate): CompiledRule | undefined {
    if (this.#known.size === 0) return undefined
    for (const rule of this.#concerning(trap)) if (rule.filtersConcerned(trap)) return rule
    return undefined
  }

  #concerning(trap: Candidate): Concerning {
    const { deviceId, oid, eventOid, own } = trap
    if (own) return this.#search(trap)
    const key = eventOid === oid ? oid : `${oid} ${eventOid}`
    const device = Number(deviceId)
    const known = this.#found.get(device)?.get(key)
    if (known) return known
    const rules = this.#search(trap)
    if (this.#foundCount >= cacheLimit) this.#forget()
    this.#foundCount += 1
    const events = this.#found.get(device) ?? new Map<string, Concerning>()
    this.#found.set(device, events.set(key, rules))
    return rules
  }

  #search(trap: Candidate): Concerning {
    const found = new Set<CompiledRule>()
    for (const device of [trap.deviceId, undefined]) {
      const events = this.#shelves.get(device)
      if (!events) continue
      for (const event of [undefined, ...ancestors(trap.oid), ...ancestors(trap.eventOid)]) {
        for (const rule of events.get(event) ?? []) if (rule.concerns(trap)) found.add(rule)
      }
    }
    return found.size === 0 ? none : [...found].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  #forget(): void {
    if (this.#foundCount === 0) return
    this.#found.clear()
    this.#foundCount = 0
  }
}
