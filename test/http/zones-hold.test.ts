// Contents of zones: devices and segments are in one, lists are filtered by it, and a zone with contents is not
// deleted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ifIndex, linkDown, device as senderAt, until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { idOf, load, pathOf, refused, value, values } from './reading.ts'

const service = await startService()
const post = (path: string, xml: string) => service.send('POST', path, xml)
const zone = async (name: string) => idOf(await post('/ram/zone', `<zone><name>${name}</name></zone>`))
const device = (ip: string, zoneId?: string) =>
  post(
    '/plat/res/device',
    `<device><ip>${ip}</ip><label>${ip}</label>${zoneId ? `<zoneId>${zoneId}</zoneId>` : ''}</device>`,
  )
const scope = (start: string, end: string, zoneId = '', inside = '') =>
  post(
    `/res/access/assignedIpScope${inside}`,
    `<assignedIpScope><startIp>${start}</startIp><endIp>${end}</endIp><name>${start}</name>${zoneId && `<zoneId>${zoneId}</zoneId>`}</assignedIpScope>`,
  )
const list = async (path: string, name: string) => values((await service.get(path)).text, name)

test('a device and a segment belong to a zone: where none is given, or it is cleared, to zone 1', async () => {
  const north = await zone('North')
  const path = pathOf(await device('10.0.0.1'))
  assert.equal(value((await service.get(path)).text, 'zoneId'), '1')
  const put = (inside: string) =>
    service.send('PUT', path, `<device><ip>10.0.0.1</ip><label>one</label>${inside}</device>`)
  assert.equal((await put(`<zoneId>${north}</zoneId>`)).status, 204)
  assert.equal((await put('')).status, 204)
  assert.equal(value((await service.get(path)).text, 'zoneId'), north, 'what is not mentioned stays')
  assert.equal((await put('<zoneId/>')).status, 204)
  assert.equal(value((await service.get(path)).text, 'zoneId'), '1')
  const segment = pathOf(await scope('10.0.0.0', '10.0.0.255'))
  assert.equal(value((await service.get(segment)).text, 'zoneId'), '1')
})

test('a zone that does not exist is refused with 409', async () => {
  refused(await device('10.0.9.1', '99'), 409, 'zoneId')
  refused(await scope('10.0.9.0', '10.0.9.9', '99'), 409, 'zoneId')
})

test('a segment inside another lies in its zone unless it says otherwise, and is found by its own', async () => {
  const [east, west] = [await zone('East'), await zone('West')]
  const outer = await scope('10.1.0.0', '10.1.255.255', east)
  const inner = await scope('10.1.1.0', '10.1.1.255', '', `/${idOf(outer)}`)
  assert.equal(value((await service.get(pathOf(inner))).text, 'zoneId'), east)
  const other = await scope('10.1.2.0', '10.1.2.255', west, `/${idOf(outer)}`)
  assert.equal(value((await service.get(pathOf(other))).text, 'zoneId'), west)
  const found = await service.get(`/res/access/assignedIpScope?zoneId=${west}`)
  assert.equal(found.headers.total, '1')
  assert.ok(found.text.includes('<startIp>10.1.2.0</startIp>'), 'inside the segment that holds it')
  assert.equal((await service.get('/res/access/assignedIpScope?zoneId=99')).headers.total, '0')
})

test('lists of devices, segments, addresses and bindings take zoneId', async () => {
  const south = await zone('South')
  const there = idOf(await device('10.2.0.1', south))
  const here = idOf(await device('10.2.0.2'))
  const segment = idOf(await scope('10.3.0.0', '10.3.0.255', south))
  await post(
    `/res/access/assignedIpScope/ip?ipScopeId=${segment}`,
    '<assignedIpInfo><ip>10.3.0.7</ip></assignedIpInfo>',
  )
  const bind = (mac: string, deviceId: string) =>
    post(
      '/res/access/macAccessBind',
      `<macAccessBind><terminalMac>00:00:00:00:00:${mac}</terminalMac><bindType>2</bindType><ifInfo><deviceId>${deviceId}</deviceId><ifIndex>1</ifIndex></ifInfo></macAccessBind>`,
    )
  await bind('01', there)
  await bind('02', here)
  await bind('03', '2147483000')
  await post(
    '/res/access/macAccessBind',
    '<macAccessBind><terminalMac>00:00:00:00:00:04</terminalMac><bindType>1</bindType></macAccessBind>',
  )
  assert.deepEqual(await list(`/plat/res/device?zoneId=${south}`, 'ip'), ['10.2.0.1'])
  assert.deepEqual(await list(`/res/access/assignedIpScope?zoneId=${south}`, 'startIp'), ['10.3.0.0'])
  const addresses = `/res/access/assignedIpScope/ip?ipScopeId=${segment}&zoneId=`
  assert.deepEqual(await list(addresses + south, 'ip'), ['10.3.0.7'])
  assert.deepEqual(await list(`${addresses}1`, 'ip'), [])
  const bindings = async (zoneId: string) =>
    (await list(`/res/access/macAccessBind?zoneId=${zoneId}`, 'terminalMac')).map((mac) => mac.slice(-2))
  assert.deepEqual(await bindings(south), ['01'])
  assert.deepEqual(await bindings('1'), ['02', '03'], 'of an unknown device: in no other zone')
  // The device is moved, and the cached list changes.
  await service.send(
    'PUT',
    `/plat/res/device/${here}`,
    `<device><ip>10.2.0.2</ip><label>x</label><zoneId>${south}</zoneId></device>`,
  )
  assert.deepEqual(await bindings(south), ['01', '02'])
  assert.equal((await service.get(`/res/access/macAccessBind?total=true&zoneId=${south}`)).headers.total, '2')
  for (const path of ['/plat/res/device', '/fault/alarm', '/fault/trap', '/res/access/macAccessBind']) {
    refused(await service.get(`${path}?zoneId=south`), 400, 'zoneId')
  }
})

