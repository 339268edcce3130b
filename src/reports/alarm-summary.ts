// The report on alarms of a period by level, category, device and day, with times to acknowledgement and recovery.

import type { Row } from '../store/database.ts'
import { type Report, type ReportInput, times } from './report.ts'
import { column, figure, mean, section, type Value } from './report-document.ts'
import { dayIn, daysOf, dayText } from './report-period.ts'

const levels = ['Critical', 'Major', 'Minor', 'Warning', 'Info'] as const
const deviceRows = 1000
const worstRows = 10

export const alarmTakes = [...times, 'device', 'view', 'zone', 'level', 'category', 'event'] as const

export const alarmSummary: Report = {
  name: 'alarm/summary',
  words: 'alarms by level, category, device and day; the worst ten; times to acknowledge and to end',
  takes: alarmTakes,
  async make(input) {
    const rows = await sumsOf(input)
    const by = (dimension: string) => rows.filter((row) => row.dimension === dimension)
    const [all] = by('all')
    const total = all ? countsOf(all) : undefined
    return {
      remarks: [],
      figures: [
        figure('Alarms', total?.raised ?? 0),
        figure('Devices with alarms', Number(by('devices')[0]?.member ?? 0n)),
        figure('Acknowledged', total?.acknowledged ?? 0),
        figure('Mean time to acknowledge', total?.toAcknowledge ?? null, 'duration'),
        figure('Ended', total?.ended ?? 0),
        figure('Mean time to end', total?.toEnd ?? null, 'duration'),
      ],
      sections: [
        section('By level', countColumns('Level'), levelRows(by('level')), {
          chart: { kind: 'bars', label: 'key', series: ['raised'] },
        }),
        dayTable(input, by('day')),
        section('By category', countColumns('Category'), await categoryRows(input, by('category')), {
          chart: { kind: 'bars', label: 'key', series: ['raised'] },
        }),
        section('The worst ten devices', deviceColumns, deviceTable(by('worst')), {
          remark: 'By critical alarms, then by major ones, and so on.',
          chart: {
            kind: 'stack',
            label: 'key',
            series: levels.map((_, index) => `level${index + 1}`),
            levels: true,
          },
        }),
        section('By device', deviceColumns, deviceTable(by('device')), {
          total: Number(by('devices')[0]?.member ?? 0n),
        }),
      ],
    }
  },
}

const levelColumns = levels.map((word, index) => column(`level${index + 1}`, word, 'number'))
const countColumns = (label: string) => [
  column('key', label),
  column('raised', 'Alarms', 'number'),
  column('acknowledged', 'Acknowledged', 'number'),
  column('toAcknowledge', 'Mean time to acknowledge', 'duration'),
  column('ended', 'Ended', 'number'),
  column('toEnd', 'Mean time to end', 'duration'),
  column('longest', 'Longest', 'duration'),
]
const deviceColumns = [
  column('key', 'Device'),
  column('raised', 'Alarms', 'number'),
  ...levelColumns,
  column('toAcknowledge', 'Mean time to acknowledge', 'duration'),
  column('toEnd', 'Mean time to end', 'duration'),
]

/** All sums in one statement, so that the store reads the alarms of the period twice and returns few rows. */
async function sumsOf({ reader, scope, period, zone }: ReportInput): Promise<Row[]> {
  const where = scope.alarms('a')
  const day = dayIn('a.fault_time', period, zone)
  const ofPeriod = [period.begin, period.end, ...where.values]
  return reader.all(statement(where.sql, day.sql), [...ofPeriod, ...day.values, ...ofPeriod])
}

const sum = (name: string, of = name) => `cast(sum(${of}) as bigint) as ${name}`
const largest = (of: string) => `cast(max(${of}) as bigint) as longest`

const added = ['raised', 'acked', 'ack_time', 'ended', 'end_time']
const perLevel = levels.map((_, index) => `level${index + 1}`)
const names = [...added, 'longest', ...perLevel].join(', ')
const sums = [
  ...added.map((name) => sum(name)),
  largest('longest'),
  ...perLevel.map((name, index) => sum(name, `case when alarm_level = ${index + 1} then raised else 0 end`)),
].join(', ')
const sumsOfSums = [
  ...added.map((name) => sum(name)),
  largest('longest'),
  ...perLevel.map((name) => sum(name)),
].join(', ')

const grouped = (dimension: string, member: string, from: string) =>
  `select '${dimension}' as dimension, cast(${member} as bigint) as member, '' as host, '' as name, ${sumsOfSums} from ${from}`
const ofDevices = (dimension: string, order: string, limit: number) =>
  `select * from (select '${dimension}' as dimension, device_id as member, host, name, ${names} from by_device order by ${order}, device_id, host limit ${limit}) as ${dimension}`

