// What operators of an identity provider leave behind: tokens and sessions end with them.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { clientId, clientSecret, enterAs, startLiar, startProvider } from '../access/provider.ts'
import { temporaryFolder } from '../support.ts'
import { Browser } from './browsing.ts'
import { bearer, startGuarded } from './credentials.ts'
import { refused } from './reading.ts'

const path = '/console/session/openid'
const day = 24 * 3_600_000

const secret = join(temporaryFolder(), 'secret')
writeFileSync(secret, clientSecret)

const flagsFor = (issuer: string) => ({
  'openid-issuer': issuer,
  'openid-client-id': clientId,
  'openid-secret-file': secret,
  'openid-roles': 'noc=administrator',
})

async function until(met: () => Promise<boolean>): Promise<void> {
  while (!(await met())) await new Promise((resolve) => setTimeout(resolve, 250))
}

suite('with a real provider', async () => {
  const time = { ahead: 0 }
  const provider = await startProvider()
  const service = await startGuarded(flagsFor(provider.issuer), { clock: () => Date.now() + time.ahead }, [])
  provider.serve(`${service.url}/console/openid`)
  provider.people.set('u-1', { preferred_username: 'alice', groups: ['noc'] })
  provider.people.set('u-2', { preferred_username: 'bob', groups: ['noc'] })
  provider.people.set('u-3', { preferred_username: 'carol', groups: ['noc'] })

  /** `change` is what somebody does to the address of the provider on the way there. */
  async function comeBack(
    browser: Browser,
    who: string,
    { there, change }: { there?: Map<string, string>; change?: (address: URL) => void } = {},
  ) {
    const address = new URL(String((await browser.ask('POST', path)).json().address))
    change?.(address)
    return browser.json('PUT', path, { query: await enterAs(String(address), who, there) })
  }

  async function signedIn(who: string, there = new Map<string, string>()): Promise<Browser> {
    const browser = new Browser(service.url)
    const answer = await comeBack(browser, who, { there })
    assert.equal(answer.status, 201, answer.text)
    return browser
  }

  /** Signed in, and asked by the provider once more. */
  async function presentAs(who: string): Promise<Browser> {
    const browser = await signedIn(who)
    const answer = await comeBack(browser, who)
    assert.equal(answer.status, 201, answer.text)
    return browser
  }

  async function tokenBy(browser: Browser, wanted: object = {}): Promise<string> {
    const made = await browser.json('POST', '/plat/token', wanted)
    assert.equal(made.status, 201, made.text)
    return String(made.json().token)
  }

  const status = async (token: string) => (await service.get('/ram/zone', bearer(token))).status
  const warnings = async () =>
    (await service.as('administrator', 'GET', '/fault/alarm?eventOid=1.3.6.1.4.1.32473.1.62&recStatus=0'))
      .headers.total

  test('a token lives 90 days at most, ends when its person has not signed in for so long, and an alarm says so two weeks before', async () => {
    const alice = await presentAs('u-1')
    const now = Date.now() + time.ahead
    const long = { scope: 'viewer', expiryTime: Math.floor((now + 91 * day) / 1000) }
    const over = await alice.json('POST', '/plat/token', long)
    refused(over, 400, 'expiryTime')
    assert.match(over.text, /90 days.*local operator/)
    const made = await alice.json('POST', '/plat/token', { scope: 'viewer' })
    assert.ok(Number(made.json().expiryTime) * 1000 <= now + 90 * day + 60_000)
    const token = String(made.json().token)
    assert.equal(await status(token), 200)
    assert.equal(await warnings(), '0')
    time.ahead += 77 * day
    assert.equal(await status(token), 200)
    await until(async () => (await warnings()) === '1')
    time.ahead += 14 * day
    refused(await service.get('/ram/zone', bearer(token)), 401)
    await until(async () => (await warnings()) === '0')
    // Whoever comes back does not find the token valid again, whatever the clock says.
    time.ahead = 0
    await signedIn('u-1')
    refused(await service.get('/ram/zone', bearer(token)), 401)
  })

  test('for what outlasts the session the provider must have asked such an operator just now, and say so', async () => {
    time.ahead = 0
    const there = new Map<string, string>()
    const bob = await signedIn('u-2', there)
    assert.equal((await bob.whoAmI()).presence, 'provider')
    const make = () => bob.json('POST', '/plat/token', { scope: 'events' })
    refused(await make(), 403, 'presentPassword')
    // Somebody else at that browser, which the provider knows: without being asked there is no way.
    const ask = ({ searchParams }: URL) => {
      assert.equal(searchParams.get('prompt'), 'login')
      assert.equal(searchParams.get('max_age'), '0')
    }
    const left = (...names: string[]) => ({
      there,
      change: ({ searchParams }: URL) => {
        for (const name of names) searchParams.delete(name)
      },
    })
    const silent = await comeBack(bob, 'u-2', left('prompt', 'max_age'))
    refused(silent, 403)
    assert.match(silent.text, /no auth_time/)
    time.ahead = 2 * 60_000
    const old = await comeBack(bob, 'u-2', {
      there,
      change: ({ searchParams }: URL) => {
        searchParams.delete('prompt')
        searchParams.set('max_age', '3600')
      },
    })
    refused(old, 401)
    assert.match(old.text, /did not ask you to sign in again/)
    refused(await make(), 403, 'presentPassword')
    // A new session without being asked is no better.
    await bob.ask('DELETE', '/console/session')
    assert.equal((await comeBack(bob, 'u-2', { there })).status, 201)
    refused(await make(), 403, 'presentPassword')
    time.ahead = 0
    const again = await comeBack(bob, 'u-2', { there, change: ask })
    assert.equal(again.status, 201, again.text)
    assert.equal((await make()).status, 201)
    time.ahead = 6 * 60_000
    refused(await make(), 403, 'presentPassword')
  })

  test('tokens and sessions end when the provider no longer knows the person, and not when it is out of reach', async () => {
    time.ahead = 0
    const carol = await presentAs('u-3')
    const other = await signedIn('u-3')
    const token = await tokenBy(carol, { scope: 'viewer' })
    const signed = async (browser: Browser) => (await browser.whoAmI()).signedIn
    await until(async () => provider.refreshes() > 0)
    assert.equal(await status(token), 200, 'she is known')
    provider.refuse('down')
    const before = provider.refreshes()
    time.ahead += 61 * 60_000
    await until(async () => provider.refreshes() > before)
    assert.equal(await status(token), 200, 'nothing is known')
    assert.equal(await signed(carol), 'true')
    provider.refuse('unknown')
    time.ahead += 61 * 60_000
    await until(async () => (await status(token)) === 401)
    assert.deepEqual([await signed(carol), await signed(other)], ['false', 'false'])
    const name = `openid ${(await service.database.all("select id from operator where name = 'carol'"))[0]?.id}`
    assert.deepEqual(await service.database.all('select name from secret where name = ?', [name]), [])
  })

  test('with the operator goes what the provider was asked with; a name in mixed alphabets is marked', async () => {
    time.ahead = 0
    provider.people.set('u-4', { preferred_username: 'аlice', name: 'Аlice', groups: ['noc'] })
    const twin = await (await signedIn('u-4')).whoAmI()
    assert.deepEqual([twin.name, twin.fullName], ['аlice(mixed)', 'Аlice (mixed)'])
    const secrets = async () =>
      (await service.database.all('select name from secret')).map(({ name }) => name)
    const name = `openid ${twin.operatorId}`
    assert.ok((await secrets()).includes(name))
    const path = `/plat/operator/${twin.operatorId}`
    assert.equal((await service.as('administrator', 'DELETE', path)).status, 204)
    assert.ok(!(await secrets()).includes(name))
  })
})

