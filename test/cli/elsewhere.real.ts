// A data folder whose store is in PostgreSQL, with an older store still in it: commands find the right one.

import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { newDatabase } from '../postgres-database.ts'
import { temporaryFolder } from '../support.ts'
import { addAdministrator, belfry, fail, serve, stop, succeed } from './running.ts'

const data = temporaryFolder()

/** Made once: starting a service takes its time. */
let made: ReturnType<typeof makeBoth> | undefined
const bothStores = () => {
  made ??= makeBoth()
  return made
}

/** An operator that is in the folder, and one that is in PostgreSQL; the service has run there, and is stopped. */
async function makeBoth() {
  const address = await newDatabase()
  const passwordFile = join(data, 'password')
  writeFileSync(passwordFile, 'correct horse staple 9\n')
  await addAdministrator('former', passwordFile, data)
  await addAdministrator('present', passwordFile, data, '--store', address)
  const before = await succeed(['operator', 'list', '--data', data])
  assert.match(before.stdout, /^former /, 'one command with another store changes nothing for the next')
  const service = await serve(['--data', data, '--store', address])
  await stop(service)
  return { address, passwordFile }
}

/** An entry of the alarm log whose number was never given out. */
async function corrupt(address: string): Promise<void> {
  const database = new Postgres(address)
  await database.writeConcurrently((tx) =>
    tx.run(
      "insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm) values (1000, 'raise', 0, 0, '1.3', 0, '', 1, '[]', '')",
    ),
  )
  await database.close()
}

test('commands use the store that the service of the folder last had, and say which', async () => {
  const { address, passwordFile } = await bothStores()
  const on = ['--data', data]
  const listed = await succeed(['operator', 'list', ...on])
  assert.match(listed.stdout, /^present .*$/m)
  assert.doesNotMatch(listed.stdout, /former/)
  assert.match(listed.stderr, new RegExp(`the store of ${data} is postgres://`))
  await succeed(['operator', 'passwd', 'present', '--password-file', passwordFile, ...on])
  const unknown = await belfry(['operator', 'passwd', 'former', '--password-file', passwordFile, ...on])
  assert.equal(unknown.code, 2)
  assert.match(unknown.stderr, /there is no operator "former": expected one of present/)
  const zones = join(data, 'zone.csv')
  writeFileSync(zones, 'zoneId,name,description\n77,Lyon,\n')
  await succeed(['load', zones, ...on])
  assert.match((await succeed(['export', 'zone', ...on])).stdout, /^77,Lyon/m)
  await succeed(['mib', 'list', ...on])
  assert.match((await succeed(['check', ...on])).stdout, /^ok /m)
  await corrupt(address)
  const wrong = await belfry(['check', ...on])
  assert.equal(wrong.code, 1)
  assert.match(
    wrong.stdout,
    /the last entry is .* an earlier one with pg_restore/s,
    'not with belfry restore',
  )
  const elsewhere = ['--store', address, '--data', temporaryFolder(), '--key-file', join(data, 'key')]
  const inPostgres = await succeed(['export', 'zone', ...elsewhere])
  assert.match(inPostgres.stdout, /^77,Lyon/m)
})

test('a service that is not told of the store does not start on the older one, nor is that replaced', async () => {
  await bothStores()
  const ports = ['--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0']
  const refused = await fail(2, ['serve', ...ports, '--data', data])
  assert.match(
    refused,
    /the store of the data folder .* is postgres:\/\/.*: name it with --store or BELFRY_STORE/,
  )
})

test('a store that cannot be reached is named, and the older one stays as it is', async () => {
  await bothStores()
  const file = join(data, 'store.json')
  const noted = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(
    file,
    JSON.stringify({ ...noted, store: 'postgres://belfry@127.0.0.1:1/belfry?connect_timeout=1' }),
  )
  const { code, stdout, stderr } = await belfry(['operator', 'list', '--data', data])
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /the store of .* is postgres:\/\/belfry@127\.0\.0\.1:1\/belfry/)
  writeFileSync(file, 'nonsense')
  assert.match(await fail(1, ['operator', 'list', '--data', data]), /store\.json does not name a store/)
  rmSync(file)
  assert.match(
    (await succeed(['operator', 'list', '--data', data])).stdout,
    /^former /m,
    'as the message says',
  )
})

test('a store that was moved to PostgreSQL is used from then on, and one that was moved back as well', async () => {
  const [from, back] = [temporaryFolder(), join(temporaryFolder(), 'back')]
  const address = await newDatabase()
  const passwordFile = join(from, 'password')
  writeFileSync(passwordFile, 'correct horse staple 9\n')
  const add = (name: string, folder: string) => addAdministrator(name, passwordFile, folder)
  await add('alice', from)
  await succeed(['move', '--from', from, '--to', address])
  await add('bob', from)
  await succeed(['move', '--from', address, '--to', back])
  assert.match((await succeed(['operator', 'list', '--data', back])).stdout, /^alice .*\n.*bob /m)
})
