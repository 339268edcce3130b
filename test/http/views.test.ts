// Custom views (`/plat/res/view/custom`): named choices of devices.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, pathOf, refused, value, values } from './reading.ts'

const service = await startService()
const views = '/plat/res/view/custom'
const view = (name: string, inside = '') => `<customView><name>${name}</name>${inside}</customView>`
const post = (xml: string) => service.send('POST', views, xml)

test('view 1, all devices, exists on a new store', async () => {
  const { text } = await service.get(`${views}/1`)
  assert.ok(
    text.endsWith(
      '<customView><symbolId>1</symbolId><name>All devices</name><upLevelSymbolId/><runStatus>1</runStatus><statusDesc>Normal</statusDesc><allDevices>true</allDevices></customView>',
    ),
    text,
  )
})

test('a view is created with 201 and Location, read, modified and deleted', async () => {
  const answer = await post(view('Core', '<member>7</member><member>9223372036854775807</member>'))
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.location, `${service.url}${views}/${idOf(answer)}`)
  const path = pathOf(answer)
  assert.deepEqual(values((await service.get(path)).text, 'member'), ['7', '9223372036854775807'])
  const json = (await service.get(path, { Accept: 'application/json' })).json()
  assert.deepEqual(json, {
    symbolId: idOf(answer),
    name: 'Core',
    upLevelSymbolId: '',
    runStatus: '1',
    statusDesc: 'Normal',
    member: ['7', '9223372036854775807'],
    view: [],
    device: [],
  })
  assert.equal((await service.send('PUT', path, view('Core', '<member>8</member>'))).status, 204)
  assert.deepEqual(values((await service.get(path)).text, 'member'), ['8'])
  assert.equal((await service.send('PUT', path, view('Edge', '<member/>'))).status, 204)
  const { text } = await service.get(path)
  assert.deepEqual([value(text, 'name'), values(text, 'member')], ['Edge', []])
  assert.equal((await service.ask('DELETE', path)).status, 204)
  refused(await service.get(path), 404)
  refused(await service.send('PUT', path, view('Edge')), 404)
  refused(await service.ask('DELETE', path), 410)
})

test('a view has a name of its own', async () => {
  assert.equal((await post(view('Halle Süd'))).status, 201)
  refused(await post(view('HALLE SÜD')), 409, 'name')
  refused(await post('<customView/>'), 400, 'name')
  refused(await post(view('x', '<member>x</member>')), 400, 'member[1]')
})

test('views are listed with Total, by name and in order', async () => {
  for (const name of ['b sight', 'A sight']) await post(view(name))
  const answer = await service.get(`${views}?name=*%20sight&orderBy=name`)
  assert.deepEqual([answer.headers.total, values(answer.text, 'name')], ['2', ['A sight', 'b sight']])
  refused(await service.get(`${views}?orderBy=member`), 400, 'orderBy')
})

test('one view shows its devices, also all of them, and a program may name members as devices', async () => {
  const made: string[] = []
  for (const ip of ['10.9.0.1', '10.9.0.2', '10.9.0.3']) {
    made.push(idOf(await service.sendJson('POST', '/plat/res/device', { ip, label: `d ${ip}` })))
  }
  const [first, second] = made
  const path = pathOf(await post(view('With devices', `<member>${second}</member><member>999999</member>`)))
  const { text } = await service.get(path)
  assert.deepEqual([values(text, 'ip'), values(text, 'label')], [['10.9.0.2'], ['d 10.9.0.2']])
  const sent = await service.sendJson('PUT', path, {
    device: [{ id: first, ip: '10.9.0.1' }, { id: second }],
  })
  assert.equal(sent.status, 204, sent.text)
  const after = (await service.get(path)).text
  assert.deepEqual([value(after, 'name'), values(after, 'member')], ['With devices', [first, second]])
  const whole = (await service.get(`${views}/1`, { Accept: 'application/json' })).json()
  assert.deepEqual(
    (whole.device as { id: string }[]).map(({ id }) => id),
    made,
  )
  const returned = (await service.get(path, { Accept: 'application/json' })).json()
  assert.equal((await service.sendJson('PUT', path, { ...returned, member: [second] })).status, 204)
  assert.deepEqual(
    values((await service.get(path)).text, 'member'),
    [second],
    'by its own name it weighs more',
  )
  const none = await service.sendJson('PUT', path, { device: [] })
  assert.equal(none.status, 204, none.text)
  assert.deepEqual(values((await service.get(path)).text, 'member'), [])
  refused(await service.sendJson('PUT', path, { device: [{ id: 'x' }] }), 400, 'member[1]')
  refused(await service.sendJson('PUT', `${views}/77777`, { device: [] }), 404)
})

test('a view of all devices, or of other views, can be sent back as it was answered, under both roots', async () => {
  const inner = idOf(await post(view('Inner', '<member>1</member>')))
  for (const content of ['<allDevices>true</allDevices>', `<view>${inner}</view>`]) {
    const path = pathOf(await post(view(`Sent back ${content.length}`, content)))
    for (const root of ['', '/imcrs']) {
      const answered = (await service.get(root + path)).text
      assert.equal((await service.send('PUT', root + path, answered)).status, 204)
      assert.equal((await service.get(root + path)).text, answered)
    }
    await service.ask('DELETE', path)
  }
})

test('the status of a view is that of the worst open alarm of its devices, and so is that of a device', async () => {
  const device = idOf(await service.sendJson('POST', '/plat/res/device', { ip: '10.9.1.1', label: 'bad' }))
  const path = pathOf(await post(view('Bad ones', `<member>${device}</member>`)))
  const status = async () => {
    const { text } = await service.get(path)
    return [value(text, 'runStatus'), values(text, 'statusDesc').join()]
  }
  const alarm = async (level: number) => {
    const body = { OID: '1.3.6.1.4.1.5.1', alarmLevel: level, deviceId: device, resource: String(level) }
    return pathOf(await service.sendJson('POST', '/fault/alarm', body))
  }
  assert.deepEqual(await status(), ['1', 'Normal,Normal'])
  await alarm(5)
  assert.deepEqual(await status(), ['1', 'Normal,Normal'], 'information is no trouble')
  await alarm(3)
  assert.deepEqual(await status(), ['3', 'Minor,Minor'])
  const critical = await alarm(1)
  assert.deepEqual(await status(), ['5', 'Critical,Critical'])
  assert.equal((await service.ask('PUT', critical.replace('/alarm/', '/alarm/recover/'))).status, 204)
  assert.deepEqual(await status(), ['3', 'Minor,Minor'])
})

test('a view may be below another, not below itself, and moves to the top when that is deleted', async () => {
  const above = pathOf(await post(view('Above')))
  const id = above.split('/').at(-1)
  const below = pathOf(await post(view('Below', `<upLevelSymbolId>${id}</upLevelSymbolId>`)))
  assert.equal(value((await service.get(below)).text, 'upLevelSymbolId'), id)
  const itself = view('Above', `<upLevelSymbolId>${id}</upLevelSymbolId>`)
  refused(await service.send('PUT', above, itself), 400, 'upLevelSymbolId')
  await service.ask('DELETE', above)
  assert.equal(value((await service.get(below)).text, 'upLevelSymbolId'), undefined)
})

test('views are listed whole unless a size is given', async () => {
  for (let index = 0; index < 12; index += 1) await post(view(`many ${index}`))
  assert.equal(values((await service.get(`${views}?name=many*`)).text, 'name').length, 12)
  assert.equal(values((await service.get(`${views}?name=many*&size=10`)).text, 'name').length, 10)
})
