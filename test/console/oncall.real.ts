// On call in a real browser: a schedule is made, drawn as a week, and somebody stands in.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { choose, chooseMore, openPage, seen, withoutBrowser } from './browser.ts'

test(
  'a schedule is made of people, drawn as a week with who is on call now, and an override names another',
  withoutBrowser(),
  async () => {
    const service = await startService()
    for (const name of ['Ann', 'Ben']) await service.sendJson('POST', '/notify/contact', { name })
    const { page, faults } = await openPage(`${service.url}/console/oncall`)
    await page.getByRole('link', { name: 'New schedule' }).first().click()
    await page.getByLabel('Name').first().fill('Network')
    await choose(page.getByLabel('People, in the order of their turns'), 'Ann')
    await page.getByLabel('First turn on').fill('2026-01-05')
    assert.deepEqual(await violations(page), [])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Network' }).waitFor()
    await page.locator('.facts').getByText('Ann').waitFor()
    assert.equal(await page.locator('.shifts .who-0 rect').count(), 7, 'a piece per day')
    assert.deepEqual(await violations(page), [])
    await page.getByRole('link', { name: 'Edit Network' }).click()
    await page.getByRole('button', { name: 'New override' }).first().click()
    await choose(page.locator('#field-contactId'), 'Ben')
    await page.locator('dialog').getByRole('button', { name: 'Save' }).click()
    await page.locator('tr', { hasText: 'Ben' }).waitFor()
    await page.goto(`${service.url}/console/oncall`)
    await page.locator('.facts').getByText('Ben').first().waitFor()
    await page.locator('.legend').getByText('Ben').waitFor()
    const layer = {
      name: 'All',
      rotation: 'daily',
      handOver: '08:00',
      startDay: '2026-01-05',
      contact: ['1'],
    }
    await service.sendJson('POST', '/notify/schedule', {
      ...{ name: 'Workdays', timeZone: 'UTC', layer: [{ ...layer, selectedWeekDay: '1,2,3,4,5' }] },
    })
    await page.reload()
    const gaps = page.locator('section.part', { hasText: 'Workdays' }).locator('.gap-in')
    await gaps.getByText('nobody').last().waitFor()
    assert.equal(await gaps.count(), 2, 'Saturday and Sunday')
    await page.goto(`${service.url}/console/person/1`)
    await seen(page, 'Next shifts')
    await page.locator('tr', { hasText: 'Network' }).first().waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'from the page of who is on call somebody takes over, hands over, and puts the shifts into a calendar by a link',
  withoutBrowser(),
  async () => {
    const service = await startService()
    for (const name of ['Ann', 'Ben', 'Cleo']) await service.sendJson('POST', '/notify/contact', { name })
    const layer = { name: 'Turns', rotation: 'byHand', contact: ['1', '2', '3'] }
    await service.sendJson('POST', '/notify/schedule', { name: 'Network', timeZone: 'UTC', layer: [layer] })
    const { page, faults } = await openPage(`${service.url}/console/oncall`, { bypassCSP: true })
    const dialog = page.locator('dialog')
    const facts = page.locator('.facts')
    await facts.getByText('Ann').waitFor()
    await page.getByRole('button', { name: 'Hand over' }).click()
    await dialog.getByText('Ann is on call until somebody hands over.').waitFor()
    assert.equal(await dialog.getByLabel('To').inputValue(), '2', 'the next in the order')
    assert.deepEqual(await violations(page), [])
    await dialog.getByRole('button', { name: 'Hand over now' }).click()
    await seen(page, 'Ben is on call now.')
    await facts.getByText('Ben').waitFor()
    await page.getByRole('button', { name: 'Override Network' }).click()
    await choose(page.locator('#field-contactId'), 'Cleo')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await facts.getByText('Cleo').first().waitFor()
    await page.getByRole('button', { name: 'New calendar link' }).click()
    await choose(dialog.getByLabel('Schedule'), 'Network')
    assert.deepEqual(await violations(page), [])
    await dialog.getByRole('button', { name: 'New calendar link' }).click()
    const address = (await dialog.locator('.secret').textContent()) ?? ''
    const calendar = async () => fetch(address)
    assert.match(await (await calendar()).text(), /SUMMARY:.*Cleo/)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await chooseMore(page, 'More about 1', 'Revoke calendar link 1')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await calendar()).status, 404)
    assert.deepEqual(faults, [])
  },
)
