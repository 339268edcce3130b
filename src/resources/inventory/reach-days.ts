// How devices answered over time: how many questions, for how long, and after what time. A row is a day of a device, with
// its half hours as text as long as they are kept: they are added at its end, whichever node measured them.

import { inChunks } from '../../store/chunked-work.ts'
import { bulk, type Database, type Reader, type Row, type Transaction } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'

export const halfHour = 1_800_000
const day = 48 * halfHour
/** Days for which half hours are kept, and days themselves. */
export const halfHourDays = 8
export const keptDays = 400

/** What was measured in a stretch of time. */
export interface Measured {
  /** Questions that were answered, and those that were not. */
  readonly answers: number
  readonly losses: number
  /** Seconds. */
  readonly answering: number
  readonly silent: number
  /** Round trips: how many, their sum and the longest, in microseconds. */
  readonly trips: number
  readonly tripSum: number
  readonly tripMax: number
}

/** A half hour of a device, or a part of it. */
export interface MeasuredHalfHour extends Measured {
  readonly deviceId: bigint
  /** Half hours since 1970. */
  readonly slot: number
}

/** When it began, in milliseconds. */
export interface MeasuredStep extends Measured {
  readonly time: number
}

const names = ['answers', 'losses', 'answering', 'silent', 'trips', 'tripSum', 'tripMax'] as const
const columns = ['answers', 'losses', 'answering', 'silent', 'trips', 'trip_sum', 'trip_max'] as const
const slotsADay = day / halfHour

const added = columns
  .filter((name) => name !== 'trip_max')
  .map((name) => `${name} = reach_day.${name} + excluded.${name}`)
const writeHalfHour = bulk(
  `insert into reach_day (device_id, day, ${columns.join(', ')}, half_hours) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
   on conflict (device_id, day) do update set ${added.join(', ')},
     trip_max = case when excluded.trip_max > reach_day.trip_max then excluded.trip_max else reach_day.trip_max end,
     half_hours = reach_day.half_hours || excluded.half_hours`,
  [
    ...(['bigint', 'integer', 'integer', 'integer', 'bigint', 'bigint'] as const),
    ...(['integer', 'bigint', 'bigint', 'text'] as const),
  ],
)
const sums = columns
  .map((name) => `cast(${name === 'trip_max' ? 'max' : 'sum'}(${name}) as bigint) as ${name}`)
  .join(', ')
const existing = bulk('select id from device where id = ?', ['bigint'])

/** Of a device that was deleted meanwhile, nothing is written. */
export async function writeHalfHours(tx: Transaction, measured: readonly MeasuredHalfHour[]): Promise<void> {
  const ids = [...new Set(measured.map(({ deviceId }) => deviceId))]
  const rows = await tx.allEach(
    existing,
    ids.map((id) => [id]),
  )
  const known = new Set(rows.map((row) => row.id))
  const byDay = new Map<string, MeasuredHalfHour & { text: string }>()
  for (const one of measured) {
    if (!known.has(one.deviceId)) continue
    const key = `${one.deviceId} ${dayOf(one)}`
    const before = byDay.get(key)
    // One statement may touch a row only once.
    byDay.set(key, {
      ...one,
      ...(before && sumOf([before, one])),
      text: `${before?.text ?? ''}${lineOf(one)}`,
    })
  }
  await tx.runEach(
    writeHalfHour,
    Array.from(byDay.values(), (one) => [
      ...[one.deviceId, dayOf(one), ...names.map((name) => one[name])],
      one.text,
    ]),
  )
}

const dayOf = ({ slot }: { readonly slot: number }) => Math.floor(slot / slotsADay)

const lineOf = (one: MeasuredHalfHour) =>
  `${one.slot % slotsADay}:${names.map((name) => one[name]).join(',')}\n`

export function sumOf(parts: readonly Measured[]): Measured {
  const sum = (name: Exclude<(typeof names)[number], 'tripMax'>) =>
    parts.reduce((all, one) => all + one[name], 0)
  return {
    ...{ answers: sum('answers'), losses: sum('losses'), answering: sum('answering'), silent: sum('silent') },
    ...{ trips: sum('trips'), tripSum: sum('tripSum') },
    tripMax: parts.reduce((most, one) => Math.max(most, one.tripMax), 0),
  }
}

/** From the days that overlap a period, those of one device: whole, in the order of time. */
export async function readDays(
  reader: Reader,
  deviceId: bigint,
  from: number,
  until: number,
): Promise<MeasuredStep[]> {
  const rows = await reader.all(
    `select day, ${columns.join(', ')} from reach_day where device_id = ? and day >= ? and day <= ? order by day`,
    [deviceId, Math.floor(from / day), Math.floor((until - 1) / day)],
  )
  return rows.map((row) => ({ time: Number(row.day) * day, ...measuredIn(row) }))
}

