// Methods and paths, and what machines ask that watch over the service.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { everything, refused } from './reading.ts'

const service = await startService()
const collections = [
  '/res/access/macAccessBind',
  '/res/access/assignedIpScope',
  '/res/access/assignedIpScope/ip',
  '/fault/trapRule',
  '/report/reportTemplate',
  '/ram/zone',
  '/plat/res/device',
]

test('HEAD is like GET without a body', async () => {
  const kept = ['content-type', 'total', 'error-code', 'allow']
  for (const path of [
    '/',
    '/ram/zone',
    '/ram/zone/1',
    '/ram/zone?total=true',
    '/ram/zone/999',
    '/nowhere',
    '/health',
    '/health/traps',
    '/metrics',
  ]) {
    const [get, head] = [await service.ask('GET', path), await service.ask('HEAD', path)]
    assert.equal(head.status, get.status, path)
    assert.equal(head.text, '')
    for (const name of kept) assert.equal(head.headers[name], get.headers[name], `${path} ${name}`)
  }
})

test('OPTIONS lists the methods of a path', async () => {
  const allowed = async (path: string) => {
    const answer = await service.ask('OPTIONS', path)
    assert.equal(answer.status, 204)
    assert.equal(answer.text, '')
    return String(answer.headers.allow).split(', ').toSorted().join(' ')
  }
  assert.equal(await allowed('/'), 'GET HEAD OPTIONS')
  for (const path of collections) {
    assert.equal(await allowed(path), 'GET HEAD OPTIONS POST', path)
    const one = path.endsWith('Scope') ? 'DELETE GET HEAD OPTIONS POST PUT' : 'DELETE GET HEAD OPTIONS PUT'
    assert.equal(await allowed(`${path}/1`), one, path)
    assert.equal(await allowed(`/imcrs${path}/`), 'GET HEAD OPTIONS POST', path)
  }
  for (const path of ['/health', '/health/traps', '/metrics'])
    assert.equal(await allowed(path), 'GET HEAD OPTIONS')
  refused(await service.ask('OPTIONS', '/nowhere'), 404)
})

test('a known path with another method is refused with 405 and Allow, and nothing happens', async () => {
  const before = await everything(service)
  for (const path of collections) {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']) {
      const answer = await service.ask(method, path)
      refused(answer, 405)
      assert.equal(answer.headers.allow, 'GET, HEAD, POST, OPTIONS')
    }
    const answer = await service.ask('PATCH', `${path}/1`)
    refused(answer, 405)
    assert.match(String(answer.headers.allow), /^GET, HEAD, PUT, DELETE(, POST)?, OPTIONS$/)
  }
  for (const path of ['/', '/health', '/metrics']) {
    const answer = await service.ask('POST', path)
    refused(answer, 405)
    assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS')
  }
  assert.equal(await everything(service), before)
})

test('a wrong method is reported before a wrong id or a wrong Accept', async () => {
  refused(await service.ask('PATCH', '/ram/zone/x', { headers: { Accept: 'text/html' } }), 405)
})

test('a path that is not there answers 404, whatever the method', async () => {
  const paths = [
    '/nowhere',
    '/ram',
    '/ram/Zone',
    '/ram/zone/1/2',
    '/RAM/zone',
    '/imcrs/imcrs/ram/zone',
    '/imcrsx',
    '/ram/zone%2F1',
  ]
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) refused(await service.ask(method, path), 404)
  }
})

test('additional slashes are accepted', async () => {
  const plain = await service.get('/ram/zone/1')
  for (const path of ['//ram/zone/1', '/ram//zone/1', '///imcrs//ram/zone//1//']) {
    const { status, text } = await service.get(path)
    assert.deepEqual([status, text], [200, plain.text], path)
  }
})

test('a trailing slash is accepted', async () => {
  for (const path of [
    '/ram/zone',
    '/ram/zone/1',
    '/imcrs/ram/zone',
    '/fault/trapRule/1',
    '/res/access/assignedIpScope/ip',
  ]) {
    const query = path.endsWith('ip') ? '?ipScopeId=1' : ''
    const [plain, slashed] = [await service.get(path + query), await service.get(`${path}/${query}`)]
    assert.equal(slashed.status, 200)
    assert.equal(slashed.text, plain.text)
  }
  const created = await service.send('POST', '/ram/zone/', '<zone><name>Slashed</name></zone>')
  assert.equal(created.status, 201)
  assert.match(String(created.headers.location), /\/ram\/zone\/\d+$/)
})

test('GET {root} answers 200 and says what is there, at / and at /imcrs', async () => {
  const root = await service.get('/')
  assert.equal(root.status, 200)
  const withoutTime = ({ text }: { text: string }) => text.replace(/<time>\d+<\/time>/, '')
  for (const path of ['/imcrs', '/imcrs/'])
    assert.equal(withoutTime(await service.get(path)), withoutTime(root))
  for (const path of collections) assert.ok(root.text.includes(`<path>${path}</path>`), path)
  assert.equal((await service.get('/imcrs', { Accept: 'application/json' })).json().name, 'Belfry')
})

test('the same interface answers under /imcrs', async () => {
  for (const path of [
    '/ram/zone',
    '/ram/zone/1',
    '/report/reportTemplate',
    '/ram/zone/999',
    '/ram/zone?size=x',
  ]) {
    const [plain, under] = [await service.get(path), await service.get(`/imcrs${path}`)]
    assert.equal(under.status, plain.status)
    assert.equal(under.text, plain.text)
  }
})

test('an absolute request target is the path it holds', async () => {
  assert.equal((await service.get('http://anywhere.example/ram/zone/1')).status, 200)
})

test('GET /health answers 200 when the service is ready, whatever the caller accepts', async () => {
  for (const accept of ['*/*', 'text/plain', 'text/html', 'application/json']) {
    for (const path of ['/health', '/health/traps']) {
      const answer = await service.get(path, { Accept: accept })
      assert.equal(answer.status, 200)
      assert.equal(answer.text, 'ready\n')
    }
  }
})

test('GET /metrics is in the text form of Prometheus', async () => {
  const answer = await service.get('/metrics', { Accept: 'text/plain' })
  assert.equal(answer.status, 200)
  assert.match(String(answer.headers['content-type']), /^text\/plain; version=0\.0\.4/)
  for (const line of answer.text.trimEnd().split('\n')) {
    assert.match(
      line,
      /^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? (-?[\d.e+-]+|Nan|\+Inf))?$/,
    )
  }
  assert.match(answer.text, /^belfry_info\{version="[\d.]+"\} 1$/m)
  assert.doesNotMatch(answer.text, /^(?!belfry_|#|$)/m, 'every name begins with belfry_')
})

test('requests are counted by method, path and status; paths with an id are one path', async () => {
  const counts = async () => {
    const { text } = await service.get('/metrics')
    const counted = (route: string, status: number) => {
      const labels = `method="GET",route="${route.replace(/[{}]/g, '\\$&')}",status="${status}"`
      return Number(text.match(new RegExp(`^belfry_http_requests_total\\{${labels}\\} (\\d+)$`, 'm'))?.[1])
    }
    return [counted('/ram/zone/{id}', 200), counted('/ram/zone/{id}', 404), counted('none', 404)]
  }
  const before = await counts()
  for (const path of ['/ram/zone/1', '/imcrs/ram/zone/900', '/ram/zone/901', '/no/such/path'])
    await service.get(path)
  const after = await counts()
  assert.deepEqual(
    after.map((count, index) => count - (before[index] ?? 0)),
    [1, 2, 1],
  )
})
