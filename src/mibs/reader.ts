// Reads modules of SMIv1 and SMIv2 (RFC 1155, 1212, 1215; 2578, 2579, 2580), also as vendors really write them.
// What cannot be read becomes a remark with its line, and reading goes on at the next definition. Nothing is thrown.

import {
  definitionLimit,
  type ModuleText,
  moduleFileLimit,
  modulesPerFile,
  type NodeText,
  type NotificationText,
  nameLimit,
  type Path,
  type ReadFile,
  type ReadModule,
  Remarks,
  type Syntax,
  type TypeText,
  textLimit,
} from './module.ts'
import { type OddSort, type Token, type Tokens, tokenize } from './tokens.ts'

/** Names in one list, beyond which they are passed over. */
const listLimit = 1000

/** Macros whose definitions are read; of the others only the place in the tree is. */
const objectMacros = ['OBJECT-TYPE', 'MODULE-IDENTITY', 'OBJECT-IDENTITY']
const groupMacros = ['OBJECT-GROUP', 'NOTIFICATION-GROUP', 'MODULE-COMPLIANCE', 'AGENT-CAPABILITIES']
const macros = new Set([
  ...objectMacros,
  ...groupMacros,
  'NOTIFICATION-TYPE',
  'TRAP-TYPE',
  'TEXTUAL-CONVENTION',
])

/** What begins a clause, where one is expected. */
const clauses = new Set([
  ...['SYNTAX', 'WRITE-SYNTAX', 'UNITS', 'MAX-ACCESS', 'MIN-ACCESS', 'ACCESS', 'STATUS', 'DESCRIPTION'],
  ...['REFERENCE', 'INDEX', 'AUGMENTS', 'DEFVAL', 'DISPLAY-HINT', 'OBJECTS', 'NOTIFICATIONS', 'VARIABLES'],
  ...['ENTERPRISE', 'LAST-UPDATED', 'ORGANIZATION', 'CONTACT-INFO', 'REVISION', 'PRODUCT-RELEASE'],
  ...[
    'SUPPORTS',
    'INCLUDES',
    'VARIATION',
    'CREATION-REQUIRES',
    'MODULE',
    'MANDATORY-GROUPS',
    'GROUP',
    'OBJECT',
  ],
])

const oddities: Readonly<Record<OddSort, string>> = {
  'endless text': 'the text that begins here has no closing quote',
  'code behind a comment': 'what follows the second -- of a comment was read as part of the module',
  'strange character': 'a character that has no meaning in a module was passed over',
}

/** A definition that cannot be read any further. */
class Unreadable {
  readonly line: number
  readonly reason: string
  constructor(line: number, reason: string) {
    this.line = line
    this.reason = reason
  }
}

export function readModules(source: string): ReadFile {
  const remarks = new Remarks()
  if (source.length > moduleFileLimit) {
    remarks.lost(1, `the file is larger than ${moduleFileLimit} characters`)
    return { modules: [], remarks: remarks.all() }
  }
  return new Reader(tokenize(source), remarks).file()
}

/** What a definition says, by clause. */
interface Said {
  syntax?: Syntax
  access?: string
  units?: string
  hint?: string
  description?: string
  index?: readonly string[]
  augments?: string
  objects?: readonly string[]
  enterprise?: Path
}

class Reader {
  readonly #tokens: readonly Token[]
  readonly #source: Tokens
  readonly #outside: Remarks
  #remarks: Remarks
  #at = 0
  #severity = 0
  #odd = 0

  constructor(source: Tokens, outside: Remarks) {
    this.#source = source
    this.#tokens = source.tokens
    this.#outside = outside
    this.#remarks = outside
  }

  file(): ReadFile {
    const modules: ReadModule[] = []
    while (this.#findModule()) {
      if (modules.length >= modulesPerFile) {
        this.#outside.lost(this.#token().line, `only the first ${modulesPerFile} modules of a file are read`)
        break
      }
      modules.push(this.#module())
    }
    this.#remarks = this.#outside
    this.#noteOddities()
    if (modules.length === 0) {
      this.#outside.lost(1, 'there is no module in it: expected NAME DEFINITIONS ::= BEGIN')
    }
    return { modules, remarks: this.#outside.all() }
  }

  // Moving

  #token(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? (this.#tokens.at(-1) as Token)
  }

  #next(): Token {
    const token = this.#token()
    if (token.kind !== 'end') this.#at += 1
    return token
  }

