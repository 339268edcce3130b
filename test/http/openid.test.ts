// Signing in through an identity provider: only the browser that began a sign-in can finish it.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { pino } from 'pino'
import { roleOfGroups } from '../../src/access/identities.ts'
import { clientId, clientSecret, enterAs, startLiar, startProvider } from '../access/provider.ts'
import { temporaryFolder } from '../support.ts'
import { Browser } from './browsing.ts'
import { passwordOf, startGuarded } from './credentials.ts'
import { refused } from './reading.ts'

const path = '/console/session/openid'
const roles = 'noc=operator; admins=administrator; CN=watch,OU=ops=viewer'

/** A service that people of this provider may sign in at. */
async function serviceOf(issuer: string, more: Record<string, string> = {}, clock = Date.now) {
  const secret = join(temporaryFolder(), 'secret')
  writeFileSync(secret, `${clientSecret}\n`)
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const flags = {
    'openid-issuer': issuer,
    'openid-client-id': clientId,
    'openid-secret-file': secret,
    'openid-roles': roles,
    ...more,
  }
  return { ...(await startGuarded(flags, { log, clock })), lines }
}

async function begin(browser: Browser): Promise<URL> {
  const answer = await browser.ask('POST', path)
  assert.equal(answer.status, 200, answer.text)
  return new URL(String(answer.json().address))
}

const finish = (browser: Browser, query: string) => browser.json('PUT', path, { query })

