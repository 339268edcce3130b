// What is done with several devices at once, in a real browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService, type TestService } from '../support.ts'
import { violations } from './accessible.ts'
import { choose, openPage, seen, withoutBrowser } from './browser.ts'

const created = async (service: TestService, path: string, body: object) => {
  const { status, headers, text } = await service.sendJson('POST', path, body)
  assert.equal(status, 201, text)
  return new URL(headers.location ?? '').pathname.split('/').at(-1) ?? ''
}

async function withDevices() {
  const service = await startService()
  const zoneId = await created(service, '/ram/zone', { name: 'Harbour' })
  const ids: string[] = []
  for (const label of ['crane-1', 'crane-2', 'lock-1'])
    ids.push(
      await created(service, '/plat/res/device', { label, ip: `192.0.2.${ids.length + 1}`, contact: 'Ada' }),
    )
  const { page, faults } = await openPage(`${service.url}/console/devices`)
  await seen(page, 'crane-1')
  return { service, page, faults, zoneId, ids }
}

const tick = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true }).check()
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })

test(
  'the zone and the contact of several devices change, as shown before, and are taken back',
  withoutBrowser(),
  async () => {
    const { page, faults } = await withDevices()
    await tick(page, 'Select crane-1')
    await tick(page, 'Select lock-1')
    const bar = page.getByRole('toolbar', { name: '2 devices selected' })
    await bar.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change 2 devices' })
    await dialog.getByRole('checkbox', { name: 'Zone', exact: true }).check()
    await choose(dialog.getByRole('combobox', { name: 'New zone' }), 'Harbour', 'Harb')
    await dialog.getByRole('checkbox', { name: 'Contact' }).check()
    const preview = dialog.getByRole('group', { name: 'What would become of them' })
    await preview.getByText('All 2 change:').waitFor()
    await preview.getByText('Contact: Ada removed').first().waitFor()
    assert.deepEqual(await violations(page), [])
    await dialog.getByRole('button', { name: 'Change them' }).click()
    await seen(page, '2 devices changed.')
    await row(page, /lock-1.*Harbour/).waitFor()
    assert.equal(await page.getByRole('toolbar').count(), 0)
    await row(page, /crane-2.*Default/).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, /lock-1.*Default/).waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'a device that cannot be changed is named with the reason; the others are changed',
  withoutBrowser(),
  async () => {
    const { service, page, faults, ids } = await withDevices()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    const gone = await service.ask('DELETE', `/plat/res/device/${ids[1]}`)
    assert.equal(gone.status, 204, gone.text)
    await page.getByRole('button', { name: 'Change', exact: true }).last().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'Type' }).check()
    await dialog.getByRole('textbox', { name: 'New type' }).fill('Crane')
    await dialog.getByRole('button', { name: 'Change them' }).click()
    await page.getByRole('dialog', { name: '1 device was not changed' }).getByText('crane-2').waitFor()
    await seen(page, '2 devices changed.')
    await row(page, /lock-1.*Crane/).waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'a maintenance window is planned for selected devices, and for those of selected alarms',
  withoutBrowser(),
  async () => {
    const { service, page, faults, ids } = await withDevices()
    await tick(page, 'Select crane-1')
    await tick(page, 'Select crane-2')
    await page.getByRole('link', { name: 'Plan maintenance' }).click()
    for (const name of ['crane-1', 'crane-2']) await page.locator('main').getByText(name).first().waitFor()
    for (const [resource, deviceId] of [ids[1], ids[2], ids[2]].entries())
      await created(service, '/fault/alarm', {
        ...{
          OID: '1.3.6.1.4.1.32473.9.1',
          alarmLevel: 2,
          deviceId,
          alarmDesc: 'stands still',
          resource: String(resource),
        },
      })
    await page.goto(`${service.url}/console`)
    await seen(page, 'stands still')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Select all 3 that match' }).click()
    await page.getByRole('toolbar').getByRole('link', { name: 'Maintenance' }).click()
    for (const name of ['crane-2', 'lock-1']) await page.locator('main').getByText(name).first().waitFor()
    assert.deepEqual(faults, [])
  },
)
