// Report types: groups of templates, with the report of templates that select nothing.

import { Fault, shown } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import { assigned, derived, empty, optional, required, resource } from '../../schema/resource.ts'
import { fold, long, text } from '../../schema/scalar.ts'
import type { Transaction } from '../../store/database.ts'
import { audit } from '../access/audit-entry.ts'
import { canBeGiven, collection, createIn, requireUnique } from '../collection.ts'

/** The reports that there are, by the name under which pre-defined templates run them. */
const reportNames = [
  'alarm/summary',
  'alarm/top-sources',
  'device/availability',
  'interface/availability',
  'access/ip-usage',
  'access/bindings',
  'trap/senders',
  'audit/changes',
] as const

export type ReportName = (typeof reportNames)[number]

const reportName = text({
  pattern: { source: reportNames.join('|'), accepted: `one of ${reportNames.join(', ')}` },
})

export const reportType = resource(
  'reportType',
  {
    id: assigned(long),
    name: required(text(), { keyed: true }),
    description: optional(text(), empty),
    report: optional(reportName),
    /** How many templates there are of it. */
    templates: derived(long),
  },
  { table: 'report_type', key: 'id' },
)

const templatesOf = 'select count(*) as n from report_template where report_type_name_key = ?'

export const reportTypes = collection({
  resource: reportType,
  noun: 'report type',
  list: list('/report/reportType', reportType, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { id: 'id', name: 'name' },
  }),
  touchedTables: [{ name: 'report_template', key: ['id'] }],
  rules: {
    async saving(tx, { id, name }, before) {
      const unique = { table: 'report_type', column: 'name_key', field: 'name', noun: 'report type' }
      await requireUnique(tx, unique, fold(name), id, name)
      if (before && before.name !== name) await rename(tx, before.name, name)
    },
    async deleting(tx, { id, name }) {
      const [row] = await tx.all(templatesOf, [fold(name)])
      if (row?.n === 0n) return
      throw new Fault('conflict', `report type ${id} has ${row?.n} templates: it cannot be deleted`)
    },
    async show(database, records) {
      for (const record of records) {
        const [row] = await database.all(templatesOf, [fold(record.name)])
        record.templates = row?.n as bigint
      }
    },
  },
})

/** Templates refer to their type by its name: they are renamed with it. */
async function rename(tx: Transaction, before: string, name: string): Promise<void> {
  const changed = await tx.run(
    'update report_template set report_type_name = ?, report_type_name_key = ? where report_type_name_key = ?',
    [name, fold(name), fold(before)],
  )
  if (changed === 0) return
  const detail = `reportTypeName is ${name}`
  await audit(tx, { action: 'modify', resource: 'reportTemplate', count: changed, detail })
}

/**
 * The id of a type by its name. A template may name a type that does not exist: it is created then, with the id that the
 * template gives it. Throws where the id given is another type's, or the type has another.
 */
export async function ensureType(tx: Transaction, name: string, requestedId: bigint | null): Promise<bigint> {
  const [known] = await tx.all('select id from report_type where name_key = ?', [fold(name)])
  if (known) {
    const id = known.id as bigint
    if (requestedId !== null && requestedId !== id) {
      throw contradiction(`report type ${shown(name)} has the id ${id}, not ${requestedId}`)
    }
    return id
  }
  if (requestedId !== null && !canBeGiven(requestedId)) {
    throw contradiction(
      `there is no report type ${shown(name)}, and ${requestedId} cannot be the id of a new one`,
    )
  }
  const [taken] =
    requestedId === null ? [] : await tx.all('select name from report_type where id = ?', [requestedId])
  if (taken) {
    throw contradiction(
      `report type ${requestedId} is ${shown(String(taken.name))}, not ${shown(name)}: leave reportTypeId out for a new type`,
    )
  }
  return createIn(tx, reportTypes, { name, ...(requestedId !== null && { id: requestedId }) })
}

const contradiction = (message: string) => new Fault('conflict', message, { field: 'reportTypeId' })
