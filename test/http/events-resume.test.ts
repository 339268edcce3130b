// Where a stream starts, and the list of those who have one.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type EventReader, field, numberOf } from '../push/reader.ts'
import { eventually } from '../push/station.ts'
import { startService } from '../support.ts'
import { ids, listeningTo } from './listening.ts'

const service = await startService({ 'time-zone': 'UTC', 'heartbeat-seconds': '1' })
const { raise, listen, registered, gone } = listeningTo(service)

suite('resuming', () => {
  const where = 'deviceIp=192.0.2.10&cursor=true'
  const cursors = (reader: EventReader) => reader.documents.map((document) => field(document, 'cursor'))

  test('a position takes precedence over a snapshot, a snapshot over the saved cursor, that over now', async () => {
    const first = await listen(`${where}&uuid=weight`)
    const [a, b, c] = [
      await raise({ deviceIp: '192.0.2.10' }),
      await raise({ deviceIp: '192.0.2.10' }),
      await raise({ deviceIp: '192.0.2.10' }),
    ]
    await first.until(() => ids(first).includes(c ?? ''), 'all three')
    const at = (id: string) => cursors(first)[ids(first).indexOf(id)] ?? ''
    await service.ask('PUT', `/fault/alarm/recover/${b}`)
    first.reset()
    await gone('weight')
    const alarmsOf = (reader: EventReader) => ids(reader).filter((id) => [a, b, c].includes(id))
    const cases: [string, Record<string, string>, string[]][] = [
      [`uuid=weight&since=${at(a ?? '')}&snapshot=true`, { 'Last-Event-ID': at(b ?? '') }, [c]],
      [`uuid=weight&since=${at(a ?? '')}&snapshot=true`, {}, [b, c]],
      [`uuid=weight&snapshot=true`, {}, [a, c]],
      [`uuid=nobody`, {}, []],
      ['', {}, []],
    ]
    for (const [query, headers, expected] of cases) {
      const reader = await listen(`${where}&${query}`, headers)
      const last = await raise({ deviceIp: '192.0.2.10' })
      await reader.until(() => ids(reader).includes(last), 'what is new')
      assert.deepEqual(alarmsOf(reader), expected, query)
      reader.reset()
      await service.ask('PUT', `/fault/alarm/recover/${last}`)
    }
  })

  test('a position given with a uuid is where the next connection by uuid goes on', async () => {
    const first = await listen(`${where}&uuid=rewind`)
    const id = await raise({ deviceIp: '192.0.2.10' })
    await first.until(() => ids(first).includes(id), 'an alarm')
    const start = cursors(first)[ids(first).indexOf(id)] ?? ''
    const next = await raise({ deviceIp: '192.0.2.10' })
    await first.until(() => ids(first).includes(next), 'an alarm')
    const again = await listen(`${where}&uuid=rewind&since=${start}`)
    await again.until(() => ids(again).includes(next), 'what comes behind the position')
    assert(!ids(again).includes(id))
    again.reset()
    await gone('rewind')
    const third = await listen(`${where}&uuid=rewind`)
    await third.until(() => ids(third).includes(next), 'the same again')
    assert(!ids(third).includes(id))
    third.close()
  })

  test('a snapshot: all open alarms, a position only on the last, then live entries with none missing', async () => {
    const place = { deviceIp: '192.0.2.11' }
    const open: string[] = []
    for (let one = 0; one < 12; one += 1) open.push(await raise(place))
    await service.ask('PUT', `/fault/alarm/recover/${open.shift()}`)
    const raising = (async () => {
      for (let one = 0; one < 30; one += 1) open.push(await raise(place))
    })()
    const reader = await listen('deviceIp=192.0.2.11&snapshot=true&cursor=true')
    await raising
    await reader.until(() => open.every((id) => ids(reader).includes(id)), 'all')
    const alarms = reader.documents.filter((document) => document.includes('<alarm>'))
    const marked = alarms.findIndex((document) => field(document, 'cursor') !== '')
    assert(marked >= 10, 'the last of the snapshot')
    assert(alarms.slice(marked).every((document) => field(document, 'cursor') !== ''))
    const numbers = alarms.slice(marked).map((document) => numberOf(field(document, 'cursor')))
    assert.deepEqual(
      numbers,
      [...numbers].sort((x, y) => x - y),
    )
    assert.equal(new Set(numbers).size, numbers.length)
    reader.close()
  })

  test('an empty snapshot is nothing, and live goes on', async () => {
    const reader = await listen('deviceIp=192.0.2.12&snapshot=true')
    const id = await raise({ deviceIp: '192.0.2.12' })
    await reader.take(1)
    assert.deepEqual(ids(reader), [id])
    reader.close()
  })

  test('a position of another history is reported as a gap, to every client that sends it', async () => {
    for (const query of ['since=77:5', 'since=77:5&uuid=lost']) {
      const reader = await listen(`cursor=true&${query}`)
      const [gap = ''] = await reader.take(1)
      assert.match(
        gap,
        /^<\?xml [^>]*\?><gap><from>77:5<\/from><to>\d+:\d+<\/to><reason>[^<]+<\/reason><\/gap>$/,
      )
      reader.close()
    }
    const json = await listen('since=77:5', { Accept: 'application/json' })
    const [gap = ''] = await json.take(1)
    assert.equal(JSON.parse(gap).gap.from, '77:5')
    json.close()
  })

  test('an orderly close proves nothing: a proxy makes one for a client that hangs', async () => {
    const query = 'deviceIp=192.0.2.13&uuid=clean'
    const reader = await listen(query)
    const before = await raise({ deviceIp: '192.0.2.13' })
    await reader.take(1)
    // Signs of life come after a second of silence.
    await reader.beats(reader.heartbeats.length + 2)
    reader.close()
    await gone('clean')
    const id = await raise({ deviceIp: '192.0.2.13' })
    const again = await listen(query)
    await again.take(2)
    assert.deepEqual(ids(again), [before, id])
    again.close()
  })

  test('a client whose connections break again and again makes progress: what was written three times counts as delivered', async () => {
    const query = 'deviceIp=192.0.2.15&uuid=breaking'
    const first = await listen(query)
    const seen: string[][] = []
    const raised: string[] = []
    first.close()
    await gone('breaking')
    for (let connection = 0; connection < 6; connection += 1) {
      raised.push(await raise({ deviceIp: '192.0.2.15' }))
      const reader = await listen(query)
      await reader.until(() => ids(reader).includes(raised.at(-1) ?? ''), 'what is new')
      seen.push(ids(reader))
      reader.reset()
      await gone('breaking')
    }
    assert.deepEqual(
      seen,
      raised.map((_, index) => raised.slice(Math.max(0, index - 2), index + 1)),
      'each is written on three connections',
    )
  })

  test('two connections with one uuid: the older ends, the newer goes on with the overlap alone', async () => {
    const query = 'deviceIp=192.0.2.14&uuid=twice'
    const older = await listen(query)
    const before = await raise({ deviceIp: '192.0.2.14' })
    await older.take(1)
    const newer = await listen(`${query}&alarmLevel=2`)
    await older.end()
    assert(older.text.endsWith('\n'), 'at the end of a document')
    const after = await raise({ deviceIp: '192.0.2.14' })
    await newer.take(2)
    assert.deepEqual(ids(newer), [before, after], 'each once')
    assert.equal(
      (await registered('twice'))?.filter,
      'alarmLevel=2&deviceIp=192.0.2.14',
      'the filter is replaced',
    )
    newer.close()
  })
})

