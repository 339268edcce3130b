// When a trap rule is valid, as it is written down: days, times and weekdays.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { pathOf, refused, value } from './reading.ts'

const service = await startService()
const device = '<trapDevice><displayName>Core 1</displayName><devID>7</devID></trapDevice>'
const body = (fields: Record<string, string>) =>
  `<trapRule>${device}${Object.entries(fields)
    .map(([name, text]) => `<${name}>${text}</${name}>`)
    .join('')}</trapRule>`
const post = (fields: Record<string, string>) => service.send('POST', '/fault/trapRule', body(fields))

async function returned(field: string, text: string): Promise<string | undefined> {
  const answer = await post({ [field]: text })
  assert.equal(answer.status, 201, `${text}: ${answer.text}`)
  return value((await service.get(pathOf(answer))).text, field)
}

test('days are yyyy-MM-dd, yyyy/MM/dd, yyyyMMdd, each with or without a time, or a day of the month; returned as given', async () => {
  const days = ['2030-01-31', '2030/01/31', '20300131', '1', '31', '09', '2028-02-29']
  const timed = [
    '2030-01-31 8:00',
    '2030/01/31 08:00',
    '20300131 08:00:59',
    '2030-01-31 24',
    '2030-01-31T08:00',
  ]
  for (const day of [...days, ...timed]) {
    assert.equal(await returned('startDay', day), day)
    assert.equal(await returned('endDay', day), day)
  }
})

test('any other day is refused, naming the accepted forms', async () => {
  const wrong = [
    '0',
    '32',
    '2030-13-01',
    '2030-02-30',
    '2029-02-29',
    '30-01-2030',
    '2030-1-1',
    '2030-01/01',
    'today',
  ]
  for (const day of [...wrong, '203001']) {
    const { message } = refused(await post({ startDay: day }), 400, 'startDay')
    assert.match(message, /yyyy-MM-dd, yyyy\/MM\/dd or yyyyMMdd.*day of the month 1 to 31/)
    refused(await post({ endDay: day }), 400, 'endDay')
  }
  for (const day of ['2030-01-01 25:00', '2030-01-01 x', '1 8:00'])
    refused(await post({ startDay: day }), 400, 'startDay')
})

test('times are H:mm, HH:mm, HH:mm:ss or an hour 0 to 24; returned as given', async () => {
  for (const time of ['8:05', '08:05', '23:59:59', '0', '24', '7', '00:00', '24:00']) {
    assert.equal(await returned('startTime', time), time)
    assert.equal(await returned('endTime', time), time)
  }
})

test('any other time is refused, naming the accepted forms', async () => {
  for (const time of ['25', '24:01', '8:5', '08:60', '08:00:60', '-1', '8am', '08:00:00.0', '1:2:3']) {
    const { message } = refused(await post({ startTime: time }), 400, 'startTime')
    assert.match(message, /H:mm, HH:mm, HH:mm:ss or an hour 0 to 24/)
    refused(await post({ endTime: time }), 400, 'endTime')
  }
})

test('selectedWeekDay holds at most 7 comma-separated digits 0 to 6, read as a set and returned as given', async () => {
  for (const days of ['0', '6,5', '0,1,2,3,4,5,6', '1,1,1', '1, 2']) {
    assert.equal(await returned('selectedWeekDay', days), days)
  }
  for (const days of ['7', '-1', '0,1,2,3,4,5,6,0', '1,,2', ',1', '1,', '1;2', '12', 'Mon', '1.0']) {
    const { message } = refused(await post({ selectedWeekDay: days }), 400, 'selectedWeekDay')
    assert.match(message, /at most seven digits 0 \(Sunday\) to 6 \(Saturday\)/)
  }
})

test('exectimeType other than 0, 1 and 2 is kept as given', async () => {
  for (const type of ['0', '1', '2', '3', '-7', '2147483647'])
    assert.equal(await returned('exectimeType', type), type)
})

test('an absolute end before its start is refused', async () => {
  const absolute = (startDay: string, endDay: string, times: Record<string, string> = {}) =>
    post({ exectimeType: '2', startDay, endDay, ...times })
  refused(await absolute('2030-01-02', '2030-01-01'), 400, 'endDay')
  refused(await absolute('20300102', '2030/01/01'), 400, 'endDay')
  refused(await absolute('2030-01-01 10:00', '2030-01-01 9:59'), 400, 'endDay')
  refused(await absolute('2030-01-01 10:00', '2030-01-01', { endTime: '9' }), 400, 'endDay')
  refused(await absolute('2030-01-01', '2030-01-01', { startTime: '10', endTime: '9' }), 400, 'endDay')
  assert.equal((await absolute('2030-01-01', '2030-01-01')).status, 201, 'no times: the whole of the day')
  assert.equal((await absolute('2030-01-01', '2030-01-02', { startTime: '10', endTime: '9' })).status, 201)
})

test('a PUT is checked by what the rule becomes: a new end before the start it has is refused', async () => {
  const path = pathOf(await post({ exectimeType: '2', startDay: '2030-01-02', endDay: '2030-01-03' }))
  refused(await service.send('PUT', path, body({ endDay: '2030-01-01' })), 400, 'endDay')
  assert.equal(value((await service.get(path)).text, 'endDay'), '2030-01-03')
  assert.equal(
    (await service.send('PUT', path, body({ endDay: '2030-01-01', startDay: '2029-12-31' }))).status,
    204,
  )
})

test('a time window that ends before it starts runs over midnight: it is accepted where the times do not belong to the days', async () => {
  assert.equal((await post({ exectimeType: '1', startTime: '22:00', endTime: '6:00' })).status, 201)
  assert.equal((await post({ startTime: '22:00', endTime: '6:00' })).status, 201)
})

test('dates in the wrong order are refused whatever the type, for the limits hold with every type', async () => {
  for (const type of [{}, { exectimeType: '0' }, { exectimeType: '1' }, { exectimeType: '7' }]) {
    refused(await post({ startDay: '2030-01-02', endDay: '2030-01-01', ...type }), 400, 'endDay')
    refused(await post({ startDay: '2030-01-01 10:00', endDay: '20300101 9:00', ...type }), 400, 'endDay')
    const night = { startDay: '2030-01-01', endDay: '2030-01-01', startTime: '22', endTime: '6' }
    assert.equal((await post({ ...night, ...type })).status, 201, 'a window over midnight')
    assert.equal(
      (await post({ startDay: '25', endDay: '5', ...type })).status,
      201,
      'over the end of the month',
    )
  }
})
