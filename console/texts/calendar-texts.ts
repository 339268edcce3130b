// The words of the calendar.

import { numberText } from './shared-texts.ts'

export const plannedTexts = {
  title: 'Calendar',
  about: (zone: string) =>
    `Maintenance windows and reports to come; a week also shows who is on call. Times are those of ${zone}. Windows that recur are shown from today on.`,
  viewLabel: 'View',
  views: { week: 'Week', month: 'Month' },
  today: 'Today',
  before: { week: 'Week before', month: 'Month before' },
  after: { week: 'Week after', month: 'Month after' },
  newOn: (day: string) => `New maintenance window on ${day}`,
  kinds: { window: 'Maintenance', report: 'Report', shift: 'On call' },
  span: (from: string, to: string) => `${from} to ${to}`,
  from: (time: string) => `from ${time}`,
  until: (time: string) => `until ${time}`,
  allDay: 'all day',
  shift: (person: string, schedule: string) => `${person}, ${schedule}`,
  more: (count: number) => `${numberText(count)} more`,
}
