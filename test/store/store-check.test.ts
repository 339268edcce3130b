// The check of a store: each inconsistency is reported in a sentence.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEpoch } from '../../src/alarms/log/epochs.ts'
import { create } from '../../src/resources/collection.ts'
import { zones } from '../../src/resources/inventory/zone.ts'
import { checkStore } from '../../src/upkeep/checks/store-check.ts'
import { repairTotals } from '../../src/upkeep/checks/total-check.ts'
import { startService, stores } from '../support.ts'

for (const store of stores) {
  test(`on ${store.name} a check finds totals, ids, numbers of the log, epochs and cursors that disagree, and nothing else`, async () => {
    const database = await store.openMigrated()
    const found = async () => {
      const parts = await database.readSnapshot((reader) => checkStore(reader, database.kind))
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
      `insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm) values (${number}, 'raise', 0, 1, '1.3', 0, '', 1, '', '')`
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

for (const store of stores) {
  test(`on ${store.name} a repair counts wrong totals anew, also those of open alarms, bytes and the log, and corrects nothing else`, async () => {
    const service = await startService({}, store.name === 'SQLite' ? {} : { open: () => store.open() })
    const { database } = service
    for (const alarmLevel of [1, 2, 3]) {
      const made = await service.sendJson('POST', '/fault/alarm', {
        OID: `1.3.6.1.4.1.32473.9.${alarmLevel}`,
        alarmLevel,
        alarmDesc: 'one of some',
        deviceIp: `10.0.0.${alarmLevel}`,
      })
      assert.equal(made.status, 201, made.text)
    }
    const total = async () => (await service.get('/fault/alarm')).headers.total
    const right = await total()
    const tallies = () =>
      database.all(
        "select * from tally where n <> 0 and table_name <> 'audit' order by table_name, column_name, value",
      )
    const before = await tallies()
    assert.deepEqual(await repairTotals(database), [])
    await database.transaction(async (tx) => {
      await tx.run("update tally set n = n + 7 where table_name = 'alarm'")
      await tx.run("update tally set n = n - 7 where table_name = 'alarm_log'")
      await tx.run(
        "insert into tally (table_name, column_name, value, n) values ('alarm', 'open', '9 9 9', 5)",
      )
      await tx.run("delete from tally where table_name = 'zone'")
      // As after a write: what is cached is read anew, and is wrong.
      await tx.run('delete from alarm where 1 = 0')
    })
    assert.notEqual(await total(), right)
    const checked = await service.get('/plat/check', { Accept: 'application/json' })
    assert.equal(checked.json().sound, 'false')
    const repaired = await service.ask('POST', '/plat/check/repair', {
      headers: { Accept: 'application/json' },
    })
    assert.equal(repaired.status, 200, repaired.text)
    const { sound, corrected } = repaired.json() as { sound: string; corrected: string[] }
    assert.equal(sound, 'true')
    for (const sentence of [
      'the total of zone is kept as 0, but there are 1: corrected',
      'the total of alarm with open 9 9 9 is kept as 5, but there are 0: corrected',
    ])
      assert.ok(corrected.includes(sentence), corrected.join('\n'))
    assert.ok(corrected.some((one) => one.startsWith('the total of alarm_log with bytes')))
    assert.deepEqual(await tallies(), before)
    assert.equal(await total(), right)
    const entries = await database.all("select resource_id from audit where action = 'repair' order by id")
    assert.deepEqual(
      entries.map((row) => row.resource_id),
      ['zone', 'alarm', 'alarm_log'],
    )
    await service.stop()
  })
}
