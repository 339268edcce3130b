// The kinds of filter a list may have: each parses a query parameter and returns a condition on a column.

import { Fault } from '../fault.ts'
import { columnOf, type Resource, type ScalarField } from './resource.ts'
import { type SqlValue, toSql } from './row.ts'
import { fold, type Scalar, text } from './scalar.ts'

/** A condition on a column, or on a column of a table that holds members of the record. */
export type Condition = {
  readonly column: string
  readonly members?: Members
} & (
  | { readonly kind: 'equals'; readonly value: SqlValue }
  | { readonly kind: 'any'; readonly values: readonly SqlValue[] }
  | { readonly kind: 'from' | 'until'; readonly value: SqlValue }
  | { readonly kind: 'like'; readonly pattern: string; readonly prefix: string }
  | { readonly kind: 'likeAny'; readonly patterns: readonly string[] }
  | ({ readonly kind: 'through'; readonly value: SqlValue } & Related)
)

/** The column refers to a record of another table, by its id; the condition is on a column there. */
interface Related {
  readonly table: string
  readonly asked: string
  /** Whether a row without such a record matches as well. */
  readonly orNone: boolean
}

/** The tables that a condition reads beside that of the records. */
export const tablesOf = (conditions: readonly Condition[]): string[] =>
  conditions.flatMap((one) => (one.kind === 'through' ? [one.table] : []))

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
  /** Several values may be given, repeated or separated by commas: any of them matches. */
  readonly several?: true
  /** No condition where the value means everything. */
  read(value: string): Condition | undefined
}

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
    /** Text with `*` and `?`; without them, the whole text must be equal, in any spelling that `spellings` reads. */
    wildcard(name: string, spellings?: Scalar<string>): Filter {
      const { scalar } = scalarField(resource, name)
      return textFilter(sortColumn(resource, name), scalar, spellings && valueFormat(spellings))
    },
    equals(name: string, rule: { required?: boolean } = {}): Filter {
      return valueFilter(scalarField(resource, name).scalar, columnOf(resource, name), rule)
    },
    /** A field of the record's members: all such filters of a query apply to one and the same member. */
    member(members: Members, column: string, scalar: Scalar<unknown>): Filter {
      return valueFilter(scalar, column, { members })
    },
    /** A field of a record that this one refers to. `none` is the value that stands for no record as well. */
    through: throughFilter,
    /** A coded field with a value that means "all of them" and a default. */
    choice(name: string, scalar: Scalar<number>, rule: { all: number; default: number }): Filter {
      const column = columnOf(resource, name)
      return {
        accepted: scalar.accepted,
        required: false,
        scalar,
        defaultValue: String(rule.default),
        read(given) {
          const value = scalar.read(given)
          return value === rule.all ? undefined : { kind: 'equals', column, value }
        },
      }
    },
    /** Any of the values given. */
    anyOf(name: string): Filter {
      const { scalar } = scalarField(resource, name)
      const column = columnOf(resource, name)
      return {
        accepted: scalar.accepted,
        required: false,
        several: true,
        scalar,
        read(text) {
          const values = text.split(',').map((one) => toSql(scalar.read(one.trim())))
          return values.length === 1
            ? { kind: 'equals', column, value: values[0] ?? null }
            : { kind: 'any', column, values }
        },
      }
    },
    /** A bound of time, itself included. */
    period(name: string, kind: 'from' | 'until'): Filter {
      const { scalar } = scalarField(resource, name)
      const column = columnOf(resource, name)
      const read = (text: string): Condition => {
        // Some programs send seconds as their language writes a fraction, 1467765645.0.
        const [, seconds = text, fraction] = /^(\d+)\.(\d{1,9})$/.exec(text) ?? []
        const rest = Math.floor(Number(`0.${fraction ?? 0}`) * 1000)
        // Callers give seconds: the last second is included as a whole.
        const more = rest === 0 && kind === 'until' ? 999 : rest
        return { kind, column, value: (scalar.read(seconds) as number) + more }
      }
      return { accepted: scalar.accepted, required: false, scalar, read }
    },
    /** A parameter that is checked and changes nothing. */
    remark(scalar: Scalar<unknown>): Filter {
      const read = (text: string) => {
        scalar.read(text)
        return undefined
      }
      return { accepted: scalar.accepted, required: false, scalar, read }
    },
    /** A value that has one spelling here and several elsewhere (addresses, OIDs), or a pattern over its text. */
    spelled(name: string): Filter {
      const { scalar } = scalarField(resource, name)
      return textFilter(columnOf(resource, name), scalar, valueFormat(scalar))
    },
  }
}

