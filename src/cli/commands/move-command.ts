// belfry move: copies everything from one store to another.

import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { readStore } from '../../config/forms.ts'
import { version } from '../../config/version.ts'
import { Fault } from '../../fault.ts'
import { DataFolder, syncFolder, withWorkFolder } from '../../store/data-folder.ts'
import type { Store } from '../../store/database.ts'
import { migrate } from '../../store/migrate.ts'
import { moveStore } from '../../store/move-store.ts'
import { openPostgres, requireNoService } from '../../store/postgres/open-postgres.ts'
import { openSqlite } from '../../store/sqlite/sqlite.ts'
import { forgetStoreLocation, saveStoreLocation } from '../../store/store-location.ts'
import { startWithoutMark } from '../../upkeep/checks/store-loss.ts'
import { type Command, type Option, ProgressBar } from '../command.ts'

const options: Record<string, Option> = {
  from: {
    form: 'FOLDER|ADDRESS',
    help: 'The store to copy: a data folder, or postgres://user@host/database.',
  },
  to: {
    form: 'FOLDER|ADDRESS',
    help: 'Where to: a data folder without a store, or an empty database in PostgreSQL.',
  },
}

const text = `Copies a whole store from a data folder to PostgreSQL, or back. No service may run on either. The source is
upgraded first, as a start would do, and is otherwise only read. Every table is read back from the target and compared
by its number of rows and a digest of its values. Everything is copied or nothing: after an interruption, run the same
command again. When it is done, start the service with the new store; clients go on where they were. Keep the old store
as it is until you are satisfied, and never start it again beside the new one: both would assign the same numbers to
different alarms.

  belfry move --from ./data --to postgres://belfry@db.example.net/belfry
  belfry move --from postgres://belfry@db.example.net/belfry --to ./data

Exit codes: 0 everything was copied, 1 failed, 2 wrong arguments.`

export const move: Command = {
  name: 'move',
  summary: 'moves a store from a data folder to PostgreSQL, or back',
  usage: 'belfry move --from FOLDER|ADDRESS --to FOLDER|ADDRESS [settings]',
  text,
  options,
  listed: ['store-password-file'],
  async run({ options: { from, to }, config }) {
    if (from === undefined || to === undefined || from === to)
      throw new Fault('invalid', 'say --from and --to, and not the same twice. Try belfry move --help')
    const bar = new ProgressBar('move')
    try {
      const moved = await atSource(from, config, (source) =>
        atTarget(to, config, async (target) => {
          const done = await moveStore(source, target, (rows, whole, table) => bar.show(rows, whole, table))
          await startWithoutMark(target)
          return done
        }),
      )
      // The folder is the owner's by now, also where root gave the command.
      if (!isAddress(from) && isAddress(to)) saveStoreLocation(from, { ...config, store: to })
      if (!isAddress(to)) forgetStoreLocation(to)
      bar.clear()
      for (const { table, rows } of moved.filter((one) => one.rows > 0))
        console.log(`${table.padEnd(28)} ${String(rows).padStart(12)} rows, the same`)
      console.log(`${to} has everything that ${from} has`)
      return 0
    } finally {
      bar.clear()
    }
  },
}

type Work<T> = (database: Store) => Promise<T>

const isAddress = (place: string) => place.includes('://')

async function atSource<T>(place: string, config: Config, work: Work<T>): Promise<T> {
  if (isAddress(place)) return withStore(await openAddress(place, config), work)
  const none = new Fault('invalid', `there is no store in ${place}`)
  // Checked before it is opened: opening would create it.
  if (!existsSync(place)) throw none
  return inFolder(place, async (folder) => {
    if (!folder.hasStore) throw none
    return withStore(openSqlite(folder.storeFile), work)
  })
}

async function atTarget<T>(place: string, config: Config, work: Work<T>): Promise<T> {
  if (isAddress(place)) return withStore(await openAddress(place, config), work)
  return inFolder(place, async (folder) => {
    if (folder.hasStore) throw new Fault('conflict', `${place} has a store: name another folder`)
    // It gets the name of a store once it is complete: after an interruption, the same command can be run again.
    return withWorkFolder(folder.path, 'move', async (beside) => {
      const file = join(beside, 'moved.db')
      const done = await withStore(openSqlite(file), work)
      await rename(file, folder.restoredFile(new Date()))
      syncFolder(folder.path)
      folder.finishRestore()
      return done
    })
  })
}

async function inFolder<T>(place: string, work: (folder: DataFolder) => Promise<T>): Promise<T> {
  const folder = await DataFolder.open(place)
  try {
    return await work(folder)
  } finally {
    folder.release()
  }
}

async function openAddress(place: string, config: Config): Promise<Store> {
  try {
    return await openPostgres(readStore(place), { passwordFile: config['store-password-file'] })
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('invalid', (error as Error).message, { cause: error })
  }
}

/** Brings it up to date, and closes it whatever the outcome of the work. */
async function withStore<T>(database: Store, work: Work<T>): Promise<T> {
  try {
    if (database.kind === 'postgres') await requireNoService(database)
    await migrate(database, undefined, version)
    return await work(database)
  } finally {
    await database.close()
  }
}
