// Commands on a folder without a store: what fills it makes one and says so, what asks creates nothing.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support.ts'
import { fail, succeed } from './running.ts'

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
  const add = (name: string) =>
    succeed([
      'operator',
      'add',
      name,
      '--role',
      'administrator',
      '--password-file',
      passwordFile(),
      '--data',
      data,
    ])
  const first = await add('alice')
  assert.equal(first.stdout, 'alice is administrator now\n')
  assert.equal(first.stderr, `belfry: there was no store in ${data}: made a new one\n`)
  assert.equal((await add('bob')).stderr, '')
})
