// Operators by HTTP: what they are, what is never shown of them, and that there is always an administrator.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { startApp } from '../../src/app.ts'
import { addressOf, askJson } from '../../src/cli/service-connection.ts'
import { EventReader } from '../push/reader.ts'
import { startService, temporaryFolder, testConfig } from '../support.ts'
import { bearer, digestHeader, guard, passwordOf, startGuarded, tokenOf } from './credentials.ts'
import { idOf, refused } from './reading.ts'

const time = { offset: 0 }
const clock = () => Date.now() + time.offset
beforeEach(() => {
  time.offset += 16 * 60_000
})
const service = await startGuarded({}, { clock })
const admin = 'administrator'
const json = { Accept: 'application/json' }
let made = 0

async function add(record: object = {}): Promise<{ id: string; name: string }> {
  made += 1
  const name = `person-${made}`
  const body = { name, role: 'viewer', password: passwordOf(name), ...record }
  const answer = await service.asJson(admin, 'POST', '/plat/operator', body)
  assert.equal(answer.status, 201, answer.text)
  return { id: idOf(answer), name }
}

const put = (id: string, body: object) => service.asJson(admin, 'PUT', `/plat/operator/${id}`, body)

test('an operator is shown without anything secret, in records and lists', async () => {
  const { id, name } = await add({ fullName: 'A Person', description: 'for a test' })
  const one = await service.as(admin, 'GET', `/plat/operator/${id}`, { headers: json })
  assert.deepEqual(one.json(), {
    id,
    name,
    fullName: 'A Person',
    role: 'viewer',
    enabled: 'true',
    digest: 'true',
    description: 'for a test',
    lastLoginTime: '0',
    operatorGroupId: '3',
    authType: '0',
  })
  const list = await service.as(admin, 'GET', '/plat/operator?size=100')
  for (const { text } of [list, await service.as(admin, 'GET', `/plat/operator/${id}`)]) {
    assert.doesNotMatch(text, /password|argon2|sha256|md5|horse/i)
  }
  assert.equal(
    (await service.as(admin, 'GET', '/plat/operator?name=PERSON-*&role=viewer')).headers.total,
    '1',
  )
})

test('operators cannot be exported or imported: a copy without passwords would be of no use', async () => {
  refused(await service.as(admin, 'GET', '/plat/data/operator'), 404)
})

test('a name is taken whatever its case, and some names are not for operators', async () => {
  const { name } = await add()
  const same = { name: name.toUpperCase(), role: 'viewer', password: passwordOf('x') }
  refused(await service.asJson(admin, 'POST', '/plat/operator', same), 409, 'name')
  for (const wrong of [
    'anonymous',
    'LOCAL',
    '$SYSTEM',
    '10.0.0.1',
    '::1',
    'a:b',
    'a b',
    'a"b',
    'x'.repeat(65),
    '',
  ]) {
    const answer = await service.asJson(admin, 'POST', '/plat/operator', { ...same, name: wrong })
    refused(answer, 400, 'name')
  }
})

test('a bad password is refused with what is expected, and never repeated', async () => {
  for (const password of [
    'short',
    'x'.repeat(257),
    'aaaaaaaaaaaaaa',
    'ababababababab',
    ' leading-space-1',
    '',
    'has-weak-name-in',
  ]) {
    const body = { name: 'weak-name', role: 'viewer', password }
    const answer = await service.asJson(admin, 'POST', '/plat/operator', body)
    refused(answer, 400, 'password')
    if (password !== '') assert.ok(!answer.text.includes(password))
  }
  refused(
    await service.asJson(admin, 'POST', '/plat/operator', { name: 'none', role: 'viewer' }),
    400,
    'password',
  )
})

test('a new password takes effect at once, also for callers who were logged in', async () => {
  const { id, name } = await add()
  assert.equal((await service.as(name, 'GET', '/ram/zone')).status, 200)
  assert.equal((await put(id, { name, role: 'viewer', password: 'another horse staple' })).status, 204)
  assert.equal((await service.as(name, 'GET', '/ram/zone')).status, 401)
  const header = digestHeader(await service.challenge(), { name, password: 'another horse staple', uri: '/' })
  assert.equal((await service.get('/', { Authorization: header })).status, 200)
})

