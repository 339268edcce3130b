// Faults that no report told of are found by asking, where the good state was seen before.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { ifIndex, linkUp, until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { Switch, type SwitchFacts } from './know-world.ts'
import { addDevice, addProfile, idFrom } from './reach-world.ts'

const port = await freePort()
const limits = { verifyQuietSeconds: 0, verifyAgainSeconds: 0 }
const often = { 'ask-seconds': '1', 'learn-seconds': '1', 'verify-seconds': '1' }
const service = await startService(often, { limits })

const peer = '192.0.2.1'
const bgp = (state: number, wanted = 2) => [
  `1.3.6.1.2.1.15.3.1.2.${peer}|2|${state}`,
  `1.3.6.1.2.1.15.3.1.3.${peer}|2|${wanted}`,
  `1.3.6.1.2.1.15.3.1.14.${peer}|4x|0400`,
]
const neighbour = '198.51.100.9'
const ospf = (state: number) => [
  `1.3.6.1.2.1.14.10.1.1.${neighbour}.0|64|${neighbour}`,
  `1.3.6.1.2.1.14.10.1.2.${neighbour}.0|2|0`,
  `1.3.6.1.2.1.14.10.1.6.${neighbour}.0|2|${state}`,
]
const ups = (source: number) => [`1.3.6.1.2.1.33.1.4.1.0|2|${source}`]

const names = ['Gi0/1', 'Gi0/2', 'Gi0/3', 'Gi0/4', 'Gi0/5']
/** Ports by name: index, and state if it is not up. */
const ports = (state: Record<string, object> = {}) =>
  names.map((name, at) => ({ index: at + 1, name, ...state[name] }))
const down = { oper: 2 }
const well: SwitchFacts = {
  name: 'sw1',
  ports: ports({ 'Gi0/5': down }),
  more: [...bgp(6), ...ospf(8), ...ups(3)],
}

