// The console without a mouse: skipping the menu, dialogs, what unfolds; and dialogs as screen readers announce them.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { idOf } from '../http/reading.ts'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    return element.id || element.getAttribute('aria-label') || (element.textContent ?? '').trim()
  })

/** Waits for the focus: the effect of a key may be drawn a moment later. */
const focusIs = (page: Page, id: string) =>
  page.waitForFunction((wanted) => document.activeElement?.id === wanted, id)

suite('by the keyboard', withoutBrowser(), async () => {
  const service = await startService()
  const deviceId = idOf(
    await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.1', label: 'crane' }),
  )
  const alarm = { OID: '1.3.6.1.4.1.32473.9.1', deviceId }
  // An alarm of one link follows from an alarm of the whole device.
  const whole = { ...alarm, alarmLevel: 1, alarmCategory: 2, alarmDesc: 'the device is silent' }
  await service.sendJson('POST', '/fault/alarm', { ...whole, resource: 'a' })
  const link = { ...alarm, alarmLevel: 3, alarmCategory: 3, alarmDesc: 'the link is down' }
  await service.sendJson('POST', '/fault/alarm', { ...link, resource: 'b' })
  const open = (path: string) => openPage(`${service.url}/console/${path}`, { bypassCSP: true })

  test('the first tab stop skips the menu; a page that was opened from another begins at its top', async () => {
    const { page, faults } = await open('alarms')
    await page.locator('.rows .row').first().waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Skip to the content')
    await page.keyboard.press('Enter')
    await focusIs(page, 'main')
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Options')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Acknowledge' }).first().waitFor()
    await page.evaluate(() => document.querySelector('main')?.scrollTo(0, 1e6))
    await page.locator('main').getByRole('link', { name: 'crane', exact: true }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'crane', level: 1 }).waitFor()
    await focusIs(page, 'main')
    assert.equal(await page.locator('main').evaluate(({ scrollTop }) => scrollTop), 0)
    assert.deepEqual(faults, [])
  })

  test('Enter opens the alarm that was gone to, though a filter was clicked before', async () => {
    const { page, faults } = await open('alarms')
    await page.locator('.rows .row').first().waitFor()
    await page.getByRole('button', { name: /^Critical/ }).click()
    await page.waitForURL(/level=1/)
    await page.keyboard.press('j')
    await page.locator('.row.active').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/console\/alarm\/\d+$/)
    assert.deepEqual(faults, [])
  })

  test('what is over is not selected with the rest, and says so when one wants to do something with it', async () => {
    const numbers = ['c', 'd'].map((resource) => ({ ...alarm, alarmLevel: 4, resource, alarmDesc: 'ended' }))
    const ids: string[] = []
    for (const one of numbers) ids.push(idOf(await service.sendJson('POST', '/fault/alarm', one)))
    const { page, faults } = await open('alarms?level=4')
    await seen(page, /^2 of /)
    await page.keyboard.press('End')
    await page.locator(`#row-${ids[0]}.active`).waitFor()
    await service.ask('PUT', `/fault/alarm/recover/${ids[0]}`)
    await page.locator('.row.active.ended').waitFor()
    await page.keyboard.press('a')
    await seen(page, /^This alarm is over/)
    await page.getByLabel('Select all that match the filter').check()
    await seen(page, '1 selected')
    assert.equal(await page.getByRole('button', { name: /^Select all/ }).count(), 0)
    assert.deepEqual(faults, [])
  })

  test('what follows from an alarm is unfolded and folded', async () => {
    const { page, faults } = await open('alarms?q=silent')
    const rows = page.locator('.rows .row')
    await seen(page, '1 follows from it')
    await page.waitForFunction(() => document.querySelectorAll('.rows .row').length === 1)
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowRight')
    await rows.getByText('the link is down').waitFor()
    await page.keyboard.press('ArrowLeft')
    await rows.getByText('the link is down').waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })

  test('a dialog keeps the focus, Escape closes it, and the focus is where it was', async () => {
    const { page, faults } = await open('zones')
    const button = page.getByRole('button', { name: 'New zone' }).first()
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.locator('dialog')
    await dialog.waitFor()
    assert.deepEqual(await violations(page), [], 'a form')
    const inside = () => dialog.evaluate((element) => element.contains(document.activeElement))
    for (let count = 0; count < 12; count += 1) {
      // Between the last and the first element, the browser's own controls may have the focus.
      assert((await inside()) || (await page.evaluate(() => document.activeElement === document.body)))
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(() => /^New zone/.test(document.activeElement?.textContent?.trim() ?? ''))
    assert.deepEqual(faults, [])
  })

  test('dialogs, options and the wall of alarms are accessible, light and dark', async () => {
    const { page, faults } = await open('alarms')
    await page.locator('.rows .row').first().waitFor()
    const isFine = async (what: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        assert.deepEqual(await violations(page), [], `${what}, ${colorScheme}`)
      }
    }
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await isFine('a selection')
    for (const key of ['s', '?']) {
      await page.keyboard.press(key)
      await page.locator('dialog').waitFor()
      await isFine(`the dialog of ${key}`)
      await page.keyboard.press('Escape')
      await page.locator('dialog').waitFor({ state: 'detached' })
    }
    await page.getByText('Options').click()
    await isFine('options')
    await page.keyboard.press('Escape')
    await page.locator('.panel:popover-open').waitFor({ state: 'detached' })
    await page.keyboard.press('w')
    await page.locator('.alarms.wall').waitFor()
    await isFine('the wall')
    assert.deepEqual(faults, [])
  })

  test('keys of one letter can be turned off', async () => {
    const { page, faults } = await open('alarms')
    await page.locator('.rows .row').first().waitFor()
    await page.getByText('Options').click()
    await page.getByLabel(/^Keys of one letter/).uncheck()
    await page.locator('h1').click()
    for (const key of ['j', 'x', 'a', '?', 'w', '/']) await page.keyboard.press(key)
    await page.keyboard.press('ArrowDown')
    await page.locator('.row.active').waitFor()
    assert.equal(await page.locator('dialog, .action-bar, .alarms.wall').count(), 0)
    assert.equal((await focused(page)) === 'alarm-search', false)
    await page.reload()
    await page.locator('.rows .row').first().waitFor()
    await page.keyboard.press('?')
    await page.keyboard.press('ArrowDown')
    await page.locator('.row.active').waitFor()
    assert.equal(await page.locator('dialog').count(), 0, 'the browser keeps it')
    assert.deepEqual(faults, [])
  })
})
