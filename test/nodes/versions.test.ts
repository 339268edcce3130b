// Several nodes on one store: what one node has changed holds at all others, at once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser } from '../http/browsing.ts'
import { bearer, digestHeader, guard, passwordOf, tokenOf } from '../http/credentials.ts'
import { listeningTo } from '../http/listening.ts'
import { idOf } from '../http/reading.ts'
import { device, ifIndex, linkDown, v2c } from '../intake/sending.ts'
import { newDatabase } from '../postgres-database.ts'
import { eventually } from '../push/station.ts'
import { startService, texts } from '../support.ts'

const store = await newDatabase()
const plain = await Promise.all([
  startService({ store, node: 'one' }),
  startService({ store, node: 'other' }),
])

// All are open before the first test is declared: what a file opens is closed when its tests are over.
const guarded = await newDatabase()
// Their clocks stand still: after a wrong password the wait is one second, however long a request takes.
const now = Date.now()
const nodes = await Promise.all([
  startService({ store: guarded, node: 'one' }, { clock: () => now }),
  startService({ store: guarded, node: 'other' }, { clock: () => now }),
])
const [one, other] = [guard(nodes[0]), guard(nodes[1])]
const operator = (name: string, role = 'administrator') => ({ name, role, password: passwordOf(name) })
await one.sendJson('POST', '/plat/operator', operator('alice'))

test('nodes, versions: a list that one node has cached is read anew after another has written', async () => {
  const [one, other] = plain
  for (let round = 0; round < 20; round += 1) {
    const before = await other.get('/ram/zone?size=1000')
    assert.deepEqual(await other.get('/ram/zone?size=1000').then(({ text }) => text), before.text)
    assert.equal((await one.sendJson('POST', '/ram/zone', { name: `Zone ${round}` })).status, 201)
    const after = await other.get('/ram/zone?size=1000')
    assert.equal(Number(after.headers.total), Number(before.headers.total) + 1)
    assert.ok(texts(after.text, 'name').includes(`Zone ${round}`))
  }
})

test('nodes, versions: a rule saved at one node applies to the next trap that another receives', async () => {
  const [one, other] = plain
  const sender = await device(other.trapPort)
  const total = async () => Number((await one.get('/fault/trap?total=true')).headers.total)
  const binOfNext = async (index: number) => {
    const before = await total()
    await sender.send(v2c(linkDown, [ifIndex(index)], { requestId: index }))
    await eventually(async () => (await total()) > before, 'the trap is kept')
    return texts((await one.get('/fault/trap?desc=true&size=1')).text, 'bin')[0]
  }
  assert.equal(await binOfNext(1), 'raised')
  for (const index of [2, 4, 6]) {
    const made = await one.sendJson('POST', '/fault/trapRule', {
      trapRuleName: `R${index}`,
      exectimeType: 0,
      trapGroup: 0,
      trapOId: linkDown,
      trapDevice: [{ displayName: 'any', devID: 0 }],
    })
    assert.equal(made.status, 201, made.text)
    assert.equal(await binOfNext(index), 'filtered')
    assert.equal((await one.ask('DELETE', `/fault/trapRule/${idOf(made)}`)).status, 204)
    assert.equal(await binOfNext(index + 1), 'raised')
  }
})

test('nodes, versions: once the first operator is created at one node, the other needs credentials', async () => {
  assert.equal((await other.get('/ram/zone')).status, 401)
  assert.equal((await other.as('alice', 'GET', '/ram/zone')).status, 200)
})

test('nodes, versions: a token revoked at one node is refused at the other with the next request', async () => {
  for (let round = 0; round < 5; round += 1) {
    const made = await one.asJson('alice', 'POST', '/plat/token', { scope: 'viewer' })
    const headers = bearer(String(made.json().token))
    assert.equal((await other.get('/ram/zone', headers)).status, 200)
    assert.equal((await one.as('alice', 'DELETE', `/plat/token/${idOf(made)}`)).status, 204)
    assert.equal((await other.get('/ram/zone', headers)).status, 401)
  }
})

test('nodes, versions: a session is valid at every node, and ends at all of them', async () => {
  const mine = new Browser(one.url)
  assert.equal((await mine.signIn('alice', passwordOf('alice'))).status, 201)
  const there = new Browser(other.url)
  for (const [name, cookie] of mine.cookies) there.cookies.set(name, cookie)
  const { name, by, sessionId } = await there.whoAmI()
  assert.deepEqual([name, by], ['alice', 'session'])
  assert.equal((await there.json('POST', '/ram/zone', { name: 'By cookie' })).status, 201)
  assert.equal((await there.ask('DELETE', `/plat/session/${sessionId}`)).status, 204)
  assert.equal((await mine.whoAmI()).signedIn, 'false')
})

test('nodes, versions: the stream of an operator who is disabled at another node ends', async () => {
  const bob = idOf(await one.asJson('alice', 'POST', '/plat/operator', operator('bob', 'viewer')))
  const token = await tokenOf(other, 'bob')
  const reader = await listeningTo(other).listen('', bearer(token))
  assert.equal(reader.status, 202)
  assert.equal((await one.asJson('alice', 'PUT', `/plat/operator/${bob}`, { enabled: false })).status, 204)
  await reader.end()
})

test('nodes, failed logins are counted together', async () => {
  await one.asJson('alice', 'POST', '/plat/operator', operator('carol', 'viewer'))
  const guess = async (node: typeof one) => {
    const uri = '/ram/zone'
    const Authorization = digestHeader(await node.challenge(), { name: 'carol', password: 'wrong', uri })
    return node.get(uri, { Authorization })
  }
  for (let count = 0; count < 5; count += 1) assert.equal((await guess(one)).status, 401)
  await eventually(
    async () => Number((await other.database.all('select count(*) as n from login_failure'))[0]?.n) >= 5,
    'the failures are reported',
  )
  const waiting = await guess(other)
  assert.equal(waiting.status, 429, waiting.text)
  assert.ok(Number(waiting.headers['retry-after']) >= 1)
})
