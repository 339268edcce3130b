// Columns of lists, in a real browser: chosen, ordered and sized, and remembered for the person who did so.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, withoutBrowser } from './browser.ts'
import { loadSample } from './every-page.ts'

const titles = (page: Page) => page.locator('thead th:not(.tick)').allTextContents()

const panelOf = async (page: Page) => {
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  return page.getByRole('group', { name: 'Columns' })
}

const widthOf = (page: Page, title: string) =>
  page
    .getByRole('columnheader', { name: title })
    .first()
    .evaluate((heading) => Math.round(heading.getBoundingClientRect().width))

async function drag(page: Page, title: string, by: number): Promise<void> {
  const heading = page.getByRole('columnheader', { name: title }).first()
  const box = await heading.boundingBox()
  assert(box)
  await page.mouse.move(box.x + box.width - 3, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 3 + by / 2, box.y + box.height / 2)
  await page.mouse.move(box.x + box.width - 3 + by, box.y + box.height / 2)
  await page.mouse.up()
}

suite('columns', withoutBrowser(), async () => {
  const service = await startService()
  await loadSample(service)

  test('of a list are left out, moved and made wider, and are so after a reload', async () => {
    const { page, faults } = await openPage(`${service.url}/console/devices`, { bypassCSP: true })
    await page.locator('tbody tr').first().waitFor()
    const before = (await titles(page)).filter((title) => title !== 'Actions')
    const [first = '', second = '', third = ''] = before
    const panel = await panelOf(page)
    assert.deepEqual(await violations(page), [])
    assert(await panel.getByLabel(first, { exact: true }).isDisabled(), 'the first says what a row is about')
    await panel.getByLabel(second, { exact: true }).uncheck()
    await page.getByRole('columnheader', { name: second, exact: true }).waitFor({ state: 'detached' })
    const up = panel.getByRole('button', { name: `${third}: further to the front` })
    await up.click()
    await up.click()
    await page.waitForFunction(
      (title) => document.querySelector('thead th:not(.tick)')?.textContent === title,
      third,
    )
    await panel.getByLabel(`Width of ${third}`).selectOption('Wide')
    await page.keyboard.press('Escape')
    assert.equal(await widthOf(page, third), 280)
    await drag(page, third, 60)
    assert.equal(await widthOf(page, third), 340)
    const after = await titles(page)
    await page.reload()
    await page.locator('tbody tr').first().waitFor()
    assert.deepEqual(await titles(page), after)
    assert.equal(await widthOf(page, third), 340)
    assert.equal(
      await page.locator('tbody tr').first().locator('td:not(.tick)').first().getAttribute('data-title'),
      third,
    )

    const again = await panelOf(page)
    await again.getByLabel(`Width of ${third}`).getByText('340 pixels').waitFor({ state: 'attached' })
    await again.getByRole('button', { name: 'As it was' }).click()
    await page.getByRole('columnheader', { name: second, exact: true }).waitFor()
    assert.deepEqual(
      (await titles(page)).filter((title) => title !== 'Actions'),
      before,
    )
    assert.deepEqual(faults, [])
  })

  test('of the alarms are chosen too, with some that are hidden at first; texts and levels stay', async () => {
    const { page, faults } = await openPage(`${service.url}/console/alarms`, { bypassCSP: true })
    const row = page.locator('.rows .row').first()
    await row.waitFor()
    const panel = await panelOf(page)
    for (const fixed of ['Level', 'What is wrong'])
      assert(await panel.getByLabel(fixed, { exact: true }).isDisabled(), fixed)
    await panel.getByLabel('Address', { exact: true }).check()
    await panel.getByLabel('Note', { exact: true }).uncheck()
    await panel.getByLabel('Reports', { exact: true }).uncheck()
    assert.deepEqual(await violations(page), [])
    await page.keyboard.press('Escape')
    await row.locator('.c-address').waitFor()
    assert.equal(await row.locator('.c-remark').count(), 0)
    const cells = await row.locator('[role=gridcell]').evaluateAll((all) => all.map((one) => one.className))
    const headings = await page
      .locator('.headings > [role=columnheader]')
      .evaluateAll((all) => all.map((one) => one.className))
    assert.deepEqual(cells, headings)
    const aligned = await page.evaluate(() => {
      const edges = (selector: string) =>
        [...document.querySelectorAll(`${selector} > div`)].map((one) =>
          Math.round(one.getBoundingClientRect().left),
        )
      return [edges('.row.headings'), edges('.rows .row:first-child')]
    })
    assert.deepEqual(aligned[0], aligned[1])
    await drag(page, 'Device', 50)
    const wide = await widthOf(page, 'Device')
    await page.reload()
    await row.locator('.c-address').waitFor()
    assert.equal(await widthOf(page, 'Device'), wide)
    await page.setViewportSize({ width: 390, height: 780 })
    await row.locator('.c-text').waitFor()
    assert(!(await row.locator('.c-address').isVisible()), 'a phone has its own two lines')
    assert.deepEqual(faults, [])
  })

  test('what another has written to the storage of the browser does no harm', async () => {
    const { page, faults } = await openPage(`${service.url}/console/devices`)
    await page.locator('tbody tr').first().waitFor()
    const before = await titles(page)
    for (const text of [
      'null',
      '[]',
      '{"order":7,"hidden":[1],"widths":{"name":"x"}}',
      'no JSON',
      '{"widths":null}',
    ]) {
      await page.evaluate((stored) => localStorage.setItem('belfry columns  /plat/res/device', stored), text)
      await page.reload()
      await page.locator('tbody tr').first().waitFor()
      assert.deepEqual(await titles(page), before, text)
    }
    assert.deepEqual(faults, [])
  })
})
