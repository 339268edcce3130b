// Results of report runs. A result is stored as one text, from which every format is made.

import { list } from '../../schema/list.ts'
import { assigned, derived, empty, optional, type RecordOf, resource } from '../../schema/resource.ts'
import { bool, instant, long, text } from '../../schema/scalar.ts'
import { bulk, type Reader, type SqlValue, type Transaction } from '../../store/database.ts'
import { nextId } from '../../store/ids.ts'
import { insert, removeAll } from '../../store/table.ts'
import { collection } from '../collection.ts'

export const reportResult = resource(
  'reportResult',
  {
    id: assigned(long),
    templateId: assigned(long),
    /** The schedule that ran it; none where somebody did. */
    scheduleId: optional(long),
    /** The name of the template at that time. */
    name: assigned(text(), empty),
    report: assigned(text(), empty),
    /** Whether it is for administrators alone. */
    confined: assigned(bool),
    beginTime: assigned(instant),
    endTime: assigned(instant),
    madeTime: assigned(instant),
    milliseconds: assigned(long),
    runBy: assigned(text(), empty),
    /** Why there is no result, where the run failed. */
    failure: optional(text()),
    /** The address at which it can be read. */
    address: derived(text()),
  },
  { table: 'report_result', key: 'id' },
)

export type ReportResult = RecordOf<typeof reportResult.fields>

export const reportResults = collection({
  resource: reportResult,
  noun: 'report result',
  list: list('/report/result', reportResult, {
    filters: ({ equals, period }) => ({
      templateId: equals('templateId'),
      scheduleId: equals('scheduleId'),
      startTime: period('madeTime', 'from'),
      endTime: period('madeTime', 'until'),
    }),
    orderBy: { id: 'id' },
    descendingWithoutOrder: true,
  }),
  rules: {
    async deleting(tx, { id }) {
      await tx.run('delete from report_document where result_id = ?', [id])
    },
  },
})

/** Adds a result, with its content, where the run succeeded; returns its id. */
export async function addResult(
  tx: Transaction,
  result: Omit<ReportResult, 'id' | 'address'>,
  content: string | undefined,
): Promise<bigint> {
  const id = await nextId(tx, reportResult.table)
  await insert(tx, reportResults.table, { ...result, id })
  if (content !== undefined) {
    await tx.run('insert into report_document (result_id, content) values (?, ?)', [id, content])
  }
  return id
}

export async function readContent(reader: Reader, id: bigint): Promise<string | undefined> {
  const [row] = await reader.all('select content from report_document where result_id = ?', [id])
  return row && String(row.content)
}

/** The last result of each template that has one and that the caller may see, by template. */
export async function lastResults(
  reader: Reader,
  templates: readonly bigint[],
  confinedToo: boolean,
): Promise<Map<bigint, bigint>> {
  if (templates.length === 0) return new Map()
  const rows = await reader.all(
    `select template_id, max(id) as id from report_result where failure is null${confinedToo ? '' : ' and confined = 0'} and template_id in (${templates.map(() => '?').join(', ')}) group by template_id`,
    templates,
  )
  return new Map(rows.map((row) => [row.template_id as bigint, row.id as bigint]))
}

/** The same of a schedule. */
export async function lastOfSchedule(reader: Reader, id: bigint): Promise<bigint | undefined> {
  const [row] = await reader.all(
    'select max(id) as id from report_result where schedule_id = ? and failure is null',
    [id],
  )
  return (row?.id as bigint | null | undefined) ?? undefined
}

async function removeResults(tx: Transaction, sql: string, values: readonly SqlValue[]): Promise<number> {
  const { table } = reportResults
  const rows = await tx.all(`select ${table.form.shown} from ${table.name} where ${sql}`, values)
  await tx.runEach(
    documentGone,
    rows.map((row) => [row.id as bigint]),
  )
  await removeAll(tx, table, rows.map(table.form.toRecord))
  return rows.length
}

const documentGone = bulk('delete from report_document where result_id = ?', ['bigint'])

/** Removes all but the newest of the results of a schedule, or of those of a template that somebody asked for. */
export async function keepNewest(
  tx: Transaction,
  of: { readonly templateId: bigint } | { readonly scheduleId: bigint },
  keep: number,
): Promise<void> {
  const whose =
    'scheduleId' in of
      ? { sql: 'schedule_id = ?', id: of.scheduleId }
      : { sql: 'template_id = ? and schedule_id is null', id: of.templateId }
  await removeResults(tx, `${whose.sql} order by id desc limit 1000 offset ?`, [whose.id, keep])
}

/** Removes results that somebody requested and that are older than a time, this many at once. */
export const removeOldResults = (tx: Transaction, before: number, limit: number): Promise<number> =>
  removeResults(tx, 'made_time < ? and schedule_id is null order by made_time, id limit ?', [before, limit])
