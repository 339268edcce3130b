// Splits the text of modules into tokens with their lines. Never throws, and runs in linear time.

type TokenKind = 'name' | 'number' | 'text' | 'literal' | 'sign' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** Of a text, what stands between the quotes. */
  readonly text: string
  readonly line: number
}

/** The part of a comment about the definition before it: `--#SEVERITY MAJOR`. */
interface Severity {
  /** It is before the token with this number. */
  readonly at: number
  readonly word: string
}

export interface Tokens {
  readonly tokens: readonly Token[]
  readonly severities: readonly Severity[]
  /** The line of an oddity, and its description. */
  readonly odd: readonly { readonly line: number; readonly sort: OddSort; readonly text: string }[]
}

export type OddSort = 'endless text' | 'code behind a comment' | 'strange character'

// Also those that editors and old systems leave behind.
const blanks = new Set(' \t\r\f\v\u00a0\ufeff\u001a\0')
const word = /[A-Za-z][A-Za-z0-9_-]*/y
const digits = /[0-9]+/y
const literal = /'[^'\n]*'[HhBb]?/y

const patterns = { name: word, number: digits, literal }
const signs = new Set('{}()[],;.|:<>-')

/** Decided by its first character alone: a file may be millions of signs. */
function kindOf(char: string): 'name' | 'number' | 'literal' | 'sign' {
  if ((char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z')) return 'name'
  if (char >= '0' && char <= '9') return 'number'
  return char === "'" ? 'literal' : 'sign'
}

function signAt(source: string, at: number, char: string): string | undefined {
  if (char === ':' && source.startsWith('::=', at)) return '::='
  if (char === '.' && source[at + 1] === '.') return '..'
  return signs.has(char) ? char : undefined
}

/** Text after `-- comment --` that can only be code, although most authors mean the rest of the line. */
const codeAhead =
  /^\s*(?:::=|[{}(),;]|[A-Za-z][\w-]*\s*\(\s*-?\d+\s*\)|(?:SYNTAX|MAX-ACCESS|ACCESS|STATUS|DESCRIPTION|INDEX|FROM|END)\b)/

/** A definition inside a text: the quote that should have ended the text may be missing. */
const definitionInside =
  /^[ \t]*[A-Za-z][\w-]*[ \t]+(?:OBJECT-TYPE|NOTIFICATION-TYPE|TRAP-TYPE|OBJECT-GROUP|NOTIFICATION-GROUP|OBJECT-IDENTITY|MODULE-COMPLIANCE)[ \t\r]*\n\s*(?:SYNTAX|OBJECTS|STATUS|ENTERPRISE|VARIABLES|NOTIFICATIONS|DESCRIPTION)\b/m

/** If the quote is missing, the next one opens the text of a later definition. Otherwise a text quotes a definition. */
const opensText = /\b(?:DESCRIPTION|REFERENCE|UNITS|DISPLAY-HINT|ORGANIZATION|CONTACT-INFO)\s{0,200}$/i

/** The end of the definition whose text was not closed. */
const place = /^::=\s*(?:\{[^{}"]*\}|\d+)/

/** How much of a text is searched for what can only stand at its end. */
const endLength = 1000

const severityNote = /^--#\s*SEVERITY\s+"?([A-Za-z]+)/

/** Without that end, where nothing but comments follows it. */
function withoutPlace(text: string): string {
  const at = text.lastIndexOf('::=')
  if (at < text.length - endLength || at < 0) return text
  const [found] = place.exec(text.slice(at)) ?? []
  if (found === undefined) return text
  const after = text.slice(at + found.length).split('\n')
  const isEnd = after.every((line) => line.trim() === '' || line.trimStart().startsWith('--'))
  return isEnd ? text.slice(0, at) : text
}

export const tokenize = (source: string): Tokens => new Tokenizer(source).run()

class Tokenizer {
  readonly #source: string
  readonly #tokens: Token[] = []
  readonly #severities: Severity[] = []
  readonly #odd: { line: number; sort: OddSort; text: string }[] = []
  #at = 0
  #line = 1
  #lineEnd = -1

  constructor(source: string) {
    this.#source = source
  }

  run(): Tokens {
    const source = this.#source
    while (this.#at < source.length) {
      const char = source.charAt(this.#at)
      if (blanks.has(char)) this.#at += 1
      else if (char === '\n') {
        this.#line += 1
        this.#at += 1
      } else if (char === '-' && source[this.#at + 1] === '-') this.#comment()
      else if (char === '"') this.#quoted()
      else this.#plain(char)
    }
    this.#tokens.push({ kind: 'end', text: '', line: this.#line })
    return { tokens: this.#tokens, severities: this.#severities, odd: this.#odd }
  }

  #comment(): void {
    const source = this.#source
    // Searched once per line: a line may be all comments.
    if (this.#lineEnd < this.#at) {
      const newline = source.indexOf('\n', this.#at)
      this.#lineEnd = newline < 0 ? source.length : newline
    }
    const rest = source.slice(this.#at, this.#lineEnd)
    const severity = severityNote.exec(rest)?.[1]
    if (severity !== undefined)
      this.#severities.push({ at: this.#tokens.length, word: severity.toLowerCase() })
    // Dashes in a row, or before any word of the comment, are decoration.
    const close = rest.indexOf('--', /^[-\s]*/.exec(rest)?.[0].length)
    if (close > 0 && codeAhead.test(rest.slice(close + 2))) {
      this.#remark('code behind a comment', rest.slice(close + 2, close + 42))
      this.#at += close + 2
    } else this.#at = this.#lineEnd
  }

  #quoted(): void {
    const begin = this.#at + 1
    const close = this.#source.indexOf('"', begin)
    const text = this.#textFrom(begin, close)
    const end = begin + text.length
    const ended = end === close
    if (!ended) this.#remark('endless text', text.slice(0, 40))
    this.#tokens.push({ kind: 'text', text, line: this.#line })
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) this.#line += 1
    this.#at = ended ? end + 1 : end
  }

  /** The text up to its quote, or up to where that should have been. */
  #textFrom(begin: number, close: number): string {
    const text = this.#source.slice(begin, close < 0 ? undefined : close)
    const inside = text.includes('-TYPE') || text.includes('OBJECT-') ? definitionInside.exec(text) : null
    if (inside && (close < 0 || opensText.test(text.slice(-endLength))))
      return withoutPlace(text.slice(0, inside.index))
    if (close >= 0) return text
    // Nothing shows where it should have ended: the end of its line is used.
    const newline = text.indexOf('\n')
    return newline < 0 ? text : text.slice(0, newline)
  }

  #plain(char: string): void {
    const kind = kindOf(char)
    const text = kind === 'sign' ? signAt(this.#source, this.#at, char) : this.#match(patterns[kind])
    if (text !== undefined) {
      this.#tokens.push({ kind, text, line: this.#line })
      this.#at += text.length
      return
    }
    const strange = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0)
    this.#remark('strange character', strange)
    this.#at += strange.length
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#source)?.[0]
  }

  #remark(sort: OddSort, text: string): void {
    this.#odd.push({ line: this.#line, sort, text })
  }
}
