// Devices are asked in every version, and what they say is read.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { AskFault, type DeviceAddress } from '../../src/ask/ask-fault.ts'
import { askInterfaces, askSystem } from '../../src/ask/device-facts.ts'
import { askAddresses, askChassis } from '../../src/ask/device-hardware.ts'
import { askNeighbours } from '../../src/ask/device-neighbours.ts'
import { type Credentials, DeviceSession } from '../../src/ask/device-session.ts'
import { probe } from '../../src/ask/port-probe.ts'
import { QuestionSocket } from '../../src/ask/question-socket.ts'
import { walk } from '../../src/ask/walk.ts'
import { isOidAfter } from '../../src/snmp/oid.ts'
import { encodeQuestion, readAnswerHead } from '../../src/snmp/question.ts'
import { type User, UsmUser } from '../../src/snmp/usm-user.ts'
import { patience } from '../patience.ts'
import { TestAgent } from './agent.ts'
import { readSnmprec } from './snmprec.ts'

const recorded = readSnmprec(`1.0.8802.1.1.2.1.3.7.1.2.1|2|5
1.0.8802.1.1.2.1.3.7.1.3.1|4|Gi0/1
1.0.8802.1.1.2.1.4.1.1.4.0.1.7|2|4
1.0.8802.1.1.2.1.4.1.1.5.0.1.7|4x|001b44113ab7
1.0.8802.1.1.2.1.4.1.1.6.0.1.7|2|5
1.0.8802.1.1.2.1.4.1.1.7.0.1.7|4|xe-0/0/1
1.0.8802.1.1.2.1.4.1.1.9.0.1.7|4|core1
1.0.8802.1.1.2.1.4.1.1.10.0.1.7|4|A core
1.0.8802.1.1.2.1.4.2.1.3.0.1.7.1.4.192.0.2.1|2|2
1.3.6.1.4.1.9.9.23.1.2.1.1.3.10.1|2|1
1.3.6.1.4.1.9.9.23.1.2.1.1.4.10.1|4x|c0000202
1.3.6.1.4.1.9.9.23.1.2.1.1.6.10.1|4|sw2.example.net
1.3.6.1.4.1.9.9.23.1.2.1.1.7.10.1|4|Gi1/0/3
1.3.6.1.4.1.9.9.23.1.2.1.1.8.10.1|4|An access switch
1.3.6.1.2.1.4.20.1.2.127.0.0.1|2|1
1.3.6.1.2.1.4.20.1.2.192.0.2.7|2|10
1.3.6.1.2.1.4.34.1.3.1.4.192.0.2.7|2|10
1.3.6.1.2.1.4.34.1.3.2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.7|2|10
1.3.6.1.2.1.47.1.1.1.1.5.4|2|3
1.3.6.1.2.1.47.1.1.1.1.5.5|2|9
1.3.6.1.2.1.47.1.1.1.1.10.4|4|15.2
1.3.6.1.2.1.47.1.1.1.1.11.4|4|SN4711
1.3.6.1.2.1.47.1.1.1.1.11.5|4|SN0815
1.3.6.1.2.1.1.1.0|4|An example switch
1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.32473.1
1.3.6.1.2.1.1.3.0|67|8640000
1.3.6.1.2.1.1.5.0|4|sw1
1.3.6.1.2.1.1.6.0|4e|K\\xfcche\\x00
1.3.6.1.2.1.2.2.1.1.1|2|1
1.3.6.1.2.1.2.2.1.1.10|2|10
1.3.6.1.2.1.2.2.1.2.1|4|GigabitEthernet0/1
1.3.6.1.2.1.2.2.1.2.10|4|TenGigabitEthernet0/1
1.3.6.1.2.1.2.2.1.3.1|2|6
1.3.6.1.2.1.2.2.1.5.1|66|1000000000
1.3.6.1.2.1.2.2.1.5.10|66|4294967295
1.3.6.1.2.1.2.2.1.6.1|4x|00005e005301
1.3.6.1.2.1.2.2.1.7.1|2|1
1.3.6.1.2.1.2.2.1.8.1|2|2
1.3.6.1.2.1.2.2.1.9.1|67|8630000
1.3.6.1.2.1.31.1.1.1.1.1|4|Gi0/1
1.3.6.1.2.1.31.1.1.1.15.10|66|10000
1.3.6.1.2.1.31.1.1.1.18.1|4|uplink
`)

const community = 'not public'
const users: User[] = [
  { name: 'open' },
  { name: 'signed', auth: { algorithm: 'sha1', password: 'authentication' } },
  {
    name: 'secret',
    auth: { algorithm: 'sha256', password: 'authentication' },
    priv: { algorithm: 'aes256', password: 'private words' },
  },
]

const socket = new QuestionSocket({ timeout: patience, attempts: 1, perSecond: 10_000, waiting: 1000 })
const quick = new QuestionSocket({ timeout: 100, attempts: 2, perSecond: 10_000, waiting: 1000 })
after(() => Promise.all([socket.close(), quick.close()]))

