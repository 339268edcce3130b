// belfry check: what is wrong with a store or a backup, if anything.

import type { Config } from '../config.ts'
import { Fault } from '../fault.ts'
import { examine } from '../store/backup.ts'
import type { Database } from '../store/database.ts'
import { DataFolder, holdsStore } from '../store/folder.ts'
import { openPostgres } from '../store/postgres/opening.ts'
import { openSqlite, readStore } from '../store/sqlite/sqlite.ts'
import { type CheckedPart, checkStore } from '../upkeep/store-check.ts'
import type { Command } from './command.ts'
import { askJson, noStore, runningService, withItsStore } from './connection.ts'

const text = `Checks a store: its pages and indexes, totals and ids, the numbers of the alarm log, epochs, open alarms,
clients. Prints what it checked and what it found. Works while the service runs, which continues meanwhile, and
without one; with FILE it checks a backup. Nothing is changed.

Exit codes: 0 nothing is wrong, 1 something is, or the store cannot be read, 2 wrong arguments, or FILE is no backup.

  belfry check --data /var/lib/belfry
  belfry check /mnt/backups/belfry-20261115T053000Z.db`

export const check: Command = {
  name: 'check',
  summary: 'checks a store, or a backup',
  usage: 'belfry check [FILE] [settings]',
  text,
  takesFiles: true,
  async run({ files, config }) {
    const [file, another] = files
    if (another !== undefined) throw new Fault('invalid', 'name one file. Try belfry check --help')
    const parts = file === undefined ? await checkFolder(config) : await checkFile(file)
    for (const { name, looked, found } of parts) {
      console.log(`${found.length === 0 ? 'ok   ' : 'WRONG'}  ${name}: ${looked}`)
      for (const sentence of found) console.log(`       ${sentence}`)
    }
    if (parts.every(({ found }) => found.length === 0)) return 0
    console.log(
      '\nStop the service, keep a copy of the data folder, and restore a backup: belfry restore --help',
    )
    return 1
  },
}

async function checkFolder(given: Config): Promise<readonly CheckedPart[]> {
  const url = await runningService(given.data)
  if (url !== undefined) {
    const { part } = await askJson<{ part: CheckedPart[] }>(`${url}/plat/check`)
    return part.map((one) => ({ ...one, found: one.found ?? [] }))
  }
  const config = withItsStore(given)
  if (config.store !== '')
    return checkOpen(await openPostgres(config.store, { passwordFile: config['store-password-file'] }))
  if (!holdsStore(config.data)) throw noStore(config.data)
  const folder = await DataFolder.open(config.data)
  try {
    return await checkOpen(openSqlite(folder.storeFile))
  } finally {
    folder.release()
  }
}

async function checkOpen(database: Database): Promise<readonly CheckedPart[]> {
  try {
    return await database.aside((reader) => checkStore(reader, database.kind))
  } finally {
    await database.close()
  }
}

async function checkFile(file: string): Promise<readonly CheckedPart[]> {
  await examine(file)
  return readStore(file, (reader) => checkStore(reader, 'sqlite'))
}
