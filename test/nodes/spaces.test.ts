// Two listeners, each for an address space of its own: what the same address sends to both belongs to two devices. At a
// single service, and at a node that does not process what it receives.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { encodeDiscovery, encodeNotification, UsmSender } from '../../src/snmp/send.ts'
import type { User } from '../../src/snmp/usm-user.ts'
import { values } from '../http/reading.ts'
import { device, ifIndex, inform, ledger, linkDown, linkUp, sum, until, v2c, v3 } from '../intake/sending.ts'
import { speaker } from '../intake/syslog-speaker.ts'
import { startService, type TestService, temporaryFolder } from '../support.ts'
import { startNodes } from './several.ts'

const user: User = { name: 'ops', auth: { algorithm: 'sha256', password: 'authentication password' } }
const users = join(temporaryFolder(), 'users.json')
writeFileSync(users, JSON.stringify([user]))
const listeners = '127.0.0.1:0,127.0.0.1:0@2'
const flags = {
  ...{ traps: listeners, 'trap-users': users, 'syslog-udp': listeners, 'syslog-tcp': listeners },
  // The first speaks for a space that has no listener.
  'syslog-relays': '127.0.0.31@3,127.0.0.32',
}

const single = await startService(flags)
const { services } = await startNodes(2, flags)
const [leader, other] = services as [TestService, TestService]

