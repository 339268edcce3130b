// Who may call: nothing is answered without credentials, and no Digest answer is accepted twice.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { beforeEach, test } from 'node:test'
import { promisify } from 'node:util'
import { pino } from 'pino'
import type { Answer } from '../support.ts'
import { startService } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { bearer, challengeOf, digestHeader, guard, passwordOf, startGuarded, tokenOf } from './credentials.ts'
import { refused } from './reading.ts'

const time = { offset: 0 }
const clock = () => Date.now() + time.offset
const logged: string[] = []
const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })
const service = await startGuarded({}, { clock, log })
const administrator = { name: 'administrator', uri: '/ram/zone' }

const show = (header: string, path = '/ram/zone', method = 'GET') =>
  service.ask(method, path, { headers: { Authorization: header } })

/** Failures before this are forgotten. */
const forgive = () => {
  time.offset += 16 * 60_000
}
beforeEach(forgive)

function asked(answer: Answer, stale = false): void {
  refused(answer, 401)
  const { lines } = challengeOf(answer)
  assert.equal(lines.length, 2)
  assert.equal(
    lines.every((line) => line.includes('stale=true')),
    stale,
  )
}

test('every path and every method, known or not, asks for credentials', async () => {
  for (const path of [
    '/',
    '/imcrs',
    '/ram/zone',
    '/nowhere',
    '/events?type=11',
    '/metrics',
    '/plat/operator',
  ]) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND']) {
      const answer = await service.ask(method, path)
      assert.equal(answer.status, 401, `${method} ${path}`)
      const { lines } = challengeOf(answer)
      assert.match(lines[0] ?? '', /^Digest realm="Belfry", qop="auth", algorithm=SHA-256, nonce="[^"]+"/)
      assert.match(lines[1] ?? '', /^Digest realm="Belfry", qop="auth", algorithm=MD5, nonce="[^"]+"/)
      assert.equal(lines.length, 2, 'Basic is not offered without TLS')
    }
  }
  refused(await service.get('/ram/zone', { Accept: 'text/html' }), 401)
})

test('/health answers without credentials, and only to GET and HEAD', async () => {
  assert.equal((await service.get('/health')).text, 'ready\n')
  assert.equal((await service.get('/imcrs/health')).status, 200)
  assert.equal((await service.get('/health/traps')).text, 'ready\n')
  assert.equal((await service.get('/health', { Authorization: 'nonsense' })).status, 200)
  asked(await service.ask('POST', '/health'))
})

test('the right answer to a challenge is accepted, with either algorithm', async () => {
  for (const algorithm of ['SHA-256', 'MD5'] as const) {
    const header = digestHeader(await service.challenge(), { ...administrator, algorithm })
    assert.equal((await show(header)).status, 200)
  }
})

test('a nonce serves many requests, each with its own count', async () => {
  const challenge = await service.challenge()
  for (const nc of ['00000001', '00000003', '00000002']) {
    assert.equal((await show(digestHeader(challenge, { ...administrator, nc }))).status, 200)
  }
})

test('a header that was used before is refused, on any connection', async () => {
  const header = digestHeader(await service.challenge(), administrator)
  assert.equal((await show(header)).status, 200)
  for (let count = 0; count < 3; count += 1) asked(await show(header), true)
})

test('a header is valid for the request it was made for: not for another address, query or method', async () => {
  const challenge = await service.challenge()
  asked(await show(digestHeader(challenge, administrator), '/ram/zone/1'))
  asked(await show(digestHeader(challenge, administrator), '/ram/zone?size=2'))
  asked(
    await show(digestHeader(challenge, { ...administrator, uri: '/ram/zone/1' }), '/ram/zone/1', 'DELETE'),
  )
  asked(await show(digestHeader(challenge, { ...administrator, uri: '/RAM/zone' })))
  const forged = digestHeader(challenge, administrator).replace('uri="/ram/zone"', 'uri="/plat/operator"')
  asked(await show(forged, '/plat/operator'))
  forgive()
  assert.equal((await service.as('administrator', 'GET', '/ram/zone/1')).status, 200, 'and the zone is there')
})

test('an address with a host is the same address', async () => {
  const uri = 'http://belfry.example/ram/zone?size=1'
  const challenge = await service.challenge()
  assert.equal(
    (await show(digestHeader(challenge, { ...administrator, uri }), '/ram/zone?size=1')).status,
    200,
  )
  const other = digestHeader(challenge, { ...administrator, uri: '/ram/zone?size=1', nc: '00000002' })
  assert.equal((await show(other, uri)).status, 200)
})

