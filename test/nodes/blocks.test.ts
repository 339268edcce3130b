// Blocks that cannot be processed, and blocks of a store that was copied.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  markProcessed,
  processedRecently,
  putBlock,
  waitingBlocks,
} from '../../src/cluster/blocks/block-table.ts'
import type { Store, Transaction } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { counted, device, inform, ledger, sum, until } from '../intake/sending.ts'
import { newMigratedDatabase } from '../postgres-database.ts'
import { startService, texts } from '../support.ts'
import { startNode } from './several.ts'

/** A store at which every transaction fails that writes an alarm of interface 13. */
function poisoned(database: Store): Store {
  const spoil = (tx: Transaction): Transaction =>
    new Proxy(tx, {
      get(target, name) {
        if (name !== 'runEach') {
          const value = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        }
        return (...[statement, rows]: Parameters<Transaction['runEach']>) => {
          const meetsIt = rows.some((row) => row.includes('*ifIndex=13'))
          if (statement.sql.startsWith('insert into alarm ') && meetsIt) throw new TypeError('a test')
          return target.runEach(statement, rows)
        }
      },
    })
  return new Proxy(database, {
    get(target, name) {
      if (name === 'transaction') {
        return (...[work, ...rest]: Parameters<Store['transaction']>) =>
          target.transaction((tx) => work(spoil(tx)), ...rest)
      }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('a datagram that cannot be processed is quarantined after some attempts, with an alarm; all others are processed once', async () => {
  const address = await newMigratedDatabase()
  const service = await startService({ node: 'a' }, { open: async () => poisoned(new Postgres(address)) })
  const router = await device(service.trapPort)
  await router.send(...Array.from({ length: 30 }, (_, index) => inform(index)))
  await until('all are processed', async () => sum(await ledger(service)) === 30)
  assert.deepEqual(await ledger(service), {
    'raised no such alarm was open': 29,
    'malformed unexpected': 1,
  })
  await until('the others are answered', () => router.heard.length === 29)
  assert.ok(!router.answers().some(({ requestId }) => requestId === 13))
  await until('an alarm reports it', async () =>
    (await service.get('/fault/alarm?size=100')).text.includes('and was quarantined'),
  )
  const aside = await service.database.all('select node, source_ip, bytes from intake_aside')
  const kept = Buffer.from(String(aside[0]?.bytes), 'base64').toString('latin1')
  assert.ok(kept.includes('******') && !kept.includes('public'), 'without its community')
  assert.deepEqual(
    aside.map(({ node, source_ip: from }) => [node, from]),
    [['a', '127.0.0.1']],
  )
  const { received, binned } = await counted(service)
  assert.deepEqual([received, binned], [30, 30])
})

test('blocks are processed in order, and a node that takes over reads everything that was processed lately, however many blocks it is', async () => {
  const database = new Postgres(await newMigratedDatabase())
  await migrate(database)
  const keys = Array.from({ length: 1500 }, (_, sequence) => ({ node: 'a', start: 1, sequence }))
  for (const key of keys) await putBlock(database, key, Buffer.alloc(30, key.sequence), 1, { tallies: [] })
  const first = await waitingBlocks(database, 20)
  const behind = await waitingBlocks(database, 20, first)
  assert.deepEqual(
    [...first, ...behind].map(({ sequence }) => sequence),
    keys.slice(0, 20).map(({ sequence }) => sequence),
  )
  for (let at = 0; at < keys.length; at += 100)
    await database.transaction((tx) =>
      markProcessed(
        tx,
        keys
          .slice(at, at + 100)
          .map((key) => ({ ...key, done: 1, isAll: true, attempts: 0, seen: 'x'.repeat(30) })),
      ),
    )
  const all = await processedRecently(database, 60_000, 1_000_000)
  assert.deepEqual(
    all.map(({ sequence }) => sequence),
    keys.map(({ sequence }) => sequence),
  )
  const some = await processedRecently(database, 60_000, 100_000)
  assert.ok(some.length > 300 && some.length < 500, `${some.length} of them`)
  assert.equal(some.at(-1)?.sequence, 1499)
  await database.close()
})

test('a store that was copied elsewhere drops its waiting blocks, counts them, and begins a new epoch', async () => {
  const address = await newMigratedDatabase()
  const first = await startNode(address, 'a')
  const { database } = first
  const epochs = async (of: Store) => Number((await of.all('select count(*) as n from epoch'))[0]?.n)
  const before = await epochs(database)
  await first.stop()
  // As in a dump that was restored on another server: another cluster, and blocks that are not processed.
  const copy = new Postgres(address)
  await copy.transaction(async (tx) => {
    await tx.run("update fence set system = '1/1'")
    await tx.run(
      "insert into intake_block (node, start, sequence, kept_at, datagrams, bytes, counted, attempts, done, settled_at) values ('x', 1, 1, 1, 7, '', '{\"tallies\":[]}', 0, 0, 0)",
    )
  })
  await copy.close()
  const second = await startNode(address, 'a')
  await until('it is reported', async () => {
    const { text } = await second.get('/fault/alarm?recStatus=0')
    return texts(text, 'alarmDesc').some((one) => one.includes('7 datagrams that waited in it'))
  })
  assert.deepEqual(await second.database.all("select node from intake_block where node = 'x'"), [])
  assert.equal(await epochs(second.database), before + 1)
})

test('an inform that waits in the store and is sent again is kept once, counted, and answered when it is processed; after that it is answered each time', async () => {
  const address = await newMigratedDatabase()
  const service = await startNode(address, 'a')
  const { database } = service
  const router = await device(service.trapPort)
  // Nothing is processed as long as somebody else holds the fence.
  const held = new Postgres(address)
  let release: () => void = () => undefined
  const holding = new Promise<void>((resolve) => {
    release = resolve
  })
  const begun = Promise.withResolvers<void>()
  const lock = held.writeConcurrently(async (tx) => {
    await tx.all('select 1 as one from intake_block for update')
    await tx.run('lock table alarm in share mode')
    begun.resolve()
    await holding
  })
  await begun.promise
  const waiting = async () =>
    Number(
      (
        await database.all('select coalesce(sum(datagrams), 0) as n from intake_block where settled_at = 0')
      )[0]?.n,
    )
  const some = Array.from({ length: 10 }, (_, index) => inform(index))
  await router.send(...some)
  await until('they wait', async () => (await waiting()) === 10)
  for (let again = 0; again < 3; again += 1) await router.send(...some)
  // Behind them on the same socket: when it is there, they have been received.
  await router.send(inform(10))
  await until('they are received', async () => (await waiting()) >= 11)
  assert.equal(await waiting(), 11)
  assert.equal(router.heard.length, 0)
  release()
  await lock
  await until('all are answered', () => router.heard.length === 11)
  await until('all are counted', async () => sum(await ledger(service)) === 41)
  assert.deepEqual(await ledger(service), {
    'raised no such alarm was open': 11,
    'collapsed duplicate': 30,
  })
  await until('what comes now is answered again', async () => {
    await router.send(inform(3))
    return router.heard.length > 11
  })
  await held.close()
})
