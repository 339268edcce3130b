// The alarm about a client far behind: raised once, and over when it has caught up or is no longer registered.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEntriesAfter } from '../../src/alarms/log/alarm-log.ts'
import { LagWatch } from '../../src/upkeep/watches/lag-watch.ts'
import { eventually, Station } from '../push/station.ts'

const anna = { name: 'anna', role: 'operator', address: '127.0.0.1' }
const station = await Station.open()
const watch = new LagWatch(station.engine, station.database, 20)

/** What a check added to the log. */
async function check(): Promise<string[]> {
  const before = await station.processed()
  await watch.check(station.push)
  const entries = await readEntriesAfter(station.database, BigInt(before), 10)
  return entries.map(({ kind, xml }) => `${kind} ${/<alarmDesc>(.*?)</.exec(xml)?.[1]}`)
}

async function leave(uuid: string): Promise<void> {
  const reader = await station.connect(`uuid=${uuid}`)
  reader.close()
  await eventually(() => station.push.open === 0, 'it is gone')
}

test('a client far behind raises one alarm, which is over when it has caught up', async () => {
  await leave('laggard')
  await station.raise(20)
  assert.deepEqual(await check(), [])
  await station.raise(1)
  const [raised = '', ...more] = await check()
  assert.match(raised, /^raise Client laggard is 21 entries \(0 s\) behind: it is not connected$/)
  assert.deepEqual(more, [])
  assert.deepEqual(await check(), [])
  const again = await station.connect('uuid=laggard')
  await again.take(22)
  const [over = ''] = await check()
  assert.match(over, /^recover Over \(away=\): caught up/)
  again.close()
  await station.push.unregister('laggard', anna)
})

test('it is over for one that is no longer registered, whoever raised it', async () => {
  await leave('gone')
  await station.raise(21)
  const [raised = '', ...more] = await check()
  assert.match(raised, /^raise Client gone is 21 entries/)
  assert.deepEqual(more, [])
  await station.push.unregister('gone', anna)
  const later = new LagWatch(station.engine, station.database, 20)
  const before = await station.processed()
  await later.check(station.push)
  const [over] = await readEntriesAfter(station.database, BigInt(before), 10)
  assert.equal(over?.kind, 'recover')
})

test('many that are not connected make one alarm, and a new one when they have doubled', async () => {
  for (let one = 0; one < 7; one += 1) await leave(`many-${one}`)
  await station.raise(21)
  const [raised = '', ...more] = await check()
  assert.match(
    raised,
    /^raise 7 clients are far behind and not connected: many-\d \(\d+ entries \(0 s\) behind\), many-\d, many-\d, many-\d, many-\d and 2 more$/,
  )
  assert.deepEqual(more, [])
  for (let one = 7; one < 13; one += 1) await leave(`many-${one}`)
  await station.raise(21)
  assert.deepEqual(await check(), [], 'thirteen are not twice seven')
  await leave('many-13')
  await station.raise(21)
  const [over = '', anew = '', ...rest] = await check()
  assert.match(over, /^recover /)
  assert.match(anew, /^raise 14 clients are far behind/)
  assert.deepEqual(rest, [])
  for (let one = 0; one < 14; one += 1) await station.push.unregister(`many-${one}`, anna)
  assert.deepEqual(
    (await check()).map((text) => text.split(' ')[0]),
    ['recover'],
  )
})

test('one that is connected and reads too slowly has an alarm of its own, however long its name', async () => {
  const uuid = 'long '.repeat(50)
  const reader = await station.connect(`uuid=${encodeURIComponent(uuid)}`)
  reader.stopReading()
  await eventually(async () => {
    await station.raise(50, 'x'.repeat(9000))
    return station.pending.some((bytes) => bytes > 0)
  }, 'a full socket')
  await station.raise(21)
  const [raised = ''] = await check()
  assert.match(
    raised,
    /^raise Client (long ){20}…[0-9a-f]{16} is \d+ entries \(0 s\) behind: it reads too slowly$/,
  )
  reader.reset()
})
