// Reads a file of records row by row, with the line on which each row begins, so that large files need little memory.

import { finished } from 'node:stream/promises'
import { setImmediate as yieldThread } from 'node:timers/promises'
import { CsvError, type Parser, parse } from 'csv-parse'
import { Fault, shown } from '../fault.ts'
import { unescapeFormula } from './csv.ts'
import { jsonElement } from './json.ts'
import { JsonCutter, rowTooLarge } from './json-cutter.ts'
import { type Element, elementLimit } from './read-document.ts'
import type { Fields, Resource } from './resource.ts'
import { XmlReader } from './xml.ts'

export interface FileRow {
  readonly line: number
  readonly element: Element
}

export type FileForm = 'xml' | 'json' | 'csv'
type Text = AsyncIterable<string>

interface RowRules {
  readonly form: FileForm
  /** The resource of the rows: it names their elements, its fields the columns. */
  readonly resource: Resource
  /** The most characters of a row: nothing larger is held in memory. */
  readonly rowLimit: number
}

export function readRows(text: Text, rules: RowRules): AsyncGenerator<FileRow> {
  if (rules.form === 'xml') return xmlRows(text, rules)
  return rules.form === 'json' ? jsonRows(text, rules) : csvRows(text, rules)
}

export function atLine(fault: Fault, line: number): Fault {
  const field = fault.field === undefined ? '' : `${fault.field}: `
  return new Fault(fault.code, `line ${line}: ${field}${fault.message}`, {
    cause: fault,
    ...(fault.field !== undefined && { field: fault.field }),
  })
}

const lineBreaks = (text: string) => text.match(/\r\n?|\n/g)?.length ?? 0

/** Decodes UTF-8, and refuses anything else; drops a byte order mark. */
export async function* utf8Text(bytes: AsyncIterable<Uint8Array>): Text {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch (cause) {
      const bad = line + (chunk ? linesBeforeBadByte(chunk) : 0)
      throw new Fault('invalid', `line ${bad}: the file is not valid UTF-8`, { cause })
    }
  }
  for await (const chunk of bytes) {
    const text = decode(chunk)
    yield text
    line += lineBreaks(text)
  }
  yield decode()
}

function linesBeforeBadByte(chunk: Uint8Array): number {
  // A chunk may begin in the middle of a character.
  const start = chunk.findIndex((byte) => (byte & 0xc0) !== 0x80)
  const [before = ''] = new TextDecoder().decode(chunk.subarray(start)).split('\ufffd', 1)
  return lineBreaks(before)
}

/** `<list>` with one element per record. */
async function* xmlRows(text: Text, { rowLimit }: RowRules): AsyncGenerator<FileRow> {
  const ready: FileRow[] = []
  const reader = new XmlReader(2, (element, line) => ready.push({ line, element }), { rowLimit })
  for await (const chunk of text) {
    try {
      reader.write(chunk)
    } catch (error) {
      // The message about malformed input already contains the line.
      const hasLine = !(error instanceof Fault) || error.message.startsWith('malformed')
      throw hasLine ? error : atLine(error, reader.line)
    }
    yield* ready.splice(0)
  }
  reader.close()
}

/** `{"zone":[…]}` or a bare array. Rows are found by counting brackets and then parsed one by one. */
async function* jsonRows(text: Text, { resource, rowLimit }: RowRules): AsyncGenerator<FileRow> {
  const rowName = resource.name
  const cutter = new JsonCutter(rowName, rowLimit)
  for await (const chunk of text) {
    for (const { line, json } of cutter.push(chunk)) yield { line, element: jsonRow(json, rowName, line) }
  }
  cutter.close()
}

function jsonRow(json: string, rowName: string, line: number): Element {
  try {
    return jsonElement(json, rowName)
  } catch (error) {
    throw error instanceof Fault ? atLine(error, line) : error
  }
}

/** The first line names the fields; a field of a group is named by its path: `ifInfo[1]/deviceId`. */
async function* csvRows(text: Text, { resource, rowLimit }: RowRules): AsyncGenerator<FileRow> {
  let paths: Path[] | undefined
  for await (const { line, cells } of csvRecords(text, rowLimit)) {
    if (paths) yield { line, element: csvElement(resource.name, paths, cells) }
    else paths = readHeader(cells, resource)
  }
  if (!paths) {
    throw new Fault('invalid', 'line 1: the file is empty: expected a first line that names the fields')
  }
}

interface CsvRecord {
  readonly line: number
  readonly cells: string[]
}

