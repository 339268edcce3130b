import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { openEpochAhead } from '../../src/alarms/log/epochs.ts'
import type { Store } from '../../src/store/database.ts'
import { type EventReader, field, numberOf } from './reader.ts'
import { eventually, Station } from './station.ts'

/** 0 for a document that carries no position. */
const numbers = (reader: EventReader) =>
  reader.documents.map((document) => numberOf(field(document, 'cursor')) || 0)

const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** A reader that takes nothing more, with a socket that is full on our side. */
async function stall(station: Station, query: string): Promise<EventReader> {
  const reader = await station.connect(query)
  reader.stopReading()
  const text = 'x'.repeat(9000)
  let before: number | undefined
  await eventually(async () => {
    await station.raise(50, text)
    // One write may be more than fits into the buffer of Node, and fit into that of the kernel a moment later.
    const full = [...station.responses].find(({ socket }) => socket?.writableNeedDrain)?.writableLength
    const isStill = full !== undefined && full === before
    before = full
    return isStill
  }, 'a full socket')
  return reader
}

suite('live and catching up', () => {
  test('what is raised while a client waits reaches it in order, once', async () => {
    const station = await Station.open()
    const reader = await station.connect()
    await station.raise(500)
    await reader.take(500)
    assert.deepEqual(numbers(reader), upTo(500))
  })

  test('a client far behind gets everything, and then live entries with none missing', async () => {
    const station = await Station.open()
    await (await station.connect('uuid=a')).close()
    await station.raise(2500)
    const reader = await station.connect('uuid=a')
    await station.raise(300)
    await reader.take(2800)
    assert.deepEqual(numbers(reader), upTo(2800))
  })

  test('the logSignal may be missed: the log is looked at once a second', async () => {
    const station = await Station.open()
    const reader = await station.connect()
    station.logSignal.notify = () => undefined
    await station.raise(3)
    await reader.take(3)
  })

  test('a client that comes while the hub is behind the log sees no position twice or backwards', async () => {
    const station = await Station.open()
    await station.raise(2)
    await station.processed()
    const { notify } = station.logSignal
    station.logSignal.notify = () => undefined
    await station.raise(3)
    const [late, snapshot] = await Promise.all([
      station.connect('uuid=late'),
      station.connect('snapshot=true'),
    ])
    station.logSignal.notify = notify
    await station.raise()
    await Promise.all([late.take(1), snapshot.take(6)])
    assert.deepEqual(numbers(late), [6], 'it starts at now')
    assert.deepEqual(numbers(snapshot).slice(-2), [5, 6])
  })
})

