// Filters of lists in a real browser: those that are seldom needed are hidden, except one that is set.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService, type TestService } from '../support.ts'
import { violations } from './accessible.ts'
import { choose, openPage, seen, withoutBrowser } from './browser.ts'

const phone = { width: 390, height: 844 }

async function raise(service: TestService, body: object): Promise<void> {
  const raised = await service.sendJson('POST', '/fault/alarm', {
    ...{ OID: '1.3.6.1.4.1.32473.9.1', deviceIp: '192.0.2.1' },
    ...body,
  })
  assert.equal(raised.status, 201, raised.text)
}

/** The labels of the filters that are visible. */
const inSight = (page: Page) =>
  page
    .locator('.list-filters')
    .first()
    .locator('label')
    .evaluateAll((labels) =>
      labels.filter((one) => one.checkVisibility()).map((one) => one.firstChild?.textContent?.trim()),
    )

test(
  'on a phone, the history begins with four filters; the others are one key away',
  withoutBrowser(),
  async () => {
    const service = await startService()
    await raise(service, { alarmLevel: 1, resource: 'a', alarmDesc: 'Smoke' })
    await raise(service, { alarmLevel: 2, resource: 'b', alarmDesc: 'Dust' })
    await raise(service, { alarmLevel: 3, resource: 'c', alarmDesc: 'Damp' })
    const { page, faults } = await openPage(`${service.url}/console/history`, {
      bypassCSP: true,
      viewport: phone,
    })
    await seen(page, 'Smoke')
    assert.deepEqual(await inSight(page), ['Device', 'Raised from', 'Raised until'])
    await page.getByRole('group', { name: 'Level' }).waitFor()
    const top = await page.getByRole('table').boundingBox()
    assert(top && top.y < phone.height / 2 + 100, `the list begins at ${top?.y}`)
    const level = (name: string) => page.getByRole('group', { name: 'Level' }).getByRole('button', { name })
    await level('Critical').click()
    await page.getByRole('table').getByText('Damp').waitFor({ state: 'detached' })
    await level('Minor').click()
    await page.getByRole('table').getByText('Damp').waitFor()
    await page.getByRole('table').getByText('Smoke').waitFor()
    assert.equal(await page.getByRole('table').getByText('Dust').count(), 0)
    assert.equal(new URL(page.url()).searchParams.get('alarmLevel'), '1,3')
    await level('Critical').click()
    await level('Minor').click()
    await page.getByRole('table').getByText('Dust').waitFor()

    const more = page.getByRole('button', { name: 'More filters' })
    assert.equal(await more.getAttribute('aria-expanded'), 'false')
    await page.getByLabel('Raised until').focus()
    await more.focus()
    await page.keyboard.press('Enter')
    await page.locator('[aria-expanded=true]').getByText('More filters').waitFor()
    assert.deepEqual(await violations(page), [])
    await page.keyboard.press('Tab')
    assert.equal(
      await page.evaluate(() => document.activeElement?.closest('label')?.firstChild?.textContent?.trim()),
      'State',
      'the first of them is the next stop',
    )
    await page.getByLabel('Comes from').selectOption('a trap')
    await seen(page, 'Nothing matches the filter')

    await more.click()
    await page.getByLabel('Zone').waitFor({ state: 'detached' })
    assert.deepEqual((await inSight(page)).slice(3), ['Comes from'], 'what is set stays')
    await page.goto(page.url())
    await page.getByLabel('Zone').waitFor()
    assert.equal(await more.getAttribute('aria-expanded'), 'true', 'and a link shows it')
    await page.getByLabel('Comes from').selectOption('Any')
    await page.getByRole('table').getByText('Dust').waitFor()
    assert.deepEqual(await violations(page), [])
    assert.deepEqual(faults, [])
  },
)

test('lists are narrowed by all that the interface can narrow them by', withoutBrowser(), async () => {
  const service = await startService()
  const device = await service.sendJson('POST', '/plat/res/device', {
    ...{ ip: '192.0.2.9', label: 'crane', sysName: 'crane.example.net' },
  })
  assert.equal(device.status, 201, device.text)
  await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.10', label: 'quay' })
  await raise(service, { alarmLevel: 1, deviceIp: '192.0.2.9', resource: 'a', alarmDesc: 'Smoke' })
  const { page, faults } = await openPage(`${service.url}/console/devices`)
  const table = page.getByRole('table').first()
  await page.getByLabel('System name').fill('crane')
  await table.getByText('quay').waitFor({ state: 'detached' })
  await table.getByText('crane').waitFor()

  // The requests of each page, and that the service accepts them.
  const asks = async (path: string, query: string, expected: string) => {
    const asked = page.waitForRequest(
      (request) => request.url().includes(expected) && !request.url().includes('/console/'),
    )
    await page.goto(`${service.url}/console/${path}?${query}`)
    const answer = await (await asked).response()
    assert.equal(answer?.status(), 200, `${path}?${query}`)
  }
  await asks('history', 'parentId=7&suppressed=true&id=3', 'parentId=7')
  await asks('traps', 'alarmId=7', 'alarmId=7')
  await asks('bindings', 'deviceId=1&ifIndex=7', 'ifIndex=7')
  await asks('terminals', 'ifIndex=7&startTime=2031-12-24', 'startTime=')
  await asks('stays', 'deviceId=1&ifIndex=7&ip=192.0.2&startTime=2031-12-24', 'ip=*192.0.2*')
  await asks('statistics', 'by=device&deviceId=1', 'deviceId=1')
  await asks('operators', 'role=viewer', 'role=viewer')
  await asks('reports', 'reportDefinedType=1', 'reportDefinedType=1')
  await asks('rules', 'trapGroup=-1', 'trapGroup=-1')
  await asks('events', 'category.name=tide', 'alarmCategory?size=50&start=0&name=*tide*')
  await asks('report/1', 'result.startTime=2031-12-24', 'result?')
  assert.deepEqual(faults, [])
})

test('figures are those of one device, event or zone, chosen on the page', withoutBrowser(), async () => {
  const service = await startService()
  const zone = await service.sendJson('POST', '/ram/zone', { name: 'Harbour' })
  const zoneId = String(zone.headers.location).split('/').at(-1)
  await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.9', label: 'crane', zoneId })
  await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.10', label: 'quay' })
  for (const resource of ['a', 'b']) await raise(service, { alarmLevel: 1, deviceIp: '192.0.2.9', resource })
  await raise(service, { alarmLevel: 1, deviceIp: '192.0.2.10', resource: 'c' })
  const { page, faults } = await openPage(`${service.url}/console/statistics`)
  const raised = page.locator('tbody td').nth(1)
  const shows = (count: string) => raised.filter({ hasText: new RegExp(`^${count}$`) }).waitFor()
  await shows('3')
  await choose(page.getByLabel('Of the device'), /^crane/, 'crane')
  await shows('2')
  assert.equal(await page.getByLabel('Of the zone').count(), 0, 'of one thing at a time')
  await page.goto(`${service.url}/console/statistics`)
  await choose(page.getByLabel('Of the zone'), 'Harbour')
  await shows('2')
  await page.getByLabel('Of the zone').fill('')
  await page.getByLabel('Of the event (OID)').fill('1.3.6.1.4.1.32473.9.1')
  await shows('3')
  await page.getByLabel('Of the event (OID)').fill('1.3.6.1.4.1.32473.9.2')
  await raised.waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
})
