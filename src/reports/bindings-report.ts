// The report on bound terminals, and on violations of their bindings.

import { serviceEvents } from '../events/service-events.ts'
import type { Row } from '../store/database.ts'
import { type Report, type ReportInput, times } from './report.ts'
import { column, figure, rowLimit, section } from './report-document.ts'
import { type Clause, oneOf, together } from './report-scope.ts'

const kinds = new Map([
  [1n, 'anywhere'],
  [2n, 'at its interfaces'],
])
const drawn = 15

export const bindingsInventory: Report = {
  name: 'access/bindings',
  words: 'bound terminals by maintainer and device, and what was seen against their bindings',
  takes: [...times, 'device', 'view', 'zone', 'maintainer'],
  async make(input) {
    const where = bindingsOf(input)
    const { bindings, total } = await inventory(input, where)
    const byType = await countBy(input, where, 'b.bind_type')
    const maintainers = await countBy(input, where, "coalesce(b.maintainer, '')")
    const violations = await violationsOf(input)
    return {
      remarks: [],
      figures: [
        figure('Bindings', total),
        ...[...kinds].map(([type, words]) => {
          const row = byType.find(({ member }) => member === type)
          return figure(`Admitted ${words}`, Number(row?.n ?? 0n))
        }),
        figure('Violations', violations.length),
      ],
      sections: [
        section(
          'By maintainer',
          [column('maintainer', 'Maintainer'), column('count', 'Bindings', 'number')],
          maintainers.slice(0, drawn).map((row) => [String(row.member) || 'nobody', Number(row.n)]),
          {
            chart: { kind: 'bars', label: 'maintainer', series: ['count'] },
            total: maintainers.length,
          },
        ),
        section('Violations', violationColumns, violations.map(violationRow)),
        section('Bindings', bindingColumns, bindings, { total }),
      ],
    }
  },
}

/** The conditions on bindings: by the devices of their interfaces, and by maintainer. */
function bindingsOf({ scope, request }: ReportInput): Clause {
  const places = scope.places('i.device_id')
  const atPlaces: Clause =
    places.sql === ''
      ? { sql: '', values: [] }
      : {
          sql: ` and b.id in (select i.bind_id from mac_access_bind_interface i where 1 = 1${places.sql})`,
          values: places.values,
        }
  return together([atPlaces, oneOf('b.maintainer', request.maintainer)])
}

const countBy = ({ reader }: ReportInput, where: Clause, column: string): Promise<Row[]> =>
  reader.all(
    `select ${column} as member, count(*) as n from mac_access_bind b where 1 = 1${where.sql} group by ${column} order by n desc, member`,
    where.values,
  )

const bindingColumns = [
  column('terminal', 'Terminal'),
  column('name', 'Name'),
  column('maintainer', 'Maintainer'),
  column('type', 'Admitted'),
  column('interfaces', 'Interfaces'),
]

async function inventory({ reader }: ReportInput, where: Clause) {
  const [count] = await reader.all(
    `select count(*) as n from mac_access_bind b where 1 = 1${where.sql}`,
    where.values,
  )
  const rows = await reader.all(
    `select b.id, b.terminal_mac, b.terminal_name, b.maintainer, b.bind_type from mac_access_bind b where 1 = 1${where.sql} order by b.terminal_mac_key limit ${rowLimit}`,
    where.values,
  )
  const places = new Map<unknown, string[]>()
  for (let start = 0; start < rows.length; start += 500) {
    const ids = oneOf(
      'i.bind_id',
      rows.slice(start, start + 500).map((row) => row.id as bigint),
    )
    const found = await reader.all(
      `select i.bind_id, i.if_index, i.device_id, d.label from mac_access_bind_interface i left join device d on d.id = i.device_id where 1 = 1${ids.sql} order by i.bind_id, i.device_id, i.if_index`,
      ids.values,
    )
    for (const row of found) {
      const list = places.get(row.bind_id) ?? []
      list.push(`${row.label ?? `device ${row.device_id}`} ${row.if_index}`)
      places.set(row.bind_id, list)
    }
  }
  const bindings = rows.map((row) => [
    String(row.terminal_mac),
    String(row.terminal_name ?? ''),
    String(row.maintainer ?? ''),
    kinds.get(row.bind_type as bigint) ?? String(row.bind_type),
    (places.get(row.id) ?? []).join(', '),
  ])
  return { bindings, total: Number(count?.n ?? 0n) }
}

const violationColumns = [
  column('since', 'Since', 'time'),
  column('event', 'What'),
  column('device', 'Device'),
  column('text', 'Text'),
  column('until', 'Until', 'time'),
]

const violationRow = (row: Row) => [
  Number(row.fault_time),
  String(row.event_name),
  String(row.device_name),
  String(row.alarm_desc ?? ''),
  row.rec_status === 1n ? Number(row.rec_time) : null,
]

/** The service's own alarms about terminals: refused, seen elsewhere, with an address of another. */
const violating = Object.entries(serviceEvents)
  .filter(([name]) => /^(terminal|address)/.test(name))
  .map(([, { eventOid }]) => eventOid as string)

async function violationsOf({ reader, period, scope }: ReportInput): Promise<Row[]> {
  if (violating.length === 0) return []
  const events = oneOf('a.oid', violating)
  const places = scope.places('a.device_id')
  return reader.all(
    `select a.fault_time, a.event_name, a.device_name, a.alarm_desc, a.rec_time, a.rec_status from alarm a where a.fault_time >= ? and a.fault_time < ? and a.is_receover_fault = 0${events.sql}${places.sql} order by a.fault_time desc, a.id desc limit ${rowLimit}`,
    [period.begin, period.end, ...events.values, ...places.values],
  )
}
