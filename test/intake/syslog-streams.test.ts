// Syslog messages over TCP and TLS: how they are framed, limits on connections, senders that wait, and the end of a service.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { Authority, copyPair } from '../http/certificates.ts'
import { startService, type TestService, temporaryFolder, texts } from '../support.ts'
import { Gate, gatedStore } from './gated.ts'
import { ledger, sum, until } from './sending.ts'

const raised = 'raised no such alarm was open'
const recovered = 'recovered it ends an open alarm'
const unknown = 'filtered message without a definition'
const overload = 'refused overload'
const handshake = 'refused TLS handshake'

const fanFailed = (fan = 1) => `<187>%FAN-3-FAN_FAILED: Fan ${fan} had a rotation error reported.`
const fanOk = '<187>%FAN-3-FAN_OK: Fan 1 had earlier reported a rotation error. It is ok now'
const counted = (text: string) => `${Buffer.byteLength(text)} ${text}`

const overTcp = { 'syslog-tcp': '127.0.0.1:0' }

/** A connection that may break: the service closes those that it refuses. */
async function open(service: TestService, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: service.syslogPorts.tcp ?? 0, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

const isClosed = (socket: Socket) => {
  socket.resume()
  return () => socket.closed || socket.readableEnded
}

const written = (socket: Socket, bytes: string | Buffer) =>
  new Promise<void>((resolve) => socket.write(bytes, () => resolve()))

const whenCounted = (service: TestService, n: number) =>
  until(`${n} are counted`, async () => sum(await ledger(service)) >= n)

const metric = async (service: TestService, name: string) =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await service.get('/metrics')).text)?.[1])

test('messages of a connection are told apart whichever way each is framed, and the last needs no end', async () => {
  const service = await startService(overTcp)
  const socket = await open(service, '127.0.0.2')
  const stream = `${counted(fanFailed())}<14>first\nsecond\r\n${counted('<14>two\nlines')}\n${counted(fanOk)}<14>la`
  for (const octet of stream) await written(socket, octet)
  await until(
    'one connection is shown',
    async () => (await metric(service, 'belfry_syslog_connections')) === 1,
  )
  socket.end('st')
  await whenCounted(service, 6)
  assert.deepEqual(await ledger(service), { [raised]: 1, [recovered]: 1, [unknown]: 4 })
  const { text } = await service.get('/fault/alarm')
  assert.deepEqual(texts(text, 'deviceIp'), ['127.0.0.2', '127.0.0.2'])
  await until('none is shown', async () => (await metric(service, 'belfry_syslog_connections')) === 0)
})

test('a message that is too long is cut, one that never ends is ended, and a wrong count loses no later one', async () => {
  const service = await startService(overTcp, { limits: { syslogMessageSeconds: 1 } })
  const [long, endless, wrong] = [await open(service), await open(service), await open(service)]
  await written(long, `${fanFailed(1)}${' x'.repeat(50_000)}\n${fanFailed(2)}\n`)
  await written(endless, fanFailed(3))
  await written(wrong, `9000 ${fanFailed(4)}`)
  await whenCounted(service, 4)
  assert.equal(await metric(service, 'belfry_syslog_cut_messages_total'), 1)
  await written(wrong, counted(fanFailed(5)))
  await whenCounted(service, 5)
  assert.deepEqual(await ledger(service), { [raised]: 5 })
})

test('connections are limited overall and by sender, and one that ends makes room', async () => {
  const service = await startService(overTcp, {
    limits: { syslogConnections: 3, syslogConnectionsPerSender: 2 },
  })
  const first = await open(service, '127.0.0.2')
  await open(service, '127.0.0.2')
  await until('its third is closed', isClosed(await open(service, '127.0.0.2')))
  await open(service, '127.0.0.3')
  await until('the fourth overall is closed', isClosed(await open(service, '127.0.0.4')))
  await whenCounted(service, 2)
  assert.deepEqual(await ledger(service), { 'refused too many connections': 2 })
  first.end()
  await until('there is room', async () => {
    const socket = await open(service, '127.0.0.4')
    await written(socket, `${fanFailed()}\n`)
    return (await ledger(service))[raised] === 1
  })
})

test('senders that are not allowed cannot connect, and silent connections are closed', async () => {
  const service = await startService(
    { ...overTcp, 'syslog-senders': '127.0.0.1' },
    { limits: { syslogIdleSeconds: 1 } },
  )
  await until('it is closed', isClosed(await open(service, '127.0.0.3')))
  const silent = await open(service)
  await written(silent, fanFailed())
  await until('the silent one is closed', isClosed(silent))
  await whenCounted(service, 2)
  assert.deepEqual(await ledger(service), { 'refused sender': 1, [raised]: 1 })
})

