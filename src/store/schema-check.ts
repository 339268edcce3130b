// A store contains what its migrations made, and nothing else: a trigger that somebody added would run with every
// change, and could create an operator, for example.

import { Fault } from '../fault.ts'
import { migrationTable, readMigrations } from './migrate.ts'
import { Connection, forSqlite } from './sqlite/sqlite-connection.ts'

/** What SQLite itself adds. */
const ownNames = /^(index sqlite_autoindex_\w+|table sqlite_stat[14])$/

/** Type and name → the statement that made it. */
type Schema = ReadonlyMap<string, string>

function schemaOf(connection: Connection): Schema {
  const rows = connection.all('select type, name, sql from sqlite_master')
  const entries = rows.map((row): [string, string] => [
    `${row.type} ${row.name}`,
    String(row.sql ?? '').replace(/\s+/g, ' '),
  ])
  return new Map(entries.filter(([name]) => !ownNames.test(name)))
}

/** As the store's migrations make it, in the order in which they were applied. */
function expectedSchema(connection: Connection): Schema {
  const applied = connection.all('select number from migration order by applied_at, number')
  const scripts = new Map(readMigrations().map(({ number, script }) => [number, script]))
  const model = new Connection(':memory:', 'memory')
  try {
    model.exec(migrationTable)
    for (const { number } of applied) model.exec(forSqlite(scripts.get(Number(number)) ?? ''))
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
