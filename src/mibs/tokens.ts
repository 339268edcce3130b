// Splits the text of modules into tokens: names, numbers, texts, signs, each with its line. Never throws, and never
// looks at a character more than a fixed number of times.

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
  /** Line and what is odd there. */
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

/** What can only be code behind `-- comment --`, although most authors of two dashes mean the rest of the line. */
const codeAhead =
  /^\s*(?:::=|[{}(),;]|[A-Za-z][\w-]*\s*\(\s*-?\d+\s*\)|(?:SYNTAX|MAX-ACCESS|ACCESS|STATUS|DESCRIPTION|INDEX|FROM|END)\b)/

/** A definition inside a text: the quote that should have ended the text is missing. */
const definitionInside =
  /^[ \t]*[A-Za-z][\w-]*[ \t]+(?:OBJECT-TYPE|NOTIFICATION-TYPE|TRAP-TYPE|OBJECT-GROUP|NOTIFICATION-GROUP|OBJECT-IDENTITY|MODULE-COMPLIANCE)[ \t\r]*\n\s*(?:SYNTAX|OBJECTS|STATUS|ENTERPRISE|VARIABLES|NOTIFICATIONS|DESCRIPTION)\b/m

/** The end of the definition whose text was not closed; short, so that looking for it costs nothing. */
const placeAtEnd = /::=\s{0,40}(?:\{[^{}"]{0,200}\}|\d{1,10})\s{0,200}$/

const severityNote = /^--#\s*SEVERITY\s+"?([A-Za-z]+)/

export function tokenize(source: string): Tokens {
  const tokens: Token[] = []
  const severities: Severity[] = []
  const odd: { line: number; sort: OddSort; text: string }[] = []
  let at = 0
  let line = 1
  let lineEnd = -1

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }

  const comment = () => {
    // Searched once per line: a line may be all comments.
    if (lineEnd < at) {
      const newline = source.indexOf('\n', at)
      lineEnd = newline < 0 ? source.length : newline
    }
    const rest = source.slice(at, lineEnd)
    const severity = severityNote.exec(rest)?.[1]
    if (severity !== undefined) severities.push({ at: tokens.length, word: severity.toLowerCase() })
    const close = rest.indexOf('--', 2)
    if (close > 0 && codeAhead.test(rest.slice(close + 2))) {
      odd.push({ line, sort: 'code behind a comment', text: rest.slice(close + 2, close + 42) })
      at += close + 2
    } else at = lineEnd
  }

  const quoted = () => {
    const close = source.indexOf('"', at + 1)
    let end = close < 0 ? source.length : close
    let text = source.slice(at + 1, end)
    const inside = text.includes('-TYPE') || text.includes('OBJECT-') ? definitionInside.exec(text) : null
    if (inside) {
      text = text.slice(0, inside.index).replace(placeAtEnd, '')
      end = at + 1 + text.length
    } else if (close < 0) {
      // Nothing shows where it should have ended: the end of its line is used.
      const newline = text.indexOf('\n')
      if (newline >= 0) {
        end = at + 1 + newline
        text = text.slice(0, newline)
      }
    }
    const ended = end === close
    if (!ended) odd.push({ line, sort: 'endless text', text: text.slice(0, 40) })
    tokens.push({ kind: 'text', text, line })
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) line += 1
    at = ended ? end + 1 : end
  }

  const piece = (char: string) => {
    const kind = kindOf(char)
    const text = kind === 'sign' ? signAt(source, at, char) : match(patterns[kind])
    if (text !== undefined) {
      tokens.push({ kind, text, line })
      at += text.length
      return
    }
    const strange = String.fromCodePoint(source.codePointAt(at) ?? 0)
    odd.push({ line, sort: 'strange character', text: strange })
    at += strange.length
  }

  while (at < source.length) {
    const char = source.charAt(at)
    if (blanks.has(char)) at += 1
    else if (char === '\n') {
      line += 1
      at += 1
    } else if (char === '-' && source[at + 1] === '-') comment()
    else if (char === '"') quoted()
    else piece(char)
  }
  tokens.push({ kind: 'end', text: '', line })
  return { tokens, severities, odd }
}
