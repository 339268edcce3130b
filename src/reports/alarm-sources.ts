// The report on the devices that raised the most alarms, and which ones.

import type { Row } from '../store/database.ts'
import { alarmTakes, deviceWords } from './alarm-summary.ts'
import type { Report, ReportInput } from './report.ts'
import { column, figure, section } from './report-document.ts'

const maxDevices = 10

export const alarmSources: Report = {
  name: 'alarm/top-sources',
  words: 'the ten devices with most alarms, and the events they were raised by',
  takes: alarmTakes,
  async make(input) {
    const { devices, events, total } = await countsOf(input)
    return {
      remarks: [],
      figures: [
        figure('Alarms', total),
        figure(
          'Of these ten',
          devices.reduce((sum, { raised }) => sum + raised, 0),
        ),
      ],
      sections: [
        section(
          'Devices with most alarms',
          [
            column('device', 'Device'),
            column('raised', 'Alarms', 'number'),
            column('share', 'Of all', 'share'),
          ],
          devices.map(({ words, raised }) => [words, raised, raised / Math.max(1, total)]),
          { chart: { kind: 'bars', label: 'device', series: ['raised'] } },
        ),
        section(
          'What they raised',
          [column('device', 'Device'), column('event', 'Event'), column('raised', 'Alarms', 'number')],
          events,
        ),
      ],
    }
  },
}

interface Source {
  readonly key: string
  readonly words: string
  readonly raised: number
}

const keyOf = (row: Row) => `${row.device_id} ${row.host}`

/** The alarms of the period are counted once, by source and event; the rest is sums of these. */
const statement = (conditions: string) => `with cell as materialized (
  select a.device_id, case when a.device_id = 0 then a.device_ip else '' end as host, a.oid,
    max(a.device_name) as name, max(a.event_name) as event, count(*) as raised
  from alarm a where a.fault_time >= ? and a.fault_time < ? and a.is_receover_fault = 0${conditions} group by 1, 2, 3),
source as materialized (
  select device_id, host, max(name) as name, cast(sum(raised) as bigint) as raised from cell group by device_id, host),
worst as materialized (select * from source order by raised desc, device_id, host limit ${maxDevices})
select 'source' as kind, device_id, host, name, '' as event, '' as oid, raised from worst
union all select 'all', 0, '', '', '', '', cast(sum(raised) as bigint) from source having count(*) > 0
union all select 'event', c.device_id, c.host, '', c.event, c.oid, c.raised
  from cell c join worst w on w.device_id = c.device_id and w.host = c.host
order by raised desc, device_id, host, oid`

async function countsOf({ reader, scope, period }: ReportInput) {
  const where = scope.alarms('a')
  const rows = await reader.all(statement(where.sql), [period.begin, period.end, ...where.values])
  const of = (kind: string) => rows.filter((row) => row.kind === kind)
  const devices = of('source').map(
    (row): Source => ({ key: keyOf(row), words: deviceWords(row), raised: Number(row.raised) }),
  )
  const events = devices.flatMap(({ key, words }) =>
    of('event')
      .filter((row) => keyOf(row) === key)
      .slice(0, maxDevices)
      .map((row) => [words, String(row.event), Number(row.raised)]),
  )
  return { devices, events, total: Number(of('all')[0]?.raised ?? 0n) }
}
