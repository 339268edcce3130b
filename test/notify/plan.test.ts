// "Who would be told if this alarm came on Sunday at 3:00?", over HTTP.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf } from '../http/reading.ts'
import { startService } from '../support.ts'

/** A Wednesday. */
const now = Date.parse('2026-03-25T12:00:00Z')
const service = await startService({ 'time-zone': 'UTC' }, { clock: () => now })
const linkDown = '1.3.6.1.6.3.1.1.5.3'
const seconds = (time: string) => String(Date.parse(time) / 1000)
const sunday = seconds('2026-03-29T03:00Z')

const make = async (path: string, body: object) => idOf(await service.sendJson('POST', path, body))

interface Planned {
  readonly suppressedBy: string
  readonly suppressedUntil: string
  readonly message: readonly Record<string, string>[]
  readonly route: readonly Record<string, string>[]
}

const plan = async (more: object = {}): Promise<Planned> => {
  const { status, text } = await service.sendJson('POST', '/notify/dryRun', {
    ...{ OID: linkDown, alarmLevel: 1, time: sunday },
    ...more,
  })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

const shown = ({ message }: Planned) =>
  message.map(({ time, routeName, contactName, remark }) => [time, routeName, contactName, remark].join('|'))

const gateway = await make('/notify/gateway', { name: 'Hook', kind: 'webhook', url: 'https://hook.example/' })
const people = ['Ann', 'Bob'].map(async (name) => {
  const contactId = await make('/notify/contact', { name, timeZone: 'UTC' })
  const channel = await make('/notify/channel', { gatewayId: gateway, contactId })
  await service.database.transaction((tx) =>
    tx.run('update channel set confirmed = 1 where id = ?', [BigInt(channel)]),
  )
  return contactId
})
const [ann = '', bob = ''] = await Promise.all(people)
await make('/notify/route', {
  ...{ name: 'First', delay: 60, goOn: true },
  step: [{ target: `contact:${ann}` }, { after: 600, target: `contact:${bob}` }],
})
await make('/notify/route', {
  name: 'Second',
  delay: 120,
  step: [{ target: `contact:${ann},contact:${bob}` }],
})

test('a plan has the steps of all routes, and says what another route has told', async () => {
  assert.deepEqual(shown(await plan()), [
    `${seconds('2026-03-29T03:01Z')}|First|Ann|`,
    `${seconds('2026-03-29T03:11Z')}|First|Bob|`,
    `${seconds('2026-03-29T03:02Z')}|Second|Ann|another route has told this channel: First`,
    `${seconds('2026-03-29T03:02Z')}|Second|Bob|`,
  ])
})

test('an alarm that comes in a maintenance window is told when that ends', async () => {
  const window = await make('/fault/maintenance', {
    ...{ name: 'Sundays', event: [linkDown], exectimeType: 1, selectedWeekDay: '0' },
    ...{ startTime: '02:00:00', endTime: '05:00:00' },
  })
  const planned = await plan()
  assert.deepEqual(
    [planned.suppressedBy, planned.suppressedUntil],
    [`maintenance ${window}`, seconds('2026-03-29T05:00Z')],
  )
  assert.equal(shown(planned)[0], `${seconds('2026-03-29T05:01Z')}|First|Ann|`)
  // Another event is told at once; one that comes shortly before the window is paused by it.
  assert.equal((await plan({ OID: '1.3.6.1.6.3.1.1.5.1' })).suppressedBy, '')
  assert.deepEqual(shown(await plan({ time: seconds('2026-03-29T01:55Z') })).slice(0, 2), [
    `${seconds('2026-03-29T01:56Z')}|First|Ann|`,
    `${seconds('2026-03-29T05:00Z')}|First|Bob|after maintenance ${window}`,
  ])
  assert.equal((await service.send('DELETE', `/fault/maintenance/${window}`, '')).status, 204)
})

test('a window without an end tells nobody, and a plan says so', async () => {
  const window = await make('/fault/maintenance', {
    name: 'Scrapped',
    event: [linkDown],
    startTime: '00:00',
    endTime: '24:00',
  })
  const planned = await plan()
  assert.deepEqual(
    [planned.suppressedBy, planned.suppressedUntil, planned.message],
    [`maintenance ${window}`, '0', []],
  )
  assert.equal((await service.send('DELETE', `/fault/maintenance/${window}`, '')).status, 204)
})

test('routes are asked whether they apply when the window ends', async () => {
  const window = await make('/fault/maintenance', {
    ...{ name: 'Sundays', event: [linkDown], exectimeType: 1, selectedWeekDay: '0' },
    ...{ startTime: '02:00:00', endTime: '05:00:00' },
  })
  const route = await make('/notify/route', {
    ...{ name: 'Mornings', position: 1, fromTime: '05:00', toTime: '09:00', timeZone: 'UTC' },
    step: [{ target: `contact:${bob}` }],
  })
  assert.deepEqual(shown(await plan()), [`${seconds('2026-03-29T05:00Z')}|Mornings|Bob|`])
  await service.send('DELETE', `/fault/maintenance/${window}`, '')
  assert.equal((await plan()).message[0]?.routeName, 'First')
  await service.send('DELETE', `/notify/route/${route}`, '')
})

test('an alarm that exists is taken as it is: what is made up beside its id is refused, and named', async () => {
  for (const field of ['OID', 'deviceIp', 'alarmLevel', 'alarmCategory']) {
    const madeUp = { OID: linkDown, deviceIp: '192.0.2.7', alarmLevel: 1, alarmCategory: 2 }[field]
    const { status, text } = await service.sendJson('POST', '/notify/dryRun', { alarmId: 1, [field]: madeUp })
    assert.equal(status, 400, text)
    assert.equal(JSON.parse(text).field, field)
    assert.match(text, /an alarm that exists has its own/)
  }
})
