// What is planned in the demo: maintenance windows of the next days, and reports that are made every week.

import type { ZoneTime } from '../../rules/zone-time.ts'
import { weekdayOf } from '../../rules/zone-time.ts'
import { askJson } from '../service-connection.ts'
import type { StoryDevice } from './demo-incident.ts'

const dayMs = 24 * 3600 * 1000
const dayText = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)

const saturday = 6

/** One tomorrow morning, and one at the next weekend that crosses midnight. */
export async function planWindows(
  url: string,
  devices: readonly StoryDevice[],
  zone: ZoneTime,
  now: number,
): Promise<void> {
  const { day: today } = zone.local(now)
  const weekend = today + ((saturday - weekdayOf(today) + 7) % 7 || 7)
  const [core, ups] = ['core1', 'ups'].map((role) => devices.find(({ label }) => label.includes(role)))
  const reason = 'Planned by the demo'
  const plans = [
    ...(core
      ? [
          {
            ...{ name: `${core.label}, new line cards`, device: [core.id] },
            ...{ startDay: dayText(weekend), startTime: '22:00' },
            ...{ endDay: dayText(weekend + 1), endTime: '02:00' },
          },
        ]
      : []),
    ...(ups
      ? [
          {
            ...{ name: `${ups.label}, battery test`, device: [ups.id] },
            ...{ startDay: dayText(today + 1), startTime: '06:00' },
            ...{ endDay: dayText(today + 1), endTime: '07:30' },
          },
        ]
      : []),
  ]
  for (const plan of plans)
    await askJson(`${url}/fault/maintenance`, 'POST', { ...plan, reason, exectimeType: 2 })
}

const weeklyReports = ['Alarm Summary', 'Device Availability'] as const

async function templateIds(url: string): Promise<string[]> {
  const path = `${url}/report/reportTemplate?reportDefinedType=0&size=100`
  const { reportTemplate = [] } = await askJson<{ reportTemplate?: { id: string; name: string }[] }>(path)
  const named = (name: string) => reportTemplate.find((template) => template.name === name)?.id
  return weeklyReports.map(named).filter((id) => id !== undefined)
}

/** Of the week before. */
export async function makeReports(url: string): Promise<void> {
  for (const id of await templateIds(url))
    await askJson(`${url}/report/reportTemplate/${id}/run`, 'POST', { period: 'week' })
}

export async function scheduleReports(url: string): Promise<void> {
  for (const templateId of await templateIds(url))
    await askJson(`${url}/report/reportSchedule`, 'POST', {
      ...{ templateId, every: 'weekly', weekDay: 1, time: '06:00', keep: 12, enabled: true },
    })
}
