// Where messages may go: every spelling of an address that must not be reached, and requests to receivers that behave
// badly.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createPlain, type RequestListener } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, test } from 'node:test'
import { addressesOfThisMachine } from '../../src/config/networks.ts'
import { HttpClient, httpLimits } from '../../src/notify/channels/http-client.ts'
import { OutboundGuard, RefusedTarget } from '../../src/notify/channels/outbound-guard.ts'
import { excerpt, outcomeOf, outcomeOfError, retryAfter } from '../../src/notify/channels/send-outcome.ts'
import { Authority } from '../http/certificates.ts'

const all = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']
const usual = { loopback: false, privateNetworks: all, proxy: '', proxyHosts: [] }
const noNodes = async () => new Set<string>()
const own = { ports: () => [8080, 1162], ofNodes: noNodes }
const none = { ports: () => [], ofNodes: noNodes }
const guard = new OutboundGuard(usual, own)
const local = new OutboundGuard({ ...usual, loopback: true }, own)

const servers: Server[] = []
after(() => {
  for (const server of servers) server.close()
})
async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const serve = async (handle: RequestListener) =>
  new URL(`http://127.0.0.1:${await listen(createPlain(handle))}/hook`)
/** Bytes as they are, whatever is asked. */
const answerWith = async (act: (socket: Socket) => void) =>
  new URL(
    `http://127.0.0.1:${await listen(createTcp((socket) => socket.on('error', () => undefined).once('data', () => act(socket))))}/`,
  )

const nowhere = new AbortController().signal
const quick = { total: 1500, connect: 700, answer: 1024 }
const client = (by = local, limits = httpLimits) => new HttpClient(by, limits)
const post = (url: URL, by = client()) =>
  by.request({ method: 'POST', url, headers: {}, body: '{}' }, nowhere)
const outcome = async (url: URL, by = client(local, quick)) => {
  try {
    return outcomeOf(await post(url, by), [], 0)
  } catch (error) {
    return outcomeOfError(error)
  }
}

const forbidden = [
  ...[
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '169.254.0.1',
    '224.0.0.1',
    '239.255.255.250',
    '255.255.255.255',
  ],
  ...['::', 'fe80::1', 'fe80::1%eth0', 'ff02::1', 'fec0::1', '::ffff:169.254.169.254', '::ffff:0.0.0.0'],
  ...[
    '::ffff:a9fe:a9fe',
    '64:ff9b::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '::169.254.169.254',
  ],
  ...['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', '2001:0:a9fe:a9fe::1', '240.0.0.1'],
  ...['fd00:ec2::23', 'fd00:ec2:1::1', 'fd00:0EC2:0::23', 'fd00:ec2::5efe:192.0.2.1'],
  ...[
    '::ffff:0:169.254.169.254',
    '::ffff:0:a9fe:a9fe',
    '0:0:0:0:ffff:0:a9fe:a9fe',
    '::ffff:0:100.100.100.200',
  ],
  ...['2001:db8::5efe:169.254.169.254', '2001:db8::200:5efe:a9fe:a9fe', '2001:db8::300:5efe:168.63.129.16'],
]
for (const address of forbidden) {
  test(`nothing is ever sent to ${address}`, async () => {
    assert.match(local.objectionTo(address, 443) ?? '', /never|ever sent|this machine/)
    await assert.rejects(local.resolve(address, 443), RefusedTarget)
  })
}

const here = [
  '127.0.0.1',
  '127.1.2.3',
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '2002:7f00:1::',
  '::7f00:1',
  '::ffff:0:127.0.0.1',
  '2001:db8::5efe:127.0.0.1',
  '2001:db8:0:1:200:5efe:7f00:1',
]
for (const address of here) {
  test(`${address} is reached only where the setting says so, and never a port of the service`, () => {
    assert.match(guard.objectionTo(address, 25) ?? '', /notify-loopback/)
    assert.equal(local.objectionTo(address, 25), undefined)
    assert.match(local.objectionTo(address, 8080) ?? '', /a port of this service/)
  })
}

test('the ports of the service are refused at every address of this machine', () => {
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  for (const { address, internal } of own) {
    if (internal || address.startsWith('fe80')) continue
    assert.match(local.objectionTo(address, 1162) ?? '', /a port of this service/)
  }
})