/** The spelling that is kept; what is no such value, such as a pattern, stays as it is. */
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
  rule: { required?: boolean; members?: Members },
): Filter {
  const { members, required = false } = rule
  return {
    accepted: scalar.accepted,
    required,
    scalar,
    read: (text) => ({
      kind: 'equals',
      column,
      value: toSql(scalar.read(text)),
      ...(members && { members }),
    }),
  }
}

function throughFilter(
  column: string,
  related: { readonly table: string; readonly asked: string; readonly none?: unknown },
  scalar: Scalar<unknown>,
  members?: Members,
): Filter {
  const { table, asked, none } = related
  return {
    accepted: scalar.accepted,
    required: false,
    scalar,
    read(text) {
      const value = toSql(scalar.read(text))
      const orNone = none !== undefined && value === none
      return { kind: 'through', column, value, table, asked, orNone, ...(members && { members }) }
    },
  }
}

/** Steps for each character of a value. So many equal characters behind a `*` take them; plain text of any length takes ten. */
const stepLimit = 32
const tooRepetitive = `a text behind * that repeats itself so often takes too long to find: expected a shorter one, such as at most ${stepLimit} times the same character`

// Twice the length of a text: each of its characters may have to be escaped.
const patternText = text({ maxLength: 2000 })

function textFilter(column: string, scalar: Scalar<unknown>, spell = (text: string) => text): Filter {
  const accepted = 'text; * stands for any run of characters, ? for one'
  return {
    accepted,
    required: false,
    scalar,
    read(value) {
      const pattern = readPattern(spell(patternText.read(value)))
      if (pattern.literal !== undefined) return { kind: 'equals', column, value: pattern.literal }
      if (searchSteps(pattern.like) > stepLimit) throw new Fault('invalid', tooRepetitive)
      return { kind: 'like', column, pattern: pattern.like, prefix: pattern.prefix }
    },
  }
}

/**
 * How many steps a store takes at most, for each character of a value, to find the texts behind the stars of a LIKE
 * pattern. It compares at every character, up to the first difference: a value costs much where it holds the beginning of
 * the text again and again. Two places at which the first characters of the text stand are as far apart as it takes until
 * they agree with themselves.
 */
export function searchSteps(like: string): number {
  const tokens: readonly string[] = like.match(/\\[\s\S]|[\s\S]/gu) ?? []
  let most = 0
  for (let at = tokens.indexOf('%'); at >= 0; ) {
    const next = tokens.indexOf('%', at + 1)
    most = Math.max(most, stepsFor(tokens.slice(at + 1, next < 0 ? undefined : next)))
    at = next
  }
  return most
}

function stepsFor(segment: readonly string[]): number {
  // Any characters that come first are passed over once.
  const start = segment.findIndex((token) => token !== '_')
  const text = start < 0 ? [] : segment.slice(start)
  const agree = (at: number, apart: number) =>
    text[at] === text[at - apart] || text[at] === '_' || text[at - apart] === '_'
  const allAgree = (last: number, apart: number) => {
    let at = apart
    while (at <= last && agree(at, apart)) at += 1
    return at > last
  }
  let steps = 0
  let apart = 1
  for (let at = 0; at < text.length; at += 1) {
    // Of the pairs at this distance, only the last is new.
    if (at >= apart && !agree(at, apart)) {
      do apart += 1
      while (!allAgree(at, apart))
    }
    steps += 1 / apart
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
