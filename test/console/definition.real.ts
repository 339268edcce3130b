// From one alarm to a definition of its event, written beside what it would have made of the traps that are kept.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ifIndex, device as sender, until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

const unknown = '1.3.6.1.4.1.32473.7.0.1'

test('a definition is made from an alarm, beside its dry run', withoutBrowser(), async () => {
  const service = await startService()
  const device = await sender(service.trapPort)
  for (const index of [1, 2]) await device.send(v2c(unknown, [ifIndex(index)]))
  await until('both traps', async () => (await service.get('/fault/trap')).headers.total === '2')
  const { page, faults } = await openPage(`${service.url}/console/alarm/1`)
  await page.getByRole('link', { name: /mean/i }).first().click()
  await seen(page, /Give it a name and an OID/)
  assert.equal(await page.locator('.field-error').count(), 0, 'nothing is wrong before it is written')
  await page.getByLabel('Name').fill('doorOpened')
  await seen(page, '2 traps of it kept, the newest first:')
  await seen(page, /from 2 traps, about 1 thing/)
  await page.getByLabel('Text').fill('The door of {deviceIp} is open')
  await seen(page, 'The door of 127.0.0.1 is open')
  await page.getByLabel('What happens').selectOption('0')
  await page.locator('.facts', { hasText: 'Kept, no alarm' }).getByText('2 traps', { exact: true }).waitFor()
  const { text } = await service.get(`/fault/trapEvent?eventOid=${unknown}`)
  assert(!text.includes('doorOpened'), 'nothing is saved yet')
  await page.getByRole('button', { name: 'Save' }).click()
  await seen(page, /The definition is saved/)
  assert.deepEqual(faults, [])
})
