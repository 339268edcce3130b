// Signing in from a browser: a cookie that nobody else can use, and that ends when it must.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { promisify } from 'node:util'
import { lastLogin } from '../../src/resources/access/last-use.ts'
import { until } from '../intake/sending.ts'
import { EventReader } from '../push/reader.ts'
import { startService, temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { Browser } from './browsing.ts'
import { Authority, settingsOf } from './certificates.ts'
import { bearer, digestHeader, passwordOf, present, startGuarded, tokenOf } from './credentials.ts'
import { idOf, refused } from './reading.ts'

/** The tests set the time: after a wrong password the wait is one second, however long a request takes. */
const time = { now: Date.now() }
const clock = () => time.now
beforeEach(() => {
  time.now += 16 * 60_000
})
const hour = 3_600_000
const service = await startGuarded({}, { clock })
const admin = 'administrator'

async function signedIn(name: string = admin, password = passwordOf(name)): Promise<Browser> {
  const browser = new Browser(service.url)
  const answer = await browser.signIn(name, password)
  assert.equal(answer.status, 201, answer.text)
  return browser
}

const add = async (name: string, role = 'viewer') =>
  idOf(await service.asJson(admin, 'POST', '/plat/operator', { name, role, password: passwordOf(name) }))

const status = async (browser: Browser, path = '/ram/zone') => (await browser.ask('GET', path)).status

test('a name and a password begin a session, whose cookie has the rights of the operator', async () => {
  const browser = await signedIn('operator')
  const [[name, cookie] = []] = browser.cookies
  assert.equal(name, 'belfry-session')
  assert.deepEqual(cookie?.attributes, ['path=/', 'httponly', 'samesite=strict'])
  assert.match(String(cookie?.value), /^[\w-]{43}$/)
  assert.equal(await status(browser), 200)
  assert.equal(await status(browser, '/imcrs/ram/zone'), 200)
  assert.equal((await browser.json('POST', '/ram/zone', { name: 'By cookie' })).status, 201)
  refused(await browser.ask('GET', '/plat/operator'), 403)
  const recorded = await service.as(admin, 'GET', '/plat/audit?resource=zone&name=operator')
  assert.equal(recorded.headers.total, '1', 'what is changed is changed by the operator')
  const opened = await service.as(admin, 'GET', '/plat/audit?resource=session&action=create&name=operator')
  assert.equal(opened.headers.total, '1')
})

test('the session shows who is signed in, how, and which operations are allowed', async () => {
  const browser = await signedIn('viewer')
  const me = await browser.whoAmI()
  const { signedIn: isIn, name, role, by, allowed, way } = me
  assert.deepEqual(
    { isIn, name, role, by, way },
    { isIn: 'true', name: 'viewer', role: 'viewer', by: 'session', way: ['password'] },
  )
  const may = new Set(allowed as string[])
  for (const one of ['GET /fault/alarm', 'GET /events', 'PUT /plat/operator/self', 'POST /plat/token'])
    assert.ok(may.has(one), one)
  for (const one of [
    'POST /ram/zone',
    'PUT /fault/alarm/acknowledge/{id}',
    'GET /plat/backup',
    'GET /plat/audit',
  ])
    assert.ok(!may.has(one), one)
  assert.ok(Number(me.expiryTime) * 1000 > clock())
  const digest = await service.as('operator', 'GET', '/console/session', {
    headers: { Accept: 'application/json' },
  })
  assert.deepEqual([digest.json().by, digest.json().name], ['digest', 'operator'])
  const token = await tokenOf(service, admin, { scope: 'viewer' })
  const byToken = await service.get('/console/session', { ...bearer(token), Accept: 'application/json' })
  assert.equal(byToken.json().by, 'token')
  assert.ok(!(byToken.json().allowed as string[]).includes('POST /plat/token'), 'its scope counts')
})

test('a caller who has not signed in is shown how to, and nothing else', async () => {
  const browser = new Browser(service.url)
  const me = await browser.whoAmI()
  assert.deepEqual([me.signedIn, me.name, me.role, me.way, me.allowed], ['false', '', '', ['password'], []])
  const wrong = new Browser(service.url)
  wrong.cookies.set('belfry-session', { value: 'A'.repeat(43), attributes: [] })
  assert.equal((await wrong.whoAmI()).signedIn, 'false')
  refused(await wrong.ask('GET', '/ram/zone'), 401)
})

test('a script is not asked for Digest, or the browser would ask the user for a password', async () => {
  const browser = new Browser(service.url)
  for (const answer of [
    await browser.ask('GET', '/ram/zone'),
    await browser.signIn(admin, 'wrong-password-1'),
    await browser.signIn('nobody', 'wrong-password-1'),
  ]) {
    refused(answer, 401)
    assert.equal(answer.headers['www-authenticate'], 'Bearer realm="Belfry"')
  }
  // The user's own request, and the fetch of Node.
  for (const headers of [
    { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Mode': 'cors' },
  ] as Record<string, string>[]) {
    const asked = await service.get('/ram/zone', headers)
    assert.match(String(asked.headers['www-authenticate']), /^Digest /)
  }
})

test('without operators nobody needs to sign in', async () => {
  const open = await startService()
  const me = await new Browser(open.url).whoAmI()
  assert.deepEqual([me.signedIn, me.name, me.role, me.by, me.way], ['true', 'anonymous', admin, 'nobody', []])
  assert.ok((me.allowed as string[]).includes('POST /plat/operator'))
  refused(await new Browser(open.url).signIn('alice', passwordOf('alice')), 409)
})

test('what a page of another origin sends with the cookie changes nothing and reads nothing', async () => {
  const browser = await signedIn()
  const change = (headers: Record<string, string>) =>
    service.ask('DELETE', '/ram/zone/777', { headers: { Cookie: browser.headers.Cookie ?? '', ...headers } })
  refused(await change({}), 403)
  refused(await change({ Origin: 'null' }), 403)
  refused(await change({ Origin: 'https://elsewhere.example' }), 403)
  refused(await change({ Origin: service.url.replace('http:', 'https:') }), 403)
  refused(await change({ Origin: service.url.replace(/\d+$/, '1') }), 403)
  for (const site of ['cross-site', 'same-site', 'none', 'nonsense'])
    refused(await change({ 'Sec-Fetch-Site': site, Origin: service.url }), 403)
  assert.equal((await change({ Origin: service.url })).status, 410)
  assert.equal((await change({ 'Sec-Fetch-Site': 'same-origin' })).status, 410)
  for (const site of ['cross-site', 'same-site']) {
    const headers = { Cookie: browser.headers.Cookie ?? '', 'Sec-Fetch-Site': site }
    for (const path of ['/ram/zone', '/plat/backup', '/events?type=11'])
      refused(await service.get(path, headers), 403)
  }
  const login = { name: admin, password: passwordOf(admin) }
  const forged = await service.ask('POST', '/console/session', {
    headers: { 'Content-Type': 'application/json', Origin: 'https://elsewhere.example' },
    body: JSON.stringify(login),
  })
  refused(forged, 403)
  assert.equal(forged.headers['set-cookie'], undefined)
})

test('signing out ends the session, and so does signing in again', async () => {
  const browser = await signedIn()
  const before = browser.headers.Cookie ?? ''
  const held = () => service.get('/ram/zone', { Cookie: before })
  assert.equal((await held()).status, 200)
  await browser.signIn(admin, passwordOf(admin))
  assert.equal((await held()).status, 401, 'the one before is gone')
  assert.equal(await status(browser), 200)
  const out = await browser.ask('DELETE', '/console/session')
  assert.equal(out.status, 204)
  assert.equal(browser.cookies.size, 0)
  assert.equal((await browser.ask('DELETE', '/console/session')).status, 204, 'nobody is out already')
})

test('a session ends after its time, and sooner when nobody uses it', async () => {
  const idle = await signedIn()
  const used = await signedIn()
  time.now += 7 * hour
  assert.equal(await status(used), 200)
  time.now += 6 * hour
  assert.equal(await status(used), 200)
  assert.equal(await status(idle), 401)
  for (let days = 0; days < 7; days += 1) {
    time.now += 11 * hour
    await status(used)
    time.now += 11 * hour
    await status(used)
  }
  time.now += 11 * hour
  assert.equal(await status(used), 401)
})

test('a session survives a restart, with the time of its last use', async () => {
  const { data } = service.config
  const other = await startGuarded({ 'session-idle-minutes': '60' }, { clock }, [])
  assert.notEqual(other.config.data, data)
  const browser = new Browser(other.url)
  await browser.signIn(admin, passwordOf(admin))
  time.now += 30 * 60_000
  assert.equal(await status(browser), 200)
  await other.stop()
  const again = await startService({ data: other.config.data, 'session-idle-minutes': '60' }, { clock })
  const later = new Browser(again.url)
  for (const [name, cookie] of browser.cookies) later.cookies.set(name, cookie)
  time.now += 45 * 60_000
  assert.equal(await status(later), 200)
  // The use is written beside the answer, with the time at which it is written.
  const [session] = await again.database.all('select id from session')
  const usedAt = () => lastLogin(again.database, 'session', session?.id as bigint)
  await until('the use is written', async () => ((await usedAt()) ?? 0) >= time.now)
  time.now += 61 * 60_000
  assert.equal(await status(later), 401)
  const [row] = await again.database.all('select hash from session')
  const [cookie] = browser.cookies.values()
  assert.notEqual(row?.hash, cookie?.value, 'what is kept is not what opens')
})

test('a new password, a disabled operator and a removed one end sessions and their streams', async () => {
  for (const [index, end] of [
    (id: string) =>
      service.asJson(admin, 'PUT', `/plat/operator/${id}?keepTokens=true`, {
        password: 'another horse staple',
      }),
    (id: string) => service.asJson(admin, 'PUT', `/plat/operator/${id}`, { enabled: false }),
    (id: string) => service.as(admin, 'DELETE', `/plat/operator/${id}`),
  ].entries()) {
    const name = `leaver-${index}`
    const id = await add(name)
    const browser = await signedIn(name)
    const headers = { ...browser.headers, Accept: 'text/event-stream', 'Sec-Fetch-Site': 'same-origin' }
    const stream = await EventReader.open(service.url, 'type=11', headers)
    assert.equal(stream.status, 200)
    assert.equal((await end(id)).status, 204)
    await stream.end()
    assert.equal(await status(browser), 401)
  }
})

test('an operator who changes the own password has to sign in again, everywhere', async () => {
  await add('changer')
  const [one, two] = [await signedIn('changer'), await signedIn('changer')]
  const body = { password: 'another horse staple' }
  const changed = await one.json('PUT', '/plat/operator/self', body, present('changer'))
  assert.equal(changed.status, 204)
  assert.deepEqual([await status(one), await status(two)], [401, 401])
  const again = await signedIn('changer', 'another horse staple')
  assert.equal(await status(again), 200)
})

test('sessions are listed and revoked: by administrators all, by others their own', async () => {
  const [mine, other, theirs] = [
    await signedIn('viewer'),
    await signedIn('viewer'),
    await signedIn('operator'),
  ]
  const list = async (browser: Browser) =>
    (await browser.ask('GET', '/plat/session?size=100')).json().session as Record<string, string>[]
  const own = await list(mine)
  assert.ok(own.length >= 2 && own.every(({ operatorName }) => operatorName === 'viewer'))
  const id = String((await other.whoAmI()).sessionId)
  const [entry] = own.filter((one) => one.id === id)
  assert.deepEqual([entry?.address, entry?.way], ['127.0.0.1', 'password'])
  assert.ok(Math.abs(Number(entry?.createdTime) * 1000 - clock()) < hour)
  refused(await theirs.ask('DELETE', `/plat/session/${id}`), 410)
  refused(await theirs.ask('GET', `/plat/session/${id}`), 404)
  assert.equal((await mine.ask('GET', `/plat/session/${id}`)).status, 200)
  const headers = { ...other.headers, Accept: 'text/event-stream' }
  const stream = await EventReader.open(service.url, 'type=11', headers)
  assert.equal((await mine.ask('DELETE', `/plat/session/${id}`, { headers: present('viewer') })).status, 204)
  await stream.end()
  assert.equal(await status(other), 401)
  const boss = await signedIn()
  const all = await list(boss)
  assert.ok(all.some(({ operatorName }) => operatorName === 'operator'))
  const last = String((await theirs.whoAmI()).sessionId)
  assert.equal((await boss.ask('DELETE', `/plat/session/${last}`, { headers: present(admin) })).status, 204)
  assert.equal(await status(theirs), 401)
  const recorded = await service.as(admin, 'GET', '/plat/audit?resource=session&action=delete')
  assert.ok(Number(recorded.headers.total) >= 2)
  assert.doesNotMatch(JSON.stringify(all), /hash/)
  const token = await tokenOf(service, 'viewer')
  refused(
    await service.ask('DELETE', `/plat/session/${String((await mine.whoAmI()).sessionId)}`, {
      headers: bearer(token),
    }),
    403,
  )
})

test('the number of sessions of an operator is limited: the oldest are removed', async () => {
  await add('many')
  const first = await signedIn('many')
  for (let count = 0; count < 50; count += 1) await signedIn('many')
  assert.equal(await status(first), 401)
  const rows = await service.as('many', 'GET', '/plat/session')
  assert.equal(rows.headers.total, '50')
})

test('guesses at the form and guesses with Digest are counted together', async () => {
  await add('guessed')
  const browser = new Browser(service.url)
  for (let count = 0; count < 3; count += 1)
    refused(await browser.signIn('guessed', `wrong-password-${count}`), 401)
  const digest = { name: 'guessed', password: 'wrong-password-9', uri: '/ram/zone' }
  for (let count = 0; count < 2; count += 1) {
    const Authorization = digestHeader(await service.challenge(), digest)
    refused(await service.get('/ram/zone', { Authorization }), 401)
  }
  const waits = await browser.signIn('guessed', passwordOf('guessed'))
  refused(waits, 429)
  assert.equal(waits.headers['retry-after'], '1')
  refused(await service.as('guessed', 'GET', '/ram/zone'), 429)
})

test('missing or invalid fields are reported by name, and no secret is repeated', async () => {
  const browser = new Browser(service.url)
  refused(await browser.json('POST', '/console/session', { password: 'x' }), 400, 'name')
  refused(await browser.json('POST', '/console/session', { name: 'x' }), 400, 'password')
  const odd = await browser.json('POST', '/console/session', {
    name: admin,
    password: passwordOf(admin),
    remember: true,
  })
  refused(odd, 400, 'remember')
  assert.ok(!odd.text.includes(passwordOf(admin)))
  refused(await browser.signIn(admin, 'x'.repeat(1000)), 401)
  for (const Cookie of [
    'belfry-session',
    'belfry-session=',
    '=;;;',
    `${'a=b; '.repeat(2000)}`,
    'belfry-session=x; belfry-session=y',
  ])
    assert.equal((await service.get('/ram/zone', { Cookie })).status, 401)
})

test('a caller without credentials can send little', async () => {
  const browser = new Browser(service.url)
  refused(await browser.signIn(admin, 'x'.repeat(2 ** 14)), 413)
  const own = await signedIn()
  refused(await own.signIn(admin, 'x'.repeat(2 ** 14)), 401)
})

test('the form works over TLS or on the machine itself alone', async () => {
  const behind = await startGuarded({ 'trusted-proxies': '127.0.0.1' }, { clock }, [])
  const plain = new Browser(behind.url, { 'X-Forwarded-For': '192.0.2.9' })
  const refusal = await plain.signIn(admin, passwordOf(admin))
  refused(refusal, 403)
  assert.match(refusal.text, /over TLS/)
  assert.deepEqual((await plain.whoAmI()).way, [])
  const proxied = {
    'X-Forwarded-For': '192.0.2.9',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'nms.example.net',
  }
  const secure = new Browser(behind.url, { ...proxied, Origin: 'https://nms.example.net' })
  const made = await secure.ask('POST', '/console/session', {
    headers: { 'Content-Type': 'application/json', Origin: 'https://nms.example.net' },
    body: JSON.stringify({ name: admin, password: passwordOf(admin) }),
  })
  assert.equal(made.status, 201, made.text)
  const [[name, cookie] = []] = secure.cookies
  assert.equal(name, '__Host-belfry-session')
  assert.deepEqual(cookie?.attributes, ['path=/', 'httponly', 'samesite=strict', 'secure'])
  assert.equal(await status(secure), 200)
  // The same secret under the cookie name that an attacker on the network could have set.
  const value = String(cookie?.value)
  assert.equal((await behind.get('/ram/zone', { ...proxied, Cookie: `belfry-session=${value}` })).status, 401)
  // A cookie that was set over TLS is not accepted without it.
  const inPlain = { 'X-Forwarded-For': '192.0.2.9', Cookie: `belfry-session=${value}` }
  assert.equal((await behind.get('/ram/zone', inPlain)).status, 401)
})

const run = promisify(execFile)

test(
  'curl signs in over TLS, and keeps the cookie as a browser would',
  withoutTool('curl', 'curl'),
  async () => {
    const authority = new Authority()
    const tls = await startService(settingsOf(authority.issue()), { adminPassword: passwordOf('admin1') })
    const jar = join(temporaryFolder(), 'jar')
    const curl = async (path: string, ...args: string[]) => {
      const always = ['-s', '--cacert', authority.root, '-c', jar, '-b', jar, '-w', ' %{http_code}']
      const { stdout } = await run('curl', [...always, ...args, tls.url + path])
      return stdout
    }
    const json = ['-H', 'Content-Type: application/json', '-H', 'Accept: application/json']
    const login = JSON.stringify({ name: 'admin', password: passwordOf('admin1') })
    assert.match(await curl('/console/session', ...json, '-d', login), /"name":"admin".* 201$/)
    assert.match(
      readFileSync(jar, 'utf8'),
      /^#HttpOnly_127\.0\.0\.1\tFALSE\t\/\tTRUE\t0\t__Host-belfry-session\t/m,
    )
    assert.match(await curl('/ram/zone/1'), / 200$/)
    assert.match(await curl('/ram/zone/77', '-X', 'DELETE'), / 403$/)
    assert.match(await curl('/ram/zone/77', '-X', 'DELETE', '-H', `Origin: ${tls.url}`), / 410$/)
    assert.match(await curl('/console/session', '-X', 'DELETE', '-H', `Origin: ${tls.url}`), / 204$/)
    assert.match(await curl('/ram/zone/1'), / 401$/)
  },
)

test('requests through a proxy that is not configured do not count as from this machine', async () => {
  const browser = new Browser(service.url, { 'X-Forwarded-For': '192.0.2.9' })
  refused(await browser.signIn(admin, passwordOf(admin)), 403)
})