test('an ID token from the future is refused, a sign-in is good once, and failures count', async () => {
  const liar = await startLiar()
  const service = await startGuarded(flagsFor(liar.issuer), {}, [])
  const begun = async () => {
    const browser = new Browser(service.url)
    const address = new URL(String((await browser.ask('POST', path)).json().address))
    liar.lie = { nonce: address.searchParams.get('nonce') }
    return { browser, query: `code=1&state=${address.searchParams.get('state')}` }
  }
  const seconds = () => Math.floor(Date.now() / 1000)
  const early = await begun()
  Object.assign(liar.lie, { iat: seconds() + 120, exp: seconds() + 600 })
  const refusal = await early.browser.json('PUT', path, { query: early.query })
  refused(refusal, 401)
  assert.match(refusal.text, /from the future/)
  const near = await begun()
  Object.assign(liar.lie, { iat: seconds() + 30, exp: seconds() + 600 })
  const kept = [...near.browser.cookies]
  assert.equal(
    (await near.browser.json('PUT', path, { query: near.query })).status,
    201,
    'no role, but believed',
  )
  // Somebody who read the cookie and the address.
  const thief = new Browser(service.url)
  for (const [name, cookie] of kept) thief.cookies.set(name, cookie)
  const second = await thief.json('PUT', path, { query: near.query })
  refused(second, 401)
  assert.match(second.text, /used before/)
  const statuses: number[] = []
  for (let count = 0; count < 25; count += 1)
    statuses.push((await thief.json('PUT', path, { query: near.query })).status)
  assert.ok(statuses.includes(429), statuses.join())
})
