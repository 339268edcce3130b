// What a session that was stolen, or left open, cannot be used for: anything that outlasts it.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { Browser } from './browsing.ts'
import { passwordOf, present, startGuarded } from './credentials.ts'
import { idOf, refused } from './reading.ts'

const time = { now: Date.now() }
const clock = () => time.now
beforeEach(() => {
  time.now += 16 * 60_000
})
const service = await startGuarded({}, { clock })

async function signedIn(name: string): Promise<Browser> {
  const browser = new Browser(service.url)
  assert.equal((await browser.signIn(name, passwordOf(name))).status, 201)
  return browser
}

const self = '/plat/operator/self'
const chosen = { password: 'another horse staple' }

test('the own password is changed with the present one, not with the session alone', async () => {
  const changer = { name: 'changer', role: 'viewer', password: passwordOf('changer') }
  assert.equal((await service.asJson('administrator', 'POST', '/plat/operator', changer)).status, 201)
  const viewer = await signedIn('changer')
  assert.equal((await viewer.whoAmI()).presence, 'password')
  refused(await viewer.json('PUT', self, chosen), 403, 'presentPassword')
  refused(
    await viewer.json('PUT', self, chosen, present('changer', 'wrong-password-1')),
    403,
    'presentPassword',
  )
  refused(await viewer.json('PUT', self, chosen, { 'Belfry-Password': '%zz' }), 400, 'presentPassword')
  // A name is not worth a password.
  assert.equal((await viewer.json('PUT', self, { fullName: 'Vera V.' })).status, 204)
  const changed = await viewer.json('PUT', self, chosen, present('changer'))
  assert.equal(changed.status, 204, changed.text)
})

test('tokens are made with the present password, by everyone and for everyone', async () => {
  for (const name of ['operator', 'administrator']) {
    const browser = await signedIn(name)
    refused(await browser.json('POST', '/plat/token', { scope: 'events' }), 403, 'presentPassword')
    const made = await browser.json('POST', '/plat/token', { scope: 'events' }, present(name))
    assert.equal(made.status, 201, made.text)
  }
  const viewer = await signedIn('viewer')
  refused(await viewer.json('POST', '/plat/token', {}, present('operator')), 403, 'presentPassword')
})

test('other sessions are ended with the present password, the own one without', async () => {
  const [mine, other] = [await signedIn('operator'), await signedIn('operator')]
  const id = (await other.whoAmI()).sessionId
  refused(await mine.ask('DELETE', `/plat/session/${id}`), 403, 'presentPassword')
  assert.equal((await other.whoAmI()).signedIn, 'true')
  assert.equal((await other.ask('DELETE', `/plat/session/${id}`)).status, 204)
  assert.equal((await other.whoAmI()).signedIn, 'false')
})

test('an administrator who left a browser open is not made into another one: operators are made and changed with the present password', async () => {
  const boss = await signedIn('administrator')
  const eve = { name: 'eve', role: 'administrator', password: passwordOf('eve') }
  refused(await boss.json('POST', '/plat/operator', eve), 403, 'presentPassword')
  const made = await boss.json('POST', '/plat/operator', eve, present('administrator'))
  assert.equal(made.status, 201, made.text)
  const path = `/plat/operator/${idOf(made)}`
  refused(await boss.json('PUT', path, { name: 'eve', role: 'viewer', ...chosen }), 403, 'presentPassword')
  refused(await boss.json('PUT', path, { name: 'eve', role: 'viewer' }), 403, 'presentPassword')
  const own = `/plat/operator/${(await boss.whoAmI()).operatorId}`
  refused(await boss.json('PUT', own, chosen), 403, 'presentPassword')
})

test('operators are removed, and tokens of others revoked, with the present password; an own token without', async () => {
  const leaver = { name: 'leaver', role: 'operator', password: passwordOf('leaver') }
  const made = await service.asJson('administrator', 'POST', '/plat/operator', leaver)
  const path = `/plat/operator/${idOf(made)}`
  const theirs = idOf(await service.asJson('leaver', 'POST', '/plat/token', { scope: 'events' }))
  const own = idOf(await service.asJson('administrator', 'POST', '/plat/token', { scope: 'events' }))
  const boss = await signedIn('administrator')
  refused(await boss.ask('DELETE', `/plat/token/${theirs}`), 403, 'presentPassword')
  refused(await boss.ask('DELETE', path), 403, 'presentPassword')
  refused(await boss.ask('DELETE', `/imcrs${path}`), 403, 'presentPassword')
  assert.equal((await boss.ask('DELETE', `/plat/token/${own}`)).status, 204)
  const headers = present('administrator')
  assert.equal((await boss.ask('DELETE', `/plat/token/${theirs}`, { headers })).status, 204)
  assert.equal((await boss.ask('DELETE', path, { headers })).status, 204)
})

test('a backup is read with the present password: what it holds of others is as good as theirs', async () => {
  const boss = await signedIn('administrator')
  refused(await boss.ask('GET', '/plat/backup'), 403, 'presentPassword')
  refused(await boss.ask('GET', '/imcrs/plat/backup'), 403, 'presentPassword')
  const read = await boss.ask('GET', '/plat/backup', { headers: present('administrator') })
  assert.notEqual(read.status, 403, read.text.slice(0, 200))
})

test('guessing the present password is limited like guessing at the sign-in', async () => {
  const viewer = await signedIn('viewer')
  for (let count = 0; count < 5; count += 1)
    refused(await viewer.json('POST', '/plat/token', {}, present('viewer', `wrong-password-${count}`)), 403)
  const began = performance.now()
  refused(await viewer.json('POST', '/plat/token', {}, present('viewer', 'wrong-password-6')), 403)
  assert.ok(performance.now() - began > 900, 'one a second')
})

test('weak passwords are refused wherever one is set', async () => {
  const weak = { name: 'weak', role: 'viewer', password: 'password1234' }
  refused(await service.asJson('administrator', 'POST', '/plat/operator', weak), 400, 'password')
  refused(await service.asJson('administrator', 'POST', '/imcrs/plat/operator', weak), 400, 'password')
  refused(await service.asJson('viewer', 'PUT', self, { password: 'belfry-2026!' }), 400, 'password')
})

test('Digest is off for operators made in a browser unless it is chosen, and on below /imcrs', async () => {
  const boss = await signedIn('administrator')
  const digestOf = async (path: string, name: string, more = {}) => {
    const body = { name, role: 'viewer', password: passwordOf(name), ...more }
    const made = await boss.json('POST', path, body, present('administrator'))
    assert.equal(made.status, 201, made.text)
    return String((await boss.ask('GET', `/plat/operator/${idOf(made)}`)).json().digest)
  }
  assert.equal(await digestOf('/plat/operator', 'in-console'), 'false')
  assert.equal(await digestOf('/plat/operator', 'in-console-chosen', { digest: true }), 'true')
  assert.equal(await digestOf('/imcrs/plat/operator', 'of-the-family'), 'true')
  const { operator } = (await boss.ask('GET', '/plat/operator?name=administrator')).json() as {
    operator: { digest: string }[]
  }
  assert.equal(operator[0]?.digest, 'true', 'the first one')
})
