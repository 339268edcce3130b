// Records are chosen by name instead of typing an id, with the id shown beside the name.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operators } from '../../src/resources/access/operator.ts'
import { insert } from '../../src/store/table.ts'
import { passwordOf } from '../http/credentials.ts'
import { startService } from '../support.ts'
import { choose, openPage, seen, withoutBrowser } from './browser.ts'

test('the port of a binding is a device and one of its interfaces', withoutBrowser(), async () => {
  const service = await startService()
  const made = await service.sendJson('POST', '/plat/res/device', {
    ip: '192.0.2.5',
    label: 'crane',
    interfaces: [{ ifIndex: 12, ifDesc: 'GigabitEthernet1/0/12' }],
  })
  assert.equal(made.status, 201, made.text)
  await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.6', label: 'roof' })
  const { page, faults } = await openPage(`${service.url}/console/bindings`)
  await page.getByRole('button', { name: 'New binding' }).first().click()
  await page.locator('#field-terminalMac').fill('02:00:5e:10:00:01')
  await page.locator('dialog').getByRole('button', { name: 'Save' }).click()
  await page.locator('dialog').getByText('Choose the ports at which it may be used').waitFor()
  await choose(page.getByLabel('Add a port: the device'), /crane/, 'cra')
  await choose(page.getByLabel(/^Port of crane/), 'GigabitEthernet1/0/12 · 12')
  await choose(page.getByLabel('Add a port: the device'), /roof/, 'roof')
  await page.getByLabel(/No ports of roof/).fill('3')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Remove roof, port 3' }).waitFor()
  await page.locator('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('table').getByText('port 12').waitFor()
  const { text } = await service.get('/res/access/macAccessBind', { Accept: 'application/json' })
  assert.deepEqual(
    JSON.parse(text).macAccessBind[0].ifInfo.map(({ ifIndex }: { ifIndex: string }) => ifIndex),
    ['12', '3'],
  )
  assert.deepEqual(faults, [])
})

test('the segment of a report is one of those there are, also inside others', withoutBrowser(), async () => {
  const service = await startService()
  const segment = { name: 'Quay', startIp: '192.0.2.1', endIp: '192.0.2.30' }
  const outer = await service.sendJson('POST', '/res/access/assignedIpScope', {
    ...segment,
    name: 'Harbour',
    endIp: '192.0.2.200',
  })
  assert.equal(outer.status, 200, outer.text)
  const made = await service.sendJson('POST', new URL(String(outer.headers.location)).pathname, segment)
  assert.equal(made.status, 200, made.text)
  const id = String(made.headers.location).split('/').at(-1)
  const { page, faults } = await openPage(`${service.url}/console/reports`)
  await page
    .locator('main')
    .getByRole('link', { name: /IP|address/ })
    .first()
    .click()
  await choose(page.getByLabel('Segment', { exact: true }), `Quay · ${id}`)
  await page.locator('.tokens').getByText(`Quay · ${id}`).waitFor()
  await page.getByRole('button', { name: 'Make the report' }).click()
  await page.locator('.report').getByText('192.0.2.1 - 192.0.2.30').first().waitFor()
  assert.deepEqual(faults, [])
})

test('of very many zones, the one of a report is found by its name', withoutBrowser(), async () => {
  const service = await startService()
  const rows = Array.from({ length: 510 }, (_, index) => `berth ${index}`)
  const brought = await service.ask('POST', '/plat/data/zone', {
    headers: { 'Content-Type': 'text/csv' },
    body: ['name', ...rows].join('\n'),
  })
  assert.equal(brought.status, 200, brought.text)
  const { page, faults } = await openPage(`${service.url}/console/report/1`)
  // Until the service has answered how many there are, it is a list.
  await choose(page.getByRole('combobox', { name: 'Zone' }), /^berth 497/, 'berth 497')
  await page.locator('.tokens').getByText('berth 497').waitFor()
  const asked = page.waitForRequest((request) => request.url().includes('/run'))
  await page.getByRole('button', { name: 'Make the report' }).click()
  const { zone } = JSON.parse((await asked).postData() ?? '{}')
  assert.equal(zone.length, 1)
  const { text } = await service.get(`/ram/zone/${zone[0]}`)
  assert.match(text, /berth 497/)
  await page.getByRole('button', { name: 'Zone: without berth 497' }).click()
  await page.getByRole('combobox', { name: 'Zone' }).waitFor()
  assert.deepEqual(faults, [])
})

test(
  'maintainers of a report are suggested by a part of their names, or typed',
  withoutBrowser(),
  async () => {
    const service = await startService()
    for (const [index, maintainer] of ['Ada Berg', 'Ada Berg', 'Bo Lind'].entries()) {
      const terminalMac = `02:00:5e:10:00:0${index}`
      const made = await service.sendJson('POST', '/res/access/macAccessBind', {
        ...{ terminalMac, maintainer, bindType: '1' },
      })
      assert.equal(made.status, 201, made.text)
    }
    const { page, faults } = await openPage(`${service.url}/console/report/6`)
    const field = page.getByLabel('Maintained by', { exact: true })
    await field.fill('ber')
    await page.getByRole('option', { name: 'Ada Berg', exact: true }).click()
    await page.getByRole('button', { name: 'Maintained by: without Ada Berg' }).waitFor()
    assert.equal(await page.locator('.tokens li').count(), 1, 'not what was typed so far')
    await field.fill('Somebody Else')
    await field.press('Enter')
    await page.getByRole('button', { name: 'Maintained by: without Somebody Else' }).waitFor()
    const asked = page.waitForRequest((request) => request.url().includes('/run'))
    await page.getByRole('button', { name: 'Make the report' }).click()
    assert.deepEqual(JSON.parse((await asked).postData() ?? '{}').maintainer, ['Ada Berg', 'Somebody Else'])
    await page.locator('.report').getByText('Ada Berg').first().waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'of more than five hundred operators, one is found by name for a filter and for a report',
  withoutBrowser(),
  async () => {
    const service = await startService({}, { adminPassword: passwordOf('admin') })
    // Their passwords would take minutes.
    await service.database.transaction(async (tx) => {
      for (let n = 1; n <= 510; n += 1)
        await insert(tx, operators.table, {
          ...{
            id: BigInt(1000 + n),
            name: `pilot ${n}`,
            role: 'viewer',
            fullName: '',
            description: '',
            enabled: true,
            digest: false,
          },
        })
    })
    const { page, faults } = await openPage(`${service.url}/console/tokens`, {
      viewport: { width: 390, height: 844 },
    })
    await page.getByLabel('Name').fill('admin')
    await page.getByLabel('Password').fill(passwordOf('admin'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    const operator = page.getByRole('combobox', { name: 'Operator' })
    await operator.fill('pilot 49')
    await seen(page, /and \d+ more|pilot 497/)
    await operator.fill('pilot 497')
    const asked = page.waitForRequest((request) => request.url().includes('operatorId=1497'))
    await page.getByRole('option', { name: /^pilot 497/ }).click()
    assert.equal((await (await asked).response())?.status(), 200)
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'pilot 497')
    await page.goto(`${service.url}/console/reports`)
    await page
      .getByRole('link', { name: /Operator/ })
      .first()
      .click()
    await choose(page.getByLabel('Operator', { exact: true }), 'pilot 503', 'pilot 50')
    await page.getByRole('button', { name: 'Operator: without pilot 503' }).waitFor()
    assert.deepEqual(faults, [])
  },
)
