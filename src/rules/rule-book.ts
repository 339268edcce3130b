// Trap rules in force: which rule, if any, filters a trap. Rules are indexed by device and event, so that a trap meets
// only those that could concern it.

import { ancestors } from '../events/ancestors.ts'
import { type TrapRule, trapRules } from '../resources/trap-rule.ts'
import type { Database, Reader } from '../store/database.ts'
import { type Candidate, CompiledRule, Validities } from './rules.ts'
import type { ZoneTime } from './zone-time.ts'

const cacheLimit = 50_000

/** The rules that concern an event of a device, in the order of their ids. */
interface Concerning {
  /** What the definition called the event then: with another definition they may be others. */
  readonly eventOid: string
  readonly own: boolean
  readonly rules: readonly CompiledRule[]
}

export class RuleBook {
  readonly #database: Database
  readonly #zone: ZoneTime
  /** Device (or any) → event (or any) → rules. */
  #shelves = new Map<bigint | undefined, Map<string | undefined, CompiledRule[]>>()
  /** Device → event → rules, as they were found before. */
  readonly #found = new Map<bigint, Map<string, Concerning>>()
  #foundCount = 0
  #version = -1

  constructor(database: Database, zone: ZoneTime) {
    this.#database = database
    this.#zone = zone
  }

  /** Brings the rules up to date; a change takes effect with the next batch. */
  async refresh(reader: Reader): Promise<void> {
    const version = this.#database.version(trapRules.resource.table)
    if (version === this.#version) return
    const { form, name } = trapRules.table
    const rows = await reader.all(`select ${form.names} from ${name} order by id`)
    this.replace(rows.map((row) => form.toRecord(row) as TrapRule))
    this.#version = version
  }

  replace(rules: readonly TrapRule[]): void {
    this.#shelves = new Map()
    this.#forget()
    const validities = new Validities(this.#zone)
    for (const rule of rules) {
      const compiled = new CompiledRule(rule, this.#zone, validities)
      for (const device of compiled.devices) {
        const events = this.#shelves.get(device) ?? new Map<string | undefined, CompiledRule[]>()
        this.#shelves.set(device, events)
        for (const event of compiled.events) {
          const shelf = events.get(event)
          if (shelf) shelf.push(compiled)
          else events.set(event, [compiled])
        }
      }
    }
  }

  /** The first rule, by id, that filters the trap. */
  find(trap: Candidate): CompiledRule | undefined {
    if (this.#shelves.size === 0) return undefined
    for (const rule of this.#concerning(trap)) if (rule.filtersConcerned(trap)) return rule
    return undefined
  }

  #concerning(trap: Candidate): readonly CompiledRule[] {
    const { deviceId, oid, eventOid, own } = trap
    const ofDevice = this.#found.get(deviceId)
    const known = ofDevice?.get(oid)
    if (known && known.eventOid === eventOid && known.own === own) return known.rules
    const rules = this.#search(trap)
    if (this.#foundCount >= cacheLimit) this.#forget()
    if (!known) this.#foundCount += 1
    const events = this.#found.get(deviceId) ?? new Map<string, Concerning>()
    this.#found.set(deviceId, events.set(oid, { eventOid, own, rules }))
    return rules
  }

  #search(trap: Candidate): readonly CompiledRule[] {
    const found = new Set<CompiledRule>()
    for (const device of [trap.deviceId, undefined]) {
      const events = this.#shelves.get(device)
      if (!events) continue
      for (const event of [undefined, ...ancestors(trap.oid), ...ancestors(trap.eventOid)]) {
        for (const rule of events.get(event) ?? []) if (rule.concerns(trap)) found.add(rule)
      }
    }
    return [...found].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  #forget(): void {
    this.#found.clear()
    this.#foundCount = 0
  }
}
