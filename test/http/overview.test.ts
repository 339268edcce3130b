// GET /fault/overview: the figures of the first page of the console.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../../src/alarms/engine/incoming-trap.ts'
import { standardEvents } from '../../src/events/event-file.ts'
import { Traffic } from '../../src/upkeep/traffic.ts'
import { startService } from '../support.ts'
import { idOf } from './reading.ts'

interface Overview {
  readonly open: Record<
    'alarmLevel' | 'count' | 'unacknowledged' | 'suppressed' | 'suppressedUnacknowledged',
    string
  >[]
  readonly raised: { time: string; alarmLevel: string; count: string }[]
  readonly device: { deviceName: string; alarmLevel: string; count: string }[]
  readonly event: { OID: string; count: string }[]
  readonly outOfReach: { deviceName: string }[]
  readonly minute: unknown[]
  readonly hour: { weeksAgo: string; count: string }[]
  readonly zone: Place[]
  readonly view: Place[]
}

type Place = Readonly<Record<'name' | 'alarmLevel' | 'count' | 'unacknowledged', string>>

test('the overview counts what is open, what was raised, and who reports most', async () => {
  const service = await startService()
  const raise = (deviceName: string, alarmLevel: number, resource: string) =>
    service.sendJson('POST', '/fault/alarm', {
      OID: '1.3.6.1.4.1.32473.9.1',
      deviceName,
      deviceIp: deviceName === 'a' ? '192.0.2.1' : '192.0.2.2',
      alarmLevel,
      resource,
      alarmDesc: 'x',
    })
  await raise('a', 1, 'one')
  await raise('a', 3, 'two')
  await raise('b', 3, 'one')
  await raise('b', 2, 'acknowledged and held back')
  const { rows = [] } = {
    rows: (await service.get('/fault/alarm', { Accept: 'application/json' })).json().alarm as {
      id: string
    }[],
  }
  await service.ask('PUT', `/fault/alarm/acknowledge/${rows[1]?.id}`)
  await service.ask('PUT', `/fault/alarm/recover/${rows[2]?.id}`)
  await service.sendJson('PUT', `/fault/alarm/shelve/${rows[0]?.id}`, { minutes: 60 })
  await service.ask('PUT', `/fault/alarm/acknowledge/${rows[3]?.id}`)
  await service.sendJson('PUT', `/fault/alarm/shelve/${rows[3]?.id}`, { minutes: 60 })
  const answer = await service.get('/fault/overview', { Accept: 'application/json' })
  const seen = answer.json() as unknown as Overview
  assert.deepEqual(seen.open, [
    { alarmLevel: '1', count: '1', unacknowledged: '1', suppressed: '1', suppressedUnacknowledged: '1' },
    { alarmLevel: '2', count: '1', unacknowledged: '0', suppressed: '1', suppressedUnacknowledged: '0' },
    { alarmLevel: '3', count: '1', unacknowledged: '0', suppressed: '0', suppressedUnacknowledged: '0' },
  ])
  assert.equal(
    seen.raised.reduce((sum, { count }) => sum + Number(count), 0),
    4,
  )
  assert.deepEqual(
    seen.device.map(({ deviceName, alarmLevel, count }) => [deviceName, alarmLevel, count]),
    [
      ['a', '1', '2'],
      ['b', '2', '1'],
    ],
  )
  assert.deepEqual(
    seen.event.map(({ OID, count }) => [OID, count]),
    [['1.3.6.1.4.1.32473.9.1', '4']],
  )
  assert.deepEqual(seen.outOfReach, [])
  assert.equal((await service.get('/fault/overview')).status, 200)
  assert(standardEvents.length > 0)
})

test('an empty store has an overview too', async () => {
  const service = await startService()
  const seen = (
    await service.get('/fault/overview', { Accept: 'application/json' })
  ).json() as unknown as Overview
  assert.deepEqual([seen.open, seen.raised, seen.device, seen.minute], [[], [], [], []])
})

test('traffic is kept by the minute, for a day, whatever the sums were before', () => {
  const sums = new Map<Outcome, number>([['raised', 100]])
  const traffic = new Traffic(sums, 0)
  sums.set('raised', 107)
  traffic.closeInterval(59_000)
  const first = { time: 0, counts: new Map([['raised', 7]]) }
  assert.deepEqual(traffic.intervals, [first])
  traffic.closeInterval(60_000)
  sums.set('filtered', 1)
  assert.deepEqual(traffic.intervals, [first, { time: 60_000, counts: new Map([['filtered', 1]]) }])
  for (let minute = 2; minute < 3000; minute += 1) traffic.closeInterval(minute * 60_000)
  assert.equal(traffic.intervals.length, 24 * 60 + 1)
})

test('zones and views have the state of their devices, and the hour is compared with the same of other weeks', async () => {
  const service = await startService()
  const add = async (path: string, body: object) => idOf(await service.sendJson('POST', path, body))
  const zoneId = await add('/ram/zone', { name: 'Harbour' })
  const crane = { label: 'crane', ip: '192.0.2.7', zoneId }
  const device = await add('/plat/res/device', crane)
  const inner = await add('/plat/res/view/custom', { name: 'Cranes', member: [device] })
  await add('/plat/res/view/custom', { name: 'Machines', view: [inner] })
  await add('/plat/res/view/custom', { name: 'Nothing' })
  await add('/plat/res/view/custom', { name: 'All', allDevices: true })
  const raise = (alarmLevel: number, deviceIp: string) =>
    add('/fault/alarm', { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel, deviceIp, resource: String(alarmLevel) })
  await raise(2, crane.ip)
  const third = await raise(3, crane.ip)
  const held = await raise(1, crane.ip)
  await raise(4, '192.0.2.99')
  await service.ask('PUT', `/fault/alarm/acknowledge/${third}`)
  await service.sendJson('PUT', `/fault/alarm/shelve/${held}`, { minutes: 60 })
  const answer = await service.get('/fault/overview', { Accept: 'application/json' })
  const { zone, view, hour } = answer.json() as unknown as Overview
  const states = (places: readonly Place[]) =>
    places.map(({ name, alarmLevel, count, unacknowledged }) => [name, alarmLevel, count, unacknowledged])
  assert.deepEqual(states(zone), [
    ['Harbour', '2', '2', '1'],
    ['Default', '4', '1', '1'],
  ])
  assert.deepEqual(states(view), [
    ['Cranes', '2', '2', '1'],
    ['Machines', '2', '2', '1'],
    ['Nothing', '0', '0', '0'],
  ])
  assert.deepEqual(hour, [{ weeksAgo: '0', count: '4' }])
})
