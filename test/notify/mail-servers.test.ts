// Mail servers that behave badly: each attempt ends in time with an outcome that says what happened, and the ledger counts
// what may have arrived.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { mailKind } from '../../src/notify/channels/mail-kind.ts'
import { OutboundGuard } from '../../src/notify/channels/outbound-guard.ts'
import type { Message } from '../../src/notify/message.ts'
import type { Gateway } from '../../src/resources/notify/gateway.ts'
import { Authority } from '../http/certificates.ts'
import { stores } from '../support.ts'
import { type Conduct, MailServer, type Point } from './mail-server.ts'
import { Town } from './town.ts'

const server = await MailServer.start()
const settings = { loopback: true, privateNetworks: [], proxy: '', proxyHosts: [] }
const guard = new OutboundGuard(settings, { ports: () => [], ofNodes: async () => new Set() })
const kind = mailKind(
  { guard, clock: () => 0 },
  { connect: 10_000, silence: 20_000, total: 20_000, reply: 16 * 1024 },
)

const message: Message = {
  id: 'msg-1',
  incident: 'incident-1',
  change: 'raised',
  title: 'Link down',
  text: 'Gi0/1',
  alarm: undefined,
  children: 0,
  links: [],
  earlier: undefined,
}

/** Ends the attempt that is under way. */
let expire = new AbortController()

function send(conduct: Conduct, fields: Partial<Gateway> = {}) {
  server.conduct = conduct
  server.mails.length = 0
  server.commands.length = 0
  return sendOn(fields, message)
}

function sendOn(fields: Partial<Gateway>, sent: Message) {
  const gateway = {
    ...{ host: 'localhost', port: server.port, sender: 'alarms@example.net' },
    ...{ security: 'none', userName: null, ...fields },
  } as Gateway
  expire = new AbortController()
  const delivery = { gateway, address: 'ann@example.net', message: sent, signal: expire.signal }
  return kind.send({ ...delivery, secrets: { password: 'rings at noon' } })
}

/** Says nothing, until its time is over. */
const hang = () => expire.abort()
const hangUp = (socket: Socket) => socket.end()

test('a server that behaves accepts', async () => {
  const { outcome, answer } = await send({})
  assert.deepEqual([outcome, answer], ['delivered', '250 taken'])
  assert.equal(server.mails.length, 1)
})

const later: readonly (readonly [what: string, conduct: Conduct, code: number])[] = [
  ['is overloaded when it is called', { greeting: '421 4.3.2 later' }, 421],
  ['knows the sender not yet', { RCPT: '450 4.2.0 greylisted, come back in 300 seconds' }, 450],
  ['goes down in the middle', { MAIL: '421 4.3.0 going down' }, 421],
  ['has no room for the text', { DATA: '452 4.3.1 no room' }, 452],
  ['fails after the text', { end: '451 4.3.0 disk' }, 451],
  ['goes down after the text', { end: '421 4.3.0 going down' }, 421],
]
for (const [what, conduct, code] of later)
  test(`a server that ${what} is tried again`, async () => {
    const result = await send(conduct)
    assert.ok(result.outcome === 'failed' && result.retry, JSON.stringify(result))
    assert.equal(result.reason, `the server refuses: ${code}`)
    assert.match(result.answer ?? '', new RegExp(`${code} `))
    assert.equal(result.mayHaveArrived, undefined, 'it says that it has not accepted it')
  })

test('what a server refuses for good is not tried again', async () => {
  for (const conduct of [{ RCPT: '550 5.1.1 nobody' }, { end: '554 5.7.1 no' }] as Conduct[]) {
    const result = await send(conduct)
    assert.ok(result.outcome === 'failed' && !result.retry, JSON.stringify(result))
  }
})

test('only after the text may it have arrived where the server falls silent or hangs up', async () => {
  const points: readonly (readonly [Point, boolean])[] = [
    ['greeting', false],
    ['MAIL', false],
    ['DATA', false],
    ['end', true],
  ]
  for (const [point, mayHaveArrived] of points) {
    const silent = await send({ [point]: hang })
    assert.deepEqual(silent, {
      ...{ outcome: 'failed', retry: true, reason: 'no answer in time' },
      ...(mayHaveArrived && { mayHaveArrived }),
    })
    const closed = await send({ [point]: hangUp })
    assert.deepEqual(closed, {
      ...{ outcome: 'failed', retry: true, reason: 'the connection was closed without an answer' },
      ...(mayHaveArrived && { mayHaveArrived }),
    })
  }
})

