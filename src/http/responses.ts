// Writes responses: documents, empty responses, faults.

import type { ServerResponse } from 'node:http'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Fault, FaultCode } from '../fault.ts'
import { jsonWriter } from '../schema/json.ts'
import { type AnyRecord, optional, required, type Shape } from '../schema/resource.ts'
import { text } from '../schema/scalar.ts'
import { declaration, xmlWriter } from '../schema/xml.ts'
import type { Form } from './call.ts'

export const statusOf: Readonly<Record<FaultCode, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
}

export const errorDocument = {
  name: 'error',
  fields: { code: required(text()), message: required(text({ maxLength: 10_000 })), field: optional(text()) },
}

export const contentType: Readonly<Record<Form, string>> = {
  xml: 'application/xml',
  json: 'application/json',
}

type Headers = Record<string, string | number | string[]>

/** Answers are made for this caller at this moment, and are data, whatever type a browser may guess. */
const always: Headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

/** Nothing in an answer is run or loaded, and no other page shows it in a frame. Pages for people have their own. */
export const strictPolicy = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"] as const

interface Writers {
  xml(record: AnyRecord): string
  json(record: AnyRecord): AnyRecord
}

const writers = new WeakMap<Shape, Writers>()

export function writersOf(of: Shape): Writers {
  let known = writers.get(of)
  if (!known) {
    known = { xml: xmlWriter(of), json: jsonWriter(of) }
    writers.set(of, known)
  }
  return known
}

/** A record as a whole document. */
export function documentOf(form: Form, of: Shape, record: AnyRecord): string {
  return form === 'xml' ? declaration + writersOf(of).xml(record) : JSON.stringify(writersOf(of).json(record))
}

export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Headers = {},
): void {
  response.writeHead(status, {
    ...always,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  })
  response.end(body)
}

export function sendRecord(response: ServerResponse, form: Form, of: Shape, record: AnyRecord): void {
  sendText(response, 200, contentType[form], documentOf(form, of, record))
}

export function sendEmpty(response: ServerResponse, status: number, headers: Headers = {}): void {
  const length: Headers = status === 204 || status === 304 ? {} : { 'Content-Length': 0 }
  response.writeHead(status, { ...always, ...length, ...headers })
  response.end()
}

export function faultHeaders(fault: Fault): Headers {
  const headers: Headers = { 'Error-Code': fault.code, 'Error-Message': headerText(fault.message) }
  if (fault.code === 'unavailable' || fault.code === 'too-many-requests') headers['Retry-After'] = 5
  return headers
}

/** The document that describes a fault; used also where no response object exists yet. */
export function faultBody(form: Form, fault: Fault): string {
  const { code, message, field } = fault
  // The name of an unknown element comes from the sender, at any length.
  const place = field === undefined ? null : shortened(field, 200)
  return documentOf(form, errorDocument, { code, message, field: place })
}

const shortened = (text: string, limit: number) => (text.length > limit ? `${text.slice(0, limit)}…` : text)

export function sendFault(response: ServerResponse, form: Form, fault: Fault, headers: Headers = {}): void {
  sendText(response, statusOf[fault.code], contentType[form], faultBody(form, fault), {
    ...faultHeaders(fault),
    ...headers,
  })
}

/** Many clients read heads of 16 KiB at most. */
const warningLimit = 20

export function firstWarnings(remarks: readonly string[]): readonly string[] {
  const more = remarks.length - warningLimit + 1
  return more > 1 ? [...remarks.slice(0, warningLimit - 1), `and ${more} more remarks`] : remarks
}

/** One header per remark. */
export function warningHeaders(remarks: readonly string[]): Headers {
  if (remarks.length === 0) return {}
  return { 'Belfry-Warning': firstWarnings(remarks).map(headerText) }
}

/** Percent-encodes what a header cannot carry, and the percent sign itself. */
function headerText(message: string): string {
  return shortened(message, 500)
    .toWellFormed()
    .replace(/[^\x20-\x24\x26-\x7e]/gu, (char) => encodeURIComponent(char))
}

/** Characters. Sending less takes a system call, and a turn for others, more often than is needed. */
const pieceLength = 2 ** 15

/** What stands around, between and in the rows of a document. */
export interface RowFrame {
  readonly open: string
  readonly between: string
  readonly close: string
  row(record: AnyRecord): string
}

/**
 * Sends a long document while its records are read. Their texts are made one by one: records that are read at once may
 * become far more text than others should have to wait for.
 */
export async function sendRecords(
  response: ServerResponse,
  { open, between, close, row }: RowFrame,
  chunks: AsyncIterable<readonly AnyRecord[]>,
): Promise<void> {
  let piece = open
  let before = ''
  for await (const records of chunks) {
    for (const record of records) {
      piece += before + row(record)
      before = between
      if (piece.length < pieceLength) continue
      if (!(await writePiece(response, piece))) return
      piece = ''
    }
  }
  response.end(piece + close)
}

/** The members of a repeated group, and how each becomes one that is written. */
interface MadeGroup {
  readonly members: readonly unknown[]
  make(member: unknown): AnyRecord
}

/**
 * Sends a record whose last fields are long groups, a few members at a time: they are made as they are sent, and others
 * have their turn meanwhile.
 */
export async function sendRecordInSteps(
  response: ServerResponse,
  form: Form,
  of: Shape,
  record: AnyRecord,
  groups: Readonly<Record<string, MadeGroup>>,
): Promise<void> {
  startStream(response, 200, contentType[form], {})
  const names = Object.keys(groups)
  const empty = Object.fromEntries(names.map((name) => [name, []]))
  const whole = documentOf(form, of, { ...record, ...empty })
  const lists = names.map((name) => `${JSON.stringify(name)}:[`)
  const end = form === 'xml' ? `</${of.name}>` : `${lists.join('],')}]}`
  let piece = whole.slice(0, -end.length)
  for (const [index, name] of names.entries()) {
    const group = of.fields[name] as { readonly fields: Shape['fields'] }
    const { xml, json } = writersOf({ name, fields: group.fields })
    if (form === 'json') piece += (index === 0 ? '' : '],') + lists[index]
    const { members, make } = groups[name] as MadeGroup
    for (const [at, member] of members.entries()) {
      piece += form === 'xml' ? xml(make(member)) : (at === 0 ? '' : ',') + JSON.stringify(json(make(member)))
      if (piece.length < pieceLength) continue
      if (!(await writePiece(response, piece))) return
      piece = ''
    }
  }
  response.end(piece + (form === 'xml' ? end : ']}'))
}

/** Aborted when the caller is gone before it has the whole answer. */
export function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const notice = () => response.writableFinished || gone.abort()
  if (response.destroyed) notice()
  else response.once('close', notice)
  return gone.signal
}

/** Writes a chunk and waits until the caller has taken it; false when the caller is gone. */
export async function writePiece(response: ServerResponse, piece: string): Promise<boolean> {
  if (response.destroyed) return false
  if (!response.write(piece)) await drained(response)
  // The kernel may take all of it at once, chunk by chunk, and say so at once: others get their turn between two of them.
  await yieldToEventLoop()
  return !response.destroyed
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    // Whichever event comes first removes the other listener: a long answer has many chunks.
    const goOn = () => {
      response.off('drain', goOn).off('close', goOn)
      resolve()
    }
    response.on('drain', goOn).on('close', goOn)
  })
}

export function startStream(response: ServerResponse, status: number, type: string, headers: Headers): void {
  response.writeHead(status, { ...always, 'Content-Type': type, ...headers })
}
