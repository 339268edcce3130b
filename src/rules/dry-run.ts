// Finds out which stored traps a rule would have filtered, part by part. It runs in the thread for long reads, so that
// the service does not wait for it. Each part is short, so that other long reads get their turn.

import { EventCatalog, type EventDefinition } from '../events/event-catalog.ts'
import type { Variable } from '../events/naming.ts'
import { otherSpelling } from '../resources/alarms/trap-event.ts'
import type { TrapRule } from '../resources/alarms/trap-rule.ts'
import { type Device, devices } from '../resources/inventory/device.ts'
import type { Reader, Row, SqlValue } from '../store/database.ts'
import { find } from '../store/table.ts'
import { interfacesOf } from './candidate.ts'
import { type Candidate, CompiledRule } from './rules.ts'
import { isAlways } from './validity-period.ts'
import { ZoneTime } from './zone-time.ts'

export interface DryRunPart {
  /** The same for all parts of one dry run, which share a compiled rule. */
  readonly run: string
  readonly rule: TrapRule
  readonly timeZone: string
  /** Traps with ids above `after`, up to `until`. */
  readonly after: bigint
  readonly until: bigint
}

export interface Found {
  /** The last id examined; a part stops when its time is over. */
  readonly last: bigint
  readonly examined: number
  readonly filtered: number
  /** Alarms that would not have been raised, by level. */
  readonly alarms: ReadonlyMap<number, number>
  /** The first traps filtered, by id. */
  readonly examples: readonly bigint[]
}

export const exampleLimit = 10
const partMilliseconds = 40
const idsAtOnce = 2000n
/** A query takes some ten thousand values at most; with more, the rule is applied to every trap instead. */
const valueLimit = 1000

/** Dry runs in progress. */
const runs = new Map<string, Run>()
const runLimit = 4

export async function work(reader: Reader, part: DryRunPart): Promise<Found> {
  const run = runs.get(part.run) ?? (await newRun(reader, part))
  const ends = performance.now() + partMilliseconds
  const alarms = new Map<number, number>()
  const examples: bigint[] = []
  let [last, examined, filtered] = [part.after, 0, 0]
  while (last < part.until && performance.now() < ends) {
    let until = last + idsAtOnce
    if (until > part.until) until = part.until
    const rows = await reader.all(run.sql, [last, until, ...run.parameters])
    await run.readInterfaces(reader, rows)
    for (const row of rows) {
      const trap = new StoredTrap(row, run)
      if (row.bin === 'collapsed' && run.isRecoveryOnly(trap)) continue
      examined += 1
      if (!run.compiled.filters(trap)) continue
      filtered += 1
      if (examples.length < exampleLimit) examples.push(row.id as bigint)
      if (row.bin !== 'raised') continue
      const level = Number(row.alarm_level ?? run.eventOf(String(row.oid))?.level ?? 5)
      alarms.set(level, (alarms.get(level) ?? 0) + 1)
    }
    last = until
  }
  return { last, examined, filtered, alarms, examples }
}

async function newRun(reader: Reader, { run: name, rule, timeZone }: DryRunPart): Promise<Run> {
  const catalog = await EventCatalog.read(reader)
  const run = new Run(rule, new ZoneTime(timeZone), catalog)
  const [oldest] = runs.keys()
  if (runs.size >= runLimit && oldest !== undefined) runs.delete(oldest)
  runs.set(name, run)
  return run
}

/** The state that the parts of one dry run share. */
class Run {
  readonly compiled: CompiledRule
  readonly sql: string
  readonly parameters: readonly SqlValue[]
  readonly #catalog: EventCatalog
  readonly #events = new Map<string, EventDefinition | undefined>()
  readonly #byInterface: boolean
  readonly #interfaces = new Map<bigint, ReadonlyMap<string, string>>()

  constructor(rule: TrapRule, zone: ZoneTime, catalog: EventCatalog) {
    this.compiled = new CompiledRule(rule, zone)
    this.#catalog = catalog
    this.#byInterface = rule.trapInterfaces.length > 0
    const hasParameters = rule.trapDevice.some((entry) => entry.trapFilterEventParasInfo.length > 0)
    const { conditions, values } = this.#conditions()
    const columns = ['id', 'oid', 'device_id', 'bin']
    // Reading a column takes longer than testing it, and variables are most of a trap.
    if (!isAlways(rule)) columns.push('received_time')
    const needsVariables = hasParameters || this.#byInterface
    // Those of a collapsed trap may say that it was a recovery.
    columns.push(needsVariables ? 'variables' : "case when bin = 'collapsed' then variables end as variables")
    this.sql = `select ${columns.join(', ')},
      case when bin = 'raised' then (select alarm_level from alarm where alarm.id = trap.alarm_id) end as alarm_level
      from trap where id > ? and id <= ? and ${conditions.join(' and ')} order by id`
    this.parameters = values
  }

