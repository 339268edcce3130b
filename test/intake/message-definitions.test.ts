// What users define of messages is applied by the reception of every node, and can be tried before it is saved.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNodes } from '../nodes/several.ts'
import { startService, type TestService } from '../support.ts'
import { ledger, sum, until } from './sending.ts'
import { speaker } from './syslog-speaker.ts'

const path = '/fault/messageDefinition'
const json = { Accept: 'application/json' }
const pump = {
  name: 'Pump',
  word: ['pump'],
  message: [
    { pattern: String.raw`\bpump (?P<pump>\w+) has stopped\b`, handling: 1 },
    { pattern: String.raw`\bpump (?P<pump>\w+) is running\b`, handling: 2 },
    { pattern: String.raw`\bpump \w+ was serviced\b`, handling: 0 },
  ],
  key: ['pump'],
  alarmLevel: 2,
  alarmDesc: 'Pump {pump} of {deviceName} has stopped',
}
const stopped = (name: string) => `<187>plant: pump ${name} has stopped`
const running = (name: string) => `<189>plant: pump ${name} is running`

async function define(service: TestService, definition: object): Promise<string> {
  const answer = await service.sendJson('POST', path, definition)
  assert.equal(answer.status, 201, answer.text)
  return String(answer.headers.location).split('/').at(-1) ?? ''
}

type Rows = readonly Record<string, string>[]
const rowsOf = async (service: TestService, query: string, row: string) =>
  ((await service.get(query, json)).json()[row] ?? []) as Rows
const openAlarms = (service: TestService) => rowsOf(service, '/fault/alarm?recStatus=0', 'alarm')

/** Sends the same until the alarm is there. */
async function untilRaised(service: TestService, say: (message: string) => Promise<void>, message: string) {
  await until('the alarm is raised', async () => {
    const all = sum(await ledger(service))
    await say(message)
    await until('it is counted', async () => sum(await ledger(service)) > all)
    return (await openAlarms(service)).length > 0
  })
}

test('a definition raises and ends an alarm as it says, without a restart, and no longer when it is deleted', async () => {
  const service = await startService({ 'syslog-udp': '127.0.0.1:0' })
  const say = await speaker(service.syslogPorts.udp, '127.0.0.7')
  await say(stopped('A1'))
  await until(
    'it is unknown',
    async () => (await ledger(service))['filtered message without a definition'] === 1,
  )
  const id = await define(service, pump)
  await untilRaised(service, say, stopped('A1'))
  const [alarm] = await openAlarms(service)
  assert.ok(alarm)
  assert.equal(alarm.alarmLevel, '2')
  assert.match(String(alarm.alarmDesc), /^Pump A1 of .* has stopped$/)
  assert.equal(alarm.OID, `1.3.6.1.4.1.32473.514.4.${id}`)
  assert.equal(alarm.originalType, '2')
  await say(running('B2'), '<189>plant: pump A1 was serviced')
  await until(
    'it is no fault',
    async () => (await ledger(service))['filtered message without an alarm'] === 1,
  )
  assert.equal((await openAlarms(service)).length, 1)
  await say(running('A1'))
  await until('it has ended', async () => (await openAlarms(service)).length === 0)
  assert.equal((await service.send('DELETE', `${path}/${id}`, '')).status, 204)
  await until('it is unknown again', async () => {
    const before = (await ledger(service))['filtered message without a definition'] ?? 0
    const all = sum(await ledger(service))
    await say(stopped('A9'))
    await until('it is counted', async () => sum(await ledger(service)) > all)
    return ((await ledger(service))['filtered message without a definition'] ?? 0) > before
  })
})

test('what a user defines comes before what is shipped, and only for the devices that it names', async () => {
  const service = await startService({ 'syslog-udp': '127.0.0.1:0' })
  const fan = '<187>%FAN-3-FAN_FAILED: Fan 1 had a rotation error reported.'
  await define(service, {
    ...{ name: 'Quiet fans', code: ['FAN-FAN_FAILED'], network: ['127.0.0.8'], message: [{ handling: 0 }] },
  })
  const quiet = await speaker(service.syslogPorts.udp, '127.0.0.8')
  await until('the definition is in force', async () => {
    const all = sum(await ledger(service))
    await quiet(fan)
    await until('it is counted', async () => sum(await ledger(service)) > all)
    return ((await ledger(service))['filtered message without an alarm'] ?? 0) > 0
  })
  const alarms = (await openAlarms(service)).length
  await (await speaker(service.syslogPorts.udp, '127.0.0.9'))(fan)
  await until('the other has raised', async () => (await openAlarms(service)).length === alarms + 1)
})

