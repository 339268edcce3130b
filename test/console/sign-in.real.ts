// The sign-in form in a real browser: over TLS with a secure cookie, and refused where others could read the password.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Authority, settingsOf } from '../http/certificates.ts'
import { passwordOf } from '../http/credentials.ts'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

test(
  'over TLS one signs in by a form that everybody can use, and gets a cookie of this host alone',
  withoutBrowser(),
  async () => {
    const service = await startService(settingsOf(new Authority().issue()), {
      adminPassword: passwordOf('admin1'),
    })
    const { page, faults } = await openPage(`${service.url}/console/zones`, {
      ignoreHTTPSErrors: true,
      bypassCSP: true,
    })
    await page.getByLabel('Name').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await violations(page), [], colorScheme)
    }
    await page.getByLabel('Name').focus()
    await page.keyboard.type('admin')
    await page.keyboard.press('Tab')
    await page.keyboard.type(passwordOf('admin1'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor()
    const [cookie, ...others] = await page.context().cookies()
    assert.deepEqual(others, [])
    const { name, httpOnly, secure, sameSite, path, expires } = cookie ?? assert.fail('there is no cookie')
    assert.deepEqual(
      { name, httpOnly, secure, sameSite, path, expires },
      {
        name: '__Host-belfry-session',
        httpOnly: true,
        secure: true,
        sameSite: 'Strict',
        path: '/',
        expires: -1,
      },
    )
    assert.equal(await page.evaluate(() => document.cookie), '', 'no script can read it')
    assert.deepEqual(faults, [])
  },
)

test(
  'where others could read the password there is no form, and the page says why',
  withoutBrowser(),
  async () => {
    const flags = { 'trusted-proxies': '127.0.0.1' }
    const service = await startService(flags, { adminPassword: passwordOf('admin1') })
    // As a proxy forwards it without TLS.
    const { page, faults } = await openPage(`${service.url}/console`, {
      extraHTTPHeaders: { 'X-Forwarded-For': '192.0.2.9' },
    })
    await seen(page, /One cannot sign in over this connection.*https/)
    assert.equal(await page.locator('input').count(), 0)
    assert.deepEqual(faults, [])
  },
)
