// Brings a store to the schema this version needs. Each step is one transaction: it happened or it did not.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Fault } from '../fault.ts'
import type { Database, Row } from './database.ts'
import { besideOf, isOlder } from './program.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly script: string
}

const folder = new URL('../../migrations/', import.meta.url)

export function readMigrations(from: URL = folder): Migration[] {
  const names = readdirSync(from).filter((name) => /^\d{4}-.*\.sql$/.test(name))
  return names.sort().map((name) => ({
    number: Number(name.slice(0, 4)),
    name,
    script: readFileSync(new URL(name, from), 'utf8'),
  }))
}

const digest = (script: string) => createHash('sha256').update(script).digest('hex')

/** The table of the migrations that were applied. */
export const migrationTable =
  'create table if not exists migration (number integer primary key, name text not null, digest text not null, applied_at bigint not null)'

/**
 * Returns the names of the migrations that were applied now. `program` is the version that does it; where several nodes
 * use the store, older ones may go on beside it, as the migrations say.
 */
export async function migrate(
  database: Database,
  migrations = readMigrations(),
  program = '',
): Promise<string[]> {
  await database.migrate(migrationTable, { mark: async () => true })
  const rows = await database.all(appliedSql)
  requireKnown(rows, migrations, await mayGoOn(database, program))
  const done = new Set(rows.map((row) => Number(row.number)))
  const due = migrations.filter((migration) => !done.has(migration.number))
  for (const migration of due) await apply(database, migration, program)
  return due.map((migration) => migration.name)
}

/** Whether the newer versions that have changed the store allow this one to use it. */
async function mayGoOn(database: Database, program: string): Promise<boolean> {
  if (database.kind === 'sqlite' || program === '') return false
  const [row] = await database.all('select oldest from writer')
  return row !== undefined && row.oldest !== '' && !isOlder(program, String(row.oldest))
}

/** The migrations that were applied to a store. */
export const appliedSql = 'select number, name, digest from migration order by number'

/** Refuses a store that another version has changed in a way that this one does not know. */
export function requireKnown(
  applied: readonly Row[],
  migrations = readMigrations(),
  mayBeNewer = false,
): void {
  for (const row of applied) {
    const known = migrations.find((migration) => migration.number === Number(row.number))
    if (!known) {
      if (mayBeNewer) continue
      throw new Fault(
        'unavailable',
        `the store was written by a newer version (it has migration ${row.name}): use that version, or restore an older backup`,
      )
    }
    if (digest(known.script) !== row.digest) {
      throw new Fault(
        'unavailable',
        `migration ${row.name} is not the one that was applied to the store: the program's files were changed`,
      )
    }
  }
}

async function apply(
  database: Database,
  { number, name, script }: Migration,
  program: string,
): Promise<void> {
  try {
    await database.migrate(script, {
      mark: async (tx) => {
        const marked = await tx.run(
          'insert into migration (number, name, digest, applied_at) values (?, ?, ?, ?) on conflict do nothing',
          [number, name, digest(script), tx.now],
        )
        return marked === 1
      },
      oldest: besideOf(script) ?? program,
    })
  } catch (cause) {
    throw new Fault(
      'unavailable',
      `migration ${name} failed and was undone; the store is as it was before: ${(cause as Error).message}`,
      { cause },
    )
  }
}
