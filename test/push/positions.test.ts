import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openEpoch, openEpochAhead, readEpochs } from '../../src/alarms/log/epochs.ts'
import { gapText, Positions, readPosition } from '../../src/push/positions.ts'
import type { Database } from '../../src/store/database.ts'
import { stores } from '../support.ts'

/** Entries as far as positions look at them: their numbers. */
async function grow(database: Database, to: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(
      "insert into counter (name, value) values ('alarm log', ?) on conflict (name) do update set value = excluded.value",
      [BigInt(to)],
    )
    const [row] = await tx.all('select max(number) as number from alarm_log')
    for (let number = Number(row?.number ?? 0) + 1; number <= to; number += 1) {
      await tx.run(
        "insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm) values (?, 'raise', 0, 0, '1.3', 0, '', 1, '[]', '')",
        [BigInt(number)],
      )
    }
  })
}

test('a position is two numbers with a colon', () => {
  assert.deepEqual(readPosition('12:345', 'since'), { epoch: 12n, number: 345n })
  assert.deepEqual(readPosition(' 12:345 ', 'since'), { epoch: 12n, number: 345n })
  const bad = [
    '',
    '12',
    ':',
    '12:',
    ':5',
    'a:b',
    '1:2:3',
    '-1:5',
    '1:-5',
    '1.5:2',
    '12345678901234567890:1',
    '1 : 2',
    '١:٢',
  ]
  for (const text of bad) assert.throws(() => readPosition(text, 'since'), /since: .*epoch:number/, text)
})

