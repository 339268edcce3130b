// Every node receives, one is the leader: blocks, lease and fence, answers and copies, on a real PostgreSQL.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { UsmSender } from '../../src/snmp/send.ts'
import type { User } from '../../src/snmp/usm-user.ts'
import { device, ifIndex, inform, ledger, linkDown, linkUp, sum, until, v2c, v3 } from '../intake/sending.ts'
import { temporaryFolder, texts } from '../support.ts'
import { leaderOf, nodesOf, startNode, startNodes } from './several.ts'

const raised = 'raised no such alarm was open'

test('every node receives, answers HTTP and serves the same alarms; one of them is the leader', async () => {
  const { services } = await startNodes(3)
  const [a] = services
  assert.ok(a)
  assert.equal(await leaderOf(a), 'a')
  for (const [index, service] of services.entries()) {
    const router = await device(service.trapPort)
    await router.send(inform(index + 1))
    await until(`node ${index} answers`, () => router.heard.length === 1)
    assert.equal(router.answers()[0]?.requestId, index + 1)
  }
  for (const service of services) {
    assert.deepEqual(texts((await service.get('/fault/alarm')).text, 'paras').sort(), [
      '*ifIndex=1',
      '*ifIndex=2',
      '*ifIndex=3',
    ])
    assert.deepEqual(await ledger(service), { [raised]: 3 })
  }
})

test('GET /plat/node lists nodes and /metrics shows what waits, the term and who is the leader', async () => {
  const { services } = await startNodes(2)
  const [a, b] = services
  assert.ok(a && b)
  const shown = await nodesOf(b)
  assert.deepEqual(
    shown.map(({ name, state, settles, blocksWaiting }) => ({ name, state, settles, blocksWaiting })),
    [
      { name: 'a', state: 'running', settles: true, blocksWaiting: 0 },
      { name: 'b', state: 'running', settles: false, blocksWaiting: 0 },
    ],
  )
  const metrics = async (service: typeof a) => (await service.get('/metrics')).text
  assert.match(await metrics(a), /^belfry_node_settles 1$/m)
  assert.match(await metrics(b), /^belfry_node_settles 0$/m)
  assert.match(await metrics(b), /^belfry_node_term 1$/m)
  assert.match(await metrics(b), /^belfry_intake_blocks_waiting\{node="b"\} 0$/m)
  assert.match(await metrics(b), /^belfry_intake_oldest_seconds\{node="b"\} 0$/m)
})

test('a node that stops properly hands over, and what it received is processed once', async () => {
  const { services } = await startNodes(2)
  const [a, b] = services
  assert.ok(a && b)
  const router = await device(b.trapPort)
  const some = Array.from({ length: 200 }, (_, index) => v2c(linkDown, [ifIndex(index)]))
  await router.send(...some)
  await a.stop()
  await until('another is the leader', async () => (await leaderOf(b)) === 'b')
  await until('all are processed', async () => sum(await ledger(b)) === 200)
  assert.deepEqual(await ledger(b), { [raised]: 200 })
  assert.deepEqual(
    (await nodesOf(b)).map(({ name, state }) => [name, state]),
    [
      ['a', 'stopped'],
      ['b', 'running'],
    ],
  )
})

test('the n-th notification at one node is a copy of the n-th at another; down, up and down in one tick are three', async () => {
  const { services } = await startNodes(2)
  const [a, b] = services
  assert.ok(a && b)
  const [left, right] = [await device(a.trapPort), await device(b.trapPort)]
  const [down, up, again] = [
    v2c(linkDown, [ifIndex(1)], { requestId: 1 }),
    v2c(linkUp, [ifIndex(1)], { requestId: 2 }),
    v2c(linkDown, [ifIndex(1)], { requestId: 3 }),
  ] as const
  await left.send(down, up, again)
  await until('the first node has all', async () => sum(await ledger(a)) === 3)
  await right.send(
    v2c(linkDown, [ifIndex(1)], { requestId: 11 }),
    v2c(linkUp, [ifIndex(1)], { requestId: 12 }),
    v2c(linkDown, [ifIndex(1)], { requestId: 13 }),
  )
  await until('the second node has all', async () => sum(await ledger(a)) === 6)
  const { 'collapsed copy': copies, ...others } = await ledger(a)
  assert.equal(copies, 3)
  assert.equal(sum(others), 3)
  const { text } = await a.get('/fault/alarm?recStatus=0')
  assert.deepEqual(texts(text, 'paras'), ['*ifIndex=1'])
})

