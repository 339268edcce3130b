// Reads and writes records as XML. The parser (saxes) is guarded by limits, because any input may be hostile.

import { SaxesParser } from 'saxes'
import { Fault, shown } from '../fault.ts'
import { depthLimit, type Element, elementLimit } from './read-document.ts'
import { type AnyRecord, type Field, type Fields, isSecret, type Shape } from './resource.ts'

export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

const attributeLimit = 32

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new Fault('invalid', 'the body is not valid UTF-8', { cause })
  }
}

interface OpenElement {
  readonly name: string
  text: string
  readonly items: OpenElement[]
  /** Has `xsi:nil="true"`: absent, like `null` in JSON. */
  readonly isNil?: true
}

const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance'

interface Attribute {
  readonly prefix: string
  readonly local: string
  readonly uri: string
  readonly value: string
}

/** A streaming parser that refuses what the API does not accept, and emits complete elements. */
export class XmlReader {
  readonly #parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true })
  readonly #open: OpenElement[] = []
  readonly #rowDepth: number
  readonly #onElement: (element: Element, line: number) => void
  #elements = 0
  #attributes = 0
  #line = 1
  readonly #rowLimit: number
  readonly #isForeign: boolean
  /** The position at which the last row began or ended. */
  #rowStart = 0

  /**
   * Elements at `rowDepth` (1 = the root) are passed to `onElement` and then dropped. The vocabulary of others may have a
   * namespace, and attributes, which become elements with an `@` before their names.
   */
  constructor(
    rowDepth: number,
    onElement: (element: Element, line: number) => void,
    { rowLimit = Number.POSITIVE_INFINITY, isForeign = false } = {},
  ) {
    this.#rowDepth = rowDepth
    this.#isForeign = isForeign
    this.#onElement = onElement
    this.#rowLimit = rowLimit
    const parser = this.#parser
    parser.on('error', (error) => {
      const reason = error.message.replace(/^(\d+):(\d+): /, 'line $1, column $2: ')
      throw new Fault('invalid', `malformed XML: ${reason}`)
    })
    parser.on('doctype', () => {
      throw new Fault('invalid', 'a document type declaration (DOCTYPE) is not accepted')
    })
    parser.on('xmldecl', ({ version, encoding }) => {
      if (version !== undefined && version !== '1.0') {
        throw new Fault('invalid', `XML version ${shown(version)} is not accepted: expected 1.0`)
      }
      if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) {
        throw new Fault('invalid', `the encoding ${shown(encoding)} is not accepted: expected UTF-8`)
      }
    })
    parser.on('opentagstart', () => {
      this.#attributes = 0
      if (this.#open.length !== this.#rowDepth - 1) return
      this.#line = parser.line
      this.#rowStart = parser.position
    })
    // Counted as they arrive: the parser is slow for a tag with a hundred thousand attributes.
    parser.on('attribute', () => {
      if (++this.#attributes > attributeLimit) {
        throw new Fault('invalid', `more than ${attributeLimit} attributes on one element`)
      }
    })
    parser.on('opentag', (tag) => this.#start(tag))
    parser.on('closetag', () => this.#end())
    const addText = (text: string) => {
      const element = this.#open.at(-1)
      if (this.#open.length >= this.#rowDepth) {
        if (element) element.text += text
      } else if (element && text.trim() !== '') {
        throw new Fault('invalid', `text ${shown(text.trim())} between elements is not accepted`)
      }
    }
    parser.on('text', addText)
    parser.on('cdata', addText)
  }

  /** The current line. */
  get line(): number {
    return this.#parser.line
  }

  write(text: string): void {
    this.#parser.write(text)
    this.#requireRowLimit()
  }

  /** Text between two rows, such as a comment, has the same limit as a row. */
  #requireRowLimit(): void {
    if (this.#parser.position - this.#rowStart <= this.#rowLimit) return
    throw new Fault('too-large', `the row is larger than ${this.#rowLimit} characters`)
  }

  close(): void {
    this.#parser.close()
  }

  #start(tag: { name: string; local: string; uri: string; attributes: Record<string, Attribute> }): void {
    const field = { field: tag.name }
    if (tag.uri !== '' && !this.#isForeign) {
      throw new Fault('invalid', `the element ${shown(tag.name)} is in a namespace: expected none`, field)
    }
    const attributes = Object.entries(tag.attributes)
    // XML libraries add prefixed attributes (xmlns:…, xsi:…); a plain attribute may be data, and would be lost.
    const plain = attributes.find(([name, attribute]) => attribute.prefix === '' && name !== 'xmlns')
    if (plain && !this.#isForeign)
      throw new Fault('invalid', `the attribute ${shown(plain[0])} is not accepted`, field)
    // saxes takes quadratic time in depth: this is also a limit on time.
    if (this.#open.length >= depthLimit) {
      throw new Fault('invalid', `elements nested deeper than ${depthLimit}`, field)
    }
    if (this.#open.length < this.#rowDepth) this.#elements = 0
    if (++this.#elements > elementLimit) throw new Fault('invalid', `more than ${elementLimit} elements`)
    const isNil = attributes.some(([, attribute]) => isNilAttribute(attribute, tag.name))
    const name = this.#isForeign ? tag.local : tag.name
    const items = this.#isForeign ? asElements(attributes) : []
    this.#open.push({ name, text: '', items, ...(isNil && { isNil }) })
  }

  #end(): void {
    const element = this.#open.pop()
    if (!element) return
    if (element.isNil && (element.items.length > 0 || element.text.trim() !== '')) {
      throw new Fault('invalid', 'has content although it is xsi:nil', { field: element.name })
    }
    if (this.#open.length !== this.#rowDepth - 1) {
      if (!element.isNil) this.#open.at(-1)?.items.push(element)
      return
    }
    this.#requireRowLimit()
    this.#rowStart = this.#parser.position
    this.#onElement(element, this.#line)
  }
}

const asElements = (attributes: readonly [string, Attribute][]): OpenElement[] =>
  attributes
    .filter(([name, { prefix }]) => prefix === '' && name !== 'xmlns')
    .map(([name, { value }]) => ({ name: `@${name}`, text: value, items: [] }))

function isNilAttribute({ uri, local, value }: Attribute, element: string): boolean {
  if (uri !== instanceNamespace || local !== 'nil') return false
  const text = value.trim()
  if (['true', '1'].includes(text)) return true
  if (['false', '0'].includes(text)) return false
  throw new Fault('invalid', `xsi:nil ${shown(value)} is not accepted: expected true or false`, {
    field: element,
  })
}

/** Reads a document chunk by chunk. */
function openDocument() {
  let root: Element | undefined
  const reader = new XmlReader(1, (element) => {
    root = element
  })
  return {
    write: (text: string) => reader.write(text),
    end(): Element {
      reader.close()
      if (!root) throw new Fault('invalid', 'malformed XML: no element')
      return root
    },
  }
}

export function parseXml(bytes: Uint8Array): Element {
  const document = openDocument()
  // A byte order mark is allowed before the declaration; the decoder has removed it.
  document.write(decodeUtf8(bytes))
  return document.end()
}

/** The number of characters that can be parsed in a few milliseconds. */
const chunkLength = 2 ** 15

/** The same in steps, so that a document of a megabyte does not block the thread. */
export async function parseXmlInSteps(
  bytes: Uint8Array,
  yieldThread: () => Promise<void> | undefined,
): Promise<Element> {
  const document = openDocument()
  const text = decodeUtf8(bytes)
  for (let at = 0; at < text.length; at += chunkLength) {
    document.write(text.slice(at, at + chunkLength))
    await yieldThread()
  }
  return document.end()
}

// Line breaks are escaped too: an empty line would end an event of the event stream.
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot contain these
const needsEscaping = /[&<>\r\n\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\ud800-\udfff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot contain these
const escapedCharacters = /[&<>\r\n\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
  '\n': '&#10;',
}

export function escapeXml(text: string): string {
  if (!needsEscaping.test(text)) return text
  return text.toWellFormed().replace(escapedCharacters, (char) => references[char] ?? '\ufffd')
}

/** Creates a writer for records of one resource; everything that depends only on the description is computed here. */
export function xmlWriter(shape: Shape): (record: AnyRecord) => string {
  const whole = element(shape.name, (record) => inner(record))
  const inner = fieldsWriter(shape.fields, (child) => whole(child))
  return whole
}

const element = (name: string, content: (record: AnyRecord) => string) => (record: AnyRecord) =>
  `<${name}>${content(record)}</${name}>`

type Part = (record: AnyRecord) => string

function fieldsWriter(fields: Fields, nested: Part): Part {
  const shown = Object.entries(fields).filter(([, field]) => !isSecret(field))
  const parts = shown.map(([name, field]) => partWriter(name, field, fields, nested))
  return (record) => {
    let xml = ''
    for (const part of parts) xml += part(record)
    return xml
  }
}

function partWriter(name: string, field: Field, fields: Fields, nested: Part): Part {
  const open = `<${name}>`
  const close = `</${name}>`
  const from = field.kind === 'echo' ? field.of : name
  const source = field.kind === 'echo' ? fields[field.of] : field
  if (source?.kind === 'scalar') {
    const blank = `<${name}/>`
    const absent = source.absent === 'empty' ? blank : ''
    const { scalar } = source
    // Values stored as numbers contain no character that XML escapes.
    const encode = scalar.column === 'text' ? escapeXml : (text: string) => text
    // Consecutive records share most values: the XML of the last value is reused.
    let last: unknown
    let lastXml = absent
    return (record) => {
      const value = record[from]
      if (value === last) return lastXml
      last = value
      if (value === null || value === undefined) lastXml = absent
      else lastXml = value === '' ? blank : open + encode(scalar.write(value)) + close
      return lastXml
    }
  }
  if (source?.kind === 'set') {
    const { scalar } = source
    return (record) => {
      let xml = ''
      for (const value of (record[from] as unknown[] | undefined) ?? []) {
        xml += open + escapeXml(scalar.write(value)) + close
      }
      return xml
    }
  }
  const row = source?.kind === 'group' ? element(name, fieldsWriter(source.fields, nested)) : nested
  return (record) => {
    let xml = ''
    for (const item of (record[from] as AnyRecord[] | undefined) ?? []) xml += row(item)
    return xml
  }
}
