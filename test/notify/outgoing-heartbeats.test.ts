// Heartbeats of the service: they come while it is healthy, fail visibly, and their address is never shown.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { KeyFile } from '../../src/keys/key-file.ts'
import { Keys } from '../../src/keys/key-ring.ts'
import { MessageTemplates } from '../../src/notify/channels/message-template.ts'
import { Senders } from '../../src/notify/channels/senders.ts'
import { HeartbeatSender } from '../../src/notify/heartbeats/heartbeat-sender.ts'
import { create, erase, modify } from '../../src/resources/collection.ts'
import {
  outgoingHeartbeatsWith,
  readOutgoingHeartbeats,
} from '../../src/resources/notify/outgoing-heartbeat.ts'
import { World } from '../alarms/world.ts'
import { startGuarded } from '../http/credentials.ts'
import { pathOf, refused } from '../http/reading.ts'
import { until } from '../intake/sending.ts'
import { startService, stores, temporaryFolder } from '../support.ts'

/** Counts the calls of each address, and answers as it is told. */
const calls: string[] = []
let status = 200
const server = createServer((request, response) => {
  calls.push(`${request.method} ${request.url}`)
  response.writeHead(status).end(`seen ${request.url}`)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const service = await startGuarded({ 'notify-loopback': 'yes' })

for (const store of stores) {
  test(`on ${store.name} heartbeats come while the service leads and is healthy, and an alarm says when they cannot`, async () => {
    calls.length = 0
    const world = await World.open(store)
    const { database } = world
    const keys = await Keys.open(new KeyFile({ data: temporaryFolder(), 'key-file': '' }), database, {
      isAlone: true,
    })
    const state = { isLeader: true, isHealthy: true }
    const parts = { database, keys, templates: new MessageTemplates(), clock: () => world.time.now }
    const sender = new HeartbeatSender({
      ...{ database, leaderDatabase: database, keys, alarms: world.engine, log: pino({ level: 'silent' }) },
      senders: new Senders(
        { ...parts, listeners: { ports: () => [], ofNodes: async () => new Set<string>() } },
        { loopback: true, privateNetworks: [], proxy: '', proxyHosts: [] },
      ),
      isLeader: () => state.isLeader,
      isHealthy: () => state.isHealthy,
    })
    const heartbeats = outgoingHeartbeatsWith(keys)
    /** Checks every ten seconds; returns how many were sent, and what was raised and recovered. */
    const pass = async (seconds: number) => {
      const before = calls.length
      const kinds: string[] = []
      for (let passed = 0; passed < seconds; passed += 10) {
        world.time.now += 10_000
        const entries = await world.logged(async () => {
          await sender.check()
          await sender.idle()
        })
        kinds.push(...entries.map(({ kind }) => kind))
      }
      return [calls.length - before, ...kinds]
    }
    const id = await create(database, heartbeats, { name: 'watch', everySeconds: 120, url: `${url}/ping` })
    assert.deepEqual(await pass(10), [1], 'at once')
    assert.equal(calls[0], 'GET /ping')
    assert.deepEqual(await pass(240), [2])
    state.isHealthy = false
    assert.deepEqual(await pass(600), [0], 'not while it is not healthy')
    state.isHealthy = true
    state.isLeader = false
    assert.deepEqual(await pass(600), [0], 'not while another leads')
    state.isLeader = true
    status = 500
    assert.deepEqual(await pass(300), [5], 'every minute while it fails')
    const [failing] = await readOutgoingHeartbeats(database)
    assert.equal(failing?.reason, 'the server answers 500')
    assert.ok((failing?.failingSince ?? 0) > (failing?.lastTime ?? 0))
    assert.deepEqual(await pass(60), [1, 'raise'])
    status = 204
    assert.deepEqual(await pass(60), [1, 'recover'])
    const [again] = await readOutgoingHeartbeats(database)
    assert.deepEqual([again?.failingSince, again?.reason], [0, ''])
    status = 404
    assert.equal((await pass(600)).at(-1), 'raise')
    await modify(database, heartbeats, id, { enabled: false })
    assert.deepEqual(await pass(10), [0, 'recover'])
    status = 200
    await modify(database, heartbeats, id, { enabled: true, url: `${url}/other` })
    assert.deepEqual(await pass(10), [1])
    assert.equal(calls.at(-1), 'GET /other')
    await erase(database, heartbeats, id)
    assert.deepEqual(await pass(200), [0])
    assert.deepEqual(await database.all("select name from secret where name like 'outgoing%'"), [])
    await sender.stop()
  })
}

const asAdmin = (method: string, path: string, body: unknown) =>
  service.asJson('administrator', method, path, body)
const outgoing = '/notify/outgoingHeartbeat'

test('a service calls the address by itself, shows that it did, and never shows the address', async () => {
  status = 200
  calls.length = 0
  const secret = `${url}/secret-7c41f`
  const made = await asAdmin('POST', outgoing, { name: 'Real', everySeconds: 30, url: secret })
  assert.equal(made.status, 201, made.text)
  await until('it was called', () => calls.includes('GET /secret-7c41f'))
  const headers = { Accept: 'application/json' }
  const read = async (path: string) => (await service.as('administrator', 'GET', path, { headers })).text
  await until('it is recorded', async () => JSON.parse(await read(pathOf(made))).lastTime !== '0')
  const metrics = await service.as('administrator', 'GET', '/metrics')
  assert.match(metrics.text, /^belfry_outgoing_heartbeats\{state="delivered"\} 1$/m)
  const shown = [
    ...[await read(outgoing), await read(pathOf(made)), await read('/plat/audit?size=1000'), metrics.text],
    (await asAdmin('PUT', pathOf(made), { name: 'Real', everySeconds: 1 })).text,
    (await asAdmin('POST', outgoing, { name: 'x', everySeconds: 60, url: 'ftp://secret-7c41f/' })).text,
  ]
  for (const one of shown) assert.ok(!one.includes('7c41f'), one)
  assert.equal(JSON.parse(await read(pathOf(made))).urlSet, 'true')
})

test('a command that opens the store for a moment does not say that the service is alive', async () => {
  status = 200
  calls.length = 0
  const command = await startService({ 'notify-loopback': 'yes' }, { tells: false })
  const silent = { name: 'Command', everySeconds: 30, url: `${url}/command` }
  assert.equal((await command.sendJson('POST', outgoing, silent)).status, 201)
  // A service looks every second or so: in the time of several looks, it would have been sent.
  for (let look = 1; look <= 4; look += 1) {
    const other = { name: `Beside ${look}`, everySeconds: 30, url: `${url}/beside/${look}` }
    assert.equal((await asAdmin('POST', outgoing, other)).status, 201)
    await until('the service beside it says so', () => calls.includes(`GET /beside/${look}`))
  }
  assert.ok(!calls.includes('GET /command'), calls.join(', '))
})

test('where it goes is either an address or a mail gateway, and mistakes name their field', async () => {
  const beat = { name: 'y', everySeconds: 60 }
  refused(await asAdmin('POST', outgoing, beat), 400, 'url')
  refused(await asAdmin('POST', outgoing, { ...beat, url: 'ftp://x' }), 400, 'url')
  refused(await asAdmin('POST', outgoing, { ...beat, url, gatewayId: 1, address: 'a@b.example' }), 400, 'url')
  refused(await asAdmin('POST', outgoing, { ...beat, gatewayId: 1 }), 400, 'address')
  refused(
    await asAdmin('POST', outgoing, { ...beat, gatewayId: 99, address: 'a@b.example' }),
    409,
    'gatewayId',
  )
  refused(await asAdmin('POST', outgoing, { ...beat, everySeconds: 1, url }), 400, 'everySeconds')
  refused(await asAdmin('POST', outgoing, { ...beat, name: 'REAL', url }), 409, 'name')
  refused(await service.as('operator', 'GET', outgoing), 403)
  const gateway = await asAdmin('POST', '/notify/gateway', {
    ...{ name: 'Mail', kind: 'mail', host: '127.0.0.1', port: 9, security: 'none', sender: 'x@example.net' },
  })
  const gatewayId = pathOf(gateway).split('/').at(-1)
  const made = await asAdmin('POST', outgoing, { ...beat, gatewayId, address: 'a@b.example' })
  assert.equal(made.status, 201, made.text)
  refused(await service.as('administrator', 'DELETE', pathOf(gateway)), 409)
  const reason = async () =>
    (
      await service.as('administrator', 'GET', pathOf(made), { headers: { Accept: 'application/json' } })
    ).json().reason
  await until('it fails', async () => (await reason()) === 'nothing listens there')
})

test('targets that messages may not go to are refused for heartbeats, too', async () => {
  const made = await asAdmin('POST', outgoing, {
    ...{ name: 'metadata', everySeconds: 60, url: 'http://169.254.169.254/latest' },
  })
  const record = async () =>
    (
      await service.as('administrator', 'GET', pathOf(made), { headers: { Accept: 'application/json' } })
    ).json()
  await until('it fails', async () => (await record()).failingSince !== '0')
  assert.match(String((await record()).reason), /link-local|metadata/)
})
