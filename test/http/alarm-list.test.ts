// The list of alarms: filters, orders, pages, Total.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { refused, values } from './reading.ts'

const start = Date.UTC(2026, 0, 1)
const time = { now: start }
const service = await startService({}, { clock: () => time.now })
const alarms = '/fault/alarm'

// Ten alarms, an hour apart: levels 1 to 5 twice, about two devices; the last two are over.
const ids: string[] = []
for (const index of Array.from({ length: 10 }).keys()) {
  time.now = start + index * 3_600_000
  const answer = await service.sendJson('POST', alarms, {
    OID: `1.3.6.1.4.1.32473.2.${index}`,
    alarmLevel: (index % 5) + 1,
    alarmCategory: (index % 3) + 1,
    deviceId: String(100 + (index % 2)),
    deviceIp: `10.0.0.${index % 2}`,
  })
  ids.push(String(answer.headers.location).split('/').at(-1) ?? '')
}
const [first = '', second = ''] = ids
await service.ask('PUT', `${alarms}/acknowledge/${first}`)
for (const id of [first, second]) await service.ask('PUT', `${alarms}/recover/${id}`)
const seconds = (hours: number) => start / 1000 + hours * 3600

/** The last numbers of the OIDs of the faults found (recoveries have those of their fault), with Total checked. */
async function found(query: string): Promise<string> {
  const answer = await service.get(`${alarms}?size=100&${query}`)
  assert.equal(answer.status, 200, answer.text)
  const oids = values(answer.text, 'OID').map((oid) => oid.split('.').at(-1))
  assert.equal(answer.headers.total, String(oids.length))
  const counted = await service.get(`${alarms}?total=true&${query}`)
  assert.deepEqual([counted.headers.total, counted.text], [String(oids.length), ''])
  return oids.join('')
}

test('all alarms come in the order of their ids, ten to a page', async () => {
  assert.equal(await found(''), '012345678901')
  const page = await service.get(alarms)
  assert.deepEqual([values(page.text, 'id').length, page.headers.total], [10, '12'])
  const rest = await service.get(`${alarms}?start=10`)
  assert.equal(values(rest.text, 'id').length, 2)
})

test('each filter, by itself', async () => {
  assert.equal(await found('deviceId=100'), '024680')
  assert.equal(await found('deviceId=7'), '')
  assert.equal(await found('deviceIp=10.0.0.1'), '135791')
  assert.equal(await found('deviceIp=10.0.*'), '012345678901')
  assert.equal(await found('faultOid=1.3.6.1.4.1.32473.2.4'), '4')
  assert.equal(await found('faultOid=.1.3.6.1.4.1.32473.2.4'), '4')
  assert.equal(await found('faultOid=1.3.6.1.4.1.32473.2.*'), '012345678901')
  assert.equal(await found('originalType=3'), '012345678901')
  assert.equal(await found('originalType=1'), '')
  assert.equal(await found('recStatus=0'), '23456789')
  assert.equal(await found('recStatus=1'), '0101')
  assert.equal(await found('ackStatus=1'), '0')
  assert.equal(await found('alarmCategory=3'), '258')
})

test('several levels: the name repeated, or separated by commas', async () => {
  assert.equal(await found('alarmLevel=1'), '05')
  assert.equal(await found('alarmLevel=1&alarmLevel=3'), '0257')
  assert.equal(await found('alarmLevel=1,3'), '0257')
  assert.equal(await found('alarmLevel=1,3&alarmLevel=2&alarmLevel='), '012567')
  refused(await service.get(`${alarms}?alarmLevel=1,9`), 400, 'alarmLevel')
  refused(await service.get(`${alarms}?alarmLevel=high`), 400, 'alarmLevel')
})

test('a period of time, both bounds included', async () => {
  assert.equal(await found(`startAlarmTime=${seconds(7)}`), '78901')
  assert.equal(await found(`endAlarmTime=${seconds(2)}`), '012')
  assert.equal(await found(`startAlarmTime=${seconds(2)}&endAlarmTime=${seconds(4)}`), '234')
  assert.equal(await found(`timeRange=255&startAlarmTime=${seconds(2)}&endAlarmTime=${seconds(4)}`), '234')
  assert.equal(await found('timeRange=0'), '012345678901')
  refused(await service.get(`${alarms}?timeRange=7`), 400, 'timeRange')
  refused(await service.get(`${alarms}?startAlarmTime=yesterday`), 400, 'startAlarmTime')
})

