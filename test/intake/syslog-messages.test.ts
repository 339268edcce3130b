// The syslog messages that were received lately can be read, at any node; unknown ones are grouped by their shape.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNodes } from '../nodes/several.ts'
import { startService, type TestService } from '../support.ts'
import { ledger, sum, until } from './sending.ts'
import { speaker } from './syslog-speaker.ts'

const start = (flags: Record<string, string> = {}) => startService({ 'syslog-udp': '127.0.0.1:0', ...flags })

const fanFailed = '<187>%FAN-3-FAN_FAILED: Fan 1 had a rotation error reported.'
const configured = '<189>%SYS-5-CONFIG_I: Configured from console by admin'
const door = (n: number) => `<28>doord[${n}]: cabinet ${n} door alarm sensor lost contact`
const served = (n: number) => `<190>app[${n}]: served request ${n} in 3 ms`

const json = { Accept: 'application/json' }

async function rowsOf(service: Pick<TestService, 'get'>, path: string) {
  const answer = await service.get(path, json)
  assert.equal(answer.status, 200, answer.text)
  const [rows] = Object.values(answer.json()) as Record<string, string>[][]
  return { rows: rows ?? [], headers: answer.headers }
}

const messages = async (service: Pick<TestService, 'get'>, query = '') =>
  (await rowsOf(service, `/fault/syslogMessage${query}`)).rows

const shapes = async (service: Pick<TestService, 'get'>) =>
  (await rowsOf(service, '/fault/syslogShape')).rows.map(
    ({ origin, shape, count }) => `${count} ${origin}: ${shape}`,
  )

const counted = (service: TestService, n: number) =>
  until(`${n} are counted`, async () => sum(await ledger(service)) >= n)

test('the last messages of a device are read, with what became of them', async () => {
  const service = await start()
  const say = await speaker(service.syslogPorts.udp, '127.0.0.2')
  await (await speaker(service.syslogPorts.udp, '127.0.0.3'))(served(1))
  await say(fanFailed, configured, door(7))
  await counted(service, 4)
  const found = await messages(service, '?deviceIp=127.0.0.2')
  assert.deepEqual(
    found.map(({ node, does, severity, text }) => [node, does, severity, text]),
    [
      ['alone', 'unknown', '4', 'cabinet 7 door alarm sensor lost contact'],
      ['alone', 'event', '5', 'Configured from console by admin'],
      ['alone', 'raise', '3', 'Fan 1 had a rotation error reported.'],
    ],
  )
  const about = Math.floor(Date.now() / 1000)
  assert(Math.abs(Number(found[0]?.receivedTime) - about) < 600)
  const textsOf = async (query: string) => (await messages(service, query)).map(({ text }) => text)
  assert.deepEqual(await textsOf('?text=REQUEST%201'), ['served request 1 in 3 ms'])
  assert.deepEqual(await textsOf('?does=raise'), ['Fan 1 had a rotation error reported.'])
  assert.equal((await textsOf('?severity=4')).length, 2)
  assert.equal((await textsOf('?size=1&start=1')).length, 1)
  assert.deepEqual(await textsOf(`?startTime=${about + 3600}`), [])
  assert.deepEqual(await textsOf(`?endTime=${about - 3600}`), [])
})

test('messages of a device are those from any of its addresses', async () => {
  const service = await start()
  const body = { ip: '127.0.0.11', label: 'sw1', otherAddress: [{ ip: '127.0.0.12' }] }
  const made = await service.sendJson('POST', '/plat/res/device', body)
  const id = made.headers.location?.split('/').at(-1)
  for (const address of ['127.0.0.11', '127.0.0.12', '127.0.0.13'])
    await (await speaker(service.syslogPorts.udp, address))(door(1))
  await counted(service, 3)
  const heard = async (query: string) =>
    (await messages(service, query)).map(({ deviceIp, deviceId }) => [deviceIp, deviceId]).sort()
  const both = [
    ['127.0.0.11', id],
    ['127.0.0.12', id],
  ]
  assert.deepEqual(await heard(`?deviceId=${id}`), both)
  assert.deepEqual(await heard(`?deviceId=${id}&deviceIp=127.0.0.12`), both.slice(1))
  assert.deepEqual(await heard(`?deviceId=${id}&deviceIp=127.0.0.13`), [])
  assert.deepEqual(await heard('?deviceId=99'), [])
  assert.deepEqual(await heard(''), [...both, ['127.0.0.13', undefined]])
})

test('wrong queries are refused, with the values that are accepted', async () => {
  const service = await start()
  const refused = async (query: string) =>
    String((await service.get(`/fault/syslogMessage?${query}`)).headers['error-message'])
  assert.match(await refused('deviceIp=sw1'), /^deviceIp: /)
  assert.match(await refused('severity=8'), /^severity: .*0 to 7/)
  assert.match(await refused('does=alarm'), /^does: .*unknown, raise, clear, event, ignore/)
  assert.match(await refused(`text=${'x'.repeat(1001)}`), /^text: expected at most 1000/)
})

