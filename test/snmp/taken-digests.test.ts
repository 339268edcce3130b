import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AcceptedDigests, SeenMessages } from '../../src/snmp/replayed-messages.ts'
import type { Seen } from '../../src/snmp/snmp-engines.ts'
import { stores } from '../support.ts'

const digest = (n: number) => Buffer.from(`message ${n}`)

test('no message is taken twice while it is among the latest', () => {
  const taken = new AcceptedDigests(3)
  assert.deepEqual(
    [1, 2, 1, 3, 4].map((n) => taken.take(digest(n))),
    [true, true, false, true, true],
  )
  assert.equal(taken.count, 3)
  assert.deepEqual(
    [2, 3, 4, 1].map((n) => taken.take(digest(n))),
    [false, false, false, true],
  )
})

for (const store of stores) {
  describe(store.name, () => {
    test('the latest are known after a restart, and the store keeps no more than these', async () => {
      const database = await store.openMigrated()
      const first = await AcceptedDigests.open(database, 5)
      // More than the ring holds in one block, as after a long trouble of the store.
      for (let n = 0; n < 12; n += 1) assert.ok(first.take(digest(n)))
      await database.transaction((tx) => first.write(tx))
      assert.ok(first.take(digest(12)))
      await database.transaction((tx) => first.write(tx))
      const second = await AcceptedDigests.open(database, 5)
      for (const n of [8, 9, 10, 11, 12]) assert.ok(!second.take(digest(n)), `message ${n}`)
      assert.ok(second.take(digest(13)))
      await database.transaction((tx) => second.write(tx))
      const rows = await database.all('select number from snmp_taken order by number')
      assert.deepEqual(
        rows.map(({ number }) => Number(number)),
        [9, 10, 11, 12, 13],
      )
    })

    test('what comes while a block is being written is written with the next one', async () => {
      const database = await store.openMigrated()
      const taken = await AcceptedDigests.open(database)
      const messages = await SeenMessages.open(database)
      const seen = (n: number) => ({ engine: { id: '80' }, boots: 1, time: n, digest: String(n) }) as Seen
      taken.take(digest(1))
      messages.note(seen(1))
      await database.transaction(async (tx) => {
        await taken.write(tx)
        await messages.write(tx)
        taken.take(digest(2))
        messages.note(seen(2))
      })
      await database.transaction(async (tx) => {
        await taken.write(tx)
        await messages.write(tx)
      })
      const again = await AcceptedDigests.open(database)
      for (const n of [1, 2]) assert.ok(!again.take(digest(n)), `message ${n}`)
      const { kept } = await SeenMessages.open(database)
      assert.deepEqual(
        kept.map(({ time }) => time),
        [1, 2],
      )
    })

    test('what was not committed is written with the next block', async () => {
      const database = await store.openMigrated()
      const taken = await AcceptedDigests.open(database)
      taken.take(digest(1))
      const failing = database.transaction(async (tx) => {
        await taken.write(tx)
        throw new Error('the disk is full')
      })
      await assert.rejects(failing, /the disk is full/)
      await database.transaction((tx) => taken.write(tx))
      assert.ok(!(await AcceptedDigests.open(database)).take(digest(1)))
    })
  })
}
