// The report on changes by operators, from the audit log.

import { fold } from '../schema/scalar.ts'
import type { Row } from '../store/database.ts'
import { type Report, type ReportInput, times } from './report.ts'
import { column, figure, section } from './report-document.ts'
import { dayIn, daysOf, dayText } from './report-period.ts'
import { oneOf } from './report-scope.ts'

const newest = 200

export const operatorChanges: Report = {
  name: 'audit/changes',
  words: 'what each operator changed, from the audit log',
  takes: [...times, 'operator'],
  forAdministrators: true,
  async make(input) {
    const read = reading(input)
    const { table, entries, operators } = await byOperator(read)
    return {
      remarks: [],
      figures: [figure('Entries', entries), figure('Operators', operators)],
      sections: [table, await byDay(input, read), await byKind(read), await newestOf(read, entries)],
    }
  },
}

const counts = [column('entries', 'Entries', 'number'), column('records', 'Records', 'number')]
const sums = 'count(*) as entries, cast(sum(count) as bigint) as n'
const countsIn = (row: Row) => [Number(row.entries), Number(row.n)]

async function byOperator(read: Read) {
  const rows = await read(`name, ${sums}`, { by: 'name', order: 'entries desc, name' })
  const table = section(
    'By operator',
    [column('operator', 'Operator'), ...counts],
    rows.map((row) => [String(row.name), ...countsIn(row)]),
    { chart: { kind: 'bars', label: 'operator', series: ['entries'] } },
  )
  const entries = rows.reduce((sum, row) => sum + Number(row.entries), 0)
  return { table, entries, operators: rows.length }
}

async function byKind(read: Read) {
  const rows = await read(`name, resource, action, ${sums}`, {
    by: 'name, resource, action',
    order: 'name, entries desc, resource, action',
  })
  return section(
    'What was changed',
    [column('operator', 'Operator'), column('resource', 'Of what'), column('action', 'Action'), ...counts],
    rows.map((row) => [String(row.name), String(row.resource), String(row.action), ...countsIn(row)]),
  )
}

async function newestOf(read: Read, total: number) {
  const rows = await read('time, name, address, action, resource, resource_id, detail', {
    order: `time desc, id desc limit ${newest}`,
  })
  return section(
    'The newest entries',
    [
      column('time', 'Time', 'time'),
      column('operator', 'Operator'),
      column('address', 'From'),
      column('action', 'Action'),
      column('resource', 'Of what'),
      column('id', 'Id'),
      column('detail', 'Detail'),
    ],
    rows.map(({ time, name, address, action, resource, resource_id: id, detail }) => [
      Number(time),
      ...[name, address, action, resource, id, detail ?? ''].map(String),
    ]),
    { total },
  )
}

type Read = (
  columns: string,
  how: { readonly by?: string; readonly order: string; readonly values?: readonly number[] },
) => ReturnType<ReportInput['reader']['all']>

/** `values` are those of the columns. */
function reading({ reader, period, request }: ReportInput): Read {
  const names = oneOf('name_key', request.operator.map(fold))
  return (columns, { by, order, values = [] }) =>
    reader.all(
      `select ${columns} from audit where time >= ? and time < ?${names.sql}${by === undefined ? '' : ` group by ${by}`} order by ${order}`,
      [...values, period.begin, period.end, ...names.values],
    )
}

async function byDay({ period, zone }: ReportInput, read: Read) {
  const perDay = new Map(daysOf(period, zone).map((day) => [day, 0]))
  const { sql, values } = dayIn('time', period, zone)
  for (const row of await read(`${sql} as day, count(*) as n`, { by: '1', order: '1', values })) {
    perDay.set(Number(row.day), Number(row.n))
  }
  return section(
    'By day',
    [column('day', 'Day'), column('entries', 'Entries', 'number')],
    Array.from(perDay, ([day, n]) => [dayText(day), n]),
    { chart: { kind: 'line', label: 'day', series: ['entries'] } },
  )
}
