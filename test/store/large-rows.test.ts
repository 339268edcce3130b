// Rows of any size: what is read at once is bounded by its text as well.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { trapRules } from '../../src/resources/alarms/trap-rule.ts'
import type { Condition } from '../../src/schema/list-filter.ts'
import { complete } from '../../src/schema/read-document.ts'
import type { AnyRecord } from '../../src/schema/resource.ts'
import type { Database } from '../../src/store/database.ts'
import { allRecords } from '../../src/store/page.ts'
import { insertAll } from '../../src/store/table.ts'
import { everyStore } from '../support.ts'
import { pages } from './paging.ts'

const { table, resource } = trapRules

const device = { displayName: 'x'.repeat(900), devID: 1, trapFilterEventParasInfo: [] }
/** About 900 characters per device. */
const rule = (id: number, devices: number): AnyRecord => ({
  ...complete(resource.fields, { trapRuleName: `rule ${id}`, trapDevice: Array(devices).fill(device) }),
  id: BigInt(id),
})

async function found(database: Database, conditions: readonly Condition[]) {
  const chunks: { ids: number[]; devices: number }[] = []
  for await (const records of pages(database, table, allRecords(conditions))) {
    const devices = records.reduce((sum, { trapDevice }) => sum + (trapDevice as unknown[]).length, 0)
    chunks.push({ ids: records.map(({ id }) => Number(id)), devices })
  }
  return { ids: chunks.flatMap(({ ids }) => ids), chunks }
}

for (const { store, database } of await everyStore()) {
  describe(store.name, async () => {
    const ids = Array.from({ length: 150 }, (_, index) => index + 1000)
    // Large ones behind small ones, and small ones behind them.
    const isLarge = (id: number) => id >= 1040 && id < 1060
    const records = ids.map((id) => rule(id, isLarge(id) ? 400 : 1))
    await database.transaction((tx) => insertAll(tx, table, records))
    const ours: Condition = { kind: 'from', column: 'id', value: 1000 }
    const everyName: Condition = { kind: 'like', column: 'trap_rule_name_key', pattern: '%rule%', prefix: '' }

    for (const [reading, conditions] of [
      ['at once', [ours]],
      ['in the thread for long reads', [ours, everyName]],
    ] as const) {
      test(`few large rows are read at once, and every row once, ${reading}`, async () => {
        const { ids: read, chunks } = await found(database, conditions)
        assert.deepEqual(read, ids)
        assert.ok(Math.max(...chunks.map(({ devices }) => devices)) < 1000)
        assert.ok(chunks.length < 20, `${chunks.length} chunks`)
      })
    }
  })
}
