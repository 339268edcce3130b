// From a trap to the reaction to it, in a real browser: why it is an alarm, what it affects, the overview, the ledger,
// and a rule, a maintenance window or a definition created from there.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { idOf } from '../http/reading.ts'
import { ifIndex, linkDown, linkUp, device as sender, until, v2c } from '../intake/sending.ts'
import { startService, type TestService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

/** A switch whose port 7 went down twice; another switch and a terminal are connected behind that port. */
async function world(service: TestService): Promise<void> {
  const crane = idOf(
    await service.sendJson('POST', '/plat/res/device', {
      ip: '127.0.0.1',
      label: 'crane',
      interfaces: [{ ifIndex: '7', ifDesc: 'Gi1/7' }],
    }),
  )
  const behind = { ip: '192.0.2.7', label: 'cabin', parent: [{ deviceId: crane, parentIfIndex: '7' }] }
  await service.sendJson('POST', '/plat/res/device', behind)
  await service.sendJson('POST', '/res/access/macAccessBind', {
    terminalMac: '02:00:5e:10:00:01',
    terminalName: 'scales',
    bindType: '2',
    ifInfo: [{ deviceId: crane, ifIndex: '7' }],
  })
  const wire = await sender(service.trapPort)
  await wire.send(v2c(linkDown, [ifIndex(7)]))
  await wire.send(v2c(linkUp, [ifIndex(7)], { requestId: 2 }))
  await wire.send(v2c(linkDown, [ifIndex(7)], { requestId: 3, uptime: 4712 }))
  await until('all three', async () => (await service.get('/fault/trap')).headers.total === '3')
}

suite('what is behind an alarm', withoutBrowser(), async () => {
  const service = await startService({ 'time-zone': 'Asia/Tokyo' })
  await world(service)
  const open = async (path: string) =>
    openPage(`${service.url}/console/${path}`, { timezoneId: 'Europe/Berlin' })

  test('the page of an alarm shows why it was raised, what the device sent, what it affects, and earlier alarms of the kind', async () => {
    const { page, faults } = await open('alarms')
    await page.locator('.rows .row .c-text a').first().click()
    const part = (name: string) =>
      page.locator('.part', { has: page.getByRole('heading', { name, exact: true }) })
    await part('Why this is an alarm')
      .getByText(/The definition of linkDown makes it level/)
      .waitFor()
    await part('Why this is an alarm')
      .getByRole('link', { name: /^Trap \d+$/ })
      .waitFor()
    await part('Parameters')
      .getByRole('row', { name: /ifIndex key 7/ })
      .waitFor()
    await part('Impact').getByText('1 device depends on it').waitFor()
    await part('Impact').getByText('cabin').first().waitFor()
    await part('Impact').getByText('scales').first().waitFor()
    await part('The same before').locator('li').waitFor()
    await part('Time line').getByText('Raised').waitFor()
    const time = part('Facts').locator('time').first()
    const at = Date.parse((await time.getAttribute('datetime')) ?? '')
    const hour = (zone: string) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(at)
    assert((await time.textContent())?.includes(hour('Europe/Berlin')), 'in the zone of whoever looks')
    assert((await time.getAttribute('title'))?.includes(hour('Asia/Tokyo')), 'and that of the service')
    assert.deepEqual(faults, [])
  })

  test('a trap is found and explained; the ledger counts all that came', async () => {
    const { page, faults } = await open('traps')
    await page.locator('.bin', { hasText: 'raised an alarm' }).getByText('2').first().waitFor()
    await page.getByLabel('What became of it').selectOption('ended an alarm')
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
    await page
      .getByRole('row', { name: /linkUp/ })
      .getByRole('link')
      .first()
      .click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await seen(page, 'ended an alarm')
    await page.getByRole('row', { name: /ifIndex/ }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('the overview has what is open by level, over time, by device and event, out of reach, clients and nodes', async () => {
    const { page, faults } = await open('overview')
    const part = (name: string) =>
      page.locator('.part', { has: page.getByRole('heading', { name, exact: true }) })
    await part('Alarms raised in the last day').locator('canvas').waitFor()
    await part('Traps a second').locator('canvas').waitFor()
    await part('Devices with most open alarms').getByRole('link', { name: 'crane' }).waitFor()
    await part('Events that raised most alarms in the last day')
      .getByRole('link', { name: 'linkDown', exact: true })
      .waitFor()
    await part('Out of reach').getByText('crane').waitFor()
    await part('Clients').getByText('No client is registered.').waitFor()
    await part('Nodes').getByText('This service').waitFor()
    await part('Devices with most open alarms').getByRole('link', { name: 'crane' }).click()
    await page.locator('.rows .row').waitFor()
    assert.deepEqual(faults, [])
  })

  test('a rule is made from the alarm: named, tried and drawn while it is typed, saved, and counted', async () => {
    const { page, faults } = await open('alarms')
    await page.locator('.rows .row .c-text a').first().click()
    await page.getByRole('link', { name: 'Make a rule that filters it' }).click()
    await seen(page, /It would have filtered 2 traps of \d+/)
    await page.getByLabel('Name', { exact: true }).fill('Crane moves')
    await page.getByRole('group', { name: 'Weekdays' }).getByRole('button', { name: 'Sat' }).click()
    await seen(page, 'in force 24 hours of the week')
    // The drawing shows one day of the week.
    await page.waitForFunction(() => document.querySelectorAll('.week .on').length === 1)
    await page.getByLabel('From', { exact: true }).fill('25:00')
    await seen(page, /As it stands it cannot be saved/)
    await page.getByRole('button', { name: 'Save the rule', disabled: true }).waitFor()
    await page.getByLabel('From', { exact: true }).fill('')
    await page.getByRole('group', { name: 'Weekdays' }).getByRole('button', { name: 'Sat' }).click()
    await page.getByLabel('First day', { exact: true }).fill('2001-01-01')
    await page.getByLabel('Last day', { exact: true }).fill('2001-01-02')
    await page.getByRole('heading', { name: 'Remarks' }).waitFor()
    await page.getByLabel('First day', { exact: true }).fill('')
    await page.getByLabel('Last day', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Save the rule' }).click()
    const row = page.getByRole('row', { name: /Crane moves/ })
    await row.getByText('linkDown').waitFor()
    await row.getByText('never').waitFor()
    const wire = await sender(service.trapPort)
    await wire.send(v2c(linkDown, [ifIndex(7)], { requestId: 4, uptime: 9000 }))
    await page.waitForFunction(async () => {
      const answer = await fetch('/fault/trapRule', { headers: { Accept: 'application/json' } })
      return /"hits":"1"/.test(await answer.text())
    })
    await page.reload()
    await row.getByRole('cell', { name: '1', exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('a window and a definition are made from the alarm, each beside what it concerns', async () => {
    const { page, faults } = await open('alarms')
    await page.locator('.rows .row .c-text a').first().click()
    await page.getByRole('link', { name: 'Change what the event means' }).click()
    await seen(page, /^1 alarm of it open now/)
    await page.goBack()
    await page.getByRole('link', { name: 'Plan maintenance for it' }).click()
    await page.locator('.tokens').getByText('crane').waitFor()
    await page.locator('.tokens').getByText('linkDown').waitFor()
    await seen(page, /it would have held back 2/)
    await page.getByRole('button', { name: 'Save the window' }).click()
    await seen(page, 'In force')
    assert.deepEqual(faults, [])
  })
})
