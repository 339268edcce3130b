// The overview in a real browser: what waits for somebody.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf } from '../http/reading.ts'
import { startService, type TestService } from '../support.ts'
import { openPage, withoutBrowser } from './browser.ts'

const raise = async (service: TestService, deviceName: string) => {
  const alarm = { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: '2', deviceIp: '192.0.2.1', deviceName }
  return idOf(await service.sendJson('POST', '/fault/alarm', { ...alarm, resource: deviceName }))
}

test(
  'the overview shows what nobody has acknowledged, maintenance and figures, and leads to a rule for what is noisy',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/overview`)
    const part = (title: string) =>
      page.locator('section.part').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    await part('Not acknowledged, the oldest first').getByText('every open alarm is acknowledged').waitFor()
    await part('The service itself').getByText('nothing to complain of').waitFor()
    await part('Maintenance').getByText('None in force').waitFor()
    const pump = await raise(service, 'pump')
    await raise(service, 'valve')
    const oldest = part('Not acknowledged, the oldest first').locator('li')
    await oldest.filter({ hasText: 'valve' }).waitFor()
    assert.match((await oldest.first().innerText()) ?? '', /pump/)
    await service.sendJson('PUT', `/fault/alarm/acknowledge?id=${pump}`, {})
    await oldest.filter({ hasText: 'pump' }).waitFor({ state: 'detached' })
    const window = { name: 'core swap', minutes: 30, device: [], zone: [1] }
    const { status, text } = await service.sendJson('POST', '/fault/maintenance', window)
    assert.equal(status, 201, text)
    await part('Maintenance').getByRole('link', { name: 'core swap' }).waitFor()
    await part('Figures of the week')
      .getByRole('row', { name: /^Raised 2 0/ })
      .waitFor()
    await page
      .getByRole('link', { name: /^Make a rule for/ })
      .first()
      .click()
    await page.waitForURL(/\/rule\/new\?oid=1\.3\.6\.1\.4\.1\.32473\.9\.1$/)
    assert.deepEqual(faults, [])
  },
)

test(
  'the overview has the state of zones and views, the usual hour, and tiles that are chosen and placed',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const add = async (path: string, body: object) => idOf(await service.sendJson('POST', path, body))
    const zoneId = await add('/ram/zone', { name: 'Harbour' })
    const device = await add('/plat/res/device', { label: 'crane', ip: '192.0.2.7', zoneId })
    await add('/plat/res/view/custom', { name: 'Cranes', member: [device] })
    const alarm = { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: '2', deviceIp: '192.0.2.7' }
    await add('/fault/alarm', alarm)
    const { page, faults } = await openPage(`${service.url}/console/overview`)
    const tiles = () => page.locator('.overview .part h2').allInnerTexts()
    await page.getByRole('link', { name: /Cranes 1/ }).waitFor()
    await page.getByText('alarm within the last hour; nothing is known of earlier weeks').waitFor()
    assert.deepEqual((await tiles()).slice(0, 2), ['Zones', 'Not acknowledged, the oldest first'])
    await page.getByRole('button', { name: 'Choose and place tiles' }).click()
    await page.getByRole('checkbox', { name: 'Nodes', exact: true }).uncheck()
    await page.getByRole('button', { name: 'Zones: further to the end' }).click()
    await page.keyboard.press('Escape')
    const placed = ['Not acknowledged, the oldest first', 'Zones']
    assert.deepEqual((await tiles()).slice(0, 2), placed)
    await page.reload()
    await page.getByRole('link', { name: /Harbour 1/ }).waitFor()
    const now = await tiles()
    assert.deepEqual([now.slice(0, 2), now.includes('Nodes')], [placed, false])
    await page.getByRole('link', { name: /Harbour 1/ }).click()
    await page.waitForURL(new RegExp(`zone=${zoneId}$`))
    await page.locator('.rows').getByText('crane').first().waitFor()
    assert.deepEqual(faults, [])
  },
)
