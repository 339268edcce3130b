// Nodes whose machine has a wrong time: what they write, delete and decide follows the store's clock.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Lease } from '../../src/cluster/nodes/lease.ts'
import { Node } from '../../src/cluster/nodes/node.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { StoreClock } from '../../src/store/postgres/store-clock.ts'
import { sweep } from '../../src/upkeep/retention.ts'
import { device, ifIndex, linkDown, until, v2c } from '../intake/sending.ts'
import { newMigratedDatabase } from '../postgres-database.ts'
import { texts } from '../support.ts'
import { nothingSeen, startNode } from './several.ts'

const day = 24 * 3600 * 1000
const rightTime = Date.now
/** The machine of everything in this process is eight days ahead; PostgreSQL is another one. */
Date.now = () => rightTime() + 8 * day

const isNow = (time: number) => Math.abs(time - rightTime()) < 3_600_000

test('the time of transactions, traps, alarms and answers is that of the store, whatever the machine says', async () => {
  const node = await startNode(await newMigratedDatabase(), 'a', { 'lease-seconds': '1' })
  assert.ok(isNow(node.database.now()))
  assert.ok(isNow(await node.database.transaction(async (tx) => tx.now)))
  const sender = await device(node.trapPort)
  await sender.send(v2c(linkDown, [ifIndex(1)]))
  await until(
    'it is processed',
    // On a busy machine there may be an alarm of the service before it.
    async () => (await node.get('/fault/trap?total=true')).headers.total !== '0',
  )
  const times = async (path: string, name: string) =>
    texts((await node.get(path)).text, name).map((seconds) => Number(seconds) * 1000)
  for (const [path, name] of [
    ['/fault/trap', 'receivedTime'],
    ['/fault/alarm', 'faultTime'],
    ['/plat/node', 'lastSign'],
    ['/', 'time'],
  ] as const) {
    const found = await times(path, name)
    assert.ok(found.length > 0 && found.every(isNow), `${path}: ${found}`)
  }
  const rows = await node.database.all('select at from alarm_log')
  assert.ok(rows.length > 0 && rows.every(({ at }) => isNow(Number(at))))
  const keep = { count: 1_000_000, days: 7 }
  const removed = await sweep(node.database, { traps: keep, alarms: keep, log: keep, audit: keep })
  assert.equal(removed, 0, 'by the time of the machine all of it is old')
  await node.stop()
})

/** A node without the rest of a service; its checks are called by the test. */
async function join(address: string, name: string, offset: number) {
  const database = new Postgres(address)
  after(() => database.close())
  const log = { warn: () => undefined, info: () => undefined } as never
  const [right, wrong] = [rightTime, () => rightTime() + offset]
  Date.now = wrong
  const parts = {
    database,
    highWaterGuard: nothingSeen,
    log,
    onTerm: async () => undefined,
    onFatal: () => undefined,
  }
  const node = await Node.join(parts, { name, version: '1', leaseSeconds: 2 })
  Date.now = right
  return {
    node,
    /** With the clock of its own machine. */
    async renew() {
      Date.now = wrong
      await node.renew()
      Date.now = right
    },
  }
}

test('a node that is more than two seconds off leaves a free lease to others for one lease time, and then takes it', async () => {
  const address = await newMigratedDatabase()
  const database = new Postgres(address)
  after(() => database.close())
  await migrate(database)
  await new Lease(database, 2).prepare()
  const wrong = await join(address, 'wrong', -5000)
  const right = await join(address, 'right', 500)
  await wrong.renew()
  assert.equal(wrong.node.isLeader, false, 'the lease is free, and left to others')
  await right.renew()
  assert.equal(right.node.isLeader, true, 'another takes it at once')
  await wrong.renew()
  await right.node.stop()
  await wrong.renew()
  assert.equal(wrong.node.isLeader, false, 'given up in order: left to others as well')
  let checks = 0
  await until('it takes the lease', async () => {
    await wrong.renew()
    checks += 1
    return wrong.node.isLeader
  })
  assert.ok(checks > 1, 'not before one lease time')
  await wrong.node.stop()
})

test('a lease that was taken before the clock was set back is over', async () => {
  const address = await newMigratedDatabase()
  const database = new Postgres(address)
  after(() => database.close())
  await migrate(database)
  const lease = new Lease(database, 5)
  await lease.prepare()
  await database.transaction((tx) =>
    tx.run("update lease set holder = 'gone', ends_at = ? where one = 1", [rightTime() + 8 * day]),
  )
  assert.equal((await lease.read()).hasExpired, true)
})

test('a node whose row was removed joins again; one whose name was taken is told', async () => {
  const address = await newMigratedDatabase()
  const database = new Postgres(address)
  after(() => database.close())
  await migrate(database)
  const one = await join(address, 'one', 0)
  await database.transaction((tx) => tx.run('delete from node'))
  const { membership } = one.node
  await database.writeUrgently((tx) => membership.writeHeartbeat(tx))
  assert.equal((await database.all("select 1 from node where name = 'one'")).length, 1)
  await join(address, 'one', 0)
  await assert.rejects(
    database.writeUrgently((tx) => membership.writeHeartbeat(tx)),
    /has started as node one/,
  )
})

test('the store’s clock goes on steadily between looks, and slow answers move it no further than they must', async () => {
  let monotonic = 0
  const clock = new StoreClock(() => monotonic)
  const look = (took: number, answer: number) =>
    clock.update(async () => {
      monotonic += took
      return answer
    })
  await look(10, 1_000_005)
  assert.equal(clock.now(), 1_000_010)
  monotonic += 5000
  assert.equal(clock.now(), 1_005_010)
  // Anything between 1,004,000 and 1,008,000 agrees with what is known.
  await look(4000, 1_006_000)
  assert.equal(clock.now(), 1_009_010)
  monotonic += 2000
  await look(2, 1_071_011)
  assert.equal(clock.now(), 1_071_011, 'the server’s clock was set')
})
