// Fields that are seldom needed, and choices from very many records: where a list is cut off, the page says so.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService, type TestService } from '../support.ts'
import { violations } from './accessible.ts'
import { choose, chooseMore, filterAlarms, openPage, seen, withoutBrowser } from './browser.ts'

const json = { Accept: 'application/json' }

const read = async (service: TestService, path: string, headers: object = {}) =>
  JSON.parse((await service.get(path, { ...json, ...headers })).text)

async function made(service: TestService, path: string, body: object): Promise<string> {
  const { headers, status, text } = await service.sendJson('POST', path, body)
  assert(status < 300, text)
  return String(headers.location).split('/').at(-1) ?? ''
}

async function bring(service: TestService, name: string, lines: readonly string[]): Promise<void> {
  const brought = await service.ask('POST', `/plat/data/${name}`, {
    headers: { 'Content-Type': 'text/csv' },
    body: lines.join('\n'),
  })
  assert.equal(brought.status, 200, brought.text)
}

const numbered = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index))

async function saved(page: Page): Promise<void> {
  const dialog = page.locator('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}

test(
  'operators change their own name, and a new password may leave tokens as they are',
  withoutBrowser(),
  async () => {
    const password = 'correct horse battery'
    const service = await startService({}, { adminPassword: password })
    const { page, faults } = await openPage(`${service.url}/console/tokens`)
    await page.getByLabel('Name').fill('admin')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const dialog = page.locator('dialog')
    await page.getByRole('button', { name: 'New token' }).first().click()
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('dialog [role=combobox]')?.value === 'admin',
    )
    await dialog.getByLabel(/^read everything/).check()
    const present = dialog.getByLabel('Your present password')
    await present.fill(password)
    await dialog.getByRole('button', { name: 'New token' }).click()
    const token = await dialog.locator('.secret').textContent()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await choose(page.getByLabel('Operator'), 'admin')
    await page.waitForURL(/operatorId=1/)
    await page.getByRole('table').getByText('viewer').waitFor()

    await page.goto(`${service.url}/console/sessions`)
    await page.getByRole('button', { name: 'Change your name' }).click()
    await dialog.getByLabel(/^Full name/).fill('Ada Bell')
    await saved(page)
    await page.getByRole('button', { name: 'Change your name' }).click()
    assert.equal(await dialog.getByLabel(/^Full name/).inputValue(), 'Ada Bell')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Change your password' }).click()
    await dialog.getByLabel('Password', { exact: true }).fill('quite another battery')
    await present.fill(password)
    await dialog.getByLabel(/^Keep the tokens/).check()
    await saved(page)
    await seen(page, 'Your password is changed. Other sessions of yours have ended.')
    const self = await read(service, '/plat/operator/self', { Authorization: `Bearer ${token}` })
    assert.equal(self.fullName, 'Ada Bell')
    assert.deepEqual(faults, [])
  },
)

test('a template keeps its location and the parameters that it declares', withoutBrowser(), async () => {
  const service = await startService()
  const { page, faults } = await openPage(`${service.url}/console/reports`)
  const dialog = page.locator('dialog')
  await page.getByRole('button', { name: 'New template' }).click()
  await dialog.getByLabel('Report', { exact: true }).fill('Tides')
  await dialog.getByLabel(/^Location/).fill('harbour/tides')
  await dialog.getByRole('button', { name: 'Add parameter' }).click()
  await dialog.getByRole('group', { name: 'Parameter 1' }).getByLabel('Name').fill('beginTime')
  await dialog
    .getByRole('group', { name: /^Parameter 1/ })
    .getByLabel('Type')
    .fill('dateTime')
  await saved(page)
  await page.getByLabel('Made').selectOption('here')
  await page.getByRole('table').first().getByText('Alarm Summary').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Change Tides' }).click()
  assert.equal(await dialog.getByLabel(/^Location/).inputValue(), 'harbour/tides')
  await saved(page)
  const { reportTemplate } = await read(service, '/report/reportTemplate?templateName=Tides')
  assert.equal(reportTemplate[0].location, 'harbour/tides')
  assert.deepEqual(reportTemplate[0].parameter, [{ parameterName: 'beginTime', dataType: 'dateTime' }])
  assert.deepEqual(faults, [])
})

test('a window covers ports by their description', withoutBrowser(), async () => {
  const service = await startService()
  const device = await made(service, '/plat/res/device', {
    ...{ ip: '192.0.2.5', label: 'crane', interfaces: [{ ifIndex: 12, ifDesc: 'Gi1/0/12' }] },
  })
  const { page, faults } = await openPage(`${service.url}/console/window/new?name=Crane`)
  await choose(page.getByLabel('Add a port: the device'), /^crane/, 'cra')
  await page.getByLabel(/^Or all ports of crane/).fill('Gi1/*')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Remove crane, ports Gi1/*' }).waitFor()
  await seen(page, /it would have held back 0/)
  await page.getByRole('button', { name: 'Save the window' }).click()
  await seen(page, '1 port')
  const { maintenance } = await read(service, '/fault/maintenance')
  const [port] = maintenance[0].interface
  assert.deepEqual([port.deviceId, port.ifDesc], [device, 'Gi1/*'])
  await page.getByRole('link', { name: 'Crane' }).click()
  await page.getByRole('button', { name: 'Remove crane, ports Gi1/*' }).waitFor()
  assert.deepEqual(faults, [])
})

test(
  'an alarm of a host is raised with its variables; it is shelved until it gets worse, and assigned with a note',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/raise`)
    await page.getByLabel('What is wrong').fill('The lamp flickers')
    await page.getByLabel('Event OID').fill('1.3.6.1.4.1.32473.9')
    await page.getByLabel(/^Address of a host/).fill('192.0.2.77')
    await page.getByLabel(/^Its name/).fill('lighthouse')
    await page.getByLabel(/^Variables/).fill('*lamp=2;hours=9000')
    await page.getByRole('button', { name: 'Raise the alarm' }).click()
    await page.getByRole('heading', { name: 'The lamp flickers' }).waitFor()
    await page.waitForURL(/\/alarm\/\d+$/)
    const id = new URL(page.url()).pathname.split('/').at(-1)
    await page.locator('table').getByText('9000').waitFor()
    const dialog = page.locator('dialog')
    await page.getByRole('button', { name: 'Assign' }).click()
    await dialog.getByLabel('Operator').fill('Vera')
    await dialog.getByLabel(/^Note/).fill('has a spare one')
    await dialog.getByRole('button', { name: 'Assign' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Shelve' }).click()
    await dialog.getByLabel(/^Or until it gets worse/).check()
    await dialog.getByLabel('For how long').selectOption('Until it gets worse, however long that is')
    await dialog.getByLabel(/^Or until it gets worse/).waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Shelve' }).click()
    await dialog.waitFor({ state: 'detached' })
    const alarm = await read(service, `/fault/alarm/${id}`)
    assert.deepEqual([alarm.deviceIp, alarm.deviceName, alarm.owner], ['192.0.2.77', 'lighthouse', 'Vera'])
    assert.equal(alarm.shelvedUntil, '253402300799')
    const { happening } = await read(service, `/fault/alarm/${id}/history`)
    assert(happening.some(({ detail }: { detail: string }) => detail.includes('has a spare one')))
    assert.deepEqual(faults, [])
  },
)

test('of very many zones and views, those of a window are found by name', withoutBrowser(), async () => {
  const service = await startService()
  await bring(service, 'zone', ['name', ...numbered(510, (index) => `berth ${index}`)])
  await bring(service, 'customView', ['name', ...numbered(70, (index) => `quarter ${index}`)])
  const { page, faults } = await openPage(`${service.url}/console/window/new?name=Many`, { bypassCSP: true })
  const zone = page.getByRole('combobox', { name: 'Zones' })
  await zone.fill('berth')
  await seen(page, 'and 502 more: type more of the name')
  await choose(zone, /^berth 497/, 'berth 497')
  await page.getByRole('button', { name: 'Zones: without berth 497' }).waitFor()
  await page.getByRole('combobox', { name: 'Views' }).fill('quarter 66')
  await page.getByRole('option', { name: 'quarter 66' }).waitFor()
  assert.deepEqual(await violations(page), [])
  // Enter chooses the only one, and saves nothing.
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Views: without quarter 66' }).waitFor()
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Save the window' }).click()
  await seen(page, '1 view, 1 zone')

  await page.goto(`${service.url}/console/alarms`)
  await filterAlarms(page, 'Zone', 'berth 497', /^berth 497/)
  await page.waitForURL(/zone=\d+/)
  assert.deepEqual(await violations(page), [])

  await page.goto(`${service.url}/console/devices`)
  await page.getByRole('button', { name: 'New device' }).first().click()
  const dialog = page.locator('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('buoy')
  await dialog.getByLabel('Address', { exact: true }).fill('192.0.2.3')
  await choose(dialog.getByRole('combobox', { name: 'Zone' }), /^berth 497/, 'berth 497')
  await saved(page)
  await page.getByRole('table').getByText('berth 497').waitFor()
  assert.deepEqual(faults, [])
})

test('lists beside the matter of a page have pages and filters of their own', withoutBrowser(), async () => {
  const service = await startService()
  await bring(service, 'reportType', ['name', ...numbered(60, (index) => `type ${index}`)])
  const segment = await made(service, '/res/access/assignedIpScope', {
    ...{ name: 'Quay', startIp: '192.0.2.1', endIp: '192.0.2.200' },
  })
  await made(service, '/res/access/assignedIpScope', {
    ...{ name: 'Annex', startIp: '198.51.100.1', endIp: '198.51.100.20' },
  })
  await bring(service, 'assignedIpInfo', [
    'ip,name,parentId',
    ...numbered(60, (index) => `192.0.2.${index + 1},owner ${index},${segment}`),
  ])
  const { page, faults } = await openPage(`${service.url}/console/reports`, { bypassCSP: true })
  const types = page.locator('section.part', { has: page.getByRole('heading', { name: 'Report types' }) })
  await types.getByText(/^1 to 50 of 6\d$/).waitFor()
  await types.getByRole('button', { name: 'Next' }).click()
  await types.getByText('type 59', { exact: true }).waitFor()
  await page.waitForURL(/type\.start=50/)
  await types.getByLabel('Find a type').fill('type 59')
  await types.getByText('1 entry').waitFor()
  await page.getByRole('table').first().getByText('Alarm Summary').waitFor()
  assert.deepEqual(await violations(page), [])

  await page.goto(`${service.url}/console/addresses?segment=${segment}`)
  const table = page.getByRole('table')
  await table.getByText('192.0.2.7', { exact: true }).waitFor()
  await page.getByLabel('Owner').fill('owner 33')
  await table.getByText('192.0.2.7', { exact: true }).waitFor({ state: 'detached' })
  await table.getByText('192.0.2.34').waitFor()
  await chooseMore(page, 'More about 192.0.2.34', 'Release 192.0.2.34')
  await page.locator('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await seen(page, 'Nothing matches the filter')
  await page.getByLabel('Find a segment').fill('ann')
  await page.getByRole('link', { name: /^Quay/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^Annex/ }).waitFor()
  assert.deepEqual(faults, [])
})

test(
  'a schedule that is refused says so with the labels of its page, and marks the field of that layer',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const contact = await made(service, '/notify/contact', { name: 'Ada' })
    const layer = {
      name: 'day',
      rotation: 'weekly',
      startDay: '2031-01-06',
      handOver: '08:00',
      contact: [contact],
    }
    const schedule = await made(service, '/notify/schedule', {
      ...{ name: 'Office', timeZone: 'UTC', layer: [layer, { ...layer, name: 'night' }] },
    })
    const { page, faults } = await openPage(`${service.url}/console/schedule/${schedule}`)
    const night = page.getByRole('group', { name: /night/ })
    await night.getByLabel('Weeks of a turn').fill('99')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/Length of a turn.*99/).waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    assert.equal(await page.locator('[aria-invalid]').count(), 1)
    assert.equal(await night.getByLabel('Weeks of a turn').getAttribute('aria-invalid'), 'true')
    await night.getByLabel('Weeks of a turn').fill('2')
    await page.locator('[aria-invalid]').waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  },
)
