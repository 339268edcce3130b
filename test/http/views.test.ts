// Custom views (decisions 6, `/plat/res/view/custom`): named choices of devices.

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
      '<customView><symbolId>1</symbolId><name>All devices</name><runStatus>1</runStatus><statusDesc>Normal</statusDesc><allDevices>true</allDevices></customView>',
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
    runStatus: '1',
    statusDesc: 'Normal',
    member: ['7', '9223372036854775807'],
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
  for (const name of ['b view', 'A view']) await post(view(name))
  const answer = await service.get(`${views}?name=*%20view&orderBy=name`)
  assert.deepEqual([answer.headers.total, values(answer.text, 'name')], ['2', ['A view', 'b view']])
  refused(await service.get(`${views}?orderBy=member`), 400, 'orderBy')
})
