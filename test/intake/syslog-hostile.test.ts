// Ten thousand messages that no device should send, over UDP, TCP and TLS: none stops the service, and each has an outcome.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { FrameReader } from '../../src/syslog/frame-reader.ts'
import { readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'
import { Authority } from '../http/certificates.ts'
import { startService, type TestService } from '../support.ts'
import { device, ledger, sum, until } from './sending.ts'

const count = 10_000
const noStorms = { 'storm-source': '0', 'storm-overall': '0', 'duplicate-seconds': '0' }

/** The same numbers each time (mulberry32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const examples = readShippedDefinitions().definitions.flatMap(({ examples: all }) =>
  all.map(({ message }) => Buffer.from(message)),
)
const nasty = [
  ...[
    '\0',
    '\x1b]0;owned\x07',
    '\x1b[2J',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\r',
    '\n',
    '<999>',
    '<-1>',
    '[x y="',
  ],
  ...[
    '99999999 <',
    '0 <',
    '7 <1>',
    '%%%',
    '"'.repeat(50),
    '='.repeat(50),
    ','.repeat(50),
    '</script>',
    "'; drop table",
  ],
].map((text) => Buffer.from(text))
const invalid = [
  Buffer.from([0xff, 0xfe, 0xc0, 0x80]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf4, 0x90]),
]

function hostile(at: number, random: (below: number) => number): Buffer {
  const example = examples[random(examples.length)] as Buffer
  const cut = random(example.length)
  const pool = [...nasty, ...invalid]
  const inserted = pool[random(pool.length)] as Buffer
  const joined = Buffer.concat([example.subarray(0, cut), inserted, example.subarray(cut)])
  if (at % 5 === 0) return joined.subarray(0, 1 + random(joined.length))
  if (at % 5 === 1) for (let n = 0; n < 4; n += 1) joined[random(joined.length)] = random(256)
  if (at % 5 === 2) return Buffer.from(Array.from({ length: 1 + random(200) }, () => random(256)))
  if (at % 997 === 3) return Buffer.concat([joined, Buffer.alloc(60_000, inserted[0] ?? 0)])
  return joined
}

const messages = (seed: number) => {
  const random = numbersFrom(seed)
  return Array.from({ length: count }, (_, at) => hostile(at, random))
}

/** Line feeds after most; before some a count that is wrong. */
function stream(seed: number): Buffer {
  const random = numbersFrom(seed)
  return Buffer.concat(
    messages(seed).flatMap((message, at) => {
      if (at % 7 === 0) return [Buffer.from(`${message.length + random(3)} <13>`), message]
      return at % 11 === 0 ? [message] : [message, Buffer.from('\n')]
    }),
  )
}

/** How many messages the stream has. */
function framesOf(bytes: Buffer): number {
  const reader = new FrameReader()
  return reader.read(bytes).length + (reader.end() ? 1 : 0)
}

const counted = async (service: TestService) => sum(await ledger(service))

async function stillWorks(service: TestService): Promise<void> {
  assert.equal((await service.get('/health')).status, 200)
  const { text } = await service.get('/fault/alarm?size=1000')
  assert(!/[\p{Cc}--[\n\r\t]]/v.test(text), 'a control character is in an answer')
}

test('over UDP', async () => {
  const service = await startService({ ...noStorms, 'syslog-udp': '127.0.0.1:0' })
  const { send } = await device(service.syslogPorts.udp ?? 0)
  const all = messages(1)
  for (let at = 0; at < all.length; at += 500) {
    await send(...all.slice(at, at + 500))
    // No more wait than a socket's buffer holds.
    await until('most are counted', async () => (await counted(service)) >= at - 500)
  }
  await until('all are counted', async () => (await counted(service)) === count)
  await stillWorks(service)
})

test('over TCP, in pieces of any size', async () => {
  const service = await startService({ ...noStorms, 'syslog-tcp': '127.0.0.1:0' })
  const bytes = stream(2)
  const socket = connect(service.syslogPorts.tcp ?? 0, '127.0.0.1')
  after(() => socket.destroy())
  await once(socket, 'connect')
  const random = numbersFrom(3)
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random(20_000)
    if (!socket.write(bytes.subarray(at, at + size))) await once(socket, 'drain')
    at += size
  }
  socket.end()
  const expected = framesOf(bytes)
  await until(`${expected} are counted`, async () => (await counted(service)) === expected)
  await stillWorks(service)
})

test('over TLS, and octets that are no handshake', async () => {
  const authority = new Authority()
  const { certificate, key } = authority.issue()
  const service = await startService({
    ...noStorms,
    'syslog-tls': '127.0.0.1:0',
    'syslog-certificate': certificate,
    'syslog-key': key,
  })
  const port = service.syslogPorts.tls ?? 0
  const plain = connect(port, '127.0.0.1').on('error', () => undefined)
  after(() => plain.destroy())
  plain.write(stream(4))
  const bytes = stream(5)
  const socket = connectTls({ port, host: '127.0.0.1', ca: authority.rootText })
  after(() => socket.destroy())
  await once(socket, 'secureConnect')
  socket.end(bytes)
  // The connection without a handshake is counted as one.
  const expected = framesOf(bytes) + 1
  await until(`${expected} are counted`, async () => (await counted(service)) === expected)
  await stillWorks(service)
})
