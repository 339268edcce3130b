// What a token may do: what its role may, except what has a word of its own. Whoever finds one must not gain control of
// its operator.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { EventReader } from '../push/reader.ts'
import { bearer, digestHeader, passwordOf, startGuarded, tokenOf } from './credentials.ts'
import { idOf, refused } from './reading.ts'

const time = { offset: 0 }
const clock = () => Date.now() + time.offset
beforeEach(() => {
  time.offset += 16 * 60_000
})
const service = await startGuarded({}, { clock })
const admin = 'administrator'
const asJson = { 'Content-Type': 'application/json', Accept: 'application/json' }

const send = (token: string, method: string, path: string, body?: unknown) =>
  service.ask(method, path, {
    headers: { ...bearer(token), ...asJson },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

async function add(name: string, record: object = {}): Promise<string> {
  const body = { name, role: 'viewer', password: passwordOf(name), ...record }
  return idOf(await service.asJson(admin, 'POST', '/plat/operator', body))
}

test("an administrator's token fetches no backup, changes no operators and makes no tokens", async () => {
  const token = await tokenOf(service, admin)
  for (const [method, path, body] of [
    ['GET', '/plat/backup'],
    ['HEAD', '/plat/backup'],
    ['GET', '/imcrs/plat/backup/'],
    ['POST', '/plat/operator', { name: 'mallory', role: admin, password: passwordOf('mallory') }],
    ['PUT', '/plat/operator/1', { password: 'another horse staple' }],
    ['PUT', '/plat/operator/2', { password: 'another horse staple' }],
    ['PUT', '/plat/operator/self', { fullName: 'Mallory' }],
    ['DELETE', '/plat/operator/2'],
    ['POST', '/plat/token', { scope: 'viewer' }],
  ] as const) {
    const answer = await send(token, method, path, body)
    assert.equal(answer.status, 403, `${method} ${path}`)
    if (method !== 'HEAD') assert.match(answer.text, /scope/, `${method} ${path}`)
  }
  for (const path of ['/plat/operator', '/plat/audit', '/plat/token', '/plat/check', '/ram/zone'])
    assert.equal((await send(token, 'GET', path)).status, 200, path)
})

test('a word in the scope allows what it names, and nothing else', async () => {
  const backup = await tokenOf(service, admin, { scope: 'backup' })
  const copy = await send(backup, 'GET', '/plat/backup')
  // A store in PostgreSQL is backed up by its own tools.
  const isFile = service.config.store === ''
  assert.equal(copy.status, isFile ? 200 : 503)
  if (isFile) assert.equal(copy.headers['content-type'], 'application/vnd.sqlite3')
  for (const path of ['/', '/ram/zone', '/plat/operator', '/events?type=11', '/plat/check'])
    refused(await send(backup, 'GET', path), 403)
  const operators = await tokenOf(service, admin, { scope: 'operators' })
  const made = await send(operators, 'POST', '/plat/operator', {
    name: 'by-token',
    role: 'viewer',
    password: passwordOf('by-token'),
  })
  assert.equal(made.status, 201, made.text)
  assert.equal((await send(operators, 'DELETE', `/plat/operator/${idOf(made)}`)).status, 204)
  refused(await send(operators, 'GET', '/plat/backup'), 403)
  refused(await send(operators, 'GET', '/ram/zone'), 403)
})

test('a scope is a list of words, one role at most, in any order and spacing, and is shown in one form', async () => {
  const scopeOf = async (scope: string) => {
    const made = await service.asJson(admin, 'POST', '/plat/token', { scope })
    return made.status === 201 ? made.json().scope : made.status
  }
  assert.equal(await scopeOf('backup, viewer ,backup'), 'viewer,backup')
  assert.equal(
    await scopeOf('tokens,operators,backup,administrator'),
    'administrator,backup,operators,tokens',
  )
  for (const wrong of ['king', 'viewer,operator', 'viewer;backup', ',', 'Viewer'])
    assert.equal(await scopeOf(wrong), 400, wrong)
  const wrong = await service.asJson(admin, 'POST', '/plat/token', { scope: 'king' })
  refused(wrong, 400, 'scope')
  assert.match(wrong.text, /events, viewer, operator, administrator, backup, operators, tokens/)
})

test('no scope is more than its operator may', async () => {
  for (const scope of ['administrator', 'backup', 'operators', 'viewer,backup'])
    refused(await service.asJson('operator', 'POST', '/plat/token', { scope }), 400, 'scope')
  const id = await add('fallen', { role: admin })
  const token = await tokenOf(service, 'fallen', { scope: 'administrator,backup,operators' })
  assert.equal((await service.asJson(admin, 'PUT', `/plat/operator/${id}`, { role: 'viewer' })).status, 204)
  assert.equal((await send(token, 'GET', '/ram/zone')).status, 200)
  for (const path of ['/plat/backup', '/plat/operator', '/plat/audit'])
    refused(await send(token, 'GET', path), 403)
  refused(await send(token, 'POST', '/plat/operator', { name: 'x-1' }), 403)
})

test('a token that may create tokens cannot create one with more rights', async () => {
  const maker = await tokenOf(service, admin, { scope: 'operator,tokens' })
  const make = (body: object) => send(maker, 'POST', '/plat/token', body)
  for (const scope of ['viewer', 'operator', 'events', 'tokens', 'viewer,tokens']) {
    const made = await make({ scope })
    assert.equal(made.status, 201, `${scope}: ${made.text}`)
  }
  for (const scope of ['administrator', 'backup', 'operators', 'viewer,backup'])
    refused(await make({ scope }), 403)
  const unsaid = await make({})
  assert.equal(unsaid.status, 201, unsaid.text)
  assert.equal(unsaid.json().scope, 'operator,tokens', 'unless said, what the maker may')
  refused(await make({ scope: 'viewer', operatorId: '2' }), 403)
})

test('a new password ends the tokens of its operator, and their streams, and the audit log records each', async () => {
  const id = await add('changes')
  const tokens = [await tokenOf(service, 'changes'), await tokenOf(service, 'changes', { scope: 'events' })]
  const stream = await EventReader.open(service.url, 'type=11', bearer(String(tokens[1])))
  assert.equal(stream.status, 202)
  const recorded = async () =>
    Number((await service.as(admin, 'GET', '/plat/audit?resource=token&action=delete')).headers.total)
  const before = await recorded()
  const password = { password: 'another horse staple' }
  assert.equal((await service.asJson(admin, 'PUT', `/plat/operator/${id}`, password)).status, 204)
  await stream.end()
  for (const token of tokens) assert.equal((await send(token, 'GET', '/ram/zone')).status, 401)
  assert.equal(await recorded(), before + 2)
})

test('tokens end with a password that operators change themselves; keepTokens keeps them', async () => {
  const id = await add('keeps')
  const token = await tokenOf(service, 'keeps')
  const change = async (path: string, name: string, old: string, password: string) => {
    const header = digestHeader(await service.challenge(), { name, password: old, method: 'PUT', uri: path })
    const sent = { headers: { Authorization: header, ...asJson }, body: JSON.stringify({ password }) }
    return service.ask('PUT', path, sent)
  }
  const [first, second, third] = [passwordOf('keeps'), 'another horse staple', 'a third horse staple']
  const kept = await change('/plat/operator/self?keepTokens=true', 'keeps', first, second)
  assert.equal(kept.status, 204, kept.text)
  assert.equal((await send(token, 'GET', '/ram/zone')).status, 200)
  const byAdmin = await service.asJson(admin, 'PUT', `/plat/operator/${id}?keepTokens=true`, {
    password: first,
  })
  assert.equal(byAdmin.status, 204)
  assert.equal((await send(token, 'GET', '/ram/zone')).status, 200)
  refused(await change('/plat/operator/self?keepTokens=perhaps', 'keeps', first, second), 400, 'keepTokens')
  assert.equal((await service.asJson(admin, 'PUT', `/plat/operator/${id}`, { fullName: 'Same' })).status, 204)
  assert.equal((await send(token, 'GET', '/ram/zone')).status, 200, 'nothing but the name was changed')
  assert.equal((await change('/plat/operator/self', 'keeps', first, third)).status, 204)
  assert.equal((await send(token, 'GET', '/ram/zone')).status, 401)
})