test('while messages cannot be processed their sender waits for a while; then it goes on, and what is dropped is counted', async () => {
  const gate = new Gate()
  const data = temporaryFolder()
  const service = await startService(
    { ...overTcp, data, 'storm-source': '0' },
    { open: gatedStore(data, gate), limits: { syslogPushBackSeconds: 1 } },
  )
  const socket = await open(service)
  // More than the buffers of the kernel and the queue of the service.
  const [pieces, perPiece] = [800, 50]
  const number = pieces * perPiece
  const piece = Array.from({ length: perPiece }, (_, n) => `${fanFailed(n % 10)}${' '.repeat(300)}x\n`).join(
    '',
  )
  gate.close()
  let sent = 0
  const sending = (async () => {
    for (; sent < pieces; sent += 1) await written(socket, piece)
  })()
  await until('the sender waits', async () => {
    const before = sent
    await sleep(300)
    return before > 0 && sent === before
  })
  const other = await open(service, '127.0.0.9')
  await written(other, `${fanFailed()}\n`)
  assert.ok(sent < pieces)
  await sending
  gate.open()
  await whenCounted(service, number + 1)
  const lines = await ledger(service)
  assert.equal(sum(lines), number + 1)
  assert.equal(lines[raised], 11)
  assert.ok((lines[overload] ?? 0) > 0)
})

test('what was received before a stop is processed, also a message without its end', async () => {
  const data = temporaryFolder()
  const first = await startService({ ...overTcp, data })
  const socket = await open(first)
  const many = Array.from({ length: 200 }, (_, n) => `${fanFailed(n)}\n`).join('')
  await written(socket, many + fanFailed(200))
  await until('it has connected', async () => (await metric(first, 'belfry_syslog_connections')) === 1)
  await first.stop()
  const second = await startService({ ...overTcp, data })
  assert.deepEqual(await ledger(second), { [raised]: 201 })
})

test('a port that is in use is reported', async () => {
  const { syslogPorts } = await startService(overTcp)
  await assert.rejects(startService({ 'syslog-tcp': `127.0.0.1:${syslogPorts.tcp}` }), {
    message: `cannot receive syslog messages over TCP on 127.0.0.1:${syslogPorts.tcp}: the port is in use`,
  })
})

const authority = new Authority()
const filesOf = ({ certificate, key }: { certificate: string; key: string }) => ({
  'syslog-tls': '127.0.0.1:0',
  'syslog-certificate': certificate,
  'syslog-key': key,
})

/** Sends over TLS; returns the name in the certificate of the service. */
async function sendSecured(
  service: TestService,
  text: string,
  options: ConnectionOptions = {},
): Promise<string> {
  const socket = connectTls({
    ...{ port: service.syslogPorts.tls ?? 0, host: '127.0.0.1', ca: authority.rootText, ...options },
  })
  after(() => socket.destroy())
  socket.on('error', () => undefined)
  const isSecured = await new Promise((resolve) => {
    socket.on('secureConnect', () => resolve(true))
    socket.on('close', () => resolve(false))
  })
  if (!isSecured) return 'closed'
  const { CN } = socket.getPeerCertificate().subject
  socket.end(text)
  return String(CN)
}

test('over TLS messages come as over TCP, and a new certificate is used without a restart', async () => {
  const [one, two] = [authority.issue({ name: 'one' }), authority.issue({ name: 'two' })]
  const service = await startService(filesOf(one))
  assert.equal(await sendSecured(service, counted(fanFailed())), 'one')
  await whenCounted(service, 1)
  copyPair(two, one)
  await until('the new one is used', async () => (await sendSecured(service, '<14>x\n')) === 'two')
})

test('with an authority, only senders with its certificates are heard; broken handshakes hold nobody up', async () => {
  const pair = authority.issue()
  const service = await startService(
    { ...filesOf(pair), 'syslog-authority': authority.root },
    { limits: { syslogHandshakeSeconds: 1 } },
  )
  const port = service.syslogPorts.tls ?? 0
  const halfOpen = connect({ port, host: '127.0.0.1' })
  halfOpen.on('error', () => undefined)
  const plain = connect({ port, host: '127.0.0.1' })
  plain.on('error', () => undefined)
  plain.write(`${fanFailed(7)}\n`)
  await sendSecured(service, counted(fanFailed(8)))
  const stranger = new Authority().issue()
  const readPair = ({ certificate, key }: typeof pair) => ({
    cert: readFileSync(certificate),
    key: readFileSync(key),
  })
  await sendSecured(service, counted(fanFailed(9)), readPair(stranger))
  await sendSecured(service, counted(fanFailed(1)), readPair(authority.issue()))
  await until('the half-open one is closed', isClosed(halfOpen))
  await whenCounted(service, 5)
  assert.deepEqual(await ledger(service), { [handshake]: 4, [raised]: 1 })
})

test('files that cannot be used are named', async () => {
  const pair = authority.issue()
  await assert.rejects(startService({ 'syslog-tls': '127.0.0.1:0' }), {
    message: 'syslog-tls is given without syslog-certificate: expected a certificate and its key',
  })
  await assert.rejects(startService({ ...filesOf(pair), 'syslog-authority': pair.key }), {
    message: `the TLS authority ${pair.key} is not a certificate in PEM form`,
  })
})
