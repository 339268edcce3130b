// Reads YAML as programs write it: maps, lists and scalars in blocks or on one line. Anchors, aliases, tags and several
// documents are refused: they are what makes YAML dangerous, and data has no use for them. Every value knows its line.

import { Fault, shown } from '../fault.ts'
import { depthLimit } from './read-document.ts'
import { flowValue } from './yaml-flow.ts'

export interface YamlText {
  readonly kind: 'text'
  readonly line: number
  readonly text: string
}

export interface YamlList {
  readonly kind: 'list'
  readonly line: number
  readonly items: readonly Yaml[]
}

export interface YamlMap {
  readonly kind: 'map'
  readonly line: number
  readonly entries: ReadonlyMap<string, Yaml>
}

export type Yaml = YamlText | YamlList | YamlMap

interface Line {
  readonly number: number
  readonly indent: number
  /** Without the indentation and what follows a comment sign. */
  readonly text: string
}

const refuseYaml = (line: number, reason: string): Fault =>
  new Fault('invalid', `line ${line}: malformed YAML: ${reason}`)

export const readYaml = (text: string): Yaml => new YamlReader(text).whole()

class YamlReader {
  readonly #raw: readonly string[]
  /** The number of the next line, from 0. */
  #at = 0

  constructor(text: string) {
    this.#raw = text.split(/\r\n|\n|\r/)
  }

