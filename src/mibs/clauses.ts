// Parses the body of a definition: its clauses, and the lists, types and OID values in them.

import { type Cursor, clauseWords, shownName, shownToken, Unreadable } from './cursor.ts'
import { arcLimit, nameLimit, type Path, type Syntax, textLimit } from './module-text.ts'
import type { Token } from './tokens.ts'

/** The content of a definition, by clause. */
export interface Said {
  syntax?: Syntax
  access?: string
  units?: string
  hint?: string
  description?: string
  index?: readonly string[]
  augments?: string
  objects?: readonly string[]
  enterprise?: Path
  revision?: string
}

/** Up to `::=` and past it; a textual convention ends with its syntax instead. */
export function readClauses(cursor: Cursor, name: string, convention = false): Said {
  const said: Said = {}
  let wasOdd = false
  for (;;) {
    const token = cursor.token()
    if (!convention && cursor.take('::=')) return said
    if (cursor.is('::=') || cursor.atEnd() || cursor.beginsDefinition() || cursor.beginsModule()) {
      throw cursor.unexpected(convention ? `SYNTAX of ${name}` : `::= of ${name}`)
    }
    const clause = cursor.keyword(clauseWords)
    if (clause !== undefined) {
      cursor.noteKeyword(cursor.next(), clause)
      readClause(cursor, clause, said)
      if (convention && clause === 'SYNTAX') return said
      continue
    }
    if (!wasOdd) {
      const sort = `clause ${token.text.slice(0, nameLimit)}`
      cursor.remarks.accepted(token.line, sort, `${shownToken(token)} in ${name} was passed over`)
    }
    wasOdd = true
    cursor.skipOne()
  }
}

const texts = {
  UNITS: 'units',
  'DISPLAY-HINT': 'hint',
  DESCRIPTION: 'description',
  'LAST-UPDATED': 'revision',
} as const

function readClause(cursor: Cursor, clause: string, said: Said): void {
  switch (clause) {
    case 'SYNTAX':
    case 'WRITE-SYNTAX': {
      // A compliance statement narrows the syntax of many objects: the first is the definition's own.
      const syntax = readSyntax(cursor)
      if (clause === 'SYNTAX') said.syntax ??= syntax
      return
    }
    case 'UNITS':
    case 'DISPLAY-HINT':
    case 'LAST-UPDATED':
    case 'DESCRIPTION': {
      const text = readText(cursor)
      said[texts[clause]] ??= text
      return
    }
    case 'ACCESS':
    case 'MAX-ACCESS':
      if (cursor.token().kind === 'name') said.access = cursor.next().text.toLowerCase().slice(0, nameLimit)
      return
    case 'INDEX':
      said.index = readNames(cursor)
      return
    case 'AUGMENTS':
      said.augments = readNames(cursor)[0] ?? ''
      return
    case 'OBJECTS':
    case 'VARIABLES':
      said.objects = readNames(cursor)
      return
    case 'ENTERPRISE':
      said.enterprise = cursor.is('{') ? readPath(cursor) : [cursor.reference()]
      return
    default:
      skipValue(cursor)
  }
}

/** A value follows, in whatever form; where none does, the next clause follows. */
function skipValue(cursor: Cursor): void {
  if (cursor.is('::=') || cursor.keyword(clauseWords) !== undefined || cursor.beginsDefinition()) return
  if (!cursor.atEnd()) cursor.skipOne()
}

function readText(cursor: Cursor): string {
  const token = cursor.token()
  if (token.kind !== 'text') {
    cursor.remarks.accepted(token.line, 'text', `expected a text in quotes, found ${shownToken(token)}`)
    return ''
  }
  cursor.next()
  return token.text.replace(/\s+/g, ' ').trim().slice(0, textLimit)
}

/** Names in one list, beyond which they are passed over. */
const listLimit = 1000

/** `{ a, IMPLIED b }`. SMIv1 also indexes rows by types, which name no object. */
function readNames(cursor: Cursor): string[] {
  const names: string[] = []
  readList(cursor, 'a list of names', ['name', 'number'], () => {
    if (cursor.token(1).kind === 'name') cursor.take('IMPLIED')
    const name = typeName(cursor)
    if (names.length < listLimit && !name.includes(' ')) names.push(name)
    if (cursor.is('(')) cursor.skipOne()
  })
  return names
}

