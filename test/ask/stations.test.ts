// Bridge tables and ARP are read, in whatever form a device keeps them.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import { type Credentials, DeviceSession } from '../../src/ask/device-session.ts'
import { askArp, askStations } from '../../src/ask/device-stations.ts'
import { type StationReport, stationDifference } from '../../src/ask/know/station-difference.ts'
import { QuestionSocket } from '../../src/ask/question-socket.ts'
import { defaultWalkLimits } from '../../src/ask/walk.ts'
import type { LearntStations } from '../../src/resources/inventory/learnt-stations.ts'
import { Agent } from '../../src/snmp/agent.ts'
import { type User, UsmUser } from '../../src/snmp/usm-user.ts'
import { TestAgent } from './agent.ts'
import { readSnmprec } from './snmprec.ts'

const community = 'bridge words'
const bridge = '1.3.6.1.2.1.17'
const socket = new QuestionSocket({ timeout: 300, attempts: 2, perSecond: 5000, waiting: 100 })
after(() => socket.close())

const stationsAt = async (agent: Pick<TestAgent, 'device'>, credentials: Credentials, objectId?: string) => {
  const session = new DeviceSession(socket, agent.device, credentials)
  const { rows, problem } = await askStations(session, objectId, defaultWalkLimits, 100)
  assert.equal(problem, undefined)
  return rows.map(({ mac, vlan, basePort, ifIndex }) => `${mac} ${vlan} ${basePort} ${ifIndex}`)
}

const v2c: Credentials = { version: '2c', community }
const ports = [`${bridge}.1.4.1.2.1|2|101`, `${bridge}.1.4.1.2.2|2|102`]

describe('bridge tables', () => {
  test('of all VLANs, by the VLAN of each database; own, invalid and group addresses are left out', async () => {
    const q = `${bridge}.7.1.2.2.1`
    const values = readSnmprec(
      [
        ...ports,
        `${bridge}.7.1.4.2.1.3.0.10|66|3`,
        `${bridge}.7.1.4.2.1.3.0.20|66|4`,
        // Two VLANs share a database.
        `${bridge}.7.1.4.2.1.3.0.30|66|5`,
        `${bridge}.7.1.4.2.1.3.0.31|66|5`,
        ...[
          ['3.0.0.94.0.83.1', 1, 3],
          ['4.0.0.94.0.83.1', 2, 3],
          ['5.0.0.94.0.83.2', 7, 3],
          ['3.0.0.94.0.83.9', 1, 4],
          ['3.0.0.94.0.83.8', 1, 2],
          ['3.1.0.94.0.83.1', 1, 3],
          ['3.0.0.94.0.83.7', 0, 3],
        ].flatMap(([row, port, status]) => [`${q}.2.${row}|2|${port}`, `${q}.3.${row}|2|${status}`]),
      ].join('\n'),
    )
    await using agent = await TestAgent.start({ values, community })
    assert.deepEqual(await stationsAt(agent, v2c), [
      '00:00:5e:00:53:01 10 1 101',
      '00:00:5e:00:53:01 20 2 102',
      '00:00:5e:00:53:02 undefined 7 undefined',
    ])
  })

  test('of one bridge, also in version 1', async () => {
    const values = readSnmprec(
      [...ports, `${bridge}.4.3.1.2.0.0.94.0.83.1|2|2`, `${bridge}.4.3.1.3.0.0.94.0.83.1|2|3`].join('\n'),
    )
    await using agent = await TestAgent.start({ values, community })
    for (const version of ['1', '2c'] as const)
      assert.deepEqual(await stationsAt(agent, { version, community }), ['00:00:5e:00:53:01 undefined 2 102'])
  })

  const vlanValues = (vlan: number) =>
    readSnmprec(
      [
        `${bridge}.1.4.1.2.${vlan}|2|${vlan + 100}`,
        `${bridge}.4.3.1.2.0.0.94.0.83.${vlan}|2|${vlan}`,
        `${bridge}.4.3.1.3.0.0.94.0.83.${vlan}|2|3`,
      ].join('\n'),
    )
  const vtp = '1.3.6.1.4.1.9.9.46.1.3.1.1.2.1'
  const listed = readSnmprec([1, 10, 20, 1002].map((vlan) => `${vtp}.${vlan}|2|1`).join('\n'))
  const byVlan = ['00:00:5e:00:53:01 1 1 101', '00:00:5e:00:53:0a 10 10 110', '00:00:5e:00:53:14 20 20 120']

  test('of each VLAN by its community, where the vendor does so', async () => {
    const agents = [
      new Agent({ community, values: () => listed }),
      ...[1, 10, 20].map(
        (vlan) => new Agent({ community: `${community}@${vlan}`, values: () => vlanValues(vlan) }),
      ),
    ]
    const server = createSocket('udp4')
    after(() => server.close())
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    let refused = 0
    server.on('message', (datagram, from) => {
      const bytes = agents.map((agent) => agent.answer(datagram)).find((one) => one !== undefined)
      if (bytes) server.send(bytes, from.port, from.address)
      else refused += 1
    })
    const device = { device: { address: '127.0.0.1', port: server.address().port } }
    assert.deepEqual(await stationsAt(device, v2c, '1.3.6.1.4.1.9.1.1'), byVlan)
    // No other vendor's device is sent a community that it would count as wrong.
    assert.deepEqual(await stationsAt(device, v2c, '1.3.6.1.4.1.32473.1'), [])
    assert.equal(refused, 0)
  })

  test('of each VLAN by its context in version 3', async () => {
    const user: User = { name: 'ops', auth: { algorithm: 'sha256', password: 'a long password' } }
    await using agent = await TestAgent.start({
      values: listed,
      users: [user],
      answer({ context, ...asked }, honest) {
        if (context === '') return honest()
        const values = vlanValues(Number(context.replace('vlan-', '')))
        const next = values.find(({ oid }) => asked.oids.some((one) => `${oid}.`.startsWith(`${one}.`)))
        const end = { oid: '1.3.6.1.3', type: 'EndOfMibView' as const, value: '', hex: false }
        return { errorStatus: 0, errorIndex: 0, variables: [next && next.oid !== asked.oids[0] ? next : end] }
      },
    })
    assert.deepEqual(
      await stationsAt(agent, { version: '3', user: new UsmUser(user) }, '1.3.6.1.4.1.9.1.1'),
      byVlan,
    )
  })

  test('a VLAN that is not answered ends it', async () => {
    await using agent = await TestAgent.start({ values: listed, community })
    const session = new DeviceSession(socket, agent.device, v2c)
    const told = await askStations(session, '1.3.6.1.4.1.9.1.1', defaultWalkLimits, 100)
    assert.equal(told.problem?.reason, 'silent')
    assert.ok(agent.received < 8, `${agent.received} questions`)
  })
})

