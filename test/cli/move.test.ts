// `belfry move`: a whole store goes to PostgreSQL and back, and nothing is half done.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { move } from '../../src/cli/commands/move-command.ts'
import { readConfig } from '../../src/config/config.ts'
import { Fault } from '../../src/fault.ts'
import { newDatabase } from '../postgres-database.ts'
import { startService, type TestService, temporaryFolder } from '../support.ts'

const run = (from: string, to: string) =>
  move.run({ files: [], options: { from, to }, config: readConfig({ data: temporaryFolder() }, {}) }, {})

const paths = [
  '/ram/zone?size=1000',
  '/fault/alarm?size=1000',
  '/fault/trapEvent?size=1000',
  '/fault/trap?size=1000',
]

async function answers(service: TestService): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => service.get(path)))
  // Addresses in answers have the port of the service.
  return found.map(({ text }) => text.replaceAll(service.url, ''))
}

test('a store is moved to PostgreSQL and back, with all that it holds', async () => {
  const [data, back] = [temporaryFolder(), join(temporaryFolder(), 'back')]
  const address = await newDatabase()
  const before = await startService({ data })
  for (const name of ['Lyon', 'O\'Brien ß 日本 "', '\\N'])
    assert.equal((await before.sendJson('POST', '/ram/zone', { name })).status, 201)
  const alarm = { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 1, deviceIp: '10.0.0.1', alarmDesc: 'Smoke' }
  assert.equal((await before.sendJson('POST', '/fault/alarm', alarm)).status, 201)
  const held = await answers(before)
  await before.stop()

  assert.equal(await run(data, address), 0)
  const moved = await startService({ store: address })
  assert.equal(moved.database.kind, 'postgres')
  assert.deepEqual(await answers(moved), held)
  await moved.stop()
  await assert.rejects(run(data, address), /holds data already/)

  assert.equal(await run(address, back), 0)
  const returned = await startService({ data: back })
  assert.deepEqual(await answers(returned), held)
  await returned.stop()
})

test('a store in use is not moved', async () => {
  const address = await newDatabase()
  const first = await startService({ store: address })
  const second = await startService({ store: address })
  await first.stop()
  await assert.rejects(run(address, join(temporaryFolder(), 'new')), /a service uses this store/)
  await second.stop()
  assert.equal(await run(address, join(temporaryFolder(), 'newer')), 0)
})

test('what cannot be moved is reported', async () => {
  const empty = temporaryFolder()
  await assert.rejects(run(empty, await newDatabase()), /there is no store in/)
  await assert.rejects(run('./a', './a'), /not the same twice/)
  await assert.rejects(run('http://x/y', empty), /expected postgres:/)
  await assert.rejects(run('postgres://127.0.0.1:1/none', join(empty, 'x')), /PostgreSQL does not answer/)
  const nowhere = join(empty, 'nowhere')
  await assert.rejects(run(nowhere, await newDatabase()), /there is no store in/)
  assert.equal(existsSync(nowhere), false, 'a folder that is only asked about is not made')
})

test('a server that refuses the connection is reported in a sentence', async () => {
  const address = await newDatabase()
  const folder = temporaryFolder()
  const elsewhere = run(`${address}_not_there`, folder)
  await assert.rejects(elsewhere, (error) => {
    assert(error instanceof Fault, String(error))
    assert.match(error.message, /^PostgreSQL refuses the connection: database "\w+" does not exist$/)
    return true
  })
  const stranger = new URL(address)
  stranger.username = 'nobody_here'
  await assert.rejects(
    run(stranger.href, folder),
    /refuses the connection: role "nobody_here" does not exist/,
  )
})

test('a move into a folder that was interrupted can be run again', async () => {
  const [data, target] = [temporaryFolder(), temporaryFolder()]
  await (await startService({ data })).stop()
  const address = await newDatabase()
  assert.equal(await run(data, address), 0)
  // As a process that was killed leaves it.
  mkdirSync(join(target, '.move-aB3dE6'))
  writeFileSync(join(target, '.move-aB3dE6', 'moved.db'), 'half')
  assert.equal(await run(address, target), 0)
  assert.deepEqual(
    readdirSync(target).filter((name) => name !== 'lock'),
    ['belfry.db'],
  )
})

test('the address of a store has no password, which would be shown', () => {
  const refused = () => readConfig({ store: 'postgres://a:geheim@host/db' }, {})
  assert.throws(refused, /expected no password here/)
  assert.throws(refused, (error: Error) => !error.message.includes('geheim'))
})
