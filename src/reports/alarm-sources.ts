// The devices that raised most alarms, and what they raised.

import { alarmTakes, deviceWords } from './alarm-summary.ts'
import { column, figure, section } from './document.ts'
import type { Looking, Report } from './report.ts'
import { oneOf } from './scope.ts'

const most = 10

export const alarmSources: Report = {
  name: 'alarm/top-sources',
  words: 'the ten devices with most alarms, and the events they were raised by',
  takes: alarmTakes,
  async make(looking) {
    const { devices, total } = await devicesOf(looking)
    const events = await eventsOf(looking, devices)
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

const ofPeriod = 'a.fault_time >= ? and a.fault_time < ? and a.is_receover_fault = 0'
const host = "case when a.device_id = 0 then a.device_ip else '' end"

interface Source {
  readonly id: bigint
  readonly host: string
  readonly words: string
  readonly raised: number
}

async function devicesOf({ reader, scope, period }: Looking): Promise<{ devices: Source[]; total: number }> {
  const where = scope.alarms('a')
  const values = [period.begin, period.end, ...where.values]
  const rows = await reader.all(
    `select a.device_id, ${host} as host, max(a.device_name) as name, count(*) as raised from alarm a where ${ofPeriod}${where.sql} group by a.device_id, ${host} order by raised desc, a.device_id, host limit ${most}`,
    values,
  )
  const [all] = await reader.all(`select count(*) as n from alarm a where ${ofPeriod}${where.sql}`, values)
  const devices = rows.map((row) => ({
    id: row.device_id as bigint,
    host: String(row.host),
    words: deviceWords(row),
    raised: Number(row.raised),
  }))
  return { devices, total: Number(all?.n ?? 0n) }
}

async function eventsOf({ reader, scope, period }: Looking, devices: readonly Source[]) {
  if (devices.length === 0) return []
  const where = scope.alarms('a')
  const ids = oneOf('a.device_id', [...new Set(devices.map(({ id }) => id))])
  const rows = await reader.all(
    `select a.device_id, ${host} as host, a.oid, max(a.event_name) as event, count(*) as raised from alarm a where ${ofPeriod}${where.sql}${ids.sql} group by a.device_id, ${host}, a.oid order by raised desc, a.oid`,
    [period.begin, period.end, ...where.values, ...ids.values],
  )
  return devices.flatMap((device) =>
    rows
      .filter((row) => row.device_id === device.id && row.host === device.host)
      .slice(0, most)
      .map((row) => [device.words, String(row.event), Number(row.raised)]),
  )
}
