// Reading all rules leaves room for others, however large the rules are.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trapRules } from '../../src/resources/alarms/trap-rule.ts'
import { ruleRows } from '../../src/rules/rule-index.ts'
import { complete } from '../../src/schema/read-document.ts'
import { insertAll } from '../../src/store/table.ts'
import { everyStore } from '../support.ts'

const { table, resource } = trapRules

/** What is done with a large rule holds the thread for so long. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

for (const { store, database } of await everyStore()) {
  test(`others have their turn between two rules that take long, ${store.name}`, async () => {
    const ids = Array.from({ length: 120 }, (_, index) => BigInt(index + 1000))
    const records = ids.map((id) => ({ ...complete(resource.fields, { trapRuleName: `rule ${id}` }), id }))
    await database.transaction((tx) => insertAll(tx, table, records))
    const read: bigint[] = []
    let turns = 0
    let counting = true
    const count = () => {
      turns += 1
      if (counting) setImmediate(count)
    }
    setImmediate(count)
    let turnsAtFirst = 0
    let turnsAtNext = 0
    for await (const { id } of ruleRows(database)) {
      read.push(id as bigint)
      if (id === 1000n) {
        turnsAtFirst = turns
        work(20)
      }
      if (id === 1001n) turnsAtNext = turns
    }
    counting = false
    assert.ok(turnsAtNext > turnsAtFirst)
    assert.deepEqual(
      read.filter((id) => id >= 1000n),
      ids,
    )
  })
}
