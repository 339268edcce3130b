// The patterns of docs/console-design.md in a real browser: the font that is shipped, what stands apart behind three dots,
// and what opens over the page.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, withoutBrowser } from './browser.ts'

const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim(),
  )

suite('the design of the console', withoutBrowser(), async () => {
  const service = await startService()
  for (const name of ['Annex', 'Harbour']) await service.sendJson('POST', '/ram/zone', { name })
  const open = (path: string, viewport = { width: 1280, height: 800 }) =>
    openPage(`${service.url}/console/${path}`, { bypassCSP: true, viewport })

  test('pages are set in the font that comes with them; other alphabets are fetched when a letter needs them', async () => {
    const { page, faults } = await open('alarms')
    const fonts: string[] = []
    page.on('response', (answer) => {
      if (answer.url().endsWith('.woff2')) fonts.push(answer.url().replace(/.*\//, ''))
    })
    await page.reload()
    await page.locator('main h1').waitFor()
    const isThere = () => document.fonts.check('14px Inter') && document.fonts.size > 1
    await page.waitForFunction(isThere)
    assert.match(await page.evaluate(() => getComputedStyle(document.body).fontFamily), /^"?Inter/)
    assert.deepEqual(fonts, ['inter-latin-wght-normal.woff2'])
    const answer = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel=preload][as=font]')
      const { headers } = await fetch(link?.href ?? '')
      return ['content-type', 'content-encoding', 'cache-control'].map((name) => headers.get(name))
    })
    assert.deepEqual(answer, ['font/woff2', null, 'public, max-age=31536000, immutable'])
    await service.sendJson('POST', '/ram/zone', { name: 'Łódź' })
    await page.goto(`${service.url}/console/zones`)
    await page.getByText('Łódź').first().waitFor()
    await page.waitForFunction(() =>
      [...document.fonts].some(
        ({ unicodeRange, status }) => unicodeRange.startsWith('U+100') && status === 'loaded',
      ),
    )
    assert(fonts.includes('inter-latin-ext-wght-normal.woff2'), `fetched: ${fonts}`)
    assert(!fonts.includes('inter-greek-wght-normal.woff2'), `fetched: ${fonts}`)
    assert.deepEqual(faults, [])
  })

  test('what deletes is behind three dots, with the pointer and with keys', async () => {
    const { page, faults } = await open('zones')
    const more = page.getByRole('button', { name: 'More about Annex' })
    await more.waitFor()
    assert.equal(await page.getByText('Delete', { exact: true }).filter({ visible: true }).count(), 0)
    await more.focus()
    await page.keyboard.press('Enter')
    const item = page.getByRole('menuitem', { name: 'Delete Annex' })
    await item.waitFor()
    assert.equal(await focused(page), 'Delete Annex')
    assert.equal(await more.getAttribute('aria-expanded'), 'true')
    assert.deepEqual(await violations(page), [])
    const [button, menu] = [
      await more.boundingBox(),
      await page.locator('.more-menu:popover-open').boundingBox(),
    ]
    assert(
      button && menu && menu.y >= button.y + button.height && menu.x + menu.width <= 1280,
      'below its button',
    )
    await page.keyboard.press('ArrowDown')
    assert.equal(await focused(page), 'Delete Annex', 'it is the only one')
    await page.keyboard.press('Escape')
    await item.waitFor({ state: 'hidden' })
    assert.equal(await focused(page), 'More about Annex')
    await more.click()
    await item.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Annex').first().waitFor()
    assert.deepEqual(faults, [])
  })

  test('an editor keeps what is grave behind three dots, which lead through several by arrow keys', async () => {
    const { page, faults } = await open('event?oid=1.3.6.1.6.3.1.1.5.3')
    await page.getByRole('button', { name: 'More actions' }).click()
    const first = await focused(page)
    await page.keyboard.press('ArrowDown')
    assert.notEqual(await focused(page), first)
    await page.keyboard.press('ArrowDown')
    assert.equal(await focused(page), first, 'after the last comes the first')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(faults, [])
  })

  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 780 },
  ])
    test(`how the page looks is chosen in a panel that is whole on a screen of ${viewport.width} pixels`, async () => {
      const { page, faults } = await open('zones', viewport)
      if (viewport.width < 760) await page.getByRole('button', { name: 'Menu' }).click()
      const button = page.getByRole('button', { name: 'Appearance' })
      await button.click()
      const panel = page.getByRole('group', { name: 'Appearance' })
      await panel.getByLabel('Colours').selectOption('Dark')
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')
      const box = await panel.boundingBox()
      assert(box && box.x >= 0 && box.y >= 0, JSON.stringify(box))
      assert(
        box.x + box.width <= viewport.width && box.y + box.height <= viewport.height,
        JSON.stringify(box),
      )
      assert.deepEqual(await violations(page), [])
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'hidden' })
      assert.equal(await focused(page), 'Appearance')
      assert.deepEqual(faults, [])
    })
})
