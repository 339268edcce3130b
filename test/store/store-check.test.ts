// The check of a store: each inconsistency is reported in a sentence.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEpoch } from '../../src/alarms/epochs.ts'
import { create } from '../../src/resources/collection.ts'
import { zones } from '../../src/resources/inventory/zone.ts'
import { checkStore } from '../../src/upkeep/store-check.ts'
import { openMigrated, stores } from '../support.ts'

for (const store of stores) {
  test(`on ${store.name} a check finds totals, ids, numbers of the log, epochs and cursors that disagree, and nothing else`, async () => {
    const database = await openMigrated(store)
    const found = async () => {
      const parts = await database.aside((reader) => checkStore(reader, database.kind))
      return parts.flatMap((part) => part.found)
    }
    const run = (sql: string) => database.transaction((tx) => tx.run(sql))
    /** Breaks something, runs the check, and repairs it. */
    const wrong = async (sentence: RegExp, harm: string, mend: string) => {
      await run(harm)
      const sentences = await found()
      await run(mend)
      assert.match(sentences.join('\n'), sentence)
      assert.deepEqual(await found(), [], mend)
    }
    await create(database, zones, { name: 'checked' })
    await openEpoch(database)
    assert.deepEqual(await found(), [])
    await wrong(
      /^the total of zone is kept as \d+, but there are \d+$/,
      "update tally set n = n + 3 where table_name = 'zone' and column_name = ''",
      "update tally set n = n - 3 where table_name = 'zone' and column_name = ''",
    )
    await wrong(
      /^zone has id \d+, but ids are given out from 1 on$/,
      "update counter set value = 0 where name = 'zone'",
      "update counter set value = (select max(id) from zone) where name = 'zone'",
    )
    const entry = (number: number) =>
      `insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm) values (${number}, 'raise', 0, 1, '1.3', 0, '', 1, '[]', '')`
    const numbered = "insert into counter values ('alarm log', 5) on conflict (name) do update set value = 5"
    await run(numbered)
    for (const number of [1, 2, 3, 4, 5]) await run(entry(number))
    assert.deepEqual(await found(), [])
    await wrong(
      /^1 entries are missing, the first of them 3$/,
      'delete from alarm_log where number = 3',
      entry(3),
    )
    await wrong(
      /^the last entry is 4, but the numbers have come to 5$/,
      'delete from alarm_log where number = 5',
      entry(5),
    )
    await wrong(
      /^epoch \d+ begins at entry 900, which is out of order$/,
      'update epoch set first_entry = 900',
      'update epoch set first_entry = 1',
    )
    await wrong(
      /^client gone has come to entry 77, but the log only to 5$/,
      "insert into registration (uuid, owner, query, cursor, position, connected, created_at, last_seen, last_write, expired) values ('gone', 'x', '', 77, 77, 0, 0, 0, 0, 0)",
      "delete from registration where uuid = 'gone'",
    )
  })
}
