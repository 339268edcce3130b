import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { requireUuid } from '../../src/push/registration-claims.ts'
import { Registrations } from '../../src/push/registrations.ts'
import type { Database } from '../../src/store/database.ts'
import { stores } from '../support.ts'

const anna = { name: 'anna', role: 'operator', address: '127.0.0.1' }
const day = 24 * 3600 * 1000
const began = Date.UTC(2026, 0, 1)
const time = { now: began }
const opened = await Promise.all(
  stores.map(async (engine) => ({
    name: engine.name,
    database: await engine.openMigrated(() => time.now),
  })),
)

test('a uuid is 1 to 256 characters, whatever they are, but no control characters', () => {
  const all = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).join('')
  for (const good of ['a', ' ', 'a b', 'é', '日本', '🔔'.repeat(256), 'x'.repeat(256), all])
    assert.equal(requireUuid(good), good)
  for (const bad of ['', 'x'.repeat(257), '🔔'.repeat(257), 'a\n', '\u0000', 'a\u007f', '\u0085', '\ud800'])
    assert.throws(() => requireUuid(bad), /uuid: expected 1 to 256 .* received/, JSON.stringify(bad))
})

const setHead = (database: Database, head: bigint) =>
  database.transaction((tx) =>
    tx.run(
      "insert into counter (name, value) values ('alarm log', ?) on conflict (name) do update set value = excluded.value",
      [head],
    ),
  )

