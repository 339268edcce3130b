// How PostgreSQL reads tables that grow: what was planned while a table was empty must not stay when it is full.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bulk, type SqlValue, type Transaction } from '../../src/store/database.ts'
import { bothStores } from '../support.ts'

const postgres = bothStores.find(({ name }) => name === 'PostgreSQL')
assert.ok(postgres)
const database = await postgres.openMigrated()

const rows = 5000
const added = bulk(
  'insert into recovery (device_id, resource, alarm_type, uptime, received_at) values (?, ?, ?, ?, ?)',
  ['bigint', 'text', 'text', 'bigint', 'bigint'],
)
const key = (n: number): SqlValue[] => [BigInt(n), `ifIndex=${n}`, '1.3.6.1']
const keys = Array.from({ length: 20 }, (_, n) => key(n))
const found = bulk('select device_id from recovery where device_id = ? and resource = ? and alarm_type = ?', [
  'bigint',
  'text',
  'text',
])
const changed = bulk(
  'update recovery set uptime = ? where device_id = ? and resource = ? and alarm_type = ?',
  ['bigint', 'bigint', 'text', 'text'],
)

/** Rows that were looked at one after the other, without an index. */
async function readThrough(work: (tx: Transaction) => Promise<unknown>): Promise<number> {
  const read = async (tx: Transaction) => {
    const sql = "select seq_tup_read as n from pg_stat_xact_user_tables where relname = 'recovery'"
    return Number((await tx.all(sql))[0]?.n)
  }
  return database.transaction(async (tx) => {
    const before = await read(tx)
    await work(tx)
    return (await read(tx)) - before
  })
}

const works: Record<string, (tx: Transaction) => Promise<unknown>> = {
  'read by their keys': (tx) => tx.allEach(found, keys),
  'changed by their keys': (tx) =>
    tx.runEach(
      changed,
      keys.map((one) => [1n, ...one]),
    ),
}

test('rows of a table that was empty a moment ago are read and changed by its index', async () => {
  await database.transaction((tx) => tx.run('analyze recovery'))
  // As often as the server wants to see a statement before it keeps a plan of it.
  for (let time = 0; time < 8; time += 1) {
    for (const work of Object.values(works)) await database.transaction((tx) => work(tx))
  }
  const all = Array.from({ length: rows }, (_, n) => [...key(n), 0n, 0n])
  await database.transaction((tx) => tx.runEach(added, all))
  for (const [name, work] of Object.entries(works)) {
    let seen = rows
    for (let time = 0; time < 600 && seen > 0; time += 1) {
      seen = await readThrough(work)
      if (seen > 0) await sleep(100)
    }
    assert.equal(seen, 0, `rows looked at one by one where 20 are ${name}`)
  }
})