test('a definition of an event that traps report has the same alarm, and a state that its words say', async () => {
  const service = await startService({ 'syslog-udp': '127.0.0.1:0' })
  const say = await speaker(service.syslogPorts.udp, '127.0.0.10')
  await define(service, {
    ...{ name: 'Ports', word: ['portd'], key: ['ifDescr'], eventOid: '1.3.6.1.6.3.1.1.5.3' },
    message: [{ pattern: String.raw`port (?P<ifDescr>{port}) has become (?P<state>\w+)`, handling: 3 }],
    ...{ raises: ['Dark'], clears: ['Bright'] },
  })
  await untilRaised(service, say, '<187>portd: port ge-0/0/1 has become dark')
  const [alarm] = await openAlarms(service)
  assert.equal(alarm?.OID, '1.3.6.1.6.3.1.1.5.3')
  assert.match(String(alarm?.alarmDesc), /ge-0\/0\/1/)
  await say('<187>portd: port ge-0/0/1 has become bright')
  await until('it has ended', async () => (await openAlarms(service)).length === 0)
})

test('a dry run says what a definition makes of the last messages, and saves nothing', async () => {
  const service = await startService({ 'syslog-udp': '127.0.0.1:0' })
  const say = await speaker(service.syslogPorts.udp, '127.0.0.11')
  await say(stopped('A1'), running('A1'), stopped('B2'), '<189>plant: pump A1 was serviced', '<13>app: hello')
  await until('all are counted', async () => sum(await ledger(service)) === 5)
  const { raises, clears, others, resources, example } = (
    await service.sendJson('POST', `${path}/dryRun`, pump)
  ).json()
  assert.deepEqual([raises, clears, others, resources], ['2', '1', '1', '2'])
  const shown = (example as Rows).map(({ does, doesNow, resource }) => [does, doesNow, resource].join(' '))
  assert.deepEqual(shown.sort(), [
    'clear unknown pump=A1',
    'ignore unknown ',
    'raise unknown pump=A1',
    'raise unknown pump=B2',
  ])
  assert.deepEqual(await rowsOf(service, path, 'messageDefinition'), [])
})

test('a dry run also looks through messages that are stored, and counts none of them twice', async () => {
  for (const ring of ['0', '1000000']) {
    const service = await startService({ 'syslog-udp': '127.0.0.1:0', 'syslog-ring': ring })
    const say = await speaker(service.syslogPorts.udp, '127.0.0.12')
    await say('<187>7: sw1: %FAN-3-FAN_FAILED: Fan 4 had a rotation error reported.', '<13>app: hello')
    await until('both are counted', async () => sum(await ledger(service)) === 2)
    const fans = {
      ...{ name: 'Fans', code: ['FAN-FAN_FAILED'], key: ['fan'], alarmLevel: 1 },
      message: [{ pattern: String.raw`^Fan (?P<fan>\d+)`, handling: 1 }],
    }
    const { raises, example } = (await service.sendJson('POST', `${path}/dryRun`, fans)).json()
    assert.equal(raises, '1', ring)
    const [{ does, doesNow, resource, deviceIp } = {}] = example as Rows
    assert.deepEqual([does, doesNow, resource, deviceIp], ['raise', 'raise', 'fan=4', '127.0.0.12'])
    await service.stop()
  }
})

test('a definition is for the devices, types and zones that it names, as they are now', async () => {
  const service = await startService({ 'syslog-udp': '127.0.0.1:0' })
  const create = async (what: string, body: object) =>
    String((await service.sendJson('POST', what, body)).headers.location)
      .split('/')
      .at(-1)
  const zone = await create('/ram/zone', { name: 'Plant' })
  const device = await create('/plat/res/device', { ip: '127.0.0.41', label: 'pumps', zoneId: zone })
  await create('/plat/res/device', { ip: '127.0.0.42', label: 'other', typeName: 'Pump control' })
  const tries = async (more: object) => {
    const { raises } = (await service.sendJson('POST', `${path}/dryRun`, { ...pump, ...more })).json()
    return Number(raises)
  }
  const [first, second, third] = await Promise.all(
    ['127.0.0.41', '127.0.0.42', '127.0.0.43'].map((address) => speaker(service.syslogPorts.udp, address)),
  )
  assert.ok(first && second && third)
  for (const say of [first, second, third]) await say(stopped('A1'))
  await until('all are counted', async () => sum(await ledger(service)) === 3)
  assert.equal(await tries({}), 3)
  assert.equal(await tries({ zone: [zone] }), 1)
  assert.equal(await tries({ typeName: ['Pump control'], device: [device] }), 2)
  assert.equal(await tries({ device: ['99'] }), 0)
  assert.equal(await tries({ device: ['99'], network: ['127.0.0.43'] }), 1)
  await define(service, { ...pump, zone: [zone] })
  await untilRaised(service, first, stopped('A1'))
  await third(stopped('A1'))
  await second(stopped('A1'))
  await service.sendJson('PUT', `/plat/res/device/${device}`, {
    ip: '127.0.0.41',
    label: 'pumps',
    zoneId: '1',
  })
  await until('it is in another zone', async () => {
    const before = (await ledger(service))['filtered message without a definition'] ?? 0
    const all = sum(await ledger(service))
    await first(stopped('A1'))
    await until('it is counted', async () => sum(await ledger(service)) > all)
    return ((await ledger(service))['filtered message without a definition'] ?? 0) > before
  })
  assert.deepEqual(
    (await openAlarms(service)).map(({ deviceIp }) => deviceIp),
    ['127.0.0.41'],
  )
})