test('a nonce that is too old is stale, so that programs ask again by themselves', async () => {
  const challenge = await service.challenge()
  time.offset += 5 * 60_000 + 1
  asked(await show(digestHeader(challenge, administrator)), true)
  asked(await show(digestHeader(challenge, { ...administrator, password: 'wrong-password-1' })))
})

test('a nonce that the service never made is refused', async () => {
  const { realm, nonce } = await service.challenge()
  for (const forged of [`${nonce}A`, nonce.slice(1), 'abc', nonce.replace(/\.[^.]*\./, '.AAAAAAAAAAAA.')]) {
    asked(await show(digestHeader({ realm, nonce: forged }, administrator)), true)
  }
  asked(await show(digestHeader({ realm: 'Elsewhere', nonce }, administrator)))
})

test('a header that is cut off, doubled or of an unknown kind is refused', async () => {
  const header = digestHeader(await service.challenge(), administrator)
  for (const length of [6, 7, 20, 60, header.length - 1, header.length - 20])
    asked(await show(header.slice(0, length)))
  for (const wrong of [
    header.replace('qop=auth, ', ''),
    header.replace('qop=auth', 'qop=auth-int'),
    header.replace('nc=00000001, ', ''),
    header.replace(/response="[^"]*"/, 'response=""'),
    header.replace(/response="[^"]*"/, `response="${'0'.repeat(64)}"`),
    header.replace('algorithm=SHA-256', 'algorithm=SHA-1'),
    `${header}, username="viewer"`,
    header.replace('Digest', 'Bearer'),
    'Negotiate abc',
    'Digest',
    'Basic',
    ',',
  ]) {
    refused(await show(wrong), 401)
    forgive()
  }
  const raw = `GET /ram/zone HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${header}\r\nAuthorization: ${header}\r\nConnection: close\r\n\r\n`
  assert.match(await send(raw), /^HTTP\/1\.1 400 /)
  const huge = `GET /ram/zone HTTP/1.1\r\nHost: localhost\r\nAuthorization: Digest username="${'x'.repeat(15_000)}"\r\nConnection: close\r\n\r\n`
  assert.match(await send(huge), /^HTTP\/1\.1 401 /)
})

