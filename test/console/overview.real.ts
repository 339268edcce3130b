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
    await part('Figures of the week').getByRole('row', { name: 'Raised 2 0' }).waitFor()
    await page
      .getByRole('link', { name: /^Make a rule for/ })
      .first()
      .click()
    await page.waitForURL(/\/rule\/new\?oid=1\.3\.6\.1\.4\.1\.32473\.9\.1$/)
    assert.deepEqual(faults, [])
  },
)
