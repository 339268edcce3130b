import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, texts } from '../support.ts'

const service = await startService()

test('a zone is created, read, modified and deleted', async () => {
  const created = await service.send('POST', '/ram/zone', '<zone><name>Campus North</name></zone>')
  assert.equal(created.status, 201)
  const path = new URL(created.headers.location ?? '').pathname
  const zone = await service.get(path)
  assert.deepEqual(texts(zone.text, 'name'), ['Campus North'])
  assert.match(zone.text, /<description\/>/)

  const modified = await service.send(
    'PUT',
    path,
    '<zone><name>Campus North</name><description>B1–B9</description></zone>',
  )
  assert.equal(modified.status, 204)
  assert.deepEqual(texts((await service.get(path)).text, 'description'), ['B1–B9'])

  assert.equal((await service.ask('DELETE', path)).status, 204)
  assert.equal((await service.get(path)).status, 404)
  assert.equal((await service.ask('DELETE', path)).status, 410)
})

test('a new store has the default zone', async () => {
  const list = await service.get('/ram/zone')
  assert.equal(list.headers.total, '1')
  assert.deepEqual(texts(list.text, 'name'), ['Default'])
})
