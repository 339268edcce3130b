// Signing in through an OpenID provider, in a real browser: to the provider, back from its site, and on to the page.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { clientId, clientSecret, startProvider } from '../access/provider.ts'
import { guard, passwordOf } from '../http/credentials.ts'
import { startService, temporaryFolder } from '../support.ts'
import { openPage, seen, withoutBrowser, withoutStream } from './browser.ts'

async function world() {
  const provider = await startProvider()
  const secret = join(temporaryFolder(), 'secret')
  writeFileSync(secret, clientSecret)
  const flags = {
    'openid-issuer': provider.issuer,
    'openid-client-id': clientId,
    'openid-secret-file': secret,
    'openid-roles': 'noc=operator',
  }
  const started = await startService(flags, { adminPassword: passwordOf('admin') })
  // Another host name than that of the provider, so that the browser sees two sites.
  const url = started.url.replace('127.0.0.1', 'localhost')
  provider.serve(`${url}/console/openid`)
  provider.people.set('u-1', { preferred_username: 'alice', groups: ['noc'] })
  return { provider, url, service: guard(started) }
}

test(
  'one signs in at the provider and goes on where one was; a revoked session asks again',
  withoutBrowser(),
  async () => {
    const { provider, url, service } = await world()
    const { page, faults } = await openPage(`${url}/console/devices?name=core*`)
    const go = page.getByRole('button', { name: 'Sign in with your organisation' })
    await go.click()
    await page.getByLabel('Who').fill('u-1')
    assert(page.url().startsWith(provider.issuer))
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
    // The code of the provider is removed from the address.
    await page.waitForURL((now) => now.href === `${url}/console/devices?name=core*`)
    await seen(page, 'alice, operator')
    const cookies = await page.context().cookies(url)
    const found = cookies.find(({ name }) => name === 'belfry-session')
    assert.deepEqual([found?.sameSite, found?.httpOnly], ['Strict', true])
    assert.equal(
      cookies.some(({ name }) => name === 'belfry-openid'),
      false,
    )
    await page.getByRole('button', { name: 'Administration' }).click()
    await page.getByRole('link', { name: 'Sessions' }).click()
    await seen(page, 'organisation')
    assert.equal(await page.getByRole('button', { name: 'Change your password' }).count(), 0)
    await withoutStream(page)
    assert.equal((await service.as('admin', 'DELETE', '/plat/session/1')).status, 204)
    await page.getByRole('link', { name: 'Zones' }).click()
    await seen(page, 'You were signed out')
    await go.click()
    // The session at the provider has not ended.
    await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor()
    await seen(page, 'alice, operator')
    await page.goto(`${url}/console/rule/new`)
    await page.locator('#rule-name').fill('Printers at night')
    assert.equal((await service.as('admin', 'DELETE', '/plat/session/2')).status, 204)
    await page.getByLabel('Every trap').check()
    await seen(page, 'You were signed out')
    await go.click()
    await seen(page, 'This is what you had typed and not saved.')
    assert.equal(await page.locator('#rule-name').inputValue(), 'Printers at night')
    assert(await page.getByLabel('Every trap').isChecked())
    assert.equal(await page.evaluate(() => sessionStorage.getItem('belfry-drafts')), null)
    assert.deepEqual(faults, [])
  },
)

test(
  'a user without a role, or whom the provider refuses, is shown why, and can sign in with a password',
  withoutBrowser(),
  async () => {
    const { provider, url } = await world()
    const { page } = await openPage(`${url}/console`)
    const go = page.getByRole('button', { name: 'Sign in with your organisation' })
    await go.click()
    await page.getByRole('button', { name: 'Enter' }).click()
    await seen(page, /refused the sign-in.*access_denied/)
    await go.click()
    await page.getByLabel('Who').fill('u-2')
    await page.getByRole('button', { name: 'Enter' }).click()
    await seen(page, /none of your groups has a role here/)
    provider.stop()
    await page.getByLabel('Name').fill('admin')
    await page.getByLabel('Password').fill(passwordOf('admin'))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await seen(page, 'admin, administrator')
  },
)

test(
  'what outlasts the session asks for another sign-in, which is done at the provider and leads back',
  withoutBrowser(),
  async () => {
    const { provider, url } = await world()
    const { page, faults } = await openPage(`${url}/console/tokens`)
    await page.getByRole('button', { name: 'Sign in with your organisation' }).click()
    await page.getByLabel('Who').fill('u-1')
    await page.getByRole('button', { name: 'Enter' }).click()
    const make = async () => {
      await page.getByRole('button', { name: 'New token' }).first().click()
      await page.locator('dialog').getByRole('button', { name: 'New token', exact: true }).click()
    }
    await make()
    await seen(page, /sign in again first/)
    const again = page.locator('dialog').getByRole('button', { name: 'Sign in again' })
    // Somebody else, at a browser that was left open, who removes from the address what makes the provider ask.
    await page.route(`${provider.issuer}/auth?**`, (route) => {
      const address = new URL(route.request().url())
      for (const name of ['prompt', 'max_age']) address.searchParams.delete(name)
      return route.continue({ url: address.href })
    })
    await again.click()
    await seen(page, /no auth_time/)
    await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor()
    await page.unroute(`${provider.issuer}/auth?**`)
    await make()
    await again.click()
    await page.getByLabel('Who').fill('u-1')
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor()
    await make()
    await seen(page, 'The token is made')
    assert.deepEqual(
      faults.filter((fault) => !/40[13]/.test(fault)),
      [],
    )
  },
)
