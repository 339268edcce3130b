// Agents that are broken, slow or hostile are bounded, reported, and harm no other device's questions.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { AskFault } from '../../src/ask/ask-fault.ts'
import { askInterfaces } from '../../src/ask/device-facts.ts'
import { type Credentials, DeviceSession } from '../../src/ask/device-session.ts'
import { type AskLimits, QuestionSocket } from '../../src/ask/question-socket.ts'
import { defaultWalkLimits, walk } from '../../src/ask/walk.ts'
import { Fault } from '../../src/fault.ts'
import { type User, UsmUser } from '../../src/snmp/usm-user.ts'
import type { Variable } from '../../src/snmp/variables.ts'
import { until } from '../intake/sending.ts'
import { patience } from '../patience.ts'
import { TestAgent } from './agent.ts'

const root = '1.3.6.1.2.1.2.2.1.2'
const community = 'public'
const v2c: Credentials = { version: '2c', community }
const value = (oid: string, text = 'x'): Variable => ({ oid, type: 'OctetString', value: text, hex: false })
const values = [value(`${root}.1`), value(`${root}.2`)]
const [first] = values as [Variable]

function open(limits: Partial<AskLimits> = {}): QuestionSocket {
  const usual = { timeout: patience, attempts: 1, perSecond: 100_000, waiting: 1000 }
  const socket = new QuestionSocket({ ...usual, ...limits })
  after(() => socket.close())
  return socket
}
/** For what is never answered. */
const impatient = { timeout: 100, attempts: 2 }

const answerOf = (variables: readonly Variable[]) => ({ errorStatus: 0, errorIndex: 0, variables })
const askFirst = (session: DeviceSession) => session.get([first.oid])

function fault(reason: string, words: RegExp) {
  return (error: unknown) => {
    assert(error instanceof AskFault, String(error))
    assert.equal(error.reason, reason, error.message)
    assert.match(error.message, words)
    return true
  }
}

test('a walk without end is given up after so many values, and those are kept', async () => {
  let next = 0
  await using agent = await TestAgent.start({
    values,
    community,
    answer: ({ repetitions }) =>
      answerOf(
        Array.from({ length: repetitions }, () => {
          next += 1
          return value(`${root}.${next}`)
        }),
      ),
  })
  const session = new DeviceSession(open(), agent.device, v2c)
  const { variables, problem } = await walk(session, root, { ...defaultWalkLimits, values: 300 })
  assert.equal(variables.length, 300)
  assert.match(problem?.message ?? '', /returned too much and was given up after 300 values/)
  assert(agent.asked.length <= 16, `${agent.asked.length} questions`)
})

test('a walk is given up after so many characters, and after so long', async () => {
  let next = 0
  await using agent = await TestAgent.start({
    values,
    community,
    answer() {
      next += 1
      return answerOf([value(`${root}.${next}`, 'x'.repeat(60_000))])
    },
  })
  const session = new DeviceSession(open(), agent.device, v2c)
  const large = await walk(session, root, { ...defaultWalkLimits, characters: 200_000 })
  assert.equal(large.variables.length, 3)
  assert.equal(large.problem?.reason, 'limit')
  const long = await walk(session, root, { ...defaultWalkLimits, duration: 20 })
  assert.match(long.problem?.message ?? '', /took too long/)
})

test('numbers that do not fit where they are kept are not taken', async () => {
  const column = (number: number, type: Variable['type'], of: string): Variable => ({
    ...{ oid: `1.3.6.1.2.1.2.2.1.${number}.1`, type, value: of, hex: false },
  })
  const huge = '18446744073709551615'
  const claimed = [
    column(3, 'Counter64', huge),
    column(5, 'Counter64', huge),
    column(7, 'Gauge32', '4294967295'),
    column(8, 'Counter64', huge),
    column(9, 'Counter64', huge),
  ]
  await using agent = await TestAgent.start({ values: claimed, community })
  const { rows } = await askInterfaces(new DeviceSession(open(), agent.device, v2c))
  const { type, speed, adminStatus, operStatus, lastChange } = rows[0] ?? assert.fail('no interface')
  assert.deepEqual([type, speed, adminStatus, operStatus, lastChange], Array(5).fill(undefined))
})

test('a walk that goes in circles is noticed at the first step back', async () => {
  await using agent = await TestAgent.start({ values, community, answer: () => answerOf([...values, first]) })
  const { variables, problem } = await walk(new DeviceSession(open(), agent.device, v2c), root)
  assert.deepEqual(variables, values)
  assert.match(problem?.message ?? '', /goes round in circles/)
  assert.equal(agent.asked.length, 1)
})

test('more values than were asked for are refused, and so is none', async () => {
  const many = Array.from({ length: 21 }, (_, index) => value(`${root}.${index + 1}`))
  await using generous = await TestAgent.start({ values, community, answer: () => answerOf(many) })
  const walked = await walk(new DeviceSession(open(), generous.device, v2c), root)
  assert.match(walked.problem?.message ?? '', /more values than were asked for/)
  await using mean = await TestAgent.start({ values, community, answer: () => answerOf([]) })
  const nothing = await walk(new DeviceSession(open(), mean.device, v2c), root)
  assert.match(nothing.problem?.message ?? '', /answered with nothing/)
  await assert.rejects(
    askFirst(new DeviceSession(open(), mean.device, v2c)),
    fault('error', /without the value of/),
  )
})