const as = (user: User): Credentials => ({ version: '3', user: new UsmUser(user) })
const refuses = (reason: string, words: RegExp) => (error: unknown) => {
  assert(error instanceof AskFault, String(error))
  assert.equal(error.reason, reason, error.message)
  assert.match(error.message, words)
  return true
}

const everyKind: readonly [string, Credentials][] = [
  ['version 1', { version: '1', community }],
  ['version 2c', { version: '2c', community }],
  ...users.map((user): [string, Credentials] => [`version 3 as ${user.name}`, as(user)]),
]

for (const [name, credentials] of everyKind) {
  test(`${name}: system, interfaces and neighbours`, async () => {
    await using agent = await TestAgent.start({ values: recorded, community, users })
    const session = new DeviceSession(socket, agent.device, credentials)
    assert.deepEqual(await askSystem(session), {
      description: 'An example switch',
      objectId: '1.3.6.1.4.1.32473.1',
      uptime: 8_640_000,
      contact: undefined,
      name: 'sw1',
      location: 'Küche',
    })
    const { rows, problem } = await askInterfaces(session)
    assert.equal(problem, undefined)
    assert.deepEqual(rows[0], {
      index: 1,
      description: 'GigabitEthernet0/1',
      name: 'Gi0/1',
      alias: 'uplink',
      type: 6,
      speed: 1e9,
      mac: '00:00:5e:00:53:01',
      adminStatus: 1,
      operStatus: 2,
      lastChange: 8_630_000,
    })
    assert.deepEqual([rows.length, rows[1]?.index, rows[1]?.speed, rows[1]?.alias], [2, 10, 1e10, undefined])
    const neighbours = await askNeighbours(session)
    assert.deepEqual(neighbours.rows, [
      {
        protocol: 'lldp',
        localPort: 1,
        localName: 'Gi0/1',
        chassis: '00:1b:44:11:3a:b7',
        port: 'xe-0/0/1',
        portDescription: undefined,
        systemName: 'core1',
        address: '192.0.2.1',
        platform: 'A core',
      },
      {
        protocol: 'cdp',
        localPort: 10,
        localName: undefined,
        chassis: undefined,
        port: 'Gi1/0/3',
        portDescription: undefined,
        systemName: 'sw2.example.net',
        address: '192.0.2.2',
        platform: 'An access switch',
      },
    ])
  })
}

test('the first chassis and addresses are read', async () => {
  await using agent = await TestAgent.start({ values: recorded, community })
  for (const version of ['1', '2c'] as const) {
    const session = new DeviceSession(socket, agent.device, { version, community })
    const chassis = await askChassis(session)
    assert.deepEqual(chassis, { serialNumber: 'SN4711', model: undefined, software: '15.2' })
    const { rows } = await askAddresses(session)
    assert.deepEqual(rows, [
      { address: '192.0.2.7', ifIndex: 10 },
      { address: '2001:db8::7', ifIndex: 10 },
    ])
  }
})

test('IPv6 is asked from a socket of its own family', async () => {
  await using agent = await TestAgent.start({ values: recorded, community, host: '::1' })
  const session = new DeviceSession(socket, agent.device, { version: '2c', community })
  assert.equal((await askSystem(session)).name, 'sw1')
})

test('a device with small answers is walked in smaller steps', async () => {
  await using agent = await TestAgent.start({
    values: recorded,
    community,
    answer: ({ kind, repetitions }, honest) =>
      kind === 'bulk' && repetitions > 3 ? { errorStatus: 1, errorIndex: 0, variables: [] } : honest(),
  })
  const session = new DeviceSession(socket, agent.device, { version: '2c', community })
  const { variables, problem } = await walk(session, '1.3.6.1.2.1.2')
  assert.equal(problem, undefined)
  assert.deepEqual(
    variables.map(({ oid }) => oid),
    recorded.map(({ oid }) => oid).filter((oid) => oid.startsWith('1.3.6.1.2.1.2.')),
  )
})

