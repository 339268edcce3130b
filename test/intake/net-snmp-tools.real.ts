// An independent implementation to compare with: the tools of net-snmp (on Debian the package `snmp`), over a real
// socket.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { answerInform, Decoder, type Outcome, type Trap } from '../../src/snmp/decoder.ts'
import { Usm } from '../../src/snmp/usm.ts'
import type { AuthAlgorithm, PrivAlgorithm } from '../../src/snmp/usm-keys.ts'
import type { User } from '../../src/snmp/usm-user.ts'

const missing = spawnSync('snmptrap', ['-V']).error !== undefined
if (missing && process.env.CI === 'true')
  throw new Error('CI needs snmptrap and snmpinform: install net-snmp')
const skip = missing ? 'snmptrap is not installed (on Debian: apt-get install snmp)' : false

const AUTHS: Record<AuthAlgorithm, string> = {
  md5: 'MD5',
  sha1: 'SHA',
  sha224: 'SHA-224',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
}
const PRIVS: Record<PrivAlgorithm, string> = {
  des: 'DES',
  aes128: 'AES',
  aes192: 'AES-192',
  aes256: 'AES-256',
}

const auths = Object.keys(AUTHS) as AuthAlgorithm[]
const privs = Object.keys(PRIVS) as PrivAlgorithm[]
const THEIR_ENGINE = '8000000001020304'
const LINK_DOWN = '1.3.6.1.6.3.1.1.5.3'
const AUTH_PASSWORD = 'authentication password'
const PRIV_PASSWORD = 'privacy password'

const users: User[] = [
  { name: 'plain' },
  ...auths.map((auth) => ({ name: auth, auth: { algorithm: auth, password: AUTH_PASSWORD } })),
  ...auths.flatMap((auth) =>
    privs.map((priv) => ({
      name: `${auth}-${priv}`,
      auth: { algorithm: auth, password: AUTH_PASSWORD },
      priv: { algorithm: priv, password: PRIV_PASSWORD },
    })),
  ),
]

