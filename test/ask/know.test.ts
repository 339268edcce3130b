// What devices say of themselves is learnt, kept, and compared with what they said before.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { ifIndex, linkDown, until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { Switch, type SwitchFacts } from './know-world.ts'
import { addDevice, addProfile } from './reach-world.ts'

const port = await freePort()
const service = await startService({ 'ask-seconds': '1', 'learn-seconds': '1' })
const json = { Accept: 'application/json' }

type Row = Record<string, unknown>

async function rowsOf(path: string): Promise<Row[]> {
  const answer = await service.get(path, json)
  assert.equal(answer.status, 200, answer.text)
  const [rows = []] = Object.values(answer.json()) as (Row | Row[])[]
  return [rows].flat()
}

const first: SwitchFacts = {
  name: 'sw1',
  location: 'Room 1',
  addresses: { '127.0.46.1': 1, '192.0.2.1': 2 },
  ports: [
    { index: 1, name: 'Gi0/1', alias: 'uplink' },
    { index: 2, name: 'Gi0/2', oper: 2 },
    { index: 3, name: 'Gi0/3' },
  ],
  neighbours: [
    { port: 1, name: 'sw2', remotePort: 'Gi0/9', address: '127.0.46.2' },
    { port: 3, name: 'phone', remotePort: 'Port 1', protocol: 'cdp', address: '192.0.2.9' },
  ],
}

