// Heartbeats in a real browser: a program is entered, told how to report in, and reports; the service itself reports to a
// web address and by mail.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, passwordOf, startGuarded } from '../http/credentials.ts'
import { receiver } from '../notify/chat-receivers.ts'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { chooseMore, openPage, seen, withoutBrowser } from './browser.ts'

test(
  'a program is entered, gets an address and a token that can do nothing else, and is seen to report',
  withoutBrowser(),
  async () => {
    const service = await startGuarded()
    const { page, faults } = await openPage(`${service.url}/console/heartbeats`, { bypassCSP: true })
    await page.getByLabel('Name').fill('administrator')
    await page.getByLabel('Password').fill(passwordOf('administrator'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    const dialog = page.locator('dialog')
    await page.getByRole('button', { name: 'New heartbeat' }).first().click()
    await page.locator('#field-name').fill('nightly backup')
    await page.locator('#field-everySeconds').fill('86400')
    assert.deepEqual(await violations(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    const row = page.locator('tr', { hasText: 'nightly backup' })
    await row.getByText('every day, 5 min late at most').waitFor()
    await row.getByText('waits for the first report').waitFor()
    await page.getByRole('button', { name: 'How nightly backup reports in' }).click()
    const command = (await dialog.locator('.secret').textContent()) ?? ''
    const [address = ''] = /http[^']+/.exec(command) ?? []
    assert.equal(new URL(address).pathname, '/events/heartbeat/nightly%20backup')
    await dialog.getByRole('button', { name: 'Make a token' }).click()
    assert(await dialog.getByLabel(/^report that a program is alive/).isChecked())
    assert.deepEqual(await violations(page), [])
    await dialog.getByLabel('Your present password').fill(passwordOf('administrator'))
    await dialog.getByRole('button', { name: 'New token' }).click()
    await seen(page, 'The token is made')
    const token = (await dialog.locator('.secret').textContent()) ?? ''
    assert.equal((await fetch(address, { method: 'POST', headers: bearer(token) })).status, 204)
    assert.equal((await service.get('/ram/zone', bearer(token))).status, 403)
    await page.reload()
    await row.getByText('reports', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'the service reports to an address that is not shown again, and the page says when that fails; then by mail',
  withoutBrowser(),
  async () => {
    const service = await startService({ 'notify-loopback': 'yes' })
    const stored = async () =>
      (await service.get('/notify/outgoingHeartbeat/1', { Accept: 'application/json' })).json()
    let status = 500
    const { url, received } = await receiver(() => ({ status }))
    const mail = { name: 'Relay', kind: 'mail', host: '192.0.2.1', sender: 'a@example.net' }
    await service.sendJson('POST', '/notify/gateway', mail)
    await service.sendJson('POST', '/notify/gateway', { name: 'Hook', kind: 'webhook', url })
    const { page, faults } = await openPage(`${service.url}/console/heartbeats`, { bypassCSP: true })
    const dialog = page.locator('dialog')
    const field = (name: string) => page.locator(`#field-${name}`)
    const save = async () => {
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'New heartbeat of the service' }).first().click()
    await field('name').fill('watchdog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await seen(page, /expected either url, or “Mail server” and address/)
    await dialog.getByLabel('Address (URL)').fill(`${url}/ping/secret-path`)
    assert.deepEqual(await violations(page), [])
    await save()
    const row = page.locator('tr', { hasText: 'watchdog' })
    await row.getByText('every 5 min, to a web address').waitFor()
    await row.getByText('the server answers 500').waitFor()
    status = 200
    await page.getByRole('button', { name: 'Change watchdog' }).click()
    await dialog.getByText('Is set.').waitFor()
    assert.equal(await dialog.getByLabel('Address (URL)').inputValue(), '')
    await field('everySeconds').fill('60')
    await save()
    await row.getByText('delivered', { exact: true }).waitFor()
    await row.getByText('every minute, to a web address').waitFor()
    assert.deepEqual(new Set(received.map(({ path }) => path)), new Set(['/ping/secret-path']))
    assert(!(await page.content()).includes('secret-path'))
    assert.deepEqual(await violations(page), [])

    await page.getByRole('button', { name: 'Change watchdog' }).click()
    await field('way').selectOption('a mail')
    assert.deepEqual(await field('gatewayId').locator('option').allTextContents(), ['Relay'])
    await field('address').fill('noc@example.net')
    await save()
    await row.getByText('every minute, to noc@example.net').waitFor()
    const { urlSet, gatewayId, address } = await stored()
    assert.deepEqual(
      { urlSet, gatewayId, address },
      { urlSet: 'false', gatewayId: '1', address: 'noc@example.net' },
    )
    await chooseMore(page, 'More about watchdog', 'Delete watchdog')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  },
)
