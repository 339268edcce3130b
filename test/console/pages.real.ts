// Every page in a real browser: it opens without an error, violates no rule of WCAG, and can be used with Tab alone.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, withoutBrowser } from './browser.ts'
import { loadSample, pages } from './every-page.ts'
import { tabThrough } from './tabbing.ts'

suite('pages of the console', withoutBrowser(), async () => {
  const service = await startService()
  await loadSample(service)
  for (const path of pages) {
    test(`${path} opens, and is accessible, light and dark`, async () => {
      const { page, faults } = await openPage(`${service.url}/console/${path}`, { bypassCSP: true })
      await page.locator('main h1, main h2').first().waitFor()
      await page.waitForFunction(() => !document.querySelector('.waiting'))
      assert.equal(await page.getByText('That did not work').count(), 0)
      assert.deepEqual(await violations(page), [], 'light')
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.deepEqual(await violations(page), [], 'dark')
      await tabThrough(page, path === 'alarms' ? 'menu' : 'main')
      assert.deepEqual(faults, [])
      await page.context().close()
    })
  }
})