  #is(text: string, ahead = 0): boolean {
    const token = this.#token(ahead)
    return token.text === text && token.kind !== 'text'
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false
    this.#at += 1
    return true
  }

  #expect(text: string, where: string): void {
    if (!this.#take(text)) throw this.#unexpected(`${text} ${where}`)
  }

  #unexpected(expected: string): Unreadable {
    const token = this.#token()
    const found = token.kind === 'end' ? 'the end of the file' : shownToken(token)
    return new Unreadable(token.line, `expected ${expected}, found ${found}`)
  }

  /** The word in capitals, where it is one of them. Some vendors write `Object-Type`. */
  #keyword(words: ReadonlySet<string>, ahead = 0): string | undefined {
    const { kind, text } = this.#token(ahead)
    if (kind !== 'name') return undefined
    if (words.has(text)) return text
    const upper = text.toUpperCase()
    // A word in small letters may be a name: only what is written with a capital was meant as a keyword.
    return /^[A-Z]/.test(text) && words.has(upper) ? upper : undefined
  }

  #noteKeyword(token: Token, keyword: string): void {
    if (token.text !== keyword) {
      this.#remarks.accepted(token.line, `case ${keyword}`, `${token.text} was read as ${keyword}`)
    }
  }

  // Modules

  #findModule(): boolean {
    for (; this.#token().kind !== 'end'; this.#at += 1) {
      if (this.#beginsModule()) return true
    }
    return false
  }

  /** `NAME DEFINITIONS ::=`, with an identifier in braces behind the name where ASN.1 is taken seriously. */
  #beginsModule(): boolean {
    if (this.#token().kind !== 'name') return false
    let ahead = 1
    if (this.#is('{', ahead)) {
      while (ahead < 40 && !this.#is('}', ahead) && this.#token(ahead).kind !== 'end') ahead += 1
      ahead += 1
    }
    if (this.#token(ahead).text.toUpperCase() !== 'DEFINITIONS') return false
    for (let more = ahead + 1; more < ahead + 4; more += 1) if (this.#is('::=', more)) return true
    return false
  }

  #module(): ReadModule {
    this.#noteOddities()
    const remarks = new Remarks()
    this.#remarks = remarks
    const { text, line } = this.#next()
    while (!this.#take('::=')) this.#next()
    const begin = this.#token()
    if (begin.text.toUpperCase() === 'BEGIN') this.#next()
    else remarks.accepted(begin.line, 'begin', 'BEGIN is missing')
    const parts = new Parts(text.slice(0, nameLimit), line)
    this.#body(parts)
    this.#noteOddities()
    return { ...parts.module(), remarks: remarks.all().sort((a, b) => a.line - b.line) }
  }

  /** Oddities up to here belong to what was read last. */
  #noteOddities(): void {
    const { line } = this.#token()
    for (; this.#odd < this.#source.odd.length; this.#odd += 1) {
      const one = this.#source.odd[this.#odd]
      if (!one || (one.line > line && this.#token().kind !== 'end')) return
      this.#remarks.accepted(one.line, one.sort, oddities[one.sort])
    }
  }

  #body(parts: Parts): void {
    for (;;) {
      const token = this.#token()
      if (token.kind === 'end' || this.#beginsModule()) {
        this.#remarks.accepted(token.line, 'end', 'END is missing')
        return
      }
      if (token.text.toUpperCase() === 'END' && token.kind === 'name') {
        this.#next()
        return
      }
      const from = this.#at
      try {
        this.#definition(parts)
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        this.#remarks.lost(error.line, error.reason)
        if (this.#at === from) this.#next()
        this.#resume()
      }
      if (parts.full) {
        this.#remarks.lost(token.line, `only the first ${definitionLimit} definitions of a module are read`)
        return
      }
    }
  }

  /** On to what looks like the beginning of a definition. */
  #resume(): void {
    while (!this.#beginsDefinition() && !this.#beginsModule() && !this.#atEnd()) this.#next()
  }

  #atEnd(): boolean {
    const { kind, text } = this.#token()
    return kind === 'end' || (kind === 'name' && text === 'END')
  }

  #beginsDefinition(): boolean {
    const { kind, text } = this.#token()
    if (kind !== 'name') return false
    if (text === 'IMPORTS' || text === 'EXPORTS') return true
    if (this.#is('MACRO', 1)) return true
    if (this.#is('OBJECT', 1) && this.#is('IDENTIFIER', 2) && this.#is('::=', 3)) return !clauses.has(text)
    const macro = this.#keyword(macros, 1)
    if (macro !== undefined) return !clauses.has(text)
    // A type. `::= {` ends a definition instead.
    return /^[A-Z]/.test(text) && !clauses.has(text) && this.#is('::=', 1) && !this.#is('{', 2)
  }

  #definition(parts: Parts): void {
    const token = this.#token()
    if (token.kind !== 'name') throw this.#unexpected('a definition')
    if (token.text.toUpperCase() === 'IMPORTS') return this.#imports(parts)
    if (token.text.toUpperCase() === 'EXPORTS') return this.#exports()
    if (this.#is('MACRO', 1)) return this.#macro()
    this.#noteName(token)
    const name = token.text.slice(0, nameLimit)
    const head = { name, line: token.line }
    if (this.#is('::=', 1)) {
      this.#at += 2
      return this.#type(parts, head)
    }
    if (this.#is('OBJECT', 1) && this.#is('IDENTIFIER', 2)) {
      this.#at += 3
      this.#expect('::=', 'behind OBJECT IDENTIFIER')
      return parts.node({ ...head, path: this.#path() })
    }
    const macro = this.#keyword(macros, 1)
    if (macro === undefined) {
      this.#next()
      throw this.#unexpected(`a definition of ${shownToken(token)}`)
    }
    this.#next()
    this.#noteKeyword(this.#next(), macro)
    const from = this.#at
    const said = this.#clauses(name)
    if (macro === 'TRAP-TYPE') return this.#trap(parts, head, said, from)
    parts.add(macro, { ...head, path: this.#path() }, said, this.#severityOf(from))
  }

  #noteName({ text, line }: Token): void {
    if (text.includes('_')) {
      this.#remarks.accepted(
        line,
        'underscore',
        `${shownName(text)} has an underscore, which names must not have`,
      )
    }
    if (text.length > nameLimit) {
      this.#remarks.accepted(
        line,
        'long name',
        `${shownName(text)} is longer than ${nameLimit} characters and was cut`,
      )
    }
  }

  #imports(parts: Parts): void {
    const { line } = this.#next()
    let symbols: string[] = []
    for (;;) {
      const token = this.#token()
      if (this.#take(';')) break
      if (this.#take(',')) continue
      if (token.kind !== 'name' || this.#beginsDefinition()) {
        this.#remarks.accepted(token.line, 'imports', 'the imports do not end with a semicolon')
        break
      }
      this.#next()
      if (token.text !== 'FROM') symbols.push(token.text)
      else if (this.#token().kind === 'name') {
        const module = this.#next().text
        for (const symbol of symbols) parts.imported(symbol, module)
        symbols = []
      }
    }
    if (symbols.length > 0)
      this.#remarks.lost(line, `no module is named for ${shownName(symbols.join(', '))}`)
  }

  #exports(): void {
    while (!this.#take(';') && !this.#atEnd()) this.#next()
  }

  /** The macros themselves are known here. */
  #macro(): void {
    while (this.#token().text !== 'END' && this.#token().kind !== 'end') this.#next()
    this.#take('END')
  }

  #type(parts: Parts, head: { name: string; line: number }): void {
    if (this.#keyword(new Set(['TEXTUAL-CONVENTION'])) === undefined) {
      return parts.type({ ...head, syntax: this.#syntax() })
    }
    this.#noteKeyword(this.#next(), 'TEXTUAL-CONVENTION')
    const { syntax, hint } = this.#clauses(head.name, true)
    if (!syntax) throw new Unreadable(head.line, `${head.name} has no SYNTAX`)
    parts.type({ ...head, syntax, ...(hint !== undefined && { hint }) })
  }

  #trap(parts: Parts, head: { name: string; line: number }, said: Said, from: number): void {
    const token = this.#next()
    const specific = Number(token.text)
    if (token.kind !== 'number' || specific > 0x7fff_ffff) {
      throw new Unreadable(
        token.line,
        `expected the number of the trap ${head.name}, found ${shownToken(token)}`,
      )
    }
    if (!said.enterprise) throw new Unreadable(head.line, `${head.name} has no ENTERPRISE`)
    parts.add('TRAP-TYPE', { ...head, path: said.enterprise }, said, this.#severityOf(from), specific)
  }

  /** What a vendor's comment inside or right behind the definition says. */
  #severityOf(from: number): string | undefined {
    const { severities } = this.#source
    let found: string | undefined
    for (; this.#severity < severities.length; this.#severity += 1) {
      const one = severities[this.#severity]
      if (!one || one.at > this.#at) break
      if (one.at >= from) found = one.word
    }
    return found
  }

  // Clauses

  /** Up to `::=` and past it; a textual convention ends with its syntax instead. */
  #clauses(name: string, convention = false): Said {
    const said: Said = {}
    let wasOdd = false
    for (;;) {
      const token = this.#token()
      if (this.#take('::=')) {
        if (convention) throw new Unreadable(token.line, `expected SYNTAX of ${name}, found ::=`)
        return said
      }
      if (this.#atEnd() || this.#beginsDefinition() || this.#beginsModule()) {
        throw this.#unexpected(convention ? `SYNTAX of ${name}` : `::= of ${name}`)
      }
      const clause = this.#keyword(clauses)
      if (clause !== undefined) {
        this.#noteKeyword(this.#next(), clause)
        this.#clause(clause, said)
        if (convention && clause === 'SYNTAX') return said
      } else {
        if (!wasOdd) {
          this.#remarks.accepted(
            token.line,
            `clause ${token.text}`,
            `${shownToken(token)} in ${name} was passed over`,
          )
        }
        wasOdd = true
        this.#skipOne()
      }
    }
  }

  #clause(clause: string, said: Said): void {
    switch (clause) {
      case 'SYNTAX':
      case 'WRITE-SYNTAX': {
        // A compliance statement narrows the syntax of many objects: the first is the definition's own.
        const syntax = this.#syntax()
        if (clause === 'SYNTAX') said.syntax ??= syntax
        return
      }
      case 'UNITS':
        said.units = this.#textClause()
        return
      case 'DISPLAY-HINT':
        said.hint = this.#textClause()
        return
      case 'DESCRIPTION': {
        const text = this.#textClause()
        said.description ??= text
        return
      }
      case 'ACCESS':
      case 'MAX-ACCESS':
        if (this.#token().kind === 'name') said.access = this.#next().text.toLowerCase()
        return
      case 'INDEX':
        said.index = this.#names()
        return
      case 'AUGMENTS':
        said.augments = this.#names()[0] ?? ''
        return
      case 'OBJECTS':
      case 'VARIABLES':
        said.objects = this.#names()
        return
      case 'ENTERPRISE':
        said.enterprise = this.#is('{') ? this.#path() : [this.#reference()]
        return
      default:
        // A value follows, in whatever form; what is none of these is looked at as a clause again.
        if (this.#is('{') || this.#is('(') || this.#token().kind !== 'name') {
          if (!this.#is('::=')) this.#skipOne()
        } else if (this.#keyword(clauses) === undefined && !this.#beginsDefinition()) this.#next()
    }
  }

  #textClause(): string {
    const token = this.#token()
    if (token.kind !== 'text') {
      this.#remarks.accepted(token.line, 'text', `expected a text in quotes, found ${shownToken(token)}`)
      return ''
    }
    this.#next()
    return token.text.replace(/\s+/g, ' ').trim().slice(0, textLimit)
  }

  /** `{ a, IMPLIED b }`; a name before a dot is that of a module. SMIv1 also numbers rows by types. */
  #names(): string[] {
    this.#expect('{', 'before a list of names')
    const names: string[] = []
    let comma = true
    while (!this.#take('}')) {
      const token = this.#token()
      if (this.#take(',')) {
        if (comma || this.#is('}')) this.#noteComma(token)
        comma = true
        continue
      }
      if (token.kind !== 'name' || this.#beginsDefinition())
        throw this.#unexpected('a name or } in a list of names')
      if (!comma) this.#noteNoComma(token)
      comma = false
      if (this.#token(1).kind === 'name') this.#take('IMPLIED')
      const name = this.#typeName()
      if (names.length < listLimit && !name.includes(' ')) names.push(name)
      if (this.#is('(')) this.#skipOne()
    }
    return names
  }

  #noteComma({ line }: Token): void {
    this.#remarks.accepted(line, 'comma', 'a comma too many')
  }

  #noteNoComma({ line }: Token): void {
    this.#remarks.accepted(line, 'no comma', 'a comma is missing')
  }

  #reference(): string {
    const token = this.#token()
    if (token.kind !== 'name') throw this.#unexpected('a name')
    this.#next()
    const { kind, text } = this.#token(1)
    if (!this.#is('.') || kind !== 'name') return token.text.slice(0, nameLimit)
    this.#at += 2
    return `${token.text.slice(0, nameLimit)}.${text.slice(0, nameLimit)}`
  }

  /** `{ parent 3 }`, `{ iso org(3) dod(6) 1 }`, `{ 1 3 6 1 }`. */
  #path(): Path {
    this.#expect('{', 'before a place in the tree')
    const path: (string | number)[] = []
    while (!this.#take('}')) {
      const token = this.#token()
      if (this.#is(',') || this.#is('.')) {
        this.#noteComma(this.#next())
        continue
      }
      if (path.length >= 128) throw new Unreadable(token.line, 'a place in the tree has at most 128 numbers')
      if (token.kind === 'number') path.push(this.#arc())
      else if (token.kind === 'name' && this.#is('(', 1) && this.#token(2).kind === 'number') {
        this.#at += 2
        path.push(this.#arc())
        this.#expect(')', 'behind the number of a name')
      } else if (token.kind === 'name' && !this.#beginsDefinition()) path.push(this.#reference())
      else throw this.#unexpected('a name, a number or } in a place in the tree')
    }
    if (path.length === 0) throw new Unreadable(this.#token().line, 'a place in the tree is empty')
    return path
  }

  #arc(): number {
    const { text, line } = this.#next()
    const number = Number(text)
    if (number > 0xffff_ffff)
      throw new Unreadable(line, `${shownName(text)} is too large for an object identifier`)
    return number
  }

  // Types

  #syntax(): Syntax {
    if (this.#is('[')) while (!this.#take(']') && !this.#atEnd()) this.#next()
    this.#take('IMPLICIT')
    const token = this.#token()
    if (token.kind !== 'name') throw this.#unexpected('a type')
    const type = this.#typeName()
    if (type === 'SEQUENCE OF') return { type, rowsOf: this.#reference() }
    if (type === 'SEQUENCE' || type === 'CHOICE') {
      if (this.#is('{')) this.#skipOne()
      return { type }
    }
    const values = this.#is('{') ? this.#values() : []
    while (this.#is('(')) this.#skipOne()
    return values.length > 0 ? { type, values } : { type }
  }

  #typeName(): string {
    const { text } = this.#token()
    const pair = `${text} ${this.#token(1).text}`
    if (['OCTET STRING', 'OBJECT IDENTIFIER', 'BIT STRING', 'SEQUENCE OF'].includes(pair)) {
      this.#at += 2
      return pair
    }
    return this.#reference()
  }

  /** `{ up(1), down(2) }` */
  #values(): (readonly [string, number])[] {
    this.#expect('{', 'before named numbers')
    const values: (readonly [string, number])[] = []
    let comma = true
    while (!this.#take('}')) {
      const token = this.#token()
      if (this.#take(',')) {
        if (comma || this.#is('}')) this.#noteComma(token)
        comma = true
        continue
      }
      if ((token.kind !== 'name' && token.kind !== 'number') || this.#beginsDefinition()) {
        throw this.#unexpected('a named number or }')
      }
      if (!comma) this.#noteNoComma(token)
      comma = false
      const name = this.#valueName()
      this.#expect('(', `behind ${shownName(name)}`)
      const number = this.#signed()
      this.#expect(')', `behind the number of ${shownName(name)}`)
      values.push([name.slice(0, nameLimit), number])
    }
    return values
  }

  /** Some begin with a digit (`10baseT`), which comes in two pieces. */
  #valueName(): string {
    let name = this.#next().text
    while (!this.#is('(') && ['name', 'number'].includes(this.#token().kind)) name += this.#next().text
    return name
  }

  #signed(): number {
    const negative = this.#take('-')
    const token = this.#token()
    if (token.kind === 'literal') {
      this.#next()
      const [, digits = '', base = ''] = /^'([0-9a-f]*)'([hb])?$/i.exec(token.text) ?? []
      return Number.parseInt(digits || '0', base.toLowerCase() === 'b' ? 2 : 16) || 0
    }
    if (token.kind !== 'number') throw this.#unexpected('a number')
    this.#next()
    const number = Number(token.text)
    return negative ? -number : number
  }

  /** One token, or all between it and the bracket that closes it; unbalanced brackets end with the definition. */
  #skipOne(): void {
    const first = this.#next()
    if (first.text !== '{' && first.text !== '(') return
    if (first.kind !== 'sign') return
    for (let depth = 1; depth > 0; ) {
      const token = this.#token()
      if (this.#atEnd() || this.#is('::=') || this.#beginsDefinition())
        throw this.#unexpected(`the end of ${first.text}`)
      this.#next()
      if (token.kind !== 'sign') continue
      if (token.text === '{' || token.text === '(') depth += 1
      if (token.text === '}' || token.text === ')') depth -= 1
    }
  }
}

/** What has been read of a module so far. */
class Parts {
  readonly #name: string
  readonly #line: number
  readonly #imports: (readonly [string, string])[] = []
  readonly #nodes: NodeText[] = []
  readonly #types: TypeText[] = []
  readonly #notifications: NotificationText[] = []

  constructor(name: string, line: number) {
    this.#name = name
    this.#line = line
  }

  get full(): boolean {
    return this.#nodes.length + this.#types.length + this.#notifications.length > definitionLimit
  }

  imported(symbol: string, module: string): void {
    if (this.#imports.length < definitionLimit) {
      this.#imports.push([symbol.slice(0, nameLimit), module.slice(0, nameLimit)])
    }
  }

  node(node: NodeText): void {
    this.#nodes.push(node)
  }

  type(type: TypeText): void {
    this.#types.push(type)
  }

  add(
    macro: string,
    head: { name: string; line: number; path: Path },
    said: Said,
    severity?: string,
    specific?: number,
  ) {
    if (macro === 'NOTIFICATION-TYPE' || macro === 'TRAP-TYPE') {
      const { objects = [], description = '' } = said
      const more = {
        ...(severity !== undefined && { severity }),
        ...(specific !== undefined && { specific }),
      }
      this.#notifications.push({ ...head, objects, description, ...more })
    } else if (macro === 'OBJECT-TYPE') {
      const { syntax, access, units, index, augments } = said
      this.#nodes.push({
        ...head,
        ...(syntax && { syntax }),
        ...(access && { access }),
        ...(units && { units }),
        ...(index && { index }),
        ...(augments && { augments }),
      })
    } else this.#nodes.push(head)
  }

  module(): ModuleText {
    return {
      name: this.#name,
      line: this.#line,
      imports: this.#imports,
      nodes: this.#nodes,
      types: this.#types,
      notifications: this.#notifications,
    }
  }
}

const shownName = (name: string) => (name.length > 60 ? `${name.slice(0, 60)}…` : name)

function shownToken({ kind, text }: Token): string {
  if (kind === 'end') return 'the end of the file'
  return kind === 'text' ? `"${shownName(text.replace(/\s+/g, ' '))}"` : shownName(text)
}
