import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { abandonInform, answerInform, Decoder, type Outcome } from '../../src/snmp/decoder.ts'
import { encodeDiscovery, encodeNotification, readAnswer, UsmSender } from '../../src/snmp/send.ts'
import type { EngineTime } from '../../src/snmp/snmp-engines.ts'
import { Usm, type UsmSettings } from '../../src/snmp/usm.ts'
import {
  AUTH_ALGORITHMS,
  type AuthAlgorithm,
  authKey,
  decrypt,
  digest,
  encrypt,
  localise,
  PRIV_ALGORITHMS,
  type PrivAlgorithm,
  passwordToKey,
  privKey,
  salts,
  stretch,
} from '../../src/snmp/usm-keys.ts'
import type { User } from '../../src/snmp/usm-user.ts'

const auths = Object.keys(AUTH_ALGORITHMS) as AuthAlgorithm[]
const privs = Object.keys(PRIV_ALGORITHMS) as PrivAlgorithm[]
const OURS = Buffer.from('8000000005010203040506', 'hex')
const THEIRS = Buffer.from('80001f8880e1d2c3b4a5', 'hex')
const LINK_DOWN = '1.3.6.1.6.3.1.1.5.3'
const VARIABLES = [{ oid: '1.3.6.1.2.1.2.2.1.1.7', type: 'Integer32', value: '7', hex: false }] as const

const plain: User = { name: 'plain' }
const signer: User = { name: 'signer', auth: { algorithm: 'sha256', password: 'maplesyrup' } }
const secretive: User = {
  name: 'secretive',
  auth: { algorithm: 'sha1', password: 'maplesyrup' },
  priv: { algorithm: 'aes128', password: 'applejuice' },
}
const forgetful: User = {
  name: 'forgetful',
  auth: { algorithm: 'md5', password: 'maplesyrup' },
  relaxedTime: true,
}

let now = 0
let times: Map<string, EngineTime>
let usm: Usm
let decoder: Decoder

function start(settings: Partial<UsmSettings> = {}): void {
  const users = [plain, signer, secretive, forgetful]
  usm = new Usm({ users, engineId: OURS, engineBoots: 7, times, clock: () => now, ...settings })
  decoder = new Decoder({ communities: [], usm })
}

beforeEach(() => {
  now = 1_700_000_000_000
  times = new Map()
  start()
})

let requestId = 0
/** Senders are kept, for making their keys takes milliseconds. */
const senders = new Map<string, UsmSender>()

function senderOf(user: User, engineId: Buffer): UsmSender {
  const key = `${JSON.stringify(user)} ${engineId.toString('hex')}`
  const sender = senders.get(key) ?? new UsmSender(user, engineId)
  senders.set(key, sender)
  return sender
}

interface Sent {
  readonly engineId?: Buffer
  readonly boots?: number
  readonly time?: number
  readonly inform?: boolean
}

function sent(user: User, { engineId = THEIRS, boots = 3, time = 1000, inform = false }: Sent = {}): Buffer {
  const sender = senderOf(user, engineId)
  const common = { oid: LINK_DOWN, uptime: 5, variables: VARIABLES, requestId: ++requestId }
  return encodeNotification({ version: '3', ...common, sender, boots, time, inform })
}

function word(outcome: Outcome): string {
  return outcome.kind === 'trap' ? 'trap' : `${outcome.kind}: ${outcome.reason}`
}

const fate = (datagram: Buffer) => word(decoder.decode(datagram))
const inform = (user: User, more: Sent = {}) =>
  sent(user, { engineId: OURS, boots: 7, time: 0, inform: true, ...more })

