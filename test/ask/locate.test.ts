// Where is this MAC? From bridge tables and ARP, beside what switches reported and what people bound.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { until, v2c } from '../intake/sending.ts'
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

const fdb = '1.3.6.1.2.1.17.7.1.2.2.1'
const learnt = (vlan: number, last: number, portNumber: number) => [
  `${fdb}.2.${vlan}.0.0.94.0.83.${last}|2|${portNumber}`,
  `${fdb}.3.${vlan}.0.0.94.0.83.${last}|2|3`,
]
const bridgePorts = [1, 2, 3].map((index) => `1.3.6.1.2.1.17.1.4.1.2.${index}|2|${index}`)
const ports = [1, 2, 3].map((index) => ({ index, name: `Gi0/${index}`, mac: `00:00:5e:00:53:e${index}` }))
const terminal = '00:00:5e:00:53:77'

const core: SwitchFacts = {
  name: 'core',
  ports: ports.map((one) => ({ ...one, mac: one.mac.replace(':e', ':d') })),
  neighbours: [{ port: 1, name: 'access', remotePort: 'Gi0/1', address: '127.0.47.2' }],
  more: [
    ...bridgePorts,
    ...learnt(10, 0x77, 1),
    '1.3.6.1.2.1.4.22.1.2.3.192.0.2.77|4x|00005e005377',
    '1.3.6.1.2.1.4.22.1.4.3.192.0.2.77|2|3',
  ],
}
const access = (portNumber: number | undefined): SwitchFacts => ({
  name: 'access',
  ports,
  neighbours: [{ port: 1, name: 'core', remotePort: 'Gi0/1', address: '127.0.47.1' }],
  more: [...bridgePorts, ...(portNumber === undefined ? [] : learnt(10, 0x77, portNumber))],
})