const settings = {
  usm: new Usm({
    users,
    engineId: Buffer.from('8000000005010203040506', 'hex'),
    engineBoots: 12,
    times: new Map(),
  }),
  communities: ['public'],
}
const decoder = new Decoder(settings)
const run = promisify(execFile)
let folder: string
let socket: Socket
let received: { readonly datagram: Buffer; readonly outcome: Outcome }[]

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'belfry-tools-'))
  socket = createSocket('udp4')
  received = []
  socket.on('message', (datagram: Buffer, from: RemoteInfo) => {
    const outcome = decoder.decode(datagram)
    received.push({ datagram, outcome })
    const answer = answerTo(outcome)
    if (answer !== undefined) socket.send(answer, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
})

after(() => {
  socket.close()
  rmSync(folder, { recursive: true, force: true })
})

function answerTo(outcome: Outcome): Buffer | undefined {
  if (outcome.kind === 'report') return outcome.answer
  return outcome.kind === 'trap' && outcome.inform !== undefined ? answerInform(outcome.inform) : undefined
}

/** Runs a tool against our socket and says what became of its last datagram. An inform waits so long for its answer. */
async function send(
  tool: 'snmptrap' | 'snmpinform',
  options: string[],
  parameters: string[],
  seconds = 20,
): Promise<Outcome> {
  received = []
  const patience = tool === 'snmpinform' ? ['-r', '0', '-t', String(seconds)] : []
  const { port } = socket.address()
  const environment = { ...process.env, HOME: folder, SNMP_PERSISTENT_DIR: folder, MIBS: '' }
  await run(tool, [...options, ...patience, `127.0.0.1:${port}`, ...parameters], { env: environment })
  return lastOutcome()
}

async function lastOutcome(): Promise<Outcome> {
  while (received.length === 0) await once(socket, 'message')
  const last = received.at(-1)
  assert(last !== undefined)
  return last.outcome
}

function v3(user: Partial<User> & { name: string }, engineId?: string): string[] {
  const level = user.priv ? 'authPriv' : user.auth ? 'authNoPriv' : 'noAuthNoPriv'
  return [
    ...['-v', '3', '-u', user.name, '-l', level],
    ...(user.auth ? ['-a', AUTHS[user.auth.algorithm], '-A', user.auth.password] : []),
    ...(user.priv ? ['-x', PRIVS[user.priv.algorithm], '-X', user.priv.password] : []),
    ...(engineId ? ['-e', `0x${engineId}`] : []),
  ]
}

const LINK_DOWN_PARAMETERS = [
  '4711',
  LINK_DOWN,
  '1.3.6.1.2.1.2.2.1.1.7',
  'i',
  '7',
  '1.3.6.1.2.1.2.2.1.2.7',
  's',
  'eth7',
]

function assertLinkDown(outcome: Outcome): Trap {
  assert(outcome.kind === 'trap', JSON.stringify(outcome))
  const { trap } = outcome
  assert.equal(trap.oid, LINK_DOWN)
  assert.equal(trap.uptime, 4711)
  assert.deepEqual(
    trap.variables.map(({ value }) => value),
    ['7', 'eth7'],
  )
  return trap
}

function userNamed(name: string): User {
  const user = users.find((one) => one.name === name)
  assert(user !== undefined)
  return user
}

describe('traps and informs of net-snmp', { skip, timeout: 300_000 }, () => {
  test('a trap of version 1 is understood, generic or specific', async () => {
    const common = ['1.3.6.1.4.1.8072', '10.1.2.3']
    const generic = await send('snmptrap', ['-v', '1', '-c', 'public'], [...common, '2', '0', '99'])
    assert(generic.kind === 'trap')
    assert.equal(generic.trap.oid, LINK_DOWN)
    assert.equal(generic.trap.agentAddress, '10.1.2.3')
    assert.equal(generic.trap.uptime, 99)
    const specific = await send('snmptrap', ['-v', '1', '-c', 'public'], [...common, '6', '17', '99'])
    assert(specific.kind === 'trap')
    assert.equal(specific.trap.oid, '1.3.6.1.4.1.8072.0.17')
  })

  test('every type of value that the tool can send has its text', async () => {
    const given: [string, string, string, string][] = [
      ['i', '-2147483648', 'Integer32', '-2147483648'],
      ['u', '4294967295', 'Gauge32', '4294967295'],
      ['c', '4294967295', 'Counter32', '4294967295'],
      ['C', '18446744073709551615', 'Counter64', '18446744073709551615'],
      ['s', 'Tür zum Süden', 'OctetString', 'Tür zum Süden'],
      ['x', '00 1B 21 AA BB CC', 'OctetString', '00:1b:21:aa:bb:cc'],
      ['n', '', 'Null', ''],
      ['o', '1.3.6.1.4.1.4294967295', 'ObjectIdentifier', '1.3.6.1.4.1.4294967295'],
      ['t', '4294967295', 'TimeTicks', '4294967295'],
      ['a', '192.0.2.255', 'IpAddress', '192.0.2.255'],
      ['F', '1.5', 'Opaque', '9f:78:04:3f:c0:00:00'],
    ]
    const parameters = given.flatMap(([letter, value], i) => [`1.3.6.1.4.1.8072.${i}`, letter, value])
    const outcome = await send('snmptrap', ['-v', '2c', '-c', 'public'], ['1', LINK_DOWN, ...parameters])
    assert(outcome.kind === 'trap', JSON.stringify(outcome))
    assert.deepEqual(
      outcome.trap.variables.map(({ type, value }) => [type, value]),
      given.map(([, , type, value]) => [type, value]),
    )
  })

  test('version 2c: the trap is understood, the inform is satisfied with its answer', async () => {
    const options = ['-v', '2c', '-c', 'public']
    assert.equal(assertLinkDown(await send('snmptrap', options, LINK_DOWN_PARAMETERS)).inform, false)
    assert.equal(assertLinkDown(await send('snmpinform', options, LINK_DOWN_PARAMETERS)).inform, true)
  })

  test('a wrong community is refused, and its inform gets no answer', async () => {
    const options = ['-v', '2c', '-c', 'private']
    assert.deepEqual(await send('snmptrap', options, LINK_DOWN_PARAMETERS), {
      kind: 'refused',
      reason: 'community',
    })
    await assert.rejects(send('snmpinform', options, LINK_DOWN_PARAMETERS, 1))
    assert.deepEqual(await lastOutcome(), { kind: 'refused', reason: 'community' })
  })

  for (const user of users) {
    test(`version 3, user ${user.name}: the trap is understood, the inform is satisfied with its answer`, async () => {
      const trap = assertLinkDown(await send('snmptrap', v3(user, THEIR_ENGINE), LINK_DOWN_PARAMETERS))
      assert.equal(trap.usm?.user, user.name)
      assert.equal(trap.usm?.engineId, THEIR_ENGINE)
      assert.equal(assertLinkDown(await send('snmpinform', v3(user), LINK_DOWN_PARAMETERS)).inform, true)
      assert.equal(received[0]?.outcome.kind, 'report', 'it begins with a discovery')
    })
  }

  test('wrong passwords, users and levels are refused, each with its reason', async () => {
    const good = userNamed('sha256-aes128')
    const wrong: [string, Partial<User> & { name: string }][] = [
      ['unknown-user', { ...good, name: 'nobody' }],
      ['wrong-digest', { ...good, auth: { algorithm: 'sha256', password: 'not the password' } }],
      ['wrong-digest', { ...good, auth: { algorithm: 'sha512', password: AUTH_PASSWORD } }],
      ['decryption', { ...good, priv: { algorithm: 'aes128', password: 'not the password' } }],
      ['unsupported-security-level', { name: good.name }],
      ['unsupported-security-level', { ...userNamed('sha256'), name: good.name }],
    ]
    for (const [reason, user] of wrong) {
      const outcome = await send('snmptrap', v3(user, THEIR_ENGINE), LINK_DOWN_PARAMETERS)
      assert.deepEqual(outcome, { kind: 'refused', reason, user: user.name })
      await assert.rejects(send('snmpinform', v3(user), LINK_DOWN_PARAMETERS), reason)
      const informed = await lastOutcome()
      assert(informed.kind === 'report' && informed.reason === reason, JSON.stringify(informed))
    }
  })

  test('bytes that were recorded are refused when they are sent again', async () => {
    assertLinkDown(await send('snmptrap', v3(userNamed('sha1-aes128'), THEIR_ENGINE), LINK_DOWN_PARAMETERS))
    const recorded = received[0]?.datagram
    assert(recorded !== undefined)
    received = []
    const attacker = createSocket('udp4')
    attacker.send(recorded, socket.address().port, '127.0.0.1', () => attacker.close())
    assert.deepEqual(await lastOutcome(), { kind: 'refused', reason: 'replay', user: 'sha1-aes128' })
  })

  test('old boots and old times are refused', async () => {
    const user = userNamed('sha512-aes256')
    const at = (boots: number, time: number) =>
      send('snmptrap', [...v3(user, '80000000010a0b0c0d'), '-Z', `${boots},${time}`], LINK_DOWN_PARAMETERS)
    assertLinkDown(await at(5, 1000))
    const refused = { kind: 'refused', reason: 'not-in-time-window', user: user.name }
    assert.deepEqual(await at(4, 2000), refused)
    assert.deepEqual(await at(5, 849), refused)
    assertLinkDown(await at(6, 0))
  })
})
