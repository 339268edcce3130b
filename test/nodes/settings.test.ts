// Several nodes on one store: settings that decide are the same everywhere, and that is checked.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { differences, type Profile } from '../../src/cluster/nodes/node-profile.ts'
import { SettingsWatch } from '../../src/cluster/watches/settings-watch.ts'
import { readConfig } from '../../src/config/config.ts'
import { newMigratedDatabase } from '../postgres-database.ts'
import { startService, type TestService, temporaryFolder } from '../support.ts'
import { startNode } from './several.ts'

describe('which settings differ', () => {
  const node = (name: string, digests: Record<string, string>, keyId = 'k'): Profile => ({
    ...{ node: name, keyIds: [keyId], keyId, digests, changedAt: 0 },
  })
  const found = (...profiles: Profile[]) => Object.fromEntries(differences(profiles, 'k'))

  test('of three nodes the one that is alone with its value, of two both', () => {
    const same = { x: '1', y: '1' }
    assert.deepEqual(found(node('a', same), node('b', same)), { a: [], b: [] })
    assert.deepEqual(found(node('a', same), node('b', same), node('c', { x: '2', y: '1' })), {
      a: [],
      b: [],
      c: ['x'],
    })
    assert.deepEqual(found(node('a', same), node('b', { x: '2', y: '2' })), { a: ['x', 'y'], b: ['x', 'y'] })
    assert.deepEqual(found(node('a', { x: '1' }), node('b', { x: '2' }), node('c', { x: '3' })), {
      a: ['x'],
      b: ['x'],
      c: ['x'],
    })
  })

  test('what only a newer program knows is no difference', () => {
    assert.deepEqual(found(node('a', { x: '1' }), node('b', { x: '1', y: '1' })), { a: [], b: [] })
  })

  test('a node without the key in use differs in its key file', () => {
    assert.deepEqual(found(node('a', { x: '1' }), node('b', { x: '2' }, 'other')), { a: [], b: ['key-file'] })
  })
})

test('the settings that decide are compared by their text, or by what their file holds; others are not', () => {
  const file = join(temporaryFolder(), 'users.json')
  writeFileSync(file, '[]')
  const { deciding } = readConfig({ 'trap-users': file, node: 'a', 'trap-communities': ' x,y ' }, {})
  assert.equal(deciding.get('trap-users'), '[]')
  assert.equal(deciding.get('trap-communities'), 'x,y')
  assert.equal(deciding.get('unknown-traps'), 'alarm', 'the default, as if it were given')
  for (const own of ['node', 'listen', 'data', 'store', 'tls-key', 'key-file', 'log-level']) {
    assert.ok(!deciding.has(own), own)
  }
})

const json = { Accept: 'application/json' }

/** By node. */
async function differing(service: TestService): Promise<Record<string, string[]>> {
  const { node } = (await service.get('/plat/node', json)).json()
  const rows = node as { name: string; differingSetting?: string[] }[]
  return Object.fromEntries(rows.map(({ name, differingSetting = [] }) => [name, differingSetting]))
}

const alarms = async (service: TestService) => {
  const rows = await service.database.all(
    "select resource, rec_status from alarm where event_name = 'settingsDiffer' and is_receover_fault = 0 order by id",
  )
  return rows.map((row) => `${row.resource} ${row.rec_status}`)
}

/** As the node that leads does it, without waiting for its next time. */
function settingsWatch({ database, engine }: TestService, minutes: number): SettingsWatch {
  const keys = { idInUse: async () => String((await database.all('select key_id from secret'))[0]?.key_id) }
  return new SettingsWatch({ database, alarms: engine.asLeader, keys, minutes })
}

