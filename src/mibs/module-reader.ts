// Reads modules of SMIv1 and SMIv2 (RFC 1155, 1212, 1215; 2578, 2579, 2580), also as vendors really write them.
// What cannot be read becomes a remark with its line, and reading goes on at the next definition. Nothing is thrown.

import { readClauses, readPath, readSyntax } from './clauses.ts'
import { Cursor, macros, shownName, shownToken, Unreadable } from './cursor.ts'
import { carried, described, Parts } from './module-parts.ts'
import {
  definitionLimit,
  moduleFileLimit,
  modulesPerFile,
  nameLimit,
  type ReadFile,
  type ReadModule,
  Remarks,
  type StoredFile,
  type StoredModule,
  type TypeText,
} from './module-text.ts'
import { type OddSort, type Token, type Tokens, tokenize } from './tokens.ts'

const oddities: Readonly<Record<OddSort, string>> = {
  'endless text': 'the text that begins here has no closing quote',
  'code behind a comment': 'what follows the second -- of a comment was read as part of the module',
  'strange character': 'a character that has no meaning in a module was passed over',
}

const conventionWord = new Set(['TEXTUAL-CONVENTION'])

const objectWord = new Set(['OBJECT'])

const identifierWord = new Set(['IDENTIFIER'])

export function readModules(source: string): ReadFile {
  const outside = new Remarks()
  if (source.length <= moduleFileLimit) return new Reader(tokenize(source), outside).file()
  outside.lost(1, `the file is larger than ${moduleFileLimit} characters`)
  return { modules: [], remarks: outside.all() }
}

/** The same as a job for a thread: a file made for that purpose takes seconds. */
export function work(_reader: unknown, source: string): StoredFile {
  const { modules, remarks } = readModules(source)
  return { modules: modules.map(stored), remarks }
}

/** Passing the text costs the other thread nothing; passing the parsed content costs more than parsing it. */
function stored({ remarks, ...content }: ReadModule): StoredModule {
  const { name, line, enterprise = '', revision = '', nodes, types, notifications } = content
  return {
    name,
    line,
    enterprise,
    revision,
    objects: nodes.filter(({ syntax }) => syntax).length,
    notifications: notifications.length,
    isEmpty: nodes.length + types.length + notifications.length === 0,
    remarks,
    content: JSON.stringify(content),
  }
}

/** How a definition begins. */
interface Head {
  readonly name: string
  readonly line: number
}

class Reader {
  readonly #source: Tokens
  readonly #outside: Remarks
  readonly #cursor: Cursor
  /** How many severities and oddities have been assigned. */
  #severities = 0
  #odd = 0

  constructor(source: Tokens, outside: Remarks) {
    this.#source = source
    this.#outside = outside
    this.#cursor = new Cursor(source.tokens, outside)
  }

  file(): ReadFile {
    const modules: ReadModule[] = []
    const cursor = this.#cursor
    for (; cursor.token().kind !== 'end' && modules.length < modulesPerFile; ) {
      if (cursor.beginsModule()) modules.push(this.#module())
      else cursor.next()
    }
    cursor.remarks = this.#outside
    this.#noteOddities()
    if (modules.length === 0)
      this.#outside.lost(1, 'there is no module in it: expected NAME DEFINITIONS ::= BEGIN')
    if (modules.length === modulesPerFile)
      this.#outside.lost(cursor.token().line, `at most ${modulesPerFile} modules of a file are read`)
    return { modules, remarks: this.#outside.all() }
  }

  #module(): ReadModule {
    const cursor = this.#cursor
    this.#noteOddities()
    const remarks = new Remarks()
    cursor.remarks = remarks
    const { text, line } = cursor.next()
    while (!cursor.take('::=')) cursor.next()
    const begin = cursor.token()
    if (begin.text.toUpperCase() === 'BEGIN') cursor.next()
    else remarks.accepted(begin.line, 'begin', 'BEGIN is missing')
    const parts = new Parts(text.slice(0, nameLimit), line, remarks)
    this.#body(parts)
    this.#noteOddities()
    return { ...parts.module(), remarks: remarks.all().sort((a, b) => a.line - b.line) }
  }

  /** Oddities up to here belong to the definition that was read last. */
  #noteOddities(): void {
    const { kind, line } = this.#cursor.token()
    for (; this.#odd < this.#source.odd.length; this.#odd += 1) {
      const one = this.#source.odd[this.#odd]
      if (!one || (one.line > line && kind !== 'end')) return
      this.#cursor.remarks.accepted(one.line, one.sort, oddities[one.sort])
    }
  }

