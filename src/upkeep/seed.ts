// The first content of a new store, so that every operation can be tried at once.

import { blankQuarantine } from '../cluster/blocks/block-table.ts'
import { serviceEvents } from '../events/service-events.ts'
import { terminalEvents } from '../events/standard-events/terminals.ts'
import {
  type StandardEvent,
  alarmCategories as standardCategories,
  standardEvents,
} from '../events/standard-events.ts'
import { Fault } from '../fault.ts'
import { groupName, operatorGroups, roleGroups } from '../resources/access/operator-group.ts'
import { alarmCategories } from '../resources/alarms/alarm-category.ts'
import { trapEvents } from '../resources/alarms/trap-event.ts'
import { trapRules } from '../resources/alarms/trap-rule.ts'
import { createIn } from '../resources/collection.ts'
import { customViews } from '../resources/inventory/custom-view.ts'
import { defaultZone, zones } from '../resources/inventory/zone.ts'
import { type ReportTemplate, reportTemplates } from '../resources/reports/report-template.ts'
import { ensureType, type ReportName } from '../resources/reports/report-type.ts'
import { fold } from '../schema/scalar.ts'
import { setFirst } from '../store/counter.ts'
import type { Database, Transaction } from '../store/database.ts'
import { update } from '../store/table.ts'

const dates = [
  { parameterName: 'beginTime', dataType: 'dateTime' },
  { parameterName: 'endTime', dataType: 'dateTime' },
]
const administrators = [{ operatorGroupId: 1n, operatorGroupName: 'Administrator Group' }]
const preDefined = 0
const custom = 1

const templates = [
  { name: 'Alarm Summary', reportTypeId: 1n, reportTypeName: 'Alarm Report', location: 'alarm/summary' },
  {
    name: 'Top 10 Alarm Sources',
    reportTypeId: 1n,
    reportTypeName: 'Alarm Report',
    location: 'alarm/top-sources',
  },
  {
    name: 'Device Availability',
    reportTypeId: 2n,
    reportTypeName: 'Availability Report',
    location: 'device/availability',
  },
  {
    name: 'Interface Availability',
    reportTypeId: 2n,
    reportTypeName: 'Availability Report',
    location: 'interface/availability',
  },
  {
    name: 'Assigned IP Usage',
    reportTypeId: 3n,
    reportTypeName: 'Access Report',
    location: 'access/ip-usage',
  },
  {
    name: 'Terminal Access Bindings',
    reportTypeId: 3n,
    reportTypeName: 'Access Report',
    location: 'access/bindings',
  },
]

/** Each is seeded once in the life of a store; a later version adds to the end. */
const seeds = [
  { name: 'first data', plant: seedRecords },
  { name: 'first events', plant: seedEvents },
  // Again whenever there are more of them.
  { name: `${Object.keys(serviceEvents).length} own events`, plant: seedServiceEvents },
  { name: 'family view', plant: seedImcView },
  { name: 'default zone', plant: seedDefaultZone },
  { name: 'out of reach', plant: seedOutOfReach },
  { name: 'reports', plant: seedReports },
  { name: 'terminal events', plant: seedTerminalEvents },
  { name: 'types of reports', plant: seedReportTypes },
  { name: 'groups of reports', plant: seedReferences },
  { name: 'datagrams aside without communities', plant: blankQuarantine },
]

/** The view that programs of the iMC interface begin with. */
async function seedImcView(tx: Transaction): Promise<void> {
  const name = 'My Network View'
  const [taken] = await tx.all('select id from custom_view where name_key = ?', [fold(name)])
  if (!taken) await createIn(tx, customViews, { name, allDevices: true })
}

export async function seedStore(database: Database): Promise<void> {
  for (const { name, plant } of seeds) {
    await database.transaction(async (tx) => {
      if (await setFirst(tx, name)) await plant(tx)
    })
  }
}

async function seedEvents(tx: Transaction): Promise<void> {
  for (const { id, name } of standardCategories) await createIn(tx, alarmCategories, { id: BigInt(id), name })
  for (const event of standardEvents) {
    await createIn(tx, trapEvents, {
      ...event,
      parameter: (event.parameter ?? []).map((parameter) => ({
        isKey: null,
        fromIndex: null,
        labels: null,
        ...parameter,
      })),
      recovers: [...(event.recovers ?? [])],
    })
  }
  await seedServiceEvents(tx)
  await createIn(tx, customViews, { name: 'All devices', allDevices: true })
}

function seedServiceEvents(tx: Transaction): Promise<void> {
  return seedMissing(
    tx,
    Object.entries(serviceEvents).map(([name, event]) => ({ name, ...event })),
  )
}

function seedTerminalEvents(tx: Transaction): Promise<void> {
  return seedMissing(tx, terminalEvents)
}

/** Only missing ones: a store may be older than an event, or somebody has defined it. */
async function seedMissing(
  tx: Transaction,
  events: readonly Omit<StandardEvent, 'parameter' | 'recovers'>[],
): Promise<void> {
  const rows = await tx.all('select event_oid from trap_event')
  const known = new Set(rows.map((row) => row.event_oid))
  for (const event of events) if (!known.has(event.eventOid)) await createIn(tx, trapEvents, event)
}

