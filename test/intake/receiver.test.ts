// The service as devices meet it: real datagrams to a real socket, and what becomes of them.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { encodeDiscovery, encodeNotification, UsmSender } from '../../src/snmp/send.ts'
import type { User } from '../../src/snmp/usm-user.ts'
import { value, values } from '../http/reading.ts'
import { startService, temporaryFolder } from '../support.ts'
import { counted, device, ifIndex, inform, ledger, linkDown, linkUp, sum, until, v2c, v3 } from './sending.ts'

const user: User = {
  name: 'ops',
  auth: { algorithm: 'sha256', password: 'authentication password' },
  priv: { algorithm: 'aes128', password: 'privacy password' },
}
const users = join(temporaryFolder(), 'users.json')
writeFileSync(users, JSON.stringify([user]))
const service = await startService({ 'trap-users': users, 'trap-communities': 'public,other' })
const router = await device(service.trapPort)
const engineId = Buffer.from('8000000001020304', 'hex')
const sender = new UsmSender(user, engineId)

const binned = async () => sum(await ledger(service))

/** Sends datagrams and waits until each is in a bin; returns what the ledger gained. */
async function processed(...datagrams: Buffer[]): Promise<Record<string, number>> {
  const before = await ledger(service)
  const awaited = sum(before) + datagrams.length
  await router.send(...datagrams)
  await until(`${datagrams.length} datagrams are processed`, async () => (await binned()) >= awaited)
  const after = Object.entries(await ledger(service))
  const gained = after.map(([line, n]): [string, number] => [line, n - (before[line] ?? 0)])
  return Object.fromEntries(gained.filter(([, n]) => n > 0))
}

const raised = 'raised no such alarm was open'

test('traps of version 1, 2c and 3 become alarms', async () => {
  const v1 = encodeNotification({
    version: '1',
    community: 'other',
    agentAddress: '10.1.1.1',
    oid: linkDown,
    uptime: 1,
    variables: [ifIndex(1)],
  })
  assert.deepEqual(await processed(v1, v2c(linkDown, [ifIndex(2)]), v3(sender, 1, 10, 3)), { [raised]: 3 })
  const { text } = await service.get('/fault/alarm?faultOid=1.3.6.1.6.3.1.1.5.3&orderBy=id')
  assert.deepEqual(values(text, 'deviceIp'), ['10.1.1.1', '127.0.0.1', '127.0.0.1'])
  assert.deepEqual(values(text, 'paras'), ['*ifIndex=1', '*ifIndex=2', '*ifIndex=3'])
  const traps = (await service.get('/fault/trap?bin=raised')).text
  assert.deepEqual(values(traps, 'version'), ['1', '2c', '3'])
  assert.deepEqual(await processed(v2c(linkUp, [ifIndex(2)])), { 'recovered it ends an open alarm': 1 })
})

test('a proxy that names no device does not change the sender', async () => {
  const none = { oid: '1.3.6.1.6.3.18.1.3.0', type: 'IpAddress', value: '0.0.0.0', hex: false } as const
  await processed(v2c(linkDown, [ifIndex(4), none]))
  const { text } = await service.get('/fault/alarm?desc=true&size=1')
  assert.equal(value(text, 'deviceIp'), '127.0.0.1')
})

test('any octets can be a value: traps and alarms with them are read back', async () => {
  const odd = ['ff:fe:00', 'ef:bf:bf', 'ef:bf:be', 'ed:a0:80', 'f4:8f:bf:bf', '20:09:0a', ''].map(
    (octets, index) =>
      ({ oid: `1.3.6.1.4.1.32473.50.${index}`, type: 'OctetString', value: octets, hex: true }) as const,
  )
  assert.deepEqual(await processed(v2c(linkDown, [ifIndex(5), ...odd])), { [raised]: 1 })
  const { text } = await service.get('/fault/trap?desc=true&size=1')
  assert.equal(values(text, 'oid').length, 8)
  assert.equal((await service.get('/fault/alarm?desc=true')).status, 200)
})

