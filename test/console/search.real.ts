// Search everything: from every page, by keyboard and with the mouse.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { bearer, guard, passwordOf, tokenOf } from '../http/credentials.ts'
import { startService, type TestService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, withoutBrowser } from './browser.ts'

async function withInventory(): Promise<TestService> {
  const service = await startService()
  const interfaces = [
    { ifIndex: 7, ifDesc: 'ge-0/0/7' },
    { ifIndex: 8, ifDesc: 'ge-0/0/8' },
  ]
  for (let count = 1; count <= 7; count += 1)
    await service.sendJson('POST', '/plat/res/device', {
      ...{ ip: `192.0.2.${count}`, label: `harbour-${count}`, interfaces },
    })
  const quay = { name: 'Quay', startIp: '192.0.2.1', endIp: '192.0.2.200' }
  const { headers } = await service.sendJson('POST', '/res/access/assignedIpScope', quay)
  const segment = String(headers.location).split('/').at(-1)
  const crane = { ip: '192.0.2.77', name: 'crane' }
  await service.sendJson('POST', `/res/access/assignedIpScope/ip?ipScopeId=${segment}`, crane)
  for (const resource of ['pump', 'valve'])
    await service.sendJson('POST', '/fault/alarm', {
      ...{
        OID: '1.3.6.1.4.1.32473.9.1',
        alarmLevel: 2,
        alarmCategory: 4,
        alarmDesc: `The ${resource} stands still`,
      },
      ...{ deviceIp: '192.0.2.3', resource },
    })
  return service
}

const options = (page: Page, group: string) =>
  page.getByRole('group', { name: group }).getByRole('option').allInnerTexts()

test(
  'Ctrl+K finds devices, ports, addresses, alarms, pages and actions, and Enter goes there',
  withoutBrowser(),
  async () => {
    const service = await withInventory()
    const { page, faults } = await openPage(`${service.url}/console/zones`, { bypassCSP: true })
    await page.getByRole('heading', { name: 'Zones' }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search everything' })
    await field.waitFor()
    const group = (name: string) => page.getByRole('group', { name })
    await group('Actions').getByText('New maintenance window').waitFor()

    await page.keyboard.type('harbour')
    await group('Devices').getByText('All 7 in the list of devices').waitFor()
    assert.equal((await options(page, 'Devices')).length, 6)
    assert.deepEqual(await violations(page), [])

    await field.fill('harbour-3')
    await group('Actions').getByText('New maintenance window for harbour-3').waitFor()
    await group('Actions').getByText('Open alarms of harbour-3').waitFor()

    await field.fill('harbour-3 0/0/8')
    await group('Interfaces').getByText('harbour-3 ge-0/0/8').waitFor()
    assert.equal((await options(page, 'Interfaces')).length, 1)

    await field.fill('192.0.2.77')
    await group('Addresses').getByText('crane, in segment Quay').waitFor()
    await field.fill('192.0.2.78')
    await group('Addresses').getByText('not assigned, in segment Quay').waitFor()

    await field.fill('pump')
    await group('Alarms').getByText('The pump stands still').waitFor()
    assert.equal((await options(page, 'Alarms')).length, 1)
    await field.fill('audit')
    assert.deepEqual(await options(page, 'Pages'), ['Audit log\nAdministration'])
    await field.fill('no such thing')
    await page.getByText('Nothing found for “no such thing”.').waitFor()

    await field.fill('stands still')
    await group('Alarms').getByText('pump').waitFor()
    await page.keyboard.press('ArrowDown')
    const chosen = page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`)
    const text = (await chosen.locator('.found').textContent()) ?? ''
    assert.match(text, /^The (pump|valve) stands still$/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: text }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.deepEqual(faults, [])
  },
)

test(
  'an alarm that is over is found by its number, and a click opens what was found',
  withoutBrowser(),
  async () => {
    const service = await withInventory()
    const { headers } = await service.sendJson('POST', '/fault/alarm', {
      ...{ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 2, alarmCategory: 4, alarmDesc: 'The gate is stuck' },
      ...{ deviceIp: '192.0.2.3', resource: 'gate' },
    })
    const id = String(headers.location).split('/').at(-1)
    await service.ask('PUT', `/fault/alarm/recover/${id}`)
    const { page, faults } = await openPage(`${service.url}/console/audit`)
    await page.getByRole('button', { name: 'Search all' }).click()
    await page.getByRole('combobox', { name: 'Search everything' }).fill(`#${id}`)
    await page.getByRole('option', { name: 'The gate is stuck' }).click()
    await page.waitForURL(new RegExp(`/alarm/${id}$`))
    assert.deepEqual(faults, [])
  },
)

test(
  'a terminal is found by a part of its MAC address, and by its IP address',
  withoutBrowser(),
  async () => {
    const service = guard(await startService({}, { adminPassword: passwordOf('admin') }))
    const token = await tokenOf(service, 'admin', { scope: 'access', description: 'RADIUS' })
    const { status, text } = await service.ask('POST', '/res/access/accounting', {
      headers: { ...bearer(token), 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...{ sourceIp: '192.0.2.3', userName: 'x', callingStationId: '02-00-5E-A9-9E-01' },
        ...{ nasPortId: 'ge-0/0/7', acctStatusType: 'Start', framedIp: '198.51.100.20' },
      }),
    })
    assert.equal(status, 204, text)
    const { page, faults } = await openPage(`${service.url}/console`)
    await page.getByLabel('Name').fill('admin')
    await page.getByLabel('Password').fill(passwordOf('admin'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Alarms' }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search everything' })
    const found = page.getByRole('group', { name: 'Terminals' }).getByText('02:00:5e:a9:9e:01')
    for (const part of ['5ea99e', '9e:01', '198.51.100', '0200.5ea9.9e01']) {
      await field.fill('')
      await found.waitFor({ state: 'detached' })
      await field.fill(part)
      await found.waitFor()
    }
    await found.click()
    await page.getByRole('heading', { name: 'Where it has been' }).waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'what is typed before the dialog is there is for the dialog, not for the page below it',
  withoutBrowser(),
  async () => {
    const service = await withInventory()
    const { page, faults } = await openPage('about:blank')
    let letThrough = () => {}
    const held = new Promise<void>((resolve) => {
      letThrough = resolve
    })
    await page.route('**/search-dialog-*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${service.url}/console`)
    await page.locator('.rows .row', { hasText: 'The pump stands still' }).locator('.c-select').click()
    await page.keyboard.press('Control+k')
    // a acknowledges what is ticked, e ends it.
    await page.keyboard.type('axe')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    letThrough()
    const field = page.getByRole('combobox', { name: 'Search everything' })
    await field.waitFor()
    await page.keyboard.type('!')
    assert.equal(await field.inputValue(), 'ax!')
    assert.equal(await page.getByRole('dialog').count(), 1)
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await field.waitFor()
    assert.equal(await field.inputValue(), '')
    assert.deepEqual(faults, [])
  },
)

test('Enter goes to what was found for the whole text, and waits for it', withoutBrowser(), async () => {
  const service = await withInventory()
  const { page, faults } = await openPage(`${service.url}/console/zones`)
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await page.route(/harbour-5/, async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('heading', { name: 'Zones' }).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search everything' })
  await field.fill('harbour-3')
  await page.getByRole('group', { name: 'Devices' }).getByText('harbour-3').waitFor()
  await field.fill('harbour-5')
  await field.press('Enter')
  letThrough()
  await page.getByRole('heading', { name: 'harbour-5' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.deepEqual(faults, [])
})