describe('refusals of version 3', () => {
  const cases: readonly [string, User, RegExp][] = [
    ['an unknown user', { name: 'nobody' }, /does not know the user/],
    ['another level', { name: 'signed' }, /another security level/],
    [
      'a wrong password',
      { name: 'signed', auth: { algorithm: 'sha1', password: 'not this one' } },
      /authentication password or algorithm is wrong/,
    ],
  ]
  for (const [name, user, words] of cases) {
    test(name, async () => {
      await using agent = await TestAgent.start({ values: recorded, users })
      await assert.rejects(
        askSystem(new DeviceSession(socket, agent.device, as(user))),
        refuses('credentials', words),
      )
    })
  }

  test('the clock of a device that restarted is followed, and one engine is replaced by another', async () => {
    await using first = await TestAgent.start({ values: recorded, users, boots: 3 })
    const session = new DeviceSession(socket, first.device, as(users[2] as User))
    await askSystem(session)
    const { port } = first.device
    await first[Symbol.asyncDispose]()
    await using second = await TestAgent.start({ values: recorded, users, boots: 4, port })
    assert.equal((await askSystem(session)).name, 'sw1')
    assert.equal(second.received, 2, 'the question, a report with the new time, the question again')
    await second[Symbol.asyncDispose]()
    await using third = await TestAgent.start({
      values: recorded,
      users,
      port,
      engine: '80007ed904616e6f74686572',
    })
    assert.equal((await askSystem(session)).name, 'sw1')
    assert.equal(third.received, 3, 'the question, a discovery, the question again')
  })

  test('boots that go back are not accepted, unless the user is for devices that forget them', async () => {
    const forgetful = { ...(users[2] as User), relaxedTime: true }
    for (const user of [users[2] as User, forgetful]) {
      await using first = await TestAgent.start({ values: recorded, users, boots: 3 })
      const session = new DeviceSession(socket, first.device, as(user))
      await askSystem(session)
      const { port } = first.device
      await first[Symbol.asyncDispose]()
      await using _second = await TestAgent.start({ values: recorded, users, boots: 2, port })
      if (user === forgetful) assert.equal((await askSystem(session)).name, 'sw1')
      else await assert.rejects(askSystem(session), refuses('clock', /not in its time window/))
    }
  })
})

test('a wrong community is silence, and a probe says that an agent is there, or that nothing is', async () => {
  let device: DeviceAddress
  {
    await using agent = await TestAgent.start({ values: recorded, community, users })
    device = agent.device
    const session = new DeviceSession(quick, device, { version: '2c', community: 'guess' })
    await assert.rejects(
      askSystem(session),
      refuses('silent', /^no answer from 127\.0\.0\.1:\d+, asked 2 times/),
    )
    assert.equal(await probe(device, patience), 'agent')
  }
  assert.equal(await probe(device, patience), 'closed')
})

test('an error of the device is named', async () => {
  const reply = { errorStatus: 5, errorIndex: 1, variables: [] }
  await using agent = await TestAgent.start({ values: [], community, answer: () => reply })
  const session = new DeviceSession(socket, agent.device, { version: '2c', community })
  await assert.rejects(askSystem(session), refuses('error', /the error genErr$/))
})

describe('properties', () => {
  const oid = fc
    .array(fc.nat(0xffff_ffff), { minLength: 1, maxLength: 20 })
    .map((parts) => `1.3.${parts.join('.')}`)
  const id = fc.integer({ min: 1, max: 0x7fff_ffff })

  test('an answer is found by its id, and a question is not taken for one', () =>
    fc.assert(
      fc.property(id, fc.constantFrom('1', '2c'), (number, version) => {
        const question = { kind: 'get', oids: ['1.3'], repetitions: 0 } as const
        const bytes = encodeQuestion(question, number, { version, community })
        assert.equal(readAnswerHead(bytes), undefined, 'a question is no answer')
        bytes[bytes.indexOf(Buffer.from('a082', 'hex'))] = 0xa2
        assert.deepEqual(readAnswerHead(bytes), { version, id: number })
      }),
    ))

  test('the head of any bytes is read without an error', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const head = readAnswerHead(Buffer.from(bytes))
        assert(head === undefined || Number.isInteger(head.id))
      }),
    ))

  test('any list of values is walked as it is, in steps of any size', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(oid, { maxLength: 60 }),
        fc.constantFrom('1', '2c'),
        async (oids, version) => {
          const values = readSnmprec(oids.map((one, index) => `${one}|2|${index}`).join('\n'))
          await using agent = await TestAgent.start({ values, community })
          const { variables, problem } = await walk(
            new DeviceSession(socket, agent.device, { version, community }),
            '1.3',
          )
          assert.equal(problem, undefined)
          assert.deepEqual(variables, values)
        },
      ),
      { numRuns: 40 },
    ))

  test('OIDs are ordered by their numbers', () =>
    fc.assert(
      fc.property(
        fc.array(fc.nat(300), { minLength: 1 }),
        fc.array(fc.nat(300), { minLength: 1 }),
        (a, b) => {
          const key = (parts: number[]) => parts.map((part) => String(part).padStart(3, '0')).join('')
          assert.equal(isOidAfter(a.join('.'), b.join('.')), key(a) < key(b))
        },
      ),
    ))
})

test('a question after the end is refused, and leaves no socket behind', async () => {
  const ended = new QuestionSocket()
  await ended.close()
  const before = process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap').length
  const asked = new DeviceSession(ended, { address: '127.0.0.1', port: 9 }, { version: '2c', community })
  await assert.rejects(askSystem(asked), refuses('unsent', /asking was stopped/))
  assert.equal(process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap').length, before)
})
