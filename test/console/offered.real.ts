// Everything in the interface can be done in the console, also what has no page of its own or is seldom needed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../intake/sending.ts'
import { startService, type TestService } from '../support.ts'
import { violations } from './accessible.ts'
import { choose, chooseMore, openPage, seen, withoutBrowser } from './browser.ts'

const json = { Accept: 'application/json' }

const read = async (service: TestService, path: string) => JSON.parse((await service.get(path, json)).text)

async function made(service: TestService, path: string, body: object): Promise<string> {
  const { headers, status, text } = await service.sendJson('POST', path, body)
  assert(status < 300, text)
  return String(headers.location).split('/').at(-1) ?? ''
}

test('a device is saved with its interfaces, other addresses and parents', withoutBrowser(), async () => {
  const service = await startService()
  await made(service, '/plat/res/device', { ip: '192.0.2.1', label: 'harbour-core' })
  const id = await made(service, '/plat/res/device', {
    ip: '192.0.2.2',
    label: 'quay',
    interfaces: [{ ifIndex: 1, ifDesc: 'Gi1', basePort: 4 }],
  })
  const { page, faults } = await openPage(`${service.url}/console/device/${id}`, { bypassCSP: true })
  await page.getByRole('button', { name: 'Change the device' }).click()
  const dialog = page.locator('dialog')
  await dialog.getByRole('button', { name: 'Add interface' }).click()
  const port = dialog.getByRole('group', { name: 'Interface 2' })
  await port.getByRole('textbox', { name: 'Description' }).fill('Gi2')
  await port.getByRole('textbox', { name: 'Index' }).fill('x')
  await dialog.getByRole('button', { name: 'Add address' }).click()
  await dialog.getByRole('group', { name: 'Address 1' }).getByRole('textbox').fill('198.51.100.2')
  await dialog.getByRole('button', { name: 'Add link' }).click()
  const link = dialog.getByRole('group', { name: 'Link 1' })
  await choose(link.getByLabel('Uplink'), /harbour-core/, 'harbour')
  await link.getByLabel('Its own port').fill('1')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await port.locator('input:focus[aria-invalid]').waitFor()
  await port.getByText(/"x" is not accepted/).waitFor()
  assert.deepEqual(await violations(page), [])
  await port.getByRole('textbox', { name: 'Index' }).fill('2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const device = await read(service, `/plat/res/device/${id}`)
  assert.deepEqual(device.interfaces, [
    { ifIndex: '1', ifDesc: 'Gi1', basePort: '4' },
    { ifIndex: '2', ifDesc: 'Gi2' },
  ])
  assert.deepEqual(device.otherAddress, [{ ip: '198.51.100.2' }])
  assert.deepEqual(
    device.parent.map(({ deviceId, ifIndex }: Record<string, string>) => [deviceId, ifIndex]),
    [['1', '1']],
  )
  assert.deepEqual(faults, [])
})

test(
  'addresses are changed, bindings have a VLAN, and a zone is deleted when its content is moved',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const zone = await made(service, '/ram/zone', { name: 'Annex' })
    const segment = await made(service, '/res/access/assignedIpScope', {
      ...{ name: 'Quay', startIp: '192.0.2.1', endIp: '192.0.2.30', zoneId: zone },
    })
    await made(service, `/res/access/assignedIpScope/ip?ipScopeId=${segment}`, {
      ip: '192.0.2.7',
      name: 'desk',
    })
    const { page, faults } = await openPage(`${service.url}/console/addresses?segment=${segment}`)
    const dialog = page.locator('dialog')
    await page.getByRole('button', { name: 'Change 192.0.2.7' }).click()
    await dialog.getByLabel(/^Terminal/).fill('02:00:5e:10:00:01')
    await dialog.getByLabel('Owner').fill('counter')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table').getByText('02:00:5e:10:00:01').waitFor()
    await page.getByRole('table').getByText('counter').waitFor()

    await page.goto(`${service.url}/console/bindings`)
    await page.getByRole('button', { name: 'New binding' }).first().click()
    await page.locator('#field-terminalMac').fill('02:00:5e:10:00:01')
    await page.locator('#field-bindType').selectOption('1')
    await page.locator('#field-vlan').fill('42')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table').getByText('42', { exact: true }).waitFor()

    await page.goto(`${service.url}/console/zones`)
    await chooseMore(page, 'More about Annex', 'Delete Annex')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await seen(page, /holds 1 IP segment/)
    await choose(dialog.getByLabel('What it holds goes to'), 'Default')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await read(service, `/res/access/assignedIpScope/${segment}`)).zoneId, '1')
    assert.deepEqual(faults, [])
  },
)