describe('where a MAC address is', () => {
  let [one, two]: Switch[] = []
  after(async () => {
    await one?.[Symbol.asyncDispose]()
    await two?.[Symbol.asyncDispose]()
  })
  const located = async (query = `mac=${terminal}`) =>
    (await rowsOf(`/plat/macLocation?${query}`)).map((row) =>
      [row.source, row.state, row.deviceName, row.port, row.vlan].join(' '),
    )

  test('follows from the bridge tables: the access port first, then the ports that it is behind', async () => {
    one = await Switch.start('127.0.47.1', port, core)
    two = await Switch.start('127.0.47.2', port, access(2))
    await addDevice(service, one, { label: 'core' })
    await addDevice(service, two, { label: 'access' })
    await addProfile(service, port, '127.0.47.0/24')
    const expected = ['bridge here access Gi0/2 10', 'bridge behind core Gi0/1 10', 'arp behind core Gi0/3 0']
    await until('it is known', async () => (await located()).join() === expected.join())
    const [row] = await rowsOf(`/plat/macLocation?mac=0000.5e00.5377`)
    assert.deepEqual(row?.ip, ['192.0.2.77'])
    assert.ok(Number(row?.since) > 0)
    assert.deepEqual(await located('ip=192.0.2.77'), expected)
    assert.deepEqual(await located('ip=192.0.2.78'), [])
    // A port of a switch has an address itself.
    assert.deepEqual(await located('mac=00:00:5e:00:53:e2'), ['port here access Gi0/2 0'])
    assert.equal((await service.get('/plat/macLocation')).status, 400)
    assert.equal((await service.get(`/plat/macLocation?mac=${terminal}&ip=192.0.2.77`)).status, 400)
    const entries = await rowsOf(`/plat/macEntry?mac=${terminal}&uplink=false`)
    assert.deepEqual(
      entries.map((entry) => [entry.deviceId, entry.ifIndex, entry.portName, entry.gone]),
      [[two.id, '2', 'Gi0/2', '0']],
    )
    assert.equal((await rowsOf('/plat/arpEntry?ip=192.0.2.77')).length, 1)
  })

  test('is told to programs of the iMC interface as they read it', async () => {
    const read = async (path: string) => (await service.get(`/imcrs${path}`, json)).json() as Row
    const [first] = (await rowsOf('/plat/macLocation?ip=192.0.2.77')) as [Row]
    const location = {
      ...{ locateIp: '192.0.2.77', deviceId: first.deviceId, deviceIp: '127.0.47.2', ifDesc: 'Gi0/2' },
      ifIndex: '2',
    }
    for (const query of [
      'type=2&value=192.0.2.77&total=false',
      `type=1&value=${terminal}`,
      '&value=192.0.2.77',
    ])
      assert.deepEqual(await read(`/res/access/realtimeLocate?${query}`), { realtimeLocation: [location] })
    assert.deepEqual(await read('/res/access/realtimeLocate?type=2&value=192.0.2.78'), {})
    assert.equal((await service.get('/imcrs/res/access/realtimeLocate?type=2')).status, 400)
    assert.equal((await service.get('/imcrs/res/access/realtimeLocate?type=1&value=192.0.2.77')).status, 400)
    const device = `${service.url}/imcrs/plat/res/device/${one?.id}`
    const arp = {
      ...{ device, deviceId: one?.id, deviceIp: '192.0.2.77', ifIndex: '3', iface: `${device}/interface/3` },
      macAddress: terminal,
    }
    assert.deepEqual(await read(`/res/access/ipMacArp/${one?.id}`), { ipMacArp: [arp] })
    assert.deepEqual(await read(`/res/access/ipMacArp/${two?.id}`), {})
    assert.equal((await service.get('/imcrs/res/access/ipMacArp/987654')).status, 404)
    const names = async (path: string, key: string) =>
      ((await read(path))[key] as { id: string; name: string }[]).map(({ id, name }) => `${id} ${name}`)
    assert.ok((await names('/plat/res/vendor', 'deviceVendor')).includes('9 Cisco'))
    assert.ok((await names('/plat/res/vendor', 'deviceVendor')).includes('32473 Enterprise 32473'))
    assert.ok((await names('/plat/res/category', 'deviceCategory')).includes('1 Switches'))
    assert.deepEqual(await read('/plat/res/series?managedOnly=false'), {})
    const models = (await read('/plat/res/model')).deviceModel as Row[]
    assert.deepEqual(
      models.map(({ name, sysOid }) => [name, sysOid]),
      [['EX-24', '1.3.6.1.4.1.32473.1']],
    )
    const shown = await read(`/plat/res/device/${one?.id}`)
    assert.deepEqual(
      [shown.symbolName, shown.symbolType, shown.symbolLevel, shown.parentId, shown.symbolId],
      ['core', '3', '2', '1', String(1_000_000_000 + Number(one?.id))],
    )
  })

  test('changes when it moves, and is kept as the last place when it goes', async () => {
    const [before] = await rowsOf(`/plat/macEntry?mac=${terminal}&uplink=false`)
    two?.becomeNext(access(3))
    await until('it has moved', async () => (await located())[0] === 'bridge here access Gi0/3 10')
    const [after] = await rowsOf(`/plat/macEntry?mac=${terminal}&uplink=false`)
    assert.ok(Number(after?.learnt) > Number(before?.learnt))
    two?.becomeNext(access(undefined))
    await until('it has gone', async () => (await located())[0] === 'bridge left access Gi0/3 10')
  })

  test('is what a switch reports of it, and what people bound comes first', async () => {
    const sender = createSocket('udp4')
    sender.bind(0, two?.host)
    await once(sender, 'listening')
    // HH3C-MAC-INFORMATION-MIB: an address has moved to an interface.
    const object = '1.3.6.1.4.1.25506.2.87.1.4'
    const moved = v2c(`${object}.0.2`, [
      { oid: `${object}.2.5.0`, type: 'OctetString', value: terminal, hex: true },
      { oid: `${object}.2.8.0`, type: 'Integer32', value: '2', hex: false },
    ])
    sender.send(moved, service.trapPort, '127.0.0.1')
    await until('it was reported', async () => (await located())[0]?.startsWith('trap') === true)
    sender.close()
    assert.deepEqual((await located()).slice(0, 2), [
      'trap here access interface 2 0',
      'bridge left access Gi0/3 10',
    ])
    const bound = await service.send(
      'POST',
      '/res/access/macAccessBind',
      `<macAccessBind><terminalMac>${terminal}</terminalMac><bindType>2</bindType><ifInfo><deviceId>${two?.id}</deviceId><ifIndex>1</ifIndex></ifInfo></macAccessBind>`,
    )
    assert.equal(bound.status, 201, bound.text)
    assert.equal((await located())[0], 'bound allowed access Gi0/1 0')
  })

  test('is forgotten with the terminal', async () => {
    const [{ id } = {}] = await rowsOf(`/res/access/terminal?terminalMac=${terminal}`)
    assert.equal((await service.ask('DELETE', `/res/access/terminal/${id}`)).status, 204)
    assert.ok((await located()).every((row) => !row.startsWith('trap') && !row.startsWith('bridge left')))
  })

  test('goes with the device that said it', async () => {
    for (const { id } of [one, two] as Switch[])
      assert.equal((await service.ask('DELETE', `/plat/res/device/${id}`)).status, 204)
    assert.deepEqual(await rowsOf('/plat/macEntry'), [])
    assert.equal((await service.get('/plat/macEntry')).headers.total, '0')
    assert.equal((await service.get('/plat/arpEntry')).headers.total, '0')
  })
})
