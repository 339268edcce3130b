// GET /fault/alarm/{id}/impact: terminals bound to the port or device, their addresses and owners, the devices and
// zones behind it, as a tree with counts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, refused } from './reading.ts'

const service = await startService()
const post = async (path: string, body: object) => {
  const answer = await service.sendJson('POST', path, body)
  assert.ok(answer.status < 300, answer.text)
  return idOf(answer)
}
let made = 0
const device = (label: string, more: object = {}) => {
  made += 1
  return post('/plat/res/device', { ip: `10.0.0.${made}`, label, ...more })
}
const bind = (n: number, deviceId: string, ifIndex: number, terminalName: string) =>
  post('/res/access/macAccessBind', {
    terminalMac: `00:00:00:00:00:0${n}`,
    terminalName,
    bindType: 2,
    maintainer: 'Desk team',
    ifInfo: [{ deviceId, ifIndex }],
  })

interface Node {
  deviceId: string
  deviceName: string
  devices: string
  cutOff: string
  terminals: string
  addresses: string
  ifIndex?: string
  parentIfIndex?: string
  otherWays?: string
  complete?: string
  zone: { zoneId: string; name: string; devices: string; terminals: string }[]
  address: { ip: string; owner: string }[]
  terminal: { terminalName: string; ifIndex: string; address: { ip: string; owner: string }[] }[]
  impact: Node[]
}

let alarms = 0
async function impact(deviceId: string, ifIndex?: number): Promise<Node> {
  alarms += 1
  const id = await post('/fault/alarm', {
    OID: `1.3.6.1.4.1.32473.1.${alarms}`,
    alarmLevel: 1,
    deviceId,
    ...(ifIndex !== undefined && { ifIndex }),
  })
  const answer = await service.get(`/fault/alarm/${id}/impact`, { Accept: 'application/json' })
  assert.equal(answer.status, 200, answer.text)
  // The XML is checked against the published schema.
  assert.equal((await service.get(`/fault/alarm/${id}/impact`)).status, 200)
  return answer.json() as unknown as Node
}

const names = (nodes: readonly Node[]) => nodes.map(({ deviceName }) => deviceName)

const plant = await post('/ram/zone', { name: 'Plant' })
const core = await device('core')
const spare = await device('spare')
const east = await device('east', { parent: [{ deviceId: core, ifIndex: 49, parentIfIndex: 1 }] })
const west = await device('west', { zoneId: plant, parent: [{ deviceId: core, parentIfIndex: 2 }] })
await device('both', { parent: [{ deviceId: core, parentIfIndex: 2 }, { deviceId: spare }] })
const leaf = await device('leaf', {
  zoneId: plant,
  parent: [{ deviceId: west, ifIndex: 1, parentIfIndex: 5 }],
})
await bind(1, core, 1, 'console')
await bind(2, east, 3, 'desk 7')
await bind(3, leaf, 2, 'press 1')
const segment = await post('/res/access/assignedIpScope', {
  startIp: '10.0.0.0',
  endIp: '10.0.0.99',
  name: 's',
})
const own = (ip: string, name: string, description: string) =>
  post(`/res/access/assignedIpScope/ip?ipScopeId=${segment}`, { ip, name, description })
await own('10.0.0.50', 'Anke Petersen', 'DESK 7')
await own('10.0.0.51', 'Press 1', 'controller')
await own('10.0.0.3', 'Network Operations', 'east')

test('the devices behind a device are a tree with counts, each with the port at either end', async () => {
  const root = await impact(core)
  assert.equal(root.deviceName, 'core')
  assert.deepEqual([root.devices, root.terminals, root.addresses], ['4', '3', '3'])
  assert.deepEqual(names(root.impact), ['east', 'west', 'both'])
  const [first, second] = root.impact
  assert.deepEqual([first?.ifIndex, first?.parentIfIndex], ['49', '1'])
  assert.deepEqual(names(second?.impact ?? []), ['leaf'])
  assert.deepEqual([second?.devices, second?.terminals], ['1', '1'])
  assert.equal(root.complete, 'true')
})

test('terminals are shown with their addresses and owners, found by their names', async () => {
  const root = await impact(core)
  const [east] = root.impact
  assert.deepEqual(east?.terminal[0]?.terminalName, 'desk 7')
  assert.deepEqual(east?.terminal[0]?.address, [
    { ip: '10.0.0.50', owner: 'Anke Petersen', description: 'DESK 7' },
  ])
  assert.deepEqual(
    east?.address.map(({ owner }) => owner),
    ['Network Operations'],
    'whose the device is',
  )
})

test('a device that has another way is shown as such, and is not cut off', async () => {
  const root = await impact(core)
  assert.equal(root.impact.find(({ deviceName }) => deviceName === 'both')?.otherWays, 'true')
  assert.equal(root.impact[0]?.otherWays, 'false')
  assert.equal(root.cutOff, '3')
  assert.equal((await impact(spare)).cutOff, '0')
})

test('zones are counted with their devices and terminals', async () => {
  const { zone } = await impact(core)
  assert.deepEqual(zone, [
    { zoneId: '1', name: 'Default', devices: '2', terminals: '2' },
    { zoneId: plant, name: 'Plant', devices: '2', terminals: '1' },
  ])
})

test('of one port, only what is behind that port and the terminals bound to it', async () => {
  const one = await impact(core, 1)
  assert.deepEqual([names(one.impact), one.terminal.map(({ ifIndex }) => ifIndex)], [['east'], ['1']])
  const two = await impact(core, 2)
  assert.deepEqual(names(two.impact), ['west', 'both'])
  assert.equal(two.terminal.length, 0)
  assert.deepEqual((await impact(core, 9)).impact, [])
})

test('a port that is the only way up of its device stands for the whole device', async () => {
  const root = await impact(west, 77)
  assert.deepEqual(root.impact, [], 'a port of which nothing is known')
  const leafUplink = await impact(leaf, 1)
  assert.equal(leafUplink.terminals, '1')
})

test('deep chains and a wide tree are counted', async () => {
  const rows = ['ip,label,parent[1]/deviceId,id']
  for (let n = 0; n < 300; n += 1)
    rows.push(`10.1.${n >> 8}.${n & 255},chain ${n},${n === 0 ? '' : 9999 + n},${10_000 + n}`)
  const answer = await service.ask('POST', '/plat/data/device', {
    headers: { 'Content-Type': 'text/csv' },
    body: `${rows.join('\n')}\n`,
  })
  assert.equal(answer.status, 200, answer.text)
  const root = await impact('10000')
  assert.deepEqual([root.devices, root.cutOff], ['299', '299'])
})

test('an alarm that is not there has no impact: 404', async () => {
  refused(await service.get('/fault/alarm/999999/impact'), 404)
})
