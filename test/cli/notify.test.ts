// belfry notify, beside a running service.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '../../src/resources/collection.ts'
import { contacts } from '../../src/resources/notify/contact.ts'
import { schedules } from '../../src/resources/notify/schedule.ts'
import { idOf } from '../http/reading.ts'
import { until } from '../intake/sending.ts'
import { startReceiver } from '../notify/receiver.ts'
import { startService } from '../support.ts'
import { belfry, fail, succeed } from './here.ts'

const now = Date.parse('2026-03-25T12:00:00Z')
const service = await startService({ 'notify-loopback': 'yes' }, { clock: () => now })
const receiver = await startReceiver()
const data = ['--data', service.config.data]

test('it says who is on call by each schedule, who is next, and when nobody is', async () => {
  assert.equal((await succeed(['notify', 'oncall', ...data])).stdout, 'there are no schedules\n')
  const anna = await create(service.database, contacts, { name: 'Anna\u009b' })
  const bert = await create(service.database, contacts, { name: 'Bert' })
  const layer = {
    ...{
      name: 'base',
      rotation: 'daily',
      every: 1,
      handOver: '08:00',
      startDay: '2026-03-02',
      contact: [anna, bert],
    },
    ...{ onCall: null, startTime: null, endTime: null, selectedWeekDay: null },
  }
  const make = (name: string, one: object) =>
    create(service.database, schedules, { name, timeZone: 'Europe/Berlin', layer: [{ ...layer, ...one }] })
  await make('Network', {})
  await make('Alone', { contact: [bert] })
  await make('Office', { startTime: '8', endTime: '18' })
  const { stdout } = await succeed(['notify', 'oncall', ...data])
  assert.deepEqual(stdout.split('\n'), [
    'Alone: Bert (Europe/Berlin)',
    'Network: Bert until 2026-03-26 08:00, then Anna\ufffd (Europe/Berlin)',
    'Office: Bert until 2026-03-25 18:00, then nobody (Europe/Berlin)',
    '  nobody is on call from 2026-03-25 18:00 to 2026-03-26 08:00',
    '',
  ])
  const one = await succeed(['notify', 'oncall', 'net*', ...data])
  assert.match(one.stdout, /^Network: [^\n]*\n$/)
  assert.equal((await succeed(['notify', 'oncall', 'x', ...data])).stdout, 'no schedule is called "x"\n')
})

const make = async (path: string, body: object) => {
  const answer = await service.sendJson('POST', path, body)
  assert.equal(answer.status, 201, answer.text)
  return idOf(answer)
}
const raise = (alarmLevel: number) =>
  make('/fault/alarm', { OID: '1.3.6.1.4.1.32473.7.1', alarmLevel, resource: `door ${alarmLevel}` })

test('a test shows what the other side said, and fails where it was not delivered', async () => {
  const gatewayId = await make('/notify/gateway', { name: 'hook', kind: 'webhook', url: `${receiver.url}/` })
  const channel = await make('/notify/channel', { gatewayId, address: 'room' })
  const { stdout } = await succeed(['notify', 'test', channel, ...data])
  assert.equal(stdout, 'delivered\n  the other side said: 200 taken\n')
  assert.equal(receiver.received.at(-1)?.change, 'test')
  const broken = await make('/notify/gateway', { name: 'none', kind: 'webhook', url: 'http://127.0.0.1:9/' })
  const other = await make('/notify/channel', { gatewayId: broken, address: 'room' })
  const { code, stdout: said } = await belfry(['notify', 'test', other, ...data])
  assert.deepEqual([code, said], [1, 'failed: nothing listens there\n'])
  assert.match(await fail(2, ['notify', 'test', '999', ...data]), /channel 999 does not exist/)
})

test('an alarm is explained: who was told, and why nobody was', async () => {
  const alone = await raise(2)
  const none = await succeed(['notify', 'explain', alone, ...data])
  assert.equal(none.stdout, 'Nobody was told: there is no route that is enabled.\n')
  const [channel] = await service.database.all('select id from channel order by id limit 1')
  await service.ask('PUT', `/notify/channel/${channel?.id}/confirm`)
  const step = [{ target: `channel:${channel?.id}` }]
  await make('/notify/route', { name: 'minor', filter: 'alarmLevel=3', step })
  const told = await raise(3)
  const other = await raise(1)
  await until('it was told', async () => {
    const [row] = await service.database.all("select id from notification where outcome = 'delivered'")
    return row !== undefined
  })
  const { stdout } = await succeed(['notify', 'explain', told, ...data])
  assert.deepEqual(stdout.split('\n'), [
    'It was told through 1 channel.',
    'route 1 (minor) takes it',
    `2026-03-25 12:00:00 route 1 (minor), step 1: raised through channel ${channel?.id} (hook): delivered`,
    '',
  ])
  const refusal = await succeed(['notify', 'explain', other, ...data])
  assert.equal(
    refusal.stdout,
    'Nobody was told: no route takes it.\nroute 1 (minor) does not: its filter does not take this alarm\n',
  )
  assert.match(await fail(2, ['notify', 'explain', '99999', ...data]), /alarm 99999 does not exist/)
})

test('wrong words are refused', async () => {
  await fail(2, ['notify', 'test', ...data])
  await fail(2, ['notify', 'explain', 'x', ...data])
  await fail(2, ['notify', 'explain', '1', '2', ...data])
  assert.match(await fail(2, ['notify', 'oncal', ...data]), /did you mean oncall/i)
  await fail(2, ['notify', ...data])
  await fail(2, ['notify', 'oncall', 'a', 'b', ...data])
})
