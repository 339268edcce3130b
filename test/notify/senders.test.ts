// Messages through real gateways of each kind, as an administrator tries them and as routes send them.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { openKeys } from '../../src/assembly/open-store.ts'
import { outboundSettings } from '../../src/assembly/part-settings.ts'
import { MessageTemplates } from '../../src/notify/channels/message-template.ts'
import { Senders } from '../../src/notify/channels/senders.ts'
import { signatureHeaders } from '../../src/notify/channels/webhook-kind.ts'
import type { Message } from '../../src/notify/message.ts'
import { Decoder } from '../../src/snmp/decoder.ts'
import { idOf, refused } from '../http/reading.ts'
import { startService } from '../support.ts'
import { ntfyLike, receiver, slackLike, slackWebhookLike, teamsLike } from './chat-receivers.ts'

const service = await startService({ 'notify-loopback': 'yes', 'syslog-udp': '127.0.0.1:0' })
const make = async (gateway: object) => idOf(await service.sendJson('POST', '/notify/gateway', gateway))
const tryOut = async (id: string, address = '') => {
  const { text, status } = await service.sendJson('POST', `/notify/gateway/${id}/test`, { address })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

const message: Message = {
  id: 'msg-1',
  incident: 'incident-1',
  change: 'raised',
  title: 'Link <!channel> "Gi0/1" down & out',
  text: '*bold* [link](http://evil.example) <https://evil.example|x>',
  alarm: undefined,
  children: 0,
  links: [{ label: 'Open|it', url: 'https://nms.example.net/a|b?c=<d>' }],
  earlier: undefined,
}

test("Standard Webhooks' published example", () => {
  const signed = signatureHeaders(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    1_614_265_330,
    '{"test": 2432232314}',
  )
  assert.equal(signed['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('a webhook gets all values, signed, with an id to tell repetitions by', async () => {
  const { url, received } = await receiver()
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const header = 'Authorization: Bearer {{ token }}\nX-To: {{ address }}'
  const id = await make({
    name: 'Hook',
    kind: 'webhook',
    url: `${url}/a/{{ address }}`,
    header,
    token: 'tok-123456',
    signingSecret: secret,
  })
  assert.deepEqual(await tryOut(id, 'x/y'), { outcome: 'delivered', answer: '200 {}' })
  const [one] = received
  assert.ok(one)
  assert.equal(one.path, '/a/x%2Fy')
  assert.equal(one.headers.authorization, 'Bearer tok-123456')
  assert.equal(one.headers['x-to'], 'x/y')
  assert.equal(one.headers['idempotency-key'], one.headers['webhook-id'])
  const { title, change, address, token } = JSON.parse(one.body)
  assert.deepEqual([title, change, address, token], ['Belfry: a test', 'test', 'x/y', undefined])
  const time = Number(one.headers['webhook-timestamp'])
  const expected = signatureHeaders(secret, String(one.headers['webhook-id']), time, one.body)
  assert.equal(one.headers['webhook-signature'], expected['webhook-signature'])
})

test('what the other side said is shown without the secrets of the gateway', async () => {
  const { url } = await receiver(({ headers }) => ({
    status: 401,
    body: `not ${headers.authorization}\n${'x'.repeat(500)}`,
  }))
  const id = await make({
    name: 'Echo',
    kind: 'webhook',
    url,
    header: 'Authorization: {{ token }}',
    token: 'tok-654321',
  })
  const { outcome, retry, reason, answer } = await tryOut(id)
  assert.deepEqual([outcome, retry, reason], ['failed', 'false', 'the server answers 401'])
  assert.match(answer, /^401 not … x+$/)
  assert.ok(answer.length <= 204)
})

test('ntfy, by its template', async () => {
  const { url, received } = await ntfyLike()
  const id = await make({ name: 'Phones', kind: 'webhook', template: 'ntfy', url })
  const { outcome, answer } = await tryOut(id, 'noc-7f3a')
  assert.equal(outcome, 'delivered', answer)
  assert.equal(JSON.parse(received[0]?.body ?? '').topic, 'noc-7f3a')
})

test('Slack: the answer to a long message is read to its end, though each letter takes six', async () => {
  const { url } = await slackLike('xoxb-2')
  const id = await make({ name: 'Slack 2', kind: 'slack', url: `${url}/api`, token: 'xoxb-2' })
  const { senders } = await openSenders()
  const long = { ...message, title: 'ж'.repeat(400), text: 'ж'.repeat(4000) }
  const result = await senders.sendTo(BigInt(id), 'C123', long, new AbortController().signal)
  assert.equal(result.outcome, 'delivered', JSON.stringify(result))
})

test('Slack: a new message, an answer in its thread, and the first one updated', async () => {
  const { url, received } = await slackLike('xoxb-1')
  const id = await make({ name: 'Slack', kind: 'slack', url: `${url}/api`, token: 'xoxb-1' })
  assert.equal((await tryOut(id, 'nowhere')).reason, 'Slack refuses: channel_not_found')
  assert.equal((await tryOut(id, 'C123')).outcome, 'delivered')
  received.length = 0
  const channel = idOf(await service.sendJson('POST', '/notify/channel', { gatewayId: id, address: 'C123' }))
  assert.equal((await service.sendJson('PUT', `/notify/channel/${channel}/confirm`, {})).status, 204)
  const { senders } = await openSenders()
  const signal = new AbortController().signal
  const first = await senders.send(BigInt(channel), message, signal)
  assert.ok(first.outcome === 'delivered')
  assert.match(first.reference ?? '', /^C123:\d+\.000100$/)
  const later = {
    ...message,
    id: 'msg-2',
    change: 'recovered',
    title: 'Over',
    earlier: first.reference,
  } as const
  const second = await senders.send(BigInt(channel), later, signal)
  assert.ok(second.outcome === 'delivered')
  assert.equal(second.reference, first.reference)
  assert.deepEqual(
    received.map(({ path }) => path),
    ['/api/chat.postMessage', '/api/chat.postMessage', '/api/chat.update'],
  )
  const [posted, answered, updated] = received.map(({ body }) => JSON.parse(body))
  assert.equal(posted.text, 'Link &lt;!channel&gt; "Gi0/1" down &amp; out')
  assert.equal(posted.blocks[0].text.text, message.title)
  assert.equal(posted.blocks[2].text.text, '<https://nms.example.net/a%7Cb?c=&lt;d&gt;|Open/it>')
  assert.equal(answered.thread_ts, updated.ts)
})

test('Slack and Teams by secret addresses', async () => {
  const slack = await slackWebhookLike()
  const slackId = await make({
    name: 'Room',
    kind: 'slackWebhook',
    url: `${slack.url}/services/T0/B0/secret`,
  })
  assert.deepEqual(await tryOut(slackId), { outcome: 'delivered', answer: '200 ok' })
  const lostId = await make({ name: 'Lost', kind: 'slackWebhook', url: `${slack.url}/services/T0/B0/other` })
  assert.deepEqual(await tryOut(lostId), {
    outcome: 'failed',
    reason: 'the server answers 404',
    retry: 'false',
    answer: '404 no_service',
  })
  const teams = await teamsLike()
  const teamsId = await make({ name: 'Teams', kind: 'teams', url: `${teams.url}/workflows/1?sig=x` })
  assert.equal((await tryOut(teamsId)).outcome, 'delivered')
  const { senders } = await openSenders()
  const long = { ...message, text: 'ü'.repeat(20_000), title: 't'.repeat(1000) }
  const result = await senders.sendTo(BigInt(teamsId), '', long, new AbortController().signal)
  assert.equal(result.outcome, 'delivered', JSON.stringify(result))
})

test('a trap to another management system', async () => {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  after(() => socket.close())
  const got = once(socket, 'message')
  const id = await make({
    name: 'North',
    kind: 'snmp',
    host: '127.0.0.1',
    port: socket.address().port,
    community: 'north',
  })
  assert.equal((await tryOut(id)).answer, 'sent, without an answer')
  const [datagram] = (await got) as [Buffer]
  const outcome = new Decoder({ communities: ['north'] }).decode(datagram)
  assert.ok(outcome.kind === 'trap')
  assert.equal(outcome.trap.oid, '1.3.6.1.4.1.32473.2.0.1')
  assert.equal(outcome.trap.variables[3]?.value, 'Belfry: a test')
})

test('an inform that nobody acknowledges may have arrived, and one that nobody takes has not', async () => {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  const { senders } = await openSenders()
  const id = BigInt(
    await make({ name: 'Silent', kind: 'snmp', host: '127.0.0.1', port, community: 'north', inform: true }),
  )
  const { signal } = new AbortController()
  const silent = await senders.sendTo(id, '', message, signal)
  assert.ok(silent.outcome === 'failed' && silent.mayHaveArrived, JSON.stringify(silent))
  socket.close()
  await once(socket, 'close')
  const gone = await senders.sendTo(id, '', message, signal)
  assert.ok(gone.outcome === 'failed' && gone.mayHaveArrived === undefined, JSON.stringify(gone))
})

test('the service does not send to itself', async () => {
  const port = new URL(service.url).port
  const id = await make({ name: 'Self', kind: 'webhook', url: `http://127.0.0.1:${port}/fault/alarm` })
  assert.equal((await tryOut(id)).reason, 'the target is a port of this service')
  const datagrams = { kind: 'snmp', host: '127.0.0.1', community: 'x' }
  for (const port of [service.trapPort, service.syslogPorts.udp]) {
    const loop = await make({ ...datagrams, name: `Loop to ${port}`, port })
    assert.equal((await tryOut(loop)).reason, 'the target is a port of this service')
  }
})

test('a gateway that hangs delays no other', async () => {
  const hanging = createServer(() => undefined)
  hanging.listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  const { port } = hanging.address() as { port: number }
  const stuck = await make({ name: 'Stuck', kind: 'webhook', url: `http://127.0.0.1:${port}/` })
  const { url } = await receiver()
  const fine = await make({ name: 'Fine', kind: 'webhook', url })
  const { senders } = await openSenders()
  const ended = new AbortController()
  const waiting = Array.from({ length: 10 }, () => senders.sendTo(BigInt(stuck), '', message, ended.signal))
  assert.equal((await senders.sendTo(BigInt(fine), '', message, ended.signal)).outcome, 'delivered')
  ended.abort()
  for (const one of await Promise.all(waiting)) assert.equal(one.outcome, 'failed')
  hanging.close()
})

test('a message learns when it is its turn, and is not sent where it may not begin then', async () => {
  const open: Socket[] = []
  const slow = createServer((socket) => void open.push(socket.on('error', () => undefined)))
  slow.listen(0, '127.0.0.1')
  await once(slow, 'listening')
  after(() => slow.close())
  const { port } = slow.address() as { port: number }
  const id = BigInt(await make({ name: 'Slow', kind: 'webhook', url: `http://127.0.0.1:${port}/` }))
  const { senders } = await openSenders()
  let begun = 0
  const results = Array.from({ length: 6 }, () => {
    const lease = new AbortController()
    return senders.sendTo(id, '', message, lease.signal, () => {
      begun += 1
      if (begun === 6) lease.abort()
    })
  })
  while (open.length < 4) await setImmediate()
  assert.equal(begun, 4)
  const answer = () => open.shift()?.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  for (let answered = 0; answered < 5; answered += 1) {
    while (open.length === 0) await setImmediate()
    answer()
  }
  const outcomes = (await Promise.all(results)).map(({ outcome }) => outcome)
  assert.equal(begun, 6)
  assert.equal(outcomes.filter((one) => one === 'failed').length, 1)
})

test('an address counts once it is confirmed with the code that was sent to it', async () => {
  const { url, received } = await receiver()
  const gatewayId = await make({ name: 'Codes', kind: 'webhook', url })
  const contactId = idOf(await service.sendJson('POST', '/notify/contact', { name: 'Ann' }))
  const id = idOf(await service.sendJson('POST', '/notify/channel', { gatewayId, contactId, address: 'ann' }))
  const path = `/notify/channel/${id}`
  const confirmed = async () => /<confirmed>true/.test((await service.get(path)).text)
  const { senders } = await openSenders()
  const signal = new AbortController().signal
  assert.equal((await senders.send(BigInt(id), message, signal)).outcome, 'failed')
  refused(await service.sendJson('PUT', `${path}/confirm`, { code: '12345678' }), 409, 'code')
  assert.match((await service.ask('POST', `${path}/code`)).text, /<outcome>delivered/)
  const code = /\d{8}/.exec(JSON.parse(received.at(-1)?.body ?? '').title)?.[0] ?? ''
  const wrong = code === '00000000' ? '00000001' : '00000000'
  refused(await service.sendJson('PUT', `${path}/confirm`, { code: wrong }), 400, 'code')
  assert.equal((await service.sendJson('PUT', `${path}/confirm`, { code })).status, 204)
  assert.ok(await confirmed())
  assert.equal((await senders.send(BigInt(id), message, signal)).outcome, 'delivered')
  refused(await service.ask('POST', `${path}/code`), 409)
  // Another address is another matter.
  await service.sendJson('PUT', path, { gatewayId, address: 'bob' })
  assert.ok(!(await confirmed()))
  refused(await service.sendJson('PUT', `${path}/confirm`, { code }), 409, 'code')
  const audit = (await service.get('/plat/audit?size=1000')).text
  assert.doesNotMatch(audit, new RegExp(code))
})

test('a code is tried five times, and five are sent within an hour', async () => {
  const { url, received } = await receiver()
  const gatewayId = await make({ name: 'Guessed', kind: 'webhook', url })
  const contactId = idOf(await service.sendJson('POST', '/notify/contact', { name: 'Bea' }))
  const path = `/notify/channel/${idOf(await service.sendJson('POST', '/notify/channel', { gatewayId, contactId, address: 'bea' }))}`
  for (let sent = 0; sent < 5; sent += 1)
    assert.equal((await service.ask('POST', `${path}/code`)).status, 200)
  refused(await service.ask('POST', `${path}/code`), 429)
  const code = /\d{8}/.exec(JSON.parse(received.at(-1)?.body ?? '').title)?.[0] ?? ''
  for (let tries = 0; tries < 5; tries += 1)
    refused(await service.sendJson('PUT', `${path}/confirm`, { code: 'no' }), 400)
  refused(await service.sendJson('PUT', `${path}/confirm`, { code }), 409, 'code')
})

/** As routes have them. */
async function openSenders() {
  const { database, config } = service
  const keys = await openKeys(config, database, pino({ level: 'silent' }))
  const parts = {
    database,
    keys,
    templates: new MessageTemplates(),
    clock: () => database.now(),
    listeners: { ports: () => [], ofNodes: async () => new Set<string>() },
  }
  return { senders: new Senders(parts, { ...outboundSettings(config), loopback: true }) }
}
