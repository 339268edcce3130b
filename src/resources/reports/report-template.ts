// Report templates. Pre-defined ones run a report of the service; custom ones run a selection, or the report of their
// type.

import { Fault, shown } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import type { Condition } from '../../schema/list-filter.ts'
import {
  assigned,
  derived,
  echo,
  empty,
  groups,
  optional,
  type RecordOf,
  required,
  resource,
} from '../../schema/resource.ts'
import { coded, long, text } from '../../schema/scalar.ts'
import { type Actor, bulk, type Reader, type Transaction } from '../../store/database.ts'
import { everyone, groupName, groupNamed, groupsOf } from '../access/operator-group.ts'
import { collection } from '../collection.ts'
import { chartName, dataName, readSelection } from './report-data.ts'
import { ensureType } from './report-type.ts'

const definition = { 0: 'pre-defined', 1: 'custom' }
const preDefined = 0

// Programs of the iMC interface look for the report type in either spelling: both are written.
export const reportTemplate = resource(
  'reportTemplate',
  {
    id: assigned(long),
    name: required(text(), { keyed: true }),
    location: optional(text(), empty),
    reportTypeId: optional(long, empty),
    reportTypeID: echo('reportTypeId'),
    reportTypeName: required(text(), { keyed: true }),
    reportType: echo('reportTypeName'),
    customeDef: optional(coded(definition), empty),
    parameter: groups({ parameterName: required(text()), dataType: required(text()) }),
    operatorGroup: groups({ operatorGroupId: required(long), operatorGroupName: optional(text(), empty) }),
    /** The data that a custom template selects; see report-data.ts. */
    data: optional(dataName),
    columns: optional(text(), { column: 'column_names' }),
    filter: optional(text(), { column: 'filter_text' }),
    groupBy: optional(text({ maxLength: 100 })),
    chart: optional(chartName),
    /** The address at which its last result can be read. */
    lastResult: derived(text(), { mayBeAbsent: true }),
  },
  { table: 'report_template', key: 'id' },
)

/** Stored with a template and shown to nobody: the report that a pre-defined one runs. */
const unshown = { report: assigned(text()) }

export type ReportTemplate = RecordOf<typeof reportTemplate.fields & typeof unshown>

export const reportTemplates = collection({
  resource: reportTemplate,
  unshown,
  noun: 'report template',
  list: list('/report/reportTemplate', reportTemplate, {
    filters: ({ wildcard, choice }) => ({
      templateName: wildcard('name'),
      reportType: wildcard('reportTypeName'),
      reportDefinedType: choice('customeDef', coded({ '-1': 'all', ...definition }), { all: -1, default: 1 }),
    }),
    counted: ['customeDef'],
  }),
  touchedTables: [
    { name: 'report_type', key: ['id'] },
    { name: 'report_template_group', key: ['template_id', 'group_id'] },
    // Determines what the caller may see.
    { name: 'operator', key: ['id'] },
    { name: 'operator_group', key: ['id'] },
  ],
  rules: {
    adapt(draft) {
      // With another type by name, the id that it had says nothing.
      if (draft.reportTypeName !== undefined) draft.reportTypeId ??= null
    },
    check(record) {
      if (record.data !== null) {
        readSelection(record)
        return
      }
      for (const field of ['columns', 'filter', 'groupBy', 'chart'] as const) {
        if (record[field] === null) continue
        throw new Fault(
          'invalid',
          `${field} is accepted only together with data, which says what is selected`,
          { field },
        )
      }
    },
    async saving(tx, draft, stored) {
      const record = draft as ReportTemplate
      const before = stored as ReportTemplate | undefined
      // A template that a program creates is a custom one unless it says otherwise.
      record.customeDef ??= 1
      record.report = before?.report ?? ''
      if (before) await requireSeen(tx, before, 'not-found')
      if (record.report !== '') requirePreDefined(record)
      record.reportTypeId = await ensureType(tx, record.reportTypeName, record.reportTypeId)
      await nameGroups(tx, record, before)
    },
    async saved(tx, record) {
      await tx.run('delete from report_template_group where template_id = ?', [record.id])
      await tx.runEach(
        groupRow,
        [...groupsSeeing(record)].map((group) => [record.id, group]),
      )
    },
    async deleting(tx, stored) {
      const record = stored as ReportTemplate
      await requireSeen(tx, record, 'gone')
      if (record.report !== '') {
        throw new Fault('conflict', `report template ${record.id} is pre-defined: it cannot be deleted`)
      }
      await tx.run(
        'delete from report_document where result_id in (select id from report_result where template_id = ?)',
        [record.id],
      )
      for (const table of ['report_template_group', 'report_result', 'report_schedule']) {
        await tx.run(`delete from ${table} where template_id = ?`, [record.id])
      }
    },
  },
})

