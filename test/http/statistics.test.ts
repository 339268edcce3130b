// GET /fault/statistics: how many alarms, how long to their acknowledgement and their end, by device, event, zone, day.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, refused } from './reading.ts'

let now = Date.UTC(2027, 2, 1, 12)
const service = await startService({ 'time-zone': 'UTC' }, { clock: () => now })
const pass = (seconds: number) => {
  now += seconds * 1000
}
const post = async (path: string, body: object) => idOf(await service.sendJson('POST', path, body))
const north = await post('/ram/zone', { name: 'North' })
const one = await post('/plat/res/device', { ip: '10.0.0.1', label: 'one', zoneId: north })
const two = await post('/plat/res/device', { ip: '10.0.0.2', label: 'two' })
const hot = '1.3.6.1.4.1.32473.5.1'
const raise = (deviceId: string, resource: string, OID = hot) =>
  post('/fault/alarm', { OID, alarmLevel: 2, deviceId, resource })
const put = async (path: string) => assert.equal((await service.ask('PUT', path)).status, 204)

type Row = Record<string, string>
async function figures(query: string): Promise<Row[]> {
  const answer = await service.get(`/fault/statistics?${query}`, { Accept: 'application/json' })
  assert.equal(answer.status, 200, answer.text)
  return answer.json().statistics as Row[]
}

const a = await raise(one, 'a')
pass(10)
await put(`/fault/alarm/acknowledge/${a}`)
pass(20)
await put(`/fault/alarm/recover/${a}`)
const b = await raise(two, 'b')
pass(10)
await put(`/fault/alarm/recover/${b}`)
pass(24 * 3600)
const c = await raise(one, 'c', '1.3.6.1.4.1.32473.5.2')
pass(100)
await put(`/fault/alarm/recover/${c}`)

test('by day, in order of time', async () => {
  const days = await figures('')
  assert.deepEqual(
    days.map(({ day, raised, acknowledged, secondsToAcknowledge, ended, secondsToEnd, longestToEnd }) => [
      day,
      raised,
      acknowledged,
      secondsToAcknowledge,
      ended,
      secondsToEnd,
      longestToEnd,
    ]),
    [
      ['2027-03-01', '2', '1', '10', '2', '20', '30'],
      ['2027-03-02', '1', '0', '0', '1', '100', '100'],
    ],
  )
})

test('by device, by event and by zone, with names, those with the most alarms first', async () => {
  const shown = (rows: Row[], key: string) => rows.map((row) => [row[key], row.name, row.raised])
  assert.deepEqual(shown(await figures('by=device'), 'deviceId'), [
    [one, 'one', '2'],
    [two, 'two', '1'],
  ])
  assert.deepEqual(shown(await figures('by=event'), 'eventOid'), [
    [hot, '', '2'],
    ['1.3.6.1.4.1.32473.5.2', '', '1'],
  ])
  assert.deepEqual(shown(await figures('by=zone'), 'zoneId'), [
    [north, 'North', '2'],
    ['1', 'Default', '1'],
  ])
})

test('of one device, event or zone by day, and of some days', async () => {
  assert.deepEqual(
    (await figures(`deviceId=${one}`)).map(({ day, raised }) => [day, raised]),
    [
      ['2027-03-01', '1'],
      ['2027-03-02', '1'],
    ],
  )
  assert.deepEqual((await figures(`zoneId=${north}&from=2027-03-02`)).length, 1)
  assert.deepEqual((await figures('by=device&to=2027-03-01')).length, 2)
  assert.deepEqual((await figures('from=2026-01-01&to=2026-12-31')).length, 0)
  assert.equal((await service.get('/fault/statistics?by=device&total=true')).headers.total, '2')
  assert.deepEqual(
    (await figures('by=device&start=1&size=1')).map(({ name }) => name),
    ['two'],
  )
})

test('wrong parameters are reported', async () => {
  refused(await service.get('/fault/statistics?by=colour'), 400, 'by')
  refused(await service.get('/fault/statistics?by=event&deviceId=1'), 400, 'deviceId')
  refused(await service.get('/fault/statistics?deviceId=1&zoneId=2'), 400, 'zoneId')
  refused(await service.get('/fault/statistics?from=yesterday'), 400, 'from')
})

test('each entry of the log is counted once, whenever figures are asked for', async () => {
  const before = await figures('by=device')
  assert.deepEqual(await figures('by=device'), before)
  const rows = await service.database.all("select value from counter where name = 'alarm figures'")
  const [last] = await service.database.all('select max(number) as number from alarm_log')
  assert.equal(rows[0]?.value, last?.number)
})

test('the documents follow the published schema', async () => {
  assert.equal((await service.get('/fault/statistics?by=zone')).status, 200)
})
