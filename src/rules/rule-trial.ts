// Applies trap rules to stored traps: what a rule would have filtered, and why a trap was or was not filtered.

import { randomUUID } from 'node:crypto'
import { EventCatalog } from '../events/event-catalog.ts'
import type { MibLibrary } from '../events/mib-library.ts'
import { type TrapRecord, trapSpan, traps } from '../resources/alarms/trap.ts'
import { type TrapRule, trapRules } from '../resources/alarms/trap-rule.ts'
import { devices } from '../resources/inventory/device.ts'
import type { RecordOf } from '../schema/resource.ts'
import type { Database } from '../store/database.ts'
import { find } from '../store/table.ts'
import { threadFile } from '../store/worker-thread.ts'
import { candidate } from './candidate.ts'
import { type DryRunPart, exampleLimit, type Found } from './dry-run.ts'
import { type Candidate, CompiledRule } from './rules.ts'
import { ZoneTime } from './zone-time.ts'

interface DryRun {
  /** The number of stored traps that were examined, and of those that the rule would have filtered. */
  readonly examined: number
  readonly filtered: number
  /** The number of alarms that would not have been raised, by level. */
  readonly alarms: ReadonlyMap<number, number>
  readonly examples: readonly TrapRecord[]
}

const dryRunModule = threadFile('./dry-run.ts', import.meta.url)
const noInterfaces: ReadonlyMap<string, string> = new Map()

type Device = RecordOf<typeof devices.resource.fields>

export class RuleTrial {
  readonly #database: Database
  readonly #timeZone: string
  readonly #zone: ZoneTime
  readonly #catalog: EventCatalog

  constructor(database: Database, modules: MibLibrary, timeZone: string) {
    this.#database = database
    this.#timeZone = timeZone
    this.#zone = new ZoneTime(timeZone)
    this.#catalog = new EventCatalog(database, modules)
  }

  /**
   * Each trap is checked at its own time. Recoveries of alarms that were raised always pass and are not counted. Stops
   * when the caller is gone.
   */
  async dryRun(rule: TrapRule, isGone: () => boolean): Promise<DryRun> {
    const { first, last: until } = await trapSpan(this.#database)
    const run = randomUUID()
    const alarms = new Map<number, number>()
    const examples: bigint[] = []
    let after = first - 1n
    let [examined, filtered] = [0, 0]
    while (after < until && !isGone()) {
      const part: DryRunPart = { run, rule, timeZone: this.#timeZone, after, until }
      const found = await this.#database.workInBackground<Found>(dryRunModule, part)
      after = found.last
      examined += found.examined
      filtered += found.filtered
      for (const [level, count] of found.alarms) alarms.set(level, (alarms.get(level) ?? 0) + count)
      examples.push(...found.examples.slice(0, exampleLimit - examples.length))
    }
    const records: TrapRecord[] = []
    for (const id of examples) {
      const record = (await find(this.#database, traps.table, id)) as TrapRecord | undefined
      if (record) records.push(record)
    }
    return { examined, filtered, alarms, examples: records }
  }

  /** Why rules did or did not filter a trap, in a sentence. */
  async explain(record: TrapRecord): Promise<string> {
    await this.#catalog.refresh(this.#database)
    const { form, name } = trapRules.table
    const rows = await this.#database.all(`select ${form.names} from ${name} order by id`)
    const rules = rows.map((row) => new CompiledRule(form.toRecord(row) as TrapRule, this.#zone))
    const trap = await this.#candidate(record, new Map())
    const failing = rules.map((rule) => ({
      rule,
      failed: rule.conditions.filter(({ isMet }) => !isMet(trap)),
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
    // A rule for another event does not come near, whatever its other conditions.
    const near = failing.find(
      ({ failed: [first, ...others] }) => others.length === 0 && first?.name !== 'event',
    )
    if (!near) return 'No trap rule comes near it'
    return `Passed; ${title(near.rule)} would filter it but for its ${near.failed[0]?.name}`
  }

  async #candidate(
    record: TrapRecord,
    interfaces: Map<bigint, ReadonlyMap<string, string>>,
  ): Promise<Candidate> {
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
    return candidate(
      { oid: record.OID, deviceId: record.deviceId, at: record.receivedTime, variables },
      event,
      values,
      known,
    )
  }
}