test('a password that is changed alone does not bring back a role that was taken away meanwhile', async () => {
  const { id, name } = await add({ role: 'administrator' })
  const challenge = await service.challenge()
  const uri = `/plat/operator/${id}`
  const change = (nc: string, body: object) => {
    const Authorization = digestHeader(challenge, { name: admin, method: 'PUT', uri, nc })
    const headers = { Authorization, 'Content-Type': 'application/json' }
    return service.ask('PUT', uri, { headers, body: JSON.stringify(body) })
  }
  // Hashing the password takes long, and the other request overtakes it.
  const done = await Promise.all([
    change('00000001', { password: 'another horse staple' }),
    change('00000002', { name, role: 'viewer' }),
  ])
  assert.deepEqual(
    done.map(({ status }) => status),
    [204, 204],
  )
  assert.equal((await service.as(admin, 'GET', uri, { headers: json })).json().role, 'viewer')
})

test('operators change their own password and full name, and nothing else of themselves', async () => {
  const { name } = await add()
  const self = '/plat/operator/self'
  const changed = { fullName: 'Renamed', role: 'administrator', password: 'another horse staple' }
  assert.equal((await service.asJson(name, 'PUT', self, changed)).status, 204)
  const challenge = await service.challenge()
  const header = digestHeader(challenge, { name, password: changed.password, uri: self })
  const { role, fullName } = (await service.get(self, { ...json, Authorization: header })).json()
  assert.deepEqual([role, fullName], ['viewer', 'Renamed'])
})

test('Digest needs what is kept for it: without it, a new name or a new permission needs the password again', async () => {
  const { id, name } = await add({ digest: false })
  assert.equal((await service.as(name, 'GET', '/ram/zone')).status, 401)
  const rows = await service.database.all('select sha256, md5 from credential where operator_id = ?', [
    BigInt(id),
  ])
  assert.deepEqual({ ...rows[0] }, { sha256: null, md5: null })
  refused(await put(id, { name, role: 'viewer', digest: true }), 409, 'password')
  assert.equal(
    (await put(id, { name, role: 'viewer', digest: true, password: passwordOf(name) })).status,
    204,
  )
  assert.equal((await service.as(name, 'GET', '/ram/zone')).status, 200)
  refused(await put(id, { name: `${name}-b`, role: 'viewer' }), 409, 'password')
  assert.equal((await put(id, { name, role: 'viewer', digest: false })).status, 204)
  assert.equal((await service.as(name, 'GET', '/ram/zone')).status, 401)
})

test('an operator who is disabled or removed is refused, and so are the tokens', async () => {
  const { id, name } = await add()
  const total = async () => Number((await service.as(admin, 'GET', '/plat/token?total=true')).headers.total)
  const before = await total()
  const token = await tokenOf(service, name)
  assert.equal(await total(), before + 1)
  const status = async () => (await service.get('/ram/zone', bearer(token))).status
  assert.equal(await status(), 200)
  assert.equal((await put(id, { name, role: 'viewer', enabled: false })).status, 204)
  assert.equal(await status(), 401)
  assert.equal((await service.as(name, 'GET', '/ram/zone')).status, 401)
  assert.equal((await put(id, { name, role: 'viewer', enabled: true })).status, 204)
  assert.equal(await status(), 200)
  assert.equal((await service.as(admin, 'DELETE', `/plat/operator/${id}`)).status, 204)
  assert.equal(await status(), 401)
  for (const table of ['token', 'credential']) {
    const rows = await service.database.all(`select * from ${table} where operator_id = ?`, [BigInt(id)])
    assert.deepEqual(rows, [])
  }
  assert.equal(await total(), before)
  const recorded = await service.as(admin, 'GET', '/plat/audit?resource=token&action=delete')
  assert.equal(recorded.headers.total, '1', 'a token that goes with its operator is recorded too')
})

