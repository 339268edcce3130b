// A store in PostgreSQL that was put back to an older state is noticed by what nodes have seen of it: one epoch above all
// of that, one alarm, no id twice, and clients are informed of what is gone.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { startsMissed } from '../../src/upkeep/checks/store-loss.ts'
import { until } from '../intake/sending.ts'
import { newDatabase } from '../postgres-database.ts'
import { EventReader, field } from '../push/reader.ts'
import { startService, type TestService, temporaryFolder } from '../support.ts'
import { Copies } from './put-back.ts'

const json = { Accept: 'application/json' }
const older = '1.3.6.1.4.1.32473.1.22'

class World {
  readonly address: string
  readonly copies: Copies
  readonly #folders = new Map<string, string>()
  #raised = 0

  private constructor(address: string) {
    this.address = address
    this.copies = new Copies(address)
  }

  static async make(): Promise<World> {
    return new World(await newDatabase())
  }

  folderOf(node: string): string {
    const known = this.#folders.get(node) ?? temporaryFolder()
    this.#folders.set(node, known)
    return known
  }

  start(node: string): Promise<TestService> {
    return startService({ node, store: this.address, data: this.folderOf(node), 'lease-seconds': '2' })
  }

  /** Returns the ids. While the store is being compared, it is tried again. */
  async raise(service: TestService, count: number): Promise<bigint[]> {
    const ids: bigint[] = []
    for (let n = 0; n < count; n += 1) {
      this.#raised += 1
      const body = { OID: `1.3.6.1.4.1.32473.9.${this.#raised}`, alarmLevel: 3, alarmDesc: 'x' }
      let location: unknown
      await until('it is answered', async () => {
        const answer = await service.sendJson('POST', '/fault/alarm', body)
        assert.ok([201, 503].includes(answer.status), answer.text)
        location = answer.headers.location
        return answer.status === 201
      })
      ids.push(BigInt(String(location).split('/').at(-1) ?? ''))
    }
    return ids
  }
}

/** Texts of the alarm that the store is older, once it is there. */
async function reported(service: TestService): Promise<string[]> {
  const { alarm = [] } = (await service.get(`/fault/alarm?faultOid=${older}&size=100`, json)).json()
  return (alarm as { alarmDesc: string }[]).map(({ alarmDesc }) => alarmDesc)
}

const untilReported = (service: TestService) =>
  until('it is reported', async () => (await reported(service)).length > 0)

/** Epochs that were opened with a jump: last number before, last number known to be gone. */
async function jumps({ database }: TestService): Promise<[number, number][]> {
  const rows = await database.all(
    'select last_before, lost_to from epoch where last_before >= 0 order by number',
  )
  return rows.map((row) => [Number(row.last_before), Number(row.lost_to)])
}

const headOf = async ({ database }: TestService) =>
  Number((await database.all("select value from counter where name = 'alarm log'"))[0]?.value)

/** The same, once a node has noted that it has seen it: it does so before it pushes, and with its sign of life. */
async function notedHead(service: TestService): Promise<number> {
  const head = await headOf(service)
  await until('a node has noted it', async () => {
    const rows = await service.database.all("select mark from node where mark <> ''")
    return rows.some(({ mark }) => Number(JSON.parse(String(mark)).number) >= head)
  })
  return head
}

/** What a client is sent, up to the first document that satisfies the condition. */
async function sent(
  service: TestService,
  query: string,
  isLast: (document: string) => boolean,
): Promise<readonly string[]> {
  const reader = await EventReader.open(service.url, `type=11&${query}`)
  assert.equal(reader.status, 202)
  await reader.until(() => reader.documents.some(isLast), 'the last of them')
  reader.close()
  return reader.documents
}

const isGap = (document: string) => document.includes('<id>0</id>') || document.includes('<gap>')
const words = (document = '') => field(document, 'alarmDesc')

