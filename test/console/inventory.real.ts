// The inventory in a real browser: records are created, found, changed and imported.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { bearer, guard, passwordOf, tokenOf } from '../http/credentials.ts'
import { ifIndex, linkDown, device as sender, until, v2c } from '../intake/sending.ts'
import { startService, temporaryFolder } from '../support.ts'
import { choose, chooseMore, openPage, seen, withoutBrowser } from './browser.ts'

const menu = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click()
const field = (page: Page, name: string) => page.locator(`#field-${name}`)
const save = (page: Page) => page.locator('dialog').getByRole('button', { name: 'Save' }).click()

test(
  'zone, device, view and binding are made by hand; the device shows its alarm and its port',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/zones`)
    await page.getByRole('button', { name: 'New zone' }).first().click()
    await field(page, 'name').fill('Harbour')
    await save(page)
    await seen(page, 'Harbour')
    await menu(page, 'Devices')
    await page.getByRole('button', { name: 'New device' }).first().click()
    await field(page, 'label').fill('crane')
    await field(page, 'ip').fill('127.0.0.1')
    await save(page)
    await seen(page, 'crane')
    const port = await sender(service.trapPort)
    await port.send(v2c(linkDown, [ifIndex(7)]))
    await until('the trap', async () => (await service.get('/fault/trap')).headers.total === '1')
    await page.getByRole('link', { name: 'crane' }).click()
    await page.getByRole('heading', { name: 'crane' }).waitFor()
    await seen(page, /is down/)
    await menu(page, 'Views')
    await page.getByRole('button', { name: 'New view' }).first().click()
    await field(page, 'name').fill('Quay')
    await save(page)
    await seen(page, 'Quay')
    await menu(page, 'Bindings')
    await page.getByRole('button', { name: 'New binding' }).first().click()
    await field(page, 'terminalMac').fill('0200.5e10.0001')
    await field(page, 'bindType').selectOption('1')
    await save(page)
    await seen(page, '02:00:5e:10:00:01')
    assert.deepEqual(faults, [])
  },
)

test('a view is made of devices and other views, all of them by their names', withoutBrowser(), async () => {
  const service = await startService()
  for (const [index, label] of ['north-core', 'north-edge', 'south-core'].entries())
    await service.sendJson('POST', '/plat/res/device', { ip: `192.0.2.${index + 1}`, label })
  await service.sendJson('POST', '/plat/res/view/custom', { name: 'South', member: [] })
  const { page, faults } = await openPage(`${service.url}/console/views`)
  await page.getByRole('button', { name: 'New view' }).first().click()
  await field(page, 'name').fill('North')
  const dialog = page.locator('dialog')
  for (const name of ['north-core', 'north-edge']) {
    await choose(dialog.getByLabel('Add a device'), new RegExp(`^${name} `), name)
    await dialog.locator('.tokens').getByText(name).waitFor()
  }
  await choose(dialog.getByLabel('Contains views'), 'South')
  await save(page)
  const row = page.locator('tr', { hasText: 'North' })
  await row.getByText('South').waitFor()
  await row.getByRole('cell', { name: '2', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Change North' }).click()
  await dialog.locator('.tokens').getByText('north-edge').waitFor()
  await dialog.getByRole('button', { name: 'Remove north-core' }).click()
  await dialog.getByRole('button', { name: 'Contains views: without South' }).click()
  await dialog.getByLabel('Contains views').click()
  await page.getByRole('option', { name: 'South' }).waitFor()
  assert.equal(await page.getByRole('option', { name: 'North' }).count(), 0, 'no view contains itself')
  await page.getByRole('option', { name: 'South' }).click()
  await save(page)
  await row.getByRole('cell', { name: '1', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

test(
  'segments are a tree and a picture; the next free address is assigned, and released',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/addresses`)
    await page.getByRole('button', { name: 'New segment' }).first().click()
    await field(page, 'name').fill('Offices')
    await field(page, 'startIp').fill('192.0.2.1')
    await field(page, 'endIp').fill('192.0.2.30')
    await save(page)
    await page.locator('.tree').getByText('Offices').click()
    await page.locator('figure.segment').waitFor()
    await page.getByRole('button', { name: 'Assign the next free address' }).click()
    await field(page, 'name').fill('Vera')
    await save(page)
    await seen(page, /192\.0\.2\.1 is assigned/)
    await page.locator('table').getByText('Vera').waitFor()
    await chooseMore(page, 'More about 192.0.2.1', 'Release 192.0.2.1')
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.locator('table').getByText('Vera').waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  },
)