suite('registrations', () => {
  test('the list shows filter, connection, position, lag and times', async () => {
    const reader = await listen('uuid=listed&alarmLevel=1,2&deviceIp=192.0.2.20')
    await raise({ deviceIp: '192.0.2.20' })
    await reader.take(1)
    const here = await registered('listed')
    assert.equal(new URLSearchParams(here?.filter).get('alarmLevel'), '1,2')
    assert.equal(here?.connected, 'true')
    assert.match(here?.position ?? '', /^\d+:\d+$/)
    assert.equal(here?.lag, '0')
    assert(Math.abs(Number(here?.lastWrite) - Date.now() / 1000) < 60)
    reader.reset()
    await gone('listed')
    await raise()
    await raise()
    await eventually(async () => (await registered('listed'))?.lag === '2', 'two behind')
    await eventually(async () => Number((await registered('listed'))?.lagSeconds) >= 1, 'by a second')
    const answer = await service.get('/events/registrations', { Accept: 'application/json' })
    assert.equal(Number(answer.headers.total), JSON.parse(answer.text).registration.length)
  })

  test('clients without a uuid are listed while they are here', async () => {
    const reader = await listen('deviceIp=192.0.2.21')
    const { text } = await service.get('/events/registrations', { Accept: 'application/json' })
    assert(
      JSON.parse(text).registration.some(
        (row: Record<string, string>) => row.uuid === '' && row.filter === 'deviceIp=192.0.2.21',
      ),
    )
    reader.close()
    await eventually(
      async () =>
        !(await service.get('/events/registrations', { Accept: 'application/json' })).text.includes(
          '192.0.2.21',
        ),
      'it is gone',
    )
  })

  test('deleting one ends its stream and forgets its cursor', async () => {
    for (const uuid of ['deleted', 'with/slash', 'a%2Fb']) {
      const query = `deviceIp=192.0.2.22&uuid=${encodeURIComponent(uuid)}`
      const reader = await listen(query)
      const path = `/events/registrations/${encodeURIComponent(uuid)}`
      assert.equal((await service.ask('DELETE', path)).status, 204, uuid)
      await reader.end()
      assert.equal((await service.ask('DELETE', path)).status, 410)
      assert.equal(await registered(uuid), undefined)
      await raise({ deviceIp: '192.0.2.22' })
      const again = await listen(query)
      const id = await raise({ deviceIp: '192.0.2.22' })
      await again.take(1)
      assert.deepEqual(ids(again), [id], 'it starts at now')
      again.close()
    }
  })
})
