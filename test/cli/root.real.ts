// Commands of root on a folder that another user owns: that user may put anything there, and must gain nothing by it.

import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { temporaryFolder } from '../support.ts'
import { belfry, fail, serve, stop, succeed } from './running.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const nobody = 65534
const skip = process.getuid?.() === 0 ? false : 'only root can become somebody else: run the tests as root'

/** A folder that root keeps for itself, and one that belongs to the user of the service. */
function places(): { own: string; data: string } {
  const parent = temporaryFolder()
  chmodSync(parent, 0o755)
  const [own, data] = [join(parent, 'own'), join(parent, 'data')]
  mkdirSync(own, { mode: 0o755 })
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, nobody, nobody)
  return { own, data }
}

async function backupIn(folder: string): Promise<string> {
  const file = join(folder, 'good.db')
  const database = openSqlite(join(folder, 'store.db'))
  await migrate(database)
  await database.copyTo(file)
  await database.close()
  chmodSync(file, 0o600)
  return file
}

/** As the owner of the folder would put it there: a link to a place where only root may write. */
function plant(data: string, name: string, target: string): void {
  symlinkSync(target, join(data, name))
}

const ownersIn = (folder: string) =>
  new Set(readdirSync(folder, { recursive: true }).map((name) => lstatSync(join(folder, String(name))).uid))

suite('root on the folder of the service', { skip }, () => {
  test('restores as the owner of the folder, from a backup that only root can read', async () => {
    const { own, data } = places()
    const backup = await backupIn(own)
    await succeed(['restore', backup, '--data', data])
    assert.deepEqual(ownersIn(data), new Set([nobody]))
    await succeed(['restore', backup, '--replace', '--data', data])
    assert.deepEqual(ownersIn(data), new Set([nobody]))
  })

  for (const name of [
    'lock',
    'belfry.db',
    'belfry.db-wal',
    'belfry.db-shm',
    'service.json',
    'belfry.db.new',
  ]) {
    test(`a link in the place of ${name} is not followed`, async () => {
      const { own, data } = places()
      const backup = await backupIn(own)
      const [absent, present] = [join(own, 'absent'), join(own, 'present')]
      writeFileSync(present, 'root was here\n')
      for (const target of [absent, present]) {
        const trap = join(data, `trap-${target === absent}`)
        mkdirSync(trap, { mode: 0o700 })
        chownSync(trap, nobody, nobody)
        plant(trap, name, target)
        for (const args of [
          ['restore', backup, '--replace'],
          // What would make a store.
          ['load', join(root, 'examples/network/zone.csv')],
        ]) {
          await belfry([...args, '--data', trap])
          assert.ok(!existsSync(absent), `${args[0]} made what the link names`)
          assert.equal(readFileSync(present, 'utf8'), 'root was here\n', args[0])
          assert.equal(statSync(present).uid, 0)
        }
      }
    })
  }

  test('a link in the place of a folder is not followed', async () => {
    const { own, data } = places()
    const backup = await backupIn(own)
    const target = join(own, 'folder')
    mkdirSync(target, { mode: 0o755 })
    plant(data, 'door', target)
    const service = await serve(['--data', data])
    assert.deepEqual(readdirSync(target), [])
    assert.equal(statSync(target).mode & 0o777, 0o755)
    await stop(service)
    copyFileSync(backup, join(data, 'restored-20261115T053000Z.db'))
    chownSync(join(data, 'restored-20261115T053000Z.db'), nobody, nobody)
    plant(data, 'replaced-20261115T053000Z', target)
    await belfry(['check', '--data', data])
    assert.deepEqual(readdirSync(target), [])
  })

  test('commands and the service itself run as the owner, and leave nothing of root behind', async () => {
    const { own, data } = places()
    const password = join(data, 'password')
    writeFileSync(password, 'correct horse staple\n')
    await succeed([
      'operator',
      'add',
      'alice',
      '--role',
      'administrator',
      '--password-file',
      password,
      '--data',
      data,
    ])
    const service = await serve(['--data', data])
    const note = JSON.parse(readFileSync(join(data, 'service.json'), 'utf8'))
    assert.equal(Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${note.pid}/status`, 'utf8'))?.[1]), nobody)
    assert.match(readFileSync(`/proc/${note.pid}/status`, 'utf8'), /^Groups:\s+65534\s*$/m)
    await succeed(['operator', 'list', '--data', data])
    await stop(service)
    const left = readdirSync(data).filter((name) => name !== 'password')
    assert.deepEqual(new Set(left.map((name) => lstatSync(join(data, name)).uid)), new Set([nobody]))
    const refused = await fail(1, ['backup', join(own, 'copy.db'), '--data', data])
    assert.match(
      refused,
      /copy\.db was not written.*as the owner of the folder \(nobody, uid 65534\): name a place/,
    )
    await succeed(['backup', join(data, 'copy.db'), '--data', data])
  })

  test('a file that its user may not read is not loaded, whether the service runs or not, and the message says what to do', async () => {
    const { own, data } = places()
    const home = join(own, 'home')
    mkdirSync(home, { mode: 0o700 })
    const file = join(home, 'zone.csv')
    writeFileSync(file, 'zoneId,name,description\n777,Lyon,\n', { mode: 0o644 })
    const refused = () => fail(2, ['load', file, '--data', data])
    const advice =
      /zone\.csv cannot be read: permission denied\. .*\(nobody, uid 65534\): name a place that this user may read/
    await succeed(['load', 'examples/network/zone.csv', '--data', data], { cwd: root })
    assert.match(await refused(), advice)
    const service = await serve(['--data', data])
    assert.match(await refused(), advice)
    assert.match(await fail(2, ['mib', 'load', file, '--data', data]), advice)
    chmodSync(home, 0o755)
    await succeed(['load', file, '--data', data])
    await stop(service)
  })

  test('the owner of a parent folder, or of a link on the path, counts as well', async () => {
    const { own, data } = places()
    const backup = await backupIn(own)
    const inner = join(data, 'inner')
    await succeed(['restore', backup, '--data', inner])
    assert.equal(statSync(inner).uid, nobody)
    const away = join(own, 'away')
    mkdirSync(away, { mode: 0o700 })
    const link = join(data, 'link')
    symlinkSync(away, link)
    const parent = lstatSync(link)
    assert.equal(parent.uid, 0, 'made by root, in a folder of another')
    await fail(1, ['restore', backup, '--data', link])
    assert.deepEqual(readdirSync(away), [])
  })

  test('root does not work where others may write', async () => {
    const { own } = places()
    const backup = await backupIn(own)
    const shared = join(own, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o770)
    assert.match(await fail(1, ['restore', backup, '--data', shared]), /others may write/)
    assert.match(await fail(1, ['restore', backup, '--data', join(shared, 'data')]), /others may write/)
    chmodSync(shared, 0o1777)
    await succeed(['restore', backup, '--data', join(shared, 'data')])
    assert.match(await fail(1, ['restore', backup, '--data', shared]), /others may write/)
  })
})
