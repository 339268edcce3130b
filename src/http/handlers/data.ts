// Whole collections in and out: `GET /plat/data/NAME` exports, `POST /plat/data/NAME` imports all or nothing.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Fault } from '../../fault.ts'
import { tell } from '../../resources/audit-entry.ts'
import { type Collection, importIn } from '../../resources/collection.ts'
import { CsvForm } from '../../schema/csv.ts'
import { readDraft } from '../../schema/document.ts'
import { type ListQuery, oneScalar } from '../../schema/list.ts'
import type { AnyRecord } from '../../schema/resource.ts'
import { atLine, type FileForm, readRows, utf8Text } from '../../schema/rows.ts'
import { bool, text } from '../../schema/scalar.ts'
import { declaration } from '../../schema/xml.ts'
import type { Transaction } from '../../store/database.ts'
import { withWorkFolder } from '../../store/folder.ts'
import { Page } from '../../store/table.ts'
import { contentType, sendText, startStream, writePiece, writersOf } from '../answers.ts'
import { bodyForm, type Call, type Handler } from '../call.ts'

const everything: ListQuery = {
  conditions: [],
  order: { column: 'id', descending: false },
  start: 0,
  size: Number.MAX_SAFE_INTEGER,
  totalOnly: false,
}

/** What can be asked for in the place of `Accept`. */
export const fileForm = text({ pattern: { source: 'xml|json|csv', accepted: 'xml, json or csv' } })

const fileTypes: Readonly<Record<FileForm, string>> = { ...contentType, csv: 'text/csv; charset=UTF-8' }

export const exportData =
  (collection: Collection): Handler =>
  async (call) => {
    const form = (oneScalar(call.parameters, 'format', fileForm) ?? call.form) as FileForm
    const { response } = call
    startStream(response, 200, fileTypes[form], {})
    if (call.request.method !== 'HEAD') {
      for await (const piece of form === 'csv'
        ? csvPieces(call, collection)
        : pieces(call, collection, form)) {
        if (!(await writePiece(response, piece))) return
      }
    }
    response.end()
  }

async function* pieces({ database }: Call, { table, resource }: Collection, form: 'xml' | 'json') {
  const { xml, json } = writersOf(resource)
  // One record per line: files that people compare and read.
  yield form === 'xml' ? `${declaration}\n<list>\n` : `{${JSON.stringify(resource.name)}:[\n`
  const between = form === 'xml' ? '\n' : ',\n'
  const row = form === 'xml' ? xml : (record: AnyRecord) => JSON.stringify(json(record))
  const page = new Page(database, table, everything)
  // Only the text is held while the caller takes it, not what it was made of.
  const next = async () => (await page.next()).map(row).join(between)
  let separator = ''
  while (!page.ended) {
    const rows = await next()
    if (rows !== '') yield separator + rows
    separator = between
  }
  yield form === 'xml' ? '\n</list>\n' : '\n]}\n'
}

async function* csvPieces({ database }: Call, { table, resource }: Collection) {
  const csv = new CsvForm(resource.fields)
  const first = new Page(database, table, everything)
  while (!first.ended) for (const record of await first.next()) csv.learn(record)
  yield csv.header()
  const page = new Page(database, table, everything)
  const next = async () => (await page.next()).map((record) => csv.row(record)).join('')
  while (!page.ended) yield await next()
}

/**
 * With `progress=true` the answer is a line of JSON now and then, the last one with the outcome. With `replace=true` a
 * record takes the place of the one that has its id. With `dryRun=true` everything is done and then undone.
 */
