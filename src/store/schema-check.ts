// Checks that a store has exactly the schema of its migrations: an added trigger, for example, could create an operator
// with every change.

import { Fault } from '../fault.ts'
import { appliedOf, appliedSql, migrationTable } from './migrate.ts'
import { Connection, forSqlite } from './sqlite/sqlite-connection.ts'

/** Objects that SQLite adds. */
const ownNames = /^(index sqlite_autoindex_\w+|table sqlite_stat[14])$/

/** Type and name → the statement that made it, as its tokens. */
type Schema = ReadonlyMap<string, string>

/** Comments and white space do not count: a column that was added later stands in the statement as if it had been there. */
function tokensOf(sql: string): string {
  const tokens = sql.match(/'[^']*'|--[^\n]*|\w+|\S/g) ?? []
  return tokens.filter((token) => !token.startsWith('--')).join(' ')
}

function schemaOf(connection: Connection): Schema {
  const rows = connection.all('select type, name, sql from sqlite_master')
  const entries = rows.map((row): [string, string] => [
    `${row.type} ${row.name}`,
    tokensOf(String(row.sql ?? '')),
  ])
  return new Map(entries.filter(([name]) => !ownNames.test(name)))
}

/** The schema that results from the store's migrations. */
function expectedSchema(connection: Connection): Schema {
  const model = new Connection(':memory:', 'memory')
  try {
    model.exec(migrationTable)
    for (const { script } of appliedOf(connection.all(appliedSql))) model.exec(forSqlite(script))
    return schemaOf(model)
  } finally {
    model.close()
  }
}

export function requireSchema(connection: Connection): void {
  const [found, expected] = [schemaOf(connection), expectedSchema(connection)]
  for (const [name, sql] of found) {
    if (!expected.has(name)) throw new Fault('invalid', `it has a ${name}, which no store of Belfry has`)
    if (expected.get(name) !== sql)
      throw new Fault('invalid', `its ${name} is not as its migrations made it: somebody has changed it`)
  }
  const missing = [...expected.keys()].find((name) => !found.has(name))
  if (missing !== undefined) throw new Fault('invalid', `it lacks the ${missing}`)
}
