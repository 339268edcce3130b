// Choosing by name with the keyboard alone, and as a screen reader is told of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, withoutBrowser } from './browser.ts'

/** The option that the field says the keys have come to. */
const activeOf = async (page: Page, field: Locator): Promise<string | null> => {
  const id = await field.getAttribute('aria-activedescendant')
  return id === null ? null : page.locator(`[id="${id}"][role=option][aria-selected=true]`).textContent()
}

const zones = ['Annex', 'Berth', 'Crane', 'Dock']

test(
  'several are chosen with the keyboard: arrows, Home, End, Enter and Escape, and are chips that can be removed',
  withoutBrowser(),
  async () => {
    const service = await startService()
    for (const name of zones) await service.sendJson('POST', '/ram/zone', { name })
    const { page, faults } = await openPage(`${service.url}/console/window/new?name=Keys`, {
      bypassCSP: true,
    })
    const field = page.getByRole('combobox', { name: 'Zones' })
    await field.focus()
    assert.equal(await field.getAttribute('aria-expanded'), 'false', 'the focus alone opens nothing')
    await page.keyboard.press('ArrowDown')
    const list = page.getByRole('listbox', { name: 'Zones' })
    await list.waitFor()
    assert.equal(await field.getAttribute('aria-expanded'), 'true')
    assert.equal(await field.getAttribute('aria-controls'), await list.getAttribute('id'))
    assert.equal(await activeOf(page, field), 'Annex')
    assert.deepEqual(await violations(page), [])
    await page.keyboard.press('ArrowUp')
    assert.equal(await activeOf(page, field), 'Dock', 'from the first to the last')
    await page.keyboard.press('ArrowDown')
    assert.equal(await activeOf(page, field), 'Annex')
    await page.keyboard.press('End')
    assert.equal(await activeOf(page, field), 'Dock')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Zones: without Berth' }).waitFor()
    assert.equal(await field.getAttribute('aria-expanded'), 'false')

    await page.keyboard.type('ra')
    await list.waitFor()
    assert.deepEqual(await list.getByRole('option').allTextContents(), ['Crane'])
    await page.keyboard.press('Escape')
    assert.equal(await field.getAttribute('aria-expanded'), 'false')
    assert.equal(await field.inputValue(), 'ra', 'the list is gone, and what was typed is not')
    await page.keyboard.press('Escape')
    assert.equal(await field.inputValue(), '')
    await page.keyboard.press('ArrowDown')
    assert.deepEqual(
      await list.getByRole('option').allTextContents(),
      ['Annex', 'Crane', 'Default', 'Dock'],
      'what is chosen is not offered again',
    )
    await page.keyboard.press('Alt+ArrowUp')
    await list.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Zones: without Berth' }).press('Enter')
    await page.locator('.tokens').waitFor({ state: 'detached' })
    assert.equal(await field.evaluate((element) => element === document.activeElement), true)
    assert.deepEqual(faults, [])
  },
)

test(
  'one is shown in its field; what was typed and not chosen is gone with the focus, and Escape leaves a dialog open',
  withoutBrowser(),
  async () => {
    const service = await startService()
    for (const name of zones) await service.sendJson('POST', '/ram/zone', { name })
    const { page, faults } = await openPage(`${service.url}/console/devices`, { bypassCSP: true })
    await page.getByRole('button', { name: 'New device' }).first().click()
    const dialog = page.locator('dialog')
    const field = dialog.getByRole('combobox', { name: 'Zone' })
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('dialog [role=combobox]')?.value,
    )
    assert.equal(await field.inputValue(), 'Default')
    await field.focus()
    await page.keyboard.type('dock')
    await page.getByRole('option', { name: 'Dock' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await dialog.waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await field.inputValue(), 'Default')
    await field.focus()
    await page.keyboard.type('dock')
    await page.getByRole('option', { name: 'Dock' }).waitFor()
    await page.keyboard.press('Enter')
    assert.equal(await field.inputValue(), 'Dock')
    await dialog.waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Annex' }).waitFor()
    assert.equal(
      await dialog.locator('[role=listbox] [role=option]').count(),
      zones.length + 1,
      'what is chosen narrows nothing',
    )
    assert.deepEqual(await violations(page), [])
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    // Another zone was chosen.
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })

    await page.goto(`${service.url}/console/devices?zoneId=1`)
    const filter = page.getByRole('combobox', { name: 'Zone' })
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLInputElement>('[role=combobox]')].some(
        ({ value }) => value === 'Default',
      ),
    )
    await filter.click()
    await page.keyboard.press('ArrowDown')
    assert.equal(await activeOf(page, filter), 'Any', 'nothing is a choice, and the first')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.searchParams.has('zoneId'))
    assert.equal(await filter.inputValue(), '')
    assert.deepEqual(faults, [])
  },
)

test('what is offered at the bottom of a dialog is in sight', withoutBrowser(), async () => {
  const service = await startService()
  for (const name of ['Ann', 'Ben']) await service.sendJson('POST', '/notify/contact', { name })
  const { page } = await openPage(`${service.url}/console/routes`, { viewport: { width: 1280, height: 800 } })
  await page.getByRole('button', { name: 'New route' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New route' })
  const field = dialog.getByRole('combobox', { name: 'Who is told' })
  // At the lower edge, as it is where somebody scrolls until the field can be seen.
  await field.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await field.pressSequentially('B')
  const option = dialog.getByRole('option', { name: /^Ben/ })
  await option.waitFor()
  const isInSight = () =>
    option.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    })
  while (!(await isInSight())) await page.waitForTimeout(50)
})
