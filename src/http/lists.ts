// One handler for all lists: query string → checked query → total and rows → document.

import type { Collection } from '../resources/collection.ts'
import { readListQuery } from '../schema/list.ts'
import type { AnyRecord, Shape } from '../schema/resource.ts'
import { declaration } from '../schema/xml.ts'
import { pages, total } from '../store/table.ts'
import { contentType, sendEmpty, sendText, startStream, writePiece, writersOf } from './answers.ts'
import type { Call, Form } from './call.ts'

/** How the rows of one resource become a document, piece by piece. */
interface Frame {
  readonly open: string
  readonly between: string
  readonly close: string
  row(record: AnyRecord): string
}

export function frameOf(form: Form, shape: Shape): Frame {
  const { xml, json } = writersOf(shape)
  if (form === 'xml') return { open: `${declaration}<list>`, between: '', close: '</list>', row: xml }
  const open = `{${JSON.stringify(shape.name)}:[`
  return { open, between: ',', close: ']}', row: (record) => JSON.stringify(json(record)) }
}

/** `show` fills in what is derived. */
export async function answerList(
  call: Call,
  collection: Collection,
  show = collection.rules.show,
): Promise<void> {
  const { database, response, form, request } = call
  const query = readListQuery(collection.list, call.parameters)
  const headers = { Total: await total(database, collection.table, query.conditions) }
  const type = contentType[form]
  // The contract gives the answer its type also where the body is empty.
  if (query.totalOnly) return sendEmpty(response, 200, { 'Content-Type': type, ...headers })
  if (request.method === 'HEAD') {
    startStream(response, 200, type, headers)
    response.end()
    return
  }
  const frame = frameOf(form, collection.resource)
  let pending = frame.open
  let first = true
  let streaming = false
  for await (const records of pages(database, collection.table, query)) {
    // A second chunk: the page is long, so what is ready goes out before more is read.
    if (!first) {
      if (!streaming) startStream(response, 200, type, headers)
      streaming = true
      if (!(await writePiece(response, pending))) return
      pending = frame.between
    }
    await show?.(database, records)
    pending += records.map(frame.row).join(frame.between)
    first = false
  }
  pending += frame.close
  if (streaming) response.end(pending)
  else sendText(response, 200, type, pending, headers)
}
