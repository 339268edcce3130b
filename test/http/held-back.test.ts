// Faults in a maintenance window: held back, pushed when the window is over, and ended in silence where they end in it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../intake/sending.ts'
import { EventReader, field } from '../push/reader.ts'
import { startService } from '../support.ts'
import { idOf, value, values } from './reading.ts'

let now = Date.UTC(2027, 0, 12, 10)
const service = await startService({ 'time-zone': 'UTC' }, { clock: () => now })
const post = async (path: string, body: object) => {
  const answer = await service.sendJson('POST', path, body)
  assert.ok(answer.status < 300, answer.text)
  return idOf(answer)
}
const device = await post('/plat/res/device', { ip: '10.0.0.1', label: 'one' })
let n = 0
const raise = (level = 2, resource = `r${++n}`) =>
  post('/fault/alarm', {
    OID: '1.3.6.1.4.1.32473.1',
    alarmLevel: level,
    deviceId: device,
    resource,
    alarmDesc: resource,
  })
const recover = async (id: string) =>
  assert.equal((await service.ask('PUT', `/fault/alarm/recover/${id}`)).status, 204)
const window = (minutes: number) => post('/fault/maintenance', { name: `w${++n}`, minutes, device: [device] })
const marks = new Set<string>()
const mark = async () => {
  const id = await post('/fault/alarm', {
    OID: '1.3.6.1.4.1.32473.9',
    alarmLevel: 5,
    resource: `mark ${++n}`,
  })
  marks.add(id)
  return id
}
const listen = (query = '') => EventReader.open(service.url, `type=11${query}`)
/** The ids pushed up to a mark, which is left out. */
async function pushed(reader: EventReader): Promise<string[]> {
  const last = await mark()
  await reader.until(() => reader.documents.some((one) => field(one, 'id') === last), 'the mark')
  return reader.documents.map((one) => field(one, 'id')).filter((id) => !marks.has(id))
}

test('what comes in a window is kept, counted and shown as suppressed, and not pushed', async () => {
  const reader = await listen()
  const id = await window(60)
  const alarm = await raise()
  await service.sendJson('POST', '/fault/alarm', {
    OID: '1.3.6.1.4.1.32473.1',
    alarmLevel: 2,
    deviceId: device,
    resource: `r${n}`,
  })
  const { text } = await service.get(`/fault/alarm/${alarm}`)
  assert.equal(value(text, 'suppressed'), 'true')
  assert.deepEqual(values(text, 'suppressedBy'), [`maintenance ${id}`])
  assert.equal(value(text, 'repeats'), '2')
  assert.deepEqual(values((await service.get('/fault/alarm?suppressed=true')).text, 'id'), [alarm])
  assert.equal(
    (await service.get('/imcrs/fault/alarm?recStatus=0')).text.includes(`<id>${alarm}</id>`),
    false,
  )
  assert.equal(value((await service.get(`/plat/res/device/${device}`)).text, 'status'), '1')
  assert.deepEqual(await pushed(reader), [])
  // It ends in silence.
  await recover(alarm)
  assert.deepEqual(await pushed(reader), [])
  assert.equal((await service.ask('PUT', `/fault/maintenance/end/${id}`)).status, 204)
  reader.close()
})

test('what is open when a window ends is pushed then, once, with its true faultTime and level', async () => {
  const reader = await listen()
  const id = await window(30)
  const alarm = await raise(4, 'lasting')
  const began = now
  now += 60_000
  await raise(1, 'lasting')
  assert.deepEqual(await pushed(reader), [], 'a rise is held back too')
  assert.equal((await service.ask('PUT', `/fault/maintenance/end/${id}`)).status, 204)
  await reader.until(() => reader.documents.some((one) => field(one, 'id') === alarm), 'the release')
  const [document = ''] = reader.documents.filter((one) => field(one, 'id') === alarm)
  assert.equal(field(document, 'nAction'), 'Push')
  assert.equal(field(document, 'faultTime'), String(began / 1000))
  assert.equal(field(document, 'alarmLevel'), '1')
  assert.equal((await pushed(reader)).filter((one) => one === alarm).length, 1)
  await recover(alarm)
  await reader.until(() => reader.documents.some((one) => field(one, 'nAction') === 'Recover'), 'its end')
  reader.close()
})

