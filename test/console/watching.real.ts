// Watching alarms in a real browser: every key, every filter, sound, notifications, and the wall.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { idOf } from '../http/reading.ts'
import { startService, type TestService } from '../support.ts'
import { filterAlarms, openPage, seen, withoutBrowser } from './browser.ts'

const raise = async (service: TestService, deviceName: string, fields: object = {}) => {
  const alarm = { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: '2', deviceIp: '192.0.2.1', deviceName }
  return idOf(await service.sendJson('POST', '/fault/alarm', { ...alarm, resource: deviceName, ...fields }))
}

/** Waits until exactly these are shown, in any order. */
const shows = (page: Page, ...names: string[]) =>
  page.waitForFunction((wanted) => {
    const cells = [...document.querySelectorAll('.rows .row .c-device')]
    const found = cells.map((cell) => cell.textContent?.trim()).sort()
    return JSON.stringify(found) === wanted
  }, JSON.stringify(names.sort()))

test('each key does what the help says', withoutBrowser(), async () => {
  const service = await startService()
  await raise(service, 'alpha', { alarmLevel: '1' })
  await raise(service, 'beta', { alarmLevel: '2' })
  await raise(service, 'gamma', { alarmLevel: '3' })
  const { page, faults } = await openPage(`${service.url}/console`)
  await shows(page, 'alpha', 'beta', 'gamma')
  const active = page.locator('.row[aria-current=true], .row.active').locator('.c-device')
  const isAt = async (name: string) => active.filter({ hasText: name }).waitFor()
  for (const [key, name] of [
    ['j', 'alpha'],
    ['j', 'beta'],
    ['ArrowDown', 'gamma'],
    ['k', 'beta'],
    ['ArrowUp', 'alpha'],
    ['End', 'gamma'],
    ['Home', 'alpha'],
  ] as const) {
    await page.keyboard.press(key)
    await isAt(name)
  }
  await page.keyboard.press('x')
  await seen(page, '1 selected')
  await page.keyboard.press('Escape')
  await page.getByText('1 selected').waitFor({ state: 'detached' })
  for (const [key, title] of [
    ['a', 'Acknowledge this alarm'],
    ['s', 'Shelve this alarm'],
    ['o', 'Assign this alarm'],
    ['n', 'Add a note to this alarm'],
    ['e', 'End this alarm'],
  ] as const) {
    await page.keyboard.press(key)
    await page.locator('dialog').getByText(title).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
  }
  await page.keyboard.press('?')
  await page.locator('dialog').getByText('next and previous alarm').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.keyboard.type('gam')
  await shows(page, 'gamma')
  await page.waitForURL((url) => url.searchParams.get('q') === 'gam')
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.locator('dialog').getByRole('button', { name: 'End' }).click()
  await seen(page, '1 alarm ended')
  await seen(page, 'No open alarm matches the filter')
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await shows(page, 'alpha', 'beta')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/console\/alarm\/\d+$/)
  assert.deepEqual(faults, [])
})

test('counts are filters, and every filter is in the address', withoutBrowser(), async () => {
  let now = Date.now() - 7_200_000
  const service = await startService({}, { clock: () => now })
  const deviceId = idOf(
    await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.9', label: 'crane' }),
  )
  const view = idOf(
    await service.sendJson('POST', '/plat/res/view/custom', { name: 'Quay', member: [deviceId] }),
  )
  await raise(service, 'old', { alarmLevel: '3' })
  now += 7_200_000
  await raise(service, 'alpha', { alarmLevel: '1', alarmDesc: 'smoke in the cellar' })
  const acknowledged = await raise(service, 'beta', { OID: '1.3.6.1.4.1.32473.77.5' })
  await service.ask('PUT', `/fault/alarm/acknowledge/${acknowledged}`)
  await raise(service, 'crane', { deviceId, deviceIp: '192.0.2.9', deviceName: undefined })
  const { page, faults } = await openPage(`${service.url}/console`)
  await shows(page, 'old', 'alpha', 'beta', 'crane')
  const level = page.getByRole('group', { name: 'Levels' })
  const state = page.getByRole('group', { name: 'States' })
  const clear = () => page.getByRole('button', { name: 'Clear filters' }).first().click()
  /** After an action these are shown, the address has the filter, and a new page at that address shows the same. */
  const filtered = async (parameter: string, value: string, ...names: string[]) => {
    await shows(page, ...names)
    await page.waitForURL((url) => url.searchParams.get(parameter) === value)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await shows(other, ...names)
    await other.close()
    await clear()
    await shows(page, 'old', 'alpha', 'beta', 'crane')
  }
  await level.getByRole('button', { name: 'Critical 1' }).click()
  await filtered('level', '1', 'alpha')
  await level.getByRole('button', { name: 'Critical 1' }).click()
  await level.getByRole('button', { name: 'Minor 1' }).click()
  await filtered('level', '1,3', 'alpha', 'old')
  await state.getByRole('button', { name: 'Acknowledged 1' }).click()
  await filtered('state', 'acknowledged', 'beta')
  await page.getByLabel('Search').fill('cellar smoke')
  await filtered('q', 'cellar smoke', 'alpha')
  await filterAlarms(page, 'Device', '192.0.2.9', 'Contains “192.0.2.9”')
  await filtered('device', '192.0.2.9', 'crane')
  await filterAlarms(page, 'Event', '1.3.6.1.4.1.32473.77', 'Contains “1.3.6.1.4.1.32473.77”')
  await filtered('event', '1.3.6.1.4.1.32473.77', 'beta')
  await filterAlarms(page, 'View', 'Quay', 'Quay')
  await filtered('view', view, 'crane')
  await filterAlarms(page, 'Since', '', 'Last hour')
  await filtered('within', '3600', 'alpha', 'beta', 'crane')
  assert.deepEqual(faults, [])
})

