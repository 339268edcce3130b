// What is pressed is large enough for a finger and a trembling hand, on every page, in a real browser.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService } from '../support.ts'
import { openPage, withoutBrowser } from './browser.ts'
import { loadSample, pages } from './every-page.ts'

/** In pixels (WCAG 2.2, 2.5.8). Links in a sentence are as high as its lines. */
const least = 24

const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate((size) => {
    const found: string[] = []
    for (const element of document.querySelectorAll<HTMLElement>(
      'button, input, select, textarea, summary',
    )) {
      // A label around a box is pressed as well, and so is a cell whose click ticks it.
      const area = element.closest<HTMLElement>('label, .c-select') ?? element
      const { width, height } = area.getBoundingClientRect()
      const isThere = element.checkVisibility() && width > 1 && height > 1
      if (isThere && (width < size - 0.5 || height < size - 0.5))
        found.push(`${Math.round(width)} × ${Math.round(height)}: ${area.outerHTML.slice(0, 120)}`)
    }
    return found
  }, least)

suite('sizes of what is pressed', withoutBrowser(), async () => {
  const service = await startService()
  await loadSample(service)
  const { page, faults } = await openPage(`${service.url}/console`)
  for (const path of pages) {
    test(`on ${path}`, async () => {
      await page.goto(`${service.url}/console/${path}`)
      await page.locator('main h1, main h2').first().waitFor()
      await page.waitForFunction(() => !document.querySelector('.waiting'))
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 780 })
        await page.evaluate(
          () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
        )
        assert.deepEqual(await tooSmall(page), [], `at a width of ${width}`)
      }
      assert.deepEqual(faults, [])
    })
  }
})
