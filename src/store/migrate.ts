// Brings a store to the schema this version needs. Each migration is one transaction: it happened or it did not.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Fault } from '../fault.ts'
import type { Reader, Row, Store, Transaction } from './database.ts'
import { lastEarlierVersion, whyNotAdopted } from './earlier-store.ts'
import { isOlder, oldestBeside, tooOld } from './program-version.ts'

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
  database: Store,
  migrations = readMigrations(),
  program = '',
): Promise<string[]> {
  await database.migrate(migrationTable, { recordIfDue: async () => true })
  const rows = await database.all(appliedSql)
  if (database.kind === 'sqlite') requireKnown(rows, migrations)
  else {
    const fault = await whyUnusable(database, migrations, program)
    if (fault) throw fault
  }
  const done = new Set(rows.map((row) => Number(row.number)))
  const had = new Set(appliedOf(rows, migrations))
  const due = migrations.filter((migration) => !done.has(migration.number))
  const steps = due.map((migration) => ({
    migration,
    // Nodes of the version whose tables are adopted may go on.
    oldest: had.has(migration) ? lastEarlierVersion : oldestBeside(migration.script),
    script: had.has(migration) ? '' : migration.script,
  }))
  if (database.kind === 'postgres' && steps.length > 0) await announce(database, steps)
  for (const step of steps) await apply(database, step)
  return due.map((migration) => migration.name)
}

/** The rows of an earlier store: steps that the first migration takes at once. */
const earlierSteps = (applied: readonly Row[], [first]: readonly Migration[]) =>
  applied.filter((row) => first !== undefined && Number(row.number) < first.number)

/** The migrations whose tables a store has. */
export function appliedOf(applied: readonly Row[], migrations = readMigrations()): Migration[] {
  const done = new Set(applied.map((row) => Number(row.number)))
  const isEarlier = earlierSteps(applied, migrations).length > 0
  return migrations.filter(({ number }, index) => done.has(number) || (isEarlier && index === 0))
}

/** The migrations that were applied to a store. */
export const appliedSql = 'select number, name, digest from migration order by number'

/** A program that uses a store. */
interface Program {
  readonly version: string
  /** By the number of a migration, the oldest version that may go on beside it; without one, none that lacks it. */
  readonly besides: ReadonlyMap<number, string>
}

const alone: Program = { version: '', besides: new Map() }

/** Why this program may not use the store that the reader reads, where several nodes use it. */
export async function whyUnusable(
  reader: Reader,
  migrations: readonly Migration[],
  version: string,
): Promise<Fault | undefined> {
  // In this order: a node may commit a migration between the two, and what may go on beside it is there before it is.
  const applied = await reader.all(appliedSql)
  const named = await reader.all('select number, oldest from migration_beside')
  const besides = new Map(named.map(({ number, oldest }) => [Number(number), String(oldest)]))
  return firstUnknown(applied, migrations, { version, besides })
}

/** Refuses a store that another version has changed in a way that this one does not know. */
export function requireKnown(applied: readonly Row[], migrations = readMigrations()): void {
  const fault = firstUnknown(applied, migrations, alone)
  if (fault) throw fault
}

function firstUnknown(
  applied: readonly Row[],
  migrations: readonly Migration[],
  { version, besides }: Program,
): Fault | undefined {
  const steps = earlierSteps(applied, migrations)
  const fault = steps.length > 0 ? whyNotAdopted(steps) : undefined
  if (fault) return fault
  for (const row of applied.slice(steps.length)) {
    const known = migrations.find((migration) => migration.number === Number(row.number))
    if (!known) {
      const oldest = version === '' ? undefined : besides.get(Number(row.number))
      if (oldest !== undefined && !isOlder(version, oldest)) continue
      if (oldest !== undefined) return tooOld(version, oldest)
      return new Fault(
        'unavailable',
        `the store was written by a newer version (it has migration ${row.name}): use that version, or restore an older backup`,
      )
    }
    if (digest(known.script) !== row.digest) {
      return new Fault(
        'unavailable',
        `migration ${row.name} is not the one that was applied to the store: the program's files were changed`,
      )
    }
  }
  return undefined
}

/** A migration that is due. */
interface Step {
  readonly migration: Migration
  /** The oldest version that may go on beside it; without one, none that lacks it. */
  readonly oldest: string | undefined
  /** What is left to do: nothing where the store has it all. */
  readonly script: string
}

/**
 * Records what may go on beside the migrations that follow, in a transaction before theirs: nodes of 0.2.0 read this
 * first and the migrations after it, and would stop if one of them were committed in between.
 */
const announce = (database: Store, steps: readonly Step[]) =>
  database.migrate('', {
    recordIfDue: async (tx) => {
      for (const step of steps) await recordOldest(tx, step)
      return false
    },
  })

async function recordOldest(tx: Transaction, { migration, oldest }: Step): Promise<void> {
  if (oldest === undefined) return
  await tx.run(
    'insert into migration_beside (number, oldest) values (?, ?) on conflict (number) do update set oldest = excluded.oldest',
    [migration.number, oldest],
  )
}

async function apply(database: Store, step: Step): Promise<void> {
  const { number, name, script } = step.migration
  try {
    await database.migrate(step.script, {
      recordIfDue: async (tx) => {
        const recorded = await tx.run(
          'insert into migration (number, name, digest, applied_at) values (?, ?, ?, ?) on conflict do nothing',
          [number, name, digest(script), tx.now],
        )
        if (recorded === 1 && database.kind === 'postgres') await recordOldest(tx, step)
        // Another node may have been faster.
        return recorded === 1
      },
    })
  } catch (cause) {
    throw new Fault(
      'unavailable',
      `migration ${name} failed and was undone; the store is as it was before: ${(cause as Error).message}`,
      { cause },
    )
  }
}
