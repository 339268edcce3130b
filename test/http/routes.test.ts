// Paths find their operations: named steps, records, and what lies behind a record.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTarget } from '../../src/http/call.ts'
import { at, done, viewer } from '../../src/http/operation.ts'
import { operations } from '../../src/http/operations.ts'
import { Routes } from '../../src/http/routes.ts'
import { startService } from '../support.ts'
import { values } from './reading.ts'

const entry = viewer('Do', 'something', async () => undefined, { gives: done })
const routes = new Routes([
  ...at('/', 'root', { GET: entry }),
  ...at('/fault/alarm', 'alarm', { GET: entry }),
  ...at('/fault/alarm/{id}', 'alarm', { GET: entry, PUT: entry }),
  ...at('/fault/alarm/{id}/history', 'alarm', { GET: entry }),
  ...at('/fault/alarm/acknowledge/{id}', 'alarm', { PUT: entry }),
  ...at('/plat/view/{id}/member/{name}', 'view', { DELETE: entry }),
])

const found = (url: string) => {
  const match = routes.find(readTarget(url).steps)
  return match && [match.route.template, match.parts]
}

test('a path is resolved to its operations, with the values of id and name', () => {
  assert.deepEqual(found('/'), ['/', {}])
  assert.deepEqual(found('/fault/alarm'), ['/fault/alarm', {}])
  assert.deepEqual(found('/fault/alarm/7'), ['/fault/alarm/{id}', { id: '7' }])
  assert.deepEqual(found('/fault/alarm/acknowledge/7'), ['/fault/alarm/acknowledge/{id}', { id: '7' }])
  assert.equal(found('/fault'), undefined)
  assert.equal(found('/fault/alarm/7/8/9'), undefined)
})

test('paths go on behind a record, and may carry an id and a name', () => {
  assert.deepEqual(found('/fault/alarm/7/history'), ['/fault/alarm/{id}/history', { id: '7' }])
  assert.equal(found('/fault/alarm/7/future'), undefined)
  assert.deepEqual(found('/fault/alarm/acknowledge/history')?.[0], '/fault/alarm/acknowledge/{id}')
  assert.deepEqual(found('/plat/view/3/member/a%2Fb%20c'), [
    '/plat/view/{id}/member/{name}',
    { id: '3', name: 'a/b c' },
  ])
})

test('a literal step takes precedence over a variable one, if the path exists', () => {
  assert.deepEqual(found('/fault/alarm/acknowledge'), ['/fault/alarm/{id}', { id: 'acknowledge' }])
})

test('additional slashes do not matter, encoded ones do', () => {
  for (const url of ['//fault/alarm', '/fault//alarm/', '/imcrs//fault/alarm', '//imcrs/fault/alarm//']) {
    assert.deepEqual(found(url), ['/fault/alarm', {}], url)
  }
  assert.deepEqual(found('/fault/alarm/%2F'), ['/fault/alarm/{id}', { id: '/' }])
  assert.equal(found('/fault%2Falarm'), undefined)
  assert.equal(readTarget('/fault%2Falarm').path, '/fault%2Falarm')
})

test('a table with the same operation twice is refused', () => {
  const twice = at('/a/{id}', 'a', { GET: entry })
  assert.throws(() => new Routes([...twice, ...twice]), /twice/)
  assert.throws(() => new Routes([...twice, ...at('/a/{name}', 'a', { PUT: entry })]), /\{name\}/)
})

test('the longest path costs no more than its length', () => {
  const long = '/a'.repeat(8000)
  assert.equal(routes.find(readTarget(long).steps), undefined)
})

test('the root document names all that can be listed', async () => {
  const service = await startService()
  const { text } = await service.get('/')
  const paths = operations
    .filter(({ method, gives }) => method === 'GET' && gives[200]?.kind === 'page')
    .map(({ path }) => path)
  assert.deepEqual(values(text, 'path'), paths)
  for (const path of ['/ram/zone', '/fault/alarm', '/events/registrations'])
    assert.ok(paths.includes(path), path)
  assert.equal((await service.get('//ram/zone')).status, 200)
  assert.equal((await service.get('/imcrs//ram/zone')).status, 200)
})
