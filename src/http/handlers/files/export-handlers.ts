// Exports a collection as a file: `GET /plat/data/NAME`.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { audit, auditEntry } from '../../../resources/access/audit-entry.ts'
import type { Collection } from '../../../resources/collection.ts'
import { CsvForm } from '../../../schema/csv.ts'
import { oneScalar } from '../../../schema/list.ts'
import type { Condition } from '../../../schema/list-filter.ts'
import type { AnyRecord, Resource } from '../../../schema/resource.ts'
import type { FileForm } from '../../../schema/rows.ts'
import { text } from '../../../schema/scalar.ts'
import { declaration } from '../../../schema/xml.ts'
import { allRecords, Page } from '../../../store/page.ts'
import type { Handler } from '../../call.ts'
import { contentType, type RowFrame, sendRecords, startStream, writersOf } from '../../responses.ts'

/** What can be asked for in the place of `Accept`. */
export const fileForm = text({ pattern: { source: 'xml|json|csv', accepted: 'xml, json or csv' } })

const fileTypes: Readonly<Record<FileForm, string>> = { ...contentType, csv: 'text/csv; charset=UTF-8' }

export const exportData =
  (collection: Collection, narrowed: readonly Condition[] = []): Handler =>
  async (call) => {
    const form = (oneScalar(call.parameters, 'format', fileForm) ?? call.form) as FileForm
    const { response } = call
    const { database } = call
    const isRead = call.request.method !== 'HEAD'
    if (isRead && collection.resource === auditEntry)
      await database.transaction((tx) => audit(tx, { action: 'export', resource: auditEntry.name }))
    startStream(response, 200, fileTypes[form], {})
    if (!isRead) return void response.end()
    const records = () => new Page(database, collection.table, allRecords(narrowed))
    const frame = form === 'csv' ? await csvFrame(collection, records()) : frameOf(collection.resource, form)
    await sendRecords(response, frame, records())
  }

/** One record per line: files that people compare and read. */
function frameOf(resource: Resource, form: 'xml' | 'json'): RowFrame {
  const { xml, json } = writersOf(resource)
  if (form === 'xml')
    return { open: `${declaration}\n<list>\n`, between: '\n', close: '\n</list>\n', row: xml }
  const row = (record: AnyRecord) => JSON.stringify(json(record))
  return { open: `{${JSON.stringify(resource.name)}:[\n`, between: ',\n', close: '\n]}\n', row }
}

/** The columns of a file are known when all of its records have been seen. */
async function csvFrame(
  { resource }: Collection,
  chunks: AsyncIterable<readonly AnyRecord[]>,
): Promise<RowFrame> {
  const csv = new CsvForm(resource.fields)
  for await (const records of chunks) {
    for (const record of records) csv.measure(record)
    // A pause after each chunk, as where they are written: several exports may run, and their turns add up for other
    // callers.
    await yieldToEventLoop()
  }
  return { open: csv.header(), between: '', close: '', row: (record) => csv.row(record) }
}