test('a connection that breaks off after the text is not taken for a refusal', async () => {
  const result = await send({ end: (socket) => socket.resetAndDestroy() })
  assert.ok(result.outcome === 'failed' && result.retry && result.mayHaveArrived, JSON.stringify(result))
})

test('where encryption was taken out of the offer, neither the password nor the mail is sent', async () => {
  for (const conduct of [{}, { EHLO: '250-mail.example.net\r\n250 STARTTLS' }]) {
    const result = await send(conduct, { security: 'starttls', userName: 'belfry' })
    assert.ok(result.outcome === 'failed', JSON.stringify(result))
    assert.equal(result.reason, 'the server offers no encryption')
    assert.equal(server.mails.length, 0)
    assert.ok(!server.commands.some((line) => /^(AUTH|MAIL|DATA)/.test(line)), server.commands.join())
  }
})

test('a certificate that nobody vouches for is refused before anything is said', async () => {
  const files = new Authority().issue()
  const pair = { cert: readFileSync(files.certificate), key: readFileSync(files.key) }
  const encrypt = (socket: Socket) => {
    socket.removeAllListeners('data')
    const secure = new TLSSocket(socket, { isServer: true, ...pair })
    secure.on('error', () => undefined)
    secure.on('data', (part) => server.commands.push(`encrypted: ${part}`))
  }
  const offer = { EHLO: '250-mail.example.net\r\n250 STARTTLS' }
  const wanted = { security: 'starttls', userName: 'belfry' } as const
  const result = await send(
    { ...offer, STARTTLS: (socket) => void socket.write('220 go on\r\n', () => encrypt(socket)) },
    wanted,
  )
  assert.ok(result.outcome === 'failed', JSON.stringify(result))
  assert.match(result.reason, /certificate of the server is not accepted/)
  assert.ok(!server.commands.some((line) => line.startsWith('encrypted')), server.commands.join())
})

/** As fast as the other side takes it. */
function pour(socket: Socket, text: string): void {
  const part = text.repeat(Math.ceil(65_536 / text.length))
  const more = () => {
    while (socket.writable) if (!socket.write(part)) return
  }
  socket.on('drain', more)
  more()
}

test('of an answer without end no more than the beginning is read', async () => {
  for (const text of ['x', '250-more\r\n', '250 more\r\n'])
    for (const point of ['greeting', 'EHLO', 'end'] as const) {
      const result = await send({ [point]: (socket: Socket) => pour(socket, text) })
      // Whoever says yes to everything has accepted.
      const isYes = text === '250 more\r\n' && point !== 'greeting'
      assert.equal(result.outcome, isYes ? 'delivered' : 'failed', `${point} ${text}`)
      assert.ok(result.outcome === 'delivered' || result.reason !== 'no answer in time', `${point} ${text}`)
    }
})

test('a long answer is cut', async () => {
  const result = await send({ end: `250 ${'x'.repeat(9000)}` })
  assert.equal(result.answer?.length, 200)
})

for (const store of stores)
  test(`on ${store.name} a mail that is refused for now arrives once; one without an answer again, with the same id`, async () => {
    const town = await Town.open(store)
    const ann = await town.contact()
    await town.route({ name: 'all', step: [[0, ann.target]] })
    town.answer = ({ message: sent }) => sendOn({}, sent)
    server.mails.length = 0
    server.conduct = { RCPT: '450 4.2.0 greylisted' }
    await town.down(1)
    await town.turn()
    server.conduct = {}
    await town.later(300)
    assert.equal(server.mails.length, 1)
    await town.up(1)
    await town.turn()
    assert.equal(server.mails.length, 2)
    server.mails.length = 0
    server.conduct = { end: hangUp }
    await town.down(2)
    await town.turn()
    await town.up(2)
    server.conduct = {}
    await town.later(300)
    const ids = server.mails.map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1])
    const [first, second, third] = ids
    assert.equal(ids.length, 3, 'what may have arrived, the same again, and its end')
    assert.ok(first === second && second !== third, ids.join())
    assert.deepEqual(
      (await town.ledger()).map(({ change, outcome, attempts }) => `${change} ${outcome} ${attempts}`),
      ['raised delivered 2', 'recovered delivered 1', 'raised delivered 2', 'recovered delivered 1'],
    )
  })
