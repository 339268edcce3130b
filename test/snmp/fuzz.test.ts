// Hostile datagrams by the hundred thousand, the same ones in every run.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BerWriter, MAX_DATAGRAM, Tag } from '../../src/snmp/ber.ts'
import { Decoder, type Outcome, REFUSED_REASONS } from '../../src/snmp/decoder.ts'
import { MALFORMED_REASONS } from '../../src/snmp/malformed.ts'
import { writeMessageV3 } from '../../src/snmp/message-v3.ts'
import { encodeDiscovery, encodeNotification, UsmSender } from '../../src/snmp/send.ts'
import type { EngineTime } from '../../src/snmp/snmp-engines.ts'
import { Usm } from '../../src/snmp/usm.ts'
import type { User } from '../../src/snmp/usm-user.ts'
import type { Variable } from '../../src/snmp/variables.ts'

const OURS = Buffer.from('8000000005010203040506', 'hex')
const THEIRS = Buffer.from('80001f8880e1d2c3b4a5', 'hex')
const signer: User = { name: 'signer', auth: { algorithm: 'sha256', password: 'maplesyrup' } }
const secretive: User = {
  ...signer,
  name: 'secretive',
  priv: { algorithm: 'aes128', password: 'applejuice' },
}
const users: User[] = [{ name: 'plain' }, signer, secretive]

/** mulberry32: small, and good enough to choose bytes. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const VARIABLES: Variable[] = [
  { oid: '1.3.6.1.2.1.2.2.1.1.7', type: 'Integer32', value: '7', hex: false },
  { oid: '1.3.6.1.2.1.2.2.1.2.7', type: 'OctetString', value: 'Schnittstelle für Süd', hex: false },
  { oid: '1.3.6.1.2.1.2.2.1.6.7', type: 'OctetString', value: '00:1b:21:aa:bb:cc', hex: true },
  { oid: '1.3.6.1.6.3.18.1.3.0', type: 'IpAddress', value: '10.0.0.1', hex: false },
  { oid: '1.3.6.1.2.1.31.1.1.1.6.7', type: 'Counter64', value: '18446744073709551615', hex: false },
]
const common = {
  oid: '1.3.6.1.6.3.1.1.5.3',
  uptime: 5,
  variables: VARIABLES,
  requestId: 77,
  community: 'public',
}

function corpus(): Buffer[] {
  const v3 = users.flatMap((user) =>
    [true, false].map((inform) => {
      const sender = new UsmSender(user, inform ? OURS : THEIRS)
      return encodeNotification({ version: '3', ...common, sender, boots: 1, time: 0, inform })
    }),
  )
  return [
    encodeNotification({ version: '1', ...common }),
    encodeNotification({ version: '1', ...common, oid: '1.3.6.1.4.1.8072.0.17' }),
    encodeNotification({ version: '2c', ...common }),
    encodeNotification({ version: '2c', ...common, inform: true }),
    encodeDiscovery(5),
    ...v3,
  ]
}

const TELLING = [
  0x00, 0x01, 0x02, 0x04, 0x05, 0x06, 0x30, 0x41, 0x7f, 0x80, 0x81, 0x82, 0x84, 0xa4, 0xa6, 0xa7, 0xff,
]

/** One to four changes of the kinds that break decoders. */
function mutated(sound: Buffer, other: Buffer, pick: (below: number) => number): Buffer {
  let bytes = Buffer.from(sound)
  for (let changes = 1 + pick(4); changes > 0 && bytes.length > 0; changes--) {
    const at = pick(bytes.length)
    const [before, behind] = [bytes.subarray(0, at), bytes.subarray(at)]
    const kind = pick(8)
    if (kind <= 2) bytes[at] = (bytes[at] ?? 0) ^ (1 << pick(8))
    else if (kind <= 4) bytes[at] = TELLING[pick(TELLING.length)] ?? 0
    else if (kind === 5) bytes = Buffer.from(before)
    else if (kind === 6) bytes = Buffer.concat([before, Buffer.of(pick(256), pick(256)), behind])
    else bytes = Buffer.concat([before, other.subarray(Math.min(at, other.length))])
  }
  return bytes
}

function decoder(): { usm: Usm; decode: (datagram: Buffer) => Outcome; times: Map<string, EngineTime> } {
  const times = new Map<string, EngineTime>()
  const usm = new Usm({ users, engineId: OURS, engineBoots: 1, times, clock: () => 0 })
  const inner = new Decoder({ communities: ['public'], usm })
  return { usm, decode: (datagram) => inner.decode(datagram), times }
}

/** Decodes, and counts the outcome in exactly one bin. */
function bin(outcome: Outcome, bins: Map<string, number>): void {
  if (outcome.kind === 'malformed') {
    assert(MALFORMED_REASONS.includes(outcome.reason))
    assert.notEqual(outcome.reason, 'unexpected', String(outcome.cause))
  } else if (outcome.kind === 'trap') {
    assert.match(outcome.trap.oid, /^[0-2](\.\d+)+$/)
    for (const { oid, value } of outcome.trap.variables) assert(oid.length > 0 && typeof value === 'string')
  } else {
    assert(REFUSED_REASONS.includes(outcome.reason))
  }
  const name = outcome.kind === 'trap' ? 'trap' : `${outcome.kind} ${outcome.reason}`
  bins.set(name, (bins.get(name) ?? 0) + 1)
}

const total = (bins: Map<string, number>) => [...bins.values()].reduce((sum, count) => sum + count, 0)

