// A cursor over the tokens of a file, with the basic parsing operations.

import { nameLimit, type Remarks } from './module-text.ts'
import type { Token } from './tokens.ts'

/** A definition that cannot be read any further. */
export class Unreadable {
  readonly line: number
  readonly reason: string

  constructor(line: number, reason: string) {
    this.line = line
    this.reason = reason
  }
}

/** Macros whose definitions are read; of groups and the like only the place in the tree is. */
export const macros: ReadonlySet<string> = new Set([
  ...['OBJECT-TYPE', 'MODULE-IDENTITY', 'OBJECT-IDENTITY', 'NOTIFICATION-TYPE', 'TRAP-TYPE'],
  ...['OBJECT-GROUP', 'NOTIFICATION-GROUP', 'MODULE-COMPLIANCE', 'AGENT-CAPABILITIES', 'TEXTUAL-CONVENTION'],
])

/** Keywords that begin a clause, where one is expected. */
export const clauseWords: ReadonlySet<string> = new Set([
  ...['SYNTAX', 'WRITE-SYNTAX', 'UNITS', 'MAX-ACCESS', 'MIN-ACCESS', 'ACCESS', 'STATUS', 'DESCRIPTION'],
  ...['REFERENCE', 'INDEX', 'AUGMENTS', 'DEFVAL', 'DISPLAY-HINT', 'OBJECTS', 'NOTIFICATIONS', 'VARIABLES'],
  ...['ENTERPRISE', 'LAST-UPDATED', 'ORGANIZATION', 'CONTACT-INFO', 'REVISION', 'PRODUCT-RELEASE', 'OBJECT'],
  ...['SUPPORTS', 'INCLUDES', 'VARIATION', 'CREATION-REQUIRES', 'MODULE', 'MANDATORY-GROUPS', 'GROUP'],
])

// A module's identifier, which may stand between its name and DEFINITIONS, has no more tokens than this.
const identifierTokens = 40

export class Cursor {
  readonly #tokens: readonly Token[]
  at = 0
  /** Where remarks go: to the module that is being read. */
  remarks: Remarks

  constructor(tokens: readonly Token[], remarks: Remarks) {
    this.#tokens = tokens
    this.remarks = remarks
  }

  token(ahead = 0): Token {
    return this.#tokens[this.at + ahead] ?? (this.#tokens.at(-1) as Token)
  }

  next(): Token {
    const token = this.token()
    if (token.kind !== 'end') this.at += 1
    return token
  }

  is(text: string, ahead = 0): boolean {
    const token = this.token(ahead)
    return token.text === text && token.kind !== 'text'
  }

  take(text: string): boolean {
    if (!this.is(text)) return false
    this.at += 1
    return true
  }

  expect(text: string, where: string): void {
    if (!this.take(text)) throw this.unexpected(`${text} ${where}`)
  }

  unexpected(expected: string): Unreadable {
    const token = this.token()
    return new Unreadable(token.line, `expected ${expected}, found ${shownToken(token)}`)
  }

  /** The word in capitals, where it is one of them. Some vendors write `Object-Type`. */
  keyword(words: ReadonlySet<string>, ahead = 0): string | undefined {
    const { kind, text } = this.token(ahead)
    if (kind !== 'name') return undefined
    if (words.has(text)) return text
    // A word in lower case may be a name; only a capitalised one was meant as a keyword.
    const upper = text.toUpperCase()
    return /^[A-Z]/.test(text) && words.has(upper) ? upper : undefined
  }

  noteKeyword({ text, line }: Token, keyword: string): void {
    if (text !== keyword) this.remarks.accepted(line, `case ${keyword}`, `${text} was read as ${keyword}`)
  }

  /** `MODULE.name`, or a name alone. */
  reference(): string {
    const token = this.token()
    if (token.kind !== 'name') throw this.unexpected('a name')
    this.next()
    const { kind, text } = this.token(1)
    if (!this.is('.') || kind !== 'name') return token.text.slice(0, nameLimit)
    this.at += 2
    return `${token.text.slice(0, nameLimit)}.${text.slice(0, nameLimit)}`
  }

  /** `NAME DEFINITIONS ::=`, perhaps with an identifier in braces after the name, as ASN.1 requires. */
  beginsModule(): boolean {
    if (this.token().kind !== 'name') return false
    let ahead = 1
    if (this.is('{', ahead)) {
      while (ahead < identifierTokens && !this.is('}', ahead) && this.token(ahead).kind !== 'end') ahead += 1
      ahead += 1
    }
    if (this.token(ahead).text.toUpperCase() !== 'DEFINITIONS') return false
    return [1, 2, 3].some((more) => this.is('::=', ahead + more))
  }

  beginsDefinition(): boolean {
    const { kind, text } = this.token()
    if (kind !== 'name') return false
    if (text === 'IMPORTS' || text === 'EXPORTS' || this.is('MACRO', 1)) return true
    if (clauseWords.has(text)) return false
    if (this.is('OBJECT', 1) && this.is('IDENTIFIER', 2)) return this.is('::=', 3)
    if (this.keyword(macros, 1) !== undefined) return true
    // A type. `::= {` ends a definition instead.
    return /^[A-Z]/.test(text) && this.is('::=', 1) && !this.is('{', 2)
  }

  atEnd(): boolean {
    const { kind, text } = this.token()
    return kind === 'end' || (kind === 'name' && text === 'END')
  }

  /** Skips to what looks like the beginning of a definition. */
  resume(): void {
    while (!this.beginsDefinition() && !this.beginsModule() && !this.atEnd()) this.next()
  }

  /** One token, or all between it and the bracket that closes it; unbalanced brackets end with the definition. */
  skipOne(): void {
    const first = this.next()
    if (first.kind !== 'sign' || (first.text !== '{' && first.text !== '(')) return
    for (let depth = 1; depth > 0; ) {
      if (this.atEnd() || this.is('::=') || this.beginsDefinition()) {
        throw this.unexpected(`the end of what ${first.text} in line ${first.line} began`)
      }
      const { kind, text } = this.next()
      if (kind !== 'sign') continue
      if (text === '{' || text === '(') depth += 1
      if (text === '}' || text === ')') depth -= 1
    }
  }
}

export const shownName = (name: string) => (name.length > 60 ? `${name.slice(0, 60)}…` : name)

export function shownToken({ kind, text }: Token): string {
  if (kind === 'end') return 'the end of the file'
  return kind === 'text' ? `"${shownName(text.replace(/\s+/g, ' '))}"` : shownName(text)
}
