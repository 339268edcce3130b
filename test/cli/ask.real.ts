// belfry ask, with Debian's snmpd and with agents of ours, all on loopback.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { TestAgent } from '../ask/agent.ts'
import { Snmpd, userLines } from '../ask/snmpd.ts'
import { readSnmprec } from '../ask/snmprec.ts'
import { until } from '../intake/sending.ts'
import { temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { belfry, fail, succeed } from './running.ts'

const folder = temporaryFolder()
function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const user = (name: string, auth: string, priv?: string) => ({
  name,
  auth: { algorithm: auth, password: 'authentication' },
  ...(priv && { priv: { algorithm: priv, password: 'private words' } }),
})
const users = [user('signed', 'sha1'), user('sha1', 'sha1', 'aes128'), user('sha2', 'sha256', 'aes256')]
const userFile = file('users.json', JSON.stringify(users))
const communityFile = file('communities.txt', 'a wrong one\n\nlab words\n')
const wrongCommunity = file('wrong.txt', 'a wrong one\n')

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}

describe('snmpd', withoutTool('snmpd', 'snmpd'), () => {
  let where = ''
  let snmpd: Snmpd | undefined
  after(() => snmpd?.stop())

  before(async () => {
    where = `127.0.0.1:${await freePort()}`
    snmpd = new Snmpd(
      where,
      `sysName lab-agent
sysLocation the shelf
rocommunity "lab words" 127.0.0.1
${userLines('signed', 'SHA')}
${userLines('sha1', 'SHA', 'AES')}
${userLines('sha2', 'SHA-256', 'AES-256')}`,
    )
    snmpd.start()
    await until('snmpd answers', async () => {
      const { code } = await belfry(['ask', where, '--user-file', userFile, '--user', 'signed'])
      return code === 0
    })
  })

  for (const { name, priv } of users) {
    test(`version 3 as ${name}`, async () => {
      const { stdout, stderr } = await succeed(['ask', where, '--user-file', userFile, '--user', name])
      assert.equal(stderr, '')
      assert.match(
        stdout,
        new RegExp(`^${where} answers to version 3 as user ${name} \\(auth${priv ? 'P' : 'NoP'}riv`),
      )
      assert.match(stdout, /^Name +lab-agent$/m)
      assert.match(stdout, /^Location +the shelf$/m)
      assert.match(stdout, /^Up for +0:\d\d:\d\d$/m)
      assert.match(stdout, /^ +1 +lo +- +softwareLoopback +10 Mbit\/s +- +up +up$/m)
    })
  }

  test('version 2c and 1; the second community is taken, and none is shown', async () => {
    for (const flags of [[], ['--v1']]) {
      const { stdout } = await succeed(['ask', where, '--community-file', communityFile, ...flags])
      assert.match(stdout, new RegExp(`answers to version ${flags.length ? '1' : '2c'} with community 2 of `))
      assert.match(stdout, /^Name +lab-agent$/m)
      assert.match(stdout, / lo .*softwareLoopback/)
      assert(!/lab words|a wrong one/.test(stdout))
    }
  })

  test('a wrong community, an unknown user, wrong passwords and another level are told apart', async () => {
    const community = await fail(1, ['ask', where, '--community-file', wrongCommunity])
    assert.match(community, /no answer from .* speaks version 3 is there, so the community may be wrong/)
    const as = (one: object) =>
      fail(1, ['ask', where, '--user-file', file('one.json', JSON.stringify([one]))])
    assert.match(await as({ ...users[0], name: 'nobody' }), /does not know the user/)
    const wrong = { algorithm: 'sha1', password: 'not the one' }
    const refused = await as({ ...users[0], auth: wrong })
    assert.match(refused, /the authentication password or algorithm is wrong/)
    assert(!refused.includes('not the one'))
    assert.match(
      await as({ ...users[1], priv: { ...wrong, algorithm: 'aes128' } }),
      /privacy password or algorithm/,
    )
    assert.match(await as({ name: 'sha2' }), /another security level|authorizationError/)
  })
})

test('neighbours are printed, and nothing that a terminal would act on', async () => {
  const values = readSnmprec(`1.0.8802.1.1.2.1.4.1.1.5.0.3.7|4|chassis 7
1.0.8802.1.1.2.1.4.1.1.9.0.3.7|4|core1
1.3.6.1.2.1.1.5.0|4x|1b5b324a6e616d65
1.3.6.1.2.1.1.6.0|4e|one\\x0atwo\\xe2\\x80\\xae
`)
  await using agent = await TestAgent.start({ values, community: 'lab words' })
  const { port } = agent.device
  const { stdout } = await succeed(['ask', `127.0.0.1:${port}`, '--community-file', communityFile])
  assert.match(stdout, /^1 neighbour \(LLDP\)$/m)
  assert.match(stdout, /^ {2}port 3 +core1 +chassis 7/m)
  assert.match(stdout, /^Location +one two $/m)
  assert.match(stdout, /^Name +1b:5b:32:4a/m)
})

test('where nothing listens, that is said', async () => {
  const port = await freePort()
  const sentence = await fail(1, ['ask', `127.0.0.1:${port}`, '--community-file', wrongCommunity])
  assert.match(sentence, /nothing listens on 127\.0\.0\.1:\d+: the machine refuses the question$/)
})

test('wrong arguments are named', async () => {
  assert.match(await fail(2, ['ask']), /name the address to ask/)
  assert.match(await fail(2, ['ask', '127.0.0.1', '127.0.0.2']), /one device is asked at a time/)
  assert.match(await fail(2, ['ask', '127.0.0.1:99999999']), /expected an address such as/)
  assert.match(await fail(2, ['ask', '127.0.0.1:0']), /port 0/)
  assert.match(await fail(2, ['ask', '127.0.0.1']), /there is no community/)
  assert.match(await fail(2, ['ask', '127.0.0.1', '--user', 'x']), /--user needs --user-file/)
  assert.match(await fail(2, ['ask', '127.0.0.1', '--user-file', userFile, '--user', 'x']), /has no user "x"/)
  assert.match(await fail(2, ['ask', '127.0.0.1', '--v1', '--user-file', userFile]), /exclude each other/)
  assert.match(
    await fail(2, ['ask', '127.0.0.1', '--community-file', join(folder, 'none')]),
    /cannot be read/,
  )
  assert.match(
    await fail(2, ['ask', '127.0.0.1', '--community-file', file('empty', '\n')]),
    /expected 1 to 16 lines/,
  )
})
