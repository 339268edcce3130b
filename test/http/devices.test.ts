// Devices (`/plat/res/device`): an address, a label, interfaces; every address belongs to one device.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, pathOf, refused, values } from './reading.ts'

const service = await startService()
const collection = '/plat/res/device'
const device = (ip: string, inside = '') =>
  `<device><ip>${ip}</ip><label>Device ${ip}</label>${inside}</device>`
const post = (xml: string) => service.send('POST', collection, xml)
const other = (ip: string) => `<otherAddress><ip>${ip}</ip></otherAddress>`

test('a device is created with 201 and Location, read, modified and deleted', async () => {
  const ports = '<interfaces><ifIndex>1</ifIndex><ifDesc>Gi1/0/1</ifDesc></interfaces>'
  const answer = await post(device('10.0.0.1', ports))
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.location, `${service.url}${collection}/${idOf(answer)}`)
  const path = pathOf(answer)
  const { text } = await service.get(path)
  const unset = '<sysName/><sysDescription/><sysOid/><location/><contact/><typeName/><zoneId>1</zoneId>'
  const status = `<mask/><status>1</status><statusDesc>Normal</statusDesc>${unset}`
  const fields = `<id>${idOf(answer)}</id><ip>10.0.0.1</ip><label>Device 10.0.0.1</label>${status}${ports}`
  assert.ok(text.endsWith(`<device>${fields}</device>`), text)

  assert.equal((await service.send('PUT', path, device('10.0.0.2'))).status, 204)
  const changed = (await service.get(path)).text
  assert.deepEqual([values(changed, 'ip'), values(changed, 'ifDesc')], [['10.0.0.2'], ['Gi1/0/1']])

  assert.equal((await service.ask('DELETE', path)).status, 204)
  refused(await service.get(path), 404)
  refused(await service.send('PUT', path, device('10.0.0.2')), 404)
  refused(await service.ask('DELETE', path), 410)
})

test('a device needs an address and a label, an interface its index and description', async () => {
  refused(await post('<device><label>L</label></device>'), 400, 'ip')
  refused(await post('<device><ip>10.0.0.1</ip></device>'), 400, 'label')
  refused(await post(device('10.0.0.300')), 400, 'ip')
  const noIndex = '<interfaces><ifDesc>Gi1</ifDesc></interfaces>'
  refused(await post(device('10.0.0.1', noIndex)), 400, 'interfaces[1]/ifIndex')
})

test('an address belongs to one device, main or other: a second is refused with 409', async () => {
  const path = pathOf(await post(device('10.1.0.1', other('10.1.0.2'))))
  refused(await post(device('10.1.0.1')), 409, 'ip')
  refused(await post(device('10.1.0.2')), 409, 'ip')
  refused(await post(device('10.1.0.9', other('10.1.0.8') + other('10.1.0.1'))), 409, 'otherAddress[2]/ip')
  refused(await post(device('10.1.0.9', other('10.1.0.9'))), 400, 'otherAddress[1]/ip')
  assert.equal((await service.send('PUT', path, device('10.1.0.2', '<otherAddress/>'))).status, 204)
  assert.equal((await post(device('10.1.0.1'))).status, 201, 'an address let go of is free')
})

test('the same address may belong to a device of each space; 0 is the default and is not written', async () => {
  const inSpace = (space: string, more = '') => device('10.1.5.1', `<space>${space}</space>${more}`)
  const path = pathOf(await post(inSpace('0')))
  assert.deepEqual(values((await service.get(path)).text, 'space'), [])
  const otherPath = pathOf(await post(inSpace('2', other('10.1.5.2'))))
  assert.deepEqual(values((await service.get(otherPath)).text, 'space'), ['2'])
  refused(await post(inSpace('2')), 409, 'ip')
  refused(await service.send('PUT', path, inSpace('2')), 409, 'ip')
  refused(await post(inSpace('10000')), 400, 'space')
  const idsIn = async (query: string) =>
    values((await service.get(`${collection}?ip=10.1.5.1${query}`)).text, 'id')
  const [first = '', second = ''] = [path, otherPath].map((one) => one.split('/').at(-1) ?? '')
  assert.deepEqual(await idsIn(''), [first, second])
  assert.deepEqual(await idsIn('&space=0'), [first])
  assert.deepEqual(await idsIn('&space=2'), [second])
  const alarm = (space: string) =>
    service.send(
      'POST',
      '/fault/alarm',
      `<alarm><OID>1.3.6.1.4.1.32473.9.1</OID><alarmLevel>2</alarmLevel><alarmDesc>Smoke</alarmDesc><deviceIp>10.1.5.1</deviceIp>${space}</alarm>`,
    )
  for (const space of ['', '<space>2</space>']) assert.equal((await alarm(space)).status, 201, space)
  refused(await alarm('<space>3</space>'), 400, 'space')
  const raised = (await service.get('/fault/alarm?deviceIp=10.1.5.1')).text
  assert.deepEqual(values(raised, 'deviceId').sort(), [first, second].sort())
})

test('devices are listed with Total, filtered by ip and label, ordered by id, ip or label', async () => {
  for (const [ip, label] of [
    ['10.2.0.12', 'Core b'],
    ['10.2.0.2', 'core A'],
  ]) {
    await post(`<device><ip>${ip}</ip><label>${label}</label></device>`)
  }
  const found = async (query: string) => {
    const answer = await service.get(`${collection}?${query}`)
    const labels = values(answer.text, 'label')
    assert.equal(answer.headers.total, String(labels.length))
    return labels.join()
  }
  assert.equal(await found('label=CORE*'), 'Core b,core A')
  assert.equal(await found('label=core*&orderBy=ip'), 'core A,Core b')
  assert.equal(await found('label=core*&orderBy=label'), 'core A,Core b')
  assert.equal(await found('ip=10.2.*&orderBy=id&desc=true'), 'core A,Core b')
  assert.equal(await found('ip=10.2.0.2'), 'core A')
  refused(await service.get(`${collection}?orderBy=name`), 400, 'orderBy')
})

test('a device carries what people know of it: mask, names, place, contact, type; it is found by its name', async () => {
  const details =
    '<mask>255.255.255.0</mask><sysName>Core-1.example.net</sysName><sysDescription>A core</sysDescription>' +
    '<sysOid>.1.3.6.1.4.1.9.1.576</sysOid><location>Hall 3</location><contact>NOC</contact><typeName>Switch</typeName>'
  const path = pathOf(await post(device('10.3.0.1', details)))
  const { text } = await service.get(path)
  for (const [name, expected] of Object.entries({
    mask: '255.255.255.0',
    sysName: 'Core-1.example.net',
    sysOid: '1.3.6.1.4.1.9.1.576',
    location: 'Hall 3',
    contact: 'NOC',
    typeName: 'Switch',
  })) {
    assert.deepEqual(values(text, name), [expected])
  }
  const found = await service.get(`${collection}?sysName=core-1.*&orderBy=sysName`)
  assert.deepEqual(values(found.text, 'ip'), ['10.3.0.1'])
  // What a GET returned can be sent back, with what others of the family add to it.
  const back = {
    ...(await service.get(path, { Accept: 'application/json' })).json(),
    symbolId: '1032',
    link: {},
  }
  assert.equal((await service.sendJson('PUT', path, back)).status, 204)
  refused(await post(device('10.3.0.2', '<mask>24</mask>')), 400, 'mask')
})