test('the ports of other nodes are refused in every spelling, also through a proxy, and others at their addresses are not', async () => {
  const ofNodes = async () =>
    new Set(['10.1.2.3 8080', '2001:db8::5 1162', `${addressesOfThisMachine()[0]} 8081`])
  const settings = { ...usual, loopback: true }
  const among = new OutboundGuard(settings, { ports: () => [], ofNodes })
  const refusal = /a port of another node of this service/
  const more = ['::ffff:0:10.1.2.3', '2001:db8::5efe:10.1.2.3']
  for (const host of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3', '2002:a01:203::1', ...more])
    await assert.rejects(among.resolve(host, 8080), refusal, host)
  await assert.rejects(among.resolve('2001:0db8:0::5', 1162), refusal)
  await assert.rejects(among.requireThroughProxy('10.1.2.3', 8080), refusal)
  for (const host of ['127.0.0.1', '127.9.9.9', '::1'])
    await assert.rejects(among.resolve(host, 8081), refusal, 'a node on this machine')
  assert.equal(await among.resolve('10.1.2.3', 25), '10.1.2.3')
  assert.equal(await among.resolve('127.0.0.1', 8080), '127.0.0.1')
})

test('other spellings of an address are resolved before they are checked', async () => {
  for (const host of ['2130706433', '0x7f.1', '127.1', '0177.0.0.1', 'localhost'])
    await assert.rejects(guard.resolve(host, 25), /notify-loopback/, host)
  assert.equal(new URL('http://2852039166/').hostname, '169.254.169.254')
})

test('addresses that embed an allowed one are reached where their network may be, too', () => {
  for (const address of ['2001:db8::5efe:192.0.2.1', '2001:db8::200:5efe:10.1.2.3', '::ffff:0:192.0.2.1'])
    assert.equal(guard.objectionTo(address, 443), undefined, address)
  const narrow = new OutboundGuard({ ...usual, privateNetworks: ['10.1.0.0/16'] }, none)
  for (const address of ['fd12::5efe:10.1.2.3', '2001:db8::5efe:10.2.0.1'])
    assert.match(narrow.objectionTo(address, 443) ?? '', /notify-private-networks/, address)
})

test('private networks can be narrowed', () => {
  assert.equal(guard.objectionTo('10.1.2.3', 25), undefined)
  assert.equal(guard.objectionTo('192.0.2.1', 25), undefined)
  const narrow = new OutboundGuard({ ...usual, privateNetworks: ['10.1.0.0/16'] }, none)
  assert.equal(narrow.objectionTo('10.1.2.3', 25), undefined)
  for (const address of ['10.2.0.1', '192.168.1.1', 'fd12::1', '::ffff:10.2.0.1'])
    assert.match(narrow.objectionTo(address, 25) ?? '', /notify-private-networks/)
})

test('where no name server answers, that is said', async () => {
  const deaf = createSocket('udp4')
  deaf.bind(0, '127.0.0.1')
  await once(deaf, 'listening')
  const nameServers = [`127.0.0.1:${deaf.address().port}`]
  const lost = new OutboundGuard({ ...usual, loopback: true, nameServers }, none)
  const result = await outcome(new URL('http://hooks.example.net/'), client(lost, httpLimits))
  assert.deepEqual(result, { outcome: 'failed', retry: true, reason: 'no name server answers' })
  // Names of the machine's own list are known all the same.
  assert.equal(await lost.resolve('localhost', 25), '127.0.0.1')
  deaf.close()
})

test('an answer is delivered, and tells of itself', async () => {
  const url = await serve((request, response) => {
    response.writeHead(202)
    response.end(`thank you for ${request.method} ${request.url} at ${request.headers.host}`)
  })
  assert.deepEqual(await outcome(url), {
    outcome: 'delivered',
    answer: `202 thank you for POST /hook at ${url.host}`,
  })
})

test('errors of the server are tried again, those of the request are not', async () => {
  const statuses = { 500: true, 503: true, 408: true, 400: false, 401: false, 404: false, 410: false }
  for (const [status, retry] of Object.entries(statuses)) {
    const url = await serve((_request, response) => response.writeHead(Number(status)).end('no'))
    const result = await outcome(url)
    assert.ok(result.outcome === 'failed')
    assert.deepEqual(
      [result.retry, result.reason, result.answer],
      [retry, `the server answers ${status}`, `${status} no`],
    )
  }
})

test('a server that is busy says for how long', async () => {
  const url = await serve((_request, response) => response.writeHead(429, { 'Retry-After': '17' }).end())
  const result = await outcome(url)
  assert.ok(result.outcome === 'failed' && result.retry)
  assert.equal(result.retryAfter, 17)
  assert.equal(retryAfter('Wed, 18 Nov 2026 06:00:30 GMT', Date.UTC(2026, 10, 18, 6)), 30)
  assert.equal(retryAfter('99999999', 0), 3600)
  for (const header of ['soon', '-5', '', undefined]) assert.ok((retryAfter(header, 1e12) ?? 0) === 0)
})

test('a redirect is not followed', async () => {
  let reached = 0
  const other = await serve((_request, response) => {
    reached += 1
    response.end()
  })
  const url = await serve((_request, response) => response.writeHead(307, { Location: other.href }).end())
  const result = await outcome(url)
  assert.ok(result.outcome === 'failed' && !result.retry)
  assert.match(result.reason, /redirects are not followed/)
  assert.equal(reached, 0)
})

test('a receiver that is slow is given up, and one that answers late but in time is heard', async () => {
  const late = await serve((_request, response) => setTimeout(() => response.end('ok'), 500))
  assert.equal((await outcome(late)).outcome, 'delivered')
  const silent = await answerWith(() => undefined)
  const noAnswer = { outcome: 'failed', retry: true, reason: 'no answer in time', mayHaveArrived: true }
  assert.deepEqual(await outcome(silent), noAnswer)
  assert.ok(httpLimits.total > 29_000, 'whoever answers after 29 seconds is heard')
})

test('a connection that breaks in the middle is tried again, unless the status had come', async () => {
  const closed = await answerWith((socket) => socket.destroy())
  assert.deepEqual(await outcome(closed), {
    outcome: 'failed',
    retry: true,
    reason: 'the connection was closed without an answer',
  })
  const half = await answerWith((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of it'),
  )
  assert.deepEqual(await outcome(half), { outcome: 'delivered', answer: '200 half of it' })
  const nonsense = await answerWith((socket) => socket.end('220 smtp.example.net ESMTP\r\n'))
  assert.equal((await outcome(nonsense)).outcome, 'failed')
})

test('of a body without end the beginning is read', async () => {
  const endless = await serve((_request, response) => {
    response.writeHead(200)
    const more = () => {
      while (response.write('x'.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  })
  const result = await outcome(endless)
  assert.deepEqual(result, { outcome: 'delivered', answer: `200 ${'x'.repeat(200)}` })
})

test('a certificate that nobody vouches for is refused', async () => {
  const files = new Authority().issue()
  const pair = { cert: readFileSync(files.certificate), key: readFileSync(files.key) }
  const server = createSecure(pair, (_request, response) => response.end('ok'))
  const url = new URL(`https://127.0.0.1:${await listen(server)}/`)
  const result = await outcome(url)
  assert.ok(result.outcome === 'failed')
  assert.match(result.reason, /certificate of the server is not accepted/)
})

test('nothing listens, and nobody is there', async () => {
  const url = await serve((_request, response) => response.end())
  servers.at(-1)?.close()
  assert.equal((await outcome(url)).outcome, 'failed')
  const refused = await outcome(new URL('http://169.254.169.254/latest/meta-data'))
  assert.ok(refused.outcome === 'failed' && !refused.retry)
})

test('through a proxy only listed names are reached, and addresses are checked', async () => {
  const asked: string[] = []
  const proxy = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end('through')
  })
  const settings = { ...usual, proxy: proxy.origin, proxyHosts: ['hooks.example.net', '*.slack.example'] }
  const by = client(new OutboundGuard(settings, none), quick)
  assert.equal((await outcome(new URL('http://hooks.example.net/a?b=c'), by)).outcome, 'delivered')
  assert.equal((await outcome(new URL('http://x.slack.example/'), by)).outcome, 'delivered')
  for (const url of ['http://other.example.net/', 'http://169.254.169.254/', 'http://slack.example/'])
    assert.ok((await outcome(new URL(url), by)).outcome === 'failed', url)
  assert.deepEqual(asked, ['POST http://hooks.example.net/a?b=c', 'POST http://x.slack.example/'])
})

test('through a proxy an encrypted connection is a tunnel', async () => {
  const asked: string[] = []
  const server = createPlain()
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  const settings = { ...usual, proxy: `http://127.0.0.1:${await listen(server)}`, proxyHosts: ['a.example'] }
  const result = await outcome(
    new URL('https://a.example/x'),
    client(new OutboundGuard(settings, none), quick),
  )
  assert.deepEqual(result, { outcome: 'failed', retry: true, reason: 'the proxy answers 403' })
  assert.deepEqual(asked, ['a.example:443'])
})

test('secrets are blotted out of answers', () => {
  assert.equal(excerpt('you sent\n Bearer abcdef123', ['abcdef123', '']), 'you sent Bearer …')
})
