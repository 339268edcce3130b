// Recent traps by query, one explained, and the ledger of all datagrams.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incoming, IncomingTrap } from '../../src/alarms/engine/incoming-trap.ts'
import { startService } from '../support.ts'
import { refused, value, values } from './reading.ts'

const start = Date.UTC(2026, 0, 1)
const service = await startService({ 'unknown-senders': 'refuse' })
const traps = '/fault/trap'
const linkDown = '1.3.6.1.6.3.1.1.5.3'

const device = '<device><ip>10.0.0.1</ip><label>Core</label></device>'
assert.equal((await service.send('POST', '/plat/res/device', device)).status, 201)

const trap = (hours: number, more: Partial<IncomingTrap> = {}): IncomingTrap => ({
  kind: 'trap',
  receivedAt: start + hours * 3_600_000,
  sourceIp: '10.0.0.1',
  agentIp: undefined,
  version: '2c',
  oid: linkDown,
  variables: [{ oid: '1.3.6.1.2.1.2.2.1.1.7', type: 'Integer32', value: '7' }],
  ...more,
})
const rejected: Incoming = {
  kind: 'rejected',
  receivedAt: start,
  sourceIp: '2001:db8::7',
  outcome: 'malformed',
  reason: 'truncated',
  times: 1,
}
await service.engine.handle([trap(0), trap(1), rejected, trap(2, { sourceIp: '10.0.0.9' })])
await service.engine.handle([trap(3, { oid: '1.3.6.1.6.3.1.1.5.4' }), rejected])

test('recent traps are found by source, device, OID, bin, alarm and time', async () => {
  const found = async (query: string) => {
    const answer = await service.get(`${traps}?${query}`)
    const bins = values(answer.text, 'bin')
    assert.equal(answer.headers.total, String(bins.length), answer.text)
    return bins.join(' ')
  }
  assert.equal(await found(''), 'raised repeated malformed refused recovered malformed')
  assert.equal(await found('desc=true'), 'malformed recovered refused malformed repeated raised')
  assert.equal(await found('sourceIp=10.0.0.1'), 'raised repeated recovered')
  assert.equal(await found('sourceIp=2001:DB8:0::7'), 'malformed malformed')
  assert.equal(await found('OID=.1.3.6.1.6.3.1.1.5.3'), 'raised repeated refused')
  assert.equal(await found('OID=1.3.6.1.6.3.*&sourceIp=10.0.0.1'), 'raised repeated recovered')
  assert.equal(await found('bin=refused'), 'refused')
  assert.equal(await found('bin=re*'), 'repeated refused recovered')
  assert.equal(await found('deviceId=1'), 'raised repeated recovered')
  assert.equal(await found('alarmId=1'), 'raised repeated')
  assert.equal(
    await found(`startTime=${start / 1000 + 3600}&endTime=${start / 1000 + 7200}`),
    'repeated refused',
  )
  refused(await service.get(`${traps}?startTime=now`), 400, 'startTime')
  refused(await service.get(`${traps}?orderBy=bin`), 400, 'orderBy')
})

test('one trap is explained: its variables with names, what it meant, what processed it', async () => {
  const { text } = await service.get(`${traps}/1`)
  assert.ok(
    text.endsWith(
      `<trap><id>1</id><receivedTime>${start / 1000}</receivedTime><sourceIp>10.0.0.1</sourceIp><version>2c</version><OID>${linkDown}</OID><deviceId>1</deviceId><eventName>linkDown</eventName><bin>raised</bin><reason>no such alarm was open</reason><alarmId>1</alarmId>` +
        '<rules>No trap rule comes near it</rules>' +
        '<variables><oid>1.3.6.1.2.1.2.2.1.1.7</oid><type>Integer32</type><name>ifIndex</name><value>7</value></variables></trap>',
    ),
    text,
  )
  assert.equal(value((await service.get(`${traps}/4`)).text, 'reason'), 'unknown sender')
  const json = (await service.get(`${traps}/5`, { Accept: 'application/json' })).json()
  assert.deepEqual([json.bin, json.reason, json.alarmId], ['recovered', 'it ends an open alarm', '2'])
  refused(await service.get(`${traps}/99`), 404)
  refused(await service.get(`${traps}/x`), 400)
})

test('traps are only read', async () => {
  for (const [method, path] of [
    ['POST', traps],
    ['PUT', `${traps}/1`],
    ['DELETE', `${traps}/1`],
    ['DELETE', '/fault/trapLedger'],
  ] as const) {
    refused(await service.ask(method, path), 405)
  }
})

test('the ledger has every bin with its reasons and counts', async () => {
  const answer = await service.get('/fault/trapLedger')
  assert.equal(answer.headers.total, '5')
  const lines = values(answer.text, 'bin').map(
    (bin, index) => `${bin} ${values(answer.text, 'count')[index]} ${values(answer.text, 'reason')[index]}`,
  )
  assert.deepEqual(lines, [
    'malformed 2 truncated',
    'raised 1 no such alarm was open',
    'recovered 1 it ends an open alarm',
    'refused 1 unknown sender',
    'repeated 1 such an alarm is open',
  ])
  const { trapBin } = (await service.get('/fault/trapLedger', { Accept: 'application/json' })).json()
  assert.deepEqual((trapBin as unknown[])[0], {
    bin: 'malformed',
    reason: 'truncated',
    count: '2',
    lastTime: String(start / 1000),
    lastSource: '2001:db8::7',
  })
  const head = await service.ask('HEAD', '/fault/trapLedger')
  assert.deepEqual([head.status, head.headers.total, head.text], [200, '5', ''])
})