/** Definitions of older stores do not have the field; what someone has set since stays. */
async function seedOutOfReach(tx: Transaction): Promise<void> {
  for (const { eventOid, outOfReach } of standardEvents) {
    if (!outOfReach) continue
    await tx.run('update trap_event set out_of_reach = 1 where event_oid = ? and out_of_reach is null', [
      eventOid,
    ])
  }
}

/** It was once possible to delete it; now everything that is in no other zone is in it. */
async function seedDefaultZone(tx: Transaction): Promise<void> {
  const rows = await tx.all('select id, name_key from zone')
  if (rows.some((row) => row.id === defaultZone)) return
  const taken = new Set(rows.map((row) => String(row.name_key)))
  let name = 'Default'
  for (let n = 2; taken.has(fold(name)); n += 1) name = `Default ${n}`
  await createIn(tx, zones, { zoneId: defaultZone, name })
}

/** What templates of these types run that select nothing. */
const typeReports = new Map<string, ReportName>([
  ['Alarm Report', 'alarm/summary'],
  ['Availability Report', 'device/availability'],
  ['Access Report', 'access/ip-usage'],
])

/** Those that came later than the others. */
const laterTemplates = [
  { name: 'Top Trap Senders', reportTypeName: 'Trap Report', location: 'trap/senders' },
  { name: 'Changes by Operator', reportTypeName: 'Audit Report', location: 'audit/changes' },
]

/** The pre-defined templates run; what templates say of types and groups becomes records. */
async function seedReports(tx: Transaction): Promise<void> {
  for (const group of roleGroups) await createIn(tx, operatorGroups, { ...group })
  for (const { location } of templates) {
    await tx.run(
      'update report_template set report = location where location = ? and custome_def = ? and id <= ?',
      [location, preDefined, templates.length],
    )
  }
  const { form, name } = reportTemplates.table
  const rows = await tx.all(`select ${form.shown} from ${name} order by id`)
  for (const row of rows) {
    const template = form.toRecord(row) as ReportTemplate
    await ensureOldType(tx, template)
    await reportTemplates.rules.saved?.(tx, template)
  }
  for (const template of laterTemplates) {
    const id = await createIn(tx, reportTemplates, {
      ...template,
      customeDef: preDefined,
      parameter: dates,
      operatorGroup: administrators,
    })
    await tx.run('update report_template set report = location where id = ?', [id])
  }
  for (const [type, report] of typeReports) {
    await tx.run('update report_type set report = ? where name_key = ?', [report, fold(type)])
  }
}

/** The first template of a type says its id, as far as it can be given; others may contradict it. */
async function ensureOldType(
  tx: Transaction,
  { reportTypeName, reportTypeId }: ReportTemplate,
): Promise<void> {
  await ensureType(tx, reportTypeName, reportTypeId).catch((error) => {
    if (error instanceof Fault) return ensureType(tx, reportTypeName, null)
    throw error
  })
}

/** Those of the service were first seeded without the id of their type. */
async function seedReportTypes(tx: Transaction): Promise<void> {
  await tx.run(
    `update report_template
     set report_type_id = (select id from report_type where name_key = report_template.report_type_name_key)
     where report <> '' and report_type_id is null`,
  )
}

/** Templates were once stored as they came: without the id of their type, or the names of their groups, or with others. */
async function seedReferences(tx: Transaction): Promise<void> {
  const { form, name } = reportTemplates.table
  for (const row of await tx.all(`select ${form.shown} from ${name} order by id`)) {
    const before = form.toRecord(row) as ReportTemplate
    const reportTypeId = await ensureType(tx, before.reportTypeName, null)
    const operatorGroup = []
    for (const group of before.operatorGroup) {
      const operatorGroupName = await groupName(tx, group.operatorGroupId)
      operatorGroup.push({ ...group, operatorGroupName: operatorGroupName ?? group.operatorGroupName })
    }
    await update(tx, reportTemplates.table, before.id, before, { ...before, reportTypeId, operatorGroup })
  }
}

async function seedRecords(tx: Transaction): Promise<void> {
  for (const template of templates) {
    await createIn(tx, reportTemplates, {
      ...template,
      customeDef: preDefined,
      parameter: dates,
      operatorGroup: administrators,
    })
  }
  await createIn(tx, reportTemplates, {
    name: 'Weekly Core Alarms',
    location: 'custom/weekly-core-alarms',
    reportTypeId: 1n,
    reportTypeName: 'Alarm Report',
    customeDef: custom,
    parameter: dates,
    operatorGroup: administrators,
  })
  await createIn(tx, zones, { name: 'Default', description: 'Everything that is in no other zone' })
  // By event, but without any yet: it filters nothing, and is there to be edited.
  await createIn(tx, trapRules, {
    trapRuleName: 'Maintenance window',
    trapGroup: -1,
    trapDevice: [{ displayName: 'any device', devID: 0, trapFilterEventParasInfo: [] }],
  })
}
