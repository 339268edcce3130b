// Notifications in a real browser: gateways with secrets that are not shown again, people, teams and channels.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { passwordOf, startGuarded } from '../http/credentials.ts'
import { receiver } from '../notify/chat-receivers.ts'
import { startService, type TestService } from '../support.ts'
import { violations } from './accessible.ts'
import { choose, openPage, seen, withoutBrowser } from './browser.ts'

const field = (page: Page, name: string) => page.locator(`#field-${name}`)
const save = (page: Page) => page.locator('dialog').getByRole('button', { name: 'Save' }).click()
const closed = (page: Page) => page.locator('dialog').waitFor({ state: 'detached' })

async function signedIn(
  service: TestService,
  path: string,
  name: 'administrator' | 'viewer' = 'administrator',
) {
  const opened = await openPage(`${service.url}/console/${path}`)
  await opened.page.getByLabel('Name').fill(name)
  await opened.page.getByLabel('Password').fill(passwordOf(name))
  await opened.page.getByRole('button', { name: 'Sign in' }).click()
  await seen(opened.page, new RegExp(`^${name}, `))
  return opened
}

test(
  'a gateway asks for the fields of its kind; a secret that is set is kept, replaced or removed, and never shown',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/gateways`)
    const dialog = page.locator('dialog')
    await page.getByRole('button', { name: 'New gateway' }).first().click()
    await field(page, 'name').fill('Relay')
    assert.equal(await dialog.getByLabel('Community').count(), 0)
    await field(page, 'host').fill('mail.example.net')
    await field(page, 'userName').fill('belfry')
    await field(page, 'sender').fill('no address')
    await dialog.getByRole('textbox', { name: 'Password' }).fill('rings at noon')
    await save(page)
    await seen(page, /expected a mail address/)
    await field(page, 'sender').fill('alarms@example.net')
    assert.deepEqual(await violations(page), [])
    await save(page)
    await closed(page)
    await page.locator('tr', { hasText: 'Relay' }).getByText('mail.example.net:587').waitFor()
    await page.getByRole('button', { name: 'Change Relay' }).click()
    await dialog.getByText('Is set.').waitFor()
    assert.equal(await dialog.getByRole('textbox', { name: 'Password' }).inputValue(), '')
    await field(page, 'description').fill('of the campus')
    await save(page)
    await closed(page)
    const stored = async () =>
      (await service.get('/notify/gateway/1', { Accept: 'application/json' })).json().secretSet
    assert.deepEqual(await stored(), ['password'], 'it stays')
    await page.getByRole('button', { name: 'Change Relay' }).click()
    await dialog.getByRole('button', { name: 'Remove Password' }).click()
    await field(page, 'userName').fill('')
    await save(page)
    await closed(page)
    assert.deepEqual(await stored(), [], 'it is removed')
    assert(!(await page.content()).includes('rings at noon'))
    assert.deepEqual(faults, [])
  },
)

test('a gateway from a template asks for what the template leaves open', withoutBrowser(), async () => {
  const service = await startService()
  const { page, faults } = await openPage(`${service.url}/console/gateways`)
  const dialog = page.locator('dialog')
  await page.getByRole('button', { name: 'New gateway' }).first().click()
  await field(page, 'kind').selectOption('Webhook: telegram')
  await seen(page, /The token is that of the bot/)
  assert.equal(await field(page, 'body').count(), 0)
  await field(page, 'name').fill('Bot')
  await dialog.getByLabel('Token').fill('123:abc')
  await save(page)
  await closed(page)
  await page.locator('tr', { hasText: 'Bot' }).getByText('Address (URL), Token').waitFor()
  await page.getByRole('button', { name: 'Change Bot' }).click()
  assert.match(await field(page, 'body').inputValue(), /chat_id/)
  assert.deepEqual(faults, [])
})

test(
  'an administrator enters people and a team; a viewer enters themself, with channels in an order',
  withoutBrowser(),
  async () => {
    const service = await startGuarded()
    const mail = { name: 'Relay', kind: 'mail', host: '192.0.2.1', sender: 'a@example.net' }
    await service.asJson('administrator', 'POST', '/notify/gateway', mail)
    const { page, faults } = await signedIn(service, 'people')
    await page.getByRole('button', { name: 'New contact' }).first().click()
    await field(page, 'name').fill('Ann')
    await choose(page.getByLabel('Time zone'), 'Europe/Berlin')
    await field(page, 'quietFrom').fill('22:00')
    await field(page, 'quietTo').fill('06:00')
    await field(page, 'quietLevel').selectOption('2')
    await save(page)
    await seen(page, '22:00 to 06:00, except major and more severe')
    await page.getByRole('button', { name: 'New team' }).first().click()
    await field(page, 'name').fill('Night')
    await choose(page.getByLabel('Members'), 'Ann')
    await save(page)
    await page.locator('tr', { hasText: 'Night' }).getByText('1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'New channel' }).first().click()
    await choose(page.getByLabel('Contact'), 'Ann')
    await field(page, 'address').fill('ann@example.net')
    await save(page)
    // There were no contacts when the page was opened.
    await page.locator('tr', { hasText: 'ann@example.net' }).getByRole('link', { name: 'Ann' }).waitFor()
    assert.deepEqual(await violations(page), [])
    const own = await signedIn(service, 'me', 'viewer')
    await own.page.getByRole('button', { name: 'Enter myself' }).click()
    await save(own.page)
    for (const address of ['first@example.net', 'second@example.net']) {
      await own.page.getByRole('button', { name: 'New channel' }).click()
      await field(own.page, 'address').fill(address)
      await save(own.page)
      await seen(own.page, address)
    }
    await own.page.getByRole('button', { name: 'Move second@example.net up' }).click()
    const first = own.page.locator('tbody tr').first()
    await first.getByText('second@example.net').waitFor()
    await first.getByText('not confirmed').waitFor()
    assert.deepEqual(await violations(own.page), [])
    await own.page.goto(`${service.url}/console/person/1`)
    await seen(own.page, 'Addresses are seen by the person and by administrators alone.')
    assert.deepEqual([...faults, ...own.faults], [])
  },
)

test(
  'a gateway is tested, with the answer of the other side; an address counts once the code that came there is typed',
  withoutBrowser(),
  async () => {
    const service = await startService({ 'notify-loopback': 'yes' })
    const { url, received } = await receiver()
    await service.sendJson('POST', '/notify/gateway', { name: 'Hook', kind: 'webhook', url })
    await service.sendJson('POST', '/notify/contact', { name: 'Ann' })
    const { page, faults } = await openPage(`${service.url}/console/gateways`)
    const dialog = page.locator('dialog')
    await page.getByRole('button', { name: 'Test Hook' }).click()
    await dialog.getByLabel('Address').fill('ann')
    await dialog.getByRole('button', { name: 'Send a test message' }).click()
    await seen(page, 'The other side accepted the message.')
    await dialog.getByText(/200/).waitFor()
    assert.equal(received.length, 1)
    await service.sendJson('POST', '/notify/channel', { contactId: '1', gatewayId: '1', address: 'ann' })
    await page.goto(`${service.url}/console/person/1`)
    await page.getByRole('button', { name: 'Confirm ann' }).click()
    assert(await dialog.evaluate((one) => one.scrollWidth <= one.clientWidth), 'the whole dialog is seen')
    await dialog.getByRole('button', { name: 'Send a code' }).click()
    await seen(page, /^A code was sent/)
    const code = /\d{8}/.exec(JSON.parse(received.at(-1)?.body ?? '').title)?.[0] ?? ''
    await field(page, 'code').fill(code)
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.locator('tbody').getByText('Confirmed', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  },
)
