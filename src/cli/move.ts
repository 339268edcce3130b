import { readStore } from '../config/forms.ts'
import type { Config } from '../config.ts'
import { Fault } from '../fault.ts'
import type { Database } from '../store/database.ts'
import { DataFolder } from '../store/folder.ts'
import { migrate } from '../store/migrate.ts'
import { moveStore } from '../store/moving.ts'
import { openPostgres } from '../store/postgres.ts'
import { requireUnused } from '../store/postgres-sessions.ts'
import { openSqlite } from '../store/sqlite.ts'
import { startUnwitnessed } from '../upkeep/loss.ts'
import type { Command, Option } from './command.ts'
import { ProgressBar } from './progress.ts'

const options: Record<string, Option> = {
  from: {
    form: 'FOLDER|ADDRESS',
    help: 'The store to carry over: a data folder, or postgres://user@host/database.',
  },
  to: {
    form: 'FOLDER|ADDRESS',
    help: 'Where to: a data folder without a store, or an empty database in PostgreSQL.',
  },
}

const text = `Carries a whole store to another place: from a data folder to PostgreSQL, or back. No service may run on either.
The source is brought up to date first, as a start would do, and is otherwise only read. Every table is read again from
the target and compared by its number of rows and a digest of its values. When it is done, start the service with the
new store; clients go on where they were. Keep the old store as it is until you are content, and never start it again
beside the new one: both would give the same numbers to different alarms.

  belfry move --from ./data --to postgres://belfry@db.example.net/belfry
  belfry move --from postgres://belfry@db.example.net/belfry --to ./data

Exit codes: 0 everything is there, 1 it is not, 2 wrongly asked for.`

export const move: Command = {
  name: 'move',
  summary: 'carries a store from a data folder to PostgreSQL, or back',
  usage: 'belfry move --from FOLDER|ADDRESS --to FOLDER|ADDRESS [settings]',
  text,
  options,
  listed: ['store-password-file'],
  async run({ options: { from, to }, config }) {
    if (from === undefined || to === undefined || from === to)
      throw new Fault('invalid', 'say --from and --to, and not the same twice. Try belfry move --help')
    const ends: (() => Promise<void> | void)[] = []
    const bar = new ProgressBar('move')
    try {
      const source = await openAt(from, config, ends, { isThere: true })
      const target = await openAt(to, config, ends, { isThere: false })
      const moved = await moveStore(source, target, (done, whole, table) => bar.show(done, whole, table))
      await startUnwitnessed(target)
      bar.clear()
      for (const { table, rows } of moved.filter((one) => one.rows > 0))
        console.log(`${table.padEnd(28)} ${String(rows).padStart(12)} rows, the same`)
      console.log(`${to} has everything that ${from} has`)
      return 0
    } finally {
      bar.clear()
      for (const end of ends.reverse()) await end()
    }
  },
}

async function openAt(
  place: string,
  config: Config,
  ends: (() => Promise<void> | void)[],
  { isThere }: { isThere: boolean },
): Promise<Database> {
  const database = place.includes('://') ? atAddress(place, config) : await inFolder(place, ends, isThere)
  ends.push(() => database.close())
  if (database.kind === 'postgres') await requireUnused(database)
  await migrate(database)
  return database
}

function atAddress(place: string, config: Config): Database {
  try {
    return openPostgres(readStore(place), { passwordFile: config['store-password-file'] })
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('invalid', (error as Error).message, { cause: error })
  }
}

async function inFolder(
  place: string,
  ends: (() => Promise<void> | void)[],
  isThere: boolean,
): Promise<Database> {
  const folder = await DataFolder.open(place)
  ends.push(() => folder.release())
  if (folder.hasStore === isThere) return openSqlite(folder.storeFile)
  throw new Fault(
    isThere ? 'invalid' : 'conflict',
    isThere ? `there is no store in ${place}` : `${place} has a store: name another folder`,
  )
}