/** Registers a client and waits until it has so many alarms; returns its last position. */
async function follow(service: TestService, uuid: string, more: () => Promise<unknown>): Promise<string> {
  const reader = await EventReader.open(service.url, `type=11&cursor=true&uuid=${uuid}`)
  await more()
  const last = await headOf(service)
  const at = () => field(reader.documents.at(-1) ?? '', 'cursor')
  await reader.until(() => at().endsWith(`:${last}`), `entry ${last}`)
  const position = at()
  reader.close()
  await until('it is gone', async () => {
    const rows = await service.database.all('select connected from registration where uuid = ?', [uuid])
    return rows[0]?.connected === 0n
  })
  return position
}

test('a copy that is put back while the node is stopped: everyone is told what is gone, once, and no id is given again', async () => {
  const world = await World.make()
  const first = await world.start('a')
  await follow(first, 'desk', () => world.raise(first, 5))
  await first.stop()
  await world.copies.keep('early')
  const second = await world.start('a')
  const last = await headOf(second)
  const position = await follow(second, 'late', () => world.raise(second, 20))
  const given = await world.raise(second, 3)
  const gone = await notedHead(second)
  await second.stop()
  await world.copies.putBack('early')
  const third = await world.start('a')
  assert.deepEqual(await jumps(third), [[last, gone]])
  const [boots] = await third.database.all("select value from counter where name = 'notify engine boots'")
  assert.ok(Number(boots?.value) >= startsMissed, 'receivers of version 3 traps accept what it sends')
  await untilReported(third)
  assert.match(
    (await reported(third))[0] ?? '',
    new RegExp(`entries ${last + 1} to ${gone} of the alarm log`),
  )
  const anew = await world.raise(third, 3)
  assert(anew.every((id) => id > (given.at(-1) ?? 0n)))
  // Known to the store, and behind the loss.
  const lines = await sent(third, 'uuid=desk&cursor=true', isGap)
  const text = `Alarms from ${last + 1} to ${gone} (${gone - last} entries of the alarm log) cannot be delivered any more: the store was put back to an older state, and they are gone`
  assert.equal(words(lines.find(isGap)), text)
  // It has a position that is gone.
  const [told] = await sent(third, `since=${position}&cursor=true`, isGap)
  assert.equal(field(told ?? '', 'reason'), text)
  const next = await sent(third, `since=${field(told ?? '', 'to')}&cursor=true`, () => true)
  assert(!next.some(isGap), 'the position that the gap names is a good one')
  // Registered after the copy: the store does not know it.
  const [unknown] = await sent(third, 'uuid=late', isGap)
  assert.match(
    words(unknown),
    new RegExp(
      `^Alarms from ${last + 1} to ${gone} .* may be missing: .* for the first time can ignore this$`,
    ),
  )
  const more = sent(third, 'uuid=late', () => true)
  await until('it is connected', async () => {
    const rows = await third.database.all("select connected from registration where uuid = 'late'")
    return rows[0]?.connected === 1n
  })
  await world.raise(third, 1)
  assert(!(await more).some(isGap), 'once')
  // Those who know where they begin are told nothing.
  for (const query of ['uuid=new1&snapshot=true', `uuid=new2&since=${field(next.at(-1) ?? '', 'cursor')}`]) {
    const documents = sent(third, query, (document) => words(document) === 'x' || isGap(document))
    await world.raise(third, 1)
    assert(!(await documents).some(isGap), query)
  }
  await third.stop()
  const fourth = await world.start('a')
  await world.raise(fourth, 1)
  assert.equal((await jumps(fourth)).length, 1, 'no second epoch')
  assert.equal((await reported(fourth)).length, 1, 'one alarm')
  await fourth.stop()
})

