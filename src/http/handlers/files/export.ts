// Whole collections as files: `GET /plat/data/NAME`. The other direction is import.ts.

import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { Collection } from '../../../resources/collection.ts'
import { CsvForm } from '../../../schema/csv.ts'
import type { Condition } from '../../../schema/filter.ts'
import { oneScalar } from '../../../schema/list.ts'
import type { AnyRecord } from '../../../schema/resource.ts'
import type { FileForm } from '../../../schema/rows.ts'
import { text } from '../../../schema/scalar.ts'
import { declaration } from '../../../schema/xml.ts'
import { everything, Page } from '../../../store/table.ts'
import { contentType, joined, sendParts, startStream, writersOf } from '../../answers.ts'
import type { Call, Handler } from '../../call.ts'

/** What can be asked for in the place of `Accept`. */
export const fileForm = text({ pattern: { source: 'xml|json|csv', accepted: 'xml, json or csv' } })

const fileTypes: Readonly<Record<FileForm, string>> = { ...contentType, csv: 'text/csv; charset=UTF-8' }

export const exportData =
  (collection: Collection, narrowed: readonly Condition[] = []): Handler =>
  async (call) => {
    const form = (oneScalar(call.parameters, 'format', fileForm) ?? call.form) as FileForm
    const { response } = call
    startStream(response, 200, fileTypes[form], {})
    if (call.request.method === 'HEAD') return void response.end()
    await sendParts(
      response,
      form === 'csv' ? csvParts(call, collection, narrowed) : parts(call, collection, form, narrowed),
    )
  }

async function* parts(
  { database }: Call,
  { table, resource }: Collection,
  form: 'xml' | 'json',
  narrowed: readonly Condition[],
): AsyncGenerator<Iterable<string>> {
  const { xml, json } = writersOf(resource)
  // One record per line: files that people compare and read.
  yield [form === 'xml' ? `${declaration}\n<list>\n` : `{${JSON.stringify(resource.name)}:[\n`]
  const between = form === 'xml' ? '\n' : ',\n'
  const row = form === 'xml' ? xml : (record: AnyRecord) => JSON.stringify(json(record))
  const page = new Page(database, table, everything(narrowed))
  let before = ''
  while (!page.ended) {
    const records = await page.next()
    if (records.length > 0) yield [before]
    yield joined(records, between, row)
    before = between
  }
  yield [form === 'xml' ? '\n</list>\n' : '\n]}\n']
}

async function* csvParts(
  { database }: Call,
  { table, resource }: Collection,
  narrowed: readonly Condition[],
): AsyncGenerator<Iterable<string>> {
  const csv = new CsvForm(resource.fields)
  const first = new Page(database, table, everything(narrowed))
  while (!first.ended) {
    for (const record of await first.next()) csv.learn(record)
    // A pause after each chunk, as where they are written: several exports may run, and their turns add up for other
    // callers.
    await letOthersRun()
  }
  yield [csv.header()]
  const page = new Page(database, table, everything(narrowed))
  while (!page.ended) yield joined(await page.next(), '', (record) => csv.row(record))
}