test('an inform of version 2c or 3 is answered', async () => {
  assert.deepEqual(await processed(inform(6)), { [raised]: 1 })
  await until('the answer arrives', () => router.answers().some(({ requestId }) => requestId === 6))
  await router.send(encodeDiscovery(77))
  const found = () => router.answers().find(({ kind }) => kind === 'report')?.engine
  await until('the engine answers a discovery', () => found() !== undefined)
  const engine = found()
  assert.ok(engine)
  const toThem = new UsmSender(user, engine.id)
  const informed = v3(toThem, engine.boots, engine.time, 7, { inform: true, requestId: 78 })
  await router.send(informed)
  const answered = () => router.answers(toThem).filter(({ requestId }) => requestId === 78)
  await until('the answer arrives', () => answered().length === 1)
  assert.deepEqual([answered()[0]?.kind, answered()[0]?.authenticated], ['response', true])
  await router.send(informed)
  await until('the answer comes again, for it may have been lost', () => answered().length === 2)
  // The answer does not wait for the ledger.
  await until('the inform counts once', async () => (await ledger(service))['refused replay'] !== undefined)
})

test('hundreds of forged discoveries do not keep a genuine inform from being answered', async () => {
  const [forger, genuine] = [await device(service.trapPort), await device(service.trapPort)]
  const began = performance.now()
  const flood = async () => {
    for (let id = 0; id < 600; id += 50) {
      await forger.send(...Array.from({ length: 50 }, (_, index) => encodeDiscovery(1000 + id + index)))
    }
  }
  const asking = async () => {
    await genuine.send(encodeDiscovery(79))
    const found = () => genuine.answers().find(({ kind }) => kind === 'report')?.engine
    await until('the engine is found', () => found() !== undefined)
    const engine = found()
    assert.ok(engine)
    const toThem = new UsmSender(user, engine.id)
    await genuine.send(v3(toThem, engine.boots, engine.time, 70, { inform: true, requestId: 80 }))
    const answered = () => genuine.answers(toThem).some(({ requestId }) => requestId === 80)
    await until('the inform is answered', answered)
  }
  const before = await binned()
  await Promise.all([flood(), asking()])
  await until('all are processed', async () => (await binned()) >= before + 602)
  // As many as one sender may have: ten at once and five a second.
  const most = 10 + 5 * Math.ceil((performance.now() - began) / 1000)
  assert.ok(forger.heard.length <= most, `${forger.heard.length} reports, at most ${most}`)
  assert.ok(forger.heard.length > 0)
})

test('the same datagram again is the same notification: an inform is answered again, and nothing is repeated', async () => {
  const again = inform(60)
  assert.deepEqual(await processed(again, again), { [raised]: 1, 'collapsed duplicate': 1 })
  assert.deepEqual(await processed(again), { 'collapsed duplicate': 1 })
  const answers = () => router.answers().filter(({ requestId }) => requestId === 60)
  // The first two with one answer where the second came while the first waited.
  await until('it is answered again', () => answers().length >= 2)
  const { text } = await service.get('/fault/alarm?desc=true&size=1')
  assert.deepEqual([value(text, 'paras'), value(text, 'repeats')], ['*ifIndex=60', '1'])
  const timeless = v2c(linkDown, [ifIndex(61)], { uptime: 0 })
  assert.deepEqual(await processed(timeless, timeless), { [raised]: 1, 'repeated such an alarm is open': 1 })
})

test('a device without request ids and with a stopped clock loses no alarm', async () => {
  const [down, up] = [linkDown, linkUp].map((oid) => v2c(oid, [ifIndex(62)])) as [Buffer, Buffer]
  const [downAgain, upAgain] = [linkDown, linkUp].map((oid) =>
    v2c(oid, [ifIndex(63)], { inform: true, requestId: 0 }),
  ) as [Buffer, Buffer]
  const ended = 'recovered it ends an open alarm'
  assert.deepEqual(await processed(down, up, down), { [raised]: 2, [ended]: 1 })
  assert.deepEqual(await processed(downAgain, upAgain, downAgain), { [raised]: 2, [ended]: 1 })
})