test('a copy that is put back under two nodes that run: both go on above what either has seen', async () => {
  const world = await World.make()
  const [a, b] = [await world.start('a'), await world.start('b')]
  await world.raise(a, 3)
  await world.copies.keep('early')
  const last = await headOf(a)
  const reader = await EventReader.open(b.url, 'type=11&uuid=desk&cursor=true')
  const given = await world.raise(b, 12)
  const gone = await notedHead(a)
  await reader.until(() => reader.documents.length >= 12, 'all of them')
  await world.copies.putBack('early')
  const anew = [...(await world.raise(a, 2)), ...(await world.raise(b, 2))]
  assert(anew.every((id) => id > (given.at(-1) ?? 0n)))
  await reader.end()
  assert.deepEqual(await jumps(a), [[last, gone]])
  await untilReported(b)
  assert.equal((await reported(b)).length, 1)
  const lines = await sent(a, 'uuid=desk&cursor=true', isGap)
  assert.match(words(lines.find(isGap)), new RegExp(`^Alarms from ${last + 1} to ${gone} `))
  for (const node of [a, b])
    await until('it is healthy', async () => (await node.get('/health')).status === 200)
  await Promise.all([a.stop(), b.stop()])
})

test('a node that comes later with a higher mark takes the new one; a folder that was lost notices nothing by itself', async () => {
  const world = await World.make()
  const [a, b] = [await world.start('a'), await world.start('b')]
  await world.raise(a, 3)
  await world.copies.keep('early')
  await world.raise(a, 5)
  await a.stop()
  const given = await world.raise(b, 10)
  const gone = await notedHead(b)
  await b.stop()
  await world.copies.putBack('early')
  const again = await world.start('a')
  const anew = await world.raise(again, 2)
  assert(anew.every((id) => id > (given.at(-1) ?? 0n)))
  const [[last = 0, known = 0] = []] = await jumps(again)
  assert(known < gone)
  const other = await world.start('b')
  assert.deepEqual(await jumps(other), [[last, gone]], 'it is recorded already, and more of it is known now')
  await Promise.all([again.stop(), other.stop()])
  // Once more, and the one that comes first has lost its folder.
  await world.copies.putBack('early')
  rmSync(join(world.folderOf('a'), 'store-marks'))
  const blind = await world.start('a')
  assert.deepEqual(await jumps(blind), [], 'it cannot know')
  await world.raise(blind, 1)
  const seeing = await world.start('b')
  const all = await jumps(seeing)
  assert.equal(all.length, 1, 'the one that processes learns it from the other')
  const next = await world.raise(blind, 1)
  assert(next.every((id) => id > (anew.at(-1) ?? 0n)))
  await Promise.all([blind.stop(), seeing.stop()])
})

test('an even older copy, and the same one twice: each time one epoch above everything', async () => {
  const world = await World.make()
  let service = await world.start('a')
  await world.copies.keep('first')
  await world.raise(service, 3)
  await service.stop()
  await world.copies.keep('second')
  const seen = new Set<bigint>()
  for (const copy of ['second', 'second', 'first', 'second']) {
    service = await world.start('a')
    for (const id of await world.raise(service, 3)) {
      assert(!seen.has(id), `${id} was given before`)
      seen.add(id)
    }
    await service.stop()
    await world.copies.putBack(copy)
  }
  service = await world.start('a')
  assert.equal((await jumps(service)).length, 1)
  for (const id of await world.raise(service, 1)) assert(!seen.has(id))
  await service.stop()
})

test('another store under the same address is no loss', async () => {
  const world = await World.make()
  const first = await world.start('a')
  await world.raise(first, 10)
  await world.copies.keep('early')
  await first.database.transaction((tx) => tx.run("update counter set value = 5 where name = 'alarm log'"))
  await first.database.transaction((tx) =>
    tx.run("update counter set value = value + 1 where name = 'store'"),
  )
  await first.stop()
  const second = await world.start('a')
  assert.deepEqual(await jumps(second), [])
  assert.deepEqual(await reported(second), [])
  await second.stop()
})

