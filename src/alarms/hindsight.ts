// Trap rules in hindsight: what a rule would have filtered of the traps that are kept, and why one was or was not.

import { setImmediate as breathe } from 'node:timers/promises'
import { devices } from '../resources/device.ts'
import { type TrapRecord, traps } from '../resources/trap.ts'
import { type TrapRule, trapRules } from '../resources/trap-rule.ts'
import type { RecordOf } from '../schema/resource.ts'
import type { Database, Row, SqlValue } from '../store/database.ts'
import { find } from '../store/table.ts'
import { EventCatalog } from './event-catalog.ts'
import { judged } from './judging.ts'
import { CompiledRule, type Judged } from './rules.ts'
import type { ZoneTime } from './zone-time.ts'

export interface DryRun {
  /** How many kept traps were looked at, and how many of them the rule would have filtered. */
  readonly examined: number
  readonly filtered: number
  /** How many alarms would not have been raised, by level. */
  readonly alarms: ReadonlyMap<number, number>
  readonly examples: readonly TrapRecord[]
}

const chunkSize = 500
const exampleLimit = 10
const noInterfaces: ReadonlyMap<string, string> = new Map()

type Device = RecordOf<typeof devices.resource.fields>

export class Hindsight {
  readonly #database: Database
  readonly #zone: ZoneTime
  readonly #catalog: EventCatalog

  constructor(database: Database, zone: ZoneTime) {
    this.#database = database
    this.#zone = zone
    this.#catalog = new EventCatalog(database)
  }

  /** Each trap is judged at its own time. Recoveries of what was raised always pass and are not counted. */
  async dryRun(rule: TrapRule): Promise<DryRun> {
    await this.#catalog.refresh(this.#database)
    const compiled = new CompiledRule(rule, this.#zone)
    const interfaces = new Map<bigint, ReadonlyMap<string, string>>()
    const alarms = new Map<number, number>()
    const examples: TrapRecord[] = []
    let examined = 0
    let filtered = 0
    for await (const rows of this.#candidates(compiled)) {
      for (const row of rows) {
        examined += 1
        const record = traps.table.form.toRecord(row) as TrapRecord
        if (!compiled.filters(await this.#judged(record, interfaces))) continue
        filtered += 1
        if (record.bin === 'raised') {
          const level = Number(row.alarm_level ?? this.#catalog.find(record.OID)?.level ?? 5)
          alarms.set(level, (alarms.get(level) ?? 0) + 1)
        }
        if (examples.length < exampleLimit) examples.push(record)
      }
      // Traps that come in now go first.
      await breathe()
    }
    return { examined, filtered, alarms, examples }
  }

  /** Kept traps that the rule could concern, as far as the store can tell. */
  async *#candidates({ devices: ids, events }: CompiledRule): AsyncGenerator<Row[]> {
    // What was never read has no version.
    const conditions = ["bin not in ('recovered', 'refused', 'malformed')", "version <> ''"]
    const parameters: SqlValue[] = []
    if (!ids.includes(undefined)) {
      conditions.push(`device_id in (${ids.map(() => '?').join(', ')})`)
      parameters.push(...ids.map((id) => id ?? 0n))
    }
    if (!events.includes(undefined)) {
      conditions.push(`(${events.map(() => "trap.oid = ? or trap.oid like ? escape '\\'").join(' or ')})`)
      parameters.push(...events.flatMap((oid) => [oid ?? '', `${oid}.%`]))
    }
    const names = traps.table.form.columns.map(({ name }) => `trap.${name}`).join(', ')
    const sql = `select ${names}, alarm.alarm_level from trap left join alarm on alarm.id = trap.alarm_id
      where trap.id > ? and ${conditions.join(' and ')} order by trap.id limit ?`
    for (let last = 0n; ; ) {
      const rows = await this.#database.longRead(sql, [last, ...parameters, chunkSize])
      if (rows.length > 0) yield rows
      if (rows.length < chunkSize) return
      last = rows.at(-1)?.id as bigint
    }
  }

  /** Why rules did or did not filter a trap, in a sentence. */
  async explain(record: TrapRecord): Promise<string> {
    await this.#catalog.refresh(this.#database)
    const { form, name } = trapRules.table
    const rows = await this.#database.all(`select ${form.names} from ${name} order by id`)
    const rules = rows.map((row) => new CompiledRule(form.toRecord(row) as TrapRule, this.#zone))
    const trap = await this.#judged(record, new Map())
    const failing = rules.map((rule) => ({
      rule,
      failed: rule.conditions.filter(({ holds }) => !holds(trap)),
    }))
    const title = ({ id, name: ruleName }: CompiledRule) =>
      `trap rule ${id}${ruleName === '' ? '' : ` (${ruleName})`}`
    const hit = failing.find(({ failed }) => failed.length === 0)
    if (record.bin === 'filtered') {
      return hit
        ? `Filtered by ${title(hit.rule)}`
        : `Filtered by ${record.reason}, which has been changed since`
    }
    if (hit && record.bin === 'recovered')
      return `It ends an alarm that was raised, so ${title(hit.rule)} lets it pass`
    if (hit) return `Passed; ${title(hit.rule)}, as it is now, would filter it`
    const near = failing.find(({ failed }) => failed.length === 1)
    if (!near) return 'No trap rule comes near it'
    return `Passed; ${title(near.rule)} would filter it but for its ${near.failed[0]?.name}`
  }

  async #judged(record: TrapRecord, interfaces: Map<bigint, ReadonlyMap<string, string>>): Promise<Judged> {
    const variables = record.variables.map(({ oid, type, value }) => ({ oid, type, value: value ?? '' }))
    const event = this.#catalog.find(record.OID)
    const values = this.#catalog.read(event, variables)
    let known = interfaces.get(record.deviceId)
    if (!known) {
      const device = (await find(this.#database, devices.table, record.deviceId)) as Device | undefined
      known = device
        ? new Map(device.interfaces.map(({ ifIndex, ifDesc }) => [String(ifIndex), ifDesc]))
        : noInterfaces
      interfaces.set(record.deviceId, known)
    }
    return judged(
      { oid: record.OID, deviceId: record.deviceId, at: record.receivedTime, variables },
      event,
      values,
      known,
    )
  }
}
