// Typed and not saved: nothing of it is lost without a question, and it is there again on the way back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, withoutBrowser } from './browser.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard what you have typed?' })

test(
  'a dialog stays when a selection is dragged out of it, and asks when it is closed with something typed',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/zones`)
    const open = () => page.getByRole('button', { name: 'New zone' }).first().click()
    const form = page.locator('dialog', { hasText: 'New zone' })
    await open()
    await form.waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await open()
    const name = form.getByLabel('Name')
    await name.fill('Harbour')
    const box = await name.boundingBox()
    const around = await form.locator('.dialog').boundingBox()
    assert(box && around)
    await page.mouse.move(box.x + 60, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(around.x - 60, box.y + box.height / 2, { steps: 8 })
    await page.mouse.up()
    assert.equal(await name.inputValue(), 'Harbour')
    const ways = [
      () => page.keyboard.press('Escape'),
      () => form.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(around.x - 60, around.y + 5),
    ]
    for (const leave of ways) {
      await leave()
      await question(page).waitFor()
      await question(page).getByRole('button', { name: 'Keep editing' }).click()
      await question(page).waitFor({ state: 'detached' })
      assert.equal(await name.inputValue(), 'Harbour')
    }
    await page.keyboard.press('Escape')
    assert.deepEqual(await violations(page), [])
    await question(page).getByRole('button', { name: 'Discard' }).click()
    await form.waitFor({ state: 'detached' })
    await open()
    assert.equal(await name.inputValue(), '', 'what was discarded is gone')
    await name.fill('Harbour')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await page.locator('tr', { hasText: 'Harbour' }).waitFor()
    assert.equal(await question(page).count(), 0, 'what is saved is not asked about')
    assert.deepEqual(faults, [])
  },
)

test(
  'a link of the menu asks before it leaves a rule that is half written; the way back does not, and keeps the draft',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/rules`)
    await page.getByRole('link', { name: 'New rule' }).first().click()
    const name = page.locator('#rule-name')
    await name.fill('Printers at night')
    const zones = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Zones' })
    await zones.click()
    await question(page).getByRole('button', { name: 'Keep editing' }).click()
    assert.equal(await name.inputValue(), 'Printers at night')
    await page.goBack()
    await page.getByRole('heading', { name: 'Trap rules' }).waitFor()
    await page.goForward()
    await page.getByText('This is what you had typed and not saved.').waitFor()
    assert.equal(await name.inputValue(), 'Printers at night')
    await page.getByRole('button', { name: 'Discard it' }).click()
    assert.equal(await name.inputValue(), '')
    await zones.click()
    await page.getByRole('heading', { name: 'Zones' }).waitFor()
    assert.deepEqual(faults, [])
  },
)

test('a draft is asked about once, and leaving it by the question forgets it', withoutBrowser(), async () => {
  const service = await startService()
  const { page, faults } = await openPage(`${service.url}/console/window/new`)
  await page.locator('#window-name').fill('Core swap')
  const menu = page.getByRole('navigation', { name: 'Pages' })
  await menu.getByRole('link', { name: 'Zones' }).click()
  await question(page).getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('heading', { name: 'Zones' }).waitFor()
  await page.goBack()
  await page.locator('#window-name').waitFor()
  assert.equal(await page.locator('#window-name').inputValue(), '')
  assert.deepEqual(faults, [])
})
