// belfry key: manages the key file.

import { existsSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { version } from '../../config/version.ts'
import { Fault, shown } from '../../fault.ts'
import { KeyFile } from '../../keys/key-file.ts'
import { Keys } from '../../keys/key-ring.ts'
import { becomeOwner } from '../../store/file-owner.ts'
import { migrate } from '../../store/migrate.ts'
import { openPostgres, requireNoService } from '../../store/postgres/open-postgres.ts'
import { type Command, countedNoun, verbOf } from '../command.ts'
import { askJson, withItsStore, withService } from '../service-connection.ts'

const text = `Manages the key file (setting key-file), whose key protects secrets in the store that must be readable again. A single
service makes the file by itself; several nodes on one store need the same file at each.

  belfry key new         makes the file, or adds a key to it that is not in use yet
  belfry key rotate      takes the newest key of the file into use and removes older ones from the file; a single
                         service makes a new key first. With several nodes: belfry key new at one of them, copy the
                         file to all others, then belfry key rotate at each
  belfry key replace     with several nodes, all stopped: the key is lost, and the one in the file takes its place.
                         Secrets that were sealed with the lost key must be entered again

belfry key rotate works while the service runs, and without one. A key is never in a backup, nor in the store.

Exit codes: 0 done, 1 the service or its store failed, 2 wrong arguments, or refused.`

const actions: Readonly<Record<string, (config: Config) => Promise<void>>> = { new: add, rotate, replace }

export const key: Command = {
  name: 'key',
  summary: 'makes and rotates the key for secrets in the store',
  usage: 'belfry key new|rotate|replace [settings]',
  text,
  listed: ['data', 'key-file'],
  takesFiles: true,
  verbs: Object.keys(actions),
  async run({ files: [word, ...more], config }) {
    const act = verbOf(actions, word, 'key')
    if (more.length > 0)
      throw new Fault('invalid', `${shown(more.join(' '))} is not expected here. Try --help`)
    await act(config)
    return 0
  },
}

async function add(config: Config): Promise<void> {
  // As the service's own user, who must be able to read it.
  if (existsSync(config.data)) becomeOwner(config.data)
  const file = new KeyFile(config)
  file.add()
  const keys = file.read() ?? []
  const next =
    keys.length > 1
      ? 'belfry key rotate takes it into use, once every node has the file'
      : 'keep a copy of it'
  console.log(`${file.path} has a new key, ${keys.at(-1)?.id}: ${next}`)
}

interface Rotated {
  readonly keyId: string
  readonly changed: string
  readonly secrets: string
  readonly unreadable: string
  readonly remark?: string
}

async function rotate(config: Config): Promise<void> {
  const { keyId, changed, secrets, unreadable, remark } = await withService(config, (url) =>
    askJson<Rotated>(`${url}/plat/key/rotation`, 'POST'),
  )
  const what = changed === 'true' ? 'is in use now' : 'was in use before: the file has no newer one'
  console.log(`key ${keyId} ${what}; ${countedNoun(Number(secrets), 'secret')} sealed with it`)
  if (unreadable !== '0')
    console.log(`${countedNoun(Number(unreadable), 'secret')} cannot be read: enter them again`)
  if (remark) console.log(`older keys are still in the file: ${remark}`)
}

async function replace(settings: Config): Promise<void> {
  if (existsSync(settings.data)) becomeOwner(settings.data)
  const config = withItsStore(settings)
  if (config.store === '') {
    const message =
      'the store is in the data folder: a single service takes a new key by itself when it starts'
    throw new Fault('invalid', message)
  }
  const file = new KeyFile(config)
  const database = await openPostgres(config.store, { passwordFile: config['store-password-file'] })
  try {
    await requireNoService(database)
    await migrate(database, undefined, version)
    const keys = await Keys.open(file, database, { isAlone: false, replaces: true })
    const lost = await keys.countUnreadable()
    console.log(
      `the key of ${file.path} is in use now; ${countedNoun(lost, 'secret')} cannot be read: enter them again`,
    )
  } finally {
    await database.close()
  }
}
