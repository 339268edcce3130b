// PostgreSQL goes back in time under two nodes, and the node that clients were connected to dies at the same moment. Every
// client, by uuid or by position, connected or not, is told what is gone; no id means two things; and it goes on by itself,
// while informs keep coming.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../intake/sending.ts'
import { rounds } from '../outcome.ts'
import { Cluster, withoutDebianPostgres } from './cluster.ts'
import { Observed } from './observed.ts'

const options = { timeout: 300_000 + rounds * 240_000, ...withoutDebianPostgres }

const both = (one: Cluster, other: Cluster) =>
  `postgres://postgres@127.0.0.1:${one.port},127.0.0.1:${other.port}/belfry`

/** How often numbers have jumped. */
const jumpsIn = async (cluster: Cluster, database = 'belfry') =>
  Number((await cluster.ask('select count(*) as n from epoch where last_before >= 0', database))[0]?.n)

async function requireOneMore(cluster: Cluster, before: number, database = 'belfry'): Promise<void> {
  assert.equal(await jumpsIn(cluster, database), before + 1, 'one epoch was opened')
}

for (const kind of ['asynchronous', 'synchronous'] as const) {
  test(`promotion of a standby, ${kind}, with the clients' node dead, ${rounds} times`, options, async () => {
    const isLossy = kind === 'asynchronous'
    for (let round = 1; round <= rounds; round += 1) {
      const primary = await Cluster.make()
      const standby = await primary.standby('beside')
      if (!isLossy) await waitFor(primary)
      const observed = await Observed.start(() => both(primary, standby))
      if (isLossy) standby.stop('immediate')
      await observed.goOn()
      primary.stop('immediate')
      await observed.kill('a')
      const began = performance.now()
      await observed.wentBack()
      if (isLossy) standby.start()
      standby.promote()
      await observed.restart('a')
      await observed.check(standby, 'belfry', isLossy, began)
      await requireOneMore(standby, 0)
      standby.stop()
    }
  })
}

async function waitFor(primary: Cluster): Promise<void> {
  await primary.ask("alter system set synchronous_standby_names = 'beside'")
  await primary.ask('select pg_reload_conf()')
  await until('the standby is synchronous', async () => {
    const [row] = await primary.ask('select sync_state from pg_stat_replication')
    return row?.sync_state === 'sync'
  })
}

test(`a dump is restored into a new database, ${rounds} times`, options, async () => {
  const cluster = await Cluster.make()
  let database = 'belfry'
  const observed = await Observed.start(() => cluster.address().replace(/belfry$/, database))
  for (let round = 1; round <= rounds; round += 1) {
    const dump = cluster.dump(database)
    const before = await jumpsIn(cluster, database)
    await observed.goOn()
    for (const { name } of observed.nodes) await observed.kill(name)
    const began = performance.now()
    await observed.wentBack()
    database = `anew${round}`
    await cluster.restore(dump, database)
    await Promise.all(['a', 'b'].map((name) => observed.restart(name)))
    await observed.check(cluster, database, true, began)
    await requireOneMore(cluster, before, database)
  }
})

test(`a dump is restored in place while a node runs, ${rounds} times`, options, async () => {
  const cluster = await Cluster.make()
  const observed = await Observed.start(() => cluster.address())
  for (let round = 1; round <= rounds; round += 1) {
    const dump = cluster.dump()
    const before = await jumpsIn(cluster)
    await observed.goOn()
    await observed.kill('a')
    const began = performance.now()
    await cluster.restore(dump)
    await observed.wentBack()
    await observed.restart('a')
    await observed.check(cluster, 'belfry', true, began)
    await requireOneMore(cluster, before)
  }
})

test(`a cold copy of the data directory is put back, ${rounds} times`, options, async () => {
  const cluster = await Cluster.make()
  const observed = await Observed.start(() => cluster.address())
  for (let round = 1; round <= rounds; round += 1) {
    const copy = cluster.copyCold()
    await observed.raise(1)
    for (const one of observed.observers)
      if (!one.isConnected) await one.connect(observed.node('a').process.url)
    const before = await jumpsIn(cluster)
    await observed.goOn()
    await observed.kill('a')
    const began = performance.now()
    cluster.putBackCold(copy)
    await observed.wentBack()
    await observed.restart('a')
    await observed.check(cluster, 'belfry', true, began)
    await requireOneMore(cluster, before)
  }
})
