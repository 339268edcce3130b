// The sign-in form in a real browser: over TLS with a secure cookie, refused where others could read the password, and over
// a page whose session has ended.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Authority, settingsOf } from '../http/certificates.ts'
import { guard, passwordOf } from '../http/credentials.ts'
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

test(
  'a session that ends takes nothing of what was typed; other tabs notice that one has signed in again',
  withoutBrowser(),
  async () => {
    const password = passwordOf('admin')
    const started = await startService({}, { adminPassword: password })
    const service = guard(started)
    const alarm = { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 2, deviceIp: '192.0.2.1' }
    await service.asJson('admin', 'POST', '/fault/alarm', alarm)
    const { page, faults } = await openPage(`${service.url}/console`, { bypassCSP: true })
    await page.getByLabel('Name').fill('admin')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.rows .row').click()
    await page.getByRole('button', { name: 'Note', exact: true }).click()
    const note = page.getByLabel('Note', { exact: true })
    await note.fill('the lift is being repaired')
    const ended = await service.as('admin', 'DELETE', '/plat/session/1')
    assert.equal(ended.status, 204, ended.text)
    await page.keyboard.press('Enter')
    await seen(page, 'You were signed out')
    assert.deepEqual(await violations(page), [])
    const again = page.locator('dialog.sign-in')
    await page.keyboard.press('Escape')
    const other = await page.context().newPage()
    await other.goto(`${service.url}/console/zones`)
    await other.getByLabel('Name').waitFor()
    await again.getByLabel('Name').fill('admin')
    await again.getByLabel('Password').fill(password)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await again.waitFor({ state: 'detached' })
    assert.equal(await note.inputValue(), 'the lift is being repaired')
    await note.press('Enter')
    await seen(page, 'Note added to 1 alarm.')
    await other.evaluate(() => dispatchEvent(new Event('focus')))
    await other.getByRole('heading', { name: 'Zones', level: 1 }).waitFor()
    await other.goto(`${service.url}/console/sessions`)
    await other.getByRole('row', { name: /admin this browser.*(now|ago)/ }).waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'a session that ends in the middle of a rule, or of a dialog, leaves all fields as they are',
  withoutBrowser(),
  async () => {
    const password = passwordOf('admin')
    const service = guard(await startService({}, { adminPassword: password }))
    const { page, faults } = await openPage(`${service.url}/console/zones`)
    const signIn = async (form = page.locator('form')) => {
      await form.getByLabel('Name').fill('admin')
      await form.getByLabel('Password').fill(password)
      await form.getByRole('button', { name: 'Sign in' }).click()
    }
    await signIn()
    const again = page.locator('dialog.sign-in')
    const endSession = async (id: number) => {
      const ended = await service.as('admin', 'DELETE', `/plat/session/${id}`)
      assert.equal(ended.status, 204, ended.text)
    }
    await page.getByRole('button', { name: 'New zone' }).first().click()
    const zone = page.locator('dialog', { hasText: 'New zone' })
    await zone.getByLabel('Name').fill('Harbour')
    await endSession(1)
    await zone.getByRole('button', { name: 'Save' }).click()
    await signIn(again)
    await again.waitFor({ state: 'detached' })
    assert.equal(await zone.getByLabel('Name').inputValue(), 'Harbour')
    await zone.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Harbour', exact: true }).waitFor()
    await page.goto(`${service.url}/console/rule/new`)
    await page.locator('#rule-name').fill('Printers at night')
    await page.getByLabel('Every trap').check()
    await page.locator('#start-time').fill('22:00')
    await endSession(2)
    await page.locator('#end-time').fill('6:00')
    await signIn(again)
    await again.waitFor({ state: 'detached' })
    assert.equal(await page.locator('#rule-name').inputValue(), 'Printers at night')
    assert.equal(await page.locator('#start-time').inputValue(), '22:00')
    assert.equal(await page.locator('#end-time').inputValue(), '6:00')
    assert(await page.getByLabel('Every trap').isChecked())
    // The dry run was refused for want of a session, which says nothing about the rule.
    await page.locator('footer button[type=submit]').click()
    await page.getByRole('heading', { name: 'Trap rules' }).waitFor()
    await page.getByText('Printers at night').first().waitFor()
    assert.deepEqual(faults, [])
  },
)