for (const [name, hearing, asked] of [
  ['a single service', single, single],
  ['a node that is not the leader', other, leader],
] as const) {
  describe(`two spaces at ${name}`, async () => {
    const [port = 0, otherPort = 0] = hearing.trapPorts
    const [here, there] = [await device(port), await device(otherPort)]
    let sent = 0
    let traps = 0
    const processed = async (...pairs: readonly (readonly [typeof here, Buffer])[]) => {
      for (const [from, datagram] of pairs) await from.send(datagram)
      sent += pairs.length
      traps += pairs.length
      await until('all are processed', async () => sum(await ledger(asked)) >= sent)
    }
    /** Of each alarm of the address, the space of its device, and whether it is over. */
    const alarms = async (query: string) => {
      const { text } = await asked.get(`/fault/alarm?size=100&orderBy=id&${query}`)
      const ids = values(text, 'deviceId')
      const states = values(text, 'recStatus')
      const devices = await asked.get(`/plat/res/device?size=100&space=2`)
      const inSpace2 = new Set(values(devices.text, 'id'))
      return ids.map((id, index) => `${inSpace2.has(id) ? 2 : 0} ${states[index]}`)
    }

    test('traps raise and end alarms of the device of their space alone', async () => {
      await processed([here, v2c(linkDown, [ifIndex(1)])], [there, v2c(linkDown, [ifIndex(1)])])
      await processed([here, v2c(linkUp, [ifIndex(1)])])
      const both = await alarms('deviceIp=127.0.0.1&alarmLevel=1,2,3,4')
      assert.deepEqual(both.sort(), ['0 1', '2 0'])
      await processed([there, v2c(linkUp, [ifIndex(1)])])
      const ended = await alarms('deviceIp=127.0.0.1&alarmLevel=1,2,3,4')
      assert.deepEqual(ended.sort(), ['0 1', '2 1'])
    })

    test('the agent that a trap of version 1 names is one of that space', async () => {
      const v1 = encodeNotification({
        ...{ version: '1', community: 'public', agentAddress: '10.7.7.7', uptime: 1 },
        ...{ oid: linkDown, variables: [ifIndex(2)] },
      })
      await processed([there, v1], [here, v1])
      assert.deepEqual((await alarms('deviceIp=10.7.7.7')).sort(), ['0 0', '2 0'])
    })

    test('equal informs of both spaces are two, and each is answered from where it was sent to', async () => {
      await processed([here, inform(3)], [there, inform(3)])
      for (const one of [here, there])
        await until('it is answered', () => one.answers().some(({ requestId }) => requestId === 3))
      assert.equal((await ledger(asked))['collapsed duplicate'], undefined)
    })

    test('engines of version 3 with the same id keep their own clocks', async () => {
      const sender = new UsmSender(user, Buffer.from('8000000001020304', 'hex'))
      // The clock of the one in the other space is far behind.
      await processed([here, v3(sender, 9, 5000, 4)], [there, v3(sender, 1, 10, 4)])
      await processed([here, v3(sender, 1, 10, 5)])
      const refused = (await ledger(asked))['refused not-in-time-window']
      assert.equal(refused, 1, 'that of the same space is in order')
      assert.deepEqual(
        (await alarms('deviceIp=127.0.0.1&recStatus=0')).filter((one) => one === '2 0').length,
        2,
      )
    })

    const fan = (state: 'FAILED' | 'OK', host = '') =>
      `<187>1 2026-11-18T10:00:00Z ${host || '-'} fand - - - ${
        state === 'OK'
          ? '%FAN-3-FAN_OK: Fan 2 had earlier reported a rotation error. It is ok now'
          : '%FAN-3-FAN_FAILED: Fan 2 had a rotation error reported.'
      }`

    test('syslog messages raise and end alarms of the device of their space alone', async () => {
      const { udp } = hearing.allSyslogPorts
      const says = [await speaker(udp[0], '127.0.0.33'), await speaker(udp[1], '127.0.0.33')]
      const [say, sayThere] = says as [(typeof says)[number], (typeof says)[number]]
      for (const one of says) await one(fan('FAILED'))
      const states = async () => (await alarms('deviceIp=127.0.0.33&alarmLevel=1,2,3,4')).sort()
      await until('both are raised', async () => (await states()).length === 2)
      await say(fan('OK'))
      await until('one has ended', async () => (await states()).includes('0 1'))
      assert.deepEqual(await states(), ['0 1', '2 0'])
      await sayThere(fan('OK'))
      await until('both have ended', async () => (await states()).includes('2 1'))
      sent += 4
      const found = await asked.get('/fault/syslogMessage?deviceIp=127.0.0.33')
      assert.equal(values(found.text, 'number').length, 4, 'a filter by address matches in all spaces')
      assert.equal(values(found.text, 'space').length, 2)
      assert.equal(new Set(values(found.text, 'deviceId')).size, 2)
    })

    test('so do those over TCP', async () => {
      for (const [index, port] of hearing.allSyslogPorts.tcp.entries()) {
        const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.34' })
        socket.end(`${fan('FAILED')}\n`)
        await until('it is raised', async () => (await alarms('deviceIp=127.0.0.34')).length === index + 1)
      }
      sent += 2
      assert.deepEqual((await alarms('deviceIp=127.0.0.34')).sort(), ['0 0', '2 0'])
    })

    test('a relay speaks for its space, and is believed there and in the default one alone', async () => {
      const { udp } = hearing.allSyslogPorts
      const spacesOf = async (ip: string) => {
        const { text } = await asked.get(`/plat/res/device?ip=${ip}`)
        return values(text, 'id').length === 0 ? [] : [values(text, 'space')[0] ?? '0']
      }
      const tries = [
        ['127.0.0.31', udp[0], '192.0.2.71', ['3']],
        ['127.0.0.32', udp[0], '192.0.2.72', ['0']],
        ['127.0.0.31', udp[1], '192.0.2.73', []],
        ['127.0.0.32', udp[1], '192.0.2.74', []],
      ] as const
      for (const [from, port, host, expected] of tries) {
        await (await speaker(port, from))(fan('FAILED', host))
        sent += 1
        await until('it is processed', async () => sum(await ledger(asked)) >= sent)
        assert.deepEqual(await spacesOf(host), expected, host)
      }
    })

    test('an engine is discovered through both', async () => {
      for (const one of [here, there]) {
        await processed([one, encodeDiscovery(77)])
        await until('it is told', () => one.answers().some(({ kind }) => kind === 'report'))
      }
    })

    test('stored traps and the ledger say in which space they were heard', async () => {
      const heard = async (query: string) =>
        values((await asked.get(`/fault/trap?size=100&sourceIp=127.0.0.1&${query}`)).text, 'id').length
      const [all, ofHere, ofThere] = [await heard(''), await heard('space=0'), await heard('space=2')]
      assert.equal(all, traps)
      assert.equal(ofHere + ofThere, all)
      assert(ofThere > 3)
      const lines = (await asked.get('/fault/trapLedger?sourceIp=127.0.0.1')).text
      assert(values(lines, 'space').length > 0)
      assert(values(lines, 'lastSource').every((address) => address === '127.0.0.1'))
    })
  })
}

test('a refused sender is named with its space', async () => {
  const there = await device(single.trapPorts[1] ?? 0)
  await there.send(v2c(linkDown, [ifIndex(9)], { community: 'secret' }))
  await until('an alarm says so', async () =>
    (await single.get('/fault/alarm?size=100&orderBy=id')).text.includes('127.0.0.1@2'),
  )
})