async function* csvRecords(text: Text, rowLimit: number): AsyncGenerator<CsvRecord> {
  let parser: Parser | undefined
  const ready: CsvRecord[] = []
  // The parser's own count takes a line break of two characters inside a value for two lines.
  let line = 1
  /** Characters since the last complete record. */
  let open = 0
  const take = ({ record, raw }: { record: string[]; raw: string }) => {
    const emptyLines = lineBreaks(/^[\r\n]*/.exec(raw)?.[0] ?? '')
    ready.push({ line: line + emptyLines, cells: record })
    line += lineBreaks(raw)
    open = 0
  }
  for await (const chunk of firstLineWhole(text, rowLimit)) {
    parser ??= openCsv(delimiterOf(chunk), take)
    open += chunk.length
    const bytes = Buffer.from(chunk)
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      if (at > 0) await yieldThread()
      await parsed(parser, bytes.subarray(at, at + chunkBytes)).catch((error) => refuseCsv(error, line))
      yield* ready.splice(0)
    }
    if (open > rowLimit) throw rowTooLarge(line, rowLimit)
  }
  parser?.end()
  if (parser) await finished(parser).catch((error) => refuseCsv(error, line))
  yield* ready
}

function openCsv(delimiter: string, take: (found: { record: string[]; raw: string }) => void): Parser {
  // Line ends are given, not detected: an exported file that was edited elsewhere mixes them.
  const lineEnds = ['\r\n', '\n', '\r']
  const parser = parse({ delimiter, record_delimiter: lineEnds, skip_empty_lines: true, raw: true })
  // The error is also thrown by the write that caused it.
  parser.on('error', () => undefined)
  return parser.on('data', take)
}

/** The number of bytes that can be parsed in a few milliseconds: the first line arrives whole, and may be long. */
const chunkBytes = 2 ** 15

const parsed = (parser: Parser, chunk: Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    parser.write(chunk, (error) => (error ? reject(error) : resolve()))
  })

function refuseCsv(error: Error, line: number): never {
  if (!(error instanceof CsvError)) throw error
  // The message may quote the whole row.
  const reason = error.message.slice(0, 200).replace(/,? (?:at|on) line \d+/, '')
  throw new Fault('invalid', `line ${line}: malformed CSV: ${reason}`)
}

/** The delimiter is determined from the first line, which must therefore not be split. */
async function* firstLineWhole(text: Text, limit: number): Text {
  let head: string | undefined = ''
  for await (const chunk of text) {
    if (head === undefined) yield chunk
    else if (/[\r\n]/.test(chunk)) {
      yield head + chunk
      head = undefined
    } else head += chunk
    if (head !== undefined && head.length > limit) throw rowTooLarge(1, limit)
  }
  if (head) yield head
}

/** In many countries, spreadsheets write semicolons. */
function delimiterOf(head: string): string {
  const [line = ''] = head.split(/[\r\n]/, 1)
  return [',', ';', '\t'].find((candidate) => line.includes(candidate)) ?? ','
}

type Path = readonly { readonly name: string; readonly index: number }[]

function readHeader(cells: readonly string[], resource: Resource): Path[] {
  if (cells.length > elementLimit) {
    throw new Fault('invalid', `line 1: ${cells.length} columns: expected ${elementLimit} at most`)
  }
  const seen = new Set<string>()
  return cells.map((cell) => {
    const path = readPath(cell, resource)
    const pathText = path.map(({ name, index }) => `${name}[${index}]`).join('/')
    if (seen.has(pathText)) throw new Fault('invalid', `line 1: column ${shown(cell)} is given twice`)
    seen.add(pathText)
    return path
  })
}

/** Only known fields are accepted: each row repeats these names, so long ones would add up. */
function readPath(header: string, { fields, ignored }: Resource): Path {
  const path: { name: string; index: number }[] = []
  let inside: Fields = fields
  for (const step of header.trim().split('/')) {
    const [, name = '', index = '1'] = /^([A-Za-z_]\w*)(?:\[(\d{1,4})\])?$/.exec(step) ?? []
    if (name === '') {
      throw new Fault(
        'invalid',
        `line 1: column ${shown(header)}: expected a field name or a path such as ifInfo[1]/deviceId`,
      )
    }
    const field = Object.hasOwn(inside, name) ? inside[name] : undefined
    if (!field && !(path.length === 0 && ignored.includes(name))) throw unknownColumn(header, name, inside)
    path.push({ name, index: Number(index) })
    inside = field?.kind === 'group' ? field.fields : {}
  }
  return path
}

function unknownColumn(header: string, name: string, fields: Fields): Fault {
  const known = Object.keys(fields).join(', ') || 'no field inside it'
  const message = `line 1: column ${shown(header)}: unknown element ${shown(name)}: expected ${known}`
  return new Fault('invalid', message, { field: header })
}

interface Branch {
  readonly name: string
  text: string
  readonly items: Branch[]
  readonly byPosition: Map<string, Branch>
}

const branch = (name: string): Branch => ({ name, text: '', items: [], byPosition: new Map() })

function csvElement(rowName: string, paths: readonly Path[], cells: readonly string[]): Element {
  const root = branch(rowName)
  for (const [column, path] of paths.entries()) {
    const cell = cells[column] ?? ''
    // An empty cell means that the field is absent.
    if (cell.trim() === '') continue
    let at = root
    for (const { name, index } of path) {
      const position = `${name}[${index}]`
      let next = at.byPosition.get(position)
      if (!next) {
        next = branch(name)
        at.byPosition.set(position, next)
        at.items.push(next)
      }
      at = next
    }
    at.text = unescapeFormula(cell)
  }
  return root
}
