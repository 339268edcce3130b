// Conditions and orders as SQL, with values always as parameters.

import type { ListQuery } from '../schema/list.ts'
import type { Condition } from '../schema/list-filter.ts'
import type { Reader, Row, SqlValue } from './database.ts'

export interface Clause {
  readonly sql: string
  readonly parameters: SqlValue[]
}

/** Where a row stands in an order: its value in the column of the order, and its id. */
export interface Place {
  readonly value: SqlValue
  readonly id: SqlValue
}

/** Ties are broken by id in the order's own direction, so that pages never overlap. */
export function after({ column, descending }: ListQuery['order'], { value, id }: Place): Clause {
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

/** All conditions on one table of members apply to the same member. */
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
  const end = justAfter(condition.prefix)
  if (end === undefined) return like
  // The range is what an index can use; stores do not derive it from the pattern.
  return {
    sql: `${column} >= ? and ${column} < ? and ${like.sql}`,
    parameters: [condition.prefix, end, ...like.parameters],
  }
}

const firstSurrogate = 0xd800

/** The least text greater than everything that begins with the prefix. */
function justAfter(prefix: string): string | undefined {
  const unit = prefix.charCodeAt(prefix.length - 1)
  if (unit < firstSurrogate - 1) return prefix.slice(0, -1) + String.fromCharCode(unit + 1)
  const points = [...prefix]
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const code = last.codePointAt(0) ?? 0
    // Surrogates are no characters: the next one after U+D7FF is U+E000.
    if (code < 0x10ffff) return points.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1)
  }
  return undefined
}

/** A pattern that begins with a wildcard is compared with every value there is. */
export const isScan = (condition: Condition) =>
  condition.kind === 'likeAny' || (condition.kind === 'like' && condition.prefix === '')

const valuesAtOnce = 500

/** The rows that a query finds with any of the values, some at a time: a statement takes only so many. */
export async function allAmong(
  reader: Pick<Reader, 'all'>,
  values: readonly SqlValue[],
  sql: (marks: string) => string,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let start = 0; start < values.length; start += valuesAtOnce) {
    const some = values.slice(start, start + valuesAtOnce)
    for (const row of await reader.all(sql(some.map(() => '?').join(', ')), some)) rows.push(row)
  }
  return rows
}