test('nodes, settings: a difference is named and not shown; one that stays is an alarm, which ends with it', async () => {
  const address = await newMigratedDatabase()
  const a = await startNode(address, 'a', {}, { differingMinutes: 0 })
  const data = temporaryFolder()
  const wrong = { data, 'trap-communities': 'hunter2', 'unknown-traps': 'store' }
  const b = await startNode(address, 'b', wrong, { differingMinutes: 0 })
  const names = ['trap-communities', 'unknown-traps']
  assert.deepEqual(await differing(a), { a: names, b: names })
  assert.deepEqual(await differing(b), { a: names, b: names })
  const shown = await Promise.all(['/plat/node', '/fault/alarm?size=100'].map((path) => a.get(path)))
  const stored = await a.database.all('select node, key_ids, settings from node_profile')
  const watch = settingsWatch(a, 0)
  await watch.check()
  assert.deepEqual(await alarms(a), ['setting=trap-communities 0', 'setting=unknown-traps 0'])
  for (const { text } of shown) assert.ok(!text.includes('hunter2'))
  const held = stored.map((row) => Object.values(row).join(' ')).join(' ')
  assert.ok(held.includes('trap-communities') && !held.includes('hunter2'))
  // A restart with the same settings is no change of them.
  const changedAt = async () =>
    Number((await a.database.all("select changed_at from node_profile where node = 'b'"))[0]?.changed_at)
  const before = await changedAt()
  await b.stop()
  assert.deepEqual((await differing(a)).a, [], 'one that was stopped is not compared')
  const again = await startNode(address, 'b', wrong, { differingMinutes: 0 })
  assert.equal(await changedAt(), before)
  assert.deepEqual(await differing(a), { a: names, b: names })
  await again.stop()
  const right = await startNode(address, 'b', { data, 'unknown-traps': 'store' }, { differingMinutes: 0 })
  assert.ok((await changedAt()) > before)
  assert.deepEqual(await differing(right), { a: ['unknown-traps'], b: ['unknown-traps'] })
  await watch.check()
  // The node has a watch as well, which may have ended and raised them while the other was stopped.
  const last = new Map((await alarms(a)).map((one) => one.split(' ') as [string, string]))
  assert.deepEqual(Object.fromEntries(last), {
    'setting=trap-communities': '1',
    'setting=unknown-traps': '0',
  })
})

test('nodes, settings: while one node after the other is changed, there is no alarm', async () => {
  const address = await newMigratedDatabase()
  const a = await startNode(address, 'a')
  await startNode(address, 'b', { 'unknown-traps': 'store' })
  assert.deepEqual(await differing(a), { a: ['unknown-traps'], b: ['unknown-traps'] })
  const watch = settingsWatch(a, 30)
  await watch.check()
  assert.deepEqual(await alarms(a), [])
  // Half an hour later.
  await a.database.writeConcurrently((tx) =>
    tx.run('update node_profile set changed_at = changed_at - 1800000'),
  )
  await watch.check()
  assert.deepEqual(await alarms(a), ['setting=unknown-traps 0'])
})

test('nodes, installation: the store takes the name of the first, and a node that names another does not start', async () => {
  const address = await newMigratedDatabase()
  await startNode(address, 'unnamed')
  const first = await startNode(address, 'a', { installation: 'lyon' })
  await startNode(address, 'b', { installation: 'lyon' })
  await assert.rejects(startNode(address, 'c', { installation: 'paris' }), {
    message:
      'the store belongs to the installation "lyon", and this node to "paris" (setting installation): is store the right address?',
  })
  const { node } = (await first.get('/plat/node', json)).json()
  assert.deepEqual(
    (node as { name: string }[]).map(({ name }) => name),
    ['a', 'b', 'unnamed'],
  )
})

test('a store in a folder may be given another name', async () => {
  const data = temporaryFolder()
  const first = await startService({ data, installation: 'lyon' })
  await first.stop()
  const second = await startService({
    data,
    installation: first.database.kind === 'sqlite' ? 'paris' : 'lyon',
  })
  assert.equal((await second.get('/health')).status, 200)
})
