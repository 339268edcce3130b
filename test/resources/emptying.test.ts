// A segment with very much in it is deleted a few at a time, and nothing of it is left.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { create, createIn, erase } from '../../src/resources/collection.ts'
import { assignedIps } from '../../src/resources/inventory/assigned-ip-info.ts'
import { assignedIpScopes } from '../../src/resources/inventory/assigned-ip-scope.ts'
import { ActorDatabase } from '../../src/store/database.ts'
import { seedStore } from '../../src/upkeep/seed.ts'
import { stores } from '../support.ts'

const actor = { name: 'alice', role: 'administrator', address: '127.0.0.1' } as const

for (const store of stores) {
  describe(store.name, () => {
    test('a segment with many addresses is deleted in short transactions, each with its entry in the audit log', async () => {
      // Every transaction has a time of its own.
      let now = 1_800_000_000_000
      const plain = await store.openMigrated(() => ++now)
      await seedStore(plain)
      const database = new ActorDatabase(plain, actor)
      const segment = (startIp: string, endIp: string, parentId?: bigint) =>
        create(database, assignedIpScopes, { name: startIp, startIp, endIp, ...(parentId && { parentId }) })
      const top = await segment('10.0.0.0', '10.0.255.255')
      const inner = await segment('10.0.8.0', '10.0.8.255', top)
      const innermost = await segment('10.0.8.0', '10.0.8.9', inner)
      const besides = await segment('10.1.0.0', '10.1.0.9')
      await plain.transaction(async (tx) => {
        const assign = (ip: string, parentId: bigint) => createIn(tx, assignedIps, { ip, parentId })
        for (let n = 0; n < 400; n += 1) await assign(`10.0.${n >> 8}.${n & 255}`, top)
        await assign('10.0.8.100', inner)
        await assign('10.0.8.1', innermost)
        await assign('10.1.0.1', besides)
      })
      await erase(database, assignedIpScopes, top)
      const left = async (sql: string) => (await plain.all(sql)).map((row) => String(row.n))
      assert.deepEqual(await left('select ip as n from assigned_ip'), ['10.1.0.1'])
      assert.deepEqual(await left('select id as n from ip_scope'), [String(besides)])
      const counted = "select n from tally where table_name = 'assigned_ip' and n <> 0"
      assert.deepEqual(await left(counted), ['1', '1'])
      const reported = await plain.all(
        "select time, count(*) as n from audit where action = 'delete' group by time order by time",
      )
      const sizes = reported.map(({ n }) => Number(n))
      assert.equal(
        sizes.reduce((all, n) => all + n, 0),
        402 + 3,
      )
      assert.ok(sizes.length > 4 && Math.max(...sizes) < 300, String(sizes))
    })
  })
}
