// A JSON parser for untrusted input: it refuses duplicate keys, keeps the digits of numbers, and stops at the first
// value that exceeds a limit.

import { Fault, shown } from '../fault.ts'
import { elementLimit } from './read-document.ts'

/** A number is the text it was written as: a double would lose the last digits of a long. */
export type Json = string | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Twice that of XML: between the objects of two levels there is an array. */
const depthLimit = 64

/** The number of values that can be parsed in a millisecond or two. */
const stepLength = 500

export function readJson(text: string): Json {
  const reading = new JsonReader(text).whole()
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
  }
}

/** The same in steps, so that thousands of values do not block the thread. */
export async function readJsonInSteps(
  text: string,
  yieldThread: () => Promise<void> | undefined,
): Promise<Json> {
  const reading = new JsonReader(text).whole()
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
    await yieldThread()
  }
}

/** Yields after every step. */
type Reading = Generator<void, Json>

const tokens = {
  space: /[ \t\r\n]*/y,
  number: /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y,
  word: /true|false|null/y,
}
const literals: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not allow these in a string
const unescapedText = /^[^\\\u0000-\u001f]*$/

class JsonReader {
  readonly #text: string
  #at = 0
  #depth = 0
  #values = 0
  #arrays = 0

  constructor(text: string) {
    this.#text = text
  }

  *whole(): Reading {
    const value = yield* this.#value()
    if (this.#next() !== undefined) throw this.#expected('the end')
    return value
  }

  *#value(): Reading {
    const char = this.#next()
    // Members of an array count as elements, the array itself does not: what fits in XML also fits in JSON.
    if (char === '[' ? ++this.#arrays > elementLimit : ++this.#values > elementLimit) {
      throw new Fault('invalid', `more than ${elementLimit} ${char === '[' ? 'arrays' : 'values'}`)
    }
    if ((this.#values + this.#arrays) % stepLength === 0) yield
    if (char === '{') return yield* this.#nested(this.#object())
    if (char === '[') return yield* this.#nested(this.#array())
    if (char === '"') return this.#string()
    const word = this.#take(tokens.word)
    const value = word === undefined ? this.#take(tokens.number) : literals[word]
    if (value === undefined) throw this.#expected('a value')
    return value
  }

  *#nested(reading: Reading): Reading {
    if (++this.#depth > depthLimit) throw new Fault('invalid', `JSON nested deeper than ${depthLimit}`)
    this.#at += 1
    const value = yield* reading
    this.#depth -= 1
    return value
  }

  *#object(): Reading {
    const members = new Map<string, Json>()
    if (this.#skip('}')) return {}
    do {
      if (this.#next() !== '"') throw this.#expected('a key in quotes')
      const key = this.#string()
      if (members.has(key)) throw new Fault('invalid', `the key ${shown(key)} is given twice`, { field: key })
      if (!this.#skip(':')) throw this.#expected('":"')
      members.set(key, yield* this.#value())
    } while (this.#skip(','))
    if (!this.#skip('}')) throw this.#expected('"," or "}"')
    // Unlike an assignment, this treats a key such as __proto__ as an ordinary one.
    return Object.fromEntries(members)
  }

  *#array(): Reading {
    const array: Json[] = []
    if (this.#skip(']')) return array
    do array.push(yield* this.#value())
    while (this.#skip(','))
    if (!this.#skip(']')) throw this.#expected('"," or "]"')
    return array
  }

  #string(): string {
    const start = this.#at
    let end = start
    do end = this.#text.indexOf('"', end + 1)
    while (end > 0 && this.#isEscaped(end))
    if (end < 0) throw this.#expected('a text that ends')
    const inner = this.#text.slice(start + 1, end)
    this.#at = end + 1
    if (unescapedText.test(inner)) return inner
    try {
      return JSON.parse(`"${inner}"`)
    } catch {
      this.#at = start
      throw this.#expected('a text without control characters and unknown escapes')
    }
  }

  /** Whether an odd number of backslashes precedes it. */
  #isEscaped(at: number): boolean {
    let before = at - 1
    while (this.#text[before] === '\\') before -= 1
    return (at - before) % 2 === 0
  }

  /** The next character other than white space; undefined at the end. */
  #next(): string | undefined {
    this.#take(tokens.space)
    return this.#text[this.#at]
  }

  #skip(char: string): boolean {
    if (this.#next() !== char) return false
    this.#at += 1
    return true
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#at
    const found = token.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #expected(what: string): Fault {
    const before = this.#text.slice(0, this.#at)
    const line = before.split('\n').length
    const column = this.#at - before.lastIndexOf('\n')
    const found = this.#text.slice(this.#at, this.#at + 20)
    const actual = found === '' ? 'the end' : shown(found)
    return new Fault(
      'invalid',
      `malformed JSON: line ${line}, column ${column}: expected ${what}, found ${actual}`,
    )
  }
}