suite('connections that come and go', () => {
  test('a client that disconnects before it was served leaves nothing behind', async () => {
    const held = Promise.withResolvers<void>()
    const wait = { for: Promise.resolve() }
    const station = await Station.open({ wrap: (database) => slow(database, 'from counter', wait) })
    wait.for = held.promise
    const { port } = new URL(station.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write('GET /?uuid=hasty HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await eventually(async () => (await station.registrations.list()).length === 1, 'it has come')
    socket.destroy()
    await eventually(() => station.connections === 0, 'it has gone')
    held.resolve()
    await eventually(async () => !(await station.registrations.list())[0]?.connected, 'it is forgotten')
    assert.equal(station.push.open, 0)
  })

  test('the older connection of a uuid ends and the newer repeats what may not have arrived', async () => {
    const station = await Station.open()
    const older = await station.connect('uuid=a')
    await station.raise(5)
    await older.take(5)
    const newer = await station.connect('uuid=a')
    await older.end()
    await station.raise(2)
    await newer.take(7)
    assert.deepEqual(numbers(older), upTo(5))
    assert.deepEqual(numbers(newer), upTo(7))
    assert.equal(station.push.open, 1)
  })

  test('a replaced connection that does not read is closed', async () => {
    const station = await Station.open()
    const older = await stall(station, 'uuid=a')
    const newer = await station.connect('uuid=a')
    await eventually(() => station.connections === 1, 'the older is gone')
    const head = await station.processed()
    await newer.take(head)
    older.reset()
    assert.deepEqual(numbers(newer), upTo(head))
  })

  test('an orderly close proves nothing about the client: what may not have arrived is repeated', async () => {
    const station = await Station.open()
    const reader = await station.connect('uuid=a')
    await station.raise(5)
    await reader.take(5)
    await station.pass(1000)
    reader.close()
    await eventually(() => station.push.open === 0, 'the end is noticed')
    await station.raise(2)
    const again = await station.connect('uuid=a')
    await again.take(7)
    assert.deepEqual(numbers(again), upTo(7))
  })

  test('where a clean end is trusted, one after an idle second repeats nothing', async () => {
    const station = await Station.open({ trustCleanClose: true })
    const reader = await station.connect('uuid=a')
    await station.raise(5)
    await reader.take(5)
    await station.pass(1000)
    reader.close()
    await eventually(() => station.push.open === 0, 'the end is noticed')
    await station.raise(2)
    const again = await station.connect('uuid=a')
    await again.take(2)
    assert.deepEqual(numbers(again), [6, 7])
  })

  test('where a clean end is trusted, one within the second repeats', async () => {
    const station = await Station.open({ trustCleanClose: true })
    const reader = await station.connect('uuid=a')
    await station.raise(5)
    await reader.take(5)
    await station.pass(999)
    reader.close()
    await eventually(() => station.push.open === 0, 'the end is noticed')
    const again = await station.connect('uuid=a')
    await again.take(5)
  })

  test('an end that comes while bytes still wait for the client is not a clean one', async () => {
    const station = await Station.open({ trustCleanClose: true })
    const reader = await stall(station, 'uuid=a')
    // It says that it will send no more, and does not read either.
    reader.socket.end()
    const [response] = station.responses
    await eventually(() => response?.req.socket.readableEnded === true, 'it has said so')
    await station.pass(61_000)
    await eventually(() => station.push.open === 0, 'it is cut')
    const again = await station.connect('uuid=a')
    const head = await station.processed()
    await again.take(head)
    assert.deepEqual(numbers(again), upTo(head))
    reader.reset()
  })
})

suite('slow readers', () => {
  test('a client that reads nothing for long is disconnected, comes back and misses nothing', async () => {
    const station = await Station.open()
    const reader = await stall(station, 'uuid=a')
    await station.pass(59_000)
    assert.equal(station.push.open, 1)
    await station.pass(2000)
    assert.equal(station.push.open, 0)
    assert.equal(station.push.counts.cut, 1)
    const again = await station.connect('uuid=a')
    const head = await station.processed()
    await again.take(head)
    assert.deepEqual(numbers(again), upTo(head))
    reader.reset()
  })

  test('keep no more than a megabyte each, however much is raised at once', async () => {
    const station = await Station.open()
    const stalled = await Promise.all(
      // Each of its own kind, so that they share nothing.
      upTo(10).map((number) => station.connect(`uuid=a${number}&deviceIp=127.0.0.1,127.0.1.${number}`)),
    )
    for (const reader of stalled) reader.stopReading()
    await station.raise(200, 'x'.repeat(9500), 200)
    await station.raise(2000, 'x'.repeat(9500), 200)
    await station.processed()
    await eventually(() => station.pending.every((bytes) => bytes > 0), 'all sockets are full')
    assert(Math.max(...station.pending) < 2 ** 20, String(station.pending))
    for (const reader of stalled) reader.reset()
  })

  test('a client that reads on before it is disconnected misses nothing', async () => {
    const station = await Station.open()
    const reader = await stall(station, '')
    await station.raise(100)
    reader.readOn()
    const head = await station.processed()
    await reader.take(head)
    assert.deepEqual(numbers(reader), upTo(head))
  })

  test('a client whose entries were removed is sent a gap at once, and goes on', async () => {
    const station = await Station.open()
    for (const query of ['uuid=a', '']) {
      const reader = await stall(station, query)
      // More than the cached tail holds, so that the log itself is read.
      await station.raise(2100)
      const head = await station.processed()
      const last = BigInt(head - 50)
      await station.database.transaction((tx) => tx.run('delete from alarm_log where number <= ?', [last]))
      reader.readOn()
      await reader.until(() => numbers(reader).at(-1) === head, 'everything that is left')
      const got = numbers(reader)
      const gap = got.indexOf(0)
      const first = got[0] ?? 0
      const missed = got[gap - 1] ?? 0
      assert.deepEqual(got, [...upTo(missed, first), 0, ...upTo(head, head - 49)])
      const reported = reader.documents[gap] ?? ''
      assert.equal(field(reported, 'originalType'), '3')
      assert(field(reported, 'alarmDesc').startsWith(`Alarms from ${missed + 1} to ${last} `), reported)
      reader.reset()
    }
    assert.equal(station.push.counts.gaps, 2)
  })
})

suite('gaps', () => {
  test('a gap that may not have arrived is reported again', async () => {
    const station = await Station.open()
    await (await station.connect('uuid=a')).close()
    await station.raise(10)
    await station.database.transaction((tx) => tx.run('delete from alarm_log where number <= 5'))
    for (let time = 0; time < 2; time += 1) {
      const reader = await station.connect('uuid=a')
      const [first = ''] = await reader.take(6)
      assert.match(field(first, 'alarmDesc'), /Alarms from 1 to 5 /)
      assert.deepEqual(numbers(reader).slice(1), upTo(10, 6))
      reader.reset()
      await eventually(() => station.push.open === 0, 'the break is noticed')
    }
    assert.equal(station.push.counts.gaps, 2)
  })

  test('a gap that arrived is reported once', async () => {
    const station = await Station.open({ trustCleanClose: true })
    await (await station.connect('uuid=a')).close()
    await station.raise(10)
    await station.database.transaction((tx) => tx.run('delete from alarm_log where number <= 5'))
    const reader = await station.connect('uuid=a')
    await reader.take(6)
    await station.pass(1000)
    reader.close()
    await eventually(() => station.push.open === 0, 'the end is noticed')
    await station.raise(1)
    const again = await station.connect('uuid=a')
    await again.take(1)
    assert.deepEqual(numbers(again), [11])
  })

  test('clients that wait are sent a gap when retention overtakes the reading of the log', async () => {
    const station = await Station.open()
    await station.raise(3)
    const since = station.push.positionText(3n)
    const [plain, durable, exact, other] = await Promise.all(
      ['', 'uuid=a', `since=${since}`, 'deviceIp=192.0.2.1'].map((query) => station.connect(query)),
    )
    assert(plain && durable && exact && other)
    await station.processed()
    const { notify } = station.logSignal
    station.logSignal.notify = () => undefined
    await station.raise(10)
    await station.database.transaction((tx) => tx.run('delete from alarm_log where number <= 8'))
    station.logSignal.notify = notify
    await station.raise()
    for (const reader of [plain, durable]) {
      const [reported = ''] = await reader.take(7)
      assert.match(field(reported, 'alarmDesc'), /^Alarms from 4 to 8 \(5 entries of the alarm log\)/)
      assert.deepEqual(numbers(reader).slice(1), upTo(14, 9))
    }
    const [gap = ''] = await exact.take(7)
    const place = (number: bigint) => station.push.positionText(number)
    assert(gap.includes(`<gap><from>${place(3n)}</from><to>${place(8n)}</to><reason>`), gap)
    assert.deepEqual(numbers(exact).slice(1), upTo(14, 9))
    await other.take(1)
    assert.match(field(other.documents[0] ?? '', 'alarmDesc'), /^Alarms from 4 to 8 /, 'whatever its filter')
    assert.equal(station.push.counts.gaps, 4)
  })

  test('missing entries in the middle of the log are reported there, and so is an empty log', async () => {
    const station = await Station.open()
    await (await station.connect('uuid=a')).close()
    await station.raise(10)
    const jump = (to: number) =>
      station.database.transaction((tx) =>
        tx.run("update counter set value = ? where name = 'alarm log'", [to]),
      )
    await (await station.connect('uuid=b&deviceIp=192.0.2.1')).close()
    await jump(20)
    const filtered = await station.connect('uuid=b&deviceIp=192.0.2.1')
    await filtered.take(1)
    assert.match(
      field(filtered.documents[0] ?? '', 'alarmDesc'),
      /^Alarms from 11 to 20 /,
      'whatever its filter',
    )
    const reader = await station.connect('uuid=a')
    await reader.take(11)
    assert.deepEqual(numbers(reader), [...upTo(10), 0])
    assert.match(field(reader.documents[10] ?? '', 'alarmDesc'), /^Alarms from 11 to 20 .* another copy/)
    await station.raise()
    await jump(30)
    await station.raise()
    await reader.take(14)
    assert.deepEqual(numbers(reader).slice(11), [21, 0, 31])
    assert.match(field(reader.documents[12] ?? '', 'alarmDesc'), /^Alarms from 22 to 30 /)
  })

  test('a client that is behind a jump of numbers is behind by the entries there are, and no longer than those', async () => {
    const station = await Station.open()
    await (await station.connect('uuid=a')).close()
    await eventually(() => station.connections === 0, 'it is gone')
    await station.raise(2)
    await station.database.transaction((tx) => openEpochAhead(tx, { ids: new Map(), isReported: false }))
    const reader = await station.connect('uuid=b')
    await station.raise(3)
    await reader.take(3)
    await station.pass(60_000)
    const lags = async () =>
      new Map((await station.push.clients()).map(({ uuid, lag, lagSeconds }) => [uuid, { lag, lagSeconds }]))
    assert.deepEqual((await lags()).get('a'), { lag: 5n, lagSeconds: 60 })
    const other = await station.connect('uuid=a')
    await other.take(2)
    assert.equal(station.push.counts.gaps, 0)
  })

  test('the position a client brought is its saved cursor from the first moment', async () => {
    const station = await Station.open()
    await station.raise(10)
    const since = station.push.positionText(4n)
    await station.connect(`uuid=new&since=${since}`)
    const [row] = await station.registrations.list()
    assert.equal(row?.cursor, 4n, 'before anything has been looked after')
  })
})

suite('signs of life', () => {
  test('come after a minute of silence, with the position reached', async () => {
    const station = await Station.open()
    const reader = await station.connect('alarmLevel=1')
    await station.raise(3)
    await station.processed()
    await station.pass(59_000)
    await station.pass(1000)
    const [bookmark = ''] = await reader.take(1)
    assert.equal(
      bookmark,
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><bookmark><cursor>${station.push.positionText(3n)}</cursor></bookmark>`,
    )
    await station.pass(59_000)
    assert.equal(reader.documents.length, 1)
  })

  test('a client that is still catching up gets no position ahead of it', async () => {
    const held = Promise.withResolvers<void>()
    const station = await Station.open({
      wrap: (database) => slow(database, 'from alarm where rec_status', { for: held.promise }),
    })
    await station.raise(3)
    const reader = await station.connect('snapshot=true')
    await station.pass(61_000)
    await reader.beats(1)
    assert.deepEqual(reader.documents, [], 'no bookmark')
    held.resolve()
    await reader.take(3)
  })

  test('keep to the monotonic clock: the wall clock may jump', async () => {
    const station = await Station.open()
    const reader = await station.connect('uuid=a&alarmLevel=1')
    station.time.wall -= 24 * 3600_000
    await station.pass(61_000)
    await reader.take(1)
    station.time.wall += 48 * 3600_000
    await station.push.tick()
    assert.equal(reader.documents.length, 1, 'no more than one')
  })

  test('a jump of the wall clock cuts nobody and makes no connection idle', async () => {
    const station = await Station.open()
    const stalled = await stall(station, 'uuid=slow')
    const reader = await station.connect('uuid=a')
    await station.raise(5)
    await reader.take(5)
    station.time.wall += 3600_000
    await station.push.tick()
    assert.equal(station.push.counts.cut, 0)
    reader.close()
    await eventually(() => station.push.open === 1, 'the end is noticed')
    const again = await station.connect('uuid=a')
    await again.take(5)
    stalled.reset()
  })
})

suite('a store that fails for a moment', () => {
  test('a failing read ends the streams that needed it, not the service', async () => {
    const trouble = { now: false }
    const station = await Station.open({ wrap: (database) => failing(database, trouble) })
    const reader = await stall(station, 'uuid=a')
    // Beyond the cached tail.
    await station.raise(2100)
    await station.processed()
    trouble.now = true
    reader.readOn()
    await reader.end()
    trouble.now = false
    const again = await station.connect('uuid=a')
    const head = await station.processed()
    await again.take(head)
    assert.deepEqual(numbers(again), upTo(head))
  })
})

const over = (database: Store, all: Store['all']): Store => ({
  kind: database.kind,
  now: () => database.now(),
  requested: 0,
  trouble: undefined,
  requireHealthy: () => database.requireHealthy(),
  probe: () => database.probe(),
  all,
  values: (...query) => database.values(...query),
  readInBackground: (sql, parameters) => database.readInBackground(sql, parameters),
  readSnapshot: (work) => database.readSnapshot(work),
  copyTo: (file) => database.copyTo(file),
  workInBackground: (module, input) => database.workInBackground(module, input),
  version: (table) => database.version(table),
  refresh: () => database.refresh(),
  invalidate: () => database.invalidate(),
  signal: () => database.signal(),
  onSignal: (listener) => database.onSignal(listener),
  writeConcurrently: (work) => database.writeConcurrently(work),
  writeUrgently: (work) => database.writeUrgently(work),
  transaction: (work) => database.transaction(work),
  migrate: (script, step) => database.migrate(script, step),
  close: () => database.close(),
})

/** Reads whose SQL contains these words are held back. */
const slow = (database: Store, words: string, wait: { for: Promise<void> }) =>
  over(database, async (sql, parameters) => {
    if (sql.includes(words)) await wait.for
    return database.all(sql, parameters)
  })

const failing = (database: Store, trouble: { now: boolean }) =>
  over(database, async (sql, parameters) => {
    if (trouble.now) throw new Error('the disk is gone')
    return database.all(sql, parameters)
  })
