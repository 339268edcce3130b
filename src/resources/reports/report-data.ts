// The data that custom report templates can select: records of some lists, by the filters of those lists.

import { Fault, shown } from '../../fault.ts'
import { type Condition, queryPairs } from '../../schema/list-filter.ts'
import { columnOf, type ScalarField } from '../../schema/resource.ts'
import { text } from '../../schema/scalar.ts'
import { auditLog } from '../access/audit-log.ts'
import { alarms } from '../alarms/alarm.ts'
import { traps } from '../alarms/trap.ts'
import type { Collection } from '../collection.ts'
import { assignedIps } from '../inventory/assigned-ip-info.ts'
import { devices } from '../inventory/device.ts'
import { macAccessBinds } from '../inventory/mac-access-bind.ts'

export interface ReportData {
  readonly collection: Collection
  /** The time field by which a record belongs to the period of a report; records without one are those of now. */
  readonly time?: string
  /** The columns that are shown if a template names none. */
  readonly defaultColumns: readonly string[]
  readonly always?: Condition
  readonly forAdministrators?: true
}

const faults: Condition = { kind: 'equals', column: 'is_receover_fault', value: 0 }

const reportData: Readonly<Record<string, ReportData>> = {
  alarm: {
    collection: alarms,
    time: 'faultTime',
    defaultColumns: ['faultTime', 'deviceName', 'alarmLevel', 'alarmDesc', 'recTime'],
    always: faults,
  },
  trap: {
    collection: traps,
    time: 'receivedTime',
    defaultColumns: ['receivedTime', 'sourceIp', 'eventName', 'bin', 'reason'],
  },
  device: {
    collection: devices,
    defaultColumns: ['label', 'ip', 'typeName', 'location', 'zoneId'],
  },
  assignedIpInfo: {
    collection: assignedIps,
    defaultColumns: ['ip', 'name', 'description', 'parentId'],
  },
  macAccessBind: {
    collection: macAccessBinds,
    defaultColumns: ['terminalMac', 'terminalName', 'bindType', 'maintainer'],
  },
  audit: {
    collection: auditLog,
    time: 'time',
    defaultColumns: ['time', 'name', 'action', 'resource', 'resourceId'],
    forAdministrators: true,
  },
}

const names = Object.keys(reportData)
export const dataName = text({
  pattern: { source: names.join('|'), accepted: `one of ${names.join(', ')}` },
})

const chartKinds = ['none', 'bars', 'line'] as const
export const chartName = text({
  pattern: { source: chartKinds.join('|'), accepted: `one of ${chartKinds.join(', ')}` },
})

/** The selection of a template, as it is written there. */
export interface Selection {
  readonly data: string | null
  /** Fields with commas between them. */
  readonly columns: string | null
  /** As in the query string of the list: `alarmLevel=1,2&zoneId=3`. */
  readonly filter: string | null
  readonly groupBy: string | null
  readonly chart: string | null
}

export interface SelectedColumn {
  readonly name: string
  readonly column: string
  readonly field: ScalarField
}

export interface ReadSelection {
  readonly data: ReportData
  readonly columns: readonly SelectedColumn[]
  /** Whether the template names them. */
  readonly named: boolean
  readonly conditions: readonly Condition[]
  /** A column, or the days of the period. */
  readonly groupBy: SelectedColumn | 'day' | undefined
  readonly chart: (typeof chartKinds)[number]
}

/** Reads the data of a template that names it; throws a fault that names the field. */
export function readSelection(selection: Selection): ReadSelection {
  const data = reportData[selection.data ?? '']
  if (!data) throw new Fault('invalid', `expected ${dataName.accepted}`, { field: 'data' })
  const names = selection.columns?.split(',').map((name) => name.trim()) ?? data.defaultColumns
  if (new Set(names).size < names.length) {
    throw new Fault('invalid', 'a column is named twice', { field: 'columns' })
  }
  const { groupBy, chart } = selection
  if (chart !== null && chart !== 'none' && groupBy === null) {
    throw new Fault('invalid', 'a chart needs groups: give groupBy as well', { field: 'chart' })
  }
  return {
    data,
    columns: names.map((name) => selected(data, name, 'columns')),
    named: selection.columns !== null,
    conditions: [...(data.always ? [data.always] : []), ...readConditions(data, selection.filter ?? '')],
    groupBy: groupBy === null ? undefined : readGroup(data, groupBy),
    chart: (chart ?? 'none') as ReadSelection['chart'],
  }
}

/** The columns that can be shown, by the names of their fields. */
export function columnsOf({ collection }: ReportData): string[] {
  return Object.entries(collection.resource.fields).flatMap(([name, field]) =>
    field.kind === 'scalar' && field.origin !== 'derived' && field.origin !== 'secret' ? [name] : [],
  )
}

function selected(data: ReportData, name: string, place: string): SelectedColumn {
  const { resource } = data.collection
  if (!columnsOf(data).includes(name)) {
    const message = `${shown(name)} is not accepted: expected ${columnsOf(data).join(', ')}`
    throw new Fault('invalid', message, { field: place })
  }
  return { name, column: columnOf(resource, name), field: resource.fields[name] as ScalarField }
}

function readGroup(data: ReportData, name: string): SelectedColumn | 'day' {
  if (name !== 'day') return selected(data, name, 'groupBy')
  if (data.time !== undefined) return 'day'
  throw new Fault('invalid', 'these records have no time: they cannot be grouped by day', {
    field: 'groupBy',
  })
}

function readConditions({ collection }: ReportData, filter: string): Condition[] {
  const { filters } = collection.list
  const conditions: Condition[] = []
  for (const [name, value] of queryPairs(filter)) {
    const known = Object.hasOwn(filters, name) ? filters[name] : undefined
    if (!known) {
      const message = `${shown(name)} is not accepted: expected ${Object.keys(filters).join(', ')}`
      throw new Fault('invalid', message, { field: 'filter' })
    }
    try {
      const condition = known.read(value)
      if (condition) conditions.push(condition)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      throw new Fault('invalid', `${name}: ${error.message}`, { field: 'filter', cause: error })
    }
  }
  return conditions
}