describe('faults that nobody reported', () => {
  let one: Switch
  const sender = createSocket('udp4')
  after(async () => {
    sender.close()
    await one[Symbol.asyncDispose]()
  })
  const open = async () =>
    (
      await service.database.all(
        `select id, resource, alarm_desc, original_type, reason, event_name, suppressed, trap_id from alarm where device_id = ${one.id} and rec_status = 0 and original_type <> 1 order by id`,
      )
    ).map(
      (row) => ({ ...row, resource: String(row.resource) }) as Record<string, unknown> & { resource: string },
    )
  const untilOpen = (...resources: string[]) =>
    until(`open: ${resources.join(', ') || 'none'}`, async () => {
      const found = (await open()).map(({ resource }) => resource)
      return found.sort().join() === resources.sort().join()
    })
  const seen = async () => {
    const [row] = await service.database.all(`select seen, parts from seen_state where id = ${one.id}`)
    return { at: Number(row?.seen ?? 0), parts: String(row?.parts ?? '') }
  }
  const untilLooked = async () => {
    const since = Date.now()
    await until('it was looked at', async () => (await seen()).at > since)
  }
  const become = async (facts: Partial<SwitchFacts>) => {
    one.become({ ...well, ...facts })
    await untilLooked()
  }

  before(async () => {
    one = await Switch.start('127.0.51.1', port, well)
    await addDevice(service, one)
    await addProfile(service, port, '127.0.51.0/24', { timeoutSeconds: 10, tries: 3 })
    sender.bind(0, one.host)
    await once(sender, 'listening')
    await until('its states are known', async () => (await seen()).parts.includes('Gi0/1'))
  })

  test('an alarm is raised that says so, and a report ends it', async () => {
    await become({ ports: ports({ 'Gi0/2': down, 'Gi0/5': down }) })
    await untilOpen('ifIndex=2')
    const [alarm] = await open()
    assert.deepEqual(
      [alarm?.event_name, alarm?.original_type, alarm?.reason, alarm?.trap_id, alarm?.alarm_desc],
      [
        ...['linkDown', 3n, 'found by asking', 0n],
        'Interface Ethernet Gi0/2 (index 2) is down: found by asking (ifOperStatus down)',
      ],
    )
    const ledger = await service.database.all('select count(*) as n from trap')
    assert.equal(ledger[0]?.n, 0n, 'nothing was received')
    sender.send(v2c(linkUp, [ifIndex(2)]), service.trapPort, '127.0.0.1')
    one.become(well)
    await untilOpen()
  })

  test('what was raised by asking is verified as any other, and can be asked about', async () => {
    await become({ ports: ports({ 'Gi0/3': down, 'Gi0/5': down }) })
    await untilOpen('ifIndex=3')
    const [alarm] = await open()
    assert.equal((await service.ask('PUT', `/fault/alarm/verify/${alarm?.id}`)).status, 204)
    await become({})
    await untilOpen()
  })

  test('a port that was never up, or is switched off, is no fault; what somebody ended stays ended', async () => {
    await become({ ports: ports({ 'Gi0/1': { admin: 2, oper: 2 }, 'Gi0/4': down, 'Gi0/5': down }) })
    await untilOpen('ifIndex=4')
    const [alarm] = await open()
    assert.equal((await service.ask('PUT', `/fault/alarm/recover/${alarm?.id}`)).status, 204)
    await untilLooked()
    assert.deepEqual(await open(), [])
    await become({})
    await become({ ports: ports({ 'Gi0/4': down, 'Gi0/5': down }) })
    await untilOpen('ifIndex=4')
    await become({})
    await untilOpen()
  })

  test('neighbours of BGP and OSPF, and a UPS on battery', async () => {
    await become({ more: [...bgp(1), ...ospf(1), ...ups(5)] })
    const resources = [
      `bgpPeerRemoteAddr=${peer}`,
      `ospfNbrAddressLessIndex=0;ospfNbrIpAddr=${neighbour}`,
      '',
    ]
    await untilOpen(...resources)
    assert.deepEqual((await open()).map((alarm) => alarm.event_name).sort(), [
      'bgpBackwardTransNotification',
      'ospfNbrStateChange',
      'upsTrapOnBattery',
    ])
    await become({})
    await untilOpen()
    await become({ more: [...bgp(1, 1), ...ospf(8), ...ups(3)] })
    assert.deepEqual(await open(), [], 'a neighbour that was stopped is no fault')
    await become({})
  })

  test('trap rules and maintenance windows apply', async () => {
    const created = async (path: string, body: object) => idFrom(await service.sendJson('POST', path, body))
    const rule = await created('/fault/trapRule', {
      ...{ trapRuleName: 'ports', trapGroup: -1, trapOId: ['1.3.6.1.6.3.1.1.5.3'] },
      trapDevice: [{ displayName: 'sw1', devID: one.id }],
    })
    await become({ ports: ports({ 'Gi0/1': down, 'Gi0/5': down }) })
    assert.deepEqual(await open(), [])
    await become({})
    assert.equal((await service.ask('DELETE', `/fault/trapRule/${rule}`)).status, 204)
    const work = { name: 'Work', minutes: 60, device: [one.id] }
    const window = await created('/fault/maintenance', work)
    await become({ ports: ports({ 'Gi0/1': down, 'Gi0/5': down }) })
    await untilOpen('ifIndex=1')
    assert.equal((await open())[0]?.suppressed, 1n)
    await become({})
    await untilOpen()
    assert.equal((await service.ask('DELETE', `/fault/maintenance/${window}`)).status, 204)
  })

  test('after a restart, parts are known by their names, and the alarm of a port that has another index goes there', async () => {
    await become({ ports: ports({ 'Gi0/1': down, 'Gi0/5': down }) })
    await untilOpen('ifIndex=1')
    // As if it had been reported long before the restart.
    await service.database.transaction((tx) =>
      tx.run('update alarm set last_time = last_time - 600000 where rec_status = 0 and original_type = 3'),
    )
    const renumbered = names.map((name, at) => ({ index: 20 - at, name }))
    const broken = ['Gi0/1', 'Gi0/2', 'Gi0/5']
    await become({
      ...{ uptime: 300 },
      ports: renumbered.map((one) => (broken.includes(one.name) ? { ...one, ...down } : one)),
    })
    await untilOpen('ifIndex=20', 'ifIndex=19')
    const ended = await service.database.all(
      `select alarm_desc from alarm where device_id = ${one.id} and is_receover_fault = 1 order by id desc limit 1`,
    )
    assert.match(String(ended[0]?.alarm_desc), /: its index is another one since the device restarted$/)
    await become({ uptime: 300, ports: renumbered })
    await untilOpen()
  })
})
