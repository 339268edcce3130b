// Cuts the rows out of a JSON file as it comes, without parsing the whole of it.

import { Fault, shown } from '../fault.ts'

interface Piece {
  /** Where the row begins. */
  readonly line: number
  readonly json: string
}

type State = 'before' | 'first' | 'row' | 'behind row' | 'next' | 'behind array' | 'after'

/** What may follow outside of rows, beside white space. */
const moves: Readonly<Partial<Record<State, Readonly<Record<string, State>>>>> = {
  first: { '{': 'row', ']': 'behind array' },
  'behind row': { ',': 'next', ']': 'behind array' },
  next: { '{': 'row' },
  'behind array': { '}': 'after' },
}

export class JsonCutter {
  readonly #rowName: string
  #state: State = 'before'
  /** The array is the value of a field, not the whole file. */
  #wrapped = false
  #piece = ''
  #depth = 0
  #inString = false
  #escaped = false
  #line = 1
  #rowLine = 1

  constructor(rowName: string) {
    this.#rowName = rowName
  }

  *push(chunk: string): Generator<Piece> {
    for (const char of chunk) {
      if (this.#state === 'row') {
        this.#piece += char
        if (this.#endsRow(char)) {
          this.#state = 'behind row'
          yield { line: this.#rowLine, json: this.#piece }
        }
      } else if (this.#state === 'before') this.#begin(char)
      else if (!/[ \t\r\n]/.test(char)) this.#move(char)
      if (char === '\n') this.#line += 1
    }
  }

  close(): void {
    if (this.#state !== 'after') throw this.#malformed('the end of the file')
  }

  #begin(char: string): void {
    this.#piece += char
    if (this.#piece.length > 1000) throw this.#malformed(`no "${this.#rowName}" array`)
    if (char !== '[') return
    const found = /^\s*(?:\{\s*"([^"\\]*)"\s*:\s*)?\[$/.exec(this.#piece)
    if (!found || (found[1] !== undefined && found[1] !== this.#rowName))
      throw this.#malformed(shown(this.#piece.trim()))
    this.#wrapped = found[1] !== undefined
    this.#state = 'first'
  }

  #move(char: string): void {
    const next = moves[this.#state]?.[char]
    if (!next) throw this.#malformed(shown(char))
    this.#state = next === 'behind array' && !this.#wrapped ? 'after' : next
    if (next !== 'row') return
    this.#piece = char
    this.#depth = 1
    this.#rowLine = this.#line
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

  #malformed(found: string): Fault {
    const expected = `{"${this.#rowName}":[ … ]} or an array of objects`
    return new Fault('invalid', `line ${this.#line}: found ${found}: expected ${expected}`)
  }
}
