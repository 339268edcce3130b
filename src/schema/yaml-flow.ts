// Values of YAML that stand on one line: text, plain or in quotes, and lists and maps in brackets.

import { Fault, shown } from '../fault.ts'
import { depthLimit } from './read-document.ts'
import type { Yaml } from './yaml.ts'

const refuse = (line: number, reason: string) =>
  new Fault('invalid', `line ${line}: malformed YAML: ${reason}`)

export function flowValue(text: string, line: number): Yaml {
  const reader = new FlowReader(text, line)
  const value = reader.value(0, false)
  reader.requireEnd()
  return value
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', '0': '\0', a: '\x07', b: '\b', f: '\f', v: '\v', e: '\x1b' },
  ...{ '"': '"', '\\': '\\', '/': '/', ' ': ' ' },
}
const codeLength: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

class FlowReader {
  readonly #text: string
  readonly #line: number
  #at = 0

  constructor(text: string, line: number) {
    this.#text = text
    this.#line = line
  }

  requireEnd(): void {
    this.#space()
    const rest = this.#text.slice(this.#at)
    if (rest !== '') throw refuse(this.#line, `${shown(rest)} is behind the end of the value`)
  }

  value(depth: number, isInside: boolean): Yaml {
    if (depth > depthLimit) throw refuse(this.#line, `values nested deeper than ${depthLimit}`)
    this.#space()
    const next = this.#text[this.#at]
    if (next === '[') return this.#list(depth)
    if (next === '{') return this.#map(depth)
    return { kind: 'text', line: this.#line, text: this.#scalar(isInside) }
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1
  }

  #scalar(isInside: boolean): string {
    const next = this.#text[this.#at]
    if (next === '"') return this.#double()
    if (next === "'") return this.#single()
    if (next !== undefined && '&*!'.includes(next))
      throw refuse(this.#line, 'anchors, aliases and tags are not accepted')
    return this.#plain(isInside)
  }

  #plain(isInside: boolean): string {
    const from = this.#at
    if (!isInside) this.#at = this.#text.length
    else while (this.#at < this.#text.length && !this.#endsPlain()) this.#at += 1
    const text = this.#text.slice(from, this.#at).trim()
    return text === '~' || text === 'null' ? '' : text
  }

  #endsPlain(): boolean {
    const [char = '', next = ' '] = [this.#text[this.#at], this.#text[this.#at + 1]]
    return ',]}'.includes(char) || (char === ':' && /\s/.test(next))
  }

  #single(): string {
    const parts: string[] = []
    for (this.#at += 1; ; ) {
      const end = this.#text.indexOf("'", this.#at)
      if (end < 0) throw refuse(this.#line, "a text without its closing '")
      parts.push(this.#text.slice(this.#at, end))
      this.#at = end + 1
      if (this.#text[this.#at] !== "'") return parts.join('')
      parts.push("'")
      this.#at += 1
    }
  }

  #double(): string {
    let text = ''
    for (this.#at += 1; ; this.#at += 1) {
      const char = this.#text[this.#at]
      if (char === undefined) throw refuse(this.#line, 'a text without its closing "')
      if (char === '"') break
      text += char === '\\' ? this.#escaped() : char
    }
    this.#at += 1
    return text
  }

  #escaped(): string {
    this.#at += 1
    const char = this.#text[this.#at] ?? ''
    const length = codeLength[char]
    if (length === undefined) {
      const found = escapes[char]
      if (found === undefined) throw refuse(this.#line, `${shown(`\\${char}`)} is not known`)
      return found
    }
    const digits = this.#text.slice(this.#at + 1, this.#at + 1 + length)
    const code = Number.parseInt(digits, 16)
    if (!/^[0-9a-f]+$/i.test(digits) || digits.length < length || code > 0x10ffff)
      throw refuse(this.#line, `${shown(`\\${char}${digits}`)} is no character`)
    this.#at += length
    return String.fromCodePoint(code)
  }

  #list(depth: number): Yaml {
    const items: Yaml[] = []
    this.#at += 1
    for (;;) {
      if (this.#closes(']')) return { kind: 'list', line: this.#line, items }
      items.push(this.value(depth + 1, true))
      this.#separated(']')
    }
  }

  #map(depth: number): Yaml {
    const entries = new Map<string, Yaml>()
    this.#at += 1
    for (;;) {
      if (this.#closes('}')) return { kind: 'map', line: this.#line, entries }
      this.#space()
      const name = this.#scalar(true)
      this.#space()
      if (this.#text[this.#at] !== ':') throw refuse(this.#line, `expected a colon after ${shown(name)}`)
      this.#at += 1
      if (entries.has(name)) throw refuse(this.#line, `${shown(name)} is given twice`)
      entries.set(name, this.value(depth + 1, true))
      this.#separated('}')
    }
  }

  #closes(bracket: string): boolean {
    this.#space()
    if (this.#at >= this.#text.length) throw refuse(this.#line, `expected ${bracket}`)
    if (this.#text[this.#at] !== bracket) return false
    this.#at += 1
    return true
  }

  #separated(bracket: string): void {
    this.#space()
    if (this.#text[this.#at] === ',') this.#at += 1
    else if (this.#text[this.#at] !== bracket) throw refuse(this.#line, `expected a comma or ${bracket}`)
  }
}
