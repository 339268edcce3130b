// A standby is promoted under three nodes: a synchronous one, and an asynchronous one that lacks commits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { chance } from '../acceptance/chance.ts'
import { until } from '../intake/sending.ts'
import { record, rounds } from '../outcome.ts'
import { Cluster, withoutDebianPostgres } from './cluster.ts'
import { UnderLoad } from './under-load.ts'

const random = chance(20_261_117)
const options = { timeout: 480_000, ...withoutDebianPostgres }

const both = (one: Cluster, other: Cluster) =>
  `postgres://postgres@127.0.0.1:${one.port},127.0.0.1:${other.port}/belfry`

/** A standby that every commit waits for. */
async function standbyOf(primary: Cluster, port?: number): Promise<Cluster> {
  const standby = await primary.standby('beside', port)
  await primary.ask("alter system set synchronous_standby_names = 'beside'")
  await primary.ask('select pg_reload_conf()')
  await until('the standby is synchronous', async () => {
    const [row] = await primary.ask('select sync_state from pg_stat_replication')
    return row?.sync_state === 'sync'
  })
  return standby
}

test(`a synchronous standby is promoted ${rounds} times: nothing that was answered is lost, and no client gets a gap`, {
  ...options,
  timeout: 300_000 + rounds * 240_000,
}, async (context) => {
  let primary = await Cluster.make()
  let standby = await standbyOf(primary)
  const address = both(primary, standby)
  const load = await UnderLoad.start(primary, () => address)
  for (let round = 1; round <= rounds; round += 1) {
    await load.untilAnswered(200 + Math.floor(random() * 500))
    primary.stop('immediate')
    standby.promote()
    record({ rounds: 1, pause: await load.untilAnswered(200) })
    const { port } = primary
    primary = standby
    // Where the one was that is gone: nodes know two places.
    if (round < rounds) standby = await standbyOf(primary, port)
  }
  context.diagnostic(await load.requireKept(primary))
  const gaps = load.clients.flatMap(({ connections }) =>
    connections.flatMap(({ received }) => received.filter(({ kind }) => kind === 'gap')),
  )
  assert.deepEqual(gaps, [])
  const [{ n } = {}] = await primary.ask(
    "select count(*) as n from alarm where alarm_type = '1.3.6.1.4.1.32473.1.32'",
    'belfry',
  )
  assert.ok(Number(n) > 0, 'an alarm says that the store has moved')
})

test(
  'versions on a promoted standby are noticed at once, also where they are lower than on the server before',
  options,
  async () => {
    const primary = await Cluster.make()
    const writer = new Postgres(primary.address())
    await migrate(writer)
    const standby = await primary.standby('behind')
    const count = (database: Store, name: string) =>
      database.transaction((tx) => tx.run('insert into counter (name, value) values (?, 1)', [name]))
    standby.stop('immediate')
    const reader = new Postgres(both(primary, standby))
    for (const name of ['a', 'b', 'c', 'd']) await count(writer, name)
    await reader.refresh()
    const before = reader.version('counter')
    await writer.close()
    primary.stop('immediate')
    standby.start()
    standby.promote()
    const other = new Postgres(standby.address())
    await count(other, 'e')
    await until('the other server is found', () =>
      reader.refresh().then(
        () => true,
        () => false,
      ),
    )
    assert.notEqual(reader.version('counter'), before)
    await count(reader, 'f')
    await other.refresh()
    const [{ number } = {}] = await standby.ask('select number from writer', 'belfry')
    const [{ n } = {}] = await standby.ask(
      "select count(*) as n from counter where name in ('e', 'f')",
      'belfry',
    )
    assert.equal(Number(n), 2)
    assert.ok(Number(number) > 1, `commits are counted on: ${number}`)
    await reader.close()
    await other.close()
  },
)

test(
  'an asynchronous standby that lacks commits is promoted: clients that saw them get a gap',
  options,
  async () => {
    const primary = await Cluster.make()
    const standby = await primary.standby('behind')
    const load = await UnderLoad.start(primary, () => both(primary, standby))
    await load.untilAnswered(100)
    standby.stop('immediate')
    const [{ kept } = {}] = await primary.ask(
      "select value as kept from counter where name = 'alarm log'",
      'belfry',
    )
    await load.untilAnswered(100)
    await until('clients have seen what the standby lacks', () =>
      load.clients.every(({ reached }) => reached > Number(kept) + 20),
    )
    primary.stop('immediate')
    standby.start()
    standby.promote()
    // Answers that were on their way when the primary stopped still come in: what counts is the new history.
    let jump: Record<string, unknown> | undefined
    await until('numbers have jumped', async () => {
      const [row] = await standby.ask(
        'select last_before as last, first_entry as first from epoch where last_before >= 0 order by number desc limit 1',
        'belfry',
      )
      jump = row
      return row !== undefined
    })
    const { last, first } = jump ?? {}
    await load.untilAnswered(100)
    const numbers = (received: readonly { kind: string; position?: string }[]) =>
      received.flatMap(({ position }) => (position === undefined ? [] : [Number(position.split(':')[1])]))
    await until('all clients are in the new history', () =>
      load.clients.every(({ reached }) => reached >= Number(first)),
    )
    let saw = 0
    for (const { name, connections } of load.clients) {
      const received = connections.flatMap((one) => one.received)
      const lost = numbers(received).filter((number) => number > Number(last) && number < Number(first))
      if (lost.length === 0) continue
      saw += 1
      assert.ok(
        received.some(({ kind }) => kind === 'gap'),
        `${name} saw ${lost.length} entries that are gone, and was not informed`,
      )
    }
    assert.ok(saw > 0, 'somebody saw what is gone')
  },
)
