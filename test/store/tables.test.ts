// Records in tables: pages, totals and tallies against a plain reading of the same records in memory.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { create, erase, modify } from '../../src/resources/collection.ts'
import { macAccessBinds } from '../../src/resources/inventory/mac-access-bind.ts'
import { type ListQuery, readListQuery } from '../../src/schema/list.ts'
import type { Condition } from '../../src/schema/list-filter.ts'
import { fold } from '../../src/schema/scalar.ts'
import type { Database } from '../../src/store/database.ts'
import { Totals } from '../../src/store/tally.ts'
import { everyStore } from '../support.ts'
import { pages } from './paging.ts'

const totals = new Totals()

interface Bind {
  id: bigint
  terminalMac: string
  terminalName: string | null
  bindType: number
  maintainer: string | null
  vlan: null
  ifInfo: { deviceId: bigint; ifIndex: bigint }[]
}

const { list, table } = macAccessBinds
const macOf = (number: number) =>
  `00:00:00:00:${(number >> 8).toString(16).padStart(2, '0')}:${(number & 255).toString(16).padStart(2, '0')}`

const word = fc
  .array(fc.constantFrom('a', 'A', 'b', 'Σ', 'ς', 'ß', '%', '_', '\\', '*', '😀', '\ud7ff', '\u{10ffff}'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((chars) => chars.join(''))
const draft = fc.record(
  {
    terminalName: fc.option(word, { nil: null }),
    maintainer: fc.option(word, { nil: null }),
    ifInfo: fc.uniqueArray(
      fc.record({ deviceId: fc.bigInt(1n, 3n), ifIndex: fc.bigInt(1n, 3n) }, { noNullPrototype: true }),
      {
        maxLength: 3,
        selector: ({ deviceId, ifIndex }) => deviceId * 10n + ifIndex,
      },
    ),
  },
  { noNullPrototype: true },
)

const parameters = fc.record(
  {
    terminalName: word,
    terminalMac: fc.constantFrom('*', '00:00:00:00:00:0?', '*:0A', 'no such'),
    bindType: fc.constantFrom('1', '2'),
    deviceId: fc.constantFrom('1', '2', '9'),
    ifIndex: fc.constantFrom('1', '3'),
    maintainer: fc.oneof(
      word,
      word.map((value) => `${value}*`),
      word.map((value) => `*${value}?`),
    ),
    orderBy: fc.constantFrom('id', 'terminalMac', 'terminalName'),
    desc: fc.constantFrom('true', 'false'),
    start: fc.nat(12).map(String),
    size: fc.nat(12).map(String),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

function matches(pattern: string, value: string): boolean {
  const parts = [...fold(pattern).matchAll(/\\([*?])|([*?])|([\s\S])/gu)].map(([, escaped, wild, plain]) => {
    if (wild) return wild === '*' ? '[\\s\\S]*' : '[\\s\\S]'
    return RegExp.escape(escaped ?? plain ?? '')
  })
  return new RegExp(`^${parts.join('')}$`, 'u').test(fold(value))
}

function meets(bind: Bind, given: Record<string, string>): boolean {
  const { terminalName, terminalMac, maintainer, bindType, deviceId, ifIndex } = given
  if (terminalName !== undefined && !matches(terminalName, bind.terminalName ?? '')) return false
  if (terminalMac !== undefined && !matches(terminalMac, bind.terminalMac)) return false
  if (maintainer !== undefined && !matches(maintainer, bind.maintainer ?? '')) return false
  if (bindType !== undefined && bind.bindType !== Number(bindType)) return false
  if (deviceId === undefined && ifIndex === undefined) return true
  // One and the same interface meets both.
  return bind.ifInfo.some(
    (at) =>
      (deviceId === undefined || at.deviceId === BigInt(deviceId)) &&
      (ifIndex === undefined || at.ifIndex === BigInt(ifIndex)),
  )
}

function sorted(binds: Bind[], given: Record<string, string>): Bind[] {
  const key = (bind: Bind) => {
    if (given.orderBy === 'terminalMac') return bind.terminalMac
    return given.orderBy === 'terminalName' ? fold(bind.terminalName ?? '') : ''
  }
  const ascending = binds.toSorted((a, b) => byCodePoint(key(a), key(b)) || Number(a.id - b.id))
  return given.orderBy !== undefined && given.desc === 'true' ? ascending.reverse() : ascending
}

const readQuery = (given: Record<string, string>) =>
  readListQuery(list, new Map(Object.entries(given).map(([name, value]) => [name, [value]])))

async function rowsOf(database: Database, query: ListQuery): Promise<Bind[]> {
  const chunks = await Array.fromAsync(pages(database, table, query))
  assert(chunks.every((chunk) => chunk.length > 0 && chunk.length <= 500))
  return chunks.flat() as unknown as Bind[]
}

async function requireTallies(database: Database): Promise<void> {
  const tallied = await database.all(
    "select column_name, value, n from tally where table_name = 'mac_access_bind' and n <> 0 order by column_name, value",
  )
  const [all] = await database.all('select count(*) as n from mac_access_bind')
  const byType = await database.all(
    'select bind_type as value, count(*) as n from mac_access_bind group by bind_type order by bind_type',
  )
  const expected = byType.map((row) => ['bind_type', String(row.value), row.n])
  assert.deepEqual(
    tallied.map((row) => [row.column_name, row.value, row.n]),
    all?.n === 0n ? [] : [['', '', all?.n], ...expected],
  )
}

async function clear(database: Database): Promise<void> {
  for (const { id } of await rowsOf(database, readQuery({ size: '100000' })))
    await erase(database, macAccessBinds, id)
}

for (const { store, database } of await everyStore()) {
  describe(`tables on ${store.name}`, () => {
    test('pages, totals and tallies equal a plain reading, whatever was created, modified and deleted', async () => {
      const model = new Map<bigint, Bind>()
      let macs = 0
      const full = (
        id: bigint,
        terminalMac: string,
        part: { terminalName: string | null; maintainer: string | null; ifInfo: Bind['ifInfo'] },
      ): Bind => ({ id, terminalMac, ...part, vlan: null, bindType: part.ifInfo.length > 0 ? 2 : 1 })
      const step = fc.record({
        pick: fc.nat(),
        deed: fc.constantFrom('create', 'create', 'modify', 'delete'),
        part: draft,
      })
      const property = fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.array(parameters, { minLength: 1, maxLength: 5 }),
        async (steps, queries) => {
          for (const { pick, deed, part } of steps) {
            const target = [...model.values()][pick % Math.max(1, model.size)]
            if (deed === 'create' || !target) {
              const { id: _, ...bind } = full(0n, macOf(macs++), part)
              const id = await create(database, macAccessBinds, bind)
              model.set(id, { id, ...bind })
            } else if (deed === 'modify') {
              const changed = full(target.id, target.terminalMac, part)
              await modify(database, macAccessBinds, target.id, changed)
              model.set(target.id, changed)
            } else {
              await erase(database, macAccessBinds, target.id)
              model.delete(target.id)
            }
          }
          await requireTallies(database)
          for (const given of queries) {
            const query = readQuery(given as Record<string, string>)
            const all = sorted([...model.values()], given as Record<string, string>).filter((bind) =>
              meets(bind, given as Record<string, string>),
            )
            assert.deepEqual(await rowsOf(database, query), all.slice(query.start, query.start + query.size))
            assert.equal(await totals.of(database, table, query.conditions), all.length)
          }
        },
      )
      await clear(database)
      await fc.assert(property, { numRuns: 40, endOnFailure: true })
    })

    test('a page longer than a chunk, in every order and with ties, neither repeats nor leaves out a row', async () => {
      await clear(database)
      const names = ['same', 'Same', 'other', null]
      await database.transaction(async (tx) => {
        for (let number = 1; number <= 1203; number += 1) {
          const name = names[number % names.length] ?? null
          await tx.run(
            `insert into mac_access_bind (${table.form.names}) values (${table.form.placeholders})`,
            table.form.toRow({
              id: BigInt(5000 + number),
              terminalMac: macOf((number * 7919) % 65536),
              terminalName: name,
              bindType: 1,
              maintainer: `m${number % 3}`,
              vlan: null,
              ifInfo: [],
            }),
          )
        }
      })
      const binds = await rowsOf(database, readQuery({ size: '5000' }))
      assert.equal(binds.length, 1203)
      for (const orderBy of ['id', 'terminalMac', 'terminalName']) {
        for (const desc of ['false', 'true']) {
          for (const page of [
            { size: '5000' },
            { start: '3', size: '1001' },
            { start: '1100', size: '500' },
            { start: '2000', size: '5' },
          ]) {
            const query = readQuery({ orderBy, desc, ...page })
            const expected = sorted(binds, { orderBy, desc }).slice(query.start, query.start + query.size)
            assert.deepEqual(
              (await rowsOf(database, query)).map(({ id }) => id),
              expected.map(({ id }) => id),
            )
          }
          const filtered = readQuery({ orderBy, desc, maintainer: 'M?', terminalName: '*a*', size: '5000' })
          const expected = sorted(binds, { orderBy, desc }).filter(
            ({ terminalName }) => terminalName?.toLowerCase() === 'same',
          )
          assert.deepEqual(
            (await rowsOf(database, filtered)).map(({ id }) => id),
            expected.map(({ id }) => id),
          )
        }
      }
      await database.transaction((tx) => tx.run('delete from mac_access_bind'))
    })

    test('a remembered total is forgotten when the table changes', async () => {
      await clear(database)
      const count = () => totals.of(database, table, readQuery({ terminalName: 'a*' }).conditions)
      assert.equal(await count(), 0)
      const id = await create(database, macAccessBinds, {
        terminalMac: macOf(60000),
        terminalName: 'abc',
        bindType: 1,
      })
      assert.equal(await count(), 1)
      assert.equal(await count(), 1)
      await modify(database, macAccessBinds, id, {
        terminalMac: macOf(60000),
        terminalName: 'xyz',
        bindType: 1,
      })
      assert.equal(await count(), 0)
      await create(database, macAccessBinds, { terminalMac: macOf(60001), terminalName: 'Ab', bindType: 1 })
      await erase(database, macAccessBinds, id)
      assert.equal(await count(), 1)
    })

    test('a pattern made to be slow is answered', async () => {
      await clear(database)
      await create(database, macAccessBinds, {
        terminalMac: macOf(60002),
        terminalName: 'a'.repeat(1000),
        bindType: 1,
      })
      const pattern = `${'*a'.repeat(499)}*b`
      // Tried in every way, it would take longer than anyone waits.
      const condition = readQuery({ terminalName: pattern }).conditions
      assert.equal(await totals.of(database, table, condition), 0)
    })

    test('a filter with a character that no text can hold is refused, as in a record', () => {
      for (const value of ['\u0000', 'a\u0000*', '\ufffe?']) {
        assert.throws(() => readQuery({ terminalName: value }), { code: 'invalid', field: 'terminalName' })
      }
    })

    test('an unusual prefix finds what begins with it', async () => {
      await clear(database)
      const prefixes = ['\ud7ff', '\u{10ffff}', 'a\u{10ffff}', '\uffee', '\u{1f600}']
      for (const [index, prefix] of prefixes.entries()) {
        await create(database, macAccessBinds, {
          terminalMac: macOf(61000 + index),
          terminalName: `${prefix}x`,
          bindType: 1,
        })
      }
      for (const prefix of prefixes) {
        const conditions: readonly Condition[] = readQuery({ terminalName: `${prefix}*` }).conditions
        assert.equal(await totals.of(database, table, conditions), 1, JSON.stringify(prefix))
      }
    })
  })
}
