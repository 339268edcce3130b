// Administration in a real browser: clients, operators, tokens, the audit log, settings, modules.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { bearer, passwordOf } from '../http/credentials.ts'
import { EventReader } from '../push/reader.ts'
import { startService, type TestService, temporaryFolder } from '../support.ts'
import { chooseMore, openPage, seen, withoutBrowser } from './browser.ts'

const menu = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click()

async function signedIn(service: TestService, path: string): Promise<{ page: Page; faults: string[] }> {
  const opened = await openPage(`${service.url}/console/${path}`)
  await opened.page.getByLabel('Name').fill('admin')
  await opened.page.getByLabel('Password').fill(passwordOf('admin'))
  await opened.page.getByRole('button', { name: 'Sign in' }).click()
  await seen(opened.page, 'admin, administrator')
  return opened
}

test('a client shows with filter and state, gets a test alarm, and is ended', withoutBrowser(), async () => {
  const service = await startService()
  const reader = await EventReader.open(
    service.url,
    'type=11&uuid=ticket-system&alarmLevel=1,2&zoneId=1&changes=true&eventOid=1.3.6.*',
  )
  after(() => reader.close())
  const { page, faults } = await openPage(`${service.url}/console/clients`)
  await seen(page, 'ticket-system')
  const wants = page.getByText(
    /^level Critical, Major; devices of the zone Default; events 1\.3\.6\.\*; also what people do/,
  )
  assert.match((await wants.getAttribute('title')) ?? '', /alarmLevel=1/)
  await page.getByRole('button', { name: 'Send a test alarm to ticket-system' }).click()
  await seen(page, 'A test alarm was written to ticket-system')
  await reader.take(1)
  await chooseMore(page, 'More about ticket-system', 'End the registration of ticket-system')
  await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('ticket-system').first().waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
})

test(
  'a token is made, shown once, used and revoked; the audit log says who did it, settings where they come from',
  withoutBrowser(),
  async () => {
    const service = await startService({ 'flap-count': '77' }, { adminPassword: passwordOf('admin') })
    const { page, faults } = await signedIn(service, 'tokens')
    await page.getByRole('button', { name: 'New token' }).first().click()
    await page.locator('#field-description').fill('for a test')
    await page.getByLabel(/^read everything/).check()
    await page.getByLabel('Your present password').fill(passwordOf('admin'))
    await page.locator('dialog button[type=submit]').click()
    const secret = page.locator('.secret')
    await secret.waitFor()
    const token = /bfy_[\w-]{43}/.exec((await secret.textContent()) ?? '')?.[0] ?? ''
    assert.equal((await service.get('/ram/zone', bearer(token))).status, 200)
    await page.locator('dialog').getByRole('button', { name: 'Close' }).first().click()
    await chooseMore(page, /^More about/, /^Revoke/)
    await page
      .locator('dialog')
      .getByRole('button', { name: /Delete|Revoke/ })
      .click()
    await seen(page, 'No tokens')
    assert.equal((await service.get('/ram/zone', bearer(token))).status, 401)
    await menu(page, 'Audit log')
    await page.locator('table').getByText('token', { exact: false }).first().waitFor()
    assert(!((await page.locator('main').textContent()) ?? '').includes(token))
    await page.getByRole('button', { name: /^Show/ }).first().click()
    await page.locator('dialog pre').first().waitFor()
    await page.keyboard.press('Escape')
    await menu(page, 'Settings')
    const row = page.locator('tr', { hasText: 'flap-count' })
    await row.getByText('77').first().waitFor()
    await row.getByText('--flap-count').waitFor()
    assert.deepEqual(faults, [])
  },
)

test('a module is loaded, and what it proposes is accepted', withoutBrowser(), async () => {
  const service = await startService()
  const file = join(temporaryFolder(), 'BELL-MIB.txt')
  writeFileSync(
    file,
    `BELL-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, NOTIFICATION-TYPE FROM SNMPv2-SMI;
bellRang NOTIFICATION-TYPE STATUS current DESCRIPTION "It rang." ::= { enterprises 32473 7 3 0 1 }
END`,
  )
  const { page, faults } = await openPage(`${service.url}/console/modules`)
  await page.locator('input[type=file]').setInputFiles(file)
  await seen(page, 'BELL-MIB')
  await seen(page, 'bellRang')
  await page.getByLabel('Of the module').selectOption('BELL-MIB')
  await page.getByLabel('At least so sure').selectOption('high')
  await seen(page, 'Nothing matches the filter')
  await page.getByLabel('At least so sure').selectOption('low')
  await page
    .locator('tr', { hasText: 'bellRang' })
    .getByRole('button', { name: /^Accept/ })
    .click()
  await seen(page, 'There is nothing to propose')
  await menu(page, 'Event definitions')
  await page.getByLabel('Name').fill('bellRang')
  await page.getByRole('link', { name: 'bellRang' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.deepEqual(faults, [])
})
