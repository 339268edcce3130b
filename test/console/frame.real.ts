// Only the page inside its frame scrolls, and never the document: what would be left is an empty screen.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, withoutBrowser } from './browser.ts'
import { loadSample, pages } from './every-page.ts'

const screens = [
  { name: 'a desk', viewport: { width: 1280, height: 800 } },
  { name: 'a phone', viewport: { width: 390, height: 780 } },
]

suite('the document never scrolls', withoutBrowser(), async () => {
  const service = await startService()
  await loadSample(service)
  const { text } = await service.sendJson('POST', '/report/reportTemplate/1/run?format=json', {})
  const withResult = [...pages, `report/1?result=${/\d+/.exec(text)?.[0] ?? 1}`]
  for (const { name, viewport } of screens)
    test(`on ${name}, on every page`, async () => {
      const { page, faults } = await openPage(`${service.url}/console`, { viewport })
      const moved: string[] = []
      for (const path of withResult) {
        await page.goto(`${service.url}/console/${path}`)
        await page.locator('main h1, main h2').first().waitFor()
        await page.waitForFunction(() => !document.querySelector('.waiting'))
        const by = await page.evaluate(() => {
          document.querySelector('main')?.scrollTo(0, 1e6)
          scrollTo(0, 1e6)
          return document.documentElement.scrollTop
        })
        if (name === 'a desk' && path === 'devices') {
          const wide: string[] = await page.evaluate(() =>
            [...document.querySelectorAll('.menu li a')]
              .filter((link) => link.scrollWidth > link.clientWidth)
              .map((link) => link.textContent ?? ''),
          )
          assert.deepEqual(wide, [], 'names in the menu have the room they need')
        }
        if (by !== 0) moved.push(`${path}: ${by} pixels`)
      }
      assert.deepEqual(moved, [])
      assert.deepEqual(faults, [])
    })
})

test(
  'groups of the menu fold, stay folded in this browser, and unfold for their own pages',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/zones`)
    const heading = (name: string) => page.getByRole('button', { name, exact: true })
    const link = (name: string) => page.getByRole('link', { name, exact: true })
    await link('Devices').waitFor()
    assert.equal(await link('Tokens').count(), 0, 'what is set up once is folded at first')
    await heading('Administration').click()
    await link('Tokens').waitFor()
    await heading('Watch').click()
    await link('History').waitFor({ state: 'hidden' })
    await page.reload()
    await link('Tokens').waitFor()
    assert.equal(await heading('Watch').getAttribute('aria-expanded'), 'false')
    assert.equal(await link('History').count(), 0)
    await page.goto(`${service.url}/console/history`)
    await link('History').waitFor()
    assert.deepEqual(await violations(page), [])
    assert.deepEqual(faults, [])
  },
)
