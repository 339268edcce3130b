// The registry of all reports, by name.

import type { ReportName } from '../resources/reports/report-type.ts'
import { addressUse } from './address-use.ts'
import { alarmSources } from './alarm-sources.ts'
import { alarmSummary } from './alarm-summary.ts'
import { deviceAvailability, interfaceAvailability } from './availability.ts'
import { bindingsInventory } from './bindings-report.ts'
import { operatorChanges } from './operator-changes.ts'
import type { Report } from './report.ts'
import { trapSenders } from './trap-senders.ts'

export const allReports: readonly Report[] = [
  alarmSummary,
  alarmSources,
  deviceAvailability,
  interfaceAvailability,
  addressUse,
  bindingsInventory,
  trapSenders,
  operatorChanges,
]

export function reportNamed(name: ReportName): Report {
  const found = allReports.find((report) => report.name === name)
  if (!found) throw new Error(`there is no report ${name}`)
  return found
}
