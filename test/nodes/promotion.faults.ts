// A synchronous standby is promoted under three nodes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../intake/sending.ts'
import { Cluster, withoutDebianPostgres } from './cluster.ts'
import { UnderLoad } from './under-load.ts'

const options = { timeout: 240_000, ...withoutDebianPostgres }

const both = (one: Cluster, other: Cluster) =>
  `postgres://postgres@127.0.0.1:${one.port},127.0.0.1:${other.port}/belfry`

test(
  'points 1 and 12: a synchronous standby is promoted: nothing that was answered is lost, and no client is told a gap',
  options,
  async () => {
    const primary = await Cluster.make()
    const standby = await primary.standby('beside')
    await primary.ask("alter system set synchronous_standby_names = 'beside'")
    await primary.ask('select pg_reload_conf()')
    await until('the standby is synchronous', async () => {
      const [row] = await primary.ask('select sync_state from pg_stat_replication')
      return row?.sync_state === 'sync'
    })
    const load = await UnderLoad.start(primary, () => both(primary, standby))
    await load.untilAnswered(200)
    primary.stop('immediate')
    standby.promote()
    await load.untilAnswered(200, 90)
    await load.requireKept(standby)
    const gaps = load.clients.flatMap(({ connections }) =>
      connections.flatMap(({ received }) => received.filter(({ kind }) => kind === 'gap')),
    )
    assert.deepEqual(gaps, [])
    const [{ n } = {}] = await standby.ask(
      "select count(*) as n from alarm where alarm_type = '1.3.6.1.4.1.32473.1.32'",
      'belfry',
    )
    assert.equal(Number(n), 1, 'an alarm says that the store has moved')
  },
)
