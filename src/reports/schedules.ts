// Runs scheduled reports when they are due, limits the number of stored results, and reports failures.

import { Fault } from '../fault.ts'
import { addResult, keepNewest } from '../resources/reports/report-result.ts'
import { type ReportSchedule, type Rhythm, reportSchedules } from '../resources/reports/report-schedule.ts'
import { type ReportTemplate, reportTemplates } from '../resources/reports/report-template.ts'
import { monthOf, weekdayOf, type ZoneTime } from '../rules/zone-time.ts'
import type { Database } from '../store/database.ts'
import { find } from '../store/table.ts'
import { runElement } from './report.ts'
import type { Reports } from './runs.ts'

type Times = Pick<ReportSchedule, 'every' | 'time' | 'weekDay' | 'monthDay'>

const daysAhead = 62

/**
 * The first moment after another at which it is due; a local time that the clock skips is due when the clock goes on.
 */
export function nextRun({ every, time, weekDay, monthDay }: Times, zone: ZoneTime, after: number): number {
  const [hours = 0, minutes = 0] = (time ?? '00:30').split(':').map(Number)
  const secondOfDay = hours * 3600 + minutes * 60
  const today = zone.local(after).day
  for (let day = today; day <= today + daysAhead; day += 1) {
    const at = zone.instant(day, secondOfDay)
    if (at > after && isDay(every as Rhythm, day, weekDay ?? 1, monthDay ?? 1)) return at
  }
  throw new Error('no day is due within two months')
}

function isDay(every: Rhythm, day: number, weekDay: number, monthDay: number): boolean {
  if (every === 'daily') return true
  if (every === 'weekly') return weekdayOf(day) === weekDay
  const { dayOfMonth, lastOfMonth } = monthOf(day)
  return dayOfMonth === Math.min(monthDay, lastOfMonth)
}

/** A scheduled run is about the last whole one of these, unless its parameters say otherwise. */
const spanOf: Readonly<Record<Rhythm, string>> = { daily: 'day', weekly: 'week', monthly: 'month' }

/** The state of a schedule after a check. */
export interface Outcome {
  readonly schedule: ReportSchedule
  readonly name: string
  readonly failure: string | undefined
}

const scheduleTable = reportSchedules.table

export class Schedules {
  readonly #database: Database
  readonly #reports: Reports
  readonly #clock: () => number

  constructor(database: Database, reports: Reports, clock: () => number) {
    this.#database = database
    this.#reports = reports
    this.#clock = clock
  }

  /**
   * Runs what is due, one after the other; returns the outcome of each. What was missed while the service was down is
   * run once, for the newest time. `isOver` leaves the rest for the next call.
   */
  async runDue(isOver: () => boolean): Promise<Outcome[]> {
    const rows = await this.#database.all(
      `select ${scheduleTable.form.shown} from report_schedule where enabled = 1 and next_time <= ? order by next_time, id limit 100`,
      [this.#clock()],
    )
    const outcomes: Outcome[] = []
    for (const row of rows) {
      if (isOver()) break
      const schedule = scheduleTable.form.toRecord(row) as ReportSchedule
      // It is new, or was changed: its due time has not been computed yet.
      if (schedule.nextTime === 0) await this.#setNext(schedule)
      else outcomes.push(await this.#run(schedule))
    }
    return outcomes
  }

  #setNext(schedule: ReportSchedule): Promise<number> {
    return this.#database.transaction((tx) =>
      tx.run('update report_schedule set next_time = ? where id = ? and next_time = 0', [
        nextRun(schedule, this.#reports.zone, this.#clock()),
        schedule.id,
      ]),
    )
  }

  async #run(schedule: ReportSchedule): Promise<Outcome> {
    const began = this.#clock()
    const template = (await find(this.#database, reportTemplates.table, schedule.templateId)) as
      | ReportTemplate
      | undefined
    const name = template?.name ?? ''
    const failure = template ? await this.#failureOf(template, schedule) : 'its template does not exist'
    await this.#database.transaction(async (tx) => {
      if (failure !== undefined && template) {
        await addResult(
          tx,
          {
            templateId: template.id,
            scheduleId: schedule.id,
            name,
            report: '',
            confined: await this.#reports.isConfined(template).catch(() => true),
            beginTime: 0,
            endTime: 0,
            madeTime: began,
            milliseconds: 0n,
            runBy: '',
            failure,
          },
          undefined,
        )
      }
      await keepNewest(tx, { scheduleId: schedule.id }, schedule.keep ?? 1)
      // After the time at which this run began: what became due while the report was made is run next. A schedule that
      // was changed meanwhile has another time, or none yet.
      await tx.run(
        'update report_schedule set next_time = case when next_time = ? then ? else next_time end, last_time = ?, failure = ? where id = ?',
        [
          schedule.nextTime,
          nextRun(schedule, this.#reports.zone, began),
          began,
          failure ?? null,
          schedule.id,
        ],
      )
    })
    return { schedule, name, failure }
  }

  async #failureOf(template: ReportTemplate, schedule: ReportSchedule): Promise<string | undefined> {
    try {
      await this.#reports.run(template, runElement(await this.#parametersOf(template, schedule)), {
        name: '',
        scheduleId: schedule.id,
        leaderDatabase: this.#database,
      })
      return undefined
    } catch (error) {
      // A failure that a caller could not have caused is a bug, and logged as one; the schedule goes on all the same.
      return error instanceof Fault
        ? error.message
        : `an error inside the service: ${(error as Error).message}`
    }
  }

  async #parametersOf(template: ReportTemplate, { every, parameter }: ReportSchedule) {
    const { takes } = await this.#reports.describe(template)
    const says = (name: string) => parameter.some(({ parameterName }) => parameterName === name)
    const isTimed = ['beginTime', 'endTime', 'period'].some(says) || !takes.includes('period')
    return isTimed ? parameter : [...parameter, { parameterName: 'period', value: spanOf[every as Rhythm] }]
  }

  /** Those whose last run failed, by their ids. */
  async failing(): Promise<Set<bigint>> {
    const rows = await this.#database.all(
      'select id from report_schedule where enabled = 1 and failure is not null',
    )
    return new Set(rows.map((row) => row.id as bigint))
  }
}
