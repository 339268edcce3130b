// Maintenance windows as records: what is accepted, how they stand, their early end, and what one would have held back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, pathOf, refused, value } from './reading.ts'

let now = Date.UTC(2027, 0, 12, 10)
const service = await startService({ 'time-zone': 'UTC' }, { clock: () => now })
const windows = '/fault/maintenance'
const post = (body: object) => service.sendJson('POST', windows, body)
const read = async (path: string) => (await service.get(path, { Accept: 'application/json' })).json()
const seconds = (at: number) => String(Math.floor(at / 1000))

test('a window has a name, what it covers, when, who and why', async () => {
  const body = {
    name: 'Core upgrade',
    owner: 'Anke',
    reason: 'New software',
    exectimeType: 2,
    startDay: '2027-01-13',
    startTime: '22:00',
    endDay: '2027-01-14',
    endTime: '04:00',
    device: [5],
    interface: [{ deviceId: 6, ifIndex: 3 }],
    view: [1],
    zone: [1],
    event: ['1.3.6.1.6.3.1.1.5'],
  }
  const created = await post(body)
  assert.equal(created.status, 201, created.text)
  const shown = await read(pathOf(created))
  assert.equal(shown.name, 'Core upgrade')
  assert.deepEqual(shown.device, ['5'])
  assert.deepEqual(shown.event, ['1.3.6.1.6.3.1.1.5'])
  assert.deepEqual([shown.active, shown.nextTime], ['false', seconds(Date.UTC(2027, 0, 13, 22))])
  assert.deepEqual([created.headers['belfry-warning']].flat(), [
    'device 5 does not exist, device 6 does not exist',
  ])
  const { text } = await service.get(`${windows}?name=core*`)
  assert.equal(value(text, 'reason'), 'New software')
  assert.equal((await service.ask('DELETE', pathOf(created))).status, 204)
})

test('from now for two hours: it is in force at once, and may be lengthened and shortened', async () => {
  const created = await post({ name: 'Now', minutes: 120, device: [0] })
  const path = pathOf(created)
  assert.deepEqual(
    [await read(path)].map(({ active, fromTime, untilTime, activeUntil }) => [
      active,
      fromTime,
      untilTime,
      activeUntil,
    ]),
    [['true', seconds(now), seconds(now + 7_200_000), seconds(now + 7_200_000)]],
  )
  const began = now
  now += 3_600_000
  const put = (body: object) => service.sendJson('PUT', path, { name: 'Now', ...body })
  assert.equal((await put({ reason: 'longer than planned' })).status, 204)
  assert.equal((await read(path)).untilTime, seconds(began + 7_200_000), 'what is not mentioned stays')
  assert.equal((await put({ minutes: 120 })).status, 204)
  const longer = await read(path)
  assert.deepEqual([longer.fromTime, longer.untilTime], [seconds(began), seconds(now + 7_200_000)])
  assert.equal((await put({ minutes: 5 })).status, 204)
  assert.equal((await read(path)).untilTime, seconds(now + 300_000))
  now += 300_000
  assert.equal((await read(path)).active, 'false')
  assert.equal((await put({ reason: 'over' })).status, 204)
  assert.equal((await read(path)).active, 'false', 'a change of words does not begin it anew')
  assert.equal((await put({ minutes: 10 })).status, 204)
  assert.deepEqual([(await read(path)).fromTime, (await read(path)).active], [seconds(now), 'true'])
  await service.ask('DELETE', path)
})

test('a window is ended early; one that recurs starts again, and new times take effect', async () => {
  const day = { name: 'Nightly', startTime: '01:00', endTime: '05:00', zone: [1] }
  const path = pathOf(await post(day))
  refused(await service.ask('PUT', `${windows}/end/${path.split('/').at(-1)}`), 409)
  now = Date.UTC(2027, 0, 13, 2)
  const end = () => service.ask('PUT', `${windows}/end/${path.split('/').at(-1)}`)
  assert.equal((await end()).status, 204)
  const ended = await read(path)
  assert.deepEqual([ended.active, ended.nextTime], ['false', seconds(Date.UTC(2027, 0, 14, 1))])
  refused(await end(), 409)
  assert.equal((await service.sendJson('PUT', path, { name: 'Nightly', endTime: '06:00' })).status, 204)
  assert.equal((await read(path)).active, 'true', 'other times were given')
  refused(await service.ask('PUT', `${windows}/end/999`), 404)
  const recorded = await service.get('/plat/audit?action=end')
  assert.equal(recorded.headers.total, '1')
  await service.ask('DELETE', path)
})