export const importData =
  (collection: Collection): Handler =>
  async (call) => {
    const form = importForm(call)
    const withProgress = oneScalar(call.parameters, 'progress', bool) ?? false
    // The body is complete before the transaction begins: a slow sender must not hold up everyone's writes.
    await withWorkFolder(call.config.data, 'import', async (folder) => {
      const file = join(folder, 'body')
      const source = { form, file, digest: await spool(call, file) }
      if (withProgress) await importWithProgress(call, collection, source)
      else {
        const done = await importFile(call, collection, source, () => undefined)
        const told = Object.entries(done).map(([name, n]) => [name, String(n)])
        sendText(call.response, 200, contentType.json, JSON.stringify(Object.fromEntries(told)))
      }
    })
  }

function importForm({ request }: Call): FileForm {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  return type === 'text/csv' ? 'csv' : bodyForm(request)
}

// What is too large is read on for a while and dropped, so that the caller gets to read the answer.
const patience = 16

/** Answers the SHA-256 of what came, by which the audit log names the file. */
async function spool({ request, config }: Call, file: string): Promise<string> {
  const limit = config['import-limit']
  const tooLarge = () => new Fault('too-large', `the file is larger than ${limit} bytes`)
  let size = 0
  const hash = createHash('sha256')
  await pipeline(
    request,
    async function* bounded(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length
        hash.update(chunk)
        if (size <= limit) yield chunk
        else if (size > limit * patience) throw tooLarge()
      }
    },
    createWriteStream(file),
  )
  if (size > limit) throw tooLarge()
  return hash.digest('hex')
}

/** What is imported, in a file of ours. */
interface Source {
  readonly form: FileForm
  readonly file: string
  readonly digest: string
}

async function importWithProgress(call: Call, collection: Collection, source: Source): Promise<void> {
  const { response } = call
  startStream(response, 200, 'application/x-ndjson', {})
  const say = (line: object) => response.write(`${JSON.stringify(line)}\n`)
  try {
    const { size } = await stat(source.file)
    say(await importFile(call, collection, source, (rows, bytes) => say({ rows, bytes, size })))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    say({ error: { code: error.code, message: error.message, field: error.field } })
  }
  response.end()
}

type Progress = (rows: number, bytes: number) => void

/** How many records came, and how many of them took the place of others. */
interface Imported {
  readonly imported: number
  readonly replaced: number
}

/** Thrown out of a transaction to undo it: what would have been done. */
class OnlyTried extends Error {
  readonly outcome: Imported

  constructor(outcome: Imported) {
    super('only tried')
    this.outcome = outcome
  }
}

async function importFile(
  call: Call,
  collection: Collection,
  source: Source,
  progress: Progress,
): Promise<Imported> {
  const dryRun = oneScalar(call.parameters, 'dryRun', bool) ?? false
  try {
    return await call.database.transaction(async (tx) => {
      const outcome = await importRows(call, collection, source, tx, progress)
      if (dryRun) throw new OnlyTried(outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof OnlyTried) return error.outcome
    throw error
  }
}

async function importRows(
  { parameters, config }: Call,
  collection: Collection,
  { form, file, digest }: Source,
  tx: Transaction,
  progress: Progress,
): Promise<Imported> {
  const { resource } = collection
  // A record in a file may be as large as one that comes alone.
  const rules = { form, rowName: resource.name, rowLimit: config['body-limit'] }
  const replace = oneScalar(parameters, 'replace', bool) ?? false
  const stream = createReadStream(file)
  let rows = 0
  let replaced = 0
  let lastTold = 0
  for await (const { line, element } of readRows(utf8Text(stream), rules)) {
    try {
      const done = await importIn(tx, collection, readDraft(resource, element, 'import'), replace)
      if (done === 'replaced') replaced += 1
    } catch (error) {
      throw error instanceof Fault ? atLine(error, line) : error
    }
    rows += 1
    if (stream.bytesRead > lastTold) {
      lastTold = stream.bytesRead
      progress(rows, lastTold)
    }
  }
  await tell(tx, {
    action: 'import',
    resource: resource.name,
    count: rows,
    detail: `${rows - replaced} new, ${replaced} replaced, from a ${form} file with the SHA-256 ${digest}`,
  })
  return { imported: rows, replaced }
}