/** The half hours of a device that overlap a period, as far as they are kept. */
export async function readHalfHours(
  reader: Reader,
  deviceId: bigint,
  from: number,
  until: number,
): Promise<MeasuredStep[]> {
  const rows = await reader.all(
    "select day, half_hours from reach_day where device_id = ? and day >= ? and day <= ? and half_hours <> '' order by day",
    [deviceId, Math.floor(from / day), Math.floor((until - 1) / day)],
  )
  return rows.flatMap(halfHoursOf).filter(({ time }) => time + halfHour > from && time < until)
}

/** What was measured of each of these devices in a period: whole days, and of others their half hours. */
export async function measuredOf(
  reader: Reader,
  ids: readonly bigint[],
  period: { readonly begin: number; readonly end: number },
): Promise<Map<bigint, Measured>> {
  const [first, last] = [Math.floor(period.begin / day), Math.floor((period.end - 1) / day)]
  const isWhole = (at: number) => at * day >= period.begin && (at + 1) * day <= period.end
  const rows = await allWithValues(
    reader,
    ids,
    (marks) =>
      `select device_id, ${sums} from reach_day
       where device_id in (${marks}) and day >= ${isWhole(first) ? first : first + 1} and day <= ${isWhole(last) ? last : last - 1}
       group by device_id`,
  )
  const found = new Map(rows.map((row) => [row.device_id as bigint, [measuredIn(row)]]))
  for (const edge of new Set([first, last])) {
    if (isWhole(edge)) continue
    const cut = await allWithValues(
      reader,
      ids,
      (marks) =>
        `select device_id, day, half_hours from reach_day where device_id in (${marks}) and day = ${edge} and half_hours <> ''`,
    )
    for (const row of cut) {
      const id = row.device_id as bigint
      const within = halfHoursOf(row).filter(
        ({ time }) => time >= period.begin && time + halfHour <= period.end,
      )
      if (within.length > 0) found.set(id, [...(found.get(id) ?? []), sumOf(within)])
    }
  }
  return new Map(Array.from(found, ([id, parts]) => [id, sumOf(parts)]))
}

function measuredIn(row: Row): Measured {
  const number = (name: (typeof columns)[number]) => Number(row[name])
  return {
    ...{ answers: number('answers'), losses: number('losses'), answering: number('answering') },
    ...{ silent: number('silent'), trips: number('trips') },
    ...{ tripSum: number('trip_sum'), tripMax: number('trip_max') },
  }
}

/** Several nodes, or one that began anew, may have measured parts of the same half hour. */
function halfHoursOf(row: Row): MeasuredStep[] {
  const bySlot = new Map<number, Measured[]>()
  for (const line of String(row.half_hours).split('\n')) {
    const [slot = '', values = ''] = line.split(':')
    if (values === '') continue
    const numbers = values.split(',').map(Number)
    const one = Object.fromEntries(names.map((name, at) => [name, numbers[at] ?? 0])) as unknown as Measured
    bySlot.set(Number(slot), [...(bySlot.get(Number(slot)) ?? []), one])
  }
  return Array.from(bySlot, ([slot, parts]) => ({
    time: Number(row.day) * day + slot * halfHour,
    ...sumOf(parts),
  })).toSorted((a, b) => a.time - b.time)
}

const oldDays = 'select device_id, day from reach_day where day < ? order by day, device_id limit ?'
const removed = bulk('delete from reach_day where device_id = ? and day = ?', ['bigint', 'integer'])
const oldHalfHours =
  "select device_id, day from reach_day where day < ? and half_hours <> '' order by day limit ?"
const shortened = bulk("update reach_day set half_hours = '' where device_id = ? and day = ?", [
  'bigint',
  'integer',
])

/** Removes what is kept no longer. */
export async function tidyDays(database: Database, isOver: () => boolean): Promise<void> {
  const today = Math.floor(database.now() / day)
  const parts = [
    { find: oldDays, before: today - keptDays, change: removed },
    { find: oldHalfHours, before: today - halfHourDays, change: shortened },
  ]
  for (const { find, before, change } of parts) {
    await inChunks(
      database,
      async (tx, limit) => {
        const rows = await tx.all(find, [before, limit])
        await tx.runEach(
          change,
          rows.map((row) => [row.device_id as bigint, Number(row.day)]),
        )
        return rows.length
      },
      { isOver },
    )
  }
}
