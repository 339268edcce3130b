// How a list is described, and how a query string becomes a checked query by the list's own rules.

import { Fault, shown } from '../fault.ts'
import { columnOf, type Resource, type ScalarField } from './resource.ts'
import type { SqlValue } from './row.ts'
import { bool, fold, int, type Scalar, text } from './scalar.ts'

/** A condition on a column, or on a column of a table that holds members of the record. */
export type Condition = {
  readonly column: string
  readonly members?: Members
} & (
  | { readonly kind: 'equals'; readonly value: SqlValue }
  | { readonly kind: 'any'; readonly values: readonly SqlValue[] }
  | { readonly kind: 'from' | 'until'; readonly value: SqlValue }
  | { readonly kind: 'like'; readonly pattern: string; readonly prefix: string }
)

/** A table whose rows belong to records: `link` is the column that holds the record's id. */
export interface Members {
  readonly table: string
  readonly link: string
}

export interface Order {
  readonly column: string
  readonly descending: boolean
}

export interface ListQuery {
  readonly conditions: readonly Condition[]
  readonly order: Order
  readonly start: number
  readonly size: number
  readonly totalOnly: boolean
}

export interface Filter {
  readonly accepted: string
  readonly required: boolean
  readonly scalar: Scalar<unknown>
  readonly defaultValue?: string
  /** Several values may be given, repeated or separated by commas: any of them will do. */
  readonly several?: true
  /** No condition where the value asks for everything. */
  read(value: string): Condition | undefined
}

export interface SizeRule {
  readonly default: number
  /** What a negative size means: the default, or that number. */
  readonly negative: 'default' | number
  readonly max?: number
}

export interface List {
  readonly path: string
  readonly resource: Resource
  /** Conditions that every query of this list carries. */
  readonly always: readonly Condition[]
  readonly filters: Readonly<Record<string, Filter>>
  /** The first is the default. */
  readonly orders: Readonly<Record<string, string>>
  /** Whether the caller may choose the order. */
  readonly sortable: boolean
  /** Whether the default order, too, can be turned around. */
  readonly descendingAlone: boolean
  readonly size: SizeRule
  /** Not every filter has an index, since rows must come in fast: what a filter leaves is searched for apart. */
  readonly unindexed: boolean
  /** Filters by these columns are counted as rows come and go, so that `Total` costs the same at any size. */
  readonly counted: readonly string[]
}

interface ListOptions {
  /** Field → the value that every record of the list has. */
  readonly where?: Readonly<Record<string, SqlValue>>
  readonly filters?: (of: FilterKinds) => Readonly<Record<string, Filter>>
  /** Name of the order → field. Absent: by id, and no choice. */
  readonly orderBy?: Readonly<Record<string, string>>
  readonly descendingAlone?: boolean
  readonly unindexed?: boolean
  readonly size?: SizeRule
  readonly counted?: readonly string[]
}

export function list(path: string, resource: Resource, options: ListOptions = {}): List {
  const orderBy = options.orderBy ?? { id: resource.key }
  const orders = Object.entries(orderBy).map(([name, field]) => [name, sortColumn(resource, field)])
  return {
    path,
    resource,
    always: Object.entries(options.where ?? {}).map(([name, value]) => ({
      kind: 'equals',
      column: columnOf(resource, name),
      value,
    })),
    filters: options.filters?.(filterKinds(resource)) ?? {},
    orders: Object.fromEntries(orders),
    sortable: options.orderBy !== undefined,
    descendingAlone: options.descendingAlone ?? false,
    unindexed: options.unindexed ?? false,
    size: options.size ?? { default: 10, negative: 'default' },
    counted: (options.counted ?? []).map((field) => columnOf(resource, field)),
  }
}

function scalarField(resource: Resource, name: string): ScalarField {
  const field = resource.fields[name]
  if (field?.kind !== 'scalar') throw new Error(`${resource.name} has no scalar field ${name}`)
  return field
}

function sortColumn(resource: Resource, name: string): string {
  const column = columnOf(resource, name)
  return scalarField(resource, name).keyed ? `${column}_key` : column
}

export type FilterKinds = ReturnType<typeof filterKinds>

function filterKinds(resource: Resource) {
  return {
    /** Text with `*` and `?`; whole and equal without them. */
    wildcard(name: string): Filter {
      return textFilter(sortColumn(resource, name), scalarField(resource, name).scalar)
    },
    equals(name: string, rule: { required?: boolean } = {}): Filter {
      return valueFilter(scalarField(resource, name).scalar, columnOf(resource, name), rule)
    },
    /** A field of the record's members: all such filters of a query speak of one and the same member. */
    member(members: Members, column: string, scalar: Scalar<unknown>): Filter {
      return valueFilter(scalar, column, { members })
    },
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
          const values = text.split(',').map((one) => scalar.read(one.trim()) as SqlValue)
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
      // Callers speak in seconds: the last second counts whole.
      const rest = kind === 'until' ? 999 : 0
      const read = (text: string): Condition => ({
        kind,
        column,
        value: (scalar.read(text) as number) + rest,
      })
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
      return textFilter(columnOf(resource, name), scalar, (text) => {
        try {
          return scalar.write(scalar.read(text))
        } catch {
          return text
        }
      })
    },
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
      value: scalar.read(text) as SqlValue,
      ...(members && { members }),
    }),
  }
}

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
      return { kind: 'like', column, pattern: pattern.like, prefix: pattern.prefix }
    },
  }
}