suite('through a real provider', async () => {
  const provider = await startProvider()
  provider.people.set('u-1', { preferred_username: 'alice', name: 'Alice A.', groups: ['noc', 'staff'] })
  provider.people.set('u-2', { preferred_username: 'administrator', groups: ['admins', 'noc'] })
  provider.people.set('u-3', { preferred_username: 'mallory', groups: ['staff'] })
  provider.people.set('u-4', { preferred_username: '127.0.0.1', groups: 'CN=watch,OU=ops' })
  const service = await serviceOf(provider.issuer)
  provider.serve(`${service.url}/console/openid`)

  async function signedIn(who: string): Promise<Browser> {
    const browser = new Browser(service.url)
    const answer = await finish(browser, await enterAs(String(await begin(browser)), who))
    assert.equal(answer.status, 201, answer.text)
    return browser
  }

  test('after the sign-in one is an operator with the role of the groups, in a session like others', async () => {
    const browser = new Browser(service.url)
    assert.deepEqual((await browser.whoAmI()).way, ['password', 'openid'])
    const address = await begin(browser)
    assert.equal(address.searchParams.get('code_challenge_method'), 'S256')
    assert.deepEqual(browser.cookies.get('belfry-openid')?.attributes, [
      'path=/',
      'httponly',
      'samesite=lax',
      'max-age=600',
    ])
    const answer = await finish(browser, await enterAs(String(address), 'u-1'))
    assert.equal(answer.status, 201, answer.text)
    assert.deepEqual([...browser.cookies.keys()], ['belfry-session'], 'the other one is over')
    assert.deepEqual(browser.cookies.get('belfry-session')?.attributes, [
      'path=/',
      'httponly',
      'samesite=strict',
    ])
    const { name, fullName, role, by } = await browser.whoAmI()
    assert.deepEqual(
      { name, fullName, role, by },
      { name: 'alice', fullName: 'Alice A.', role: 'operator', by: 'session' },
    )
    assert.equal((await browser.json('POST', '/ram/zone', { name: 'By alice' })).status, 201)
    const made = await service.as('administrator', 'GET', '/plat/audit?resource=operator&name=alice')
    assert.equal(made.headers.total, '1')
    const shown = await service.as('administrator', 'GET', '/plat/operator?name=alice')
    assert.match(shown.text, /<authType>1<\/authType>/)
    const sessions = await browser.ask('GET', '/plat/session')
    assert.match(sessions.text, /"way":"openid"/)
  })

  test('issuer and subject identify a user; a name does not', async () => {
    const browser = await signedIn('u-2')
    assert.equal((await browser.whoAmI()).name, 'administrator-2', 'the local one keeps the name')
    assert.equal((await browser.whoAmI()).role, 'administrator')
    provider.people.set('u-2', { preferred_username: 'renamed', groups: ['noc'] })
    const again = await signedIn('u-2')
    assert.equal((await again.whoAmI()).name, 'administrator-2', 'the same operator')
    assert.equal((await again.whoAmI()).role, 'operator', 'the groups count with each sign-in')
    assert.equal((await browser.whoAmI()).role, 'operator', 'in sessions that there are, too')
    assert.equal((await (await signedIn('u-4')).whoAmI()).name, 'person', 'what cannot be a name is none')
  })

  test('a user without a group that has a role is refused, and existing sessions end', async () => {
    const browser = new Browser(service.url)
    refused(await finish(browser, await enterAs(String(await begin(browser)), 'u-3')), 403)
    assert.equal((await browser.whoAmI()).signedIn, 'false')
    provider.people.set('u-3', { preferred_username: 'mallory', groups: ['noc'] })
    const inside = await signedIn('u-3')
    provider.people.set('u-3', { preferred_username: 'mallory', groups: ['staff'] })
    refused(await finish(browser, await enterAs(String(await begin(browser)), 'u-3')), 403)
    assert.equal((await inside.whoAmI()).signedIn, 'false')
  })

  test('an answer that this browser did not ask for is refused: another state, none, another browser', async () => {
    const [mine, theirs] = [new Browser(service.url), new Browser(service.url)]
    const query = await enterAs(String(await begin(mine)), 'u-1')
    refused(await finish(theirs, query), 401)
    await begin(theirs)
    refused(await finish(theirs, query), 401)
    const wrong = new URLSearchParams(query)
    wrong.set('state', 'A'.repeat(43))
    refused(await finish(mine, wrong.toString()), 401)
    wrong.set('state', 'é'.repeat(43))
    refused(await finish(mine, wrong.toString()), 401)
    wrong.delete('state')
    refused(await finish(mine, wrong.toString()), 401)
    refused(await finish(mine, ''), 400)
    refused(await finish(mine, 'x'.repeat(9000)), 400)
    assert.equal((await finish(mine, query)).status, 201, 'the right one still is right')
  })

  test('a code is valid once', async () => {
    const browser = new Browser(service.url)
    const query = await enterAs(String(await begin(browser)), 'u-1')
    const seed = browser.cookies.get('belfry-openid')
    assert.equal((await finish(browser, query)).status, 201)
    const thief = new Browser(service.url)
    assert(seed)
    thief.cookies.set('belfry-openid', seed)
    refused(await finish(thief, query), 401)
    assert.equal((await thief.whoAmI()).signedIn, 'false')
  })

  test('a code that was asked for with another nonce, or another challenge, is refused', async () => {
    for (const [name, value] of [
      ['nonce', 'N'.repeat(43)],
      ['code_challenge', 'C'.repeat(43)],
    ] as const) {
      const browser = new Browser(service.url)
      const address = await begin(browser)
      address.searchParams.set(name, value)
      refused(await finish(browser, await enterAs(String(address), 'u-1')), 401)
      assert.equal((await browser.whoAmI()).signedIn, 'false')
    }
  })

  test('a user whom the provider refuses gets an error that says so', async () => {
    const browser = new Browser(service.url)
    const answer = await finish(browser, await enterAs(String(await begin(browser)), ''))
    refused(answer, 401)
    assert.match(answer.text, /access_denied/)
  })

  test('a session that is revoked, or whose operator is disabled, is over', async () => {
    const browser = await signedIn('u-1')
    const { sessionId, operatorId } = await browser.whoAmI()
    assert.equal((await service.as('administrator', 'DELETE', `/plat/session/${sessionId}`)).status, 204)
    assert.equal((await browser.whoAmI()).signedIn, 'false')
    const change = (enabled: boolean) =>
      service.asJson('administrator', 'PUT', `/plat/operator/${operatorId}`, {
        name: 'alice',
        role: 'operator',
        enabled,
      })
    assert.equal((await change(false)).status, 204)
    refused(await finish(browser, await enterAs(String(await begin(browser)), 'u-1')), 403)
    assert.equal((await change(true)).status, 204)
  })

  test('somebody new who comes in two windows at once is one operator', async () => {
    provider.people.set('u-6', { preferred_username: 'twice', groups: ['noc'] })
    const came = await Promise.all([signedIn('u-6'), signedIn('u-6'), signedIn('u-6')])
    const who = await Promise.all(came.map(async (browser) => (await browser.whoAmI()).operatorId))
    assert.equal(new Set(who).size, 1)
  })

  test('such an operator has no password, and is no local administrator', async () => {
    provider.people.set('u-5', { preferred_username: 'boss', groups: ['admins'] })
    const boss = await signedIn('u-5')
    assert.equal((await finish(boss, await enterAs(String(await begin(boss)), 'u-5'))).status, 201)
    refused(await boss.json('PUT', '/plat/operator/self', { password: 'a new long password 1' }), 409)
    const [local] = (await boss.ask('GET', '/plat/operator?name=administrator')).json().operator as {
      id: string
    }[]
    refused(await boss.ask('DELETE', `/plat/operator/${local?.id}`), 409)
    assert.equal(
      (await new Browser(service.url).signIn('administrator', passwordOf('administrator'))).status,
      201,
    )
  })

  test('of all this no code, no state and no secret is in the log', () => {
    const text = service.lines.join('')
    assert.match(text, /a login was refused/)
    for (const secret of [clientSecret, 'code=', 'state=', 'id_token']) assert(!text.includes(secret), secret)
  })
})