  whole(): Yaml {
    if (this.#raw[0]?.startsWith('%')) throw refuseYaml(1, 'directives are not accepted')
    this.#skipEmpty()
    if (/^---\s*$/.test(this.#raw[this.#at] ?? '')) this.#at += 1
    const first = this.#peek()
    if (!first) throw refuseYaml(1, 'the file is empty')
    const value = this.#block(first.indent, 0)
    const rest = this.#peek()
    if (rest)
      throw refuseYaml(rest.number, `${shown(rest.text)} is not where it may be: look at the indentation`)
    return value
  }

  #skipEmpty(): void {
    while (this.#at < this.#raw.length && /^\s*(#|$)/.test(this.#raw[this.#at] ?? '')) this.#at += 1
  }

  /** The next line that is not empty. */
  #peek(): Line | undefined {
    this.#skipEmpty()
    const raw = this.#raw[this.#at]
    if (raw === undefined) return undefined
    const number = this.#at + 1
    const indent = raw.length - raw.trimStart().length
    if (raw.slice(0, indent).includes('\t')) throw refuseYaml(number, 'a tab is not accepted as indentation')
    const text = withoutComment(raw.slice(indent))
    if (/^(---|\.\.\.)(\s|$)/.test(raw))
      throw refuseYaml(number, 'several documents in a file are not accepted')
    return { number, indent, text }
  }

  /** What begins on this line and goes on in lines that are indented as far. */
  #block(indent: number, depth: number): Yaml {
    const line = this.#peek()
    if (!line) throw refuseYaml(this.#raw.length, 'a value is missing')
    if (depth > depthLimit) throw refuseYaml(line.number, `values nested deeper than ${depthLimit}`)
    if (isItem(line.text)) return this.#list(indent, depth)
    const key = keyOf(line)
    if (key !== undefined) return this.#map(indent, depth)
    this.#at += 1
    return this.#scalar(line.text, line.number, indent - 1)
  }

  #list(indent: number, depth: number): YamlList {
    const items: Yaml[] = []
    const start = this.#at + 1
    for (;;) {
      const line = this.#peek()
      if (!line || line.indent !== indent || !isItem(line.text)) break
      const inside = line.text.slice(1).trimStart()
      if (inside === '') {
        this.#at += 1
        items.push(this.#nested(indent, line.number, depth))
        continue
      }
      // What follows the dash is a block that is indented as far as it begins.
      const inner = indent + line.text.length - inside.length
      const isBlock = isItem(inside) || keyOf({ ...line, text: inside }) !== undefined
      if (isBlock) {
        const raw = this.#raw[this.#at] ?? ''
        const lines = this.#raw as string[]
        lines[this.#at] = `${' '.repeat(inner)}${raw.slice(inner)}`
        items.push(this.#block(inner, depth + 1))
      } else {
        this.#at += 1
        items.push(this.#scalar(inside, line.number, indent))
      }
    }
    return { kind: 'list', line: start, items }
  }

  #map(indent: number, depth: number): YamlMap {
    const entries = new Map<string, Yaml>()
    const start = this.#at + 1
    for (;;) {
      const line = this.#peek()
      if (!line || line.indent !== indent || isItem(line.text)) break
      const key = keyOf(line)
      if (key === undefined)
        throw refuseYaml(line.number, `expected a name with a colon, found ${shown(line.text)}`)
      if (entries.has(key.name)) throw refuseYaml(line.number, `${shown(key.name)} is given twice`)
      this.#at += 1
      const value =
        key.rest === ''
          ? this.#nested(indent, line.number, depth, true)
          : this.#scalar(key.rest, line.number, indent)
      entries.set(key.name, value)
    }
    return { kind: 'map', line: start, entries }
  }

  /** What is below a name or a dash; a list may be indented as far as the name above it. */
  #nested(indent: number, number: number, depth: number, isInMap = false): Yaml {
    const next = this.#peek()
    const isBelow = next && (next.indent > indent || (isInMap && next.indent === indent && isItem(next.text)))
    return isBelow ? this.#block(next.indent, depth + 1) : { kind: 'text', line: number, text: '' }
  }

  #scalar(text: string, number: number, indent: number): Yaml {
    if (/^[&*!]/.test(text))
      throw refuseYaml(number, `${shown(text)}: anchors, aliases and tags are not accepted`)
    const [, style = '', chomp = ''] = /^([|>])([-+]?)$/.exec(text) ?? []
    if (style !== '') return { kind: 'text', line: number, text: this.#literal(indent, style, chomp) }
    if (/^[|>]/.test(text)) throw refuseYaml(number, `${shown(text)}: expected | or >, alone or with - or +`)
    return flowValue(this.#continued(text, indent), number)
  }

  /** A value that goes on in lines that are indented further. */
  #continued(text: string, indent: number): string {
    const parts = [text]
    for (;;) {
      const next = this.#peek()
      if (!next || next.indent <= indent) break
      if (!/^["'[{]/.test(text) && keyOf(next) !== undefined)
        throw refuseYaml(next.number, `${shown(next.text)} is not where it may be: look at the indentation`)
      parts.push(next.text)
      this.#at += 1
    }
    return parts.join(' ')
  }

  #literal(indent: number, style: string, chomp: string): string {
    const lines: string[] = []
    let inner: number | undefined
    for (; this.#at < this.#raw.length; this.#at += 1) {
      const raw = this.#raw[this.#at] ?? ''
      const own = raw.length - raw.trimStart().length
      if (raw.trim() === '') lines.push('')
      else if (own <= indent) break
      else {
        inner ??= own
        lines.push(raw.slice(Math.min(inner, own)))
      }
    }
    while (lines.at(-1) === '') lines.pop()
    const text = lines.join(style === '|' ? '\n' : ' ')
    return chomp === '-' || text === '' ? text : `${text}\n`
  }
}

const isItem = (text: string) => text === '-' || text.startsWith('- ')

/** A name, plain or in quotes, and what follows its colon. */
function keyOf({ text, number }: Line): { readonly name: string; readonly rest: string } | undefined {
  if (/^[?] /.test(text)) throw refuseYaml(number, 'names that are no text are not accepted')
  if (text.startsWith('"') || text.startsWith("'")) {
    const end = quotedEnd(text)
    const rest = text.slice(end).trimStart()
    if (end < 0 || !rest.startsWith(':') || (rest.length > 1 && !/\s/.test(rest[1] ?? ''))) return undefined
    const name = flowValue(text.slice(0, end), number)
    return { name: name.kind === 'text' ? name.text : '', rest: rest.slice(1).trim() }
  }
  if (/^[[{|>]/.test(text)) return undefined
  const cut = text.search(/:(?:\s|$)/)
  if (cut < 0) return undefined
  const name = text.slice(0, cut).trim()
  if (/^[&*!]/.test(name))
    throw refuseYaml(number, `${shown(name)}: anchors, aliases and tags are not accepted`)
  return { name, rest: text.slice(cut + 1).trim() }
}

/** Behind the quote that closes the text; -1 if none does. */
function quotedEnd(text: string): number {
  const quote = text[0] ?? ''
  for (let at = 1; at < text.length; at += 1) {
    if (quote === '"' && text[at] === '\\') at += 1
    else if (text[at] !== quote) continue
    else if (quote === "'" && text[at + 1] === quote) at += 1
    else return at + 1
  }
  return -1
}

/** A sign of a comment counts after white space, outside of quotes. */
function withoutComment(text: string): string {
  if (!text.includes(' #')) return text.trimEnd()
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (quote === '"' && char === '\\') at += 1
    else if (quote !== '') quote = char === quote ? '' : quote
    else if ((char === '"' || char === "'") && /[\s:[{,-]$/.test(text.slice(Math.max(0, at - 1), at) || ' '))
      quote = char
    else if (char === '#' && text[at - 1] === ' ') return text.slice(0, at).trimEnd()
  }
  return text.trimEnd()
}