test('the last enabled administrator cannot be removed, disabled or given a lower role; the first operator must be one', async () => {
  const open = guard(await startService())
  const record = { name: 'alice', role: 'viewer', password: passwordOf('alice') }
  refused(await open.sendJson('POST', '/plat/operator', record), 409, 'role')
  refused(
    await open.sendJson('POST', '/plat/operator', { ...record, role: admin, enabled: false }),
    409,
    'role',
  )
  assert.equal((await open.get('/ram/zone')).status, 200, 'it is still open')
  const alice = await open.sendJson('POST', '/plat/operator', { ...record, role: admin })
  const path = `/plat/operator/${idOf(alice)}`
  refused(await open.as('alice', 'DELETE', path), 409)
  refused(await open.asJson('alice', 'PUT', path, { name: 'alice', role: 'operator' }), 409)
  refused(await open.asJson('alice', 'PUT', path, { name: 'alice', role: admin, enabled: false }), 409)
  const bob = { name: 'bob', role: admin, password: passwordOf('bob') }
  assert.equal((await open.asJson('alice', 'POST', '/plat/operator', bob)).status, 201)
  assert.equal((await open.as('bob', 'DELETE', path)).status, 204)
  assert.equal((await open.as('alice', 'GET', '/')).status, 401)
})

test('alarms have the name of the operator who changed them', async () => {
  const body = { OID: '1.3.6.1.4.1.32473.9.7', alarmLevel: 1, deviceIp: '10.0.0.9' }
  const raised = await service.asJson('operator', 'POST', '/fault/alarm', body)
  const id = idOf(raised)
  await service.as('operator', 'PUT', `/fault/alarm/acknowledge/${id}`)
  const alarm = await service.as('viewer', 'GET', `/fault/alarm/${id}`, { headers: json })
  assert.equal(alarm.json().ackUserName, 'operator')
})

test('a uuid belongs to the operator who registered it; an administrator may only remove it', async () => {
  const { id, name } = await add()
  const query = 'type=11&uuid=desk'
  const path = `/events?${query}`
  const mine = await tokenOf(service, name)
  const theirs = await tokenOf(service, 'operator')
  const held = await EventReader.open(service.url, query, bearer(mine))
  assert.equal(held.status, 202)
  for (const other of [theirs, await tokenOf(service, admin)])
    refused(await service.get(path, bearer(other)), 403, 'uuid')
  refused(await service.ask('DELETE', '/events/registrations/desk', { headers: bearer(theirs) }), 403, 'uuid')
  const list = await service.as('viewer', 'GET', '/events/registrations', { headers: json })
  const [{ operatorName, connected } = {}] = list.json().registration as Record<string, string>[]
  assert.deepEqual([operatorName, connected], [name, 'true'], 'a refusal ends no stream of others')
  // Its operator was deleted: it belongs to the first who claims it.
  assert.equal((await service.as(admin, 'DELETE', `/plat/operator/${id}`)).status, 204)
  await held.end()
  const taken = await EventReader.open(service.url, query, bearer(theirs))
  assert.equal(taken.status, 202)
  const removed = await service.as(admin, 'DELETE', '/events/registrations/desk')
  assert.equal(removed.status, 204)
  await taken.end()
})

test('streams end at once with the right to have them: first operator, removal, new password, token revoked or expired', async () => {
  const open = guard(await startService({}, { clock }))
  const stream = (headers: Record<string, string> = {}) => EventReader.open(open.url, 'type=11', headers)
  const anonymous = await stream()
  const record = (name: string, role: string) => ({ name, role, password: passwordOf(name) })
  await open.sendJson('POST', '/plat/operator', record('alice', admin))
  await anonymous.end()
  const bob = idOf(await open.asJson('alice', 'POST', '/plat/operator', record('bob', 'viewer')))
  const uri = '/events?type=11'
  const byPassword = async () =>
    stream({ Authorization: digestHeader(await open.challenge(), { name: 'bob', uri }) })
  const soon = Math.floor(clock() / 1000) + 60
  const expiring = await stream(bearer(await tokenOf(open, 'alice', { expiryTime: soon })))
  const revoked = await stream(bearer(await tokenOf(open, 'bob', { scope: 'events' })))
  const changed = await byPassword()
  const again = { ...record('bob', 'viewer') }
  await open.asJson('alice', 'PUT', `/plat/operator/${bob}?keepTokens=true`, again)
  await changed.end()
  assert.equal((await open.as('bob', 'DELETE', '/plat/token/2')).status, 204)
  await revoked.end()
  const removed = await byPassword()
  await open.as('alice', 'DELETE', `/plat/operator/${bob}`)
  await removed.end()
  time.offset += 61_000
  await expiring.end()
})