test('an ID token with a wrong audience, nonce, issuer, expiry or signature is refused', async () => {
  const liar = await startLiar()
  const service = await serviceOf(liar.issuer)
  const come = async (lie: Record<string, unknown>, forge = false) => {
    const browser = new Browser(service.url)
    const address = await begin(browser)
    const { state, nonce } = Object.fromEntries(address.searchParams)
    liar.lie = { nonce, ...lie }
    liar.forge = forge
    return finish(browser, `code=some&state=${state}`)
  }
  const past = Math.floor(Date.now() / 1000) - 3600
  for (const lie of [
    { aud: 'another' },
    { aud: [clientId, 'another'], azp: 'another' },
    { nonce: 'another' },
    { nonce: undefined },
    { iss: 'https://elsewhere.example' },
    { exp: past },
    { sub: '' },
  ])
    assert.notEqual((await come(lie)).status, 201, JSON.stringify(lie))
  assert.notEqual((await come({}, true)).status, 201, 'signed by another key')
  const right = await come({})
  assert.equal(right.status, 201, right.text)
})

test('a provider that is down is named, and asked again later; passwords work meanwhile', async () => {
  const provider = await startProvider()
  let late = 0
  const service = await serviceOf(provider.issuer, {}, () => Date.now() + late)
  const browser = new Browser(service.url)
  const answer = await browser.ask('POST', path)
  refused(answer, 503)
  assert.match(answer.text, /cannot be reached/)
  assert.equal((await browser.signIn('viewer', passwordOf('viewer'))).status, 201)
  provider.serve(`${service.url}/console/openid`)
  refused(await browser.ask('POST', path), 503)
  late = 6000
  provider.people.set('u-1', { groups: ['noc'] })
  const query = await enterAs(String(await begin(browser)), 'u-1')
  provider.stop()
  refused(await finish(browser, query), 503)
})

test('a sign-in that was begun more than ten minutes ago is begun again', async () => {
  const liar = await startLiar()
  let late = 0
  const service = await serviceOf(liar.issuer, {}, () => Date.now() + late)
  const browser = new Browser(service.url)
  const { state, nonce } = Object.fromEntries((await begin(browser)).searchParams)
  liar.lie = { nonce }
  late = 11 * 60_000
  const answer = await finish(browser, `code=1&state=${state}`)
  refused(answer, 401)
  assert.match(answer.text, /begin again/)
  late = 0
  assert.equal((await finish(browser, `code=1&state=${state}`)).status, 201)
})

test('a page of another origin can begin and finish nothing', async () => {
  const liar = await startLiar()
  const service = await serviceOf(liar.issuer)
  for (const method of ['POST', 'PUT'])
    for (const headers of [{ Origin: 'https://elsewhere.example' }, { 'Sec-Fetch-Site': 'cross-site' }])
      refused(await service.ask(method, path, { headers: headers as Record<string, string> }), 403)
})

test('without a provider this sign-in is not offered; without its secret the service does not start', async () => {
  const service = await startGuarded()
  refused(await new Browser(service.url).ask('POST', path), 409)
  await assert.rejects(
    serviceOf('https://login.example.net', { 'openid-secret-file': '/nowhere/secret' }),
    /openid-secret-file: \/nowhere\/secret cannot be read/,
  )
  await assert.rejects(
    startGuarded({ 'openid-issuer': 'https://login.example.net' }),
    /openid-issuer is given without openid-client-id/,
  )
})

test('the highest role of all groups counts', () => {
  const known = new Map([
    ['a', 'viewer'],
    ['b', 'administrator'],
    ['c', 'operator'],
  ])
  assert.equal(roleOfGroups(known, ['a', 'b', 'c']), 'administrator')
  assert.equal(roleOfGroups(known, ['c', 'a']), 'operator')
  assert.equal(roleOfGroups(known, ['x']), undefined)
  assert.equal(roleOfGroups(new Map([['*', 'viewer']]), []), 'viewer')
})