test(
  'where is this MAC? A terminal that a switch reported is found in any spelling, with where it has been',
  withoutBrowser(),
  async () => {
    const service = guard(await startService({}, { adminPassword: passwordOf('admin') }))
    const token = await tokenOf(service, 'admin', { scope: 'access', description: 'RADIUS' })
    const report = async (port: string) => {
      const body = {
        sourceIp: '192.0.2.9',
        userName: 'x',
        callingStationId: '02-00-5E-10-00-01',
        nasPortId: port,
        acctStatusType: 'Start',
      }
      const headers = { ...bearer(token), 'Content-Type': 'application/json' }
      const { status, text } = await service.ask('POST', '/res/access/accounting', {
        headers,
        body: JSON.stringify(body),
      })
      assert.equal(status, 204, text)
    }
    await report('GigabitEthernet1/0/1')
    await report('GigabitEthernet1/0/2')
    const { page, faults } = await openPage(`${service.url}/console/terminals`)
    await page.getByLabel('Name').fill('admin')
    await page.getByLabel('Password').fill(passwordOf('admin'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    const find = page.getByLabel('Where is this MAC?')
    await find.fill('0200.5e10.0001')
    await seen(page, 'GigabitEthernet1/0/2')
    await find.fill('5e:10')
    await page.getByRole('link', { name: '02:00:5e:10:00:01' }).click()
    await page.getByRole('heading', { name: 'Where it has been' }).waitFor()
    await seen(page, 'GigabitEthernet1/0/1')
    await find.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Forget this terminal' }).click()
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
    await seen(page, 'No terminal has been seen yet')
    assert.deepEqual(faults, [])
  },
)

test('an import says what it would change before it changes anything', withoutBrowser(), async () => {
  const service = await startService()
  const file = join(temporaryFolder(), 'zone.csv')
  writeFileSync(file, 'zoneId,name\n1,Everything\n900,North\n901,South\n')
  const { page, faults } = await openPage(`${service.url}/console/import?kind=zone`)
  await page.locator('input[type=file]').setInputFiles(file)
  await seen(page, '2 records would be new')
  await page.getByRole('row', { name: /North/ }).waitFor()
  const changed = page.getByRole('row', { name: /^2 Everything/ })
  await changed.locator('del', { hasText: 'Default' }).waitFor()
  await changed.locator('ins', { hasText: 'Everything' }).waitFor()
  assert.equal((await service.get('/ram/zone?name=North&total=true')).headers.total, '0')
  await page.getByRole('button', { name: /^Import 3/ }).click()
  await seen(page, /3 .*imported/)
  assert.equal((await service.get('/ram/zone?name=North&total=true')).headers.total, '1')
  writeFileSync(file, 'zoneId,name\nnine,Nowhere\n902,north\n903,West\n')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.locator('input[type=file]').click(),
  ])
  await chooser.setFiles(file)
  await page.getByRole('alert').waitFor()
  await seen(page, '2 records cannot be imported')
  await page.getByRole('row', { name: /^2 zoneId/ }).waitFor()
  await page.getByRole('row', { name: /^3 name .* is taken by zone 900/ }).waitFor()
  await seen(page, '1 record would be new')
  assert.equal(await page.getByRole('button', { name: /^Import \d/ }).count(), 0)
  assert.deepEqual(faults, [])
})

test('an import of many records says how far it is', withoutBrowser(), async () => {
  const service = await startService()
  const file = join(temporaryFolder(), 'zone.csv')
  const rows = 3000
  writeFileSync(file, `name\n${Array.from({ length: rows }, (_, n) => `Zone ${n}`).join('\n')}\n`)
  const { page, faults } = await openPage(`${service.url}/console/import?kind=zone`)
  await page.locator('input[type=file]').setInputFiles(file)
  await seen(page, '3,000 records would be new')
  await seen(page, 'and 2,950 more')
  // The import may be over before the test has looked, so the page itself records what it has shown.
  await page.evaluate(() => {
    const shown: number[] = []
    Object.assign(window, { shown })
    new MutationObserver(() => {
      const bar = document.querySelector('progress')
      if (bar) shown.push(bar.value)
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  })
  await page.getByRole('button', { name: 'Import 3,000 records' }).click()
  await seen(page, '3,000 records imported')
  const shown = await page.evaluate(() => (window as unknown as { shown: number[] }).shown)
  assert(shown.length > 1, `${shown}`)
  assert.deepEqual(
    shown,
    shown.toSorted((one, other) => one - other),
    'it only goes forward',
  )
  assert((shown.at(-1) ?? 0) > 0.5)
  assert.deepEqual(faults, [])
})