describe('what devices say', () => {
  let one: Switch
  let two: Switch
  after(async () => {
    await one[Symbol.asyncDispose]()
    await two[Symbol.asyncDispose]()
  })
  const ports = (query = '') => rowsOf(`/plat/port?deviceId=${one.id}&size=100&${query}`)
  const neighbours = () => rowsOf(`/plat/neighbour?deviceId=${one.id}&size=100`)
  const changes = async () => {
    const rows = await rowsOf(`/plat/deviceChange?deviceId=${one.id}&orderBy=id&desc=false&size=200`)
    return rows.map((row) => `${row.kind} ${row.portName}: ${row.oldValue} > ${row.newValue}`)
  }
  const untilChange = (expected: string) => until(expected, async () => (await changes()).includes(expected))

  test('is learnt after the first answer', async () => {
    two = await Switch.start('127.0.46.2', port, { name: 'sw2', ports: [{ index: 9, name: 'Gi0/9' }] })
    one = await Switch.start('127.0.46.1', port, first)
    await addDevice(service, two)
    await addDevice(service, one, { location: 'Room 7', interfaces: [{ ifIndex: 2, ifDesc: 'Printer' }] })
    await addProfile(service, port, '127.0.46.0/24')
    await until('both are known', async () => (await rowsOf('/plat/deviceFacts')).length === 2)
    const answer = await service.get(`/plat/deviceFacts/${one.id}`, json)
    const { learnt, asked, ...facts } = answer.json()
    assert.ok(Number(learnt) > 0 && Number(asked) >= Number(learnt))
    assert.deepEqual(facts, {
      ...{ deviceId: one.id, deviceIp: '127.0.46.1', deviceName: 'at 127.0.46.1', sysName: 'sw1' },
      ...{ sysDescription: 'An example switch', sysOid: '1.3.6.1.4.1.32473.1', location: 'Room 1' },
      ...{ contact: 'noc@example.net', serialNumber: 'SN1', model: 'EX-24', software: '1.0' },
      ...{ address: ['192.0.2.1'], problem: '', differs: 'location' },
    })
    const shown = (await ports()).map(({ ifIndex, name, alias, speed, mac, operStatus, typed }) =>
      [ifIndex, name, alias, speed, mac, operStatus, typed].join(' '),
    )
    assert.deepEqual(shown, [
      '1 Gi0/1 uplink 1000000000 00:00:5e:00:53:01 1 ',
      '2 Gi0/2  1000000000 00:00:5e:00:53:02 2 Printer',
      '3 Gi0/3  1000000000 00:00:5e:00:53:03 1 ',
    ])
    assert.equal((await ports('name=gi0*')).length, 3)
    assert.equal((await ports('mac=*5302&operStatus=2')).length, 1)
    assert.deepEqual(
      (await neighbours()).map((row) => [
        row.protocol,
        row.portName,
        row.sysName,
        row.remotePort,
        row.neighbourId,
      ]),
      [
        ['lldp', 'Gi0/1', 'sw2', 'Gi0/9', two.id],
        ['cdp', 'Gi0/3', 'phone', 'Port 1', undefined],
      ],
    )
    assert.deepEqual(await changes(), [])
  })

  test('names the port in a trap that carries its index alone, unless people named it', async () => {
    const sender = createSocket('udp4')
    sender.bind(0, one.host)
    await once(sender, 'listening')
    for (const index of [1, 2]) sender.send(v2c(linkDown, [ifIndex(index)]), service.trapPort, '127.0.0.1')
    const names = async () => {
      const rows = await service.database.all(
        `select if_index, if_desc from alarm where device_id = ${one.id} and event_name = 'linkDown' order by if_index`,
      )
      return rows.map((row) => `${row.if_index} ${row.if_desc}`).join()
    }
    await until('both are alarms', async () => (await names()) === '1 Gi0/1,2 Printer')
    sender.close()
  })

  test('changes are told: names, indexes, neighbours, software', async () => {
    const [id1] = (await ports('ifIndex=1')).map(({ id }) => id)
    one.becomeNext({
      ...first,
      software: '2.0',
      location: 'Room 2',
      addresses: { '192.0.2.2': 2 },
      ports: [
        { index: 11, name: 'Gi0/1', alias: 'to the core', mac: '00:00:5e:00:53:01' },
        { index: 2, name: 'Server', speed: 100, oper: 2 },
        { index: 3, name: 'Gi0/3', admin: 2, oper: 2 },
        { index: 4, name: 'Gi0/4' },
      ],
      neighbours: [{ port: 11, name: 'sw3', remotePort: 'Gi0/9', chassis: '00:00:5e:00:53:f3' }],
    })
    await untilChange('neighbourRemoved Gi0/3: phone Port 1 > ')
    assert.deepEqual((await changes()).toSorted(), [
      'addressAdded :  > 192.0.2.2',
      'addressRemoved : 192.0.2.1 > ',
      'location : Room 1 > Room 2',
      'neighbourChanged Gi0/1: sw2 Gi0/9 > sw3 Gi0/9',
      'neighbourRemoved Gi0/3: phone Port 1 > ',
      'portAdded Gi0/4:  > Gi0/4',
      'portAdminStatus Gi0/3: 1 > 2',
      'portAlias Gi0/1: uplink > to the core',
      'portRenamed Server: Gi0/2 > Server',
      'portRenumbered Gi0/1: 1 > 11',
      'portSpeed Server: 1000000000 > 100000000',
      'software : 1.0 > 2.0',
    ])
    const [renumbered] = await ports('ifIndex=11')
    assert.deepEqual([renumbered?.id, renumbered?.name], [id1, 'Gi0/1'])
    assert.equal((await rowsOf(`/plat/deviceChange?deviceId=${one.id}&ifIndex=11`)).length, 3)
    assert.equal((await rowsOf(`/plat/deviceChange?deviceId=${one.id}&kind=software,location`)).length, 2)
  })

  test('what stays the same is written once, and asked anew', async () => {
    const [before] = await rowsOf(`/plat/deviceFacts?deviceId=${one.id}`)
    await until('it was asked again', async () => {
      const [facts] = await rowsOf(`/plat/deviceFacts?deviceId=${one.id}`)
      return Number(facts?.asked) > Number(before?.asked)
    })
    const [facts] = await rowsOf(`/plat/deviceFacts?deviceId=${one.id}`)
    assert.equal(facts?.learnt, before?.learnt)
  })

  test('goes with its device', async () => {
    assert.equal((await service.ask('DELETE', `/plat/res/device/${one.id}`)).status, 204)
    for (const list of ['port', 'neighbour', 'deviceChange', 'deviceFacts'])
      assert.deepEqual(await rowsOf(`/plat/${list}?deviceId=${one.id}`), [])
    // Totals that are kept, and not counted.
    assert.equal((await service.get('/plat/port')).headers.total, '1')
    assert.equal((await service.get('/plat/deviceFacts')).headers.total, '1')
  })
})
