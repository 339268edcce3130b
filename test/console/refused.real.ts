// Traps that were refused, and the ledger of all of them, in a real browser.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ifIndex, linkDown, device as sender, until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, withoutBrowser } from './browser.ts'

suite('refused traps', withoutBrowser(), async () => {
  const service = await startService({ 'trap-communities': 'harbour' })
  const wire = await sender(service.trapPort)
  await wire.send(v2c(linkDown, [ifIndex(7)], { community: 'public' }))
  await wire.send(v2c(linkDown, [ifIndex(8)], { community: 'harbour' }))
  await until('both', async () => (await service.get('/fault/trap')).headers.total === '2')

  test('a bar of the ledger leads to the traps it counts', async () => {
    const { page, faults } = await openPage(`${service.url}/console/traps`, { bypassCSP: true })
    const ledger = page.locator('.ledger')
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2)
    await ledger.getByRole('link', { name: /^refused/ }).click()
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
    await page.locator('tbody tr').getByText('(setting trap-communities)').waitFor()
    await ledger.getByText('Reasons').first().click()
    await ledger.getByRole('link', { name: '127.0.0.1' }).first().waitFor()
    assert.deepEqual(await violations(page), [])
    assert.deepEqual(faults, [])
  })

  test('a refused trap names the setting that refused it and what to do, and leads to that setting', async () => {
    const { page, faults } = await openPage(`${service.url}/console/traps?bin=refused`)
    await page.locator('tbody tr').getByRole('link').first().click()
    await page.getByText('its community is none of the accepted ones (setting trap-communities)').waitFor()
    await page.getByText('Let the device send with an accepted community').waitFor()
    await page.getByRole('link', { name: 'Show the setting' }).click()
    await page.getByRole('cell', { name: 'trap-communities', exact: true }).waitFor()
    assert.equal(await page.locator('table', { hasText: 'trap-communities' }).locator('tbody tr').count(), 1)
    assert.deepEqual(faults, [])
  })
})