interface Noted {
  readonly strokes: number
  readonly notices: readonly string[]
}

/** Counts tones and notifications instead of making them; `hidden` is what the page takes for `document.hidden`. */
const listening = (page: Page) =>
  page.addInitScript(() => {
    const noted = { strokes: 0, notices: [] as string[], hidden: false }
    Object.assign(window, { noted })
    const create = AudioContext.prototype.createOscillator
    AudioContext.prototype.createOscillator = function count() {
      noted.strokes += 1
      return create.call(this)
    }
    class Notice {
      static readonly permission = 'granted'
      static readonly requestPermission = async () => 'granted'
      constructor(title: string) {
        noted.notices.push(title)
      }
    }
    Object.assign(window, { Notification: Notice })
    Object.defineProperty(document, 'hidden', { get: () => noted.hidden })
  })

test('a new critical alarm rings once and is notified, and no other does', withoutBrowser(), async () => {
  const service = await startService()
  const { page, faults } = await openPage('about:blank')
  await listening(page)
  await page.goto(`${service.url}/console`)
  await page.locator('.freshness.live').first().waitFor()
  const noted = () => page.evaluate(() => (window as unknown as { noted: Noted }).noted)
  await raise(service, 'unheard', { alarmLevel: '1' })
  await shows(page, 'unheard')
  assert.deepEqual([(await noted()).strokes, (await noted()).notices], [0, []], 'unless one asks for it')
  await page.getByText('Options').click()
  await page.getByLabel(/sound/i).check()
  await page.getByLabel(/notification/i).check()
  const tried = (await noted()).strokes
  assert(tried > 0, 'one hears how it sounds')
  await page.evaluate(() => {
    Object.assign((window as unknown as { noted: object }).noted, { hidden: true })
  })
  await raise(service, 'quiet', { alarmLevel: '2' })
  await shows(page, 'unheard', 'quiet')
  assert.equal((await noted()).strokes, tried)
  // Two alarms within two seconds cause one sound.
  await page.waitForTimeout(2100)
  await raise(service, 'grave', { alarmLevel: '1' })
  await page.waitForFunction(
    (before) => (window as unknown as { noted: Noted }).noted.strokes === before * 2,
    tried,
  )
  await raise(service, 'grave', { alarmLevel: '1' })
  await raise(service, 'later', { alarmLevel: '3' })
  await shows(page, 'unheard', 'quiet', 'grave', 'later')
  assert.deepEqual(await noted(), { strokes: tried * 2, notices: ['Critical: grave'], hidden: true })
  await page.reload()
  await page.getByText('Options').click()
  assert.equal(await page.getByLabel(/sound/i).isChecked(), true, 'the browser keeps it')
  assert.deepEqual(faults, [])
})