describe('keys', () => {
  const engine = Buffer.from('000000000000000000000002', 'hex')

  test('the test vectors of RFC 3414 section A.3 are reproduced', () => {
    const md5 = passwordToKey('md5', 'maplesyrup')
    assert.equal(md5.toString('hex'), '9faf3283884e92834ebc9847d8edd963')
    assert.equal(localise('md5', md5, engine).toString('hex'), '526f5eed9fcce26f8964c2930787d82b')
    const sha1 = passwordToKey('sha1', 'maplesyrup')
    assert.equal(sha1.toString('hex'), '9fb5cc0381497b3793528939ff788d5d79145211')
    assert.equal(localise('sha1', sha1, engine).toString('hex'), '6695febc9288e36282235fc7151f128497b38f3f')
  })

  test('a key that is too short for its cipher is followed by its hash', () => {
    for (const algorithm of auths) {
      const key = localise(algorithm, passwordToKey(algorithm, 'maplesyrup'), engine)
      for (const priv of privs) {
        const { keyLength } = PRIV_ALGORITHMS[priv]
        const stretched = stretch(algorithm, key, keyLength)
        assert.equal(stretched.length, keyLength)
        assert.deepEqual(stretched.subarray(0, key.length), key.subarray(0, keyLength))
      }
    }
  })

  test('digests are those of HMAC, with the place of the digest zeroed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...auths),
        fc.uint8Array({ minLength: 16, maxLength: 64 }),
        fc.uint8Array({ minLength: 48, maxLength: 300 }),
        (algorithm, key, message) => {
          const { hash, digestLength } = AUTH_ALGORITHMS[algorithm]
          const zeroed = Buffer.from(message).fill(0, 0, digestLength)
          const expected = createHmac(hash, key).update(zeroed).digest().subarray(0, digestLength)
          assert.deepEqual(digest(authKey(algorithm, Buffer.from(key)), Buffer.from(message), 0), expected)
        },
      ),
    )
  })

  test('what is encrypted is decrypted, padding apart', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...privs),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ minLength: 1, maxLength: 100 }),
        fc.nat(0x7fff_ffff),
        (algorithm, bytes, text, boots) => {
          const key = privKey(algorithm, Buffer.from(bytes).subarray(0, PRIV_ALGORITHMS[algorithm].keyLength))
          const context = { boots, time: 5, salt: Buffer.from('0102030405060708', 'hex') }
          const secret = encrypt(key, context, Buffer.from(text))
          assert.deepEqual(decrypt(key, context, secret)?.subarray(0, text.length), Buffer.from(text))
        },
      ),
    )
  })

  test('salts do not repeat', () => {
    const next = salts()
    const some = new Set(Array.from({ length: 1000 }, () => next().toString('hex')))
    assert.equal(some.size, 1000)
  })
})

describe('users', () => {
  test('every pair of algorithms is understood, in traps and in informs with their answers', () => {
    for (const auth of auths) {
      for (const priv of privs) {
        const user: User = {
          name: 'pair',
          auth: { algorithm: auth, password: 'maplesyrup' },
          priv: { algorithm: priv, password: 'applejuice' },
        }
        start({ users: [user], times: new Map() })
        const outcome = decoder.decode(sent(user))
        assert(outcome.kind === 'trap', `${auth} ${priv} ${word(outcome)}`)
        assert.deepEqual(outcome.trap.usm, {
          user: 'pair',
          level: 'authPriv',
          engineId: THEIRS.toString('hex'),
          contextEngineId: THEIRS.toString('hex'),
          contextName: '',
        })
        assert.deepEqual(outcome.trap.variables, VARIABLES)
        const asked = decoder.decode(inform(user))
        assert(asked.kind === 'trap' && asked.inform !== undefined)
        const answer = readAnswer(answerInform(asked.inform), senderOf(user, OURS))
        assert.equal(answer?.kind, 'response')
        assert.equal(answer.requestId, requestId)
        assert.equal(answer.authenticated, true)
      }
    }
  })

  test('the level that is configured is the only one accepted', () => {
    assert.equal(fate(sent(plain)), 'trap')
    assert.equal(fate(sent({ name: secretive.name })), 'refused: unsupported-security-level')
    assert.equal(fate(sent({ name: signer.name })), 'refused: unsupported-security-level')
    assert.equal(fate(sent({ ...signer, name: secretive.name })), 'refused: unsupported-security-level')
    assert.equal(fate(sent({ ...secretive, name: signer.name })), 'refused: unsupported-security-level')
    assert.equal(fate(sent({ ...signer, name: plain.name })), 'refused: unsupported-security-level')
  })

  test('an unknown user is refused', () => {
    assert.equal(fate(sent({ ...signer, name: 'signe' })), 'refused: unknown-user')
    assert.equal(fate(sent({ ...signer, name: 'signer\0' })), 'refused: unknown-user')
  })

  test('a wrong authentication password or algorithm is a wrong digest', () => {
    assert.equal(
      fate(sent({ ...signer, auth: { algorithm: 'sha256', password: 'maplesyrop' } })),
      'refused: wrong-digest',
    )
    assert.equal(
      fate(sent({ ...signer, auth: { algorithm: 'sha512', password: 'maplesyrup' } })),
      'refused: wrong-digest',
    )
    assert.equal(
      fate(sent({ ...forgetful, auth: { algorithm: 'sha1', password: 'maplesyrup' } })),
      'refused: wrong-digest',
    )
  })

  test('a wrong privacy password is a failed decryption', () => {
    for (const algorithm of privs) {
      const user: User = { ...secretive, priv: { algorithm, password: 'applejuice' } }
      start({ users: [user], times: new Map() })
      assert.equal(
        fate(sent({ ...user, priv: { algorithm, password: 'orangejuice' } })),
        'refused: decryption',
      )
    }
  })

  test('users that cannot work are refused at the start', () => {
    const wrong: User[] = [
      { name: '' },
      { name: 'x'.repeat(33) },
      { name: 'x', auth: { algorithm: 'md5', password: 'short' } },
      { name: 'x', priv: { algorithm: 'des', password: 'long enough' } },
    ]
    for (const user of wrong) assert.throws(() => start({ users: [user] }), { code: 'invalid' })
    assert.throws(() => start({ users: [plain, plain] }), { code: 'invalid' })
    assert.throws(() => start({ engineId: Buffer.from('abcd') }), { code: 'invalid' })
  })
})

