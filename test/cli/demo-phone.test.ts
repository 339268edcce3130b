// The page of the demo that stands for phones: people are set up, told of a fault and of its end, and nobody else can use it.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { movePhones, setUpPeople } from '../../src/cli/demo/demo-people.ts'
import { DemoPhone } from '../../src/cli/demo/demo-phone.ts'
import { until } from '../intake/sending.ts'
import { sendRequest, startService } from '../support.ts'

async function openPhone(): Promise<DemoPhone> {
  const phone = await DemoPhone.open()
  after(() => phone.close())
  return phone
}

const fault = {
  ...{ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 1, alarmCategory: 4, alarmDesc: 'Room A is too warm' },
  ...{ deviceIp: '192.0.2.9', deviceName: 'room-a' },
}

test('people of the demo are told of a fault and of its end, also after its phones have moved', async () => {
  const service = await startService({ 'notify-loopback': 'yes' })
  const first = await openPhone()
  await setUpPeople(service.url, first, 'Europe/Berlin')
  await setUpPeople(service.url, first, 'Europe/Berlin')
  const count = async (path: string) => (await service.get(path)).headers.total
  assert.deepEqual(
    [await count('/notify/contact'), await count('/notify/channel'), await count('/notify/route')],
    ['3', '3', '1'],
    'set up once',
  )
  const phone = await openPhone()
  await movePhones(service.url, phone)
  const route = (await service.get('/notify/route/1', { Accept: 'application/json' })).json()
  await service.sendJson('PUT', '/notify/route/1', { ...route, delay: '0' })
  await service.sendJson('POST', '/fault/alarm', fault)
  const yours = () => phone.messages.find(({ topic }) => topic === 'you')
  await until('the fault is told', () => yours()?.title.includes('room-a') ?? false)
  assert.equal(yours()?.priority, 5)
  await service.ask('PUT', '/fault/alarm/recover/1')
  await until('its end is told', () => yours()?.count === 2)
  assert.equal(phone.messages.filter(({ topic }) => topic === 'you').length, 1, 'in the place of the first')
})

test('the phones take JSON of a limited size under their own name, and nothing else', async () => {
  const { url } = await openPhone()
  const json = { 'Content-Type': 'application/json' }
  const send = async (body: string, headers: Record<string, string> = json) =>
    (await sendRequest(url, 'POST', '/', { headers, body })).status
  assert.equal(await send('{"topic": "you", "title": "a"}'), 200)
  assert.equal(await send('{"title": "a"}'), 400)
  assert.equal(await send('{"topic": '), 400)
  assert.equal(await send('null'), 400)
  assert.equal(await send('{"topic": "you"}', { 'Content-Type': 'text/plain' }), 415)
  assert.equal(await send('{"topic": "you"}', { ...json, Host: 'phones.example.net' }), 403)
  assert.equal(await send(JSON.stringify({ topic: 'you', title: 'x'.repeat(200_000) })), 413)
  const page = await sendRequest(url, 'GET', '/', {})
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
  assert.equal((await sendRequest(url, 'GET', '/etc', {})).status, 404)
  assert.equal(JSON.parse((await sendRequest(url, 'GET', '/messages', {})).text).length, 1)
})
