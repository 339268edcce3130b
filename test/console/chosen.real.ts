// Which open alarms the page of alarms shows: by zone, and those that are held back; and what the overview counts of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestService } from '../support.ts'
import { filterAlarms, openPage, seen, withoutBrowser } from './browser.ts'

const created = async (service: TestService, path: string, body: object) => {
  const { status, headers, text } = await service.sendJson('POST', path, body)
  assert.equal(status, 201, text)
  return new URL(headers.location ?? '').pathname.split('/').at(-1) ?? ''
}

const raise = (service: TestService, fields: object) =>
  created(service, '/fault/alarm', { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 2, ...fields })

test('the zone is a filter, and in the address', withoutBrowser(), async () => {
  const service = await startService()
  const zoneId = await created(service, '/ram/zone', { name: 'Harbour' })
  const deviceId = await created(service, '/plat/res/device', { ip: '192.0.2.9', label: 'crane', zoneId })
  await raise(service, { deviceId, alarmDesc: 'of the harbour' })
  await raise(service, { deviceIp: '192.0.2.1', alarmDesc: 'of elsewhere' })
  const { page, faults } = await openPage(`${service.url}/console`)
  await seen(page, 'of elsewhere')
  await filterAlarms(page, 'Zone', 'Harb', 'Harbour')
  await page.getByText('of elsewhere').waitFor({ state: 'detached' })
  await seen(page, 'of the harbour')
  await page.waitForURL((url) => url.searchParams.get('zone') === zoneId)
  await filterAlarms(page, 'Zone', 'Def', 'Default')
  await seen(page, 'of elsewhere')
  await page.getByText('of the harbour').waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
})

test(
  'alarms that maintenance holds back are counted, and shown when one asks for them',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const window = await created(service, '/fault/maintenance', { name: 'Roof', minutes: 60, device: [0] })
    await raise(service, { deviceIp: '192.0.2.1', alarmDesc: 'wet feet' })
    const { page, faults } = await openPage(`${service.url}/console`)
    await seen(page, '1 alarm is held back.')
    await page.getByRole('button', { name: 'Show what is held back' }).click()
    await seen(page, 'wet feet')
    await page.waitForURL(/state=held/)
    const states = page.getByRole('group', { name: 'States' })
    await states.getByRole('button', { name: 'Held back 1', pressed: true }).waitFor()
    await page.locator('.rows .c-state').getByText('Maintenance: Roof').waitFor()
    // Rows hold still under the pointer.
    await page.mouse.move(5, 5)
    const ended = await service.ask('PUT', `/fault/maintenance/end/${window}`)
    assert.equal(ended.status, 204, ended.text)
    await page.getByText('wet feet').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await seen(page, 'wet feet')
    await page.goto(`${service.url}/console/maintenance`)
    // Nothing now, one in all, and when.
    await page.getByRole('row', { name: /Roof.* 0 1 \d+ s/ }).waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'the overview counts what the list behind it shows, and what is held back apart',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const [acknowledged, shelved] = [
      await raise(service, { deviceIp: '192.0.2.1', resource: 'a' }),
      await raise(service, { deviceIp: '192.0.2.1', resource: 'b' }),
    ]
    await service.ask('PUT', `/fault/alarm/acknowledge/${acknowledged}`)
    await service.sendJson('PUT', `/fault/alarm/shelve/${shelved}`, { minutes: 60 })
    const { page, faults } = await openPage(`${service.url}/console/overview`)
    await page.getByRole('link', { name: /^Major\s*1\s*all acknowledged, 1 held back$/ }).click()
    await seen(page, /^1 alarm$/)
    await page.getByRole('button', { name: 'Held back 1' }).waitFor()
    assert.deepEqual(faults, [])
  },
)
