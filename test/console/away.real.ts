// The service is away for a while: pages keep what they show, one that was not opened before says so, and all go on.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

/** The link of the alarms has their number, too. */
const menu = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()

/** Nothing gets through: what the browser has fetched is all there is. */
const cut = (page: Page) => page.route('**/*', (route) => route.abort('connectionrefused'))

test(
  'while the service is away, a page that was not opened before says so, nothing is lost, and it goes on by itself',
  withoutBrowser(),
  async () => {
    const service = await startService()
    await service.sendJson('POST', '/ram/zone', { name: 'Harbour' })
    await service.sendJson('POST', '/fault/alarm', {
      ...{ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 1, alarmCategory: 4, alarmDesc: 'Warm' },
      ...{ deviceIp: '192.0.2.9', deviceName: 'room' },
    })
    const { page } = await openPage(`${service.url}/console`)
    await page.locator('.rows').getByText('Warm').waitFor()
    await cut(page)
    await menu(page, 'Zones')
    await seen(page, 'The service is away')
    assert.equal(await page.getByText('has been updated').count(), 0)
    await menu(page, 'Alarms')
    await page.locator('.rows').getByText('Warm').waitFor()
    await menu(page, 'Zones')
    await seen(page, 'The service is away')
    await page.unroute('**/*')
    await page.locator('tr', { hasText: 'Harbour' }).waitFor()
  },
)
