// A discovery in a real browser: made, started, and what it finds chosen and added.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Switch } from '../ask/know-world.ts'
import { addProfile } from '../ask/reach-world.ts'
import { freePort } from '../free-port.ts'
import { startService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

test('a discovery finds a device, which is chosen and added', withoutBrowser(), async () => {
  const port = await freePort()
  const service = await startService({ 'ask-seconds': '0' })
  await addProfile(service, port, '127.0.63.0/24')
  const facts = { name: 'found-1', serial: 'SN1', ports: [{ index: 1, name: 'Gi0/1' }] }
  await using _agent = await Switch.start('127.0.63.1', port, facts)
  const { page, faults } = await openPage(`${service.url}/console/discoveries`)
  await page.getByRole('button', { name: 'New discovery' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Site 1')
  await page.getByLabel('Ranges', { exact: true }).fill('127.0.63.1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Site 1' }).click()
  await seen(page, 'not started yet')
  await page.getByRole('button', { name: 'Start' }).click()
  await seen(page, 'complete')
  await page.getByLabel('Choose found-1').check()
  await page.getByRole('button', { name: 'Add 1 device to the inventory' }).click()
  await page.getByRole('link', { name: 'found-1' }).waitFor()
  const devices = await service.get('/plat/res/device?label=found-1')
  assert.equal(devices.headers.total, '1')
  assert.deepEqual(faults, [])
})
