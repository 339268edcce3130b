// Whole collections as files: `GET /plat/data/NAME`. The other direction is import.ts.

import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { Collection } from '../../../resources/collection.ts'
import { CsvForm } from '../../../schema/csv.ts'
import type { Condition } from '../../../schema/filter.ts'
import { type ListQuery, oneScalar } from '../../../schema/list.ts'
import type { AnyRecord } from '../../../schema/resource.ts'
import type { FileForm } from '../../../schema/rows.ts'
import { text } from '../../../schema/scalar.ts'
import { declaration } from '../../../schema/xml.ts'
import { Page } from '../../../store/table.ts'
import { contentType, startStream, writePiece, writersOf } from '../../answers.ts'
import type { Call, Handler } from '../../call.ts'

/** All of it, or the part that a handler leaves. */
const everything = (conditions: readonly Condition[]): ListQuery => ({
  conditions,
  order: { column: 'id', descending: false },
  start: 0,
  size: Number.MAX_SAFE_INTEGER,
  totalOnly: false,
})

/** What can be asked for in the place of `Accept`. */
export const fileForm = text({ pattern: { source: 'xml|json|csv', accepted: 'xml, json or csv' } })

const fileTypes: Readonly<Record<FileForm, string>> = { ...contentType, csv: 'text/csv; charset=UTF-8' }

export const exportData =
  (collection: Collection, narrowed: readonly Condition[] = []): Handler =>
  async (call) => {
    const form = (oneScalar(call.parameters, 'format', fileForm) ?? call.form) as FileForm
    const { response } = call
    startStream(response, 200, fileTypes[form], {})
    if (call.request.method !== 'HEAD') {
      for await (const piece of form === 'csv'
        ? csvPieces(call, collection, narrowed)
        : pieces(call, collection, form, narrowed)) {
        if (!(await writePiece(response, piece))) return
      }
    }
    response.end()
  }

async function* pieces(
  { database }: Call,
  { table, resource }: Collection,
  form: 'xml' | 'json',
  narrowed: readonly Condition[],
) {
  const { xml, json } = writersOf(resource)
  // One record per line: files that people compare and read.
  yield form === 'xml' ? `${declaration}\n<list>\n` : `{${JSON.stringify(resource.name)}:[\n`
  const between = form === 'xml' ? '\n' : ',\n'
  const row = form === 'xml' ? xml : (record: AnyRecord) => JSON.stringify(json(record))
  const page = new Page(database, table, everything(narrowed))
  // Only the text is held while the caller takes it, not the records it was made of.
  const next = async () => (await page.next()).map(row).join(between)
  let separator = ''
  while (!page.ended) {
    const rows = await next()
    if (rows !== '') yield separator + rows
    separator = between
  }
  yield form === 'xml' ? '\n</list>\n' : '\n]}\n'
}

async function* csvPieces(
  { database }: Call,
  { table, resource }: Collection,
  narrowed: readonly Condition[],
) {
  const csv = new CsvForm(resource.fields)
  const first = new Page(database, table, everything(narrowed))
  while (!first.ended) {
    for (const record of await first.next()) csv.learn(record)
    // A pause after each chunk, as where they are written: several exports may run, and their turns add up for other
    // callers.
    await letOthersRun()
  }
  yield csv.header()
  const page = new Page(database, table, everything(narrowed))
  const next = async () => (await page.next()).map((record) => csv.row(record)).join('')
  while (!page.ended) yield await next()
}
