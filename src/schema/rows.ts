// A file of records, read row by row with the line each row begins on, so that files of any size cost little memory.

import { parse } from 'csv-parse'
import { Fault, shown } from '../fault.ts'
import type { Element } from './document.ts'
import { jsonElement } from './json.ts'
import { XmlReader } from './xml.ts'

export interface FileRow {
  readonly line: number
  readonly element: Element
}

export type FileForm = 'xml' | 'json' | 'csv'
type Text = AsyncIterable<string>

export function readRows(form: FileForm, text: Text, rowName: string): AsyncGenerator<FileRow> {
  if (form === 'xml') return xmlRows(text)
  return form === 'json' ? jsonRows(text, rowName) : csvRows(text, rowName)
}

/** Bytes to text, refusing what is not UTF-8; a byte order mark is dropped. */
export async function* utf8Text(bytes: AsyncIterable<Uint8Array>): Text {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch (cause) {
      throw new Fault('invalid', 'the file is not valid UTF-8', { cause })
    }
  }
  for await (const chunk of bytes) yield decode(chunk)
  yield decode()
}

/** `<list>` with one element per record. */
async function* xmlRows(text: Text): AsyncGenerator<FileRow> {
  let ready: FileRow[] = []
  const reader = new XmlReader(2, (element, line) => ready.push({ line, element }))
  for await (const chunk of text) {
    reader.write(chunk)
    yield* ready
    ready = []
  }
  reader.close()
  yield* ready
}

/** `{"zone":[…]}` or a bare array. Rows are cut out by counting brackets and then parsed one by one. */
async function* jsonRows(text: Text, rowName: string): AsyncGenerator<FileRow> {
  const cutter = new JsonCutter(rowName)
  for await (const chunk of text) yield* cutter.push(chunk)
  cutter.close()
}

class JsonCutter {
  readonly #rowName: string
  #state: 'before' | 'between' | 'row' | 'after' = 'before'
  #piece = ''
  #depth = 0
  #inString = false
  #escaped = false
  #line = 1
  #rowLine = 1

  constructor(rowName: string) {
    this.#rowName = rowName
  }

  *push(chunk: string): Generator<FileRow> {
    for (const char of chunk) {
      if (this.#state === 'row') {
        this.#piece += char
        if (this.#endsRow(char)) {
          this.#state = 'between'
          yield { line: this.#rowLine, element: this.#parse() }
        }
      } else this.#outside(char)
      if (char === '\n') this.#line += 1
    }
  }

  close(): void {
    if (this.#state !== 'after') throw this.#malformed('the end of the file')
  }

  #outside(char: string): void {
    if (this.#state === 'before') {
      this.#piece += char
      if (char === '[') this.#begin()
      else if (this.#piece.length > 1000) throw this.#malformed(`no "${this.#rowName}" array`)
    } else if (char === '{' && this.#state === 'between') {
      this.#state = 'row'
      this.#piece = char
      this.#depth = 1
      this.#rowLine = this.#line
    } else if (char === ']' && this.#state === 'between') this.#state = 'after'
    else if (!/[\s,]/.test(char) && !(char === '}' && this.#state === 'after'))
      throw this.#malformed(shown(char))
  }

  #begin(): void {
    const name = /^\s*(?:\{\s*"([^"\\]*)"\s*:\s*)?\[$/.exec(this.#piece)
    if (!name || (name[1] !== undefined && name[1] !== this.#rowName))
      throw this.#malformed(shown(this.#piece.trim()))
    this.#state = 'between'
  }

  #endsRow(char: string): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (char === '\\') this.#escaped = true
      else if (char === '"') this.#inString = false
    } else if (char === '"') this.#inString = true
    else if (char === '{' || char === '[') this.#depth += 1
    else if (char === '}' || char === ']') this.#depth -= 1
    return this.#depth === 0
  }

  #parse(): Element {
    try {
      return jsonElement(this.#piece, this.#rowName)
    } catch (error) {
      throw error instanceof Fault ? atLine(error, this.#rowLine) : error
    }
  }

  #malformed(found: string): Fault {
    const expected = `{"${this.#rowName}":[ … ]} or an array of objects`
    return new Fault('invalid', `line ${this.#line}: found ${found}: expected ${expected}`)
  }
}

export function atLine(fault: Fault, line: number): Fault {
  const field = fault.field === undefined ? '' : `${fault.field}: `
  return new Fault(fault.code, `line ${line}: ${field}${fault.message}`, {
    cause: fault,
    ...(fault.field !== undefined && { field: fault.field }),
  })
}

/** The first line names the fields; what is inside a group is named by its path: `ifInfo[1]/deviceId`. */
async function* csvRows(text: Text, rowName: string): AsyncGenerator<FileRow> {
  let paths: Path[] | undefined
  try {
    for await (const { record, info } of csvRecords(text)) {
      if (!paths) paths = record.map(readPath)
      else yield { line: info.lines, element: csvElement(rowName, paths, record) }
    }
  } catch (error) {
    if (error instanceof Fault || !(error as { code?: string }).code?.startsWith('CSV_')) throw error
    throw new Fault('invalid', `malformed CSV: ${(error as Error).message}`, { cause: error })
  }
}

interface CsvRecord {
  readonly record: string[]
  readonly info: { readonly lines: number }
}

async function* csvRecords(text: Text): AsyncGenerator<CsvRecord> {
  const chunks = text[Symbol.asyncIterator]()
  const first = await chunks.next()
  const head: string = first.done ? '' : first.value
  const parser = parse({ delimiter: delimiterOf(head), info: true, skip_empty_lines: true })
  const feed = async () => {
    parser.write(head)
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      if (!parser.write(next.value)) await new Promise((resolve) => parser.once('drain', resolve))
    }
    parser.end()
  }
  const fed = feed().catch((error) => parser.destroy(error))
  yield* parser as AsyncIterable<CsvRecord>
  await fed
}

/** Spreadsheets of many countries write semicolons. */
function delimiterOf(head: string): string {
  const [line = ''] = head.split('\n', 1)
  return [',', ';', '\t'].find((candidate) => line.includes(candidate)) ?? ','
}

type Path = readonly { readonly name: string; readonly index: number }[]

function readPath(header: string): Path {
  return header
    .trim()
    .split('/')
    .map((step) => {
      const match = /^([A-Za-z_][\w]*)(?:\[(\d{1,4})\])?$/.exec(step)
      if (!match?.[1]) {
        throw new Fault(
          'invalid',
          `line 1: column ${shown(header)}: expected a field name or a path such as ifInfo[1]/deviceId`,
        )
      }
      return { name: match[1], index: Number(match[2] ?? 1) }
    })
}

interface Branch {
  readonly name: string
  text: string
  readonly items: Branch[]
  readonly places: Map<string, Branch>
}

const branch = (name: string): Branch => ({ name, text: '', items: [], places: new Map() })

function csvElement(rowName: string, paths: readonly Path[], cells: readonly string[]): Element {
  const root = branch(rowName)
  for (const [column, path] of paths.entries()) {
    const cell = cells[column] ?? ''
    // An empty cell is a field that is not given.
    if (cell.trim() === '') continue
    let at = root
    for (const { name, index } of path) {
      const place = `${name}[${index}]`
      let next = at.places.get(place)
      if (!next) {
        next = branch(name)
        at.places.set(place, next)
        at.items.push(next)
      }
      at = next
    }
    at.text = cell
  }
  return root
}
