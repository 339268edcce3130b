// Opens the store at the start of the service: checks that it is the right one and undamaged, migrates and seeds it.

import type { Logger } from 'pino'
import { openEpoch } from '../alarms/log/epochs.ts'
import { nameInstallation, refuseOtherInstallation } from '../cluster/nodes/server-identity.ts'
import type { HighWaterCheck } from '../cluster/watches/high-water-check.ts'
import type { Config } from '../config/config.ts'
import { version } from '../config/version.ts'
import { Fault } from '../fault.ts'
import { KeyFile } from '../keys/key-file.ts'
import { Keys, refuseOtherKey } from '../keys/key-ring.ts'
import type { DataFolder } from '../store/data-folder.ts'
import type { Reader, Store } from '../store/database.ts'
import { migrate, readMigrations, whyUnusable } from '../store/migrate.ts'
import { openPostgres } from '../store/postgres/open-postgres.ts'
import { HighWaterMark } from '../store/sqlite/high-water-mark.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { noticeLoss } from '../upkeep/checks/store-loss.ts'
import { seedStore } from '../upkeep/seed.ts'
import type { TroubleLog } from '../upkeep/watches/store-watch.ts'

interface StoreOptions {
  readonly folder: DataFolder
  readonly log: Logger
  readonly troubles: TroubleLog
  readonly highWaterCheck: HighWaterCheck
  /** Instead of the store's clock. */
  readonly clock?: (() => number) | undefined
  /** Opens another store than the one in the data folder. */
  readonly open?: (() => Promise<Store>) | undefined
  /** Called when a write has failed in a way that cannot be repaired. */
  readonly onFatal: (fault: Fault) => void
}

/** Returns the store, open and up to date. */
export async function openDatabase(
  config: Config,
  options: StoreOptions,
  started: (() => Promise<void> | void)[],
): Promise<Store> {
  const { folder, open } = options
  // PostgreSQL recovers by itself.
  const highWaterMark = open || config.store !== '' ? undefined : new HighWaterMark(folder.highWaterMarkFile)
  const database = await (open?.() ?? openConfigured(config, options, highWaterMark))
  started.push(() => database.close())
  await refuseOtherInstallation(database, config.installation)
  await refuseOtherKey(new KeyFile(config), database)
  await prepare(database, options)
  await nameInstallation(database, config.installation)
  const isLost = await noticeLoss(database, highWaterMark)
  // On PostgreSQL the leader opens an epoch at the start of its term.
  if (!isLost && database.kind === 'sqlite') await openEpoch(database)
  return database
}

async function openConfigured(
  config: Config,
  { folder, log, troubles, highWaterCheck, clock, onFatal }: StoreOptions,
  highWaterMark: HighWaterMark | undefined,
): Promise<Store> {
  const onTrouble = (trouble: Fault | undefined) => troubles.note('store', trouble)
  if (config.store === '') return openSqlite(folder.storeFile, { clock, onFatal, onTrouble, highWaterMark })
  const migrations = readMigrations()
  return openPostgres(config.store, {
    clock,
    onTrouble,
    onFatal,
    onLost: (error) => log.warn({ err: error }, 'a connection to PostgreSQL was lost'),
    passwordFile: config['store-password-file'],
    timelineFile: folder.timelineFile,
    seen: (counter: string) => highWaterCheck.last(counter),
    onDoubt: () => highWaterCheck.onDoubt(),
    whyUnusable: (reader: Reader) => whyUnusable(reader, migrations, version),
  })
}

async function prepare(database: Store, { folder, log }: StoreOptions): Promise<void> {
  if (folder.uncleanStop && database.kind === 'sqlite') {
    log.warn('the last stop was not an orderly one: checking the store')
    const [row] = await database.readInBackground('pragma quick_check(1)')
    if (row?.quick_check !== 'ok') {
      const found = String(row?.quick_check).replace(/\s+/g, ' ')
      throw new Fault('unavailable', `the store is damaged: ${found}. Restore a backup`)
    }
  }
  for (const name of await migrate(database, undefined, version)) log.debug({ name }, 'migration applied')
  if (database.kind === 'sqlite') await seedStore(database)
}

export async function openKeys(config: Config, database: Store, log: Logger): Promise<Keys> {
  const file = new KeyFile(config)
  const keys = await Keys.open(file, database, { isAlone: database.kind === 'sqlite' })
  if (file.isForOthers())
    log.warn({ file: file.path }, 'every user of this machine may read or change the key file: chmod 600')
  const unreadable = await keys.countUnreadable()
  if (unreadable > 0)
    log.warn({ unreadable }, 'secrets in the store were sealed with another key: enter them again')
  return keys
}