/** Once by device, level and category together, of which all else is a sum, and once by day. */
const statement = (conditions: string, day: string) => `with a as (
  select a.alarm_level, a.alarm_category, a.device_id, a.device_name,
    case when a.device_id = 0 then a.device_ip else '' end as host,
    case when a.first_ack_time > 0 then 1 else 0 end as acked,
    case when a.first_ack_time > a.fault_time then a.first_ack_time - a.fault_time else 0 end as ack_time,
    a.rec_status as ended,
    case when a.rec_status = 1 and a.rec_time > a.fault_time then a.rec_time - a.fault_time else 0 end as end_time
  from alarm a where a.fault_time >= ? and a.fault_time < ? and a.is_receover_fault = 0${conditions}),
cell as materialized (
  select device_id, host, alarm_level, alarm_category, max(device_name) as name, count(*) as raised,
    ${sum('acked')}, ${sum('ack_time')}, ${sum('ended')}, ${sum('end_time')}, ${largest('end_time')}
  from a group by device_id, host, alarm_level, alarm_category),
by_device as materialized (
  select device_id, host, max(name) as name, ${sums} from cell group by device_id, host),
by_kind as materialized (
  select alarm_level, alarm_category, ${sums} from cell group by alarm_level, alarm_category),
by_day as (
  select day, count(*) as raised, 0 as acked, 0 as ack_time, 0 as ended, 0 as end_time, 0 as longest,
    ${perLevel.map((name, index) => sum(name, `case when alarm_level = ${index + 1} then 1 else 0 end`)).join(', ')}
  from (select ${day} as day, a.alarm_level
    from alarm a where a.fault_time >= ? and a.fault_time < ? and a.is_receover_fault = 0${conditions}) as d
  group by day)
${grouped('all', '0', 'by_kind')} having count(*) > 0
union all ${grouped('level', 'alarm_level', 'by_kind')} group by alarm_level
union all ${grouped('category', 'alarm_category', 'by_kind')} group by alarm_category
union all select 'day', cast(day as bigint), '', '', ${names} from by_day
union all ${grouped('devices', 'count(*)', 'by_device')} having count(*) > 0
union all ${ofDevices('device', 'raised desc', deviceRows)}
union all ${ofDevices('worst', 'level1 desc, level2 desc, level3 desc, level4 desc, raised desc', worstRows)}`

function countsOf(row: Row) {
  const number = (name: string) => Number(row[name])
  return {
    raised: number('raised'),
    acknowledged: number('acked'),
    toAcknowledge: mean(number('ack_time'), number('acked')),
    ended: number('ended'),
    toEnd: mean(number('end_time'), number('ended')),
    longest: number('ended') === 0 ? null : number('longest'),
  }
}

const countRow = (key: string, row: Row): Value[] => [key, ...Object.values(countsOf(row))]

const levelRows = (rows: readonly Row[]) =>
  levels.flatMap((word, index) => {
    const row = rows.find(({ member }) => Number(member) === index + 1)
    return row ? [countRow(word, row)] : []
  })

async function categoryRows({ reader }: ReportInput, rows: readonly Row[]): Promise<Value[][]> {
  const known = await reader.all('select id, name from alarm_category')
  const names = new Map(known.map((row) => [row.id, String(row.name)]))
  return rows
    .toSorted((a, b) => Number(b.raised) - Number(a.raised))
    .map((row) => countRow(names.get(row.member ?? null) ?? `Category ${row.member}`, row))
}

const levelCounts = (row: Row) => levels.map((_, index) => Number(row[`level${index + 1}`]))

const deviceTable = (rows: readonly Row[]) =>
  rows.map((row) => {
    const { raised, toAcknowledge, toEnd } = countsOf(row)
    return [deviceWords(row), raised, ...levelCounts(row), toAcknowledge, toEnd]
  })

/** Hosts that are no devices are named by their address. */
export const deviceWords = (row: Row): string =>
  row.host === '' || row.name === row.host || row.host === '127.0.0.1'
    ? String(row.name)
    : `${row.name} (${row.host})`

/** Every day of the period has its row, also one without alarms. */
function dayTable({ period, zone }: ReportInput, counted: readonly Row[]) {
  const days = new Map(daysOf(period, zone).map((day) => [day, [0, 0, 0, 0, 0, 0]]))
  for (const row of counted) days.set(Number(row.member), [Number(row.raised), ...levelCounts(row)])
  const columns = [column('key', 'Day'), column('raised', 'Alarms', 'number'), ...levelColumns]
  const rows = Array.from(days, ([day, counts]) => [dayText(day), ...counts])
  const series = levelColumns.map(({ name }) => name)
  return section('By day', columns, rows, { chart: { kind: 'stack', label: 'key', series, levels: true } })
}
