// Open alarms are verified by asking the devices: what is over ends, and nothing else.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import type { Variable } from '../../src/snmp/variables.ts'
import { freePort } from '../free-port.ts'
import { ifIndex, linkDown, linkUp, until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { Switch, type SwitchFacts } from './know-world.ts'
import { addDevice, addProfile } from './reach-world.ts'

const port = await freePort()
const limits = { verifyQuietSeconds: 0, verifyAgainSeconds: 0 }
const often = { 'ask-seconds': '1', 'learn-seconds': '1', 'verify-seconds': '1' }
const service = await startService(often, { limits })
const calm = await startService({ ...often, 'verify-seconds': '0' }, { limits })
const json = { Accept: 'application/json' }

type Row = Record<string, string>

/** A state between two devices by BGP, as the peer table has it. */
const bgpState = (peer: string, state: number) => `1.3.6.1.2.1.15.3.1.2.${peer}|2|${state}`
const bgpDown = '1.3.6.1.2.1.15.0.2'
const bgpVariable = (peer: string): Variable => ({
  oid: `1.3.6.1.2.1.15.3.1.2.${peer}`,
  type: 'Integer32',
  value: '1',
  hex: false,
})
const fanTrap = '1.3.6.1.4.1.9.9.13.3.0.9'
const supplyState = (index: number, state: number) => `1.3.6.1.4.1.9.9.13.1.5.1.3.${index}|2|${state}`
const supplyVariables = (index: number): Variable[] => [
  { oid: `1.3.6.1.4.1.9.9.13.1.5.1.2.${index}`, type: 'OctetString', value: `PS${index}`, hex: false },
  { oid: `1.3.6.1.4.1.9.9.13.1.5.1.3.${index}`, type: 'Integer32', value: '3', hex: false },
]

const first: SwitchFacts = {
  name: 'sw1',
  ports: [
    { index: 1, name: 'Gi0/1' },
    { index: 2, name: 'Gi0/2', oper: 2 },
    { index: 3, name: 'Gi0/3', oper: 2 },
  ],
  more: [
    bgpState('192.0.2.1', 6),
    bgpState('192.0.2.2', 3),
    supplyState(1, 1),
    supplyState(2, 3),
    '1.3.6.1.4.1.9.9.13.1.5.1.2.1|4|PS1',
  ],
}

describe('verifying alarms', () => {
  let one: Switch
  const sender = createSocket('udp4')
  after(async () => {
    sender.close()
    await one[Symbol.asyncDispose]()
  })
  const send = (oid: string, variables: readonly Variable[]) =>
    sender.send(v2c(oid, variables), service.trapPort, '127.0.0.1')
  const alarms = async (where: string) =>
    service.database.all(
      `select id, oid, resource, alarm_desc, reason, rec_user_name from alarm where device_id = ${one.id} and ${where} order by id`,
    )
  const openResources = async () => (await alarms('rec_status = 0')).map((row) => String(row.resource)).sort()
  const untilOpen = (...expected: string[]) =>
    until(
      `open: ${expected.join(', ')}`,
      async () => (await openResources()).join() === expected.sort().join(),
    )
  const idOf = async (resource: string) =>
    String((await alarms(`rec_status = 0 and resource = '${resource}'`))[0]?.id)
  const checkOf = async (id: string) => (await service.get(`/fault/alarm/${id}/check`, json)).json() as Row

  test('ends what two answers find over, says so, and leaves the rest open', async () => {
    one = await Switch.start('127.0.48.1', port, first)
    await addDevice(service, one)
    await addProfile(service, port, '127.0.48.0/24')
    await until('its ports are known', async () => {
      const answer = await service.get(`/plat/port?deviceId=${one.id}`, json)
      return answer.headers.total === '3'
    })
    sender.bind(0, one.host)
    await once(sender, 'listening')
    for (const index of [1, 2]) send(linkDown, [ifIndex(index)])
    for (const peer of ['192.0.2.1', '192.0.2.2']) send(bgpDown, [bgpVariable(peer)])
    for (const index of [1, 2]) send(fanTrap, supplyVariables(index))
    const supply = (index: number) => `ciscoEnvMonSupplyStatusIndex=${index}`
    await until('all are raised', async () => (await alarms('is_receover_fault = 0')).length === 6)
    await untilOpen('ifIndex=2', 'bgpPeerRemoteAddr=192.0.2.2', supply(2))
    const ended = await alarms('is_receover_fault = 1')
    assert.deepEqual(
      ended.map((row) => [row.resource, row.reason, row.rec_user_name]).sort(),
      ['bgpPeerRemoteAddr=192.0.2.1', supply(1), 'ifIndex=1'].map((resource) => [
        ...[resource, 'found recovered by asking', '$SYSTEM'],
      ]),
    )
    const [port1] = ended.filter((row) => row.resource === 'ifIndex=1')
    assert.equal(
      port1?.alarm_desc,
      'Interface Gi0/1 (index 1) is down: found recovered by asking (ifOperStatus up)',
    )
    const [fault] = await alarms("is_receover_fault = 0 and resource = 'ifIndex=1'")
    const history = (await service.get(`/fault/alarm/${fault?.id}/history`, json)).text
    assert.match(history, /found recovered by asking/)
  })

  test('shows what the device said of an alarm that is still so', async () => {
    const id = await idOf('ifIndex=2')
    await until('it was asked', async () => (await checkOf(id)).result === 'open')
    const { asked, ...said } = await checkOf(id)
    assert(Number(asked) > 0)
    assert.deepEqual(said, {
      ...{ alarmId: id, deviceId: one.id, askable: 'true', reason: '', requested: '0', result: 'open' },
      ...{ value: 'ifOperStatus down', problem: '' },
    })
  })

  test('a report after the end raises anew', async () => {
    one.become({ ...first, ports: first.ports.map((one) => ({ ...one, oper: 2 })) })
    send(linkDown, [ifIndex(1)])
    await untilOpen('ifIndex=1', 'ifIndex=2', 'bgpPeerRemoteAddr=192.0.2.2', 'ciscoEnvMonSupplyStatusIndex=2')
  })

  test('after a restart, a port is found by its name, and what is not surely the same stays open', async () => {
    one.become({
      ...{ name: 'sw1', uptime: 300 },
      // What was port 2 has another index; another port has its own, and port 1 is gone.
      ports: [
        { index: 1, name: 'Gi1/1' },
        { index: 2, name: 'Gi0/3' },
        { index: 12, name: 'Gi0/2' },
      ],
      more: [supplyState(2, 1)],
    })
    await untilOpen('ifIndex=1', 'bgpPeerRemoteAddr=192.0.2.2', 'ciscoEnvMonSupplyStatusIndex=2')
    const [port1, supply, peer] = await Promise.all(
      ['ifIndex=1', 'ciscoEnvMonSupplyStatusIndex=2', 'bgpPeerRemoteAddr=192.0.2.2'].map(idOf),
    )
    await until('all say why', async () => {
      const results = await Promise.all([port1, supply, peer].map((id) => checkOf(String(id))))
      return results.every(({ result }) => result === 'unclear')
    })
    assert.match(
      (await checkOf(String(port1))).problem ?? '',
      /^The device calls this Gi1\/1, and the alarm was about/,
    )
    assert.match((await checkOf(String(supply))).problem ?? '', /restarted since/)
    assert.match((await checkOf(String(peer))).problem ?? '', /^The device has no 1\.3\.6/)
  })

  test('a device that does not answer proves nothing', async () => {
    const id = await idOf('ifIndex=1')
    await one[Symbol.asyncDispose]()
    assert.equal((await service.ask('PUT', `/fault/alarm/verify/${id}`)).status, 204)
    assert.equal((await openResources()).includes('ifIndex=1'), true)
    send(linkUp, [ifIndex(1)])
    await untilOpen('bgpPeerRemoteAddr=192.0.2.2', 'ciscoEnvMonSupplyStatusIndex=2')
  })
})

describe('verifying on request', () => {
  let one: Switch
  const sender = createSocket('udp4')
  after(async () => {
    sender.close()
    await one[Symbol.asyncDispose]()
  })
  const alarmIds = async (where: string) =>
    (await calm.database.all(`select id from alarm where is_receover_fault = 0 and ${where}`)).map(({ id }) =>
      String(id),
    )
  const refusal = async (id: string) => {
    const answer = await calm.ask('PUT', `/fault/alarm/verify/${id}`, { headers: json })
    assert.equal(answer.status, 409)
    return String(answer.json().message)
  }

  test('asks about that alarm alone', async () => {
    one = await Switch.start('127.0.49.1', port, {
      name: 'sw2',
      ports: [
        { index: 1, name: 'a' },
        { index: 2, name: 'b' },
      ],
    })
    await addDevice(calm, one)
    await addProfile(calm, port, '127.0.49.0/24')
    sender.bind(0, one.host)
    await once(sender, 'listening')
    for (const index of [1, 2]) sender.send(v2c(linkDown, [ifIndex(index)]), calm.trapPort, '127.0.0.1')
    await until('both are raised', async () => (await alarmIds('rec_status = 0')).length === 2)
    await until('it is asked', async () => (await calm.get(`/plat/reachability/${one.id}`)).status === 200)
    const [id = ''] = await alarmIds("resource = 'ifIndex=1'")
    assert.equal((await calm.ask('PUT', `/fault/alarm/verify/${id}`)).status, 204)
    await until('it is over', async () => (await alarmIds('rec_status = 0')).length === 1)
    assert.match(await refusal(id), /cannot be verified: it is over$/)
    const audited = await calm.database.all("select count(*) as n from audit where action = 'verify'")
    assert.equal(audited[0]?.n, 1n)
  })

  test('is refused where nobody could answer', async () => {
    const raised = await calm.sendJson('POST', '/fault/alarm', {
      ...{ OID: linkDown, alarmLevel: 2, deviceIp: one.host, resource: 'ifIndex=7' },
    })
    const byHand = raised.headers.location?.split('/').at(-1) ?? ''
    assert.match(await refusal(byHand), /it was not reported by its device$/)
    sender.send(v2c('1.3.6.1.6.3.1.1.5.5', []), calm.trapPort, '127.0.0.1')
    const failures = () => alarmIds("event_name = 'authenticationFailure'")
    await until('it is raised', async () => (await failures()).length === 1)
    assert.match(await refusal((await failures())[0] ?? ''), /no definition says what to ask about it$/)
    const profile = await calm.database.all('select id from ask_profile')
    await calm.ask('DELETE', `/plat/askProfile/${profile[0]?.id}`)
    await until(
      'it is not asked',
      async () => (await calm.get(`/plat/reachability/${one.id}`)).status === 404,
    )
    const [open = ''] = await alarmIds("rec_status = 0 and resource = 'ifIndex=2'")
    assert.match(await refusal(open), /no profile is meant for it$/)
    const answer = await calm.get(`/fault/alarm/${open}/check`, json)
    assert.deepEqual([answer.json().askable, answer.json().result], ['false', ''])
  })
})