test('addresses of IP are read from both tables, and those of the device itself are left out', async () => {
  const values = readSnmprec(
    [
      '1.3.6.1.2.1.4.22.1.2.2.192.0.2.1|4x|00005e005301',
      '1.3.6.1.2.1.4.22.1.4.2.192.0.2.1|2|3',
      '1.3.6.1.2.1.4.22.1.2.2.192.0.2.2|4x|00005e005302',
      '1.3.6.1.2.1.4.22.1.4.2.192.0.2.2|2|2',
      '1.3.6.1.2.1.4.35.1.4.2.1.4.192.0.2.1|4x|00005e005301',
      '1.3.6.1.2.1.4.35.1.6.2.1.4.192.0.2.1|2|3',
      '1.3.6.1.2.1.4.35.1.4.3.2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.7|4x|00005e005303',
      '1.3.6.1.2.1.4.35.1.6.3.2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.7|2|3',
      '1.3.6.1.2.1.4.35.1.4.3.1.4.192.0.2.9|4x|00005e005309',
      '1.3.6.1.2.1.4.35.1.6.3.1.4.192.0.2.9|2|5',
    ].join('\n'),
  )
  await using agent = await TestAgent.start({ values, community })
  const { rows, problem } = await askArp(new DeviceSession(socket, agent.device, v2c), defaultWalkLimits)
  assert.equal(problem, undefined)
  assert.deepEqual(
    rows.map(({ ip, mac, ifIndex }) => `${ip} ${mac} ${ifIndex}`),
    ['192.0.2.1 00:00:5e:00:53:01 2', '2001:db8::7 00:00:5e:00:53:03 3'],
  )
})

