// What a report is to those who run it.

import type { ReportName } from '../resources/reports/report-type.ts'
import type { ZoneTime } from '../rules/zone-time.ts'
import type { Reader } from '../store/database.ts'
import type { Content, ValueTexts } from './document.ts'
import type { Period } from './period.ts'
import type { ParameterName, RunRequest } from './request.ts'
import type { Scope } from './scope.ts'

/** All that a report may look at: one moment of the store, and what was asked. */
export interface Looking {
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
  /** What it tells, in a sentence. */
  readonly words: string
  readonly takes: readonly ParameterName[]
  readonly forAdministrators?: true
  make(looking: Looking): Promise<Content>
}
