// Descriptions of lists, and the parser that turns a query string into a validated query of such a list.

import { Fault, shown } from '../fault.ts'
import { type Condition, type Filter, type FilterKinds, filterKinds, sortColumn } from './list-filter.ts'
import { columnOf, type Resource } from './resource.ts'
import type { SqlValue } from './row.ts'
import { bool, int, type Scalar } from './scalar.ts'

export interface Order {
  readonly column: string
  readonly descending: boolean
}

export interface PageQuery {
  readonly start: number
  readonly size: number
  readonly totalOnly: boolean
}

export interface ListQuery extends PageQuery {
  readonly conditions: readonly Condition[]
  readonly order: Order
}

export interface SizeRule {
  readonly default: number
  /** What a negative size means: the default, or that number. */
  readonly negative: 'default' | number
  readonly max?: number
}

/** For short lists, which callers expect to receive whole. */
export const wholeList: SizeRule = { default: 2 ** 31 - 1, negative: 'default' }

export interface List {
  readonly path: string
  readonly resource: Resource
  /** Conditions that apply to every query of this list. */
  readonly always: readonly Condition[]
  readonly filters: Readonly<Record<string, Filter>>
  /** The first is the default. */
  readonly orders: Readonly<Record<string, string>>
  /** Whether the caller may choose the order. */
  readonly sortable: boolean
  /** Whether `desc` also applies when no order is named. */
  readonly descendingWithoutOrder: boolean
  readonly size: SizeRule
  /** Not every filter has an index, because rows must be inserted fast: a filtered query counts as a long read. */
  readonly unindexed: boolean
  /** Filters by these columns are counted as rows are added and removed, so that `Total` costs the same at any size. */
  readonly counted: readonly string[]
}

interface ListOptions {
  /** Field → the value that every record of the list has. */
  readonly where?: Readonly<Record<string, SqlValue>>
  readonly filters?: (of: FilterKinds) => Readonly<Record<string, Filter>>
  /** Name of the order → field. Absent: by id, and no choice. */
  readonly orderBy?: Readonly<Record<string, string>>
  readonly descendingWithoutOrder?: boolean
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
    descendingWithoutOrder: options.descendingWithoutOrder ?? false,
    unindexed: options.unindexed ?? false,
    size: options.size ?? { default: 10, negative: 'default' },
    counted: (options.counted ?? []).map((field) => columnOf(resource, field)),
  }
}

/** The parameters of a query string; a name may be repeated. */
export type Parameters = ReadonlyMap<string, readonly string[]>

export function oneValue(parameters: Parameters, name: string): string | undefined {
  const value = oneText(parameters, name)?.trim()
  return value === '' ? undefined : value
}

/** The same where white space belongs to the value. */
export function oneText(parameters: Parameters, name: string): string | undefined {
  const values = parameters.get(name)
  if (values === undefined) return undefined
  if (values.length > 1) {
    throw new Fault('invalid', `${name} is given ${values.length} times: expected once`, { field: name })
  }
  return values[0] === '' ? undefined : values[0]
}

/** Repeated values are joined by commas, as a caller could have written them. */
function filterValue(parameters: Parameters, name: string, filter: Filter): string | undefined {
  if (!filter.multiple) return oneValue(parameters, name)
  const joined = parameters
    .get(name)
    ?.filter((value) => value.trim() !== '')
    .join(',')
  return joined === '' ? undefined : joined
}

export function oneScalar<T>(parameters: Parameters, name: string, scalar: Scalar<T>): T | undefined {
  const value = oneValue(parameters, name)
  if (value === undefined) return undefined
  return withParameterName(name, () => scalar.read(value))
}

function withParameterName<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Fault
      ? new Fault(error.code, `${name}: ${error.message}`, { field: name, cause: error })
      : error
  }
}

const anyInt = int()

/** The conditions of a list's filters. */
export function readConditions(list: List, parameters: Parameters): Condition[] {
  const conditions: Condition[] = [...list.always]
  for (const [name, filter] of Object.entries(list.filters)) {
    const value = filterValue(parameters, name, filter) ?? filter.defaultValue
    if (value !== undefined) {
      const condition = withParameterName(name, () => filter.read(value))
      if (condition) conditions.push(condition)
    } else if (filter.required) {
      throw new Fault('invalid', `${name} is required: expected ${filter.accepted}`, { field: name })
    }
  }
  return conditions
}

/** The same for operations to which an unknown filter, or none at all, would be harmful. */
export function requireConditions(list: List, parameters: Parameters): Condition[] {
  const accepted = Object.keys(list.filters).join(', ')
  for (const name of parameters.keys()) {
    if (Object.hasOwn(list.filters, name)) continue
    throw new Fault('invalid', `${shown(name)} is no filter: expected one of ${accepted}`, { field: name })
  }
  const conditions = readConditions(list, parameters)
  if (conditions.length > 0) return conditions
  throw new Fault('invalid', `say which: expected at least one of ${accepted}`)
}

export function readListQuery(list: List, parameters: Parameters): ListQuery {
  const conditions = readConditions(list, parameters)
  const order = readOrder(list, parameters)
  return { conditions, order, ...readPage(list.size, parameters) }
}

export function readPage(rule: SizeRule, parameters: Parameters): PageQuery {
  const totalOnly = oneScalar(parameters, 'total', bool) ?? false
  if (totalOnly) return { start: 0, size: 0, totalOnly }
  const start = Math.max(0, readInteger('start', parameters) ?? 0)
  return { start, size: readSize(rule, parameters), totalOnly }
}

function readOrder(list: List, parameters: Parameters): Order {
  const [defaultOrder = 'id'] = Object.values(list.orders)
  if (!list.sortable) return { column: defaultOrder, descending: false }
  const descending = oneScalar(parameters, 'desc', bool) ?? false
  const name = oneValue(parameters, 'orderBy')
  // "desc" takes effect only when an order is named, unless the list says otherwise.
  if (name === undefined)
    return { column: defaultOrder, descending: descending && list.descendingWithoutOrder }
  const column = Object.hasOwn(list.orders, name) ? list.orders[name] : undefined
  if (column === undefined) {
    const accepted = Object.keys(list.orders).join(', ')
    throw new Fault('invalid', `orderBy: ${shown(name)} is not accepted: expected one of ${accepted}`, {
      field: 'orderBy',
    })
  }
  return { column, descending }
}

/** Negative numbers of any size are equivalent; with `clamp`, so are numbers above the maximum. */
function readInteger(name: string, parameters: Parameters, clamp = false): number | undefined {
  const text = oneValue(parameters, name)
  if (text === undefined) return undefined
  if (/^-\d+$/.test(text) || (clamp && /^\+?\d+$/.test(text))) return Number(text) + 0
  return withParameterName(name, () => anyInt.read(text))
}

function readSize(rule: SizeRule, parameters: Parameters): number {
  const value = readInteger('size', parameters, rule.max !== undefined)
  if (value === undefined) return rule.default
  if (value < 0) return rule.negative === 'default' ? rule.default : rule.negative
  return Math.min(value, rule.max ?? value)
}
