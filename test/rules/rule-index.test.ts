// The index of rules after changes: what was made anew filters as if everything had been read anew.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { trapRules } from '../../src/resources/alarms/trap-rule.ts'
import { create, erase, modify } from '../../src/resources/collection.ts'
import { RuleIndex } from '../../src/rules/rule-index.ts'
import type { Candidate } from '../../src/rules/rules.ts'
import { ZoneTime } from '../../src/rules/zone-time.ts'
import { migrate } from '../../src/store/migrate.ts'
import { stores } from '../support.ts'

const zone = new ZoneTime('UTC')
const oids = ['1.3.6.1.4.1.1', '1.3.6.1.4.1.1.2', '1.3.6.1.4.1.3', '1.3.6.1.4.1.0.3']
const at = Date.UTC(2026, 0, 1)

const traps: Candidate[] = oids.flatMap((oid) =>
  [1n, 2n, 3n].flatMap((deviceId) =>
    [oid, '1.3.6.1.4.1.3'].map((eventOid) => ({
      ...{ oid, eventOid, deviceId, at, own: false },
      ...{ variables: [], values: [], interfaces: [] },
    })),
  ),
)

const rule = fc.record({
  trapOId: fc.option(fc.constantFrom(...oids)),
  endDay: fc.option(fc.constantFrom('2025-01-01', '2027-01-01'), { freq: 2 }),
  trapDevice: fc
    .uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 })
    .map((ids) => ids.map((devID) => ({ displayName: 'x', devID, trapFilterEventParasInfo: [] }))),
})
const change = fc.record({
  kind: fc.constantFrom('create', 'create', 'modify', 'delete'),
  which: fc.nat(),
  rule,
})

for (const store of stores) {
  suite(`the index of rules on ${store.name}`, async () => {
    const database = await store.open()
    await migrate(database)

    test('filters after every change as an index that was read from the start', async () => {
      const ruleIndex = new RuleIndex(database, zone)
      const ids: bigint[] = []
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
          for (const { kind, which, rule: draft } of changes) {
            const id = ids[which % Math.max(ids.length, 1)]
            if (kind === 'create' || id === undefined) ids.push(await create(database, trapRules, draft))
            else if (kind === 'modify') await modify(database, trapRules, id, draft)
            else {
              await erase(database, trapRules, id)
              ids.splice(ids.indexOf(id), 1)
            }
          }
          await database.transaction((tx) => ruleIndex.refresh(tx))
          const fresh = new RuleIndex(database, zone)
          await database.transaction((tx) => fresh.refresh(tx))
          for (const trap of traps) assert.equal(ruleIndex.find(trap)?.id, fresh.find(trap)?.id)
        }),
        { numRuns: 40 },
      )
    })
  })
}