/**
 * Groups are given by their ids; what they are called is theirs to say. A name that another group has is refused: then
 * one of the two is wrong. One that has been there may be gone since.
 */
async function nameGroups(
  tx: Transaction,
  record: Pick<ReportTemplate, 'operatorGroup'>,
  before: Pick<ReportTemplate, 'operatorGroup'> | undefined,
): Promise<void> {
  const had = new Map(before?.operatorGroup.map((group) => [group.operatorGroupId, group]))
  const named = []
  for (const [
    index,
    { operatorGroupId: id, operatorGroupName: requestedName },
  ] of record.operatorGroup.entries()) {
    const place = `operatorGroup[${index + 1}]`
    const operatorGroupName = (await groupName(tx, id)) ?? had.get(id)?.operatorGroupName
    if (operatorGroupName === undefined) {
      const field = `${place}/operatorGroupId`
      throw new Fault('conflict', `operator group ${id} does not exist`, { field })
    }
    const other = requestedName === null ? undefined : await groupNamed(tx, requestedName)
    if (other !== undefined && other !== id) {
      const message = `operator group ${id} is called ${shown(operatorGroupName ?? '')}; ${shown(requestedName ?? '')} is group ${other}`
      throw new Fault('conflict', message, { field: `${place}/operatorGroupName` })
    }
    named.push({ operatorGroupId: id, operatorGroupName })
  }
  record.operatorGroup = named
}

const groupRow = bulk('insert into report_template_group (template_id, group_id) values (?, ?)', [
  'bigint',
  'bigint',
])

/** Pre-defined templates, and custom ones that name no group, are for everyone. */
function groupsSeeing({
  customeDef,
  operatorGroup,
}: Pick<ReportTemplate, 'customeDef' | 'operatorGroup'>): ReadonlySet<bigint> {
  const named = operatorGroup.map(({ operatorGroupId }) => operatorGroupId)
  return new Set(customeDef === preDefined || named.length === 0 ? [everyone] : named)
}

function requirePreDefined({ id, customeDef, data }: ReportTemplate): void {
  if (customeDef !== preDefined) {
    const message = `report template ${id} is pre-defined, and stays so: customeDef is 0`
    throw new Fault('conflict', message, { field: 'customeDef' })
  }
  if (data !== null) {
    const message = `report template ${id} is pre-defined: what it selects cannot be changed. Make a custom one`
    throw new Fault('conflict', message, { field: 'data' })
  }
}

/** A template that the caller may not see does not exist for it. */
async function requireSeen(
  tx: Transaction,
  template: ReportTemplate,
  code: 'not-found' | 'gone',
): Promise<void> {
  if (!tx.actor || (await sees(tx, tx.actor, template))) return
  throw new Fault(code, `report template ${template.id} does not exist`)
}

export async function sees(
  reader: Reader,
  who: Pick<Actor, 'name' | 'role'>,
  template: Pick<ReportTemplate, 'customeDef' | 'operatorGroup'>,
): Promise<boolean> {
  const groups = await groupsOf(reader, who)
  const seeing = groupsSeeing(template)
  return groups === 'all' || groups.some((group) => seeing.has(group))
}

/** Where the groups are stored that see templates, their results and their schedules. */
const seeing = {
  template: { table: 'report_template_group', link: 'template_id' },
  result: { table: 'report_result_group', link: 'result_id' },
  schedule: { table: 'report_schedule_group', link: 'schedule_id' },
}

/** The condition that leaves only those that the caller may see. */
export async function seenBy(
  reader: Reader,
  who: Pick<Actor, 'name' | 'role'>,
  what: keyof typeof seeing,
): Promise<Condition[]> {
  const groups = await groupsOf(reader, who)
  if (groups === 'all') return []
  return [{ kind: 'any', column: 'group_id', values: groups, members: seeing[what] }]
}
