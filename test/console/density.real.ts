// Comfortable or compact, in a real browser: chosen once for all pages, and remembered.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, withoutBrowser } from './browser.ts'

const heightOf = async (page: Page, selector: string) => {
  const row = page.locator(selector).first()
  await row.waitFor()
  return (await row.boundingBox())?.height ?? 0
}

test('compact lists show more rows, on every page and after a reload', withoutBrowser(), async () => {
  const service = await startService()
  for (let n = 1; n <= 60; n += 1)
    await service.sendJson('POST', '/fault/alarm', {
      ...{ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: '3', deviceIp: '192.0.2.1' },
      ...{ resource: `port ${n}`, alarmDesc: `port ${n}` },
    })
  const { page, faults } = await openPage(`${service.url}/console`, { bypassCSP: true })
  const comfortable = await heightOf(page, '.rows .row')
  await page.getByRole('button', { name: 'Appearance' }).click()
  await page.getByLabel('Density').selectOption('Compact')
  await page.waitForFunction(
    (before) => (document.querySelector('.rows .row')?.getBoundingClientRect().height ?? before) < before,
    comfortable,
  )
  const compact = await heightOf(page, '.rows .row')
  const [first, second] = await page
    .locator('.rows .row')
    .evaluateAll((rows) => rows.slice(0, 2).map((row) => row.getBoundingClientRect().top))
  assert.equal(
    Math.round(Math.abs((second ?? 0) - (first ?? 0))),
    Math.round(compact),
    'rows follow each other',
  )
  assert.deepEqual(await violations(page), [])
  await page.goto(`${service.url}/console/events`)
  const inTable = await heightOf(page, 'tbody tr')
  await page.getByRole('button', { name: 'Appearance' }).click()
  assert.equal(await page.getByLabel('Density').inputValue(), 'compact')
  await page.getByLabel('Density').selectOption('Comfortable')
  assert((await heightOf(page, 'tbody tr')) > inTable, 'rows of tables, too')
  assert.deepEqual(faults, [])
})