test('an inform that is a copy is answered by the node that received it', async () => {
  const { services } = await startNodes(2)
  const [a, b] = services
  assert.ok(a && b)
  const [left, right] = [await device(a.trapPort), await device(b.trapPort)]
  await left.send(v2c(linkDown, [ifIndex(7)], { inform: true, requestId: 70 }))
  await until('it is answered', () => left.heard.length === 1)
  await right.send(v2c(linkDown, [ifIndex(7)], { inform: true, requestId: 71 }))
  await until('its copy is answered', () => right.heard.length === 1)
  assert.equal(right.answers()[0]?.requestId, 71)
  assert.deepEqual(await ledger(a), { [raised]: 1, 'collapsed copy': 1 })
})

test('a fault from before a recovery that was processed already is stored only, overtaken; after a restart it is not', async () => {
  const { services } = await startNodes(2)
  const [a, b] = services
  assert.ok(a && b)
  const [left, right] = [await device(a.trapPort), await device(b.trapPort)]
  await left.send(v2c(linkDown, [ifIndex(1)], { uptime: 100_000 }))
  await until('it is raised', async () => sum(await ledger(a)) === 1)
  await left.send(v2c(linkUp, [ifIndex(1)], { uptime: 100_300 }))
  await until('it is recovered', async () => sum(await ledger(a)) === 2)
  await right.send(v2c(linkDown, [ifIndex(1)], { uptime: 100_200 }))
  await until('the late one is processed', async () => sum(await ledger(a)) === 3)
  assert.equal((await ledger(a))['stored-only overtaken by a recovery'], 1)
  // Also where the recovery had nothing to end, for its fault was still on its way.
  await left.send(v2c(linkUp, [ifIndex(2)], { uptime: 100_400 }))
  await until('the recovery is processed', async () => sum(await ledger(a)) === 4)
  await right.send(v2c(linkDown, [ifIndex(2)], { uptime: 100_350 }))
  await until('its fault is processed', async () => sum(await ledger(a)) === 5)
  assert.equal((await ledger(a))['stored-only overtaken by a recovery'], 2)
  // The device has started anew: its time is small again, and says nothing about the time before.
  await right.send(v2c(linkDown, [ifIndex(1)], { uptime: 1 }))
  await until('the new one is processed', async () => sum(await ledger(a)) === 6)
  assert.equal((await ledger(a))[raised], 2)
})

test('SNMPv3 has one engine for all nodes, before and after a takeover; what one node took no other takes again', async () => {
  const user: User = { name: 'ops', auth: { algorithm: 'sha256', password: 'authentication password' } }
  const users = join(temporaryFolder(), 'users.json')
  writeFileSync(users, JSON.stringify([user]))
  const { services, address } = await startNodes(2, { 'trap-users': users })
  const [a, b] = services
  assert.ok(a && b)
  const sender = new UsmSender(user, Buffer.from('8000000001020304', 'hex'))
  const first = v3(sender, 7, 900, 1)
  const router = await device(b.trapPort)
  await router.send(first)
  await until('it is taken', async () => sum(await ledger(b)) === 1)
  await a.stop()
  await until('another is the leader', async () => (await leaderOf(b)) === 'b')
  // Of the same second as the one before, and new; and the one before again.
  await router.send(v3(sender, 7, 900, 2), first)
  await until('all are processed', async () => sum(await ledger(b)) === 3)
  assert.deepEqual(await ledger(b), { [raised]: 2, 'refused replay': 1 })
  const before = await engineRows(b)
  const again = await startNode(address, 'a', { 'trap-users': users })
  await b.stop()
  await until('the first processes again', async () => (await leaderOf(again)) === 'a')
  assert.deepEqual(await engineRows(again), before)
})

const engineRows = ({ database }: Awaited<ReturnType<typeof startNode>>) =>
  database.all("select engine_id, boots, received_at from snmp_engine where engine_id like 'self%'")