describe('hostile datagrams', () => {
  test('90,000 mutated ones each end in one bin and change no state', () => {
    const pick = chance(1)
    const sound = corpus()
    const { usm, decode } = decoder()
    for (const datagram of sound) decode(datagram)
    const kept = usm.kept
    const bins = new Map<string, number>()
    for (let i = 0; i < 90_000; i++) {
      const one = sound[pick(sound.length)] ?? Buffer.alloc(0)
      bin(decode(mutated(one, sound[pick(sound.length)] ?? one, pick)), bins)
    }
    assert.equal(total(bins), 90_000)
    assert.deepEqual(usm.kept, kept, 'none of them was taken for genuine')
    for (const name of ['trap', 'refused community', 'malformed truncated', 'report unknown-engine']) {
      assert((bins.get(name) ?? 0) > 100, `${name} is among the outcomes`)
    }
  })

  test('20,000 random ones are never a trap', () => {
    const pick = chance(2)
    const { decode } = decoder()
    const bins = new Map<string, number>()
    for (let i = 0; i < 20_000; i++) {
      const bytes = Buffer.alloc(pick(200))
      for (let at = 0; at < bytes.length; at++) bytes[at] = pick(256)
      // Half of them begin well enough to be looked at.
      if (i % 2 === 0 && bytes.length > 8) bytes.set([0x30, bytes.length - 2, 2, 1, pick(4), 4, pick(8)])
      bin(decode(bytes), bins)
    }
    assert.equal(total(bins), 20_000)
    assert.equal(bins.get('trap'), undefined)
  })

  test('15,000 broken PDUs that are rightly signed and encrypted end in a bin as well', () => {
    const pick = chance(3)
    const { decode } = decoder()
    const bins = new Map<string, number>()
    const sound = scopedPdu()
    const senders = users.map((user) => new UsmSender(user, THEIRS))
    for (let i = 0; i < 15_000; i++) {
      const { engineId, wireName: userName, keys } = senders[i % senders.length] ?? assert.fail()
      const salt = Buffer.alloc(8, i)
      const envelope = { id: i, reportable: false, engineId, boots: 1, time: i, userName, keys, salt }
      bin(decode(writeMessageV3(envelope, mutated(sound, sound, pick))), bins)
    }
    assert.equal(total(bins), 15_000)
    assert.equal(bins.get('refused wrong-digest'), undefined)
    assert((bins.get('trap') ?? 0) > 1000)
  })

  test('20,000 forged engine ids cost little and leave nothing behind', () => {
    const { usm, decode, times } = decoder()
    const bins = new Map<string, number>()
    const sound = encodeNotification({
      version: '3',
      ...common,
      sender: new UsmSender(secretive, THEIRS),
      boots: 1,
      time: 0,
    })
    const at = sound.indexOf(THEIRS)
    const started = process.cpuUsage()
    for (let i = 0; i < 20_000; i++) {
      sound.writeUInt32BE(i, at + 4)
      bin(decode(sound), bins)
    }
    const { user, system } = process.cpuUsage(started)
    assert.deepEqual([...bins], [['refused wrong-digest', 20_000]])
    assert.deepEqual(usm.kept, { engines: 0, digests: 0 })
    assert.equal(times.size, 0)
    assert((user + system) / 20_000 < 200, 'microseconds each; making a key of a password takes thousands')
  })

  test('the largest and oddest datagrams stay cheap', () => {
    const { decode } = decoder()
    for (const datagram of oversized()) {
      const started = process.cpuUsage()
      for (let i = 0; i < 10; i++) bin(decode(datagram), new Map())
      const { user, system } = process.cpuUsage(started)
      assert((user + system) / 10 < 30_000, `${(user + system) / 10} µs for ${datagram.length} bytes`)
    }
  })
})

function scopedPdu(): Buffer {
  const message = encodeNotification({ version: '2c', ...common })
  const writer = new BerWriter()
  const scoped = writer.open(Tag.sequence)
  writer.octets(THEIRS)
  writer.octets(Buffer.alloc(0))
  writer.raw(message.subarray(message.indexOf(Tag.trapV2)))
  writer.close(scoped)
  return writer.bytes()
}

function* oversized(): Generator<Buffer> {
  const most = 65_000
  const holding = (write: (writer: BerWriter) => void) => {
    const writer = new BerWriter()
    const message = writer.open(Tag.sequence)
    writer.integer(1)
    writer.octets(Buffer.from('public'))
    const pdu = writer.open(Tag.trapV2)
    for (const number of [1, 0, 0]) writer.integer(number)
    const bindings = writer.open(Tag.sequence)
    write(writer)
    for (const start of [bindings, pdu, message]) writer.close(start)
    return writer.bytes()
  }
  const variable = (tag: number, contents: Buffer) => (writer: BerWriter) => {
    const start = writer.open(Tag.sequence)
    writer.oid('1.3.6.1')
    writer.octets(contents, tag)
    writer.close(start)
  }
  yield Buffer.alloc(MAX_DATAGRAM, 0x30)
  yield Buffer.alloc(MAX_DATAGRAM, 0x84)
  for (const byte of [0x00, 0x41, 0xc3, 0xff])
    yield holding(variable(Tag.octetString, Buffer.alloc(most, byte)))
  yield holding(variable(Tag.octetString, Buffer.from('ü'.repeat(most / 2))))
  yield holding(variable(Tag.opaque, Buffer.alloc(most, 1)))
  for (const byte of [0x01, 0x7f, 0x81, 0xff])
    yield holding(variable(Tag.objectIdentifier, Buffer.alloc(most, byte)))
  yield holding(variable(Tag.counter64, Buffer.alloc(most, 0xff)))
  yield holding((writer) => writer.raw(Buffer.from('300706022b06020101'.repeat(7000), 'hex')))
  yield holding((writer) => writer.raw(Buffer.alloc(most, Buffer.from('3000', 'hex'))))
}
