// Heartbeats of others: a silent one raises an alarm, which ends with the next; an outage of ours is not their silence.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, erase, modify } from '../../src/resources/collection.ts'
import { heartbeats, noteHeartbeat } from '../../src/resources/notify/heartbeat.ts'
import { HeartbeatWatch } from '../../src/upkeep/watches/heartbeat-watch.ts'
import { World } from '../alarms/world.ts'
import { bearer, startGuarded } from '../http/credentials.ts'
import { pathOf, refused } from '../http/reading.ts'
import { stores } from '../support.ts'

// Before the first test: what is started between tests may be stopped with the last of them.
const service = await startGuarded()

// Before the first test is registered: a file whose first tests have ended is over for the runner.
const worlds = await Promise.all(stores.map(async (store) => ({ store, world: await World.open(store) })))

for (const { store, world } of worlds) {
  const beat = (name: string) => world.database.transaction((tx) => noteHeartbeat(tx, name))

  /** Checks every ten seconds; returns what was raised and recovered. */
  async function pass(watch: HeartbeatWatch, seconds: number): Promise<string[]> {
    const kinds: string[] = []
    for (let passed = 0; passed < seconds; passed += 10) {
      world.time.now += 10_000
      const entries = await world.logged(() => watch.check(world.time.now))
      kinds.push(...entries.map(({ kind }) => kind))
    }
    return kinds
  }

  test(`on ${store.name} a silent heartbeat raises one alarm, which the next one ends`, async () => {
    const id = await create(world.database, heartbeats, {
      name: 'Backup',
      everySeconds: 60,
      graceSeconds: 30,
    })
    const watch = new HeartbeatWatch(world.engine, world.database)
    assert.equal(await beat('backup'), true, 'in any letter case')
    assert.deepEqual(await pass(watch, 90), [])
    assert.deepEqual(await pass(watch, 60), ['raise'])
    assert.equal(await beat('Backup'), true)
    assert.deepEqual(await pass(watch, 90), ['recover'])
    assert.deepEqual(await pass(watch, 60), ['raise'])
    await modify(world.database, heartbeats, id, { enabled: false })
    assert.equal(await beat('Backup'), false)
    assert.deepEqual(await pass(watch, 10), ['recover'])
    await modify(world.database, heartbeats, id, { enabled: true })
    assert.deepEqual(await pass(watch, 90), [], 'it has its time again')
    assert.deepEqual(await pass(watch, 10), ['raise'])
    await erase(world.database, heartbeats, id)
    assert.deepEqual(await pass(watch, 10), ['recover'])
  })

  test(`on ${store.name} one that never came is silent from the time it was expected`, async () => {
    const id = await create(world.database, heartbeats, { name: 'Never', everySeconds: 60, graceSeconds: 0 })
    assert.deepEqual(await pass(new HeartbeatWatch(world.engine, world.database), 100), ['raise'])
    await erase(world.database, heartbeats, id)
    await pass(new HeartbeatWatch(world.engine, world.database), 10)
  })

  test(`on ${store.name} an outage of the service, or a doubted clock, is not their silence`, async () => {
    const id = await create(world.database, heartbeats, {
      name: 'Patient',
      everySeconds: 60,
      graceSeconds: 0,
    })
    const watch = new HeartbeatWatch(world.engine, world.database)
    assert.deepEqual(await pass(watch, 50), [])
    world.time.now += 3_600_000
    assert.deepEqual(await pass(watch, 60), [], 'nothing was received in that hour')
    assert.deepEqual(await world.logged(() => watch.check(0)), [])
    const leader = new HeartbeatWatch(world.engine, world.database)
    assert.deepEqual(await pass(leader, 60), [], 'a new leader waits, too')
    assert.deepEqual(await pass(leader, 20), ['raise'])
    const later = new HeartbeatWatch(world.engine, world.database)
    assert.deepEqual(await pass(later, 10), [], 'an alarm of an earlier run stays open while it is silent')
    await erase(world.database, heartbeats, id)
    assert.deepEqual(await pass(later, 10), ['recover'])
  })
}

const asAdmin = (method: string, path: string, body: unknown) =>
  service.asJson('administrator', method, path, body)

test('a heartbeat is sent with a token that can do nothing else', async () => {
  const made = await asAdmin('POST', '/notify/heartbeat', { name: 'Nightly backup/db', everySeconds: 3600 })
  assert.equal(made.status, 201, made.text)
  const { token } = (await asAdmin('POST', '/plat/token', { operatorId: 3, scope: 'heartbeat' })).json()
  const headers = bearer(String(token))
  const path = '/events/heartbeat/nightly%20backup%2Fdb'
  assert.equal((await service.ask('POST', path, { headers })).status, 204)
  const shown = await service.as('viewer', 'GET', pathOf(made), { headers: { Accept: 'application/json' } })
  const { lastTime, sinceTime, ...rest } = shown.json() as Record<string, string>
  assert.ok(Number(lastTime) >= Number(sinceTime))
  assert.deepEqual(rest, {
    ...{ id: '1', name: 'Nightly backup/db', description: '', everySeconds: '3600', graceSeconds: '60' },
    ...{ enabled: 'true', silent: 'false' },
  })
  refused(await service.ask('GET', '/notify/heartbeat', { headers }), 403)
  refused(await service.ask('GET', path, { headers }), 405)
  refused(await service.ask('POST', '/events/heartbeat/unknown', { headers }), 404)
  refused(await service.as('viewer', 'POST', path), 403)
  refused(await service.ask('POST', path), 401)
})

test('only administrators say which heartbeats are expected, and mistakes name their field', async () => {
  refused(await service.asJson('operator', 'POST', '/notify/heartbeat', { name: 'x', everySeconds: 60 }), 403)
  refused(await asAdmin('POST', '/notify/heartbeat', { name: 'x', everySeconds: 1 }), 400, 'everySeconds')
  refused(await asAdmin('POST', '/notify/heartbeat', { name: 'x' }), 400, 'everySeconds')
  // Programs take these for the folder itself, or the one above.
  for (const name of ['.', '..'])
    refused(await asAdmin('POST', '/notify/heartbeat', { name, everySeconds: 60 }), 400, 'name')
  refused(
    await asAdmin('POST', '/notify/heartbeat', { name: 'NIGHTLY BACKUP/DB', everySeconds: 60 }),
    409,
    'name',
  )
  refused(await asAdmin('PUT', '/notify/heartbeat/1', { name: 'y', everySeconds: 60, graceSeconds: -1 }), 400)
})
