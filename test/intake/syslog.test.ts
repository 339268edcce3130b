// Syslog messages, as devices send them over UDP: which become alarms, and how the others are counted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNodes } from '../nodes/several.ts'
import { startService, type TestService, temporaryFolder, texts } from '../support.ts'
import { device, ifIndex, ledger, linkDown, linkUp, sum, until, v2c } from './sending.ts'
import { speaker } from './syslog-speaker.ts'

const raised = 'raised no such alarm was open'
const recovered = 'recovered it ends an open alarm'
const repeated = 'repeated such an alarm is open'
const unknown = 'filtered message without a definition'
const neutral = 'filtered message without an alarm'

const fanFailed = (fan = 1) => `<187>%FAN-3-FAN_FAILED: Fan ${fan} had a rotation error reported.`
const fanOk = '<187>%FAN-3-FAN_OK: Fan 1 had earlier reported a rotation error. It is ok now'
const noise = (n: number) => `<190>app[${n}]: served request ${n} in 3 ms`

const start = (flags: Record<string, string> = {}) => startService({ 'syslog-udp': '127.0.0.1:0', ...flags })

const counted = (service: TestService, n: number) =>
  until(`${n} are counted`, async () => sum(await ledger(service)) >= n)

test('messages become alarms with the device, and what changes nothing is counted without a row', async () => {
  const service = await start()
  const say = await speaker(service.syslogPorts.udp, '127.0.0.2')
  await say(fanFailed(), fanFailed(), ...Array.from({ length: 50 }, (_, n) => noise(n)))
  await say('<189>%SYS-5-CONFIG_I: Configured from console by admin', fanOk)
  await counted(service, 54)
  assert.deepEqual(await ledger(service), {
    [raised]: 1,
    [repeated]: 1,
    [recovered]: 1,
    [unknown]: 50,
    [neutral]: 1,
  })
  const { text } = await service.get('/fault/alarm?orderBy=id')
  assert.deepEqual(texts(text, 'deviceIp'), ['127.0.0.2', '127.0.0.2'])
  assert.deepEqual(texts(text, 'originalTypeDesc'), ['Syslog', 'Syslog'])
  assert.deepEqual(texts(text, 'alarmDesc')[0], 'Fan Fan 1 has failed')
  const traps = (await service.get('/fault/trap')).text
  assert.deepEqual(texts(traps, 'version'), ['syslog', 'syslog', 'syslog'])
  assert.match(traps, /Fan 1 had a rotation error reported/)
  assert.match((await service.get('/metrics')).text, /^belfry_syslog_socket_drops_total 0$/m)
})

test('a trap and a message about one port are one alarm', async () => {
  const service = await start()
  const say = await speaker(service.syslogPorts.udp)
  const router = await device(service.trapPort)
  const created = await service.sendJson('POST', '/plat/res/device', {
    ip: '127.0.0.1',
    label: 'sw1',
    interfaces: [{ ifIndex: '7', ifDesc: 'GigabitEthernet0/7' }],
  })
  assert.equal(created.status, 201, created.text)
  await router.send(v2c(linkDown, [ifIndex(7)]))
  await counted(service, 1)
  await say('<187>52: *Mar 1 00:00:01: %LINK-3-UPDOWN: Interface GigabitEthernet0/7, changed state to down')
  await counted(service, 2)
  await router.send(v2c(linkUp, [ifIndex(7)], { requestId: 2 }))
  await counted(service, 3)
  await say('<187>53: *Mar 1 00:00:02: %LINK-3-UPDOWN: Interface GigabitEthernet0/7, changed state to up')
  await counted(service, 4)
  assert.deepEqual(await ledger(service), {
    [raised]: 1,
    [repeated]: 1,
    [recovered]: 1,
    'stored-only a recovery with nothing open to clear': 1,
  })
})

test('senders that are not allowed are refused; the message of a relay is about the address that it names', async () => {
  const service = await start({ 'syslog-senders': '127.0.0.1,127.0.0.4', 'syslog-relays': '127.0.0.4' })
  const named =
    '<187>1 2026-11-18T10:00:00Z 192.0.2.77 fand - - - %FAN-3-FAN_FAILED: Fan 2 had a rotation error reported.'
  await (await speaker(service.syslogPorts.udp, '127.0.0.3'))(fanFailed())
  await (await speaker(service.syslogPorts.udp, '127.0.0.4'))(named)
  await (await speaker(service.syslogPorts.udp, '127.0.0.1'))(named)
  await counted(service, 3)
  assert.deepEqual(await ledger(service), { 'refused sender': 1, [raised]: 2 })
  const { text } = await service.get('/fault/alarm')
  assert.deepEqual(texts(text, 'deviceIp').sort(), ['127.0.0.1', '192.0.2.77'])
})