test('seconds may have a fraction, as the languages of some programs write them', async () => {
  const between = `startAlarmTime=${seconds(2)}.0&endAlarmTime=${seconds(4)}.0`
  assert.equal(await found(between), '234')
  assert.equal(await found(`startAlarmTime=${seconds(2)}.5&endAlarmTime=${seconds(4)}.001`), '34')
  for (const wrong of ['1.', '.5', '1.0.0', '1e9', '-1.0']) {
    refused(await service.get(`${alarms}?startAlarmTime=${wrong}`), 400, 'startAlarmTime')
  }
})

test('each alarm in a list has the address at which it can be read, by the root the caller used; alone it does not', async () => {
  for (const root of ['', '/imcrs']) {
    const { text } = await service.get(`${root}${alarms}?size=2`)
    const uris = [first, second].map((id) => `${service.url}${root}${alarms}/${id}`)
    assert.deepEqual(values(text, 'alarmDetail'), uris)
  }
  assert.doesNotMatch((await service.get(`${alarms}/${first}`)).text, /<alarmDetail>http/)
})

test('several filters must all match', async () => {
  assert.equal(await found('recStatus=0&deviceId=101&alarmLevel=1,2,3'), '57')
  assert.equal(await found('recStatus=0&operatorName=anna&alarmLevel='), '23456789')
})

test('desc alone reverses the default order; orders are by id, faultTime, alarmLevel and deviceId', async () => {
  assert.equal(await found('desc=true'), '109876543210')
  assert.equal(await found('orderBy=faultTime&desc=true&recStatus=0'), '98765432')
  assert.equal(await found('orderBy=alarmLevel&recStatus=0'), '56273849')
  assert.equal(await found('orderBy=alarmLevel&desc=true&recStatus=0'), '94837265')
  assert.equal(await found('orderBy=deviceId&recStatus=0'), '24683579')
  refused(await service.get(`${alarms}?orderBy=colour`), 400, 'orderBy')
})

test('pages in any order never overlap', async () => {
  for (const order of ['', 'desc=true', 'orderBy=alarmLevel', 'orderBy=deviceId&desc=true']) {
    const seen: string[] = []
    for (const from of [0, 5, 10]) {
      const page = await service.get(`${alarms}?${order}&start=${from}&size=5`)
      seen.push(...values(page.text, 'id'))
    }
    assert.equal(new Set(seen).size, 12, order)
  }
})

test('a parameter given twice where one is expected, or with a wrong value, is refused', async () => {
  refused(await service.get(`${alarms}?recStatus=0&recStatus=1`), 400, 'recStatus')
  refused(await service.get(`${alarms}?recStatus=2`), 400, 'recStatus')
  refused(await service.get(`${alarms}?deviceId=x`), 400, 'deviceId')
  refused(await service.get(`${alarms}?size=x`), 400, 'size')
})

test('HEAD is like GET without a body, and JSON rows are an array also when there is one or none', async () => {
  const head = await service.ask('HEAD', `${alarms}?recStatus=0`)
  assert.deepEqual([head.status, head.headers.total, head.text], [200, '8', ''])
  for (const [query, length] of [
    ['faultOid=1.3.6.1.4.1.32473.2.4', 1],
    ['deviceId=7', 0],
  ] as const) {
    const { alarm } = (await service.get(`${alarms}?${query}`, { Accept: 'application/json' })).json()
    assert.equal((alarm as unknown[]).length, length)
  }
})

test('thousands of alarms come in one answer, and leave nothing behind on its connection', async () => {
  const many = await startService({}, { limits: { unknownAlarmsPerDevice: 10_000 } })
  const warnings: Error[] = []
  process.on('warning', (warning) => warnings.push(warning))
  const traps = Array.from({ length: 10_000 }, (_, index) => ({
    kind: 'trap' as const,
    receivedAt: start,
    sourceIp: '10.0.0.1',
    agentIp: undefined,
    version: '2c',
    oid: `1.3.6.1.4.1.32473.3.${index}`,
    variables: [],
  }))
  // No larger than the blocks of a service: PostgreSQL ends a transaction in which nothing is asked for seconds.
  for (let first = 0; first < traps.length; first += 500)
    await many.engine.handle(traps.slice(first, first + 500))
  const answer = await many.get(`${alarms}?deviceIp=10.0.0.1&size=28622`)
  assert.equal(answer.headers.total, '10000')
  assert.equal(new Set(values(answer.text, 'id')).size, 10_000)
  assert.deepEqual(warnings, [])
})
