// A parser of JSON, once from left to right: a key that is given twice is refused, numbers keep their digits, and what
// is too deep or too much is refused where it begins.

import { Fault, shown } from '../fault.ts'
import { elementLimit } from './read-document.ts'

/** A number is the text it was written as: a double would lose the last digits of a long. */
export type Json = string | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** An array stands between the objects of two levels. */
const depthLimit = 64

/** The number of values that takes a millisecond or two to read. */
const stepLength = 500

export function readJson(text: string): Json {
  const reading = new JsonReader(text).whole()
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
  }
}

/** The same in steps: a document of thousands of values takes long. */
export async function readJsonInSteps(text: string, giveWay: () => Promise<void> | undefined): Promise<Json> {
  const reading = new JsonReader(text).whole()
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
    await giveWay()
  }
}

/** Stops after every step. */
type Reading = Generator<void, Json>

const tokens = {
  space: /[ \t\r\n]*/y,
  number: /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y,
  word: /true|false|null/y,
}
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON does not let stand in a text
const plain = /^[^\\\u0000-\u001f]*$/

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
    // The members of an array are elements, the array itself is none: what fits in XML fits in JSON with its arrays.
    if (char === '[' ? ++this.#arrays > elementLimit : ++this.#values > elementLimit) {
      throw new Fault('invalid', `more than ${elementLimit} ${char === '[' ? 'arrays' : 'values'}`)
    }
    if ((this.#values + this.#arrays) % stepLength === 0) yield
    if (char === '{') return yield* this.#inside(this.#object())
    if (char === '[') return yield* this.#inside(this.#array())
    if (char === '"') return this.#string()
    const word = this.#take(tokens.word)
    const value = word === undefined ? this.#take(tokens.number) : words[word]
    if (value === undefined) throw this.#expected('a value')
    return value
  }

  *#inside(reading: Reading): Reading {
    if (++this.#depth > depthLimit) throw new Fault('invalid', `JSON nested deeper than ${depthLimit}`)
    this.#at += 1
    const value = yield* reading
    this.#depth -= 1
    return value
  }

  *#object(): Reading {
    const members = new Map<string, Json>()
    if (this.#passes('}')) return {}
    do {
      if (this.#next() !== '"') throw this.#expected('a key in quotes')
      const key = this.#string()
      if (members.has(key)) throw new Fault('invalid', `the key ${shown(key)} is given twice`, { field: key })
      if (!this.#passes(':')) throw this.#expected('":"')
      members.set(key, yield* this.#value())
    } while (this.#passes(','))
    if (!this.#passes('}')) throw this.#expected('"," or "}"')
    // Unlike an assignment, this makes a key such as __proto__ an ordinary one.
    return Object.fromEntries(members)
  }

  *#array(): Reading {
    const array: Json[] = []
    if (this.#passes(']')) return array
    do array.push(yield* this.#value())
    while (this.#passes(','))
    if (!this.#passes(']')) throw this.#expected('"," or "]"')
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
    if (plain.test(inner)) return inner
    try {
      return JSON.parse(`"${inner}"`)
    } catch {
      this.#at = start
      throw this.#expected('a text without control characters and unknown escapes')
    }
  }

  /** Behind an odd number of backslashes. */
  #isEscaped(at: number): boolean {
    let before = at - 1
    while (this.#text[before] === '\\') before -= 1
    return (at - before) % 2 === 0
  }

  /** The next character that is no white space; undefined at the end. */
  #next(): string | undefined {
    this.#take(tokens.space)
    return this.#text[this.#at]
  }

  #passes(char: string): boolean {
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
    const place = found === '' ? 'the end' : shown(found)
    return new Fault(
      'invalid',
      `malformed JSON: line ${line}, column ${column}: expected ${what}, found ${place}`,
    )
  }
}
