// What is counted and kept: the log and its epochs, the ledger, tallies, and what retention takes away.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { readLedger } from '../../src/alarms/engine/trap-ledger.ts'
import { readEntriesAfter } from '../../src/alarms/log/alarm-log.ts'
import { lastEntryNumber, openEpoch } from '../../src/alarms/log/epochs.ts'
import { alarms } from '../../src/resources/alarms/alarm.ts'
import { traps } from '../../src/resources/alarms/trap.ts'
import { readTally } from '../../src/store/tally.ts'
import { checkStore } from '../../src/upkeep/checks/store-check.ts'
import { type Retention, sweep } from '../../src/upkeep/retention.ts'
import { ifIndex, linkDown, linkUp, onEveryStore, variable, type World } from './world.ts'

const day = 24 * 3600 * 1000
const endless = { count: 1_000_000, days: 10_000 }
const keepAll: Retention = { traps: endless, alarms: endless, log: endless, audit: endless }

const kinds = (entries: readonly { readonly kind: string }[]) => entries.map(({ kind }) => kind)

await onEveryStore((w: World) => {
  const count = async (sql: string) =>
    Number((await w.database.all(`select count(*) as n from ${sql}`))[0]?.n)

  test('entries are numbered without gaps, in the order of the changes, across batches that failed', async () => {
    const from = '10.4.0.1'
    const start = await lastEntryNumber(w.database)
    const down = w.trap(linkDown, from, [ifIndex(1)])
    const up = w.trap(linkUp, from, [ifIndex(1)])
    await w.handle(down, down, up)
    await assert.rejects(w.engine.handle([down, up, down], () => Promise.reject(new Error('full'))))
    await w.handle(up)
    await w.handle(down)
    const entries = await readEntriesAfter(w.database, start, 100)
    assert.deepEqual(
      entries.map(({ number, kind }) => [number - start, kind]),
      [
        [1n, 'raise'],
        [2n, 'recover'],
        [3n, 'raise'],
      ],
    )
    assert.equal(await lastEntryNumber(w.database), start + 3n)
    assert.equal((await readEntriesAfter(w.database, start + 1n, 1))[0]?.number, start + 2n, 'pages of it')
  })

  test('an entry shows the alarm as it was then, whatever becomes of it later', async () => {
    const from = '10.4.0.2'
    const entries = await w.logged(async () => {
      await w.handle(w.trap(linkDown, from, [ifIndex(1)]))
      const [alarm] = await w.alarmsOf(from)
      await applyAction(w.engine, alarm?.id ?? 0n, { action: 'acknowledge' }, 'anna')
      await w.handle(w.trap(linkUp, from, [ifIndex(1)]))
    })
    assert.deepEqual(
      entries.map((entry) => [
        entry.kind,
        entry.field('recStatus'),
        entry.field('ackStatus'),
        entry.field('OID'),
      ]),
      [
        ['raise', 0, 0, linkDown],
        ['acknowledge', 0, 1, linkDown],
        ['recover', 1, 0, linkUp],
      ],
    )
  })

  test('every start opens an epoch at the head of the log', async () => {
    await openEpoch(w.database)
    w.time.now += 1000
    await w.handle(w.trap(linkDown, '10.4.0.3', [ifIndex(1)]))
    await openEpoch(w.database)
    const rows = await w.database.all('select number, first_entry, started_at from epoch order by number')
    const [before, last] = rows.slice(-2)
    assert.ok(before && last)
    assert.ok((last.number as bigint) > (before.number as bigint))
    assert.equal(last.first_entry, (before.first_entry as bigint) + 1n)
    assert.equal(last.first_entry, (await lastEntryNumber(w.database)) + 1n)
    assert.equal(Number(last.started_at), w.time.now)
  })

  test('the ledger counts every datagram under its bin and reason, and the sums agree', async () => {
    const sum = async () => (await readLedger(w.database)).reduce((all, line) => all + Number(line.count), 0)
    const before = { ledger: await sum(), binned: [...w.engine.outcomes.values()].reduce((a, b) => a + b, 0) }
    const from = '10.4.0.4'
    const rejected = { kind: 'rejected', receivedAt: w.time.now, sourceIp: from } as const
    await w.handle(
      w.trap(linkDown, from, [ifIndex(1)]),
      w.trap(linkDown, from, [ifIndex(1)]),
      w.trap(linkUp, from, [ifIndex(1)]),
      w.trap(linkUp, from, [ifIndex(1)]),
      { ...rejected, outcome: 'refused', reason: 'community', times: 1 },
      { ...rejected, outcome: 'refused', reason: 'community', times: 1 },
      { ...rejected, outcome: 'malformed', reason: 'truncated', times: 1 },
      { ...rejected, outcome: 'refused', reason: 'overload', times: 1204 },
    )
    assert.equal((await sum()) - before.ledger, 1211)
    assert.equal([...w.engine.outcomes.values()].reduce((a, b) => a + b, 0) - before.binned, 1211)
    const lines = await readLedger(w.database)
    const community = lines.find(({ reason }) => reason === 'community')
    assert.deepEqual(community, {
      bin: 'refused',
      reason: 'community',
      count: 2n,
      lastTime: w.time.now,
      lastSource: from,
    })
    // A flood of refused datagrams is one line in the history, for each kind and batch.
    assert.equal(await count(`trap where source_ip = '${from}'`), 4 + 3)
  })

  test('tallies are equal to the number of rows', async () => {
    assert.equal(await readTally(w.database, alarms.table, '', ''), await count('alarm'))
    assert.equal(await readTally(w.database, traps.table, '', ''), await count('trap'))
    for (const column of ['rec_status', 'ack_status', 'alarm_level']) {
      for (const value of [0, 1, 2, 3, 4, 5]) {
        const counted = await count(`alarm where ${column} = ${value}`)
        assert.equal(await readTally(w.database, alarms.table, column, String(value)), counted, column)
      }
    }
  })

  test('retention removes old traps, recovered alarms and log entries, and never an open alarm', async () => {
    const open = await count('alarm where rec_status = 0')
    assert.ok(open > 0 && (await count('alarm where rec_status = 1')) > 0)
    const numbers = await lastEntryNumber(w.database)
    assert.equal(await sweep(w.database, keepAll), 0)
    w.time.now += 30 * day
    const from = '10.4.0.5'
    const down = w.trap(linkDown, from, [ifIndex(1)])
    await w.handle(down, w.trap(linkUp, from, [ifIndex(1)]), down)
    const month = { count: 1_000_000, days: 29 }
    assert.ok((await sweep(w.database, { ...keepAll, traps: month, alarms: month, log: month })) > 0)
    assert.equal(await count('alarm where rec_status = 0'), open + 1)
    assert.equal(await count('alarm where rec_status = 1'), 2, 'the fault and its recovery of today')
    assert.equal(await count('trap'), 3)
    const entries = await readEntriesAfter(w.database, 0n, 100)
    assert.deepEqual(
      entries.map(({ number }) => number - numbers),
      [1n, 2n, 3n],
      'numbers go on',
    )
    w.time.now += 30 * day
    await sweep(w.database, { ...keepAll, traps: month, alarms: month, log: month })
    assert.equal(await count('alarm where rec_status = 0'), open + 1, 'however old')
    assert.deepEqual([await count('trap'), await count('alarm_log')], [0, 0])
    await w.handle(down)
    assert.deepEqual(await w.logged(() => w.handle(w.trap(linkUp, from, [ifIndex(1)]))).then(kinds), [
      'recover',
    ])
    assert.equal(await readTally(w.database, alarms.table, '', ''), await count('alarm'))
    assert.equal(await readTally(w.database, traps.table, '', ''), await count('trap'))
  })

  test('an entry with a wrong time does not cause the removal of younger ones', async () => {
    const [from, now] = ['10.4.0.10', w.time.now]
    const written = await w.logged(async () => {
      await w.handle(w.trap(linkDown, from, [ifIndex(1)]))
      w.time.now = day
      await w.handle(w.trap(linkDown, from, [ifIndex(2)]))
      w.time.now = now
    })
    await sweep(w.database, { ...keepAll, log: { count: 1_000_000, days: 7 } })
    const kept = await readEntriesAfter(w.database, (written[0]?.number ?? 0n) - 1n, 10)
    assert.equal(kept.length, 2)
  })

  test('the age of a recovered alarm is counted from its end, not from its last report', async () => {
    const from = '10.4.0.6'
    await w.handle(w.trap(linkDown, from, [ifIndex(1)]))
    w.time.now += 400 * day
    await w.handle(w.trap(linkUp, from, [ifIndex(1)]))
    await sweep(w.database, { ...keepAll, alarms: { count: 1_000_000, days: 365 } })
    assert.equal((await w.alarmsOf(from)).length, 2)
  })

  // A thousand rows, one by one, take PostgreSQL inside the process ten seconds.
  test('alarms that ended lately do not hold back those that ended long ago, whatever their ids', {}, async () => {
    const from = '10.4.0.8'
    const many = Array.from({ length: 510 }, (_, index) => ifIndex(index))
    await w.handle(...many.map((index) => w.trap(linkDown, from, [index])))
    const other = '10.4.0.9'
    await w.handle(w.trap(linkDown, other, [ifIndex(1)]), w.trap(linkUp, other, [ifIndex(1)]))
    w.time.now += 400 * day
    await w.handle(...many.map((index) => w.trap(linkUp, from, [index])))
    await sweep(w.database, { ...keepAll, alarms: { count: 1_000_000, days: 365 } })
    assert.equal((await w.alarmsOf(other)).length, 0)
    assert.equal((await w.alarmsOf(from)).length, 2 * many.length)
  })

  test('retention by bytes keeps the newest, few where they are long', async () => {
    const from = '10.4.0.11'
    const long = (index: number) => variable(`1.3.6.1.4.1.32473.9.${index}`, 'ü'.repeat(2000), 'OctetString')
    const comeAndGo = (index: number) => [
      w.trap(linkDown, from, [ifIndex(index), long(index)]),
      w.trap(linkUp, from, [ifIndex(index), long(index)]),
    ]
    await w.handle(...Array.from({ length: 30 }, (_, index) => comeAndGo(index)).flat())
    const bytes = 40_000
    const few = { count: 1_000_000, days: 10_000, bytes }
    await sweep(w.database, { ...keepAll, traps: few, alarms: few, log: few })
    for (const [what, texts] of [
      ['trap', 'octet_length(variables)'],
      ['alarm where rec_status = 1', 'octet_length(alarm_desc) + octet_length(paras)'],
      ['alarm_log', 'octet_length(alarm) + octet_length(cleared)'],
    ]) {
      const [row] = await w.database.all(`select sum(${texts}) as bytes, max(${texts}) as one from ${what}`)
      const [kept, one] = [Number(row?.bytes), Number(row?.one)]
      assert(one > 4000, `${what}: bytes, not characters`)
      assert(kept <= bytes && kept + one > bytes, `${what}: ${kept} bytes are kept`)
    }
    const newest = await w.alarmsOf(from)
    assert.equal(newest.at(-1)?.resource, 'ifIndex=29')
    const checked = await checkStore(w.database, w.database.kind)
    assert.deepEqual(checked.find(({ name }) => name === 'totals')?.found, [])
  })

  test('retention by count keeps the newest, in steps', async () => {
    const from = '10.4.0.7'
    const flaps = Array.from({ length: 260 }, (_, index) => [
      w.trap(linkDown, from, [ifIndex(index)]),
      w.trap(linkUp, from, [ifIndex(index)]),
    ])
    await w.handle(...flaps.flat())
    const transactions = { n: 0 }
    const watched = new Proxy(w.database, {
      get(target, name) {
        if (name === 'transaction') transactions.n += 1
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const few = { count: 7, days: 10_000 }
    await sweep(watched, { ...keepAll, traps: few, alarms: few, log: few })
    assert.ok(transactions.n > 3, 'one transaction would hold up traps')
    const newest = await w.database.all('select max(id) as id from alarm')
    const kept = await w.database.all('select id from alarm where rec_status = 1 order by id')
    assert.deepEqual(
      kept.map(({ id }) => (newest[0]?.id as bigint) - (id as bigint)),
      [6n, 5n, 4n, 3n, 2n, 1n, 0n],
    )
    assert.deepEqual([await count('trap'), await count('alarm_log')], [7, 7])
  })
})