describe('traps in time', () => {
  test('one changed bit anywhere leaves no trap', () => {
    const datagram = sent(secretive)
    for (let bit = 0; bit < datagram.length * 8; bit++) {
      const changed = Buffer.from(datagram)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      assert.notEqual(fate(changed), 'trap', `bit ${bit}`)
    }
    assert.equal(fate(datagram), 'trap')
    assert.deepEqual(usm.kept, { engines: 1, digests: 1 })
  })

  test('a message that comes again is a replay', () => {
    const datagram = sent(signer)
    assert.equal(fate(datagram), 'trap')
    assert.equal(fate(datagram), 'refused: replay')
    now += 149_000
    assert.equal(fate(datagram), 'refused: replay')
    now += 3_000
    assert.equal(fate(datagram), 'refused: not-in-time-window')
  })

  test('messages may overtake each other by 150 seconds, not by more', () => {
    assert.equal(fate(sent(signer, { time: 1000 })), 'trap')
    assert.equal(fate(sent(signer, { time: 850 })), 'trap')
    assert.equal(fate(sent(signer, { time: 849 })), 'refused: not-in-time-window')
    now += 10_000
    assert.equal(fate(sent(signer, { time: 859 })), 'refused: not-in-time-window')
    assert.equal(fate(sent(signer, { time: 860 })), 'trap')
  })

  test('the count of boots may grow, never shrink', () => {
    assert.equal(fate(sent(signer, { boots: 3, time: 1000 })), 'trap')
    assert.equal(fate(sent(signer, { boots: 4, time: 0 })), 'trap')
    assert.equal(fate(sent(signer, { boots: 3, time: 1001 })), 'refused: not-in-time-window')
    assert.equal(fate(sent(signer, { boots: 4, time: 1 })), 'trap')
    assert.deepEqual(times.get(THEIRS.toString('hex')), { boots: 4, time: 1, receivedAt: now })
  })

  test('boots that have reached their end are never timely', () => {
    assert.equal(fate(sent(signer, { boots: 2_147_483_647 })), 'refused: not-in-time-window')
  })

  test('a later time of the device is accepted, however our clock was set meanwhile', () => {
    assert.equal(fate(sent(signer, { time: 1000 })), 'trap')
    now += 3_600_000
    assert.equal(fate(sent(signer, { time: 1001 })), 'trap')
    now -= 7_200_000
    assert.equal(fate(sent(signer, { time: 1002 })), 'trap')
  })

  test('after a restart nothing that may have been taken before is taken again', () => {
    const before = sent(signer, { time: 1000 })
    assert.equal(fate(before), 'trap')
    start()
    assert.equal(fate(before), 'refused: not-in-time-window')
    assert.equal(fate(sent(signer, { time: 1001 })), 'trap')
  })

  test('a message that is not genuine moves no clock', () => {
    assert.equal(fate(sent(signer, { time: 1000 })), 'trap')
    const wrong: User = { ...signer, auth: { algorithm: 'sha256', password: 'wrong password' } }
    assert.equal(fate(sent(wrong, { boots: 9, time: 5 })), 'refused: wrong-digest')
    assert.equal(fate(sent(signer, { time: 1001 })), 'trap')
  })

  test('a device that forgets its boots is accepted with relaxedTime, its replays are not', () => {
    assert.equal(fate(sent(forgetful, { boots: 5, time: 90_000 })), 'trap')
    const again = sent(forgetful, { boots: 1, time: 3 })
    assert.equal(fate(again), 'trap')
    assert.equal(fate(again), 'refused: replay')
    now += 3_600_000
    assert.equal(fate(again), 'refused: replay')
  })

  test('engines do not share clocks', () => {
    assert.equal(fate(sent(signer, { boots: 9, time: 1000 })), 'trap')
    assert.equal(
      fate(sent(signer, { engineId: Buffer.from('8000000001aabbccdd', 'hex'), boots: 1, time: 1 })),
      'trap',
    )
  })
})

