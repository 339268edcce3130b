// The way back in a real browser: a list is where it was left, with the focus where it was.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { openPage, withoutBrowser } from './browser.ts'
import { loadSample } from './every-page.ts'

test('on the way back, a list is where it was left, and so is the focus', withoutBrowser(), async () => {
  const service = await startService()
  await loadSample(service)
  const { page, faults } = await openPage(`${service.url}/console/events?ends=all`)
  const link = page.locator('tbody tr').nth(40).getByRole('link').first()
  await link.waitFor()
  await link.focus()
  const href = await link.getAttribute('href')
  const top = () => page.evaluate(() => document.getElementById('main')?.scrollTop ?? 0)
  const before = await top()
  assert(before > 200, `it is far down: ${before}`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Event definition/, level: 1 }).waitFor()
  await page.waitForFunction(() => document.getElementById('main')?.scrollTop === 0)
  await page.goBack()
  await page.waitForFunction(
    ([at, focused]) =>
      document.activeElement?.getAttribute('href') === focused &&
      Math.abs((document.getElementById('main')?.scrollTop ?? 0) - Number(at)) < 2,
    [before, href] as const,
  )
  await page.goForward()
  await page.getByRole('heading', { name: /^Event definition/, level: 1 }).waitFor()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Zones' }).click()
  await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor()
  assert.equal(await top(), 0, 'another page begins at its top')
  assert.deepEqual(faults, [])
})