test('answers with another id, and datagrams of 64 KiB that are none, are ignored', async () => {
  const socket = open(impatient)
  await using agent = await TestAgent.start({
    values,
    community,
    send(bytes, { port, address }, out) {
      const other = Buffer.from(bytes)
      // The last byte of the request id, which is before the two errors and the variables.
      const at = other.indexOf(Buffer.from('020100020100', 'hex')) - 1
      other[at] = (other[at] ?? 0) ^ 1
      out.send(other, port, address)
      out.send(Buffer.alloc(65_507, 0x30), port, address)
    },
  })
  await assert.rejects(askFirst(new DeviceSession(socket, agent.device, v2c)), fault('silent', /no answer/))
  assert(socket.strays.unknown >= 2, JSON.stringify(socket.strays))
})

test('an answer from another address or port is not taken, and the true one that follows is', async () => {
  const forger = createSocket('udp4').bind(0, '127.0.0.2')
  after(() => forger.close())
  await once(forger, 'listening')
  let isHonest = false
  await using agent = await TestAgent.start({
    values,
    community,
    send(bytes, { port, address }, out) {
      forger.send(bytes, port, address, () => isHonest && out.send(bytes, port, address))
    },
  })
  const strict = open(impatient)
  await assert.rejects(
    askFirst(new DeviceSession(strict, agent.device, v2c)),
    fault('silent', /an answer came from 127\.0\.0\.2:\d+, which was not asked/),
  )
  assert(strict.strays.elsewhere > 0)
  isHonest = true
  assert.deepEqual(await askFirst(new DeviceSession(open(), agent.device, v2c)), [first])
})

const secret: User = {
  name: 'secret',
  auth: { algorithm: 'sha256', password: 'authentication' },
  priv: { algorithm: 'aes128', password: 'private words' },
}

test('in version 3 an answer that was changed on its way is not taken', async () => {
  let isHonest = true
  await using agent = await TestAgent.start({
    values,
    users: [secret],
    send(bytes, { port, address }, out) {
      const sent = Buffer.from(bytes)
      const last = sent.length - 1
      if (!isHonest) sent[last] = (sent[last] ?? 0) ^ 1
      out.send(sent, port, address)
    },
  })
  const socket = open()
  const session = new DeviceSession(socket, agent.device, { version: '3', user: new UsmUser(secret) })
  assert.deepEqual(await askFirst(session), [first])
  isHonest = false
  const answered = askFirst(session)
  answered.catch(() => undefined)
  await until('it is refused', () => socket.strays.refused > 0)
  await socket.close()
  await assert.rejects(answered, fault('unsent', /stopped/))
})

test('a slow device has one question under way, and others do not wait for it', async () => {
  const held: (() => void)[] = []
  await using slow = await TestAgent.start({
    values,
    community,
    send: (bytes, { port, address }, out) => held.push(() => out.send(bytes, port, address)),
  })
  await using fast = await TestAgent.start({ values, community })
  const socket = open()
  const session = new DeviceSession(socket, slow.device, v2c)
  const waiting = Promise.all([askFirst(session), askFirst(session), askFirst(session)])
  for (let n = 1; n <= 3; n += 1) {
    await until('a question arrives', () => held.length === n)
    for (let i = 0; i < 5; i += 1) await askFirst(new DeviceSession(socket, fast.device, v2c))
    assert.equal(slow.received, n, 'no second question before the answer to the first')
    held[n - 1]?.()
  }
  assert.equal((await waiting).length, 3)
})

test('an answer that comes after the question was sent again counts', async () => {
  let received = 0
  await using agent = await TestAgent.start({
    values,
    community,
    send(bytes, { port, address }, out) {
      received += 1
      if (received === 3) out.send(bytes, port, address)
    },
  })
  const session = new DeviceSession(open({ timeout: 50, attempts: 1000 }), agent.device, v2c)
  assert.deepEqual(await askFirst(session), [first])
  assert.equal(new Set(agent.asked.map(({ id }) => id)).size, 1, 'all attempts have the same id')
})

test('all questions together keep to the rate, and no more wait than may', async () => {
  await using agent = await TestAgent.start({ values, community })
  const socket = open({ perSecond: 100, waiting: 11 })
  const session = new DeviceSession(socket, agent.device, v2c)
  const began = performance.now()
  const asked = Array.from({ length: 11 }, () => askFirst(session))
  await assert.rejects(
    askFirst(session),
    (error) => error instanceof Fault && error.code === 'too-many-requests',
  )
  await Promise.all(asked)
  assert(performance.now() - began >= 95, 'ten pauses of 10 ms')
  const ids = agent.asked.map(({ id }) => id)
  assert.equal(new Set(ids).size, 11)
  assert(!ids.some((id, index) => id === (ids[index - 1] ?? -2) + 1), 'ids are not counted up')
})
