// What a database promises, on both stores: transactions, whole numbers, versions.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DeviceDirectory } from '../../src/alarms/engine/device-directory.ts'
import { Fault } from '../../src/fault.ts'
import { bulk, type Transaction } from '../../src/store/database.ts'
import { nextId, reserveId } from '../../src/store/ids.ts'
import { everyStore } from '../support.ts'

const addZone = (tx: Transaction, id: bigint, name: string) =>
  tx.run('insert into zone (id, name, name_key, description) values (?, ?, ?, ?)', [id, name, name, null])

for (const { store, database, clock } of await everyStore()) {
  describe(`transactions on ${store.name}`, () => {
    const names = async () => (await database.all('select name from zone order by id')).map((row) => row.name)
    const clear = () => database.transaction((tx) => tx.run('delete from zone'))

    test('a transaction that throws leaves nothing behind, and the next one works', async () => {
      await clear()
      const failure = new Error('changed my mind')
      const failed = database.transaction(async (tx) => {
        await addZone(tx, 1n, 'gone')
        await nextId(tx, 'rolled back')
        throw failure
      })
      await assert.rejects(failed, failure)
      assert.deepEqual(await names(), [])
      assert.deepEqual(await database.all("select value from counter where name = 'rolled back'"), [])
      await database.transaction((tx) => addZone(tx, 1n, 'kept'))
      assert.deepEqual(await names(), ['kept'])
    })

    test('a statement that fails undoes the whole transaction', async () => {
      await clear()
      const failed = database.transaction(async (tx) => {
        await addZone(tx, 1n, 'first')
        await addZone(tx, 1n, 'second with the same id')
      })
      await assert.rejects(failed, (error) => error instanceof Fault && error.code === 'conflict')
      assert.deepEqual(await names(), [])
      const twin = database.transaction(async (tx) => {
        await addZone(tx, 1n, 'same name')
        await addZone(tx, 2n, 'same name')
      })
      await assert.rejects(twin, (error) => error instanceof Fault && error.code === 'conflict')
      assert.deepEqual(await names(), [])
    })

    test('transactions run one after the other, in the order they came, whatever they wait for', async () => {
      await clear()
      const order: number[] = []
      const work = Array.from({ length: 20 }, (_, number) =>
        database
          .transaction(async (tx) => {
            order.push(number)
            const [row] = await tx.all('select count(*) as n from zone')
            await new Promise((resolve) => setImmediate(resolve))
            await addZone(tx, BigInt(number + 1), `zone ${row?.n}`)
            order.push(number)
            if (number % 5 === 4) throw new Error('every fifth fails')
          })
          .catch(() => undefined),
      )
      await Promise.all(work)
      assert.deepEqual(
        order,
        Array.from({ length: 40 }, (_, index) => Math.floor(index / 2)),
      )
      const expected = Array.from({ length: 16 }, (_, number) => `zone ${number}`)
      assert.deepEqual(await names(), expected)
    })

    test('a reader beside a transaction sees nothing of it before its commit', async () => {
      await clear()
      await database.transaction(async (tx) => {
        await addZone(tx, 1n, 'not yet')
        assert.deepEqual(await names(), [])
      })
      assert.deepEqual(await names(), ['not yet'])
    })

    test('time does not change inside a transaction', async () => {
      clock.now = 1_800_000_000_000
      await database.transaction(async (tx) => {
        assert.equal(tx.now, 1_800_000_000_000)
        clock.now += 5000
        assert.equal(tx.now, 1_800_000_000_000)
      })
      await database.transaction(async (tx) => assert.equal(tx.now, 1_800_000_005_000))
    })

    test('whole numbers of 64 bits come back as they went in, and every integer as a bigint', async () => {
      const edges = [9223372036854775807n, -9223372036854775808n, 9007199254740993n, 0n]
      for (const edge of edges) {
        const [row] = await database.transaction(async (tx) => {
          await tx.run('delete from counter where name = ?', ['edge'])
          await tx.run('insert into counter (name, value) values (?, ?)', ['edge', edge])
          return tx.all('select value from counter where name = ?', ['edge'])
        })
        assert.equal(row?.value, edge)
        const [again] = await database.readInBackground('select value from counter where name = ?', ['edge'])
        assert.equal(again?.value, edge)
      }
      const [small] = await database.all('select bind_type as n from mac_access_bind union all select 7')
      assert.equal(small?.n, 7n)
    })

    test('text comes back as it went in, and compares by code point', async () => {
      await clear()
      const strange = ["'; drop table zone; --", '😀', '\u{10ffff}', '\ufffd', 'z', 'Z', 'ä', '\n\t', '$1 ?']
      await database.transaction(async (tx) => {
        for (const [index, name] of strange.entries()) await addZone(tx, BigInt(index), name)
      })
      assert.deepEqual(await names(), strange)
      const sorted = await database.all('select name from zone order by name_key')
      const byCodePoint = strange.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      assert.deepEqual(
        sorted.map((row) => row.name),
        byCodePoint,
      )
    })

    test('the version of a table grows with every commit that wrote to it, and with no other', async () => {
      const before = database.version('zone')
      await database.transaction((tx) => tx.all('select * from zone'))
      await database
        .transaction(async (tx) => addZone(tx, 901n, 'undone').then(() => Promise.reject(new Error())))
        .catch(() => undefined)
      await database.transaction((tx) => nextId(tx, 'zone'))
      assert.equal(database.version('zone'), before)
      await database.transaction((tx) => addZone(tx, 902n, 'new'))
      assert.equal(database.version('zone'), before + 1)
      await database.transaction((tx) => tx.run("update zone set name = 'x' where id = 902"))
      await database.transaction((tx) => tx.all('delete from zone where id = 902 returning id'))
      assert.equal(database.version('zone'), before + 3)
    })

    test('ids count up from one, and skip those that an import used', async () => {
      const next = () => database.transaction((tx) => nextId(tx, 'thing'))
      assert.equal(await next(), 1n)
      assert.equal(await next(), 2n)
      await database.transaction((tx) => reserveId(tx, 'thing', 10n))
      assert.equal(await next(), 11n)
      await database.transaction((tx) => reserveId(tx, 'thing', 5n))
      assert.equal(await next(), 12n)
      await database.transaction((tx) => reserveId(tx, 'other thing', 7n))
      assert.equal(await database.transaction((tx) => nextId(tx, 'other thing')), 8n)
      const many = await Promise.all(Array.from({ length: 50 }, next))
      assert.equal(new Set(many).size, 50)
    })

    test('whoever numbers anything inside a transaction takes from the same counter', async () => {
      const directory = new DeviceDirectory(database, { unknownSenders: 'register', deviceLimit: 100 })
      const taken = await database.transaction(async (tx) => {
        const before = await nextId(tx, 'device')
        const senders = await directory.gather(tx, ['192.0.2.1', '192.0.2.2'])
        const registered = ['192.0.2.1', '192.0.2.2'].map((address) => {
          const device = senders.find(address)
          return typeof device === 'string' ? device : device.id
        })
        return [before, ...registered, await nextId(tx, 'device')]
      })
      assert.deepEqual(taken, [1n, 2n, 3n, 4n])
      assert.equal(await database.transaction((tx) => nextId(tx, 'device')), 5n)
    })

    test('a number is taken once, also by those that ask at the same time and at the end', async () => {
      const taken: bigint[] = []
      await database.transaction(async (tx) => {
        taken.push(...(await Promise.all([nextId(tx, 'row'), nextId(tx, 'row')])))
        tx.beforeCommit(async () => {
          taken.push(await nextId(tx, 'row'))
        })
      })
      await database.transaction(async (tx) => taken.push(await nextId(tx, 'row')))
      assert.deepEqual(taken, [1n, 2n, 3n, 4n])
    })

    test('a transaction answers what its work answers, and how many rows changed', async () => {
      await clear()
      const changed = await database.transaction(async (tx) => {
        await addZone(tx, 1n, 'a')
        await addZone(tx, 2n, 'b')
        return [
          await tx.run("update zone set description = 'x'"),
          await tx.run('delete from zone where id = 1'),
          await tx.run('delete from zone where id = 1'),
        ]
      })
      assert.deepEqual(changed, [2, 1, 0])
    })

    test('statements for many rows insert, replace, change, remove and find as one row after the other would', async () => {
      await clear()
      const add = bulk(
        "insert into zone (id, name, name_key, description) values (?, ?, 'key ' || ?, ?) on conflict (id) do update set description = excluded.description",
        ['bigint', 'text', 'text', 'text'],
      )
      const rows = [1n, 2n, 3n].map((id) => [id, `it's "{${id}}\\,`, String(id), id === 2n ? null : ''])
      const find = bulk('select id, name, description from zone where id = ? and name <> ?', [
        'bigint',
        'text',
      ])
      const found = await database.transaction(async (tx) => {
        await tx.runEach(add, [])
        await tx.runEach(add, rows)
        await tx.runEach(add, [[3n, 'not looked at', '3', 'again']])
        await tx.runEach(
          bulk('update zone set id = id + ?, description = ? where id = ?', ['bigint', 'text', 'bigint']),
          [
            [10n, 'eleven', 1n],
            [10n, 'fourteen', 4n],
          ],
        )
        await tx.runEach(bulk('delete from zone where id = ? and name = ?', ['bigint', 'text']), [
          [2n, 'another name'],
          [3n, `it's "{3}\\,`],
        ])
        assert.deepEqual(await tx.allEach(find, []), [])
        return tx.allEach(find, [
          [11n, ''],
          [2n, ''],
          [2n, `it's "{2}\\,`],
          [3n, ''],
        ])
      })
      assert.deepEqual(
        found.toSorted((a, b) => Number((a.id as bigint) - (b.id as bigint))).map((row) => ({ ...row })),
        [
          { id: 2n, name: `it's "{2}\\,`, description: null },
          { id: 11n, name: `it's "{1}\\,`, description: 'eleven' },
        ],
      )
    })

    test('what is written in many rows comes back as it was, whatever it is', async () => {
      await clear()
      const add = bulk('insert into zone (id, name, name_key, description) values (?, ?, ?, ?)', [
        'bigint',
        'text',
        'text',
        'text',
      ])
      const ids = [1, -1, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, -(2 ** 40) - 7, 2n ** 63n - 1n, -(2n ** 63n)]
      const rows = [...ids, ...Array.from({ length: 600 }, (_, index) => 1000 + index)].map((id) => [
        id,
        `grün "{\\},NULL' 🔔 ${id}`,
        String(id),
        typeof id === 'number' && id % 2 === 0 ? null : 'NULL',
      ])
      const levels = bulk('select cast(? as integer) as level', ['integer'])
      const found = await database.transaction(async (tx) => {
        await tx.runEach(add, rows)
        return tx.allEach(levels, [[5], [-5n], [2 ** 31 - 1], [-(2 ** 31)]])
      })
      assert.deepEqual(
        found.map(({ level }) => level),
        [5n, -5n, 2n ** 31n - 1n, -(2n ** 31n)],
      )
      const kept = await database.all('select id, name, name_key, description from zone')
      const written = new Map(rows.map(([id, ...rest]) => [BigInt(id as number), rest]))
      assert.equal(kept.length, rows.length)
      for (const { id, ...rest } of kept) {
        assert.deepEqual(Object.values(rest), written.get(id as bigint))
      }
    })

    test('a statement for many rows that fails undoes the transaction, and counts as a write of its table', async () => {
      await clear()
      const add = bulk('insert into zone (id, name, name_key) values (?, ?, ?)', ['bigint', 'text', 'text'])
      const version = database.version('zone')
      const twice = database.transaction((tx) =>
        tx.runEach(add, [
          [1n, 'a', 'a'],
          [1n, 'b', 'b'],
        ]),
      )
      await assert.rejects(twice, (error) => error instanceof Fault && error.code === 'conflict')
      assert.deepEqual(await names(), [])
      assert.equal(database.version('zone'), version)
      await database.transaction((tx) => tx.runEach(add, [[1n, 'a', 'a']]))
      assert.equal(database.version('zone'), version + 1)
    })

    test('a statement of work that has failed does not end up in the transaction of another', async () => {
      await clear()
      const failed = Promise.withResolvers<void>()
      const late = Promise.withResolvers<unknown>()
      const failing = database.transaction(async (tx) => {
        const straggler = async () => {
          await failed.promise
          await addZone(tx, 1n, 'late')
        }
        straggler().then(late.resolve, late.resolve)
        throw new Error('failed')
      })
      const next = database.transaction(async (tx) => {
        failed.resolve()
        assert.match(String(await late.promise), /after the end of its transaction/)
        await addZone(tx, 2n, 'next')
      })
      await assert.rejects(failing, /failed/)
      await next
      assert.deepEqual(await names(), ['next'])
    })

    test('what waits for the commit runs before the next transaction, and not where there was no commit', async () => {
      await clear()
      const seen: string[] = []
      const first = database.transaction(async (tx) => {
        tx.afterCommit(() => seen.push(`first, version ${tx.version('zone') - version}`))
        await addZone(tx, 1n, 'a')
      })
      const version = database.version('zone')
      const failing = database.transaction(async (tx) => {
        tx.afterCommit(() => seen.push('failed'))
        throw new Error('no')
      })
      const last = database.transaction(async () => {
        seen.push('last')
      })
      await Promise.allSettled([first, failing, last])
      assert.deepEqual(seen, ['first, version 1', 'last'])
    })
  })
}