/** `{ up(1), down(2) }` */
function readValues(cursor: Cursor): (readonly [string, number])[] {
  const values: (readonly [string, number])[] = []
  const kinds = ['name', 'number', 'text'] as const
  readList(cursor, 'named numbers', kinds, () => {
    noteQuotes(cursor)
    // Some begin with a digit (`10baseT`) and come in two pieces.
    let name = cursor.next().text
    while (['name', 'number'].includes(cursor.token().kind)) name += cursor.next().text
    cursor.expect('(', `behind ${shownName(name)}`)
    const number = readNumber(cursor)
    cursor.expect(')', `behind the number of ${shownName(name)}`)
    values.push([name.slice(0, nameLimit), number])
  })
  return values
}

function noteQuotes(cursor: Cursor): void {
  const { kind, line } = cursor.token()
  if (kind === 'text')
    cursor.remarks.accepted(line, 'quoted name', 'the name of a number is in quotes, which it must not be')
}

function readList(cursor: Cursor, what: string, kinds: readonly Token['kind'][], readOne: () => void): void {
  cursor.expect('{', `before ${what}`)
  let comma = true
  while (!cursor.take('}')) {
    const token = cursor.token()
    if (cursor.take(',')) {
      if (comma || cursor.is('}')) noteComma(cursor, token)
      comma = true
      continue
    }
    if (!kinds.includes(token.kind) || cursor.beginsDefinition() || cursor.atEnd()) {
      throw cursor.unexpected(`a name or } in ${what}`)
    }
    if (!comma) cursor.remarks.accepted(token.line, 'no comma', 'a comma is missing')
    comma = false
    readOne()
  }
}

const noteComma = (cursor: Cursor, { line }: Token) =>
  cursor.remarks.accepted(line, 'comma', 'there is a comma too many')

function readNumber(cursor: Cursor): number {
  const negative = cursor.take('-')
  const token = cursor.token()
  if (token.kind !== 'number' && token.kind !== 'literal') throw cursor.unexpected('a number')
  cursor.next()
  if (token.kind === 'number') return negative ? -Number(token.text) : Number(token.text)
  const [, digits = '', base = ''] = /^'([0-9a-f]*)'([hb])?$/i.exec(token.text) ?? []
  return Number.parseInt(digits, base.toLowerCase() === 'b' ? 2 : 16) || 0
}

/** `{ parent 3 }`, `{ iso org(3) dod(6) 1 }`, `{ 1 3 6 1 }`. */
export function readPath(cursor: Cursor): Path {
  const { line } = cursor.token()
  cursor.expect('{', 'before a place in the tree')
  const path: (string | number)[] = []
  while (!cursor.take('}')) {
    if (cursor.is(',') || cursor.is('.')) {
      noteComma(cursor, cursor.next())
      continue
    }
    if (path.length >= arcLimit)
      throw new Unreadable(line, `a place in the tree has at most ${arcLimit} numbers`)
    path.push(readStep(cursor))
  }
  if (path.length === 0) throw new Unreadable(line, 'a place in the tree is empty')
  return path
}

function readStep(cursor: Cursor): string | number {
  const { kind } = cursor.token()
  if (kind === 'number') return readArc(cursor)
  if (kind !== 'name' || cursor.beginsDefinition() || cursor.atEnd()) {
    throw cursor.unexpected('a name, a number or } in a place in the tree')
  }
  if (!cursor.is('(', 1) || cursor.token(2).kind !== 'number') return cursor.reference()
  cursor.at += 2
  const arc = readArc(cursor)
  cursor.expect(')', 'behind the number of a name')
  return arc
}

function readArc(cursor: Cursor): number {
  const { text, line } = cursor.next()
  const number = Number(text)
  if (number > 0xffff_ffff)
    throw new Unreadable(line, `${shownName(text)} is too large for an object identifier`)
  return number
}

export function readSyntax(cursor: Cursor): Syntax {
  if (cursor.is('[')) while (!cursor.take(']') && !cursor.atEnd()) cursor.next()
  cursor.take('IMPLICIT')
  const type = typeName(cursor)
  if (type === 'SEQUENCE OF') return { type, rowsOf: cursor.reference() }
  if (type === 'SEQUENCE' || type === 'CHOICE') {
    if (cursor.is('{')) cursor.skipOne()
    return { type }
  }
  const values = cursor.is('{') ? readValues(cursor) : []
  while (cursor.is('(')) cursor.skipOne()
  return values.length > 0 ? { type, values } : { type }
}

const twoWords = ['OCTET STRING', 'OBJECT IDENTIFIER', 'BIT STRING', 'SEQUENCE OF']

function typeName(cursor: Cursor): string {
  if (cursor.token().kind !== 'name') throw cursor.unexpected('a type')
  const pair = `${cursor.token().text} ${cursor.token(1).text}`
  if (!twoWords.includes(pair)) return cursor.reference()
  cursor.at += 2
  return pair
}
