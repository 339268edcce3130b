// Several nodes on one store: streams are served by any of them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openEpoch } from '../../src/alarms/log/epochs.ts'
import { Positions } from '../../src/push/positions.ts'
import { Registrations } from '../../src/push/registrations.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { ids, listeningTo } from '../http/listening.ts'
import { newMigratedDatabase } from '../postgres-database.ts'
import { startService } from '../support.ts'

const store = await newMigratedDatabase()
const nodes = await Promise.all([
  startService({ store, node: 'one' }),
  startService({ store, node: 'other' }),
])
const [one, other] = nodes.map(listeningTo) as [
  ReturnType<typeof listeningTo>,
  ReturnType<typeof listeningTo>,
]

test('nodes, streams: an alarm raised at one node reaches the streams of all', async () => {
  const readers = [await one.listen(), await other.listen()]
  const raised = [await one.raise(), await other.raise(), await one.raise()]
  for (const reader of readers) {
    await reader.take(3)
    assert.deepEqual(ids(reader), raised)
    reader.close()
  }
})

test('nodes, streams: the newest registration of a uuid replaces the older one, and goes on where it was', async () => {
  const older = await one.listen('uuid=desk')
  const first = await one.raise()
  await older.take(1)
  const newer = await other.listen('uuid=desk')
  await older.end()
  const second = await one.raise()
  // What may not have arrived on the older connection comes again.
  await newer.take(2)
  assert.deepEqual(ids(newer), [first, second])
  const back = await one.listen('uuid=desk')
  await newer.end()
  const third = await other.raise()
  await back.take(3)
  assert.equal(ids(back).at(-1), third)
  back.close()
})

test('nodes, streams: a registration that is deleted at another node ends', async () => {
  const reader = await one.listen('uuid=gone')
  assert.equal((await nodes[1]?.ask('DELETE', '/events/registrations/gone'))?.status, 204)
  await reader.end()
})

async function twoStores() {
  const address = await newMigratedDatabase()
  const open = () => {
    const database = new Postgres(address)
    after(() => database.close())
    return database
  }
  const [first, second] = [open(), open()]
  await migrate(first)
  return [first, second] as const
}

test('nodes, streams: when a node starts, or is gone, its own connections are removed from the list', async () => {
  const [database] = await twoStores()
  const [a, b] = [new Registrations(database, 'a'), new Registrations(database, 'b')]
  await a.claim({ uuid: 'at a', query: '' })
  await b.claim({ uuid: 'at b', query: '' })
  const connected = async () =>
    (await a.list()).filter((one) => one.connected).map(({ uuid, node }) => [uuid, node])
  await new Registrations(database, 'c').start()
  assert.deepEqual(await connected(), [
    ['at a', 'a'],
    ['at b', 'b'],
  ])
  await new Registrations(database, 'a').start()
  assert.deepEqual(await connected(), [['at b', 'b']])
  await a.disconnectFrom('b')
  assert.deepEqual(await connected(), [])
})

test('nodes, streams: an epoch that a node does not know is read again before a gap is reported', async () => {
  const [database, another] = await twoStores()
  await openEpoch(database)
  const positions = await Positions.open(database)
  const opened = await openEpoch(another, () => 1n)
  const start = await positions.resume({ epoch: opened.number, number: 0n })
  assert.equal(start.gap, undefined)
  const strange = await positions.resume({ epoch: 1n, number: 5n })
  assert.match(String(strange.gap?.reason), /another history/)
})