test('without a level, the severity of the message says the level of the alarm', async () => {
  const service = await startService({ 'syslog-udp': '127.0.0.1:0' })
  const say = await speaker(service.syslogPorts.udp, '127.0.0.51')
  const { alarmLevel: _, ...definition } = pump
  await define(service, definition)
  await untilRaised(service, say, '<185>plant: pump A1 has stopped')
  await say(
    '<187>plant: pump A3 has stopped',
    '<188>plant: pump A4 has stopped',
    '<190>plant: pump A6 has stopped',
  )
  await until('all are raised', async () => (await openAlarms(service)).length === 4)
  const levels = (await openAlarms(service)).map(({ alarmDesc, alarmLevel }) => `${alarmDesc} ${alarmLevel}`)
  assert.deepEqual(levels.map((text) => text.replace(/ of .* has stopped/, '')).sort(), [
    'Pump A1 1',
    'Pump A3 2',
    'Pump A4 3',
    'Pump A6 4',
  ])
})

test('what a definition may not say is refused, with the field and the accepted values', async () => {
  const service = await startService()
  const refused = async (more: object, status = 400) => {
    const answer = await service.sendJson('POST', path, { ...pump, ...more })
    assert.equal(answer.status, status, answer.text)
    const { field, message } = answer.json()
    return `${field} ${message}`
  }
  const matching = (pattern: string) =>
    refused({ key: [], alarmDesc: null, message: [{ pattern, handling: 1 }] })
  assert.match(await refused({ word: [] }), /^code .*expected a code, or a word/)
  assert.match(await refused({ word: ['two words'] }), /^word\[1\] .*letters a to z/)
  assert.match(await refused({ code: ['%X-1-Y'] }), /^code\[1\] .*LINK-UPDOWN/)
  assert.match(await refused({ network: ['10.0.0.0/33'] }), /^network\[1\] .*10\.0\.0\.0\/8/)
  assert.match(await refused({ message: [] }), /^message/)
  assert.match(
    await refused({ message: [{ handling: 1 }], key: [], alarmDesc: null }),
    /a word alone is in too many texts/,
  )
  assert.match(await refused({ message: [{ pattern: 'x', handling: 4 }] }), /1 \(raise the alarm\)/)
  assert.match(await refused({ key: ['valve'] }), /^key .*names "valve", .* of pattern 1/)
  assert.match(
    await refused({ alarmDesc: '{valve}' }),
    /^alarmDesc .*names \{valve\}: expected one of pump, /,
  )
  assert.match(
    await refused({ eventOid: '1.3.6.1.6.3.1.1.5.3' }),
    /^alarmLevel .*goes with an event of its own/,
  )
  assert.match(await refused({ raises: ['down'] }), /^raises .*goes with a message of handling 3/)
  assert.match(await matching('(a'), /RE2/)
  assert.match(await matching('(?=a)'), /RE2/)
  assert.match(await matching('a'.repeat(401)), /400 characters/)
  assert.match(await matching('(?:ab{1,30}){1,30}'), /too expensive/)
  assert.match(await matching(String.raw`\(?P<part>x`), /only where it names a part/)
  assert.match(await matching('(?P<message>.*)'), /another meaning/)
  await define(service, pump)
  assert.match(await refused({ name: 'PUMP' }, 409), /^name .*taken by message definition 1/)
})

test('a definition that one node is told is in force at the other, and can be tried at any', async () => {
  const { services } = await startNodes(2, { 'syslog-udp': '127.0.0.1:0' })
  const [a, b] = services
  assert(a && b)
  await define(a, pump)
  const say = await speaker(b.syslogPorts.udp, '127.0.0.12')
  await untilRaised(b, say, stopped('A1'))
  assert.equal((await openAlarms(a)).length, 1)
  const { raises } = (await a.sendJson('POST', `${path}/dryRun`, pump)).json()
  assert(Number(raises) >= 1)
})