test(
  'an alarm is raised by hand, is in the figures, and is deleted once it is over',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/raise`)
    await page.getByLabel('What is wrong').fill('The roof leaks')
    await page.getByRole('button', { name: 'Raise the alarm' }).click()
    await seen(page, /Event is required/)
    await page.getByLabel('Event OID').fill('1.3.6.1.4.1.32473.9')
    await page.getByRole('button', { name: 'Raise the alarm' }).click()
    await page.getByRole('heading', { name: 'The roof leaks' }).waitFor()
    await page.waitForURL(/\/alarm\/\d+$/)
    const id = new URL(page.url()).pathname.split('/').at(-1)
    assert.equal(await page.getByRole('button', { name: 'More actions' }).count(), 0, 'not while it is open')
    await service.sendJson('PUT', `/fault/alarm/recover/${id}`, {})
    await page.getByRole('button', { name: 'More actions' }).waitFor()

    await page.goto(`${service.url}/console/history`)
    await page.getByRole('link', { name: /^Figures/ }).click()
    await page.getByRole('button', { name: 'Event', exact: true }).click()
    await page.getByRole('table').getByText('1.3.6.1.4.1.32473.9').waitFor()
    await page.getByRole('button', { name: 'Device', exact: true }).click()
    await page
      .getByRole('table')
      .getByText(/^No device/)
      .waitFor()

    await page.goto(`${service.url}/console/alarm/${id}`)
    await chooseMore(page, 'More actions', 'Delete for good')
    await page.locator('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL(/\/history/)
    assert.equal((await service.get(`/fault/alarm/${id}`)).status, 404)
    assert.deepEqual(faults, [])
  },
)

test(
  'categories, report types, groups and tokens that expire are created; the store is checked',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/events`)
    const dialog = page.locator('dialog')
    const save = async () => {
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'New category' }).click()
    await dialog.getByLabel('Name').fill('Tides')
    await save()
    await page.getByRole('table', { name: 'Categories' }).getByText('Tides').waitFor()

    await page.goto(`${service.url}/console/reports`)
    await page.getByRole('button', { name: 'New report type' }).click()
    await dialog.getByLabel('Name').fill('Harbour')
    await dialog.getByLabel('Runs').selectOption('alarm/summary')
    await save()
    await page.getByRole('table', { name: 'Report types' }).getByText('Harbour').waitFor()

    await page.goto(`${service.url}/console/operators`)
    await page.getByRole('button', { name: 'New operator group' }).click()
    await dialog.getByLabel('Name').fill('Pilots')
    await save()
    await page.getByRole('table', { name: 'Operator groups' }).getByText('Pilots').waitFor()

    await page.goto(`${service.url}/console/reports`)
    await page.getByRole('button', { name: 'New template' }).click()
    await dialog.getByLabel('Report', { exact: true }).fill('For pilots')
    await choose(dialog.getByLabel('Only for these groups'), 'Pilots')
    await save()
    const { reportTemplate } = await read(service, '/report/reportTemplate?templateName=For*')
    assert.equal(reportTemplate[0].operatorGroup.length, 1)

    await page.goto(`${service.url}/console/settings`)
    await page.getByRole('button', { name: 'Check the store' }).click()
    await seen(page, 'Nothing is wrong with it.')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download a backup' }).click(),
    ])
    assert.match(download.suggestedFilename(), /^belfry-.*\.db$/)
    assert.deepEqual(faults, [])
  },
)

test('a token can expire, and a result of a report is deleted', withoutBrowser(), async () => {
  const service = await startService({}, { adminPassword: 'correct horse battery' })
  const { page, faults } = await openPage(`${service.url}/console/tokens`)
  await page.getByLabel('Name').fill('admin')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'New token' }).first().click()
  const dialog = page.locator('dialog')
  const end = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel(/^Ends/).fill(end)
  await dialog.getByLabel('Your present password').fill('correct horse battery')
  await dialog.getByRole('button', { name: 'New token' }).click()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page
    .getByRole('table')
    .getByText(new RegExp(`^${end}`))
    .waitFor()

  await page.goto(`${service.url}/console/report/1`)
  await page.getByRole('button', { name: 'Make the report' }).click()
  await chooseMore(page, /^More about 2/, /^Delete the result of/)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await seen(page, 'None is kept yet.')
  assert.deepEqual(faults, [])
})

test('a maintenance window covers ports, and a module shows what it defines', withoutBrowser(), async () => {
  const service = await startService()
  const device = await made(service, '/plat/res/device', {
    ip: '192.0.2.5',
    label: 'crane',
    interfaces: [{ ifIndex: 12, ifDesc: 'Gi1/0/12' }],
  })
  const { page, faults } = await openPage(`${service.url}/console/window/new?name=Crane`)
  await choose(page.getByLabel('Add a port: the device'), /crane/, 'cra')
  await choose(page.getByLabel(/^Port of crane/), 'Gi1/0/12 · 12')
  await seen(page, /it would have held back 0/)
  await page.getByRole('button', { name: 'Save the window' }).click()
  await seen(page, '1 port')
  const { maintenance } = await read(service, '/fault/maintenance')
  assert.deepEqual(
    maintenance[0].interface.map(({ deviceId, ifIndex }: Record<string, string>) => [deviceId, ifIndex]),
    [[device, '12']],
  )
  const module = `BELL-MIB DEFINITIONS ::= BEGIN
    IMPORTS enterprises, NOTIFICATION-TYPE, OBJECT-TYPE, Integer32 FROM SNMPv2-SMI;
    logSignal OBJECT IDENTIFIER ::= { enterprises 32473 12 }
    bellWeight OBJECT-TYPE SYNTAX Integer32 MAX-ACCESS read-only STATUS current DESCRIPTION "How heavy." ::= { logSignal 1 }
    bellRang NOTIFICATION-TYPE OBJECTS { bellWeight } STATUS current DESCRIPTION "It rang." ::= { logSignal 0 1 }
    END`
  const loaded = await service.ask('POST', '/fault/mibModule?file=logSignal.mib', {
    headers: { 'Content-Type': 'text/plain', ...json },
    body: module,
  })
  assert.equal(loaded.status, 200, loaded.text)
  await page.goto(`${service.url}/console/modules`)
  await page.getByRole('button', { name: 'Show what BELL-MIB defines' }).click()
  await page.locator('dialog').getByRole('table', { name: 'Objects' }).getByText('bellWeight').waitFor()
  await page.locator('dialog').getByText('It rang.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Accept bellRang' }).click()
  await seen(page, '1 definition made.')
  await until(
    'the definition',
    async () => (await service.get('/fault/trapEvent?name=bellRang')).headers.total === '1',
  )
  assert.deepEqual(faults, [])
})
