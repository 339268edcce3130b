// Where a terminal is, over HTTP: what accounting has reported, lists of it, and its erasure.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { texts } from '../support.ts'
import { bearer, startGuarded, tokenOf } from './credentials.ts'
import { idOf, refused } from './reading.ts'

const service = await startGuarded()
const token = await tokenOf(service, 'operator', { scope: 'access' })
const mac = (n: number) => `00:1b:44:00:00:0${n}`

const get = (path: string) => service.as('viewer', 'GET', path)

async function account(acctStatusType: string, n: number, nasPortId: string, framedIp = ''): Promise<void> {
  const body = { acctStatusType, sourceIp: '10.7.0.2', callingStationId: mac(n), nasPortId, framedIp }
  const headers = { ...bearer(token), 'Content-Type': 'application/json' }
  const answer = await service.ask('POST', '/res/access/accounting', { headers, body: JSON.stringify(body) })
  assert.equal(answer.status, 204, answer.text)
}

const device = await service.asJson('administrator', 'POST', '/plat/res/device', {
  ip: '10.7.0.2',
  label: 'sw-7',
  interfaces: [
    { ifIndex: 3, ifDesc: 'GigabitEthernet1/0/3' },
    { ifIndex: 4, ifDesc: 'GigabitEthernet1/0/4', basePort: 40 },
  ],
})
await service.asJson('administrator', 'POST', '/res/access/macAccessBind', {
  terminalMac: mac(1),
  terminalName: 'Till',
  maintainer: 'Ann',
  bindType: 2,
  ifInfo: [{ deviceId: idOf(device), ifIndex: 3 }],
})
await account('Start', 1, 'Gi1/0/3', '10.7.1.1')
await account('Start', 2, 'Gi1/0/4')
await account('Start', 1, 'Gi1/0/4', '10.7.1.1')

test('a terminal is found by its address in any spelling, with names and where it is', async () => {
  for (const spelling of [
    mac(1),
    '001B44000001',
    '001b.4400.0001',
    '00-1B-44-00-00-01',
    '001b-4400-0001',
    '*:00:01',
  ]) {
    const { text, headers } = await get(`/res/access/terminal?terminalMac=${spelling}`)
    assert.equal(headers.total, '1', spelling)
    assert.deepEqual(texts(text, 'terminalMac'), [mac(1)])
  }
  const { text } = await get(`/res/access/terminal?terminalMac=${mac(1)}`)
  const one = (name: string) => texts(text, name)[0]
  const shown = [
    'terminalName',
    'maintainer',
    'deviceName',
    'deviceIp',
    'ifIndex',
    'port',
    'ip',
    'present',
    'bound',
    'violation',
  ]
  assert.deepEqual(shown.map(one), [
    'Till',
    'Ann',
    'sw-7',
    '10.7.0.2',
    '4',
    'GigabitEthernet1/0/4',
    '10.7.1.1',
    'true',
    'true',
    'true',
  ])
  assert.equal((await get(`/res/access/terminal/${one('id')}`)).text.includes(mac(1)), true)
})

test('lists are filtered by place, address and standing', async () => {
  const total = async (query: string) => (await get(`/res/access/terminal?${query}`)).headers.total
  assert.equal(await total(''), '2')
  assert.equal(await total(`deviceId=${idOf(device)}&ifIndex=4`), '2')
  assert.equal(await total('ip=10.7.1.*'), '1')
  assert.equal(await total('violation=true'), '1')
  assert.equal(await total('bound=false'), '1')
  assert.equal(await total('present=false'), '0')
  assert.equal(await total('startTime=1&endTime=2'), '0')
  assert.equal(await total('zoneId=1'), '2')
  refused(await get('/res/access/terminal?violation=maybe'), 400)
  refused(await get('/res/access/terminal?orderBy=port'), 400)
  const ordered = await get('/res/access/terminal?orderBy=terminalMac&desc=true')
  assert.deepEqual(texts(ordered.text, 'terminalMac'), [mac(2), mac(1)])
})

test('where it was is listed apart', async () => {
  const { text, headers } = await get('/res/access/terminalStay?terminalMac=001b44000001')
  assert.equal(headers.total, '1')
  assert.deepEqual([texts(text, 'port'), texts(text, 'terminalName')], [['GigabitEthernet1/0/3'], ['Till']])
  refused(await service.as('administrator', 'POST', '/res/access/terminalStay'), 405)
})

test('one terminal is erased with all that is kept of it, and the audit log says no more than that', async () => {
  const [id] = texts((await get(`/res/access/terminal?terminalMac=${mac(1)}`)).text, 'id')
  refused(await service.as('viewer', 'DELETE', `/res/access/terminal/${id}`), 403)
  assert.equal((await service.as('operator', 'DELETE', `/res/access/terminal/${id}`)).status, 204)
  refused(await service.as('operator', 'DELETE', `/res/access/terminal/${id}`), 410)
  refused(await get(`/res/access/terminal/${id}`), 404)
  assert.equal((await get('/res/access/terminal')).headers.total, '1')
  assert.equal((await get('/res/access/terminalStay')).headers.total, '0')
  const { text } = await service.as('administrator', 'GET', '/plat/audit?resource=terminal')
  assert.deepEqual([texts(text, 'action'), texts(text, 'detail')], [['erase'], ['with 1 earlier stays']])
  assert.equal(text.includes(mac(1)), false)
})

test('accounting without a terminal is accepted and ignored', async () => {
  await account('Failed', 3, 'Gi1/0/3')
  const headers = { ...bearer(token), 'Content-Type': 'application/json' }
  const send = (body: object) =>
    service.ask('POST', '/res/access/accounting', { headers, body: JSON.stringify(body) })
  assert.equal((await send({ acctStatusType: 'Start', sourceIp: '10.7.0.2', userName: 'ann' })).status, 204)
  refused(await send({ acctStatusType: 'Start' }), 400)
  refused(await send({ sourceIp: '10.7.0.2' }), 400)
  assert.equal((await get('/res/access/terminal')).headers.total, '1')
  await account('Accounting-Off', 9, '')
  assert.equal((await get('/res/access/terminal?present=true')).headers.total, '0')
})

test('an assigned address that names no terminal is shown as before', async () => {
  const scope = await service.asJson('administrator', 'POST', '/res/access/assignedIpScope', {
    ...{ startIp: '10.7.1.0', endIp: '10.7.1.255', name: 'S' },
  })
  const path = `/res/access/assignedIpScope/ip?ipScopeId=${idOf(scope)}`
  await service.asJson('administrator', 'POST', path, { ip: '10.7.1.7', name: 'Ann' })
  await service.asJson('administrator', 'POST', path, {
    ip: '10.7.1.8',
    name: 'Bob',
    terminalMac: mac(2).toUpperCase(),
  })
  const { text } = await get(path)
  const [first = '', second = ''] = text.split('<assignedIpInfo>').slice(1)
  assert.match(
    first,
    /^<id>\d+<\/id><ip>10\.7\.1\.7<\/ip><name>Ann<\/name><description\/><parentId>\d+<\/parentId><\/assignedIpInfo>$/,
  )
  assert.match(
    second,
    new RegExp(`<parentId>\\d+</parentId><terminalMac>${mac(2)}</terminalMac></assignedIpInfo></list>$`),
  )
  const answer = await service.asJson('administrator', 'POST', path, {
    ip: '10.7.1.9',
    terminalMac: '001b44000002',
  })
  refused(answer, 400)
})