describe('what has changed', () => {
  const nothing: LearntStations = { macs: [], arps: [] }
  const place = (now: number, uplinks: bigint[] = []) => ({
    ...{ deviceId: 1n, now, keepDays: 90, uplinks: new Set(uplinks), typed: new Map([[9, 4n]]) },
    ports: [1n, 2n, 3n, 4n].map((ifIndex) => ({ ifIndex, name: `Gi0/${ifIndex}`, description: '' })),
  })
  const mac = (number: number) => `00:00:5e:00:53:${number.toString(16).padStart(2, '0')}`
  const report = (rows: [number, number][], isComplete = true): StationReport => ({
    macs: {
      rows: rows.map(([number, ifIndex]) => ({ mac: mac(number), vlan: 10, basePort: ifIndex, ifIndex })),
      isComplete,
    },
    arps: { rows: [], isComplete },
  })
  /** As the store would have it afterwards. */
  let nextId = 1n
  const apply = (before: LearntStations, ...rest: [StationReport, ReturnType<typeof place>]) => {
    const { added, changed, removed } = stationDifference(before, ...rest).macs
    const gone = new Set(removed.map(({ id }) => id))
    const next = new Map(before.macs.filter(({ id }) => !gone.has(id)).map((row) => [row.id, row]))
    for (const row of changed) next.set(row.id, row)
    for (const row of added) next.set(nextId, { ...row, id: nextId++ })
    return { macs: [...next.values()], arps: [], written: added.length + changed.length + removed.length }
  }
  const shown = ({ macs }: LearntStations) =>
    macs.map(({ mac, portName, uplink, learnt, gone }) =>
      [mac.slice(-2), portName, uplink ? 'uplink' : 'access', learnt, gone].join(' '),
    )

  test('is written alone, with when an address came to its port', () => {
    const first = apply(
      nothing,
      report([
        [1, 1],
        [2, 2],
      ]),
      place(100),
    )
    const second = apply(
      first,
      report([
        [1, 1],
        [2, 3],
      ]),
      place(200),
    )
    assert.deepEqual(shown(second), ['01 Gi0/1 access 100 0', '02 Gi0/3 access 200 0'])
    assert.equal(second.written, 1)
    assert.equal(
      apply(
        second,
        report([
          [1, 1],
          [2, 3],
        ]),
        place(300),
      ).written,
      0,
    )
  })

  test('an address that is not named is kept for a week as where it was last, unless it comes back', () => {
    const first = apply(nothing, report([[1, 1]]), place(100))
    const gone = apply(first, report([]), place(200))
    assert.deepEqual(shown(gone), ['01 Gi0/1 access 100 200'])
    assert.equal(apply(gone, report([]), place(300)).written, 0)
    assert.deepEqual(shown(apply(gone, report([[1, 1]]), place(300))), ['01 Gi0/1 access 100 0'])
    assert.deepEqual(shown(apply(gone, report([]), place(201 + 7 * 86_400_000))), [])
    // Of a table that was cut off, nothing is said to be gone.
    assert.equal(apply(first, report([], false), place(200)).written, 0)
  })

  test('a port with a device of the inventory, or with many addresses, is an uplink', () => {
    const crowd = Array.from({ length: 17 }, (_, index): [number, number] => [index + 10, 2])
    const after = apply(nothing, report([[1, 1], [2, 3], ...crowd]), place(100, [1n]))
    assert.deepEqual(shown({ ...after, macs: after.macs.slice(0, 3) }), [
      '02 Gi0/3 access 100 0',
      '01 Gi0/1 uplink 100 0',
      '0a Gi0/2 uplink 100 0',
    ])
    // What is behind an uplink is forgotten at once.
    assert.deepEqual(shown(apply(after, report([[2, 3]]), place(200))), ['02 Gi0/3 access 100 0'])
  })

  test('the port that people typed in for a number of the bridge wins', () => {
    const told = { macs: { rows: [{ mac: mac(1), vlan: 1, basePort: 9, ifIndex: 2 }], isComplete: true } }
    const after = apply(nothing, { ...report([]), ...told }, place(100))
    assert.deepEqual(shown(after), ['01 Gi0/4 access 100 0'])
  })

  test('of a device that invents addresses each time, a bounded number is kept', () => {
    const invent = (round: number): StationReport => {
      const rows = Array.from({ length: 10_000 }, (_, index) => ({
        mac: `02:00:${[round, index >> 8, index & 255].map((n) => n.toString(16).padStart(2, '0')).join(':')}:00`,
        ...{ vlan: 10, basePort: index, ifIndex: index },
      }))
      return { macs: { rows, isComplete: round % 2 === 0 }, arps: { rows: [], isComplete: true } }
    }
    let known: LearntStations = nothing
    for (let round = 1; round <= 5; round += 1) known = apply(known, invent(round), place(round * 100))
    assert.ok(known.macs.length <= 10_000, `${known.macs.length}`)
  })
})