for (const { name, database } of opened) {
  suite(`registrations on ${name}`, () => {
    /** All forgotten, a log of a hundred entries. */
    async function open() {
      time.now = began
      await database.transaction((tx) => tx.run('delete from registration'))
      await setHead(database, 100n)
      const registrations = new Registrations(database)
      const progress = (uuid: string, owner: string, at: bigint, connected = true) =>
        registrations.save([
          { uuid, owner, cursor: at, position: at + 5n, lastWrite: time.now, connected, hasBegun: true },
        ])
      return { registrations, progress }
    }

    test('the first starts at the head, the next where the last was', async () => {
      const { registrations, progress } = await open()
      const first = await registrations.claim({ uuid: 'a', query: 'alarmLevel=1' })
      assert.deepEqual([first.kind, first.cursor], ['new', 100n])
      await setHead(database, 200n)
      const again = await registrations.claim({ uuid: 'a', query: 'alarmLevel=2' })
      assert.deepEqual([again.kind, again.cursor], ['known', 100n], 'nothing was saved since')
      await progress('a', again.owner, 150n)
      const third = await registrations.claim({ uuid: 'a', query: '' })
      assert.deepEqual([third.kind, third.cursor], ['known', 150n])
      assert.equal(new Set([first.owner, again.owner, third.owner]).size, 3)
    })

    test('an operator has ten thousand at most: the one that has been away longest is forgotten', async () => {
      const { registrations } = await open()
      await registrations.claim({ uuid: 'a', query: '', holder: '7' })
      await database.transaction((tx) =>
        tx.run(
          "insert into registration (uuid, owner, holder, query, cursor, position, connected, created_at, last_seen, last_write, expired) with recursive n (i) as (select 1 union all select i + 1 from n where i < 9999) select 'many-' || i, '', '7', '', 0, 0, 0, 0, (i * 7) % 9999, 0, 0 from n",
        ),
      )
      // By the order of their names neither of them comes first.
      await database.transaction((tx) =>
        tx.run("update registration set last_seen = -1 where uuid = 'many-5'"),
      )
      assert.equal((await registrations.claim({ uuid: 'b', query: '', holder: '7' })).kind, 'new')
      const count = async (expired: number) => {
        const rows = await database.all(
          "select uuid from registration where holder = '7' and expired = ? order by uuid",
          [expired],
        )
        return rows.map(({ uuid }) => uuid)
      }
      assert.equal((await count(0)).length, 10_000)
      assert.deepEqual(await count(1), ['many-5'], 'who has been away longest')
      assert.equal(
        (await registrations.claim({ uuid: 'many-5', query: '', holder: '7' })).kind,
        'expired',
        'it is reported',
      )
      assert.deepEqual(await count(1), ['many-9999'], 'the next by its time')
      assert.equal((await registrations.claim({ uuid: 'a', query: '', holder: '7' })).kind, 'known')
      assert.equal((await registrations.claim({ uuid: 'd', query: '', holder: '8' })).kind, 'new')
      await database.transaction((tx) => tx.run('update registration set connected = 1'))
      await assert.rejects(
        registrations.claim({ uuid: 'c', query: '', holder: '7' }),
        /10000 registrations already/,
      )
    })

    test('what has been written on three connections counts as delivered', async () => {
      const { registrations } = await open()
      await registrations.claim({ uuid: 'a', query: '', position: 0n })
      const starts: bigint[] = []
      for (const position of [10n, 30n, 20n, 25n, 20n, 40n, 50n]) {
        const { owner, cursor } = await registrations.claim({ uuid: 'a', query: '' })
        starts.push(cursor)
        await registrations.save([
          { uuid: 'a', owner, cursor, position, lastWrite: time.now, connected: false, hasBegun: true },
        ])
      }
      starts.push((await registrations.claim({ uuid: 'a', query: '' })).cursor)
      // Up to 10 by the first three; up to 20 by the second, the third and the fourth; and so on.
      assert.deepEqual(starts, [0n, 0n, 0n, 10n, 20n, 20n, 25n, 30n])
    })

    test('a client that goes back by its position is sent everything again as often as before', async () => {
      const { registrations } = await open()
      for (let time = 0; time < 3; time += 1) {
        const { owner } = await registrations.claim({ uuid: 'a', query: '', position: 0n })
        await registrations.save([
          { uuid: 'a', owner, cursor: 0n, position: 90n, lastWrite: 0, connected: false, hasBegun: true },
        ])
      }
      assert.equal((await registrations.claim({ uuid: 'a', query: '' })).cursor, 0n)
    })

    test('many that come at once are written together, and one that is refused undoes none of the others', async () => {
      const { registrations } = await open()
      let commits = 0
      const counting = new Registrations(
        new Proxy(database, {
          get(target, name) {
            const value = Reflect.get(target, name)
            if (name === 'transaction') commits += 1
            return typeof value === 'function' ? value.bind(target) : value
          },
        }),
      )
      await database.transaction((tx) =>
        tx.run(
          "insert into registration (uuid, owner, holder, query, cursor, position, connected, created_at, last_seen, last_write, expired) with recursive n (i) as (select 1 union all select i + 1 from n where i < 10000) select 'busy-' || i, '', 'full', '', 0, 0, 1, 0, 0, 0, 0 from n",
        ),
      )
      const uuids = Array.from({ length: 100 }, (_, index) => `at-once-${index}`)
      const outcomes = await Promise.allSettled(
        uuids.map((uuid, index) => counting.claim({ uuid, query: '', holder: index === 50 ? 'full' : '' })),
      )
      assert.equal(commits, 1)
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        uuids.map((_, index) => (index === 50 ? 'rejected' : 'fulfilled')),
      )
      const owners = new Set(outcomes.map((one) => one.status === 'fulfilled' && one.value.owner))
      assert.equal(owners.size, 100)
      assert.equal((await registrations.list()).filter(({ uuid }) => uuid.startsWith('at-once')).length, 99)
    })

    test('a position that the client brought is the saved cursor at once', async () => {
      const { registrations } = await open()
      assert.equal((await registrations.claim({ uuid: 'a', query: '', position: 40n })).cursor, 40n)
      assert.equal((await registrations.claim({ uuid: 'a', query: '' })).cursor, 40n)
      assert.equal((await registrations.claim({ uuid: 'a', query: '', position: 30n })).cursor, 30n)
      assert.equal((await registrations.claim({ uuid: 'a', query: '' })).cursor, 30n)
    })

    test('only the newest owner saves; the others learn that they have been taken over', async () => {
      const { registrations, progress } = await open()
      const older = await registrations.claim({ uuid: 'a', query: '' })
      const newer = await registrations.claim({ uuid: 'a', query: '' })
      assert.deepEqual(await progress('a', newer.owner, 120n), [])
      const lost = await progress('a', older.owner, 110n, false)
      assert.deepEqual(
        lost.map(({ uuid, owner }) => [uuid, owner]),
        [['a', older.owner]],
      )
      const [kept] = await registrations.list()
      assert.deepEqual([kept?.cursor, kept?.position, kept?.connected], [120n, 125n, true])
    })

    test('the list shows filter, connection, position and times, in the order of uuids', async () => {
      const { registrations, progress } = await open()
      await registrations.claim({ uuid: 'b', query: 'x=1' })
      const { owner } = await registrations.claim({ uuid: 'a', query: 'alarmLevel=1' })
      time.now += 5000
      await progress('a', owner, 130n, false)
      assert.deepEqual(await registrations.list(), [
        {
          uuid: 'a',
          holder: '',
          query: 'alarmLevel=1',
          cursor: 130n,
          position: 135n,
          connected: false,
          createdTime: began,
          lastSeen: time.now,
          lastWrite: time.now,
          node: '',
        },
        {
          uuid: 'b',
          holder: '',
          query: 'x=1',
          cursor: 100n,
          position: 100n,
          connected: true,
          createdTime: began,
          lastSeen: began,
          lastWrite: 0,
          node: '',
        },
      ])
    })

    test('kept seven days after the last disconnect, remembered ninety more', async () => {
      const { registrations, progress } = await open()
      const { owner } = await registrations.claim({ uuid: 'gone', query: '' })
      await registrations.claim({ uuid: 'here', query: '' })
      await progress('gone', owner, 110n, false)
      time.now = began + 7 * day
      await registrations.expire(7)
      assert.equal((await registrations.list()).length, 2)
      time.now += 1
      await registrations.expire(7)
      assert.deepEqual(
        (await registrations.list()).map(({ uuid }) => uuid),
        ['here'],
        'connected ones stay',
      )
      assert(!(await registrations.delete('gone', anna)), 'forgotten is gone')
      time.now = began + 97 * day
      await registrations.expire(7)
      const back = await registrations.claim({ uuid: 'gone', query: '' })
      assert.deepEqual([back.kind, back.cursor], ['expired', 110n])
    })

    test('after ninety days nothing is remembered', async () => {
      const { registrations, progress } = await open()
      const { owner } = await registrations.claim({ uuid: 'gone', query: '' })
      await progress('gone', owner, 110n, false)
      time.now = began + 8 * day
      await registrations.expire(7)
      time.now = began + 97 * day + 1
      await registrations.expire(7)
      assert.equal((await registrations.claim({ uuid: 'gone', query: '' })).kind, 'new')
    })

    test('a start finds nobody connected, and those that were count as seen until now', async () => {
      const { registrations, progress } = await open()
      const { owner } = await registrations.claim({ uuid: 'away', query: '' })
      await progress('away', owner, 110n, false)
      await registrations.claim({ uuid: 'here', query: '' })
      time.now = began + 8 * day
      await registrations.start()
      assert((await registrations.list()).every(({ connected }) => !connected))
      time.now += 60_000
      await registrations.expire(7)
      assert.deepEqual(
        (await registrations.list()).map(({ uuid }) => uuid),
        ['here'],
      )
    })

    test('a deleted registration is forgotten at once', async () => {
      const { registrations } = await open()
      await registrations.claim({ uuid: 'a', query: '', position: 40n })
      assert(await registrations.delete('a', anna))
      assert(!(await registrations.delete('a', anna)))
      const again = await registrations.claim({ uuid: 'a', query: '' })
      assert.deepEqual([again.kind, again.cursor], ['new', 100n])
    })
  })
}
