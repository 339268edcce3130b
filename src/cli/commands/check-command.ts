// belfry check: checks a store or a backup.

import type { Config } from '../../config/config.ts'
import { Fault } from '../../fault.ts'
import { checkBackup } from '../../store/backup-file.ts'
import { DataFolder, hasStoreFile } from '../../store/data-folder.ts'
import type { Store } from '../../store/database.ts'
import { openPostgres } from '../../store/postgres/open-postgres.ts'
import { openSqlite, readStore } from '../../store/sqlite/sqlite.ts'
import { storeLocation } from '../../store/store-location.ts'
import { type CheckedPart, checkStore } from '../../upkeep/checks/store-check.ts'
import { repairTotals } from '../../upkeep/checks/total-check.ts'
import type { Command, Option } from '../command.ts'
import { askJson, noStore, runningService, withItsStore } from '../service-connection.ts'

const text = `Checks a store: its pages and indexes, totals and ids, the numbers of the alarm log, epochs, open alarms,
clients. Prints what it checked and what it found. Works while the service runs, which continues meanwhile, and
without one; with FILE it checks a backup. Nothing is changed, except by --repair: it counts wrong totals anew and
corrects them. Totals follow from the rows, which stay as they are; a node of an older version may have left them wrong.

Exit codes: 0 nothing is wrong, 1 something is, or the store cannot be read, 2 wrong arguments, or FILE is no backup.

  belfry check --data /var/lib/belfry
  belfry check /mnt/backups/belfry-20261115T053000Z.db
  belfry check --repair --data /var/lib/belfry`

const options: Record<string, Option> = {
  repair: { help: 'Corrects totals that do not agree with the rows.' },
}

export const check: Command = {
  name: 'check',
  summary: 'checks a store, or a backup',
  usage: 'belfry check [FILE] [--repair] [settings]',
  text,
  takesFiles: true,
  options,
  async run({ files, options, config }) {
    const [file, another] = files
    if (another !== undefined) throw new Fault('invalid', 'name one file. Try belfry check --help')
    const repairs = options.repair !== undefined
    if (repairs && file !== undefined)
      throw new Fault('invalid', '--repair is for the store, not for a backup: restore the backup first')
    const { parts, corrected } =
      file === undefined
        ? await checkFolder(config, repairs)
        : { parts: await checkFile(file), corrected: [] }
    for (const sentence of corrected) console.log(`mended totals: ${sentence}`)
    for (const { name, looked, found } of parts) {
      console.log(`${found.length === 0 ? 'ok   ' : 'WRONG'}  ${name}: ${looked}`)
      for (const sentence of found) console.log(`       ${sentence}`)
    }
    const wrong = parts.filter(({ found }) => found.length > 0)
    if (wrong.length === 0) return 0
    if (wrong.every(({ name }) => name === 'totals')) {
      console.log('\nThe records are right, only their totals are not: belfry check --repair corrects these')
      return 1
    }
    const isElsewhere = config.store !== '' || storeLocation(config.data) !== undefined
    console.log(`\n${file === undefined && isElsewhere ? restoreServer : restoreFolder}`)
    return 1
  },
}

const restoreFolder =
  'Stop the service, keep a copy of the data folder, and restore a backup: belfry restore --help'
const restoreServer =
  'Stop all services on the store, keep a dump of it as it is (pg_dump), and restore an earlier one with pg_restore: see docs/postgresql.md'

interface Checked {
  readonly parts: readonly CheckedPart[]
  /** Sentences about the repairs. */
  readonly corrected: readonly string[]
}

async function checkFolder(settings: Config, repairs: boolean): Promise<Checked> {
  const url = await runningService(settings.data)
  if (url !== undefined) {
    const { part, corrected = [] } = await askJson<{ part: CheckedPart[]; corrected?: string[] }>(
      `${url}/plat/check${repairs ? '/repair' : ''}`,
      repairs ? 'POST' : 'GET',
    )
    return { parts: part.map((one) => ({ ...one, found: one.found ?? [] })), corrected }
  }
  const config = withItsStore(settings)
  if (config.store !== '')
    return checkOpen(
      await openPostgres(config.store, { passwordFile: config['store-password-file'] }),
      repairs,
    )
  // Opening the folder would make it, or leave a lock in it.
  if (!hasStoreFile(config.data)) throw noStore(config.data)
  const folder = await DataFolder.open(config.data)
  try {
    if (!folder.hasStore) throw noStore(config.data)
    return await checkOpen(openSqlite(folder.storeFile), repairs)
  } finally {
    folder.release()
  }
}

async function checkOpen(database: Store, repairs: boolean): Promise<Checked> {
  const check = () => database.readSnapshot((reader) => checkStore(reader, database.kind))
  try {
    const before = await check()
    // A store that is damaged, or of another version, is left alone.
    const isTotals = before.some(({ name, found }) => name === 'totals' && found.length > 0)
    if (!repairs || !isTotals) return { parts: before, corrected: [] }
    const corrected = await repairTotals(database)
    return { parts: await check(), corrected }
  } finally {
    await database.close()
  }
}

async function checkFile(file: string): Promise<readonly CheckedPart[]> {
  await checkBackup(file)
  return readStore(file, (reader) => checkStore(reader, 'sqlite'))
}