test('an alarm that was open before a window stays visible, and its end is pushed', async () => {
  const alarm = await raise()
  const reader = await listen()
  const id = await window(30)
  assert.equal(value((await service.get(`/fault/alarm/${alarm}`)).text, 'suppressed'), 'false')
  await recover(alarm)
  await reader.until(
    () => reader.documents.some((one) => one.includes(`<recoverFaultIdList>${alarm}<`)),
    'its end',
  )
  await service.ask('DELETE', `/fault/maintenance/${id}`)
  reader.close()
})

test('where windows overlap, it is held back until the last of them is over', async () => {
  const reader = await listen()
  const [short, long] = [await window(10), await window(60)]
  const alarm = await raise()
  for (const id of [short, long]) {
    const { text } = await service.get(`/fault/maintenance/${id}`)
    assert.deepEqual([value(text, 'suppressed'), value(text, 'hits')], ['1', '1'], 'it counts in both')
    assert.notEqual(value(text, 'lastHit'), '0')
  }
  now += 11 * 60_000
  await until('the short one lets go', async () => {
    const { text } = await service.get(`/fault/alarm/${alarm}`)
    return !values(text, 'suppressedBy').includes(`maintenance ${short}`)
  })
  assert.deepEqual(await pushed(reader), [])
  await service.ask('DELETE', `/fault/maintenance/${long}`)
  await reader.until(() => reader.documents.some((one) => field(one, 'id') === alarm), 'the release')
  reader.close()
})

test('a stream asks for zones, and for what people do with alarms', async () => {
  const zone = await post('/ram/zone', { name: 'Far' })
  const far = await post('/plat/res/device', { ip: '10.0.0.2', label: 'far', zoneId: zone })
  const reader = await listen(`&zoneId=${zone}&changes=true`)
  const everyone = await listen(`&zoneId=${zone}`)
  const alarm = await post('/fault/alarm', { OID: '1.3.6.1.4.1.32473.1', alarmLevel: 2, deviceId: far })
  await raise()
  assert.equal((await service.ask('PUT', `/fault/alarm/acknowledge/${alarm}`)).status, 204)
  await reader.until(() => reader.documents.length === 2, 'the alarm and its acknowledgement')
  assert.deepEqual(
    reader.documents.map((one) => [field(one, 'id'), field(one, 'nAction')]),
    [
      [alarm, 'Push'],
      [alarm, 'Acknowledge'],
    ],
  )
  assert.equal(everyone.documents.length, 1)
  reader.close()
  everyone.close()
})

test('a snapshot says what is held back, to those who ask for what people do with alarms', async () => {
  const device = await post('/plat/res/device', { ip: '10.0.0.3', label: 'shelved' })
  const alarm = await post('/fault/alarm', {
    OID: '1.3.6.1.4.1.32473.1',
    alarmLevel: 2,
    deviceId: device,
    deviceIp: '10.0.0.3',
  })
  const { status, text } = await service.sendJson('PUT', `/fault/alarm/shelve/${alarm}`, { minutes: 60 })
  assert.equal(status, 204, text)
  const asked = await listen('&deviceIp=10.0.0.3&snapshot=true&changes=true')
  const others = await listen('&deviceIp=10.0.0.3&snapshot=true')
  await asked.until(() => asked.documents.length === 1 && others.documents.length === 1, 'the snapshots')
  assert.deepEqual(values(asked.documents[0] ?? '', 'suppressed'), ['true'])
  assert.deepEqual(values(others.documents[0] ?? '', 'suppressed'), [])
  asked.close()
  others.close()
})
