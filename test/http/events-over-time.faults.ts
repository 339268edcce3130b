// Event streams over days and under load: which registrations are removed, which clients are disconnected, and what is
// reported about it.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Registrations } from '../../src/push/registrations.ts'
import { EventReader, field } from '../push/reader.ts'
import { eventually } from '../push/station.ts'
import { startService, type TestService } from '../support.ts'

const linkDown = '1.3.6.1.6.3.1.1.5.3'
const day = 24 * 3600 * 1000
let counted = 0

async function raise(service: TestService, times = 1, alarmDesc = 'x'): Promise<void> {
  for (let left = times; left > 0; left -= 8) {
    const some = Array.from({ length: Math.min(left, 8) }, () => {
      counted += 1
      const alarm = { OID: linkDown, alarmLevel: '2', resource: `n=${counted}`, alarmDesc }
      return service.sendJson('POST', '/fault/alarm', alarm)
    })
    for (const answer of await Promise.all(some)) assert.equal(answer.status, 201)
  }
}

const listen = (service: TestService, query: string) =>
  EventReader.open(service.url, `type=11&cursor=true&${query}`)

const numbers = (reader: EventReader) =>
  reader.documents
    .filter((document) => document.includes('<alarm>'))
    .map((document) => Number(field(document, 'cursor').split(':')[1]))

const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

const metric = async (service: TestService, name: string) => {
  const { text } = await service.get('/metrics')
  const line = text.split('\n').find((one) => one.startsWith(`${name} `) || one.startsWith(`${name}{`))
  return Number(line?.split(' ').at(-1))
}

const streams = (service: TestService, count: number) =>
  eventually(async () => (await metric(service, 'belfry_push_clients')) === count, `${count} streams`)

test('a client that was forgotten is informed by an alarm, and goes on from now', async () => {
  const time = { now: Date.UTC(2026, 0, 1) }
  const service = await startService({}, { clock: () => time.now })
  const registrations = new Registrations(service.database)
  const reader = await listen(service, 'uuid=away')
  reader.close()
  await streams(service, 0)
  await raise(service, 3)
  time.now += 8 * day
  await registrations.expire(7)
  assert.equal((await service.get('/events/registrations')).headers.total, '0')
  const again = await listen(service, 'uuid=away')
  const [gap = ''] = await again.take(1)
  assert.equal(field(gap, 'originalType'), '3')
  assert.equal(field(gap, 'nAction'), 'Push')
  assert.equal(field(gap, 'OID'), '1.3.6.1.4.1.32473.1.2')
  assert.match(field(gap, 'alarmDesc'), /Alarms from 1 to 3 \(3 entries .*forgotten after a long absence/)
  await raise(service)
  await again.take(2)
  assert.deepEqual(numbers(again).slice(1), [4])
  assert.equal(await metric(service, 'belfry_push_gaps_total'), 1)
  again.close()
})

test('entries that are no longer kept are reported: to a position as a gap, to a uuid as an alarm', async () => {
  const service = await startService()
  const reader = await listen(service, 'uuid=slow')
  await raise(service, 10)
  await reader.take(10)
  const second = field(reader.documents[1] ?? '', 'cursor')
  reader.reset()
  await streams(service, 0)
  await service.database.transaction((tx) => tx.run('delete from alarm_log where number <= 6'))
  const exact = await listen(service, `since=${second}`)
  const [gap = ''] = await exact.take(5)
  const epoch = second.split(':')[0]
  assert.equal(field(gap, 'from'), second)
  assert.equal(field(gap, 'to'), `${epoch}:6`)
  assert.deepEqual(numbers(exact), upTo(10, 7))
  const durable = await listen(service, 'uuid=slow')
  const [alarm = ''] = await durable.take(5)
  assert.match(field(alarm, 'alarmDesc'), /Alarms from 1 to 6 \(6 entries/)
  assert.deepEqual(numbers(durable).slice(1), upTo(10, 7))
  exact.close()
  durable.close()
})

suite('readers that stop reading', () => {
  test('are disconnected and resume with everything; others see no delay', async () => {
    const service = await startService({ 'stall-seconds': '3' }, { limits: { lagEntries: 50 } })
    const stalled = await Promise.all(
      Array.from({ length: 10 }, (_, index) => listen(service, `uuid=stalled${index}`)),
    )
    for (const reader of stalled) reader.stopReading()
    const healthy = await listen(service, 'uuid=healthy')
    let worst = 0
    const text = 'x'.repeat(9500)
    for (let batch = 0; batch < 45; batch += 1) {
      const had = healthy.documents.length
      const began = performance.now()
      await raise(service, 16, text)
      await healthy.take(had + 16)
      worst = Math.max(worst, performance.now() - began)
    }
    const total = 45 * 16
    assert(worst < 5000, `a batch took ${worst} ms`)
    await eventually(async () => (await metric(service, 'belfry_push_cut_total')) === 10, 'all are cut')
    assert.deepEqual(numbers(healthy).slice(0, total), upTo(total))
    assert((await metric(service, 'belfry_push_lag_entries')) >= 0)
    const again = await listen(service, 'uuid=stalled3')
    await again.take(total)
    assert.deepEqual(numbers(again).slice(0, total), upTo(total))
    again.close()
    healthy.close()
    for (const reader of stalled) reader.reset()
  })

  test('a client far behind raises an alarm of the service', async () => {
    const service = await startService({}, { limits: { lagEntries: 20 } })
    const reader = await listen(service, 'uuid=laggard&alarmLevel=2')
    reader.close()
    await streams(service, 0)
    await raise(service, 25)
    const watcher = await listen(service, 'eventOid=1.3.6.1.4.1.32473.1.3')
    await eventually(() => watcher.documents.length === 1, 'the alarm')
    const [alarm = ''] = watcher.documents
    assert.match(
      field(alarm, 'alarmDesc'),
      /Client laggard is 2[56] entries \(\d+ s\) behind: it is not connected/,
    )
    assert.equal(field(alarm, 'originalType'), '3')
    assert((await metric(service, 'belfry_push_lag_entries')) >= 25)
    watcher.close()
  })
})

test('metrics: clients, deliveries, lag by uuid', async () => {
  const service = await startService()
  const reader = await listen(service, 'uuid=m')
  const other = await listen(service, '')
  await raise(service, 4)
  await Promise.all([reader.take(4), other.take(4)])
  assert.equal(await metric(service, 'belfry_push_clients'), 2)
  assert.equal(await metric(service, 'belfry_push_delivered_total'), 8)
  const { text } = await service.get('/metrics')
  assert.match(text, /^belfry_push_lag_entries\{uuid="m"\} 0$/m)
  assert.match(text, /^belfry_push_lag_seconds\{uuid="m"\} 0$/m)
  reader.close()
  other.close()
  await streams(service, 0)
})
