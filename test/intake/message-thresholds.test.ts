// Messages below a threshold are counted before anything else is made of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNodes } from '../nodes/several.ts'
import { startService, type TestService } from '../support.ts'
import { ledger, sum, until } from './sending.ts'
import { speaker } from './syslog-speaker.ts'

const below = 'filtered message below a threshold'
const fanFailed = (fan: number, priority = 187) =>
  `<${priority}>%FAN-3-FAN_FAILED: Fan ${fan} had a rotation error reported.`
const note = (facility: number, severity: number) => `<${facility * 8 + severity}>app: nothing to see`
const json = { Accept: 'application/json' }

const setThreshold = async (service: TestService, threshold: object) => {
  const answer = await service.sendJson('POST', '/fault/messageThreshold', threshold)
  assert.equal(answer.status, 201, answer.text)
}

/** Sends the same until the threshold is in force. */
async function untilBelow(service: TestService, say: (message: string) => Promise<void>, message: string) {
  await until('the threshold is in force', async () => {
    const before = (await ledger(service))[below] ?? 0
    const all = sum(await ledger(service))
    await say(message)
    await until('it is counted', async () => sum(await ledger(service)) > all)
    return ((await ledger(service))[below] ?? 0) > before
  })
}

test('messages below a threshold are counted, raise nothing and are not kept', async () => {
  const service = await startService({ 'syslog-udp': '127.0.0.1:0' })
  const say = await speaker(service.syslogPorts.udp)
  await setThreshold(service, { severity: 4 })
  await untilBelow(service, say, note(1, 6))
  const all = sum(await ledger(service))
  await say(fanFailed(1), fanFailed(2, 189))
  await until('both are counted', async () => sum(await ledger(service)) === all + 2)
  assert.equal((await ledger(service))['raised no such alarm was open'], 1)
  const { syslogMessage } = (await service.get('/fault/syslogMessage?text=rotation', json)).json()
  assert.equal((syslogMessage as object[]).length, 1)
})

test('of thresholds, the most exact counts: device, type, zone, all; and of its facilities alone', async () => {
  const service = await startService({ 'syslog-udp': '127.0.0.1:0' })
  const zone = await service.sendJson('POST', '/ram/zone', { name: 'Plant' })
  const zoneId = /\d+$/.exec(String(zone.headers.location))?.[0]
  for (const [n, more] of [
    {},
    { zoneId },
    { zoneId, typeName: 'Switch' },
    { zoneId, typeName: 'Switch' },
  ].entries()) {
    const created = await service.sendJson('POST', '/plat/res/device', {
      ...{ ip: `127.0.0.${n + 1}`, label: `device ${n + 1}`, ...more },
    })
    assert.equal(created.status, 201, created.text)
  }
  const { device } = (await service.get('/plat/res/device?ip=127.0.0.4', json)).json()
  const [{ id }] = device as [{ id: string }]
  await setThreshold(service, { severity: 7 })
  await setThreshold(service, { severity: 4, zone: [zoneId] })
  await setThreshold(service, { severity: 2, typeName: ['Switch'] })
  await setThreshold(service, { severity: 5, device: [id], facility: [16] })
  const say = await Promise.all([1, 2, 3, 4].map((n) => speaker(service.syslogPorts.udp, `127.0.0.${n}`)))
  const [first, second, third, fourth] = say
  assert(first && second && third && fourth)
  await untilBelow(service, fourth, note(16, 6))
  await untilBelow(service, third, note(16, 3))
  await untilBelow(service, second, note(16, 5))
  const before = (await ledger(service))[below] ?? 0
  const all = sum(await ledger(service))
  await first(note(16, 7))
  await second(note(16, 4))
  await third(note(16, 2))
  await fourth(note(16, 5), note(17, 3))
  await until('all are counted', async () => sum(await ledger(service)) === all + 5)
  assert.equal((await ledger(service))[below], before + 1)
})

test('what a threshold may not say is refused', async () => {
  const service = await startService()
  const refused = async (threshold: object) => {
    const { status, text } = await service.sendJson('POST', '/fault/messageThreshold', threshold)
    assert.equal(status, 400)
    return text
  }
  assert.match(await refused({}), /severity/)
  assert.match(await refused({ severity: 8 }), /0 to 7/)
  assert.match(await refused({ severity: 3, facility: [24] }), /0 to 23/)
  assert.match(await refused({ severity: 3, zone: [1], device: [2] }), /zone and device: expected one of/)
})

test('a threshold that one node is told is in force at the other', async () => {
  const { services } = await startNodes(2, { 'syslog-udp': '127.0.0.1:0' })
  const [a, b] = services
  assert(a && b)
  await setThreshold(a, { severity: 4 })
  await untilBelow(b, await speaker(b.syslogPorts.udp), note(1, 6))
})
