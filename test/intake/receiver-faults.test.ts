// What the receiver promises when the store is slow or fails, when the service stops, and across a restart.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { UsmSender } from '../../src/snmp/send.ts'
import type { User } from '../../src/snmp/usm-user.ts'
import type { Database } from '../../src/store/database.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { values } from '../http/reading.ts'
import { startService, temporaryFolder } from '../support.ts'
import { Gate, gatedStore } from './gated.ts'
import { counted, device, ifIndex, inform, ledger, linkDown, sum, until, v2c, v3 } from './sending.ts'

const raised = 'raised no such alarm was open'

async function gatedService() {
  const gate = new Gate()
  const data = temporaryFolder()
  const service = await startService({ data }, { open: gatedStore(data, gate) })
  return { gate, data, service }
}

test('an inform is answered only after its alarm is on disk', async () => {
  const { gate, service } = await gatedService()
  const router = await device(service.trapPort)
  const came = gate.came
  gate.close()
  await router.send(inform(1))
  await until('its batch waits to be committed', () => gate.came > came)
  assert.deepEqual([router.heard.length, await ledger(service)], [0, {}])
  gate.open()
  await until('it is answered', () => router.heard.length > 0)
  assert.deepEqual(await ledger(service), { [raised]: 1 })
})

test('while the store fails traps are kept and informs unanswered; afterwards nothing is lost', async () => {
  const { gate, service } = await gatedService()
  const router = await device(service.trapPort)
  await router.send(inform(1))
  await until('the first is answered', () => router.heard.length === 1)
  gate.failing = true
  const came = gate.came
  for (let index = 2; index <= 1500; index += 1) await router.send(v2c(linkDown, [ifIndex(index)]))
  await router.send(inform(1501))
  await until('it was tried more than once', () => gate.came > came + 2)
  assert.equal(router.heard.length, 1)
  assert.deepEqual(await ledger(service), { [raised]: 1 })
  assert.equal((await service.get('/fault/alarm?total=true')).headers.total, '1')
  gate.failing = false
  await until('all are processed', async () => sum(await ledger(service)) === 1501)
  assert.deepEqual(await ledger(service), { [raised]: 1501 })
  await until('the inform is answered', () => router.heard.length === 2)
  const { received, binned } = await counted(service)
  assert.deepEqual([received, binned], [1501, 1501])
})

