// Records are chosen by name instead of typing an id, with the id shown beside the name.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { openPage, withoutBrowser } from './browser.ts'

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
  await page.getByLabel('Add a port: the device').fill('cra')
  await page.getByRole('button', { name: /crane/ }).click()
  await page.getByLabel(/^Port of crane/).selectOption({ label: 'GigabitEthernet1/0/12 · 12' })
  await page.getByLabel('Add a port: the device').fill('roof')
  await page.getByRole('button', { name: /roof/ }).click()
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
  await page.getByLabel('Segment', { exact: true }).selectOption({ label: `Quay · ${id}` })
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
  await page.getByRole('searchbox', { name: 'Zone' }).fill('berth 497')
  await page.getByRole('button', { name: /^berth 497/ }).click()
  await page.locator('.tokens').getByText('berth 497').waitFor()
  const asked = page.waitForRequest((request) => request.url().includes('/run'))
  await page.getByRole('button', { name: 'Make the report' }).click()
  const { zone } = JSON.parse((await asked).postData() ?? '{}')
  assert.equal(zone.length, 1)
  const { text } = await service.get(`/ram/zone/${zone[0]}`)
  assert.match(text, /berth 497/)
  await page.getByRole('button', { name: 'Zone: without berth 497' }).click()
  await page.getByRole('searchbox', { name: 'Zone' }).waitFor()
  assert.deepEqual(faults, [])
})
