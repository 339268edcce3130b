// Extracts rows from a JSON file as it arrives, without parsing the file as a whole.

import { Fault, shown } from '../fault.ts'

interface JsonRow {
  /** The line on which the row begins. */
  readonly line: number
  readonly json: string
}

type State = 'before' | 'first' | 'row' | 'after row' | 'next' | 'after array' | 'after'

/** Characters that are accepted outside of rows, besides white space. */
const transitions: Readonly<Partial<Record<State, Readonly<Record<string, State>>>>> = {
  first: { '{': 'row', ']': 'after array' },
  'after row': { ',': 'next', ']': 'after array' },
  next: { '{': 'row' },
  'after array': { '}': 'after' },
}

/** The most characters before the first row. */
const maxHeadLength = 1000
const codes = { newline: 10, quote: 34, backslash: 92, openings: [91, 123], closings: [93, 125] }

export class JsonCutter {
  readonly #rowName: string
  readonly #rowLimit: number
  #state: State = 'before'
  /** The array is the value of a field rather than the whole file. */
  #wrapped = false
  #head = ''
  /** The part of the row in earlier chunks. */
  #rowParts: string[] = []
  #size = 0
  #depth = 0
  #inString = false
  #escaped = false
  #line = 1
  #rowLine = 1

  /** A row of more than `rowLimit` characters is refused. */
  constructor(rowName: string, rowLimit: number) {
    this.#rowName = rowName
    this.#rowLimit = rowLimit
  }

  *push(chunk: string): Generator<JsonRow> {
    let at = 0
    while (at < chunk.length) {
      if (this.#state !== 'row') {
        this.#outside(chunk.charAt(at))
        at += 1
        continue
      }
      const end = this.#rowEnd(chunk, at)
      this.#rowParts.push(chunk.slice(at, end))
      this.#size += end - at
      if (this.#size > this.#rowLimit) throw rowTooLarge(this.#rowLine, this.#rowLimit)
      at = end
      if (this.#depth > 0) continue
      this.#state = 'after row'
      yield { line: this.#rowLine, json: this.#rowParts.join('') }
    }
  }

  close(): void {
    if (this.#state !== 'after') throw this.#malformed('the end of the file')
  }

  #outside(char: string): void {
    if (char === '\n') this.#line += 1
    if (this.#state === 'before') this.#begin(char)
    else if (!' \t\r\n'.includes(char)) this.#transition(char)
  }

  #begin(char: string): void {
    this.#head += char
    if (this.#head.length > maxHeadLength) throw this.#malformed(`no "${this.#rowName}" array`)
    if (char !== '[') return
    const found = /^\s*(?:\{\s*"([^"\\]*)"\s*:\s*)?\[$/.exec(this.#head)
    if (!found || (found[1] !== undefined && found[1] !== this.#rowName))
      throw this.#malformed(shown(this.#head.trim()))
    this.#wrapped = found[1] !== undefined
    this.#state = 'first'
  }

  #transition(char: string): void {
    const next = transitions[this.#state]?.[char]
    if (!next) throw this.#malformed(shown(char))
    this.#state = next === 'after array' && !this.#wrapped ? 'after' : next
    if (next !== 'row') return
    this.#rowParts = [char]
    this.#size = 1
    this.#depth = 1
    this.#rowLine = this.#line
  }

  /** The end of the row in this chunk, or the end of the chunk. */
  #rowEnd(chunk: string, from: number): number {
    let at = from
    while (at < chunk.length && this.#depth > 0) {
      const code = chunk.charCodeAt(at)
      at += 1
      if (code === codes.newline) this.#line += 1
      if (this.#inString) this.#insideString(code)
      else if (code === codes.quote) this.#inString = true
      else if (codes.openings.includes(code)) this.#depth += 1
      else if (codes.closings.includes(code)) this.#depth -= 1
    }
    return at
  }

  #insideString(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === codes.backslash) this.#escaped = true
    else if (code === codes.quote) this.#inString = false
  }

  #malformed(found: string): Fault {
    const expected = `{"${this.#rowName}":[ … ]} or an array of objects`
    return new Fault('invalid', `line ${this.#line}: found ${found}: expected ${expected}`)
  }
}

export const rowTooLarge = (line: number, limit: number) =>
  new Fault('too-large', `line ${line}: the row is larger than ${limit} characters`)
