// Patterns that users write, matched in linear time: what a device sends must not be able to hold up the thread, however
// the pattern is written. The syntax is that of RE2, which has neither look-ahead nor references back.

import { RE2JS, RE2JSException } from 're2js'
import { Fault, shown } from '../fault.ts'
import { type Alternatives, endOfClass, inSmallLetters, requiredTexts } from './required-texts.ts'
import { type Scalar, text } from './scalar.ts'

const accepted = 'a regular expression in the syntax of RE2, of at most 200 characters'
const plain = text({ maxLength: 200 })
/** Steps of a compiled pattern: each may cost time for each character of a value, and `x{1000}` has a thousand. */
const maxSteps = 300

/** Of a longer value, this much is searched. */
export const searchedLength = 2000

export const pattern: Scalar<string> = {
  ...plain,
  accepted,
  read(value) {
    const read = plain.read(value)
    const steps = compile(read).programSize()
    if (steps <= maxSteps) return read
    const reason = `its repetitions make ${steps} steps of it, and ${maxSteps} are the most`
    throw new Fault('invalid', `${shown(read)} is not accepted (${reason}): expected ${accepted}`)
  },
}

/** Cuts from a value what the first group of the pattern matches, or all that the pattern matches; else undefined. */
export function cutterOf(source: string): (value: string) => string | undefined {
  const compiled = compile(source)
  const group = compiled.groupCount() > 0 ? 1 : 0
  return (value) => {
    const matcher = compiled.matcher(value.slice(0, searchedLength))
    return matcher.find() ? (matcher.group(group) ?? undefined) : undefined
  }
}

const noParts: ReadonlyMap<string, string> = new Map()

/** Finds parts of a text by a pattern, without regard to letter case. */
export interface PartFinder {
  /** Of all parts that the pattern can find. */
  readonly names: readonly string[]
  /** The instructions of the compiled pattern. */
  readonly size: number
  /** What a text contains if it matches. */
  readonly required: Alternatives
  /** Whether it is worth while to search a text, which was folded by `foldedText`. */
  mayMatch(folded: string): boolean
  /** The named parts that took part in the match, else undefined. */
  find(value: string, folded?: string): ReadonlyMap<string, string> | undefined
}

/** The searched part of a text, in small letters; it has as many characters as the text. */
export const foldedText = (value: string): string => inSmallLetters(value.slice(0, searchedLength))

/** `isKnown`: the pattern is known to be accepted, and is compiled when a text may match it. */
export function partFinderOf(source: string, isKnown = false, expected = accepted): PartFinder {
  const small = patternInSmallLetters(source)
  const compileNow = () =>
    small === undefined ? compile(source, expected, RE2JS.CASE_INSENSITIVE) : compile(small, expected)
  let compiled = isKnown ? undefined : compileNow()
  const names = compiled
    ? Object.keys(compiled.namedGroups())
    : [...source.matchAll(/\(\?P?<(\w+)>/g)].map(([, name]) => name ?? '')
  const required = requiredTexts(source)
  // Of each alternative the longest, if all have one.
  const longest = required.map((texts) =>
    texts.reduce((best, { text }) => (text.length > best.length ? text : best), ''),
  )
  const isSelective = longest.length > 0 && longest.every((text) => text !== '')
  const mayMatch = (folded: string) => !isSelective || longest.some((text) => folded.includes(text))
  const find = (value: string, folded = foldedText(value)) => {
    if (!mayMatch(folded)) return undefined
    compiled ??= compileNow()
    // Much faster than a search that finds parts, and most texts do not match.
    if (!compiled.test(folded)) return undefined
    if (names.length === 0) return noParts
    const matcher = compiled.matcher(folded)
    matcher.find()
    const parts = new Map<string, string>()
    for (const name of names) {
      const start = matcher.start(name)
      const end = matcher.end(name)
      if (end > start) parts.set(name, value.slice(start, end))
    }
    return parts
  }
  return {
    ...{ names, required, mayMatch, find },
    get size() {
      compiled ??= compileNow()
      return compiled.programSize()
    },
  }
}

/** A pattern for folded texts: much faster than one that does not regard letter case. Undefined if it has no simple one. */
function patternInSmallLetters(source: string): string | undefined {
  const hasNames = /\\[pPxQ]|\(\?(?![:P<])/.test(source)
  const ranges = classesIn(source).flatMap((one) => one.replace(/\\./g, '').match(/.-./g) ?? [])
  const isSimple = (range: string) => /^(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d)$/.test(range)
  if (hasNames || !ranges.every(isSimple)) return undefined
  return source.replace(/\\.|\(\?P?<\w+>|\p{Lu}+/gu, (found) =>
    /^\p{Lu}/u.test(found) ? inSmallLetters(found) : found,
  )
}

/** The characters in the brackets of a pattern. */
function classesIn(source: string): string[] {
  const classes: string[] = []
  for (let at = 0; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '[') {
      const end = endOfClass(source, at)
      classes.push(source.slice(at + 1, end - 1))
      at = end - 1
    }
  }
  return classes
}

function compile(source: string, expected = accepted, flags = 0): RE2JS {
  try {
    return RE2JS.compile(source, flags)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new Fault('invalid', `${shown(source)} is not accepted (${error.message}): expected ${expected}`)
  }
}