  /** Conditions in SQL that select the stored traps which the rule could match. */
  #conditions(): { conditions: string[]; values: SqlValue[] } {
    const { devices: ids, events } = this.compiled
    // Datagrams that were never decoded have no version.
    const conditions = ["bin not in ('recovered', 'refused', 'malformed')", "version <> ''"]
    const values: SqlValue[] = []
    if (!ids.includes(undefined) && ids.length <= valueLimit) {
      conditions.push(`device_id in (${ids.map(() => '?').join(', ')})`)
      values.push(...ids.map((id) => id ?? 0n))
    }
    const named = events.flatMap((oid) => (oid === undefined ? [] : [oid]))
    const others = this.#catalog.below(named).map(otherSpelling)
    if (named.length === events.length && others.length <= valueLimit) {
      // In ASCII, '/' follows '.': everything that begins with the OID and a full stop lies between the two.
      const tests = named.map(() => 'oid = ? or (oid > ? and oid < ?)')
      values.push(...named.flatMap((oid) => [oid, `${oid}.`, `${oid}/`]))
      if (others.length > 0) tests.push(`oid in (${others.map(() => '?').join(', ')})`)
      values.push(...others)
      conditions.push(`(${tests.join(' or ')})`)
    }
    return { conditions, values }
  }

  eventOf(oid: string): EventDefinition | undefined {
    const known = this.#events.get(oid)
    if (known || this.#events.has(oid)) return known
    const event = this.#catalog.find(oid)
    this.#events.set(oid, event)
    return event
  }

  /** A collapsed recovery ended a flapping alarm, which passes whatever the rules say. */
  isRecoveryOnly({ oid, values }: Candidate): boolean {
    return this.eventOf(oid)?.effectOf(values).kind === 'end'
  }

  valuesOf(oid: string, variables: readonly Variable[]): Candidate['values'] {
    return this.#catalog.read(this.eventOf(oid), variables)
  }

  /** Reads the interface names of the devices in these rows, if the rule needs them. */
  async readInterfaces(reader: Reader, rows: readonly Row[]): Promise<void> {
    if (!this.#byInterface) return
    for (const { device_id: id } of rows) {
      if (this.#interfaces.has(id as bigint)) continue
      const device = id === null ? undefined : await find(reader, devices.table, id as bigint)
      const known = (device as Device | undefined)?.interfaces ?? []
      this.#interfaces.set(
        id as bigint,
        new Map(known.map(({ ifIndex, ifDesc }) => [String(ifIndex), String(ifDesc)])),
      )
    }
  }

  interfaces(deviceId: bigint): ReadonlyMap<string, string> {
    return this.#interfaces.get(deviceId) ?? noInterfaces
  }
}

const noInterfaces: ReadonlyMap<string, string> = new Map()

type StoredVariable = Omit<Variable, 'value'> & { value?: string }

/** A stored trap as rules see it. Expensive parts are computed when they are needed. */
class StoredTrap implements Candidate {
  readonly oid: string
  readonly deviceId: bigint
  readonly at: number
  readonly own = false
  readonly #row: Row
  readonly #run: Run
  #variables: readonly Variable[] | undefined
  #values: Candidate['values'] | undefined

  constructor(row: Row, run: Run) {
    this.oid = row.oid as string
    this.deviceId = row.device_id as bigint
    this.at = Number(row.received_time)
    this.#row = row
    this.#run = run
  }

  get eventOid(): string {
    return this.#run.eventOf(this.oid)?.oid ?? this.oid
  }

  get variables(): readonly Variable[] {
    // Not checked field by field, which would take most of the time: it was checked when it was stored.
    if (!this.#variables) {
      const stored: StoredVariable[] = JSON.parse(this.#row.variables as string)
      for (const variable of stored) variable.value ??= ''
      this.#variables = stored as Variable[]
    }
    return this.#variables
  }

  get values(): Candidate['values'] {
    this.#values ??= this.#run.valuesOf(this.oid, this.variables)
    return this.#values
  }

  get interfaces(): readonly string[] {
    return interfacesOf(this.values, this.#run.interfaces(this.deviceId))
  }
}
