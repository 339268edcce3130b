// Translates conditions and orders to SQL; values are always parameters.

import type { ListQuery } from '../schema/list.ts'
import type { Condition } from '../schema/list-filter.ts'
import type { Reader, Row, SqlValue } from './database.ts'

export interface Clause {
  readonly sql: string
  readonly parameters: SqlValue[]
}

/** The position of a row in an order: its value in the order's column, and its id. */
export interface PagePosition {
  readonly value: SqlValue
  readonly id: SqlValue
}

/** Rows after a position. Ties are broken by id in the same direction, so that pages never overlap. */
export function afterPosition(
  { column, descending }: ListQuery['order'],
  { value, id }: PagePosition,
): Clause {
  const compare = descending ? '<' : '>'
  if (column === 'id') return { sql: `id ${compare} ?`, parameters: [id] }
  return { sql: `(${column}, id) ${compare} (?, ?)`, parameters: [value, id] }
}

export function whereClause(conditions: readonly Condition[], more?: Clause): Clause {
  const clauses = conditions.filter((condition) => !condition.members).map(conditionClause)
  if (clauses.length < conditions.length) clauses.push(...memberClauses(conditions))
  if (more) clauses.push(more)
  const all = allOf(clauses)
  return all.sql === '' ? all : { ...all, sql: ` where ${all.sql}` }
}

function allOf(clauses: readonly Clause[]): Clause {
  let sql = ''
  const parameters: SqlValue[] = []
  for (const clause of clauses) {
    sql += sql === '' ? clause.sql : ` and ${clause.sql}`
    parameters.push(...clause.parameters)
  }
  return { sql, parameters }
}

/** All conditions on one table of members must match the same member. */
function memberClauses(conditions: readonly Condition[]): Clause[] {
  const byTable = Map.groupBy(
    conditions.filter((condition) => condition.members),
    (condition) => condition.members?.table,
  )
  return [...byTable.values()].map((group) => {
    const members = group[0]?.members
    const { sql, parameters } = allOf(group.map(conditionClause))
    return { sql: `id in (select ${members?.link} from ${members?.table} where ${sql})`, parameters }
  })
}

const likeSql = (column: string) => `${column} like ? escape '\\'`

function conditionClause(condition: Condition): Clause {
  const { column } = condition
  if (condition.kind === 'equals') return { sql: `${column} = ?`, parameters: [condition.value] }
  if (condition.kind === 'missing') return { sql: `${column} is null`, parameters: [] }
  if (condition.kind === 'any') {
    return {
      sql: `${column} in (${condition.values.map(() => '?').join(', ')})`,
      parameters: [...condition.values],
    }
  }
  if (condition.kind === 'through') {
    const { table, relatedColumn, orMissing, value } = condition
    const sql = orMissing
      ? `${column} not in (select id from ${table} where ${relatedColumn} <> ?)`
      : `${column} in (select id from ${table} where ${relatedColumn} = ?)`
    return { sql, parameters: [value] }
  }
  if (condition.kind === 'likeAny') {
    const either = condition.patterns.map(() => likeSql(column)).join(' or ')
    return { sql: `(${either})`, parameters: [...condition.patterns] }
  }
  if (condition.kind !== 'like') {
    return { sql: `${column} ${condition.kind === 'from' ? '>=' : '<='} ?`, parameters: [condition.value] }
  }
  const like = { sql: likeSql(column), parameters: [condition.pattern] as SqlValue[] }
  const end = endOfPrefix(condition.prefix)
  if (end === undefined) return like
  // An index can use the range; stores do not derive it from the pattern.
  return {
    sql: `${column} >= ? and ${column} < ? and ${like.sql}`,
    parameters: [condition.prefix, end, ...like.parameters],
  }
}

const firstSurrogate = 0xd800

/** The smallest text greater than all that begin with the prefix. */
function endOfPrefix(prefix: string): string | undefined {
  const unit = prefix.charCodeAt(prefix.length - 1)
  if (unit < firstSurrogate - 1) return prefix.slice(0, -1) + String.fromCharCode(unit + 1)
  const points = [...prefix]
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const code = last.codePointAt(0) ?? 0
    // Surrogates are not characters: U+E000 follows U+D7FF.
    if (code < 0x10ffff) return points.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1)
  }
  return undefined
}

/** A pattern that begins with a wildcard is compared with every value. */
export const isScan = (condition: Condition) =>
  condition.kind === 'likeAny' || (condition.kind === 'like' && condition.prefix === '')

const batchSize = 500

/** Runs a query with `in (…)` in batches, because the number of parameters of a statement is limited. */
export async function allWithValues(
  reader: Pick<Reader, 'all'>,
  values: readonly SqlValue[],
  sql: (marks: string) => string,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let start = 0; start < values.length; start += batchSize) {
    const batch = values.slice(start, start + batchSize)
    for (const row of await reader.all(sql(batch.map(() => '?').join(', ')), batch)) rows.push(row)
  }
  return rows
}
