// Which device is behind which: parents of devices, with the port at each end, and views that contain views. No
// circles.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, load, pathOf, refused, value, values } from './reading.ts'

const service = await startService()
const link = (deviceId: string, ifIndex = '', parentIfIndex = '') =>
  `<parent><deviceId>${deviceId}</deviceId>${ifIndex && `<ifIndex>${ifIndex}</ifIndex>`}${parentIfIndex && `<parentIfIndex>${parentIfIndex}</parentIfIndex>`}</parent>`
let devices = 0
const body = (ip: string, inside: string) => `<device><ip>${ip}</ip><label>${ip}</label>${inside}</device>`
const device = async (inside = '') => {
  devices += 1
  const ip = `10.0.0.${devices}`
  const created = await service.send('POST', '/plat/res/device', body(ip, inside))
  assert.equal(created.status, 201, created.text)
  return { id: idOf(created), ip, path: pathOf(created), warnings: created.headers['belfry-warning'] }
}
const hang = ({ path, ip }: { path: string; ip: string }, inside: string) =>
  service.send('PUT', path, body(ip, inside))

test('a device has parents, with the port at each end', async () => {
  const [core, spare] = [await device(), await device()]
  const leaf = await device(link(core.id, '49', '3') + link(spare.id))
  const { text } = await service.get(leaf.path)
  assert.ok(text.includes(link(core.id, '49', '3') + link(spare.id)), text)
  assert.equal((await hang(leaf, '')).status, 204)
  assert.deepEqual(
    values((await service.get(leaf.path)).text, 'parentIfIndex'),
    ['3'],
    'not mentioned: stays',
  )
  assert.equal((await hang(leaf, '<parent/>')).status, 204)
  assert.ok(!(await service.get(leaf.path)).text.includes('<parent>'))
})

test('cycles of devices are refused with 409, however long, and nothing is changed', async () => {
  const top = await device()
  const middle = await device(link(top.id))
  const low = await device(link(middle.id))
  refused(await hang(top, link(top.id)), 409, 'parent[1]/deviceId')
  refused(await hang(top, link(middle.id)), 409, 'parent[1]/deviceId')
  const other = await device()
  const { message } = refused(await hang(top, link(other.id) + link(low.id)), 409, 'parent[2]/deviceId')
  assert.match(
    message,
    new RegExp(`device ${top.id} cannot hang behind device ${low.id}, which hangs behind`),
  )
  assert.ok(!(await service.get(top.path)).text.includes('<parent>'))
  refused(await hang(other, link(top.id, '1', '2').repeat(2)), 400, 'parent[2]')
})

test('a parent need not exist yet, so that a file may create it later; there is a warning, and cycles are still refused', async () => {
  await load(service, 'device', [
    'id,ip,label,parent[1]/deviceId,parent[1]/ifIndex',
    '901,10.9.0.1,low,902,7',
    '902,10.9.0.2,high,,',
  ])
  assert.equal(value((await service.get('/plat/res/device/901')).text, 'ifIndex'), '7')
  refused(
    await hang({ path: '/plat/res/device/902', ip: '10.9.0.2' }, link('901')),
    409,
    'parent[1]/deviceId',
  )
  const early = await device(link('990'))
  assert.equal(early.warnings, 'device 990 does not exist')
  const csv = (await service.get('/plat/data/device?format=csv')).text
  assert.ok(csv.includes('parent[1]/deviceId'))
})

test('links to a deleted device are removed', async () => {
  const [gone, stays] = [await device(), await device()]
  const leaf = await device(link(gone.id) + link(stays.id))
  assert.equal((await service.ask('DELETE', gone.path)).status, 204)
  const { text } = await service.get(leaf.path)
  assert.ok(text.includes(link(stays.id)) && !text.includes(`<deviceId>${gone.id}</deviceId>`))
  const recorded = await service.get(`/plat/audit?action=modify&resource=device&resourceId=${leaf.id}`)
  assert.equal(recorded.headers.total, '1')
})

const views = '/plat/res/view/custom'
const view = async (name: string, inside = '') => {
  const created = await service.send('POST', views, `<customView><name>${name}</name>${inside}</customView>`)
  assert.equal(created.status, 201, created.text)
  return { id: idOf(created), path: pathOf(created) }
}

test('a view contains views, and shows their devices as its own', async () => {
  const [one, two] = [await device(), await device()]
  const inner = await view('Inner', `<member>${one.id}</member>`)
  const middle = await view('Middle', `<view>${inner.id}</view>`)
  const outer = await view('Outer', `<member>${two.id}</member><view>${middle.id}</view>`)
  const shown = values((await service.get(outer.path)).text, 'label')
  assert.deepEqual(shown, [one.ip, two.ip])
  await service.sendJson('POST', '/fault/alarm', {
    OID: '1.3.6.1.4.1.32473.1',
    alarmLevel: 1,
    deviceId: one.id,
  })
  assert.equal(value((await service.get(outer.path)).text, 'runStatus'), '5', 'as bad as its worst device')
  const put = (inside: string) =>
    service.send('PUT', inner.path, `<customView><name>Inner</name>${inside}</customView>`)
  refused(await put(`<view>${outer.id}</view>`), 409, 'view[1]')
  refused(await put(`<view>${inner.id}</view>`), 409, 'view[1]')
  assert.equal((await service.ask('DELETE', middle.path)).status, 204)
  assert.deepEqual(values((await service.get(outer.path)).text, 'view'), [], 'what is gone is not contained')
})

test('a flag of an event definition says that its alarm means out of reach', async () => {
  const created = await service.sendJson('POST', '/fault/trapEvent', {
    eventOid: '1.3.6.1.4.1.32473.7',
    name: 'gone',
    alarmLevel: 1,
    alarmCategory: 2,
    outOfReach: true,
  })
  assert.equal(value((await service.get(pathOf(created))).text, 'outOfReach'), 'true')
})