test('on another timeline clients are told that something may be missing, unless every commit waited for a standby', async () => {
  const world = await World.make()
  for (const [waits, isTold] of [
    [0, true],
    [1, false],
  ] as const) {
    const first = await world.start('a')
    await follow(first, `desk${waits}`, () => world.raise(first, 3))
    const last = await headOf(first)
    const before = (await jumps(first)).length
    await first.database.transaction((tx) =>
      tx.run('update fence set timeline = timeline - 1, waits = ?', [waits]),
    )
    await first.stop()
    const second = await world.start('a')
    assert.equal((await jumps(second)).length, before + 1)
    const documents = sent(
      second,
      `uuid=desk${waits}`,
      (document) => isGap(document) || words(document).endsWith('last'),
    )
    await second.sendJson('POST', '/fault/alarm', {
      OID: `1.3.6.1.4.1.32473.8.${waits}`,
      alarmLevel: 3,
      alarmDesc: 'last',
    })
    const gaps = (await documents).filter(isGap)
    assert.equal(gaps.length, isTold ? 1 : 0)
    if (isTold)
      assert.match(
        words(gaps[0]),
        new RegExp(
          `^Alarms after ${last} may be missing: the store was restored or moved, or another server`,
        ),
      )
    await second.stop()
  }
})

test('a number that was given out is not taken again, whatever became of its counter', async () => {
  const world = await World.make()
  const service = await world.start('a')
  const given = await world.raise(service, 5)
  await until('the mark has them', async () => {
    const [row] = await service.database.all('select mark from node')
    return String(row?.mark).includes(`"alarm":"${given.at(-1)}"`)
  })
  const copy = new Postgres(world.address)
  await copy.writeConcurrently((tx) => tx.run("update counter set value = 1 where name = 'alarm'"))
  await copy.close()
  const anew = await world.raise(service, 5)
  assert(anew.every((id) => id > (given.at(-1) ?? 0n)))
  assert.equal((await jumps(service)).length, 1)
  await service.stop()
})

test('a copy from before a definition and a change of many alarms came: what the start adds, and later changes, get ids that were not given out', async () => {
  const world = await World.make()
  const first = await world.start('a')
  await world.raise(first, 1)
  await first.stop()
  const store = new Postgres(world.address)
  // As an older program left it: it did not have this definition, and a newer one adds it at its start.
  const own = "name like '% own events'"
  const [row] = await store.all(`select name from counter where ${own}`)
  await store.writeConcurrently((tx) =>
    tx.run("delete from trap_event where event_oid = '1.3.6.1.4.1.32473.1.22'"),
  )
  await store.writeConcurrently((tx) => tx.run(`delete from counter where ${own}`))
  await world.copies.keep('old')
  await store.writeConcurrently((tx) =>
    tx.run('insert into counter (name, value) values (?, 1)', [String(row?.name)]),
  )
  const service = await world.start('a')
  const made = await service.sendJson('POST', '/fault/trapEvent', {
    eventOid: '1.3.6.1.4.1.99999.1',
    name: 'Ours',
    alarmLevel: 3,
    alarmCategory: 1,
  })
  assert.equal(made.status, 201, made.text)
  const given = BigInt(String(made.headers.location).split('/').at(-1) ?? '')
  const noted = await service.sendJson('POST', '/fault/alarm/note?alarmLevel=3&confirm=true', {
    note: 'seen',
  })
  assert.equal(noted.status, 200, noted.text)
  const lastBatch = async () =>
    (await store.all("select value from counter where name = 'alarm_batch'"))[0]?.value as bigint | undefined
  const batch = (await lastBatch()) ?? 0n
  assert.ok(batch > 0n)
  await until('the mark has them', async () => {
    const [node] = await store.all("select mark from node where name = 'a'")
    const { ids } = JSON.parse(String(node?.mark))
    return ids.trap_event === String(given) && ids.alarm_batch === String(batch)
  })
  await service.stop()
  await world.copies.putBack('old')
  const again = await world.start('a')
  const [seeded] = await store.all("select id from trap_event where event_oid = '1.3.6.1.4.1.32473.1.22'")
  assert.ok((seeded?.id as bigint) > given, `the definition got ${seeded?.id}, and ${given} was given out`)
  assert.ok(((await lastBatch()) ?? 0n) > batch)
  assert.equal((await jumps(again)).length, 1)
  await again.stop()
  await store.close()
})