test('a window that would hold back too much, or nothing, is refused or causes a warning', async () => {
  refused(await post({ name: 'Always', device: [1] }), 400, 'startDay')
  refused(await post({ name: 'Nothing', minutes: 5 }), 400, 'device')
  refused(await post({ name: 'Port', minutes: 5, interface: [{ deviceId: 5 }] }), 400, 'interface[1]')
  refused(await post({ name: 'Long', minutes: 10_000_000, device: [1] }), 400, 'minutes')
  refused(await post({ name: 'Odd', startTime: '25:00', device: [1] }), 400, 'startTime')
  refused(await post({ minutes: 5, device: [1] }), 400, 'name')
  const past = await post({ name: 'Past', startDay: '2020-01-01', endDay: '2020-01-02', device: [0] })
  assert.match(String(past.headers['belfry-warning']), /never in force/)
  for (const oid of ['1', '1.3.6.1']) {
    const broad = await post({ name: 'Broad', minutes: 5, event: [oid] })
    assert.match(String(broad.headers['belfry-warning']), /every event there is, of every device/)
    await service.ask('DELETE', pathOf(broad))
  }
  const narrow = await post({ name: 'Narrow', minutes: 5, event: ['1.3.6.1.4'] })
  assert.equal(narrow.headers['belfry-warning'], undefined)
  await service.ask('DELETE', pathOf(narrow))
  refused(await post({ name: 'PAST', minutes: 5, device: [0] }), 409, 'name')
  await service.ask('DELETE', pathOf(past))
})

test('the deletion of a zone or a view names the windows that cover it', async () => {
  const zone = await service.sendJson('POST', '/ram/zone', { name: 'Under repair' })
  const view = await service.sendJson('POST', '/plat/res/view/custom', { name: 'Under repair' })
  const window = idOf(await post({ name: 'Repair', minutes: 5, zone: [idOf(zone)], view: [idOf(view)] }))
  for (const [one, noun] of [
    [zone, 'zone'],
    [view, 'custom view'],
  ] as const) {
    const gone = await service.ask('DELETE', pathOf(one))
    assert.equal(gone.status, 204)
    const remark = `maintenance window ${window} still refers to ${noun} ${idOf(one)}`
    assert.equal(gone.headers['belfry-warning'], remark)
  }
  await service.ask('DELETE', `/fault/maintenance/${window}`)
})

test('windows are imported and exported', async () => {
  const answer = await service.ask('POST', '/plat/data/maintenance', {
    headers: { 'Content-Type': 'text/csv' },
    body: 'name,startDay,endDay,zone[1]\nOutage,2027-02-01,2027-02-02,1\n',
  })
  assert.equal(answer.status, 200, answer.text)
  const csv = (await service.get('/plat/data/maintenance?format=csv')).text
  assert.match(csv, /Outage/)
})

test('a dry run shows what a window would have held back, and saves nothing', async () => {
  const device = idOf(await service.sendJson('POST', '/plat/res/device', { ip: '10.0.0.1', label: 'one' }))
  const raise = async (resource: string, deviceId = device) =>
    idOf(
      await service.sendJson('POST', '/fault/alarm', {
        OID: '1.3.6.1.4.1.32473.1',
        alarmLevel: 2,
        deviceId,
        resource,
      }),
    )
  now = Date.UTC(2027, 0, 20, 1, 30)
  const short = await raise('ends in it')
  await raise('outlasts it')
  await raise('elsewhere', '77')
  now = Date.UTC(2027, 0, 20, 1, 45)
  await service.ask('PUT', `/fault/alarm/recover/${short}`)
  now = Date.UTC(2027, 0, 20, 12)
  await raise('at noon')
  const body = { name: 'Trial', startTime: '01:00', endTime: '02:00', device: [device] }
  const answer = await service.sendJson('POST', `${windows}/dryRun`, body)
  assert.equal(answer.status, 200, answer.text)
  const { covered, suppressed, silent, released, open, alarm, example } = answer.json()
  assert.deepEqual(
    { covered, suppressed, silent, released, open },
    {
      covered: '3',
      suppressed: '2',
      silent: '1',
      released: '1',
      open: '2',
    },
  )
  assert.deepEqual(alarm, [{ alarmLevel: '2', count: '2' }])
  assert.equal((example as unknown[]).length, 2)
  assert.equal((await service.get(`${windows}?name=Trial`)).headers.total, '0')
  refused(await service.sendJson('POST', `${windows}/dryRun`, { name: 'x', device: [1] }), 400, 'startDay')
})

test('a trap rule with a period gets a warning that a maintenance window is probably meant', async () => {
  const rule = { trapGroup: 0, trapDevice: [{ displayName: 'any', devID: 0 }] }
  const said = async (more: object) =>
    String(
      (await service.sendJson('POST', '/fault/trapRule', { ...rule, ...more })).headers['belfry-warning'] ??
        '',
    )
  assert.match(
    await said({ startTime: '02:00', endTime: '04:00' }),
    /maintenance window \(\/fault\/maintenance\)/,
  )
  assert.doesNotMatch(await said({}), /maintenance/)
})
