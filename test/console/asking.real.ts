// Questions of a new user who has read no document: each is answered by following links and buttons of the pages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf } from '../http/reading.ts'
import { ifIndex, linkDown, device as sender, until, v2c } from '../intake/sending.ts'
import { startService, type TestService } from '../support.ts'
import { choose, openPage, seen, withoutBrowser } from './browser.ts'

/** Sends a linkDown of 127.0.0.1, and waits until the service has processed it. */
async function reportLinkDown(service: TestService): Promise<void> {
  await (await sender(service.trapPort)).send(v2c(linkDown, [ifIndex(7)]))
  await until('the trap', async () => (await service.get('/fault/trap')).text.includes('<trap>'))
}

test('what a device did is found by its name and by days', withoutBrowser(), async () => {
  const service = await startService()
  await service.sendJson('POST', '/plat/res/device', { ip: '127.0.0.1', label: 'crane' })
  await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.9', label: 'roof' })
  await reportLinkDown(service)
  const { page, faults } = await openPage(`${service.url}/console/history?startAlarmTime=2020-01-01`)
  await seen(page, /is down/)
  const device = page.getByRole('combobox', { name: 'Device' })
  await choose(device, /roof/, 'roo')
  await seen(page, 'Nothing matches the filter')
  await device.click()
  await page.locator('[role=listbox]').getByRole('option', { name: 'Any', exact: true }).click()
  await seen(page, /is down/)
  await page.getByLabel('Raised until').fill('2020-01-02')
  await seen(page, 'Nothing matches the filter')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: 'crane' }).click()
  await page.getByRole('heading', { name: 'crane' }).waitFor()
  assert.deepEqual(faults, [])
})

test('a trap that made no alarm names its rule, and the rule who changed it', withoutBrowser(), async () => {
  const service = await startService()
  await service.sendJson('POST', '/plat/res/device', { ip: '127.0.0.1', label: 'crane' })
  const rule = await service.sendJson('POST', '/fault/trapRule', {
    trapRuleName: 'Crane port',
    trapOId: '1.3.6.1.6.3.1.1.5.3',
    trapDevice: [{ devID: 0, displayName: 'all' }],
  })
  assert.equal(rule.status, 201, rule.text)
  await reportLinkDown(service)
  const { page, faults } = await openPage(`${service.url}/console/traps?bin=filtered`)
  await page.getByRole('table').getByRole('link', { name: 'trap rule' }).click()
  await page.getByRole('link', { name: 'Who changed it' }).click()
  await page.getByRole('table').getByText('trapRule').waitFor()
  await page.getByLabel('Id', { exact: true }).fill('77')
  await page.getByRole('button', { name: 'Look at all of this kind' }).click()
  await page.getByRole('table').getByText('trapRule').waitFor()
  assert.deepEqual(faults, [])
})

test('a terminal that no switch has reported is looked for in the bindings', withoutBrowser(), async () => {
  const service = await startService()
  await service.sendJson('POST', '/res/access/macAccessBind', {
    terminalMac: '02:00:5e:10:00:01',
    terminalName: 'printer',
    bindType: 1,
  })
  const { page, faults } = await openPage(`${service.url}/console/terminals`)
  await page.getByLabel('Where is this MAC?').fill('02:00:5e:10:00:01')
  await page.getByRole('link', { name: 'Look in the bindings' }).click()
  await seen(page, 'printer')
  assert.deepEqual(faults, [])
})

test(
  'an alarm shows what is broken, since when, why and what it affects, and can be shelved until the morning',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const crane = { ip: '127.0.0.1', label: 'crane', interfaces: [{ ifIndex: '7', ifDesc: 'Gi1/7' }] }
    const deviceId = idOf(await service.sendJson('POST', '/plat/res/device', crane))
    const behind = { ip: '192.0.2.7', label: 'cabin', parent: [{ deviceId, parentIfIndex: '7' }] }
    await service.sendJson('POST', '/plat/res/device', behind)
    await reportLinkDown(service)
    const { page, faults } = await openPage(`${service.url}/console`)
    await page.locator('.rows .row').click()
    const head = page.locator('.alarm-head')
    await head.getByText('Still open').waitFor()
    const part = (name: string) =>
      page.locator('.part', { has: page.getByRole('heading', { name, exact: true }) })
    await part('Facts').getByText('Since').waitFor()
    await part('Why this is an alarm')
      .getByText(/makes it level/)
      .waitFor()
    await part('Impact').getByText('cabin').waitFor()
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.locator('dialog').getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByRole('button', { name: 'Take back the acknowledgement' }).click()
    await part('Facts').getByText('Nobody has acknowledged it').waitFor()
    await page.getByRole('button', { name: 'Put it aside until the morning' }).click()
    const chosen = page.getByLabel('For how long').locator('option:checked')
    assert.match((await chosen.textContent()) ?? '', /^Until (today|tomorrow), 8:00$/)
    await page
      .locator('dialog')
      .getByText(/^Until \d{4}-\d\d-\d\d 08:00$/)
      .waitFor()
    await page.locator('dialog').getByRole('button', { name: 'Shelve' }).click()
    await head.getByText(/^Shelved until \d{4}-\d\d-\d\d 08:00$/).waitFor()
    await page
      .locator('.timeline')
      .getByText(/until \d{4}-\d\d-\d\d 08:00:00$/)
      .waitFor()
    await page.locator('dd').getByText('Shelved', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Belfry' }).click()
    await seen(page, '1 alarm is held back.')
    assert.deepEqual(faults, [])
  },
)
