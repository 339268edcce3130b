// The interface that every report implements.

import type { ReportName } from '../resources/reports/report-type.ts'
import type { ZoneTime } from '../rules/zone-time.ts'
import type { Reader } from '../store/database.ts'
import type { Content, ValueTexts } from './report-document.ts'
import type { Period } from './report-period.ts'
import type { Scope } from './report-scope.ts'
import type { ParameterName, RunRequest } from './run-request.ts'

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
