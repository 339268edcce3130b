// Commands on a folder without a store: what fills it makes one and says so, what asks creates nothing.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support.ts'
import { addAdministrator, belfry, fail, succeed } from './running.ts'

const password = 'correct horse staple 9'

function passwordFile(): string {
  const file = join(temporaryFolder(), 'password')
  writeFileSync(file, `${password}\n`)
  return file
}

test('a command that asks a service in a folder that is not there creates nothing', async () => {
  const parent = temporaryFolder()
  const data = join(parent, 'mistyped')
  const asked: [string[], number, RegExp][] = [
    [['health'], 1, /there is no data folder .*mistyped: name it with --data/],
    [['tail'], 1, /mistyped/],
    [['check'], 2, /there is no store in .*mistyped: name the data folder of the service/],
    [['export', 'zone'], 2, /there is no store in/],
    [['backup', parent], 2, /there is no store in/],
    [['operator', 'list'], 2, /there is no store in/],
    [['operator', 'passwd', 'alice', '--password-file', passwordFile()], 2, /there is no store in/],
    [['mib', 'list'], 2, /there is no store in/],
  ]
  for (const [args, code, message] of asked) {
    assert.match(await fail(code, [...args, '--data', data]), message, args.join(' '))
    assert.ok(!existsSync(data), `${args.join(' ')} has made the folder`)
  }
  assert.deepEqual(readdirSync(parent), [])
})

test('the first operator of a new folder makes a store, and the command says so, once', async () => {
  const data = join(temporaryFolder(), 'data')
  const add = (name: string) => addAdministrator(name, passwordFile(), data)
  const first = await add('alice')
  assert.equal(first.stdout, 'alice is administrator now\n')
  assert.equal(first.stderr, `belfry: there was no store in ${data}: made a new one\n`)
  assert.equal((await add('bob')).stderr, '')
})

test('a command that is refused, or loads nothing, leaves a new folder as it was', async () => {
  const parent = temporaryFolder()
  const file = (name: string, text: string) => {
    const path = join(parent, name)
    writeFileSync(path, text)
    return path
  }
  const weak = file('weak', 'password1234\n')
  const zones = file('zone.csv', 'zoneId,colour\n7,red\n')
  const module = file('letter.txt', 'no module')
  const kept = readdirSync(parent)
  const refused: [string[], number, RegExp][] = [
    [['operator', 'add', 'alice', '--role', 'administrator', '--password-file', weak], 2, /most common/],
    [['operator', 'add', 'al:ice', '--role', 'viewer', '--password-file', passwordFile()], 2, /name/],
    [['load', zones], 2, /colour/],
    [['mib', 'load', module], 1, /there is no module in it/],
    [['restore', zones], 2, /not a backup/],
    [['check'], 2, /there is no store/],
  ]
  for (const [args, code, message] of refused)
    for (const data of [join(parent, 'above', 'data'), temporaryFolder()]) {
      const { stdout, stderr, code: ended } = await belfry([...args, '--data', data])
      assert.equal(ended, code, stderr)
      assert.match(stdout + stderr, message)
      assert.doesNotMatch(stderr, /made a new one/)
      assert.deepEqual(existsSync(data) ? readdirSync(data) : [], [], args.join(' '))
    }
  assert.deepEqual(readdirSync(parent), kept)
})

test('what others keep in a folder stays, and so does a store into which a part was loaded', async () => {
  const data = temporaryFolder()
  writeFileSync(join(data, 'notes.txt'), 'mine')
  const parent = temporaryFolder()
  const zones = join(parent, 'zone.csv')
  const devices = join(parent, 'device.csv')
  writeFileSync(zones, 'zoneId,colour\n7,red\n')
  writeFileSync(devices, 'colour\nred\n')
  await fail(2, ['load', zones, '--data', data])
  assert.deepEqual(readdirSync(data), ['notes.txt'])
  writeFileSync(zones, 'zoneId,name\n7,Lyon\n')
  const half = await belfry(['load', zones, devices, '--data', data])
  assert.equal(half.code, 2)
  assert.match(half.stdout, /zone\.csv: 1 zone loaded/)
  assert.match(half.stderr, /made a new one/)
  assert.match((await succeed(['export', 'zone', '--data', data])).stdout, /Lyon/)
})