test('the host that a relay gives is a device of the inventory by its name', async () => {
  const service = await start({ 'syslog-relays': '127.0.0.4' })
  const add = async (ip: string, label: string, more = {}) => {
    const { status, text } = await service.sendJson('POST', '/plat/res/device', { ip, label, ...more })
    assert.equal(status, 201, text)
  }
  await add('192.0.2.71', 'Core1')
  await add('192.0.2.72', 'Switch in the cellar', { sysName: 'sw2.site-b.example' })
  await add('192.0.2.73', 'twin')
  await add('192.0.2.74', 'Twin')
  const fan = (host: string, at: number) =>
    `<187>1 2026-11-18T10:00:00Z ${host} fand - - - %FAN-3-FAN_FAILED: Fan ${at} had a rotation error reported.`
  const relayed = await speaker(service.syslogPorts.udp, '127.0.0.4')
  const heardOf = async (ip: string) =>
    texts((await service.get(`/fault/syslogMessage?deviceIp=${ip}`)).text, 'text').length
  await until('the names are known', async () => {
    await relayed(fan('core1', 1))
    return (await heardOf('192.0.2.71')) > 0
  })
  await relayed(
    ...[
      fan('CORE1.site-a.example', 2),
      fan('sw2', 3),
      fan('sw2.site-b.example', 4),
      fan('sw2.site-c.example', 5),
    ],
    ...[fan('twin', 6), fan('nobody', 7)],
  )
  await (await speaker(service.syslogPorts.udp, '127.0.0.5'))(fan('core1', 8))
  const deviceOf = async () => {
    const { text } = await service.get('/fault/alarm?size=100&orderBy=id')
    const names = texts(text, 'alarmDesc').map((description) => /\d+/.exec(description)?.[0] ?? '')
    return Object.fromEntries(names.map((name, at) => [name, texts(text, 'deviceIp')[at]]))
  }
  await until('all are alarms', async () => '8' in (await deviceOf()))
  const { 1: _first, ...others } = await deviceOf()
  assert.deepEqual(others, {
    ...{ 2: '192.0.2.71', 3: '192.0.2.72', 4: '192.0.2.72' },
    // Another domain, a name that two devices have, and one that none has.
    ...{ 5: '127.0.0.4', 6: '127.0.0.4', 7: '127.0.0.4' },
    // No relay.
    8: '127.0.0.5',
  })
})

test('bytes of any kind have an outcome each, and what comes after them is heard', async () => {
  const service = await start()
  const say = await speaker(service.syslogPorts.udp)
  const hostile = [
    Buffer.alloc(0),
    Buffer.alloc(1),
    Buffer.alloc(60_000, 0xff),
    Buffer.alloc(60_000, '<'),
    Buffer.from('<999999>'),
    Buffer.from('<0>\x1b[2J\x1b]0;title\x07 \u202e'),
    Buffer.from('3082010002010104', 'hex'),
    v2c(linkDown, [ifIndex(1)], { inform: true }),
  ]
  for (const bytes of hostile) await say(bytes)
  await say(fanFailed())
  await counted(service, hostile.length + 1)
  const lines = await ledger(service)
  assert.equal(lines[raised], 1)
  assert.equal(lines[unknown], hostile.length)
})

test('a flood of one sender is a storm, which is counted and shown, and others are heard', async () => {
  // Ten times the rate for traps.
  const service = await startService(
    { 'syslog-udp': '127.0.0.1:0', 'storm-source': '2' },
    { limits: { stormSeconds: 1 } },
  )
  const flood = await speaker(service.syslogPorts.udp, '127.0.0.5')
  const other = await speaker(service.syslogPorts.udp, '127.0.0.6')
  await flood(...Array.from({ length: 300 }, (_, n) => noise(n)))
  await other(fanFailed())
  await counted(service, 301)
  const lines = await ledger(service)
  assert.equal(lines[raised], 1)
  assert.equal((lines[unknown] ?? 0) + (lines['collapsed storm'] ?? 0), 300)
  assert((lines['collapsed storm'] ?? 0) > 200)
  const storm = '127.0.0.5 sends too many syslog messages: most of them are counted and not read'
  const descriptions = async () => texts((await service.get('/fault/alarm')).text, 'alarmDesc')
  assert((await descriptions()).includes(storm))
  await until('the storm is over', async () =>
    (await descriptions()).includes('127.0.0.5 sends no longer too many syslog messages'),
  )
})

test('what has arrived before a stop is processed and counted', async () => {
  const data = temporaryFolder()
  const first = await start({ data })
  const say = await speaker(first.syslogPorts.udp)
  await say(
    ...Array.from({ length: 100 }, (_, n) => fanFailed(n)),
    ...Array.from({ length: 100 }, (_, n) => noise(n)),
  )
  await first.stop()
  const second = await start({ data })
  assert.deepEqual(await ledger(second), { [raised]: 100, [unknown]: 100 })
})

test('a port that is in use is reported', async () => {
  const service = await start()
  const { udp } = service.syslogPorts
  await assert.rejects(start({ 'syslog-udp': `127.0.0.1:${udp}` }), {
    message: `cannot receive syslog messages over UDP on 127.0.0.1:${udp}: the port is in use`,
  })
})

test('of a message that two nodes receive, one is a copy, also of the second with the same text', async () => {
  const { services } = await startNodes(2, { 'syslog-udp': '127.0.0.1:0' })
  const [a, b] = services
  assert.ok(a && b)
  const [toA, toB] = [await speaker(a.syslogPorts.udp), await speaker(b.syslogPorts.udp)]
  await toA(fanFailed(), fanOk, fanFailed())
  await counted(a, 3)
  await toB(fanFailed(), fanOk, fanFailed())
  await counted(a, 6)
  assert.deepEqual(await ledger(b), { [raised]: 2, [recovered]: 1, 'collapsed copy': 3 })
  const open = await a.get('/fault/alarm?recStatus=0')
  assert.equal(texts(open.text, 'id').length, 1)
})
