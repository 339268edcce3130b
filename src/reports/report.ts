// The interface that every report implements.

import { Fault } from '../fault.ts'
import { alarmLevel } from '../resources/alarms/alarm.ts'
import type { ReportName } from '../resources/reports/report-type.ts'
import type { ZoneTime } from '../rules/zone-time.ts'
import { complete, type Element, readDraft } from '../schema/read-document.ts'
import { optional, type RecordOf, resource, set } from '../schema/resource.ts'
import { int, long, oid, text } from '../schema/scalar.ts'
import type { Reader } from '../store/database.ts'
import type { Content, ValueTexts } from './report-document.ts'
import { lastWhole, momentOf, momentText, type Period, type Span, spans } from './report-period.ts'
import type { Scope } from './report-scope.ts'

/** All that a report may use: one snapshot of the store, and the request. */
export interface ReportInput {
  readonly reader: Reader
  readonly period: Period
  readonly zone: ZoneTime
  readonly now: number
  readonly times: ValueTexts
  readonly scope: Scope
  readonly request: RunRequest
}

export interface Report {
  readonly name: ReportName
  /** What it shows, in a sentence. */
  readonly words: string
  readonly takes: readonly ParameterName[]
  readonly forAdministrators?: true
  make(input: ReportInput): Promise<Content>
}

// The parameters of a run, period and restrictions, from a request body or a schedule.

const span = text({
  pattern: { source: spans.join('|'), accepted: 'day, week or month: the last whole one' },
})

/** The parameters that there are; each report takes some of them. */
export const reportRun = resource(
  'reportRun',
  {
    beginTime: optional(momentText),
    endTime: optional(momentText),
    period: optional(span),
    device: set(long),
    view: set(long),
    zone: set(long),
    level: set(alarmLevel),
    category: set(int({ min: 1 })),
    event: set(oid),
    segment: set(long),
    maintainer: set(text({ maxLength: 200 })),
    operator: set(text({ maxLength: 200 })),
  },
  { table: 'report_result', key: 'period' },
)

export type RunRequest = RecordOf<typeof reportRun.fields>
export type ParameterName = keyof RunRequest

/** The most values of each list. */
const maxValues = 100
/** The longest period: ten years. */
const maxPeriod = 3660 * 24 * 3600 * 1000
const defaultDays = 7
const day = 24 * 3600 * 1000

export const times = ['beginTime', 'endTime', 'period'] as const satisfies readonly ParameterName[]

/** `accepted` are the parameters that the report takes. */
export function readRun(root: Element, accepted: readonly ParameterName[]): RunRequest {
  const request = complete(reportRun.fields, readDraft(reportRun, root, 'create')) as RunRequest
  for (const [name, value] of Object.entries(request) as [ParameterName, unknown][]) {
    const count = Array.isArray(value) ? value.length : value === null ? 0 : 1
    if (count > 0 && !accepted.includes(name)) {
      const message = `this report takes no parameter ${name}: expected ${accepted.join(', ')}`
      throw new Fault('invalid', message, { field: name })
    }
    if (count > maxValues) {
      throw new Fault('invalid', `${count} values are too many: expected at most ${maxValues}`, {
        field: name,
      })
    }
  }
  return request
}

/** Parameters by name and value, as a schedule stores them, as a document. */
export const runElement = (
  parameters: readonly { readonly parameterName: string; readonly value: string }[],
): Element => ({
  name: reportRun.name,
  text: '',
  items: parameters.map(({ parameterName, value }) => ({ name: parameterName, text: value, items: [] })),
})

/** Never beyond now: nothing has happened there. */
export function periodOf(request: RunRequest, zone: ZoneTime, now: number): Period {
  const { beginTime, endTime, period } = request
  if (period !== null) {
    const both = beginTime ?? endTime
    if (both === null) return lastWhole(period as Span, zone, now)
    throw new Fault('invalid', 'period cannot be combined with beginTime or endTime', { field: 'period' })
  }
  const end = Math.min(endTime === null ? now : momentOf(endTime, zone), now)
  const begin = beginTime === null ? end - defaultDays * day : momentOf(beginTime, zone)
  if (begin >= now) throw new Fault('invalid', 'beginTime is in the future', { field: 'beginTime' })
  if (begin >= end) throw new Fault('invalid', 'endTime does not lie behind beginTime', { field: 'endTime' })
  if (end - begin > maxPeriod) {
    throw new Fault('invalid', 'beginTime and endTime lie more than ten years apart', { field: 'beginTime' })
  }
  return { begin, end }
}
