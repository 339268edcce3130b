// Translates the restrictions of a report into conditions on alarms and devices.

import { Fault } from '../fault.ts'
import { membersOf, readViews } from '../resources/inventory/custom-view.ts'
import { defaultZone } from '../resources/inventory/zone.ts'
import type { Reader, SqlValue } from '../store/database.ts'
import type { RunRequest } from './report.ts'

export interface Clause {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

const marks = (values: readonly unknown[]) => values.map(() => '?').join(', ')
const nothing: Clause = { sql: '', values: [] }

/** The most devices of a view that are looked up one by one. */
const viewLimit = 10_000

export class Scope {
  readonly #request: RunRequest
  /** The devices that are named, themselves or by a view; undefined: any. */
  readonly #devices: readonly bigint[] | undefined
  /** The restriction in words. */
  readonly words: readonly (readonly [string, string])[]

  private constructor(
    request: RunRequest,
    devices: readonly bigint[] | undefined,
    words: readonly (readonly [string, string])[],
  ) {
    this.#request = request
    this.#devices = devices
    this.words = words
  }

  static async read(reader: Reader, request: RunRequest): Promise<Scope> {
    const words: [string, string][] = []
    const names = async (field: 'device' | 'zone' | 'segment' | 'view', sql: string, label: string) => {
      if (request[field].length === 0) return
      words.push([label, (await namesOf(reader, field, sql, request[field])).join(', ')])
    }
    await names('device', 'select id, label as name from device where id', 'Devices')
    await names('view', 'select id, name from custom_view where id', 'Views')
    await names('zone', 'select id, name from zone where id', 'Zones')
    await names('segment', 'select id, name from ip_scope where id', 'Segments')
    for (const [field, label] of wordFields) {
      if (request[field].length > 0) words.push([label, request[field].join(', ')])
    }
    return new Scope(request, await devicesOf(reader, request), words)
  }

  /** A condition on a column with ids of devices; it begins with `and`, where there is any. */
  places(column: string): Clause {
    const parts: Clause[] = []
    const devices = this.#devices
    if (devices) {
      parts.push(
        devices.length === 0
          ? { sql: ' and 1 = 0', values: [] }
          : { sql: ` and ${column} in (${marks(devices)})`, values: devices },
      )
    }
    const zones = this.#request.zone
    if (zones.length > 0) {
      // Senders that are not devices, or no longer are, belong to the default zone.
      const sql = zones.includes(defaultZone)
        ? ` and ${column} not in (select id from device where zone_id not in (${marks(zones)}))`
        : ` and ${column} in (select id from device where zone_id in (${marks(zones)}))`
      parts.push({ sql, values: zones })
    }
    return together(parts)
  }

  /** The same on alarms, and on what they are about. */
  alarms(alias: string): Clause {
    const { level, category, event } = this.#request
    return together([
      this.places(`${alias}.device_id`),
      oneOf(`${alias}.alarm_level`, level),
      oneOf(`${alias}.alarm_category`, category),
      oneOf(`${alias}.oid`, event),
    ])
  }
}

const wordFields = [
  ['level', 'Levels'],
  ['category', 'Categories'],
  ['event', 'Events'],
  ['maintainer', 'Maintainers'],
  ['operator', 'Operators'],
] as const

export const oneOf = (column: string, values: readonly SqlValue[]): Clause =>
  values.length === 0 ? nothing : { sql: ` and ${column} in (${marks(values)})`, values }

export const together = (clauses: readonly Clause[]): Clause => ({
  sql: clauses.map(({ sql }) => sql).join(''),
  values: clauses.flatMap(({ values }) => values),
})

/** Refuses an id that does not exist: a report about nothing would look like one without faults. */
async function namesOf(
  reader: Reader,
  field: string,
  sql: string,
  ids: readonly bigint[],
): Promise<string[]> {
  const rows = await reader.all(`${sql} in (${marks(ids)})`, ids)
  const names = new Map(rows.map((row) => [row.id, String(row.name)]))
  return ids.map((id) => {
    const name = names.get(id)
    if (name === undefined) throw new Fault('invalid', `${field} ${id} does not exist`, { field })
    return name
  })
}

async function devicesOf(reader: Reader, request: RunRequest): Promise<bigint[] | undefined> {
  const { device, view } = request
  if (view.length === 0) return device.length === 0 ? undefined : device
  const members = membersOf(await readViews(reader))
  const inViews = new Set<bigint>()
  for (const id of view) {
    const held = members.get(id)
    if (held === 'all') return device.length === 0 ? undefined : device
    for (const one of held ?? []) inViews.add(one)
  }
  const both = device.length === 0 ? [...inViews] : device.filter((id) => inViews.has(id))
  if (both.length <= viewLimit) return both
  const message = `these views hold ${both.length} devices: expected at most ${viewLimit}. A zone has no limit`
  throw new Fault('invalid', message, { field: 'view' })
}
