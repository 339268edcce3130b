// The kinds of list filters: each parses a query parameter and returns a condition on a column.

import { Fault } from '../fault.ts'
import { macPatterns } from './mac-pattern.ts'
import { columnOf, type Resource, type ScalarField } from './resource.ts'
import { type SqlValue, toSql } from './row.ts'
import { anyMac, bool, fold, type Scalar, text } from './scalar.ts'

/** A condition on a column of the record, or of the table that contains its members. */
export type Condition = {
  readonly column: string
  readonly members?: Members
} & (
  | { readonly kind: 'equals'; readonly value: SqlValue }
  /** It has no value. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'any'; readonly values: readonly SqlValue[] }
  | { readonly kind: 'from' | 'until'; readonly value: SqlValue }
  | { readonly kind: 'like'; readonly pattern: string; readonly prefix: string }
  | { readonly kind: 'likeAny'; readonly patterns: readonly string[] }
  | ({ readonly kind: 'through'; readonly value: SqlValue } & Related)
)

/** The column refers to a record of another table, by its id; the condition is on a column there. */
interface Related {
  readonly table: string
  readonly relatedColumn: string
  /** Whether a row that refers to no record also matches. */
  readonly orMissing: boolean
}

/** The other tables that conditions read, besides that of the records. */
export const tablesOf = (conditions: readonly Condition[]): string[] =>
  conditions.flatMap((condition) => (condition.kind === 'through' ? [condition.table] : []))

/** A table whose rows belong to records: `link` is the column that holds the record's id. */
interface Members {
  readonly table: string
  readonly link: string
}

export interface Filter {
  readonly accepted: string
  readonly required: boolean
  readonly scalar: Scalar<unknown>
  readonly defaultValue?: string
  /** Accepts several values, repeated or separated by commas, and matches any of them. */
  readonly multiple?: true
  /** Returns no condition where the value means "all". */
  read(value: string): Condition | undefined
}

/** The parameters of a stored filter, written as in a query. */
export const queryPairs = (query: string): [name: string, value: string][] =>
  // Cut first: the time that URLSearchParams takes grows with the square of the number of pairs.
  query.split('&').flatMap((pair) => [...new URLSearchParams(pair)])

function scalarField(resource: Resource, name: string): ScalarField {
  const field = resource.fields[name]
  if (field?.kind !== 'scalar') throw new Error(`${resource.name} has no scalar field ${name}`)
  return field
}

export function sortColumn(resource: Resource, name: string): string {
  const column = columnOf(resource, name)
  return scalarField(resource, name).keyed ? `${column}_key` : column
}

export type FilterKinds = ReturnType<typeof filterKinds>

export function filterKinds(resource: Resource) {
  return {
    /** Text with `*` and `?`; without them, the whole text must be equal, in any form that `spellings` reads. */
    wildcard(name: string, spellings?: Scalar<string>): Filter {
      const { scalar } = scalarField(resource, name)
      return textFilter(sortColumn(resource, name), scalar, spellings && valueFormat(spellings))
    },
    /** The value `missing` is that of records which have none. */
    equals(name: string, rule: { required?: boolean; missing?: unknown } = {}): Filter {
      return valueFilter(scalarField(resource, name).scalar, columnOf(resource, name), rule)
    },
    /** A field of the record's members: all such filters of a query must match the same member. */
    member(members: Members, column: string, scalar: Scalar<unknown>): Filter {
      return valueFilter(scalar, column, { members })
    },
    /** A field of a record that this one refers to. The value `none` also matches rows that refer to no record. */
    through: throughFilter,
    /** A coded field with a value that means "all of them" and a default. */
    choice(name: string, scalar: Scalar<number>, rule: { all: number; default: number }): Filter {
      const column = columnOf(resource, name)
      return {
        accepted: scalar.accepted,
        required: false,
        scalar,
        defaultValue: String(rule.default),
        read(parameter) {
          const value = scalar.read(parameter)
          return value === rule.all ? undefined : { kind: 'equals', column, value }
        },
      }
    },
    /** Matches any of the values. */
    anyOf(name: string): Filter {
      const { scalar } = scalarField(resource, name)
      const column = columnOf(resource, name)
      return {
        accepted: scalar.accepted,
        required: false,
        multiple: true,
        scalar,
        read(text) {
          const values = text.split(',').map((part) => toSql(scalar.read(part.trim())))
          return values.length === 1
            ? { kind: 'equals', column, value: values[0] ?? null }
            : { kind: 'any', column, values }
        },
      }
    },
    /** Whether a set has any members. */
    filled(name: string): Filter {
      if (resource.fields[name]?.kind !== 'set') throw new Error(`${resource.name} has no set ${name}`)
      const column = columnOf(resource, name)
      const read = (text: string): Condition =>
        bool.read(text)
          ? { kind: 'like', column, pattern: '["%', prefix: '["' }
          : { kind: 'equals', column, value: '[]' }
      return { accepted: bool.accepted, required: false, scalar: bool, read }
    },
    /** A lower or upper bound of a time, inclusive. */
    period(name: string, kind: 'from' | 'until'): Filter {
      const { scalar } = scalarField(resource, name)
      const column = columnOf(resource, name)
      const read = (text: string): Condition => {
        // Some programs send seconds as their language writes a fraction, 1467765645.0.
        const [, seconds = text, fraction] = /^(\d+)\.(\d{1,9})$/.exec(text) ?? []
        const rest = Math.floor(Number(`0.${fraction ?? 0}`) * 1000)
        // Callers send whole seconds: the whole of the last one is included.
        const more = rest === 0 && kind === 'until' ? 999 : rest
        return { kind, column, value: (scalar.read(seconds) as number) + more }
      }
      return { accepted: scalar.accepted, required: false, scalar, read }
    },
    /** A parameter that is validated and otherwise ignored. */
    checkedOnly(scalar: Scalar<unknown>): Filter {
      const read = (text: string) => void scalar.read(text)
      return { accepted: scalar.accepted, required: false, scalar, read }
    },
    /** A MAC address in any notation, or a part of one: separators do not matter. */
    macPart(name: string): Filter {
      const { scalar } = scalarField(resource, name)
      return macFilter(sortColumn(resource, name), scalar)
    },
    /** A value that callers write in several ways, also as `another` makes it, or a pattern over its stored text. */
    anySpelling(name: string, another?: (value: string) => string): Filter {
      const { scalar } = scalarField(resource, name)
      const filter = textFilter(columnOf(resource, name), scalar, valueFormat(scalar))
      return another ? alsoAs(filter, another) : filter
    },
  }
}

/** Matches a whole value as it is given, and as `another` spells it. */
function alsoAs(filter: Filter, another: (value: string) => string): Filter {
  const read = (text: string): Condition | undefined => {
    const condition = filter.read(text)
    if (condition?.kind !== 'equals' || typeof condition.value !== 'string') return condition
    const { column, value } = condition
    return { kind: 'any', column, values: [value, another(value)] }
  }
  return { ...filter, read }
}

/** The text as it is stored; text that is no such value, such as a pattern, stays as it is. */
const valueFormat = (scalar: Scalar<unknown>) => (text: string) => {
  try {
    return scalar.write(scalar.read(text))
  } catch {
    return text
  }
}

function valueFilter(
  scalar: Scalar<unknown>,
  column: string,
  rule: { required?: boolean; missing?: unknown; members?: Members },
): Filter {
  const { members, missing, required = false } = rule
  return {
    accepted: scalar.accepted,
    required,
    scalar,
    read(text) {
      const value = scalar.read(text)
      if (value === missing) return { kind: 'missing', column }
      return { kind: 'equals', column, value: toSql(value), ...(members && { members }) }
    },
  }
}

function throughFilter(
  column: string,
  related: { readonly table: string; readonly relatedColumn: string; readonly none?: unknown },
  scalar: Scalar<unknown>,
  members?: Members,
): Filter {
  const { table, relatedColumn, none } = related
  return {
    accepted: scalar.accepted,
    required: false,
    scalar,
    read(text) {
      const value = toSql(scalar.read(text))
      const orMissing = none !== undefined && value === none
      return { kind: 'through', column, value, table, relatedColumn, orMissing, ...(members && { members }) }
    },
  }
}

/**
 * The max comparisons per character of a value: that many equal characters after a `*` need them; ordinary text needs
 * ten.
 */
const maxSteps = 32
const tooRepetitive = `a text behind * that repeats itself so often takes too long to find: expected a shorter one, such as at max ${maxSteps} times the same character`

// Twice the length of a text: each of its characters may have to be escaped.
const patternText = text({ maxLength: 2000 })

function textFilter(column: string, scalar: Scalar<unknown>, normalize = (text: string) => text): Filter {
  const accepted = 'text; * stands for any run of characters, ? for one'
  return {
    accepted,
    required: false,
    scalar,
    read(value) {
      const pattern = readPattern(normalize(patternText.read(value)))
      if (pattern.literal !== undefined) return { kind: 'equals', column, value: pattern.literal }
      if (searchSteps(pattern.like) > maxSteps) throw new Fault('invalid', tooRepetitive)
      return { kind: 'like', column, pattern: pattern.like, prefix: pattern.prefix }
    },
  }
}

/** Patterns are compared with addresses as they are stored, in pairs; one that is none is compared as it is. */
function macFilter(column: string, scalar: Scalar<unknown>): Filter {
  const asText = textFilter(column, scalar, valueFormat(anyMac))
  const read = (value: string): Condition | undefined => {
    const patterns = macPatterns(patternText.read(value)) ?? []
    // A question mark may also stand for a separator.
    const all = [...new Set(value.includes('?') ? [value, ...patterns] : patterns)]
    if (all.length < 2) return asText.read(all[0] ?? value)
    const likes = all.map((pattern) => readPattern(pattern).like)
    if (likes.some((like) => searchSteps(like) > maxSteps)) throw new Fault('invalid', tooRepetitive)
    return { kind: 'likeAny', column, patterns: likes }
  }
  return { ...asText, read }
}

/**
 * The max comparisons a store makes, for each character of a value, to find the texts after the stars of a LIKE
 * pattern. It compares at every character, up to the first difference, so a value that repeats the beginning of the
 * text is expensive. Two occurrences of a prefix are at least as far shift as the smallest shift that maps the prefix
 * onto itself.
 */
export function searchSteps(like: string): number {
  const tokens: readonly string[] = like.match(/\\[\s\S]|[\s\S]/gu) ?? []
  let max = 0
  for (let at = tokens.indexOf('%'); at >= 0; ) {
    const next = tokens.indexOf('%', at + 1)
    max = Math.max(max, stepsFor(tokens.slice(at + 1, next < 0 ? undefined : next)))
    at = next
  }
  return max
}

function stepsFor(segment: readonly string[]): number {
  // Leading `_` match anything, and are skipped once.
  const start = segment.findIndex((token) => token !== '_')
  const text = start < 0 ? [] : segment.slice(start)
  const agree = (at: number, shift: number) =>
    text[at] === text[at - shift] || text[at] === '_' || text[at - shift] === '_'
  const allAgree = (last: number, shift: number) => {
    let at = shift
    while (at <= last && agree(at, shift)) at += 1
    return at > last
  }
  let steps = 0
  let shift = 1
  for (let at = 0; at < text.length; at += 1) {
    // Only the last pair at this distance is new.
    if (at >= shift && !agree(at, shift)) {
      do shift += 1
      while (!allAgree(at, shift))
    }
    steps += 1 / shift
  }
  return steps
}

/** `\*` and `\?` are literal. The SQL pattern uses `\` to escape; `prefix` is what every match begins with. */
export function readPattern(text: string): { literal?: string; like: string; prefix: string } {
  let like = ''
  let literal: string | undefined = ''
  let prefix = ''
  const folded = fold(text)
  let isRun = false
  for (let at = 0; at < folded.length; at += 1) {
    let char = folded.charAt(at)
    if (char === '*' || char === '?') {
      literal = undefined
      // Runs of * mean the same as one, and cost the matcher less.
      if (char === '?') like += '_'
      else if (!isRun) like += '%'
      isRun = char === '*'
      continue
    }
    isRun = false
    const next = folded.charAt(at + 1)
    if (char === '\\' && (next === '*' || next === '?')) {
      char = next
      at += 1
    }
    if (literal !== undefined) {
      literal += char
      prefix += char
    }
    like += char === '%' || char === '_' || char === '\\' ? `\\${char}` : char
  }
  return literal === undefined ? { like, prefix } : { literal, like, prefix }
}
