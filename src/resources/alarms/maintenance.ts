// Maintenance windows: a fault during a window becomes an alarm that is suppressed until the window is over.

import { Fault } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import {
  assigned,
  derived,
  empty,
  groups,
  optional,
  type RecordOf,
  required,
  resource,
  set,
} from '../../schema/resource.ts'
import { bool, fold, instant, int, long, oid, text } from '../../schema/scalar.ts'
import type { Database, Reader } from '../../store/database.ts'
import { collection, requireUnique } from '../collection.ts'
import { forgetHits } from './hits.ts'
import { checkValidity, validityFields } from './validity.ts'

const minute = 60_000
/** A year. */
const maxMinutes = 366 * 24 * 60

export const maintenance = resource(
  'maintenance',
  {
    id: assigned(long),
    name: required(text(), { keyed: true }),
    /** Who, and why. */
    owner: optional(text(), empty),
    reason: optional(text(), empty),
    /** When: as in a trap rule, or from now for this many minutes, or both. */
    ...validityFields,
    minutes: optional(int({ min: 1, max: maxMinutes }), empty),
    fromTime: assigned(instant),
    untilTime: assigned(instant),
    /** Where it was ended early: until when it is not in force. */
    endedFrom: assigned(instant),
    endedUntil: assigned(instant),
    /** What it covers: any of the places, and of the events, where some are named, one of these. */
    device: set(long),
    interface: groups({
      deviceId: required(long),
      ifIndex: optional(long, empty),
      ifDesc: optional(text(), empty),
    }),
    view: set(long),
    zone: set(long),
    event: set(oid),
    /** Whether it is in force, until when it is, and when it is next. */
    active: derived(bool),
    activeUntil: derived(instant),
    nextTime: derived(instant),
    /** The number of open alarms that it suppresses. */
    suppressed: derived(long),
    /** How many alarms it has held back since it was made, and when the last of them was raised. */
    hits: derived(long),
    lastHit: derived(instant),
  },
  { table: 'maintenance', key: 'id' },
)

export type Maintenance = RecordOf<typeof maintenance.fields>

const limitNames = ['startDay', 'endDay', 'startTime', 'endTime', 'selectedWeekDay', 'minutes'] as const
const coverNames = ['device', 'interface', 'view', 'zone', 'event'] as const

/** A window without a limit, or without anything that it covers, is a mistake that would silence the service. */
function check(window: Maintenance): void {
  checkValidity(window)
  if (limitNames.every((name) => window[name] === null)) {
    throw new Fault('invalid', `say when: at least one of ${limitNames.join(', ')}`, { field: 'startDay' })
  }
  if (coverNames.every((name) => window[name].length === 0)) {
    throw new Fault('invalid', `say what it covers: at least one of ${coverNames.join(', ')}`, {
      field: 'device',
    })
  }
  for (const [index, { ifIndex, ifDesc }] of window.interface.entries()) {
    if (ifIndex !== null || ifDesc !== null) continue
    throw new Fault('invalid', 'an interface needs its ifIndex or its ifDesc', {
      field: `interface[${index + 1}]`,
    })
  }
}

export const maintenances = collection({
  resource: maintenance,
  noun: 'maintenance window',
  list: list('/fault/maintenance', maintenance, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { id: 'id', name: 'name' },
  }),
  rules: {
    adapt(draft) {
      // Minutes that are sent again count from now; see below.
      if (draft.minutes !== undefined) draft.untilTime = 0
    },
    check,
    async saving(tx, window, before) {
      const unique = { table: 'maintenance', column: 'name_key', field: 'name', noun: 'maintenance window' }
      await requireUnique(tx, unique, fold(window.name), window.id, window.name)
      window.owner ??= tx.actor?.name ?? null
      setSpan(window, before, tx.now)
      if (before && changesTime(window, before)) Object.assign(window, { endedFrom: 0, endedUntil: 0 })
      window.endedFrom ??= 0
      window.endedUntil ??= 0
    },
    deleting: (tx, { id }) => forgetHits(tx, 'window', id),
  },
})

/** From now for this many minutes; a window that is already in force keeps its beginning. */
function setSpan(window: Maintenance, before: Maintenance | undefined, now: number): void {
  window.fromTime ??= 0
  window.untilTime ??= 0
  if (window.minutes === null) Object.assign(window, { fromTime: 0, untilTime: 0 })
  else if (window.untilTime === 0) {
    const runs = before && before.fromTime <= now && now < before.untilTime
    window.fromTime = runs ? before.fromTime : now
    window.untilTime = now + window.minutes * minute
  }
}

/** A window that was ended early and gets other times is in force at those. */
const changesTime = (window: Maintenance, before: Maintenance) =>
  window.untilTime !== before.untilTime || limitNames.some((name) => window[name] !== before[name])

export async function readMaintenances(reader: Reader): Promise<Maintenance[]> {
  const { form, name } = maintenances.table
  const rows = await reader.all(`select ${form.shown} from ${name} order by id`)
  return rows.map((row) => form.toRecord(row) as Maintenance)
}

/** The text that is stored with an alarm that a window suppresses. */
const prefix = 'maintenance '
export const suppressorOf = (id: bigint) => `${prefix}${id}`

/** The window in it. */
export const windowIn = (suppressor: string) => BigInt(suppressor.slice(prefix.length))

/**
 * How many open alarms each window holds back. Few sets of windows may hold back very many alarms: each set is counted
 * once.
 */
export async function showSuppressed(database: Database, windows: Maintenance[]): Promise<void> {
  const rows = await database.readInBackground(
    'select suppressed_by, count(*) as n from alarm where suppressed = 1 and rec_status = 0 group by suppressed_by',
  )
  const held = new Map<string, bigint>()
  for (const { suppressed_by, n } of rows) {
    for (const suppressor of JSON.parse(String(suppressed_by)) as string[]) {
      held.set(suppressor, (held.get(suppressor) ?? 0n) + BigInt(n as bigint))
    }
  }
  for (const window of windows) window.suppressed = held.get(suppressorOf(window.id)) ?? 0n
}
