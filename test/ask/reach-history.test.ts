// How devices answered over time: what is measured, kept, listed and exported, on both stores.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ReachMeter } from '../../src/ask/reach/reach-meter.ts'
import {
  halfHour,
  type MeasuredHalfHour,
  measuredOf,
  readDays,
  readHalfHours,
  sumOf,
  tidyDays,
  writeHalfHours,
} from '../../src/resources/inventory/reach-days.ts'
import { freePort } from '../free-port.ts'
import { until } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { addDevice, addProfile, Device, idFrom, untilState } from './reach-world.ts'

const minute = 60_000
const noon = Date.UTC(2031, 3, 5, 12)

const totals = (rows: readonly MeasuredHalfHour[]) => {
  const { answers, losses, answering, silent, tripMax } = sumOf(rows)
  return { answers, losses, answering, silent, tripMax }
}

test('the time between two questions belongs to what the first found out, cut at half hours', () => {
  const meter = new ReachMeter(minute)
  for (const at of [0, 1, 2]) meter.note(1n, { micros: 1000 + at }, noon + (at + 27) * minute)
  // What came early, so that a new device has figures soon, is added to by what follows.
  const early = meter.take(10)
  assert.deepEqual(
    early.map(({ slot, answers }) => [slot - noon / halfHour, answers]),
    [[0, 2]],
  )
  meter.note(1n, 'unanswered', noon + 31 * minute)
  meter.note(1n, { micros: undefined }, noon + 35 * minute)
  meter.drop(1n)
  const rows = [...early, ...meter.take(10)]
  const within = (slot: number) => totals(rows.filter((one) => one.slot === noon / halfHour + slot))
  assert.deepEqual(within(0), { answers: 3, losses: 0, answering: 180, silent: 0, tripMax: 1002 })
  assert.deepEqual(within(1), { answers: 1, losses: 1, answering: 60, silent: 240, tripMax: 0 })
})

test('what could not be sent, a long pause and a clock that goes back say nothing', () => {
  const meter = new ReachMeter(minute)
  meter.note(1n, { micros: 5 }, noon)
  meter.note(1n, 'unsent', noon + minute)
  meter.note(1n, { micros: 5 }, noon + 2 * minute)
  meter.note(1n, { micros: 5 }, noon + 60 * minute)
  meter.note(1n, { micros: 5 }, noon + 10 * minute)
  meter.dropAll()
  assert.deepEqual(totals(meter.take(10)), { answers: 4, losses: 0, answering: 60, silent: 0, tripMax: 5 })
})

const port = await freePort()
const service = await startService({ 'ask-seconds': '1', 'cause-wait': '0' })

