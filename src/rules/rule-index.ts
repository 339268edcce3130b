// All trap rules: finds the one, if any, that filters a trap. Rules are indexed by device and event, so that a trap is
// compared only with rules that could match it.

import { ancestors } from '../events/ancestors.ts'
import { TimeSlice } from '../pacing/time-slice.ts'
import { type TrapRule, trapRules } from '../resources/alarms/trap-rule.ts'
import type { Database, Reader, Row } from '../store/database.ts'
import { TableCache } from '../store/table-cache.ts'
import { type Candidate, CompiledRule, Validities } from './rules.ts'
import type { ZoneTime } from './zone-time.ts'

const cacheLimit = 50_000

/** The rules that could match an event of a device, by id. */
type Applicable = readonly CompiledRule[]

/** Shared by all events that no rule could match, which are most of them. */
const none: Applicable = []

interface KnownRule {
  /** The row as it was read, to detect changes. */
  readonly text: string
  readonly rule: CompiledRule
}

export class RuleIndex {
  readonly #zone: ZoneTime
  #validities: Validities
  readonly #known = new Map<bigint, KnownRule>()
  /** Device (or any) → event (or any) → rules. */
  readonly #index = new Map<bigint | undefined, Map<string | undefined, CompiledRule[]>>()
  /** A cache: device → event (and its definition's OID, where that is spelled differently) → rules. */
  readonly #found = new Map<number, Map<string, Applicable>>()
  #foundCount = 0
  readonly #cache: TableCache<void>

  constructor(database: Database, zone: ZoneTime) {
    this.#cache = new TableCache(database, trapRules.resource.table)
    this.#zone = zone
    this.#validities = new Validities(zone)
  }

  /** Reads changed rules and compiles them; a change takes effect with the next batch. */
  refresh(reader: Reader): Promise<void> {
    return this.#cache.get(reader, () => this.#read(reader))
  }

  async #read(reader: Reader): Promise<void> {
    const gone = new Set(this.#known.keys())
    for await (const row of ruleRows(reader)) {
      gone.delete(row.id as bigint)
      this.#update(row)
    }
    for (const id of gone) this.#remove(id)
  }

  #update(row: Row): void {
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
    // Validities of deleted rules would stay for ever.
    if (this.#validities.size > 2 * this.#known.size + 1000) this.#validities = new Validities(this.#zone)
    const rule = new CompiledRule(record, this.#zone, this.#validities)
    this.#known.set(rule.id, { text, rule })
    for (const device of rule.devices) {
      const events = this.#index.get(device) ?? new Map<string | undefined, CompiledRule[]>()
      this.#index.set(device, events)
      for (const event of rule.events) {
        const rules = events.get(event)
        if (rules) rules.push(rule)
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
      const events = this.#index.get(device)
      for (const event of rule.events) {
        const left = events?.get(event)?.filter((other) => other !== rule) ?? []
        if (left.length > 0) events?.set(event, left)
        else events?.delete(event)
      }
      if (events?.size === 0) this.#index.delete(device)
    }
    this.#forget()
  }

  /** The first rule, by id, that filters the trap. */
  find(trap: Candidate): CompiledRule | undefined {
    if (this.#known.size === 0) return undefined
    for (const rule of this.#applicable(trap)) if (rule.filtersApplicable(trap)) return rule
    return undefined
  }

  #applicable(trap: Candidate): Applicable {
    const { deviceId, oid, eventOid, own } = trap
    if (own) return this.#search(trap)
    const key = eventOid === oid ? oid : `${oid} ${eventOid}`
    const device = Number(deviceId)
    const known = this.#found.get(device)?.get(key)
    if (known) return known
    const rules = this.#search(trap)
    if (this.#foundCount >= cacheLimit) this.#forget()
    this.#foundCount += 1
    const events = this.#found.get(device) ?? new Map<string, Applicable>()
    this.#found.set(device, events.set(key, rules))
    return rules
  }

  #search(trap: Candidate): Applicable {
    const found = new Set<CompiledRule>()
    for (const device of [trap.deviceId, undefined]) {
      const events = this.#index.get(device)
      if (!events) continue
      for (const event of [undefined, ...ancestors(trap.oid), ...ancestors(trap.eventOid)]) {
        for (const rule of events.get(event) ?? []) if (rule.couldMatch(trap)) found.add(rule)
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

const readAtOnce = 50

/**
 * The stored rules by id, read a few at a time and with pauses for other work: there may be thousands, each with
 * thousands of devices.
 */
export async function* ruleRows(reader: Reader): AsyncGenerator<Row> {
  const { form, name } = trapRules.table
  const sql = `select ${form.names} from ${name} where id > ? order by id limit ${readAtOnce}`
  const timeSlice = new TimeSlice()
  let last = 0n
  for (;;) {
    const rows = await reader.all(sql, [last])
    for (const row of rows) {
      await timeSlice.step()
      yield row
    }
    if (rows.length < readAtOnce) return
    last = rows.at(-1)?.id as bigint
  }
}