  #body(parts: Parts): void {
    const cursor = this.#cursor
    for (;;) {
      const { kind, text, line } = cursor.token()
      if (kind === 'end' || cursor.beginsModule()) {
        cursor.remarks.accepted(line, 'end', 'END is missing')
        return
      }
      if (kind === 'name' && text.toUpperCase() === 'END') {
        cursor.next()
        return
      }
      const from = cursor.at
      try {
        this.#definition(parts)
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        cursor.remarks.lost(error.line, error.reason)
        if (cursor.at === from) cursor.next()
        cursor.resume()
      }
      if (parts.full) {
        cursor.remarks.lost(line, `a module has at most ${definitionLimit} definitions`)
        return
      }
    }
  }

  #definition(parts: Parts): void {
    const cursor = this.#cursor
    const token = cursor.token()
    if (token.kind !== 'name') throw cursor.unexpected('a definition')
    const word = token.text.toUpperCase()
    if (word === 'IMPORTS') this.#imports(parts)
    else if (word === 'EXPORTS') while (!cursor.take(';') && !cursor.atEnd()) cursor.next()
    else if (cursor.is('MACRO', 1)) this.#macro()
    else {
      this.#noteName(token)
      this.#named(parts, { name: token.text.slice(0, nameLimit), line: token.line })
    }
  }

  #named(parts: Parts, head: Head): void {
    const cursor = this.#cursor
    cursor.next()
    if (cursor.take('::=')) parts.type(this.#type(head))
    else if (cursor.keyword(objectWord) && cursor.keyword(identifierWord, 1)) {
      cursor.noteKeyword(cursor.next(), 'OBJECT')
      cursor.noteKeyword(cursor.next(), 'IDENTIFIER')
      cursor.expect('::=', 'behind OBJECT IDENTIFIER')
      parts.node({ ...head, path: readPath(cursor) })
    } else {
      const macro = cursor.keyword(macros)
      if (macro === undefined) throw cursor.unexpected(`a definition of ${shownName(head.name)}`)
      cursor.noteKeyword(cursor.next(), macro)
      this.#defined(parts, macro, head)
    }
  }

  #defined(parts: Parts, macro: string, head: Head): void {
    const cursor = this.#cursor
    const from = cursor.at
    const said = readClauses(cursor, head.name)
    if (macro === 'TRAP-TYPE') {
      const specific = this.#specific(head)
      if (!said.enterprise) throw new Unreadable(head.line, `${head.name} has no ENTERPRISE`)
      const severity = this.#severityOf(from)
      parts.notification({ ...head, path: said.enterprise, specific, ...carried(said, severity) })
      return
    }
    const path = readPath(cursor)
    if (macro === 'MODULE-IDENTITY') parts.identity(path, said.revision)
    if (macro === 'NOTIFICATION-TYPE')
      parts.notification({ ...head, path, ...carried(said, this.#severityOf(from)) })
    else parts.node(macro === 'OBJECT-TYPE' ? { ...head, path, ...described(said) } : { ...head, path })
  }

  #noteName({ text, line }: Token): void {
    const { remarks } = this.#cursor
    if (text.includes('_'))
      remarks.accepted(line, 'underscore', `${shownName(text)} has an underscore, which names must not have`)
    if (text.length > nameLimit)
      remarks.accepted(line, 'long name', `${shownName(text)} was cut to ${nameLimit} characters`)
  }

  #imports(parts: Parts): void {
    const cursor = this.#cursor
    const { line } = cursor.next()
    let symbols: string[] = []
    while (!cursor.take(';')) {
      const token = cursor.token()
      if (cursor.take(',')) continue
      if (token.kind !== 'name' || cursor.beginsDefinition()) {
        cursor.remarks.accepted(token.line, 'imports', 'the imports do not end with a semicolon')
        break
      }
      cursor.next()
      if (token.text !== 'FROM') symbols.push(token.text)
      else if (cursor.token().kind === 'name') {
        const module = cursor.next().text
        for (const symbol of symbols) parts.imported(symbol, module)
        symbols = []
      }
    }
    if (symbols.length > 0)
      cursor.remarks.lost(line, `no module is named for ${shownName(symbols.join(', '))}`)
  }

  /** The macros themselves are known here. */
  #macro(): void {
    const cursor = this.#cursor
    while (!cursor.atEnd()) cursor.next()
    cursor.take('END')
  }

  #type(head: Head): TypeText {
    const cursor = this.#cursor
    if (cursor.keyword(conventionWord) === undefined) return { ...head, syntax: readSyntax(cursor) }
    cursor.noteKeyword(cursor.next(), 'TEXTUAL-CONVENTION')
    const { syntax, hint } = readClauses(cursor, head.name, true)
    if (!syntax) throw new Unreadable(head.line, `${head.name} has no SYNTAX`)
    return hint === undefined ? { ...head, syntax } : { ...head, syntax, hint }
  }

  #specific({ name }: Head): number {
    const token = this.#cursor.next()
    const number = Number(token.text)
    if (token.kind === 'number' && number <= 0x7fff_ffff) return number
    throw new Unreadable(token.line, `expected the number of the trap ${name}, found ${shownToken(token)}`)
  }

  /** The severity in a vendor's comment inside the definition, or right after it. */
  #severityOf(from: number): string | undefined {
    const { severities } = this.#source
    let found: string | undefined
    for (; this.#severities < severities.length; this.#severities += 1) {
      const one = severities[this.#severities]
      if (!one || one.at > this.#cursor.at) break
      if (one.at >= from) found = one.word
    }
    return found
  }
}
