// belfry backup: copies the whole store to a file, with or without a running service.

import { existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Fault } from '../../fault.ts'
import { type Backup, checkBackup, storeSize, writeDurably } from '../../store/backup-file.ts'
import { syncFolder, timestamp } from '../../store/data-folder.ts'
import { type Command, type Option, ProgressBar } from '../command.ts'
import { ask, withService } from '../service-connection.ts'

const options: Record<string, Option> = {
  replace: { help: 'Overwrites FILE where it exists, which otherwise is refused.' },
}

const text = `Writes the whole store, as it is at one moment, to a file. Works while the service runs, which continues
meanwhile, and without one. In a folder, the file is named by the time. While it is written it is called FILE.part; it
gets its name when it is complete and checked. It holds everything, credentials included: protect it as you protect
the data folder.

  belfry backup belfry.db
  belfry backup /mnt/backups        (/mnt/backups/belfry-20261115T053000Z.db)

Exit codes: 0 there is a good backup, 1 there is none, 2 wrong arguments.`

export const backup: Command = {
  name: 'backup',
  summary: 'writes the whole store to a file, while the service runs',
  usage: 'belfry backup FILE|FOLDER [--replace] [settings]',
  text,
  options,
  takesFiles: true,
  async run({ files, options, config }) {
    const [target, another] = files
    if (target === undefined || another !== undefined)
      throw new Fault('invalid', 'name one file or folder to write to. Try belfry backup --help')
    const file = fileFor(target, new Date())
    if (existsSync(file) && options.replace === undefined)
      throw new Fault('conflict', `${file} exists: name another file, or say --replace`)
    const { bytes, schema, sha256 } = await withService(config, (url) => backUpTo(url, file))
    console.log(`${file}: ${megabytes(bytes)}, schema ${schema}, whole and sound\nSHA-256 ${sha256}`)
    return 0
  },
}

export const megabytes = (bytes: number) =>
  `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 })} MB`

function fileFor(target: string, now: Date): string {
  const found = statSync(target, { throwIfNoEntry: false })
  if (found?.isDirectory()) return join(target, `belfry-${timestamp(now)}.db`)
  if (found && !found.isFile()) throw new Fault('invalid', `${target} is neither a file nor a folder`)
  if (!existsSync(dirname(target))) throw new Fault('invalid', `the folder ${dirname(target)} does not exist`)
  return target
}

async function backUpTo(url: string, file: string): Promise<Backup & { sha256: string }> {
  const part = `${file}.part`
  // Left by an interrupted backup; the service makes one backup at a time.
  await rm(part, { force: true })
  try {
    const sha256 = await receive(url, part, basename(file))
    const backup = await checkBackup(part)
    await rename(part, file)
    syncFolder(dirname(file))
    return { ...backup, sha256 }
  } catch (error) {
    await rm(part, { force: true })
    throw withFile(error, file)
  }
}

async function receive(url: string, part: string, label: string): Promise<string> {
  const bar = new ProgressBar(label)
  bar.show(0, 1, 'the service makes a copy')
  try {
    const body = await ask(`${url}/plat/backup`, { headers: { Accept: 'application/json' } })
    let whole: number | undefined
    return await writeDurably(part, body, (chunk, written) => {
      // A SQLite file has its size in its first bytes.
      if (written === chunk.length) whole = storeSize(chunk)
      bar.show(written, whole ?? 0, megabytes(written))
    })
  } finally {
    bar.clear()
  }
}

/** Errors of the target, and of a service that broke off, as messages. */
function withFile(error: unknown, file: string): unknown {
  if (error instanceof Fault) return error
  const { code, message } = error as NodeJS.ErrnoException
  const reason = code === undefined ? `the service broke off: ${message}` : message
  return new Fault('unavailable', `${file} was not written: ${reason}`, { cause: error })
}