function send(raw: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(service.url)
    const socket = connect(Number(port), hostname, () => socket.write(raw))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

test('an unknown name is refused in the same words as a wrong password', async () => {
  const challenge = await service.challenge()
  const wrong = await show(digestHeader(challenge, { ...administrator, password: 'wrong-password-2' }))
  const unknown = await show(digestHeader(challenge, { ...administrator, name: 'nobody' }))
  asked(wrong)
  assert.equal(unknown.text, wrong.text)
})

test('names in other alphabets log in, whatever the program makes of their accents', async () => {
  const name = 'J\u00fcrgen東'
  const made = await service.asJson('administrator', 'POST', '/plat/operator', {
    name: 'Ju\u0308rgen東',
    role: 'viewer',
    password: passwordOf(name),
  })
  assert.equal(made.status, 201, made.text)
  assert.equal((await service.as(name, 'GET', '/ram/zone')).status, 200)
  const self = await service.as(name, 'GET', '/plat/operator/self', {
    headers: { Accept: 'application/json' },
  })
  assert.equal(self.json().name, name)
})

test('Basic is neither offered nor accepted without TLS; behind a proxy that speaks TLS it is', async () => {
  const basic = (name: string, password: string) => ({
    Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
  })
  const plain = await service.get('/ram/zone', basic('administrator', passwordOf('administrator')))
  asked(plain)
  assert.match(plain.text, /over TLS only/)
  const behind = await startGuarded({ 'trusted-proxies': '127.0.0.1' }, {}, [])
  const proxied = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.9' }
  const { lines } = challengeOf(await behind.get('/', proxied))
  assert.equal(lines[2], 'Basic realm="Belfry", charset="UTF-8"')
  const get = (headers: Record<string, string>) => behind.get('/ram/zone', { ...proxied, ...headers })
  const right = basic('administrator', passwordOf('administrator'))
  assert.deepEqual(
    (await Promise.all([get(right), get(right), get(right)])).map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal((await get(basic('administrator', 'wrong-password-3'))).status, 401)
  assert.equal((await get(basic('nobody', 'wrong-password-3'))).status, 401)
  for (const wrong of [
    'Basic',
    'Basic !!!',
    'Basic Og==',
    `Basic ${Buffer.from('administrator').toString('base64')}`,
  ])
    assert.equal((await get({ Authorization: wrong })).status, 401)
})

test('a token is shown once, is valid for its scope and time, and is revoked with its operator', async () => {
  const token = await tokenOf(service, 'operator', { description: 'a program' })
  assert.match(token, /^bfy_[\w-]{43}$/)
  const get = async (held: string, path = '/ram/zone') => (await service.get(path, bearer(held))).status
  assert.equal(await get(token), 200)
  assert.equal(
    (await service.ask('POST', '/ram/zone', { headers: bearer(token) })).status,
    400,
    'it may change',
  )
  assert.equal(await get(token, '/plat/operator'), 403)
  for (const wrong of [`${token}x`, token.slice(0, -1), `bfy_${'A'.repeat(43)}`, '', 'x'])
    assert.equal(await get(wrong), 401)
  const list = await service.get('/plat/token', { ...bearer(token), Accept: 'application/json' })
  assert.equal(list.headers.total, '1')
  assert.ok(!list.text.includes(token) && list.text.includes(token.slice(0, 12)))
  const seen = await tokenOf(service, 'operator', { scope: 'viewer' })
  assert.equal((await service.ask('POST', '/ram/zone', { headers: bearer(seen) })).status, 403)
  const soon = await tokenOf(service, 'operator', { expiryTime: Math.floor(clock() / 1000) + 60 })
  assert.equal(await get(soon), 200)
  time.offset += 61_000
  assert.equal(await get(soon), 401)
  const id = String((list.json().token as { id: string }[])[0]?.id)
  assert.equal((await service.as('viewer', 'DELETE', `/plat/token/${id}`)).status, 410, "not another's")
  assert.equal((await service.as('operator', 'DELETE', `/plat/token/${id}`)).status, 204)
  assert.equal(await get(token), 401)
  assert.equal(await get(seen), 200)
})

test('a new token comes in XML, too', async () => {
  const body = '<token><scope>viewer</scope></token>'
  const made = await service.as('viewer', 'POST', '/plat/token', { body })
  assert.equal(made.status, 201)
  assert.match(made.text, /<scope>viewer<\/scope>.*<token>bfy_[\w-]{43}<\/token><\/token>$/)
  const { pathname } = new URL(String(made.headers.location))
  const read = await service.as('viewer', 'GET', pathname)
  assert.match(read.text, /<operatorName>viewer<\/operatorName>/)
  assert.doesNotMatch(read.text, /<token>bfy/)
})

test('a token for events is valid for nothing else', async () => {
  const token = await tokenOf(service, 'administrator', { scope: 'events' })
  assert.equal((await service.get('/events', bearer(token))).status, 400)
  for (const path of ['/', '/ram/zone', '/plat/operator', '/metrics', '/events/registrations'])
    assert.equal((await service.get(path, bearer(token))).status, 403, path)
})

test('a token is never more than its operator, makes no other tokens and changes no password', async () => {
  const scope = await service.asJson('viewer', 'POST', '/plat/token', { scope: 'administrator' })
  refused(scope, 400)
  const token = await tokenOf(service, 'administrator')
  const headers = { ...bearer(token), 'Content-Type': 'application/json' }
  refused(await service.ask('POST', '/plat/token', { headers, body: '{}' }), 403)
  const password = JSON.stringify({ password: 'another horse staple' })
  for (const own of ['self', '1'])
    refused(await service.ask('PUT', `/plat/operator/${own}`, { headers, body: password }), 403)
  const others = await service.asJson('viewer', 'POST', '/plat/token', { operatorId: '1' })
  refused(others, 403)
})

test('a token revokes itself, and no other unless its role may', async () => {
  const make = async (scope: string) => {
    const made = (await service.asJson('operator', 'POST', '/plat/token', { scope })).json()
    return { id: String(made.id), headers: bearer(String(made.token)) }
  }
  const [strong, weak] = [await make('operator'), await make('viewer')]
  refused(await service.ask('DELETE', `/plat/token/${strong.id}`, { headers: weak.headers }), 403)
  assert.equal((await service.ask('DELETE', `/plat/token/${weak.id}`, { headers: weak.headers })).status, 204)
  assert.equal((await service.get('/ram/zone', weak.headers)).status, 401)
  const headers = bearer(await tokenOf(service, 'administrator'))
  assert.equal((await service.ask('DELETE', `/plat/token/${strong.id}`, { headers })).status, 204)
})

test('a caller who guesses has to wait with 429, and nobody else does', async () => {
  // The wait is one second, however long a request takes.
  let now = clock()
  const guarded = await startGuarded({ 'trusted-proxies': '127.0.0.1' }, { clock: () => now }, [
    'administrator',
    'viewer',
  ])
  const login = async (name: string, password: string, address: string) => {
    const header = digestHeader(await guarded.challenge(), { name, password, uri: '/ram/zone' })
    return guarded.get('/ram/zone', { Authorization: header, 'X-Forwarded-For': address })
  }
  const right = passwordOf('administrator')
  for (let count = 0; count < 5; count += 1)
    assert.equal((await login('administrator', 'wrong-password-4', '192.0.2.1')).status, 401)
  const waits = await login('administrator', right, '192.0.2.1')
  refused(waits, 429)
  assert.equal(waits.headers['retry-after'], '1')
  assert.equal((await login('administrator', right, '192.0.2.2')).status, 200)
  assert.equal((await login('viewer', passwordOf('viewer'), '192.0.2.1')).status, 200)
  now += 1001
  assert.equal((await login('administrator', right, '192.0.2.1')).status, 200)
})

test('addresses that are listed read /events, and others /metrics, without credentials; nothing else', async () => {
  const listed = await startGuarded({
    'trusted-proxies': '127.0.0.1',
    'event-clients': '192.0.2.0/24',
    'metrics-clients': '198.51.100.7',
  })
  const get = async (address: string, path: string, method = 'GET') =>
    (await listed.ask(method, path, { headers: { 'X-Forwarded-For': address } })).status
  assert.equal(await get('192.0.2.5', '/events'), 400, 'let in, and asked for its type')
  assert.equal(await get('192.0.2.5', '/imcrs/events'), 400)
  assert.equal(await get('192.0.3.5', '/events'), 401)
  assert.equal(await get('192.0.2.5', '/events', 'POST'), 401)
  for (const path of ['/', '/metrics', '/ram/zone', '/events/registrations', '/events/x'])
    assert.equal(await get('192.0.2.5', path), 401, path)
  assert.equal(await get('198.51.100.7', '/metrics'), 200)
  assert.equal(await get('198.51.100.7', '/events'), 401)
  assert.equal((await listed.as('viewer', 'GET', '/metrics')).status, 200)
})

test('the log records who was refused and why, and nothing secret', async () => {
  const text = logged.join('')
  assert.match(text, /"name":"administrator","address":"127\.0\.0\.1","reason":"wrong password"/)
  assert.match(text, /"reason":"unknown operator"/)
  assert.doesNotMatch(text, /horse|response=|nonce=|bfy_|wrong-password|Bearer|argon2/)
})

const run = promisify(execFile)

test('curl logs in with Digest', withoutTool('curl', 'curl'), async () => {
  const curl = async (...args: string[]) => {
    const { stdout } = await run('curl', ['-s', '-o', '/dev/null', '-w', '%{http_code}', '--digest', ...args])
    return stdout
  }
  const login = ['-u', `operator:${passwordOf('operator')}`]
  assert.equal(await curl(...login, `${service.url}/imcrs/ram/zone?name=a%20b`), '200')
  const body = ['-H', 'Content-Type: application/json', '-d', '{"name": "Curled"}']
  assert.equal(await curl(...login, ...body, `${service.url}/ram/zone`), '201')
  assert.equal(await curl('-u', 'operator:wrong-password-5', `${service.url}/ram/zone`), '401')
  const both = [`${service.url}/ram/zone`, '-o', '/dev/null', `${service.url}/ram/zone/1`]
  assert.equal(await curl(...login, ...both), '200200', 'two requests with one nonce')
})

test('a body that comes with a request without credentials is read, so that programs get the answer', async () => {
  const body = `<zone><name>Late</name><description>${'x'.repeat(500_000)}</description></zone>`
  const answer = await service.ask('POST', '/ram/zone', { body, headers: { Connection: 'keep-alive' } })
  asked(answer)
  assert.notEqual(answer.headers.connection, 'close')
})

test('a caller without credentials is not asked for a large body', async () => {
  const head =
    'POST /ram/zone HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n'
  const answer = await send(head)
  assert.match(answer, /^HTTP\/1\.1 401 /)
  assert.match(answer, /\r\nConnection: close\r\n/)
})

test('as long as there is no operator, everyone on this machine may do everything', async () => {
  const open = guard(await startService({ 'trusted-proxies': '127.0.0.2, 127.0.0.1' }))
  assert.equal((await open.send('POST', '/ram/zone', '<zone><name>Open</name></zone>')).status, 201)
  assert.equal((await open.get('/ram/zone', { Authorization: 'Digest nonsense' })).status, 200)
  refused(await open.get('/plat/operator/self'), 404)
  // Callers from the network through a forgotten proxy; pages in a browser under a name that resolves to this machine.
  refused(await open.get('/ram/zone', { 'X-Forwarded-For': '192.0.2.1' }), 403)
  refused(await open.get('/ram/zone', { Host: 'rebound.example' }), 403)
  for (const Host of ['localhost:8080', 'LOCALHOST', '127.0.0.1', '[::1]:80', '192.0.2.4'])
    assert.equal((await open.get('/ram/zone', { Host })).status, 200, Host)
  // In some networks anybody can get a name without a dot, and a name below localhost may belong to others as well.
  for (const Host of ['nms', 'app.localhost', 'localhost.example', 'x:8080'])
    refused(await open.get('/ram/zone', { Host }), 403)
  const named = await startService({ 'public-url': 'http://Desk.example' })
  for (const Host of ['desk.example:8080', 'desk.example', 'localhost'])
    assert.equal((await named.get('/ram/zone', { Host })).status, 200, Host)
  refused(await named.get('/ram/zone', { Host: 'rebound.example' }), 403)
})

test('as long as there is no operator, host names that only browsers take for this machine are refused', async () => {
  const open = await startService({ 'public-url': 'https://nms.example.net' })
  for (const Host of ['a!b.rebound.example', 'a~b.rebound.example:8080', "it's.rebound.example"])
    refused(await open.get('/ram/zone', { Host }), 400)
  assert.equal((await open.get('/ram/zone', { Host: 'nms.example.net' })).status, 200)
})

test('as long as there is no operator, a caller through a proxy that is not configured does not count as this machine', async () => {
  const open = await startService()
  const sentOn = [{ 'X-Forwarded-For': '127.0.0.1' }, { Forwarded: 'for=127.0.0.1' }, { Via: '1.1 front' }]
  for (const headers of sentOn) refused(await open.get('/ram/zone', headers), 403)
  const behind = await startService({ 'trusted-proxies': '127.0.0.1' })
  // Some proxies add the port: that is no address, so the caller is unknown.
  refused(await behind.get('/ram/zone', { 'X-Forwarded-For': '192.0.2.7:4711' }), 403)
  assert.equal((await behind.get('/ram/zone', { 'X-Forwarded-For': '127.0.0.1' })).status, 200)
})

test('pages of other sites get nothing, with operators and without', async () => {
  const open = await startService()
  const change = (headers: Record<string, string>) => open.ask('DELETE', '/ram/zone/77', { headers })
  for (const site of ['cross-site', 'same-site']) refused(await change({ 'Sec-Fetch-Site': site }), 403)
  refused(await change({ Origin: 'https://elsewhere.example' }), 403)
  refused(await change({ Origin: 'null' }), 403)
  for (const own of [{ 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-Fetch-Site': 'none' }, { Origin: open.url }])
    assert.equal((await change(own)).status, 410)
  refused(await open.get('/events?type=11&uuid=desk', { 'Sec-Fetch-Site': 'cross-site' }), 403)
  for (const site of ['cross-site', 'same-site'])
    for (const path of ['/ram/zone', '/plat/backup', '/plat/data/zone', '/metrics'])
      refused(await open.get(path, { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate' }), 403)
  assert.equal((await open.get('/ram/zone', { 'Sec-Fetch-Site': 'none' })).status, 200)
  const crossed = { headers: { 'Sec-Fetch-Site': 'cross-site' } }
  refused(await service.as('administrator', 'DELETE', '/ram/zone/77', crossed), 403)
})