describe('what is remembered', () => {
  test('forged engine ids leave nothing behind', () => {
    for (let i = 0; i < 500; i++) {
      const datagram = sent(signer)
      datagram.writeUInt32BE(i, datagram.indexOf(THEIRS) + 4)
      assert.equal(fate(datagram), 'refused: wrong-digest')
    }
    assert.deepEqual(usm.kept, { engines: 0, digests: 0 })
    assert.equal(times.size, 0)
  })

  test('the engines kept are limited; one that was dropped and returns has lost no clock', () => {
    start({ maxEngines: 2 })
    const [engineId, ...others] = [Buffer.from('first'), Buffer.from('second'), Buffer.from('third')] as const
    const first = sent(signer, { engineId, time: 50 })
    assert.equal(fate(first), 'trap')
    for (const other of others) assert.equal(fate(sent(signer, { engineId: other })), 'trap')
    assert.equal(usm.kept.engines, 2)
    assert.equal(fate(sent(signer, { engineId, boots: 2 })), 'refused: not-in-time-window')
    assert.notEqual(fate(first), 'trap')
    assert.equal(fate(sent(signer, { engineId, time: 51 })), 'trap')
  })

  test('when there are more messages than digests can be kept, late ones suffer and none is taken twice', () => {
    start({ maxDigests: 10 })
    const storm = Array.from({ length: 30 }, (_, i) => sent(signer, { time: 1000 + i }))
    for (const datagram of storm) assert.equal(fate(datagram), 'trap')
    assert.equal(usm.kept.digests, 10)
    for (const datagram of storm) assert.notEqual(fate(datagram), 'trap')
    assert.equal(fate(sent(signer, { time: 1005 })), 'refused: not-in-time-window')
    assert.equal(fate(sent(signer, { time: 1025 })), 'trap')
  })
})