for (const store of stores) {
  suite(`positions in a history of three starts, on ${store.name}`, () => {
    /** Three starts: entries 1–10 in epoch 1000, 11–20 in epoch 2000, none yet in epoch 3000. */
    async function history() {
      const time = { now: 1000 }
      const database = await store.openMigrated(() => time.now)
      await openEpoch(database)
      await grow(database, 10)
      time.now = 2000
      await openEpoch(database)
      await grow(database, 20)
      time.now = 3000
      await openEpoch(database)
      const positions = await Positions.open(database)
      const at = (text: string) => positions.resume(readPosition(text, 'since'))
      return { database, positions, at, time }
    }

    test('entries have positions in the epoch they were written in', async () => {
      const { database, positions } = await history()
      const reported = [0n, 1n, 10n, 11n, 20n].map((number) => positions.of(number))
      assert.deepEqual(reported, ['1000:0', '1000:1', '1000:10', '2000:11', '2000:20'])
      await grow(database, 21)
      assert.equal(positions.of(21n), '3000:21')
    })

    test('positions that were sent are valid, in every epoch', async () => {
      const { database, positions, at } = await history()
      await grow(database, 25)
      for (let number = 0n; number <= 25n; number += 1n) {
        assert.deepEqual(await at(positions.of(number)), { cursor: number, gap: undefined })
      }
      // The end of an epoch is the beginning of the next, and either may have been reported.
      assert.deepEqual(await at('2000:10'), { cursor: 10n, gap: undefined })
      assert.deepEqual(await at('3000:20'), { cursor: 20n, gap: undefined })
    })

    test('an unknown epoch goes on where the histories can have diverged', async () => {
      const { at } = await history()
      const cases = { '1500:14': 10n, '500:3': 0n, '2500:99': 20n, '9000:15': 20n }
      for (const [text, cursor] of Object.entries(cases)) {
        const start = await at(text)
        assert.equal(start.cursor, cursor, text)
        assert.match(start.gap?.reason ?? '', /another history/)
        assert.equal(start.gap?.to, cursor)
      }
    })

    test('an unknown epoch that was named while a clock was ahead goes on where something was lost last', async () => {
      const { database, at } = await history()
      const jump = { ids: new Map(), isReported: true, seen: { epoch: 0n, number: 23n } }
      await database.transaction((tx) => openEpochAhead(tx, jump))
      const { cursor, gap } = await at('9000:23')
      assert.equal(cursor, 1_000_023n)
      assert.equal(
        gap && gapText(gap).split(':')[0],
        'Alarms from 21 to 23 (3 entries of the alarm log) cannot be delivered any more',
      )
    })

    test('what an unknown client may lack are the entries that were lost, and those written since', async () => {
      const { database, positions } = await history()
      const jump = { ids: new Map(), isReported: true, seen: { epoch: 0n, number: 23n } }
      await database.transaction((tx) => openEpochAhead(tx, jump))
      await positions.refresh()
      const text = (at: bigint) => gapText(positions.possibleGap(at, 'why'))
      assert.equal(text(1_000_023n), 'Alarms from 21 to 23 (3 entries of the alarm log) may be missing: why')
      assert.equal(
        text(1_000_030n),
        'Alarms from 21 to 23 (3 entries of the alarm log), and those written since then, up to 1000030, may be missing: why',
      )
    })

    test('where nothing was written between two losses, the numbers that the first skipped are not named', async () => {
      const { database, positions } = await history()
      for (const seen of [{ epoch: 0n, number: 23n }, undefined])
        await database.transaction((tx) => openEpochAhead(tx, { ids: new Map(), isReported: true, seen }))
      await positions.refresh()
      const text = async (from: bigint) =>
        gapText(await positions.gapIn({ from, to: 2_000_023n })).split(':')[0] ?? ''
      const three = '(3 entries of the alarm log)'
      assert.equal(await text(20n), `Alarms from 21 to 23 ${three} cannot be delivered any more`)
      assert.equal(await text(22n), `Alarms from 21 to 23 ${three} cannot be delivered any more`)
      assert.equal(await text(1_000_023n), 'Alarms after 1000023 may be missing', 'it was told of the first')
      const unsure = gapText(positions.possibleGap(2_000_023n, 'why'))
      assert.equal(unsure, `Alarms from 21 to 23 ${three} may be missing: why`)
    })

    test('after a second loss, numbers that were skipped after the first are not counted as entries', async () => {
      const { database, at } = await history()
      const jump = { ids: new Map(), isReported: true, seen: { epoch: 0n, number: 1_000_026n } }
      await database.transaction((tx) => openEpochAhead(tx, jump))
      const { gap } = await at('3000:25')
      assert.match(
        gap ? gapText(gap) : '',
        /^Alarms from 21 to 1000026 \(not all of these numbers were given to entries\) cannot/,
      )
    })

    test('a number beyond its epoch goes on at the end of the epoch', async () => {
      const { at } = await history()
      for (const [text, cursor] of [
        ['1000:11', 10n],
        ['2000:4000', 20n],
        ['3000:21', 20n],
      ] as const) {
        const start = await at(text)
        assert.equal(start.cursor, cursor, text)
        assert.match(start.gap?.reason ?? '', /outside its epoch/)
      }
    })

    test('a number before its epoch skips nothing that the epoch holds', async () => {
      const { at } = await history()
      const start = await at('2000:3')
      assert.equal(start.cursor, 10n)
      assert.match(start.gap?.reason ?? '', /outside its epoch/)
    })

    test('what is no longer kept is reported, exactly', async () => {
      const { database, at, positions } = await history()
      await database.transaction((tx) => tx.run('delete from alarm_log where number <= 15'))
      assert.deepEqual(await at('2000:15'), { cursor: 15n, gap: undefined })
      const missed = { cursor: 15n, gap: { from: 14n, to: 15n, reason: 'older entries are no longer kept' } }
      assert.deepEqual(await at('2000:14'), missed)
      assert.equal((await positions.covered(3n)).gap?.to, 15n)
      assert.equal((await at('1500:14')).cursor, 15n, 'also behind another history')
    })

    test('an empty log covers its head and nothing before', async () => {
      const { database, at } = await history()
      await database.transaction((tx) => tx.run('delete from alarm_log'))
      assert.deepEqual(await at('2000:20'), { cursor: 20n, gap: undefined })
      assert.equal((await at('2000:19')).gap?.to, 20n)
    })

    test('every start opens an epoch with a number of its own, also when the clock stands or goes back', async () => {
      const { database, time } = await history()
      await openEpoch(database, () => 1n)
      time.now = 10
      await openEpoch(database, () => 17n)
      const numbers = (await readEpochs(database)).map(({ number }) => number)
      assert.deepEqual(numbers, [1000n, 2000n, 3000n, 3001n, 3018n])
    })

    test('where the clock is behind, a random step keeps two copies of a store from using the same epoch', async () => {
      const { database, time } = await history()
      time.now = 10
      const { number } = await openEpoch(database)
      assert(number > 3000n && number <= 1_003_000n, String(number))
    })
  })
}
