// The calendar in a real browser: what is planned is on its day and leads there, and a day leads to a new window for it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { openPage, withoutBrowser } from './browser.ts'

test(
  'windows and reports are on their days, by month and week, and a day leads to a new window',
  withoutBrowser(),
  async () => {
    const service = await startService()
    await service.sendJson('POST', '/ram/zone', { name: 'harbour' })
    const window = { name: 'core swap', minutes: 30, zone: [1] }
    assert.equal((await service.sendJson('POST', '/fault/maintenance', window)).status, 201)
    const daily = { templateId: 1, every: 'daily', time: '06:00' }
    assert.equal((await service.sendJson('POST', '/report/reportSchedule', daily)).status, 201)
    const { page, faults } = await openPage(`${service.url}/console/calendar`)
    const today = page.locator('.calendar .today')
    await today.getByRole('link', { name: /core swap/ }).waitFor()
    await page.getByRole('button', { name: 'Week', exact: true }).click()
    await page
      .locator('.calendar.by-week .today')
      .getByRole('link', { name: /core swap/ })
      .waitFor()
    assert.equal(await page.locator('.calendar > li').count(), 7)
    await page.getByRole('button', { name: 'Week after' }).click()
    await page.waitForURL(/day=\d{4}-\d\d-\d\d/)
    await page
      .getByRole('link', { name: /06:00 Alarm Summary/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Today' }).click()
    await today.hover()
    await today.getByRole('link', { name: /^New maintenance window on/ }).click()
    assert.match(await page.getByLabel('From', { exact: true }).inputValue(), /T22:00$/)
    assert.deepEqual(faults, [])
  },
)