/** `\*` and `\?` are literal. The SQL pattern uses `\` to escape; `prefix` is what every match begins with. */
export function readPattern(text: string): { literal?: string; like: string; prefix: string } {
  let like = ''
  let literal: string | undefined = ''
  let prefix = ''
  for (const [token] of fold(text).matchAll(/\\[*?]|[\s\S]/g)) {
    if (token === '*' || token === '?') {
      literal = undefined
      // Runs of * mean the same as one, and cost the matcher less.
      if (token === '?') like += '_'
      else if (!like.endsWith('%') || like.endsWith('\\%')) like += '%'
      continue
    }
    const char = token.length === 2 ? token.charAt(1) : token
    if (literal !== undefined) {
      literal += char
      prefix += char
    }
    like += char === '%' || char === '_' || char === '\\' ? `\\${char}` : char
  }
  return literal === undefined ? { like, prefix } : { literal, like, prefix }
}

/** The parameters of a query string; a name may be repeated. */
export type Parameters = ReadonlyMap<string, readonly string[]>

export function oneValue(parameters: Parameters, name: string): string | undefined {
  const values = parameters.get(name)
  if (values === undefined) return undefined
  if (values.length > 1) {
    throw new Fault('invalid', `${name} is given ${values.length} times: expected once`, { field: name })
  }
  const value = values[0]?.trim()
  return value === '' ? undefined : value
}

/** Several values become one text, separated as a caller would separate them. */
function filterValue(parameters: Parameters, name: string, filter: Filter): string | undefined {
  if (!filter.several) return oneValue(parameters, name)
  const joined = parameters
    .get(name)
    ?.filter((value) => value.trim() !== '')
    .join(',')
  return joined === '' ? undefined : joined
}

export function oneScalar<T>(parameters: Parameters, name: string, scalar: Scalar<T>): T | undefined {
  const value = oneValue(parameters, name)
  if (value === undefined) return undefined
  return naming(name, () => scalar.read(value))
}

function naming<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Fault
      ? new Fault(error.code, `${name}: ${error.message}`, { field: name, cause: error })
      : error
  }
}

const anyInt = int()

export function readListQuery(list: List, parameters: Parameters): ListQuery {
  const conditions: Condition[] = [...list.always]
  for (const [name, filter] of Object.entries(list.filters)) {
    const value = filterValue(parameters, name, filter) ?? filter.defaultValue
    if (value !== undefined) {
      const condition = naming(name, () => filter.read(value))
      if (condition) conditions.push(condition)
    } else if (filter.required) {
      throw new Fault('invalid', `${name} is required: expected ${filter.accepted}`, { field: name })
    }
  }
  const order = readOrder(list, parameters)
  const totalOnly = oneScalar(parameters, 'total', bool) ?? false
  if (totalOnly) return { conditions, order, start: 0, size: 0, totalOnly }
  const start = Math.max(0, oneScalar(parameters, 'start', anyInt) ?? 0)
  return { conditions, order, start, size: readSize(list.size, parameters), totalOnly }
}

function readOrder(list: List, parameters: Parameters): Order {
  const [defaultOrder = 'id'] = Object.values(list.orders)
  if (!list.sortable) return { column: defaultOrder, descending: false }
  const descending = oneScalar(parameters, 'desc', bool) ?? false
  const name = oneValue(parameters, 'orderBy')
  // "desc" is valid only when an order is named, unless the list says otherwise.
  if (name === undefined) return { column: defaultOrder, descending: descending && list.descendingAlone }
  const column = Object.hasOwn(list.orders, name) ? list.orders[name] : undefined
  if (column === undefined) {
    const accepted = Object.keys(list.orders).join(', ')
    throw new Fault('invalid', `orderBy: ${shown(name)} is not accepted: expected one of ${accepted}`, {
      field: 'orderBy',
    })
  }
  return { column, descending }
}

function readSize(rule: SizeRule, parameters: Parameters): number {
  const text = oneValue(parameters, 'size')
  if (text === undefined) return rule.default
  // Where sizes are cut to a maximum, a number too large for 32 bits is cut like any other.
  const cut = rule.max !== undefined && /^[+-]?\d+$/.test(text)
  const value = cut ? Number(text) : naming('size', () => anyInt.read(text))
  if (value < 0) return rule.negative === 'default' ? rule.default : rule.negative
  return Math.min(value, rule.max ?? value)
}
