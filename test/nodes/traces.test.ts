// What the store keeps of datagrams that are processed: enough to recognise them when they come again, and no community.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { putBlock } from '../../src/cluster/blocks/block-table.ts'
import { Fault } from '../../src/fault.ts'
import { type Datagram, pack } from '../../src/intake/datagram-block.ts'
import type { Store, Transaction } from '../../src/store/database.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { device, ifIndex, inform, ledger, linkDown, sum, until, v2c } from '../intake/sending.ts'
import { newMigratedDatabase } from '../postgres-database.ts'
import { startService } from '../support.ts'
import { leaderOf, startNode } from './several.ts'

const raised = 'raised no such alarm was open'
const secret = 'c0mmunity-1n-clear'

/** Every text that the tables of received datagrams hold, also what it is base64 of. */
async function kept(database: Store): Promise<string> {
  const rows = [
    ...(await database.all('select bytes, counted, seen from intake_block')),
    ...(await database.all('select bytes from intake_aside')),
  ]
  return rows
    .flatMap((row) => Object.values(row).map(String))
    .flatMap((text) => [text, Buffer.from(text, 'base64').toString('latin1')])
    .join('\n')
}

test('processed blocks hold no community, repeats are recognised after a takeover, and processed blocks go with the window', async () => {
  const address = await newMigratedDatabase()
  const flags = { 'trap-communities': secret, 'duplicate-seconds': '30' }
  const [a, b] = [await startNode(address, 'a', flags), await startNode(address, 'b', flags)]
  const router = await device(b.trapPort)
  const sent = Array.from({ length: 20 }, (_, index) =>
    v2c(linkDown, [ifIndex(index)], { community: secret, inform: true, requestId: index }),
  )
  await router.send(...sent)
  await until('all are answered', () => router.heard.length === 20)
  const text = await kept(b.database)
  assert.ok(text.includes('127.0.0.1'), 'something is remembered')
  assert.ok(!text.includes(secret))
  await a.stop()
  await until('another is the leader', async () => (await leaderOf(b)) === 'b')
  await router.send(...sent)
  await until('all are answered again', () => router.heard.length === 40)
  assert.deepEqual(await ledger(b), { [raised]: 20, 'collapsed duplicate': 20 })
  await b.database.writeConcurrently((tx) =>
    tx.run('update intake_block set settled_at = settled_at - 31000'),
  )
  await until('they are removed', async () => {
    const rows = await b.database.all('select 1 as one from intake_block where settled_at > 0')
    return rows.length === 0
  })
})

/** A store that notes how many alarms are raised together, and that fails from the transaction on that `stops` names. */
function watched(database: Store, raisings: number[], stops = Number.POSITIVE_INFINITY): Store {
  const watch = (tx: Transaction): Transaction =>
    new Proxy(tx, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (name !== 'runEach') return typeof value === 'function' ? value.bind(target) : value
        return (...[statement, rows]: Parameters<Transaction['runEach']>) => {
          if (statement.sql.startsWith('insert into alarm ')) {
            if (raisings.length >= stops) throw new Fault('unavailable', 'a test')
            raisings.push(rows.length)
          }
          return target.runEach(statement, rows)
        }
      },
    })
  return new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
      return (...[work, ...rest]: Parameters<Store['transaction']>) =>
        target.transaction((tx) => work(watch(tx)), ...rest)
    },
  })
}

/** How many datagrams are not processed. */
async function left(address: string): Promise<number> {
  const database = new Postgres(address)
  const [row] = await database.all('select sum(datagrams - done) as n from intake_block where settled_at = 0')
  await database.close()
  return Number(row?.n)
}

test('a term begins with a few datagrams at a time; a block of which a part is processed is gone on with by another node, and what repeats the processed part is recognised', async () => {
  const address = await newMigratedDatabase()
  const raisings: number[] = []
  const open = async () => watched(new Postgres(address), raisings, 1)
  const first = await startService({ node: 'a', 'lease-seconds': '10' }, { open })
  const datagrams: Datagram[] = Array.from({ length: 300 }, (_, index) => ({
    sourceIp: '127.0.0.1',
    port: 4711,
    receivedAt: Date.now(),
    bytes: inform(index),
  }))
  const key = { node: 'gone', start: 1, sequence: 1 }
  await putBlock(first.database, key, Buffer.from(pack(datagrams)), datagrams.length, { tallies: [] })
  const done = async () => Number((await first.database.all('select done from intake_block'))[0]?.done)
  await until('some of it is processed', async () => (await done()) > 0)
  await first.stop()
  const [few = 0] = raisings
  assert.ok(few <= 100 && (await left(address)) === 300 - few, `${raisings} at a time`)
  const second = await startNode(address, 'b')
  await until('all of it is processed', async () => sum(await ledger(second)) === 300)
  assert.deepEqual(await ledger(second), { [raised]: 300 })
  // At another node than the one that is gone, so that it is a copy.
  const router = await device(second.trapPort)
  await router.send(inform(0), inform(299))
  await until('they are answered', () => router.heard.length === 2)
  assert.deepEqual(await ledger(second), { [raised]: 300, 'collapsed copy': 2 })
})
