// The handler for all lists: from query string to validated query, total, rows and document.

import type { Collection } from '../../resources/collection.ts'
import { type PageQuery, readListQuery, readPage, wholeList } from '../../schema/list.ts'
import { type Condition, tablesOf } from '../../schema/list-filter.ts'
import type { AnyRecord, Shape } from '../../schema/resource.ts'
import { declaration } from '../../schema/xml.ts'
import { Page } from '../../store/page.ts'
import { versionOf } from '../../store/table-cache.ts'
import type { Call } from '../call.ts'
import { imcNone, imcShape, shapeFor } from '../imc/imc-records.ts'
import { isImcRoot } from '../imc/imc-root.ts'
import {
  contentType,
  type RowFrame,
  sendEmpty,
  sendRecords,
  sendText,
  startStream,
  writersOf,
} from '../responses.ts'

/** How the rows of one resource become a document. */
interface Frame extends RowFrame {
  /** A whole document without rows. */
  readonly none: string
}

function frameOf(call: Pick<Call, 'form' | 'root'>, shape: Shape): Frame {
  const { xml, json } = writersOf(shape)
  if (call.form === 'xml') {
    const open = `${declaration}<list>`
    return { open, between: '', close: '</list>', none: `${open}</list>`, row: xml }
  }
  const open = `{${JSON.stringify(shape.name)}:[`
  return {
    open,
    between: ',',
    close: ']}',
    none: isImcRoot(call) ? imcNone(shape) : `${open}]}`,
    row: (record) => JSON.stringify(json(record)),
  }
}

/** A list that is in memory: the caller is sent the page of it that he asks for. */
export function answerRows(call: Call, shape: Shape, records: readonly AnyRecord[]): void {
  const page = readPage(wholeList, call.parameters)
  sendPage(call, shape, page, records.slice(page.start, page.start + page.size), records.length)
}

/** The same for rows that are made as they are sent: there may be very many. */
export async function answerMadeRows<T>(
  call: Call,
  shape: Shape,
  all: readonly T[],
  make: (one: T) => AnyRecord,
): Promise<void> {
  const { start, size, totalOnly } = readPage(wholeList, call.parameters)
  const page = all.slice(start, start + size)
  if (totalOnly) return sendTotal(call, all.length)
  if (page.length <= atOnce) return sendRows(call, shape, page.map(make), all.length)
  startStream(call.response, 200, contentType[call.form], { Total: all.length })
  await sendRecords(call.response, frameOf(call, shape), made(page, make))
}

const atOnce = 50

async function* made<T>(page: readonly T[], make: (one: T) => AnyRecord): AsyncGenerator<AnyRecord[]> {
  for (let from = 0; from < page.length; from += atOnce) yield page.slice(from, from + atOnce).map(make)
}

/** A page that has been read. */
export function sendPage(
  call: Call,
  shape: Shape,
  { totalOnly }: PageQuery,
  records: readonly AnyRecord[],
  total: number,
): void {
  if (totalOnly) sendTotal(call, total)
  else sendRows(call, shape, records, total)
}

/** The type is sent even if the body is empty; see docs/interface/conventions.md. */
export const sendTotal = ({ response, form }: Call, total: number) =>
  sendEmpty(response, 200, { 'Content-Type': contentType[form], Total: total })

export function sendRows(
  call: Pick<Call, 'form' | 'root' | 'response'>,
  shape: Shape,
  records: readonly AnyRecord[],
  total = records.length,
): void {
  const text = documentText(frameOf(call, shape), records)
  sendText(call.response, 200, contentType[call.form], text, { Total: total })
}

function documentText({ open, between, close, none, row }: Frame, records: readonly AnyRecord[]): string {
  if (records.length === 0) return none
  let text = open
  let before = ''
  for (const record of records) {
    text += before + row(record)
    before = between
  }
  return text + close
}

/**
 * `show` fills in what is derived; `narrowed` is what the handler requires beyond the caller's query, and goes with a
 * `show`.
 */
export async function answerList(
  call: Call,
  collection: Collection,
  show = collection.rules.show,
  narrowed: readonly Condition[] = [],
): Promise<void> {
  const { database, memory, response, form, request } = call
  const type = contentType[form]
  // By the final query: a handler may have narrowed what the caller sent.
  const key = JSON.stringify([request.method, form, call.base, collection.path, ...call.parameters])
  const remembered = show ? undefined : memory.answers.find(database, key)
  if (remembered) return sendText(response, 200, type, remembered.text, { Total: remembered.total })
  const asked = readListQuery(collection.list, call.parameters)
  const query = { ...asked, conditions: [...asked.conditions, ...narrowed] }
  const tables = [collection.table.name, ...tablesOf(query.conditions)]
  const version = versionOf(database, tables)
  const matches = await memory.totals.of(database, collection.table, query.conditions)
  const headers = { Total: matches }
  if (query.totalOnly) return sendTotal(call, matches)
  if (request.method === 'HEAD') {
    startStream(response, 200, type, headers)
    response.end()
    return
  }
  const frame = frameOf(call, isImcRoot(call) ? imcShape(collection.resource) : collection.resource)
  // No second search for a caller that has disconnected, or for rows that are known not to exist.
  if (response.destroyed) return
  const page = new Page(database, collection.table, matches === 0 ? { ...query, size: 0 } : query, matches)
  const next = async () => {
    const records = await page.next()
    if (show) await show(database, records)
    shapeFor(call, collection.resource, records)
    return records
  }
  const first = page.ended ? [] : await next()
  if (!page.ended) {
    startStream(response, 200, type, headers)
    return sendRecords(response, frame, from(first, page, next))
  }
  const text = documentText(frame, first)
  // Derived fields may change without the table.
  if (!show) memory.answers.keep(key, { text, total: matches, tables, version })
  sendText(response, 200, type, text, headers)
}

/** A long page is sent chunk by chunk as it is read. */
async function* from(
  first: readonly AnyRecord[],
  page: Page,
  next: () => Promise<AnyRecord[]>,
): AsyncGenerator<readonly AnyRecord[]> {
  yield first
  while (!page.ended) yield await next()
}
