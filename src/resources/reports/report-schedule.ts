// Schedules of report templates, and how many results are kept.

import { Fault } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import {
  assigned,
  derived,
  groups,
  optional,
  type RecordOf,
  required,
  resource,
} from '../../schema/resource.ts'
import { bool, instant, int, long, text } from '../../schema/scalar.ts'
import { collection } from '../collection.ts'

const rhythms = ['daily', 'weekly', 'monthly'] as const
export type Rhythm = (typeof rhythms)[number]

const rhythm = text({ pattern: { source: rhythms.join('|'), accepted: `one of ${rhythms.join(', ')}` } })
const timeOfDay = text({
  pattern: { source: '([01][0-9]|2[0-3]):[0-5][0-9]', accepted: 'a time of day as HH:mm' },
})

export const reportSchedule = resource(
  'reportSchedule',
  {
    id: assigned(long),
    templateId: required(long),
    every: required(rhythm),
    /** Local time; 00:30 without. */
    time: optional(timeOfDay),
    /** With weekly, 0 is Sunday; Monday without. */
    weekDay: optional(int({ min: 0, max: 6 })),
    /** With monthly; a month that is too short runs it on its last day. The first without. */
    monthDay: optional(int({ min: 1, max: 31 })),
    enabled: optional(bool),
    /** How many of its results are kept. */
    keep: optional(int({ min: 1, max: 1000 })),
    /** The parameters of the run; a parameter with several values is repeated. */
    parameter: groups({ parameterName: required(text({ maxLength: 100 })), value: required(text()) }),
    nextTime: assigned(instant),
    lastTime: assigned(instant),
    /** Why its last run failed. */
    failure: optional(text()),
    createdBy: assigned(text()),
    lastResult: derived(text(), { mayBeAbsent: true }),
  },
  { table: 'report_schedule', key: 'id' },
)

export type ReportSchedule = RecordOf<typeof reportSchedule.fields>

const defaults = { time: '00:30', weekDay: 1, monthDay: 1, keep: 12 }

export const reportSchedules = collection({
  resource: reportSchedule,
  noun: 'report schedule',
  list: list('/report/reportSchedule', reportSchedule, {
    filters: ({ equals }) => ({ templateId: equals('templateId') }),
    orderBy: { id: 'id', nextTime: 'nextTime' },
  }),
  rules: {
    check({ every, weekDay, monthDay }) {
      if (weekDay !== null && every !== 'weekly') {
        throw new Fault('invalid', 'weekDay is accepted only with every=weekly', { field: 'weekDay' })
      }
      if (monthDay !== null && every !== 'monthly') {
        throw new Fault('invalid', 'monthDay is accepted only with every=monthly', { field: 'monthDay' })
      }
    },
    async saving(tx, record, before) {
      const [template] = await tx.all('select id from report_template where id = ?', [record.templateId])
      if (!template) {
        const message = `report template ${record.templateId} does not exist`
        throw new Fault('conflict', message, { field: 'templateId' })
      }
      record.time ??= defaults.time
      if (record.every === 'weekly') record.weekDay ??= defaults.weekDay
      if (record.every === 'monthly') record.monthDay ??= defaults.monthDay
      record.enabled ??= true
      record.keep ??= defaults.keep
      record.lastTime ??= 0
      record.failure = before?.failure ?? null
      record.createdBy ??= tx.actor?.name ?? ''
      // Computed in the time zone of the service, which is not known here; see src/reports/schedules.ts.
      record.nextTime = before && sameTimes(record, before) ? before.nextTime : 0
    },
    async deleting(tx, { id }) {
      await tx.run('update report_result set schedule_id = null where schedule_id = ?', [id])
    },
  },
})

const sameTimes = (one: ReportSchedule, other: ReportSchedule) =>
  (['every', 'time', 'weekDay', 'monthDay', 'enabled'] as const).every((name) => one[name] === other[name])