test('without an operator the service listens on this machine alone, and says what to do', async () => {
  for (const listen of ['0.0.0.0:0', '[::]:0', '192.0.2.1:0']) {
    await assert.rejects(
      startApp(testConfig({ listen })),
      /no operator yet.*belfry operator add.*BELFRY_ADMIN_PASSWORD_FILE/,
    )
  }
  const here = await startService({ listen: 'localhost:0' })
  assert.equal((await here.get('/health')).status, 200)
})

test('the first administrator comes from a file, or from the environment, and never again', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'password')
  writeFileSync(file, `${passwordOf('first')}\r\n`)
  const data = join(folder, 'data')
  const begin = async (flags: object, adminPassword?: string) =>
    guard(await startService({ data, ...flags }, { adminPassword }))
  const login = async (at: Awaited<ReturnType<typeof begin>>, password: string) => {
    const header = digestHeader(await at.challenge(), { name: 'admin', password, uri: '/plat/operator' })
    return (await at.get('/plat/operator', { Authorization: header })).status
  }
  const first = await begin({ 'admin-password-file': file, listen: '0.0.0.0:0' })
  assert.equal(await login(first, passwordOf('first')), 200)
  await first.stop()
  const second = await begin({}, passwordOf('other'))
  assert.equal(await login(second, passwordOf('other')), 401)
  assert.equal(await login(second, passwordOf('first')), 200)
  await second.stop()
  const third = guard(await startService({}, { adminPassword: passwordOf('third') }))
  assert.equal(await login(third, passwordOf('third')), 200)
  writeFileSync(file, 'short\n')
  const refusedStart = startApp(testConfig({ 'admin-password-file': file }))
  await assert.rejects(refusedStart, /admin-password-file .*expected a password of 12/)
  await assert.rejects(
    startApp(testConfig({ 'admin-password-file': join(folder, 'none') })),
    /cannot be read/,
  )
})

test('a changed realm makes Digest impossible until passwords are set anew, and the log reports it', async () => {
  const data = join(temporaryFolder(), 'data')
  const before = guard(await startService({ data }, { adminPassword: passwordOf('admin1') }))
  await before.stop()
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const after = await startService({ data, realm: 'iMC RESTful Web Services' }, { log })
  assert.match(lines.join(''), /"operators":\["admin"\].*belfry operator passwd/)
  const answer = await after.get('/')
  assert.equal(answer.headers['www-authenticate'], 'Bearer realm="iMC RESTful Web Services"')
})

test('the admin socket accepts callers who may open the data folder, and nobody else', async () => {
  const { adminSocket } = service
  assert.ok(adminSocket && existsSync(adminSocket))
  assert.equal(statSync(dirname(adminSocket)).mode & 0o777, 0o700)
  const note = JSON.parse(readFileSync(join(service.config.data, 'service.json'), 'utf8'))
  assert.equal(note.door, adminSocket)
  const list = await askJson<{ operator: unknown[] }>(`${addressOf(service)}/plat/operator?size=100`)
  assert.ok(list.operator.length >= 3)
  await assert.rejects(askJson(`${addressOf(service)}/plat/operator/self`), /local is not an operator/)
})

test('a data folder with a long path has its admin socket elsewhere, equally protected, and removed with the service', async () => {
  const data = join(temporaryFolder(), 'long'.repeat(30))
  const far = await startService({ data }, { adminPassword: passwordOf('admin1') })
  const socket = String(far.adminSocket)
  assert.ok(!socket.startsWith(data) && existsSync(socket))
  assert.equal(statSync(dirname(socket)).mode & 0o777, 0o700)
  await askJson(`${addressOf(far)}/ram/zone`)
  await far.stop()
  assert.ok(!existsSync(dirname(socket)))
})