test('what is not allowed is refused with its reason, in the ledger and with the trap', async () => {
  const wrongUser = new UsmSender({ ...user, name: 'nobody' }, engineId)
  const wrongKey = new UsmSender({ ...user, auth: { algorithm: 'sha256', password: 'guessed it' } }, engineId)
  const wrongPrivacy = new UsmSender(
    { ...user, priv: { algorithm: 'aes128', password: 'guessed it' } },
    engineId,
  )
  const good = v3(sender, 2, 1000, 8)
  const gained = await processed(
    v2c(linkDown, [ifIndex(8)], { community: 'secret' }),
    good,
    good,
    v3(wrongUser, 2, 1000, 8),
    v3(wrongKey, 2, 1000, 8),
    v3(wrongPrivacy, 2, 1001, 8),
    v3(new UsmSender({ name: 'ops' }, engineId), 2, 1001, 8),
    v3(sender, 1, 5000, 8),
    v3(sender, 2, 849, 8),
    Buffer.from('not SNMP'),
    good.subarray(0, 40),
  )
  assert.deepEqual(gained, {
    [raised]: 1,
    'refused community': 1,
    'refused replay': 1,
    'refused unknown-user': 1,
    'refused wrong-digest': 1,
    'refused decryption': 1,
    'refused unsupported-security-level': 1,
    'refused not-in-time-window': 2,
    'malformed bad-tag': 1,
    'malformed truncated': 1,
  })
  const { text } = await service.get('/fault/trap?bin=refused&size=100')
  for (const reason of ['community', 'replay', 'unknown-user', 'wrong-digest', 'not-in-time-window']) {
    assert.ok(values(text, 'reason').includes(reason), reason)
  }
})

test('the bins sum to what was received, in /metrics and in the ledger', async () => {
  const { received, binned: inMetrics } = await counted(service)
  assert.equal(inMetrics, received)
  assert.equal(await binned(), received)
})

test('senders that are not allowed are refused, and version 3 where there are no users', async () => {
  const strict = await startService({ 'trap-senders': '10.0.0.0/8,127.0.0.0/30' })
  const stranger = await startService({ 'trap-senders': '10.0.0.0/8,2001:db8::/32' })
  for (const { trapPort } of [strict, stranger]) {
    await (await device(trapPort)).send(v2c(linkDown, [ifIndex(1)]), v3(sender, 1, 1, 1), inform(2))
  }
  await until('all are processed', async () => sum(await ledger(strict)) + sum(await ledger(stranger)) === 6)
  assert.deepEqual(await ledger(strict), { [raised]: 2, 'refused version': 1 })
  assert.deepEqual(await ledger(stranger), { 'refused sender': 3 })
})

test('an inform from an unknown device is not answered where those are refused', async () => {
  const strict = await startService({ 'unknown-senders': 'refuse' })
  const unknown = await device(strict.trapPort)
  await unknown.send(inform(1), inform(1), inform(3))
  await until('they are processed', async () => sum(await ledger(strict)) === 3)
  const { 'refused unknown sender': refused = 0, 'collapsed duplicate': again = 0 } = await ledger(strict)
  assert.deepEqual([refused + again, unknown.heard.length], [3, 0])
  const body = '<device><ip>127.0.0.1</ip><label>Core</label></device>'
  assert.equal((await strict.send('POST', '/plat/res/device', body)).status, 201)
  await unknown.send(inform(2), inform(3))
  await until('both are answered, though one was refused before', () => unknown.heard.length === 2)
  assert.deepEqual(
    unknown.answers().map(({ requestId }) => requestId),
    [2, 3],
  )
})

test('IPv6 is served as well, and IPv4 by the same socket', async () => {
  const dual = await startService({ traps: '[::]:0' })
  const [six, four] = [await device(dual.trapPort, '::1'), await device(dual.trapPort)]
  await six.send(inform(1))
  await four.send(inform(2))
  await until('both informs are answered', () => six.answers().length === 1 && four.answers().length === 1)
  const { text } = await dual.get('/plat/res/device?orderBy=ip')
  assert.deepEqual(values(text, 'ip'), ['127.0.0.1', '::1'])
})

test('the receive buffer is set, read back and logged; less than asked for is a warning', async () => {
  const started = async (size: number) => {
    const lines: Record<string, unknown>[] = []
    const into = new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)))
        done()
      },
    })
    await startService({ 'trap-buffer': String(size) }, { log: pino({ level: 'info' }, into) })
    return lines
  }
  const small = await started(65_536)
  const ready = small.find(({ msg }) => msg === 'receiving traps')
  assert.ok(Number(ready?.bufferSize) >= 65_536, JSON.stringify(ready))
  assert.ok(!small.some(({ msg }) => String(msg).includes('smaller than requested')))
  const huge = await started(2 ** 30)
  assert.ok(huge.some(({ msg, granted }) => String(msg).includes('rmem_max') && Number(granted) > 0))
})
