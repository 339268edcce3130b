// The alarm about a client far behind: raised once, and over when it has caught up or is no longer registered.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAfter } from '../../src/alarms/log.ts'
import { LagWatch } from '../../src/upkeep/lag-watch.ts'
import { eventually, Station } from '../push/station.ts'

const anna = { name: 'anna', role: 'operator', address: '127.0.0.1' }
const station = await Station.open()
const watch = new LagWatch(station.engine, station.database, 20)

/** What the log got from a look. */
async function look(): Promise<string[]> {
  const before = await station.settled()
  await watch.look(station.push)
  const entries = await readAfter(station.database, BigInt(before), 10)
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
  assert.deepEqual(await look(), [])
  await station.raise(1)
  const [raised = '', ...more] = await look()
  assert.match(raised, /^raise Client laggard is 21 entries \(0 s\) behind: it is not connected$/)
  assert.deepEqual(more, [])
  assert.deepEqual(await look(), [])
  const again = await station.connect('uuid=laggard')
  await again.take(22)
  const [over = ''] = await look()
  assert.match(over, /^recover Client laggard has caught up, or is no longer registered$/)
  again.close()
  await station.push.unregister('laggard', anna)
})

test('it is over for one that is no longer registered, whoever raised it', async () => {
  await leave('gone')
  await station.raise(21)
  const [raised = '', ...more] = await look()
  assert.match(raised, /^raise Client gone is 21 entries/)
  assert.deepEqual(more, [])
  await station.push.unregister('gone', anna)
  const later = new LagWatch(station.engine, station.database, 20)
  const before = await station.settled()
  await later.look(station.push)
  const [over] = await readAfter(station.database, BigInt(before), 10)
  assert.equal(over?.kind, 'recover')
})