test('unknown messages are grouped; a muted shape is listed no longer, and its messages are counted', async () => {
  const service = await start()
  const say = await speaker(service.syslogPorts.udp, '127.0.0.4')
  await say(door(1), door(2), served(1), served(2), served(3))
  await counted(service, 5)
  const [first, second] = (await rowsOf(service, '/fault/syslogShape')).rows
  assert.deepEqual(
    [first?.origin, first?.shape, first?.count, first?.severity, first?.soundsBad, first?.device],
    ['doord', 'cabinet * door alarm sensor lost contact', '2', '4', 'true', ['127.0.0.4']],
  )
  assert.deepEqual([second?.example, second?.soundsBad], ['served request 1 in 3 ms', 'false'])
  const muted = await service.sendJson('POST', '/fault/mutedShape', { origin: 'app', shape: second?.shape })
  assert.equal(muted.status, 201, muted.text)
  assert.deepEqual(await shapes(service), ['2 doord: cabinet * door alarm sensor lost contact'])
  // Until the receiving thread knows of it, such messages are still grouped, and not shown.
  await say(served(4), door(3))
  await counted(service, 7)
  assert.deepEqual(await shapes(service), ['3 doord: cabinet * door alarm sensor lost contact'])
  const [record] = (await rowsOf(service, '/fault/mutedShape')).rows
  assert.equal((await service.send('DELETE', `/fault/mutedShape/${record?.id}`, '')).status, 204)
  await until('the shape is listed again', async () => {
    await say(served(5))
    return (await shapes(service)).some((shape) => shape.includes('served request'))
  })
})

test('without memory for messages, none are kept, and shapes are', async () => {
  const service = await start({ 'syslog-ring': '0' })
  await (await speaker(service.syslogPorts.udp))(door(1))
  await counted(service, 1)
  assert.deepEqual(await messages(service), [])
  assert.equal((await shapes(service)).length, 1)
})

test('a service that receives no messages has none', async () => {
  const service = await startService()
  assert.deepEqual(await messages(service), [])
  assert.deepEqual(await shapes(service), [])
})

test('each node has its own messages, any can be asked for all, and a shape is muted at all', async () => {
  const { services } = await startNodes(2, { 'syslog-udp': '127.0.0.1:0' })
  const [a, b] = services
  assert.ok(a && b)
  const [toA, toB] = [
    await speaker(a.syslogPorts.udp, '127.0.0.5'),
    await speaker(b.syslogPorts.udp, '127.0.0.6'),
  ]
  await toA(door(1), served(1))
  await toB(door(2), served(2))
  await counted(a, 4)
  for (const service of [a, b]) {
    const seen = (await messages(service)).map(({ node, deviceIp, program }) =>
      [node, deviceIp, program].join(' '),
    )
    assert.deepEqual(seen.sort(), [
      'a 127.0.0.5 app',
      'a 127.0.0.5 doord',
      'b 127.0.0.6 app',
      'b 127.0.0.6 doord',
    ])
    assert.deepEqual(await shapes(service), [
      '2 doord: cabinet * door alarm sensor lost contact',
      '2 app: served request * in * ms',
    ])
  }
  const muted = await b.sendJson('POST', '/fault/mutedShape', {
    origin: 'app',
    shape: 'served request * in * ms',
  })
  assert.equal(muted.status, 201, muted.text)
  await until('it is listed nowhere', async () => [...(await shapes(a)), ...(await shapes(b))].length === 2)
  await b.stop()
  const { rows } = await rowsOf(a, '/fault/syslogMessage')
  assert.equal(rows.length, 2)
})

test('what a device says counts, so that it is noticed when it falls silent: read, below a threshold, or in a storm', async () => {
  const service = await startService(
    { 'syslog-udp': '127.0.0.1:0', 'storm-source': '1' },
    { limits: { messageRateSeconds: 1 } },
  )
  await service.sendJson('POST', '/plat/res/device', { ip: '127.0.0.31', label: 'sw31' })
  await service.sendJson('POST', '/fault/messageThreshold', { severity: 5 })
  const say = await speaker(service.syslogPorts.udp, '127.0.0.31')
  const known = async () => {
    const [row] = await service.database.all('select state from message_talk')
    const { days = [] }: { days?: [number, number, number][] } = row ? JSON.parse(String(row.state)) : {}
    return days.reduce((all, [, count]) => all + count, 0)
  }
  await until('the threshold holds', async () => {
    await say(served(1))
    return 'filtered message below a threshold' in (await ledger(service))
  })
  await say(fanFailed, ...Array.from({ length: 1000 }, (_, n) => door(n)))
  await until('a storm is counted', async () => 'collapsed storm' in (await ledger(service)))
  await until('all are counted', async () => (await known()) === sum(await ledger(service)))
})
