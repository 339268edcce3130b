// When a maintenance window is in force, in a real browser whose zone is not that of the service.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { choose, openPage, seen, withoutBrowser } from './browser.ts'

test(
  'tonight is one night: typed in the zone of the viewer, said in both zones, and sent as one span',
  withoutBrowser(),
  async () => {
    const service = await startService({ 'time-zone': 'UTC' })
    await service.sendJson('POST', '/ram/zone', { name: 'harbour' })
    const { page, faults } = await openPage(`${service.url}/console/window/new?name=Crane`, {
      timezoneId: 'America/New_York',
      bypassCSP: true,
    })
    await choose(page.getByLabel('Zones'), 'harbour')
    const from = page.locator('#window-from')
    const to = page.locator('#window-to')
    assert.match(await from.inputValue(), /T22:00$/)
    assert.match(await to.inputValue(), /T02:00$/)
    await seen(page, /22:00 to \w+ \d+ \w+ 02:00/)
    await from.fill('2031-07-08T22:00')
    await to.fill('2031-07-09T02:00')
    await seen(page, /^Tue 8 Jul 22:00 to Wed 9 Jul 02:00$/)
    await seen(page, /Wed 9 Jul 02:00 to 06:00 in UTC, the time zone of the service/)
    assert.deepEqual(await violations(page), [])
    await to.fill('2031-07-10T02:00')
    await seen(page, /lasts longer than a day/)
    await to.fill('2031-07-08T02:00')
    await seen(page, 'It ends before it begins.')
    await to.fill('2031-07-09T02:00')
    await page.getByRole('button', { name: 'Save the window' }).click()
    await page.locator('tr', { hasText: 'Crane' }).waitFor()
    const read = async () =>
      (await service.get('/fault/maintenance/1', { Accept: 'application/json' })).json()
    const { exectimeType, startDay, startTime, endDay, endTime } = await read()
    assert.deepEqual(
      [exectimeType, startDay, startTime, endDay, endTime],
      ['2', '2031-07-09', '02:00', '2031-07-09', '06:00'],
    )
    await page.goto(`${service.url}/console/window/1`)
    assert.equal(await from.inputValue(), '2031-07-08T22:00', 'read back in the zone of the viewer')
    assert.equal(await to.inputValue(), '2031-07-09T02:00')
    assert.deepEqual(faults, [])
  },
)

test(
  'every week shows the next times; one that the days limit to two nights says so, and that once may be meant',
  withoutBrowser(),
  async () => {
    const service = await startService({ 'time-zone': 'UTC' })
    const { page, faults } = await openPage(`${service.url}/console/window/new`, { timezoneId: 'UTC' })
    await page.getByRole('button', { name: 'Every week' }).click()
    await page.locator('#start-time').fill('22:00')
    await page.locator('#end-time').fill('2:00')
    const next = page.locator('section', { hasText: 'In force next:' }).locator('.reasons li')
    await next.first().waitFor()
    assert.equal(await next.count(), 3)
    await page.locator('#start-day').fill('2031-07-08')
    await page.locator('#end-day').fill('2031-07-09')
    await seen(page, /^Between these days it is in force 2 times\./)
    assert.deepEqual(await next.allTextContents(), [
      'Tue 8 Jul 22:00 to Wed 9 Jul 02:00 (4 hours)',
      'Wed 9 Jul 22:00 to Thu 10 Jul 02:00 (4 hours)',
    ])
    assert.deepEqual(faults, [])
  },
)
