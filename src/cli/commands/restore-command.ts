// belfry restore: replaces a store by a backup.

import { basename } from 'node:path'
import { Fault } from '../../fault.ts'
import { BackupFile, restore } from '../../store/backup-file.ts'
import { DataFolder, hasStoreFile } from '../../store/data-folder.ts'
import { requireStoreInFolder } from '../../store/store-location.ts'
import { type Command, type Option, ProgressBar } from '../command.ts'
import { removeNewFolderOnFailure } from '../service-connection.ts'
import { megabytes } from './backup-command.ts'

const options: Record<string, Option> = {
  replace: {
    help: 'Where the folder has a store: puts it aside, into a folder replaced-TIME beside it, instead of refusing.',
  },
}

const text = `Puts a backup into a data folder. No service may run on it. The backup is copied and checked first; one that is
damaged, or made by a newer version, is refused and nothing changes. One of an older version is upgraded by the next
start. Clients whose position is from after the backup are sent a gap: something is missing.

  belfry restore /mnt/backups/belfry-20261115T053000Z.db --data /var/lib/belfry

Exit codes: 0 restored, 1 failed, and nothing was changed, 2 wrong arguments, or FILE is no backup.`

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'puts a backup into a data folder',
  usage: 'belfry restore FILE [--replace] [settings]',
  text,
  options,
  takesFiles: true,
  async run({ files, options, config }) {
    const [file, another] = files
    if (file === undefined || another !== undefined)
      throw new Fault('invalid', 'name the one backup to restore. Try belfry restore --help')
    if (config.store !== '')
      throw new Fault(
        'invalid',
        'the store is in PostgreSQL: restore it with pg_restore, see docs/postgresql.md',
      )
    // Read before the folder is taken: root, who may read the file, changes to the folder's user there.
    const source = await BackupFile.open(file)
    const hadStore = hasStoreFile(config.data)
    const restoreFolder = removeNewFolderOnFailure(config)
    const folder = await DataFolder.open(config.data)
    const bar = new ProgressBar(basename(file))
    try {
      requireStoreInFolder(config.data)
      if (folder.hasStore && options.replace === undefined) {
        throw new Fault(
          'conflict',
          `the data folder ${config.data} has a store: name another folder, or say --replace to put it aside`,
        )
      }
      const { bytes, schema, madeAt, sha256 } = await restore(folder, source, new Date(), (written, whole) =>
        bar.show(written, whole, megabytes(written)),
      )
      bar.clear()
      const made = madeAt === undefined ? 'of an unknown time' : `of ${new Date(madeAt).toISOString()}`
      console.log(
        `${config.data} has the store ${made}: ${megabytes(bytes)}, schema ${schema}\nSHA-256 ${sha256}`,
      )
      return 0
    } catch (error) {
      bar.clear()
      if (error instanceof Fault) throw error
      const { message } = error as Error
      throw new Fault('unavailable', `nothing was restored: ${message}`, { cause: error })
    } finally {
      folder.release()
      await source.close()
      if (!hadStore && !hasStoreFile(config.data)) restoreFolder()
    }
  },
}
