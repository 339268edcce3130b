// The bar with what can be done to selected alarms, in a real browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { openPage, withoutBrowser } from './browser.ts'

test('the bar of actions has one line on a usual screen, and hides no row', withoutBrowser(), async () => {
  const service = await startService()
  for (let n = 1; n <= 60; n += 1)
    await service.sendJson('POST', '/fault/alarm', {
      ...{ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: '3', deviceIp: '192.0.2.1' },
      ...{ resource: `port ${n}`, alarmDesc: `port ${n}` },
    })
  const { page, faults } = await openPage(`${service.url}/console`, {
    viewport: { width: 1440, height: 900 },
  })
  await page.locator('.rows .row').first().waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('x')
  const bar = page.locator('.action-bar')
  await bar.waitFor()
  const lines = await bar.evaluate((element) => {
    const tops = [...element.children].map((one) => {
      const { top, height } = one.getBoundingClientRect()
      return Math.round(top + height / 2)
    })
    return Math.max(...tops) - Math.min(...tops)
  })
  assert(lines <= 2, `all on one line: ${lines} pixels apart`)
  await page.keyboard.press('End')
  await page.waitForFunction(() => {
    const bottom = document.querySelector('.action-bar')?.getBoundingClientRect().top ?? 0
    const active = document.querySelector('.rows .row.active')?.getBoundingClientRect()
    return active !== undefined && active.bottom <= bottom + 1
  })
  assert.deepEqual(faults, [])
})