describe('informs', () => {
  test('a discovery is answered with our engine, boots and time', () => {
    now += 42_000
    const outcome = decoder.decode(encodeDiscovery(99))
    assert(outcome.kind === 'report' && outcome.reason === 'unknown-engine')
    assert.deepEqual(readAnswer(outcome.answer), {
      kind: 'report',
      requestId: 99,
      errorStatus: 0,
      errorIndex: 0,
      variables: [{ oid: '1.3.6.1.6.3.15.1.1.4.0', type: 'Counter32', value: '1', hex: false }],
      engine: { id: OURS, boots: 7, time: 42 },
      authenticated: false,
      encrypted: false,
    })
  })

  test('a sender whose clock is wrong gets a signed report to set it by', () => {
    now += 1_000_000
    const outcome = decoder.decode(inform(secretive, { time: 0 }))
    assert(outcome.kind === 'report' && outcome.reason === 'not-in-time-window')
    const answer = readAnswer(outcome.answer, senderOf(secretive, OURS))
    assert.equal(answer?.variables[0]?.oid, '1.3.6.1.6.3.15.1.1.2.0')
    assert.equal(answer?.authenticated, true)
    assert.equal(answer?.engine?.time, 1000)
    assert.equal(fate(inform(secretive, { time: answer?.engine?.time ?? 0 })), 'trap')
    assert.equal(fate(inform(secretive, { time: 1151 })), 'report: not-in-time-window')
    assert.equal(fate(inform(secretive, { time: 1000, boots: 6 })), 'report: not-in-time-window')
  })

  test('the time window of informs is checked by us, also for a user whose device forgets its boots', () => {
    now += 1_000_000
    assert.equal(fate(inform(forgetful, { time: 0 })), 'report: not-in-time-window')
  })

  test('other refusals are reported too, unsigned', () => {
    const reports: [Buffer, string, string][] = [
      [inform({ ...signer, name: 'nobody' }), 'unknown-user', '3'],
      [inform({ name: 'signer' }), 'unsupported-security-level', '1'],
      [inform({ ...signer, auth: { algorithm: 'sha256', password: 'wrong password' } }), 'wrong-digest', '5'],
      [
        inform({ ...secretive, priv: { algorithm: 'aes128', password: 'wrong password' } }),
        'decryption',
        '6',
      ],
      [inform(signer, { engineId: THEIRS }), 'unknown-engine', '4'],
    ]
    for (const [datagram, reason, counter] of reports) {
      const outcome = decoder.decode(datagram)
      assert(outcome.kind === 'report', word(outcome))
      assert.equal(outcome.reason, reason)
      const answer = readAnswer(outcome.answer)
      assert.equal(answer?.variables[0]?.oid, `1.3.6.1.6.3.15.1.1.${counter}.0`)
      assert.equal(answer?.authenticated, false)
    }
  })

  test('an inform that comes again before it is answered is a replay; later its answer is given again', () => {
    const datagram = inform(secretive)
    const outcome = decoder.decode(datagram)
    assert(outcome.kind === 'trap' && outcome.inform !== undefined)
    assert.equal(fate(datagram), 'refused: replay')
    answerInform(outcome.inform)
    const again = decoder.decode(datagram)
    assert(again.kind === 'report' && again.reason === 'replay')
    assert.equal(readAnswer(again.answer, senderOf(secretive, OURS))?.kind, 'response')
  })

  test('an inform that could not be kept is new when it comes again', () => {
    const datagram = inform(signer)
    const outcome = decoder.decode(datagram)
    assert(outcome.kind === 'trap' && outcome.inform !== undefined)
    abandonInform(outcome.inform)
    assert.equal(fate(datagram), 'trap')
    assert.equal(fate(datagram), 'refused: replay')
  })

  test('an unsigned inform is answered unsigned', () => {
    const outcome = decoder.decode(inform(plain))
    assert(outcome.kind === 'trap' && outcome.inform !== undefined)
    assert.equal(readAnswer(answerInform(outcome.inform))?.authenticated, false)
  })

  test('an inform of another engine is not ours to answer', () => {
    const datagram = sent(plain, { inform: true })
    const flags = datagram.indexOf(Buffer.from('040104', 'hex'))
    datagram[flags + 2] = 0
    assert.equal(fate(datagram), 'refused: unknown-engine')
  })
})

describe('messages that are not sound', () => {
  const changed = (search: string, replacement: string) => {
    const datagram = sent(plain)
    const at = datagram.indexOf(Buffer.from(search, 'hex'))
    assert(at > 0)
    return Buffer.concat([
      datagram.subarray(0, at),
      Buffer.from(replacement, 'hex'),
      datagram.subarray(at + search.length / 2),
    ])
  }

  test('each has its reason', () => {
    assert.equal(fate(changed('040100020103', '040102020103')), 'malformed: bad-flags')
    assert.equal(fate(changed('040100020103', '040100020102')), 'malformed: bad-security-model')
    assert.equal(
      fate(changed('02010302 0203e8'.replace(' ', ''), '0201ff020203e8')),
      'malformed: bad-integer',
    )
    assert.equal(fate(sent(plain, { engineId: Buffer.from('abcd') })), 'malformed: bad-engine-id')
    assert.equal(fate(sent(plain, { engineId: Buffer.alloc(33, 1) })), 'malformed: bad-engine-id')
  })
})