describe('history of reachability', () => {
  const devices: Device[] = []
  after(async () => {
    for (const device of devices) await device.close()
  })
  const listed = async (query: string) =>
    JSON.parse((await service.get(`/plat/reachHistory?${query}`, { Accept: 'application/json' })).text)
      .reachHistory as Record<string, string>[]

  test('half hours and days of several writers add up, and edges of a period are cut', async () => {
    const id = BigInt(
      await idFrom(await service.sendJson('POST', '/plat/res/device', { ip: '127.0.45.9', label: 'past' })),
    )
    const { database } = service
    const today = Math.floor(database.now() / (48 * halfHour))
    const slot = today * 48
    const one = (at: number, more: Partial<MeasuredHalfHour> = {}): MeasuredHalfHour => ({
      ...{ deviceId: id, slot: at, answers: 30, losses: 1, answering: 1700, silent: 100 },
      ...{ trips: 30, tripSum: 60_000, tripMax: 4000, ...more },
    })
    const write = (...rows: MeasuredHalfHour[]) => database.transaction((tx) => writeHalfHours(tx, rows))
    await write(one(slot), one(slot + 1), one(slot - 1), one(slot, { deviceId: 999_999n }))
    await write(one(slot, { answers: 1, trips: 0, tripSum: 0, tripMax: 9000 }), one(slot - 48 * 20))
    const [begin, end] = [slot * halfHour, (slot + 48) * halfHour]
    const days = await readDays(database, id, begin - 1, end)
    assert.deepEqual(
      days.map(({ answers, tripMax, silent }) => [answers, tripMax, silent]),
      [
        [30, 4000, 100],
        [61, 9000, 300],
      ],
    )
    const halves = await readHalfHours(database, id, begin - halfHour, begin + halfHour)
    assert.deepEqual(
      halves.map(({ time, answers }) => [time - begin, answers]),
      [
        [-halfHour, 30],
        [0, 31],
      ],
    )
    const whole = await measuredOf(database, [id, 5n], { begin, end })
    assert.deepEqual([whole.size, whole.get(id)?.answers], [1, 61])
    const cut = await measuredOf(database, [id], { begin: begin - halfHour, end: begin + halfHour })
    assert.equal(cut.get(id)?.answers, 61)
    const half = await measuredOf(database, [id], { begin: begin + 1, end: begin + 2 * halfHour })
    assert.equal(half.get(id)?.answers, 30)
    await write(one(slot - 48 * 500))
    await tidyDays(database, () => false)
    const rows = await database.all(
      'select day, half_hours from reach_day where device_id = ? order by day',
      [id],
    )
    assert.deepEqual(
      rows.map((row) => [Number(row.day) - today, row.half_hours !== '']),
      [
        [-20, false],
        [-1, true],
        [0, true],
      ],
    )
    const [row] = await listed(`deviceId=${id}&by=day&from=${begin / 1000 - 1}`)
    assert.deepEqual([row?.answers, row?.roundTrip, row?.longestRoundTrip], ['30', '2000', '4000'])
    for (const wrong of [
      '',
      `deviceId=${id}&by=week`,
      `deviceId=${id}&from=1`,
      `deviceId=${id}&from=9&until=8`,
    ])
      assert.equal((await service.get(`/plat/reachHistory?${wrong}`)).status, 400, wrong)
    const report = await service.sendJson('POST', '/report/reportTemplate/3/run?format=json', {
      beginTime: new Date(begin - 5 * 48 * halfHour).toISOString().slice(0, 10),
    })
    assert.match(report.text, /Answers to questions.*past/s)
    assert.equal((await service.ask('DELETE', `/plat/res/device/${id}`)).status, 204)
    assert.deepEqual(await listed(`deviceId=${id}&by=day`), [])
  })

  test('a device that is asked has figures, and its round trip in the metrics', async () => {
    const device = await Device.start('127.0.45.1', port)
    devices.push(device)
    await addDevice(service, device, { label: 'say "cheese"\\' })
    await addProfile(service, port, '127.0.45.0/24')
    await untilState(service, device, 'answering')
    const { text, headers } = await service.get('/metrics/devices')
    assert.match(String(headers['content-type']), /^text\/plain/)
    const labels = `device_id="${device.id}",device="say \\"cheese\\"\\\\",ip="127.0.45.1"`
    const figureOf = (name: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name}{${labels}`))
          ?.split('} ')[1],
      )
    assert.equal(figureOf('belfry_device_answers'), 1)
    assert.equal(figureOf('belfry_device_status'), 1)
    assert.ok(figureOf('belfry_device_round_trip_seconds') > 0, text)
    assert.doesNotMatch(text, /port_up/)
    assert.match(
      (await service.get('/metrics/devices?ports=true')).text,
      /^# TYPE belfry_device_port_up gauge$/m,
    )
    assert.doesNotMatch((await service.get('/metrics/devices?zoneId=77')).text, /127\.0\.45/)
    // What a process has measured is written when the device is no longer asked here.
    assert.equal((await service.ask('DELETE', '/plat/askProfile/1')).status, 204)
    await until('its figures are listed', async () => {
      const [row] = await listed(`deviceId=${device.id}`)
      return Number(row?.answers) > 0 && Number(row?.roundTrip) > 0
    })
  })
})