test('lists of alarms and traps take zoneId: they lie in the zone of their device', async () => {
  const far = await zone('Far')
  const id = idOf(await device('10.4.0.1', far))
  const raise = (body: object) =>
    service.sendJson('POST', '/fault/alarm', { OID: '1.3.6.1.4.1.32473.1', alarmLevel: 1, ...body })
  await raise({ deviceId: id, alarmDesc: 'there' })
  await raise({ alarmDesc: 'of nobody' })
  await raise({ deviceId: '2147483001', alarmDesc: 'of one unknown' })
  assert.deepEqual(await list(`/fault/alarm?zoneId=${far}`, 'alarmDesc'), ['there'])
  assert.deepEqual(await list('/fault/alarm?zoneId=1', 'alarmDesc'), ['of nobody', 'of one unknown'])
  const sender = idOf(await device('127.0.0.1', far))
  const socket = await senderAt(service.trapPort)
  await socket.send(v2c(linkDown, [ifIndex(1)]))
  await until('the trap is processed', async () => (await list('/fault/trap', 'id')).length > 0)
  assert.deepEqual(await list(`/fault/trap?zoneId=${far}`, 'deviceId'), [sender])
  assert.deepEqual(await list('/fault/trap?zoneId=1', 'deviceId'), [])
})

test('zone 1 cannot be deleted', async () => {
  refused(await service.ask('DELETE', '/ram/zone/1'), 409)
  refused(await service.ask('DELETE', '/ram/zone/1?moveTo=2'), 409)
})

test('a zone that holds something is deleted only when the request says where its content goes', async () => {
  const [old, next] = [await zone('Old'), await zone('Next')]
  const [one, two] = [pathOf(await device('10.5.0.1', old)), pathOf(await device('10.5.0.2', old))]
  const segment = pathOf(await scope('10.5.0.0', '10.5.0.255', old))
  const { message } = refused(await service.ask('DELETE', `/ram/zone/${old}`), 409, 'moveTo')
  assert.match(message, /holds 2 devices and 1 IP segment\b/)
  refused(await service.ask('DELETE', `/ram/zone/${old}?moveTo=${old}`), 400, 'moveTo')
  refused(await service.ask('DELETE', `/ram/zone/${old}?moveTo=99`), 409, 'moveTo')
  assert.equal((await service.ask('DELETE', `/ram/zone/${old}?moveTo=${next}`)).status, 204)
  for (const path of [one, two, segment]) assert.equal(value((await service.get(path)).text, 'zoneId'), next)
  refused(await service.get(`/ram/zone/${old}`), 404)
  const recorded = await service.get('/plat/audit?action=move')
  assert.equal(value(recorded.text, 'detail'), `2 devices and 1 IP segment to zone ${next}`)
})

test('import and export carry the zone', async () => {
  const isle = await zone('Isle')
  await load(service, 'device', ['ip,label,zoneId', `10.6.0.1,a,${isle}`, '10.6.0.2,b,'])
  const csv = (await service.get('/plat/data/device?format=csv')).text
  const [header = '', ...rows] = csv.split(/\r?\n/)
  const column = header.split(',').indexOf('zoneId')
  const zoneOf = (ip: string) => rows.find((row) => row.includes(`,${ip},`))?.split(',')[column]
  assert.deepEqual([zoneOf('10.6.0.1'), zoneOf('10.6.0.2')], [isle, '1'])
})

test('GET /ram/zone and the list of addresses show the fields of docs/interface/inventory.md, and nothing about zones beside them', async () => {
  const zones = await service.get('/ram/zone?name=Default')
  assert.match(
    zones.text,
    /<list><zone><zoneId>1<\/zoneId><name>Default<\/name><description>[^<]*<\/description><\/zone><\/list>$/,
  )
  const [segment] = await list('/res/access/assignedIpScope?name=10.3.0.0', 'id')
  const addresses = await service.get(`/res/access/assignedIpScope/ip?ipScopeId=${segment}`)
  assert.match(
    addresses.text,
    /<list><assignedIpInfo><id>\d+<\/id><ip>10.3.0.7<\/ip><name\/><description\/><parentId>\d+<\/parentId><\/assignedIpInfo><\/list>$/,
  )
})

test('a zone that holds very much is emptied a few at a time, and what moved is recorded', async () => {
  const [from, to] = [await zone('Crowded'), await zone('Roomy')]
  const rows = Array.from({ length: 450 }, (_, n) => `10.9.${n >> 8}.${n & 255},crowded-${n},${from}`)
  await load(service, 'device', ['ip,label,zoneId', ...rows])
  assert.equal((await service.ask('DELETE', `/ram/zone/${from}?moveTo=${to}`)).status, 204)
  assert.equal((await service.get(`/plat/res/device?zoneId=${to}&total=true`)).headers.total, '450')
  const { text } = await service.get(`/plat/audit?action=move&resourceId=${from}&size=100`)
  const moved = values(text, 'count').map(Number)
  assert(moved.length > 1)
  assert.equal(
    moved.reduce((sum, n) => sum + n, 0),
    450,
  )
})
