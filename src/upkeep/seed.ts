// Seeds a new store with records, so that every operation can be tried at once.

import {
  type StandardEvent,
  alarmCategories as standardCategories,
  standardEvents,
  terminalEvents,
} from '../events/event-file.ts'
import { serviceEvents } from '../events/service-events.ts'
import { catalogueVersion, VendorCatalogue } from '../events/vendor-catalogue.ts'
import { operatorGroups, roleGroups } from '../resources/access/operator-group.ts'
import { alarmCategories } from '../resources/alarms/alarm-category.ts'
import { type TrapEvent, trapEvents } from '../resources/alarms/trap-event.ts'
import { trapRules } from '../resources/alarms/trap-rule.ts'
import { createIn } from '../resources/collection.ts'
import { customViews } from '../resources/inventory/custom-view.ts'
import { zones } from '../resources/inventory/zone.ts'
import { reportTemplates } from '../resources/reports/report-template.ts'
import type { ReportName } from '../resources/reports/report-type.ts'
import { fold } from '../schema/scalar.ts'
import { readCounters, setFirst } from '../store/counter.ts'
import type { Database, Transaction } from '../store/database.ts'
import { isSeededEarlier } from '../store/earlier-store.ts'
import { update } from '../store/table.ts'

/** Adds every record once in the life of a store: one that somebody has deleted does not come back. */
export async function seedStore(database: Database): Promise<void> {
  const catalogue = `events of vendors ${await catalogueVersion()}`
  await database.transaction(async (tx) => {
    if ((await setFirst(tx, 'seed')) && !(await isSeededEarlier(tx))) {
      await seedReports(tx)
      await seedInventory(tx)
      await seedEvents(tx)
    }
    const count = Object.keys(serviceEvents).length
    const seeded = await serviceEventsSeeded(tx, count)
    // Repeated when a version has more events. Versions append them, so those after the count are new to the store.
    if (await setFirst(tx, countMark(count))) await seedServiceEvents(tx, seeded)
    if (await setFirst(tx, catalogue)) await renewVendorEvents(tx)
  })
}

/** Definitions that nobody has changed become those of this version's catalogue. */
async function renewVendorEvents(tx: Transaction): Promise<void> {
  const { form, name } = trapEvents.table
  const rows = await tx.all(`select ${form.shown} from ${name} where source is not null`)
  if (rows.length === 0) return
  const vendors = new VendorCatalogue()
  await vendors.open()
  for (const row of rows) {
    const before = form.toRecord(row) as TrapEvent
    const event = vendors.find(before.eventOid)
    if (event) await update(tx, trapEvents.table, before.id, before, { ...event, id: before.id })
  }
}

const countMark = (count: number) => `${count} own events`

/** How many service events an earlier version has seeded; 0 in a new store. */
async function serviceEventsSeeded(tx: Transaction, most: number): Promise<number> {
  const counters = await readCounters(tx)
  for (let count = most; count > 0; count -= 1) if (counters.has(countMark(count))) return count
  return 0
}

const preDefined = 0
const custom = 1
const shared = {
  parameter: [
    { parameterName: 'beginTime', dataType: 'dateTime' },
    { parameterName: 'endTime', dataType: 'dateTime' },
  ],
  operatorGroup: [{ operatorGroupId: 1n, operatorGroupName: 'Administrator Group' }],
}

/** Pre-defined templates: name, type, and the report that they run. */
const templates: readonly (readonly [name: string, type: string, report: ReportName])[] = [
  ['Alarm Summary', 'Alarm Report', 'alarm/summary'],
  ['Top 10 Alarm Sources', 'Alarm Report', 'alarm/top-sources'],
  ['Device Availability', 'Availability Report', 'device/availability'],
  ['Interface Availability', 'Availability Report', 'interface/availability'],
  ['Assigned IP Usage', 'Access Report', 'access/ip-usage'],
  ['Terminal Access Bindings', 'Access Report', 'access/bindings'],
]
const furtherTemplates: typeof templates = [
  ['Top Trap Senders', 'Trap Report', 'trap/senders'],
  ['Changes by Operator', 'Audit Report', 'audit/changes'],
]

/** The reports of custom templates of these types that select none. */
const typeReports = new Map<string, ReportName>([
  ['Alarm Report', 'alarm/summary'],
  ['Availability Report', 'device/availability'],
  ['Access Report', 'access/ip-usage'],
])

async function seedReports(tx: Transaction): Promise<void> {
  for (const group of roleGroups) await createIn(tx, operatorGroups, { ...group })
  await seedTemplates(tx, templates)
  await createIn(tx, reportTemplates, {
    name: 'Weekly Core Alarms',
    location: 'custom/weekly-core-alarms',
    reportTypeName: 'Alarm Report',
    customeDef: custom,
    ...shared,
  })
  await seedTemplates(tx, furtherTemplates)
  for (const [type, report] of typeReports)
    await tx.run('update report_type set report = ? where name_key = ?', [report, fold(type)])
}

async function seedTemplates(tx: Transaction, rows: typeof templates): Promise<void> {
  for (const [name, reportTypeName, report] of rows) {
    const record = { name, reportTypeName, location: report, customeDef: preDefined, ...shared }
    const id = await createIn(tx, reportTemplates, record)
    // No caller may set it.
    await tx.run('update report_template set report = ? where id = ?', [report, id])
  }
}

async function seedInventory(tx: Transaction): Promise<void> {
  await createIn(tx, zones, { name: 'Default', description: 'Everything that is in no other zone' })
  // A rule by event without an event: it filters nothing, and is meant to be edited.
  await createIn(tx, trapRules, {
    trapRuleName: 'Maintenance window',
    trapGroup: -1,
    trapDevice: [{ displayName: 'any device', devID: 0, trapFilterEventParasInfo: [] }],
  })
  await createIn(tx, customViews, { name: 'All devices', allDevices: true })
  // The view that iMC-compatible clients start with.
  await createIn(tx, customViews, { name: 'My Network View', allDevices: true })
}

async function seedEvents(tx: Transaction): Promise<void> {
  for (const { id, name } of standardCategories) await createIn(tx, alarmCategories, { id: BigInt(id), name })
  for (const event of standardEvents) await seedEvent(tx, event)
  await seedServiceEvents(tx, 0)
  for (const event of terminalEvents) await seedEvent(tx, event)
}

async function seedEvent(tx: Transaction, event: StandardEvent): Promise<void> {
  const given = { isKey: null, fromIndex: null, labels: null, pattern: null }
  await createIn(tx, trapEvents, {
    ...event,
    parameter: (event.parameter ?? []).map((parameter) => ({ ...given, ...parameter })),
    recovers: [...(event.recovers ?? [])],
    state: (event.state ?? []).map((state) => ({ alarmLevel: null, ...state })),
  })
}

/** Adds only missing ones: a store may be older than an event, or somebody may have defined it. */
async function seedServiceEvents(tx: Transaction, first: number): Promise<void> {
  const rows = await tx.all('select event_oid from trap_event')
  const known = new Set(rows.map((row) => row.event_oid))
  for (const [name, event] of Object.entries(serviceEvents).slice(first))
    if (!known.has(event.eventOid)) await createIn(tx, trapEvents, { name, ...event })
}