test('the wall shows alarms without controls, stays live, and Escape ends it', withoutBrowser(), async () => {
  const service = await startService()
  await raise(service, 'alpha', { alarmLevel: '1' })
  const { page, faults } = await openPage(`${service.url}/console`, {
    viewport: { width: 1920, height: 1080 },
  })
  await shows(page, 'alpha')
  await page.locator('.freshness.live').first().waitFor()
  const size = () =>
    page
      .locator('.rows .row')
      .first()
      .evaluate((row) => Number.parseFloat(getComputedStyle(row).fontSize))
  const before = await size()
  await page.keyboard.press('w')
  await page.locator('.alarms.wall').waitFor()
  await page.waitForURL(/wall=true/)
  assert((await size()) > before, 'larger letters')
  await page.locator('nav').waitFor({ state: 'hidden' })
  for (const name of ['Options', 'Keys ?'])
    assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
  assert.equal(
    await page.locator('button:visible, input:visible, select:visible, summary:visible').count(),
    0,
  )
  await page.getByRole('list', { name: 'Levels' }).filter({ hasText: 'Critical1' }).waitFor()
  await raise(service, 'beta')
  await shows(page, 'alpha', 'beta')
  await page.locator('.wall .freshness.live').waitFor()
  await page.goto(`${service.url}/console?wall=true&q=nothing-like-it`)
  await seen(page, 'No open alarm matches the filter')
  assert.equal(await page.locator('button:visible').count(), 0)
  await page.goto(`${service.url}/console?wall=true`)
  await shows(page, 'alpha', 'beta')
  await page.keyboard.press('Escape')
  await page.locator('.alarms.wall').waitFor({ state: 'detached' })
  await shows(page, 'alpha', 'beta')
  assert.deepEqual(faults, [])
})

test(
  'the wall turns pages of what does not fit, shows zones and the time, and goes back for a critical alarm',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const zone = await service.sendJson('POST', '/ram/zone', { name: 'Harbour' })
    const zoneId = /\d+$/.exec(String(zone.headers.location))?.[0]
    await service.sendJson('POST', '/plat/res/device', { label: 'crane', ip: '192.0.2.77', zoneId })
    for (let n = 0; n < 25; n += 1) await raise(service, `device-${n}`, { alarmLevel: '3' })
    const { page, faults } = await openPage(`${service.url}/console?wall=true`, {
      viewport: { width: 1920, height: 1080 },
    })
    await seen(page, /^Page 1 of 3$/)
    assert.match(await page.locator('.wall-clock time').innerText(), /^\d\d:\d\d$/)
    await seen(page, 'one zone is quiet')
    // Letters of a height that is readable from five metres on a screen of 55 inches.
    const letters = await page
      .locator('.rows .row')
      .first()
      .evaluate((row) => Number.parseFloat(getComputedStyle(row).fontSize) / innerHeight)
    assert(letters > 0.03, `letters are ${letters} of the height`)
    const top = () => page.locator('.scroller').evaluate((element) => element.scrollTop)
    await seen(page, /^Page 2 of 3$/)
    const rowHeight = await page
      .locator('.rows .row')
      .first()
      .evaluate((row) => row.getBoundingClientRect().height)
    const scrolled = (await top()) / rowHeight
    assert(scrolled > 1 && Math.abs(scrolled - Math.round(scrolled)) < 0.05, `whole rows: ${scrolled}`)
    await raise(service, 'crane', { alarmLevel: '1', deviceIp: '192.0.2.77' })
    await seen(page, /^Page 1 of 3$/)
    await page.getByRole('list', { name: 'Zones with open alarms' }).getByText('Harbour').waitFor()
    assert.deepEqual(faults, [])
  },
)

test('the wall holds no more memory after a week of alarms than after a day', withoutBrowser(), async () => {
  const service = await startService()
  const { page, faults } = await openPage(`${service.url}/console?wall=true`)
  await page.locator('.alarms.wall .freshness.live').waitFor()
  const tools = await page.context().newCDPSession(page)
  await tools.send('HeapProfiler.enable')
  const oneDay = async () => {
    const alarms = Array.from({ length: 200 }, (_, n) => ({
      ...{ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: '2', deviceIp: '192.0.2.9', resource: String(n) },
    }))
    await service.sendJson('POST', '/fault/alarm', { alarm: alarms })
    await page.locator('.count').filter({ hasText: '200' }).waitFor()
    const { alarm } = (
      await service.get('/fault/alarm?recStatus=0&size=200', { Accept: 'application/json' })
    ).json() as {
      alarm: { id: string }[]
    }
    await service.ask('PUT', `/fault/alarm/recover?id=${alarm.map(({ id }) => id).join()}`)
    await page.locator('.rows .row').first().waitFor({ state: 'detached' })
  }
  const inUse = async () => {
    await tools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await tools.send('Runtime.getHeapUsage')
    const { nodes } = await tools.send('Memory.getDOMCounters')
    return { bytes: usedSize, nodes }
  }
  await oneDay()
  await oneDay()
  const before = await inUse()
  for (let day = 0; day < 5; day += 1) await oneDay()
  const after = await inUse()
  assert(after.bytes < before.bytes * 1.1 + 500_000, JSON.stringify([before, after]))
  assert(after.nodes < before.nodes * 1.1 + 200, JSON.stringify([before, after]))
  assert.deepEqual(faults, [])
})
