// Evaluates custom templates: records of a list, or counts by kind.

import type { ReadSelection, SelectedColumn } from '../resources/reports/report-data.ts'
import { columnOf } from '../schema/resource.ts'
import { instant } from '../schema/scalar.ts'
import type { Row } from '../store/database.ts'
import { whereClause } from '../store/where.ts'
import type { ReportInput } from './report.ts'
import {
  type Column,
  type Content,
  cellLimit,
  column,
  figure,
  rowLimit,
  section,
  type Value,
} from './report-document.ts'
import { dayIn, daysOf, dayText } from './report-period.ts'
import { type Clause, together } from './report-scope.ts'

const groupLimit = 1000

/** Records with a device can be restricted to some devices. */
const deviceColumns: Readonly<Record<string, string>> = {
  alarm: 'device_id',
  trap: 'device_id',
  device: 'id',
}

export async function makeSelection(input: ReportInput, selection: ReadSelection): Promise<Content> {
  const { data, columns, groupBy } = selection
  const where = conditionsOf(input, selection)
  const { name } = data.collection.table
  const [count] = await input.reader.all(`select count(*) as n from ${name}${where.sql}`, where.values)
  const total = Number(count?.n ?? 0n)
  const grouped = groupBy === undefined ? [] : [await groups(input, selection, where)]
  const order = data.time === undefined ? 'id' : `${timeOf(selection)} desc, id desc`
  const rows = await input.reader.all(
    `select ${columns.map(bounded).join(', ')} from ${name}${where.sql} order by ${order} limit ${rowLimit}`,
    where.values,
  )
  const listed = section(
    'Records',
    columns.map(columnFor),
    rows.map((row) => columns.map((one) => shownOf(one, row[one.column] ?? null))),
    { total },
  )
  return {
    remarks: [],
    figures: [figure('Records', total)],
    // Where they are counted, naming columns adds the records themselves.
    sections: groupBy === undefined || selection.named ? [...grouped, listed] : grouped,
  }
}

/** No more of a text is read than is shown. */
const bounded = ({ column, field }: SelectedColumn) =>
  field.scalar.column === 'text' ? `substr(${column}, 1, ${cellLimit + 1}) as ${column}` : column

const timeOf = ({ data }: ReadSelection) => columnOf(data.collection.resource, data.time ?? '')

function conditionsOf({ period, scope, request }: ReportInput, selection: ReadSelection): Clause {
  const { data, conditions } = selection
  const { resource } = data.collection
  const where = whereClause(conditions)
  const parts: Clause[] = [{ sql: where.sql === '' ? ' where 1 = 1' : where.sql, values: where.parameters }]
  if (data.time !== undefined) {
    const time = timeOf(selection)
    parts.push({ sql: ` and ${time} >= ? and ${time} < ?`, values: [period.begin, period.end] })
  }
  const device = deviceColumns[resource.name]
  if (device !== undefined) parts.push(scope.places(device))
  if (request.level.length > 0 && resource.name === 'alarm') {
    const marks = request.level.map(() => '?').join(', ')
    parts.push({ sql: ` and alarm_level in (${marks})`, values: request.level })
  }
  return together(parts)
}

const isTime = ({ field }: SelectedColumn) => field.scalar === (instant as unknown)

function columnFor(one: SelectedColumn): Column {
  const numeric = one.field.scalar.facets.base === 'int' && one.name === 'count'
  return column(one.name, one.name, isTime(one) ? 'time' : numeric ? 'number' : 'text')
}

const levelWords = ['', 'Critical', 'Major', 'Minor', 'Warning', 'Info']

function shownOf(one: SelectedColumn, value: Row[string]): Value {
  if (value === null || value === undefined) return null
  if (isTime(one)) return value === 0n ? null : Number(value)
  if (one.name === 'alarmLevel') return levelWords[Number(value)] ?? String(value)
  return one.field.scalar.write(one.field.scalar.fromSql(value as string | bigint))
}

async function groups(input: ReportInput, selection: ReadSelection, where: Clause) {
  const { data, groupBy, chart } = selection
  const { name } = data.collection.table
  const draw = chart === 'none' ? {} : { chart: { kind: chart, label: 'key', series: ['count'] } as const }
  if (groupBy === 'day') return days(input, selection, where, draw)
  if (groupBy === undefined) throw new Error('nothing to group by')
  const [distinct] = await input.reader.all(
    `select count(*) as n from (select 1 as one from ${name}${where.sql} group by ${groupBy.column}) as g`,
    where.values,
  )
  const rows = await input.reader.all(
    `select ${groupBy.column} as member, count(*) as n from ${name}${where.sql} group by ${groupBy.column} order by n desc, ${groupBy.column} limit ${groupLimit}`,
    where.values,
  )
  return section(
    `By ${groupBy.name}`,
    [column('key', groupBy.name, isTime(groupBy) ? 'time' : 'text'), column('count', 'Count', 'number')],
    rows.map((row) => [shownOf(groupBy, row.member ?? null), Number(row.n)]),
    { total: Number(distinct?.n ?? 0n), ...draw },
  )
}

async function days(input: ReportInput, selection: ReadSelection, where: Clause, draw: object) {
  const { reader, period, zone } = input
  const counts = new Map(daysOf(period, zone).map((day) => [day, 0]))
  const day = dayIn(timeOf(selection), period, zone)
  const rows = await reader.all(
    `select ${day.sql} as day, count(*) as n from ${selection.data.collection.table.name}${where.sql} group by 1`,
    [...day.values, ...where.values],
  )
  for (const row of rows) counts.set(Number(row.day), Number(row.n))
  return section(
    'By day',
    [column('key', 'Day'), column('count', 'Count', 'number')],
    Array.from(counts, ([day, n]) => [dayText(day), n]),
    draw,
  )
}
