// The filter field of the alarms in a real browser: chips, the keyboard, saved filters in the menu, the start page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService, type TestService } from '../support.ts'
import { violations } from './accessible.ts'
import { filterAlarms, openPage, seen, withoutBrowser } from './browser.ts'

async function raise(service: TestService, resource: string, alarmLevel: number): Promise<void> {
  const { status, text } = await service.sendJson('POST', '/fault/alarm', {
    ...{ OID: '1.3.6.1.4.1.32473.9.1', deviceIp: '192.0.2.1', deviceName: 'crane' },
    ...{ alarmLevel, resource, alarmDesc: `The ${resource} stands still` },
  })
  assert.equal(status, 201, text)
}

const shows = async (page: Page, ...resources: string[]) => {
  for (const resource of ['pump', 'valve', 'belt'])
    await page
      .getByRole('grid')
      .getByText(`The ${resource} stands still`)
      .waitFor({ state: resources.includes(resource) ? 'visible' : 'detached' })
}

const parameters = (page: Page) => new URL(page.url()).searchParams

test(
  'terms are chosen by keyboard, and are chips that can be changed and removed',
  withoutBrowser(),
  async () => {
    const service = await startService()
    await raise(service, 'pump', 1)
    await raise(service, 'valve', 2)
    await raise(service, 'belt', 3)
    const { page, faults } = await openPage(`${service.url}/console`, { bypassCSP: true })
    await shows(page, 'pump', 'valve', 'belt')
    await page.keyboard.press('/')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Level' }).waitFor()
    assert.deepEqual(await violations(page), [])
    await page.keyboard.type('lev')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Level' }).waitFor()
    assert.equal(parameters(page).get('q'), null, 'the name of the term is no word to look for')
    await page.keyboard.type('crit')
    await page.keyboard.press('Enter')
    await shows(page, 'pump')
    await page.getByRole('button', { name: 'Remove the filter Level' }).waitFor()

    await page.keyboard.type('level:maj')
    await page.keyboard.press('Enter')
    await shows(page, 'pump', 'valve')
    assert.equal(parameters(page).get('level'), '1,2')
    await page.keyboard.type('valve')
    await shows(page, 'valve')
    assert.deepEqual(await violations(page), [])

    await page.locator('#alarm-search').fill('')
    await shows(page, 'pump', 'valve')
    await page.keyboard.press('Backspace')
    await shows(page, 'pump', 'valve', 'belt')
    await filterAlarms(page, 'Device', 'cra', 'Contains “cra”')
    await page.getByRole('button', { name: 'Remove the filter Device' }).click()
    await page.waitForURL((url) => !url.searchParams.has('device'))
    assert.deepEqual(faults, [])
  },
)

test(
  'a filter is saved, counted in the menu as alarms come, and is the start page',
  withoutBrowser(),
  async () => {
    const service = await startService()
    await raise(service, 'pump', 1)
    const { page, faults } = await openPage(`${service.url}/console?level=1,2`, { bypassCSP: true })
    await shows(page, 'pump')
    await page.getByRole('button', { name: 'Save filter' }).click()
    await page.locator('dialog').getByLabel('Name').fill('Grave ones')
    await page.locator('dialog').getByRole('button', { name: 'Save' }).click()
    const item = page.getByRole('list', { name: 'Saved filters' }).getByRole('link')
    await item.filter({ hasText: /^Grave ones1$/ }).waitFor()
    assert.equal(await item.getAttribute('aria-current'), 'page')
    await raise(service, 'valve', 2)
    await raise(service, 'belt', 3)
    await item.filter({ hasText: /^Grave ones2$/ }).waitFor()
    assert.deepEqual(await violations(page), [])

    await page.getByRole('button', { name: 'Appearance' }).click()
    await page.getByLabel('Start page').selectOption('Grave ones')
    await page.goto(`${service.url}/console`)
    await page.waitForURL((url) => url.searchParams.get('level') === '1,2')
    await shows(page, 'pump', 'valve')

    await page.getByRole('button', { name: 'More about Grave ones' }).click()
    await page.getByRole('menuitem', { name: 'Delete saved filter' }).click()
    await item.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await item.waitFor()
    await page.getByRole('button', { name: 'More about Grave ones' }).click()
    await page.getByRole('menuitem', { name: 'Delete saved filter' }).click()
    await seen(page, 'Grave ones is no longer in the menu')
    await page.goto(`${service.url}/console`)
    await shows(page, 'pump', 'valve', 'belt')
    assert.deepEqual(faults, [])
  },
)