test('a datagram that triggers a bug is counted and not answered, and does not delay others', async () => {
  const data = temporaryFolder()
  const database = openSqlite(join(data, 'belfry.db'))
  const transaction: Database['transaction'] = (work) =>
    database.transaction((tx) =>
      work({
        ...tx,
        runEach: (statement, rows) => {
          const meetsIt = rows.some((row) => row.includes('ifIndex=13'))
          if (statement.sql.startsWith('insert into alarm ') && meetsIt) throw new TypeError('a test')
          return tx.runEach(statement, rows)
        },
      }),
    )
  const open = async () =>
    new Proxy(database, {
      get(target, name) {
        if (name === 'transaction') return transaction
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const service = await startService({ data }, { open })
  const router = await device(service.trapPort)
  await router.send(...Array.from({ length: 50 }, (_, index) => inform(index)))
  await until('all are processed', async () => sum(await ledger(service)) === 50)
  await router.send(inform(13))
  await until('it is tried anew', async () => sum(await ledger(service)) === 51)
  assert.deepEqual(await ledger(service), { [raised]: 49, 'malformed unexpected': 2 })
  await until('the others are answered', () => router.heard.length === 49)
  assert.ok(!router.answers().some(({ requestId }) => requestId === 13))
  const { received, binned } = await counted(service)
  assert.deepEqual([received, binned], [51, 51])
})

test('an orderly stop processes what has arrived', async () => {
  const { data, service, gate } = await gatedService()
  const router = await device(service.trapPort)
  const came = gate.came
  gate.close()
  const datagrams = Array.from({ length: 2000 }, (_, index) => v2c(linkDown, [ifIndex(index)]))
  await router.send(...datagrams)
  await until('some wait to be committed', () => gate.came > came)
  const stopped = service.stop()
  gate.delay = 200
  gate.open()
  await stopped
  const again = await startService({ data })
  assert.deepEqual(await ledger(again), { [raised]: 2000 })
})

test('a stop does not wait for very much on a slow store: what is not read any more is counted', async () => {
  const { data, service, gate } = await gatedService()
  const router = await device(service.trapPort)
  gate.delay = 600
  for (let first = 0; first < 15_000; first += 500) {
    const datagrams = Array.from({ length: 500 }, (_, index) => v2c(linkDown, [ifIndex(first + index)]))
    await router.send(...datagrams)
  }
  const began = performance.now()
  await service.stop()
  const took = performance.now() - began
  const again = await startService({ data })
  const { [raised]: processed = 0, 'refused stopping': left = 0, ...others } = await ledger(again)
  assert.deepEqual(others, {})
  assert(processed > 0 && left > 0, `${processed} processed, ${left} left`)
  assert(took < 10_000, `it took ${took} ms`)
})

test('a stop while the store fails ends soon', async () => {
  const { gate, service } = await gatedService()
  const router = await device(service.trapPort)
  const came = gate.came
  gate.failing = true
  await router.send(inform(1))
  await until('it was tried', () => gate.came > came)
  const began = performance.now()
  await service.stop()
  assert.ok(performance.now() - began < 20_000)
  assert.equal(router.heard.length, 0)
})

test('after a restart old messages of version 3 are still refused, and new ones taken', async () => {
  const data = temporaryFolder()
  const user: User = { name: 'ops', auth: { algorithm: 'sha256', password: 'authentication password' } }
  const users = join(data, 'users.json')
  writeFileSync(users, JSON.stringify([user]))
  const sender = new UsmSender(user, Buffer.from('8000000001020304', 'hex'))
  const recorded = [v3(sender, 7, 900, 1), v3(sender, 7, 1000, 2)]
  const first = await startService({ data, 'trap-users': users })
  await (await device(first.trapPort)).send(...recorded)
  await until('both are processed', async () => sum(await ledger(first)) === 2)
  assert.deepEqual(await ledger(first), { [raised]: 2 })
  await first.stop()
  const second = await startService({ data, 'trap-users': users })
  await (await device(second.trapPort)).send(...recorded, v3(sender, 6, 5000, 3), v3(sender, 7, 1001, 4))
  await until('all are processed', async () => sum(await ledger(second)) === 6)
  const { [raised]: taken, ...others } = await ledger(second)
  assert.equal(taken, 3)
  assert.equal(sum(others), 3)
  for (const line of Object.keys(others)) assert.match(line, /^refused (not-in-time-window|replay)$/)
  const { text } = await second.get('/fault/alarm')
  assert.deepEqual(values(text, 'paras'), ['*ifIndex=1', '*ifIndex=2', '*ifIndex=4'])
})

test('a captured message of a user with relaxedTime is refused after a restart', async () => {
  const user: User = {
    name: 'forgetful',
    auth: { algorithm: 'sha256', password: 'authentication password' },
    priv: { algorithm: 'aes128', password: 'privacy password' },
    relaxedTime: true,
  }
  const users = join(temporaryFolder(), 'users.json')
  writeFileSync(users, JSON.stringify([user]))
  const sender = new UsmSender(user, Buffer.from('8000000001020304', 'hex'))
  const captured = [v3(sender, 1, 900, 1), v3(sender, 1, 3, 2)]
  const settings = { data: temporaryFolder(), 'trap-users': users }
  for (const [start, { fresh, taken, replays }] of [
    { fresh: 3, taken: 3, replays: 0 },
    { fresh: 4, taken: 4, replays: 2 },
    { fresh: 5, taken: 5, replays: 4 },
  ].entries()) {
    const service = await startService(settings)
    await (await device(service.trapPort)).send(...captured, v3(sender, 1, 3, fresh))
    await until(
      `all of start ${start} are processed`,
      async () => sum(await ledger(service)) === 3 * (start + 1),
    )
    assert.deepEqual(
      await ledger(service),
      { [raised]: taken, ...(replays > 0 && { 'refused replay': replays }) },
      `start ${start}`,
    )
    await service.stop()
  }
})
