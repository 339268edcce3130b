// Builds and connects all parts. The command line starts this, and so do the tests.

import { readFileSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { Fault } from './fault.ts'
import { HttpServer } from './http/server.ts'
import { plantFirstData } from './resources/first-data.ts'
import type { Database } from './store/database.ts'
import { DataFolder } from './store/folder.ts'
import { migrate } from './store/migrate.ts'
import { openSqlite } from './store/sqlite.ts'

export const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version

export interface App {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string
  readonly database: Database
  stop(): Promise<void>
}

export interface AppOptions {
  readonly log?: Logger
  readonly clock?: () => number
  /** Opens another store than the one in the data folder. */
  readonly open?: () => Promise<Database>
  /** Called when the store can no longer promise anything. */
  readonly onFatal?: (fault: Fault) => void
}

export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { log = pino({ level: 'silent' }), clock = Date.now, onFatal = () => undefined } = options
  const folder = new DataFolder(config.data)
  let database: Database | undefined
  try {
    database = await (options.open?.() ?? openSqlite(folder.storeFile, { clock, onFatal }))
    await prepare(database, folder, log)
    const server = new HttpServer({ database, config, log, version })
    const url = await server.listen()
    folder.announce({ pid: process.pid, url })
    const opened = database
    return {
      url,
      database,
      async stop() {
        await server.close()
        await opened.close()
        folder.release()
      },
    }
  } catch (error) {
    await database?.close()
    folder.release()
    throw error
  }
}

async function prepare(database: Database, folder: DataFolder, log: Logger): Promise<void> {
  if (folder.uncleanStop && database.engine === 'sqlite') {
    log.warn('the last stop was not an orderly one: checking the store')
    const [row] = await database.longRead('pragma quick_check(1)')
    if (row?.quick_check !== 'ok') {
      const found = String(row?.quick_check).replace(/\s+/g, ' ')
      throw new Fault('unavailable', `the store is damaged: ${found}. Restore a backup`)
    }
  }
  for (const name of await migrate(database)) log.debug({ name }, 'migration applied')
  await plantFirstData(database)
}
