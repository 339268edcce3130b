// The console in a real browser with ten thousand open alarms: frames while scrolling, time from a change to the screen,
// the first alarm, the bytes of the first page, presses during a storm and what moves by itself; and a map of many devices.

import type { Browser, Page } from 'playwright-core'
import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { launchChromium } from '../test/console/chromium.ts'
import { onMap } from './console-map.ts'
import { benchmark, type Stage } from './frame.ts'
import { stopwatch } from './stopwatch.ts'
import { at, type Line, whole } from './table.ts'

const raise = (url: string, fields: Record<string, string>) =>
  fetch(`${url}/fault/alarm`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: '2', ...fields }),
  })

async function fill(url: string, count: number): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let n = next++; n < count; n = next++) {
      const answer = await raise(url, {
        alarmLevel: String(1 + (n % 5)),
        deviceName: `device-${n}`,
        deviceIp: `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
        alarmDesc: `Interface GigabitEthernet1/0/${n % 48} is down: the far end does not answer`,
        resource: `n=${n}`,
      })
      if (!answer.ok) throw new Error(await answer.text())
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

// As texts: they run in the page, which knows other things than the rest of this file.

/** Notes when the first row is in the page, and when the frame that shows it has been made. */
const noteFirstRow = `(() => {
  const times = window.firstRow = {}
  const watch = new MutationObserver(() => {
    if (!document.querySelector('.rows .row')) return
    watch.disconnect()
    times.there = performance.now()
    requestAnimationFrame(() => requestAnimationFrame(() => { times.shown = performance.now() }))
  })
  watch.observe(document, { childList: true, subtree: true })
})()`

/** Milliseconds between pictures while the table moves by so many pixels each time. */
const scroll = (page: Page, frames: number, by: number): Promise<number[]> =>
  page.evaluate(`(async () => {
    const element = document.querySelector('.scroller')
    const times = []
    let before = performance.now()
    for (let n = 0; n < ${frames}; n += 1) {
      element.scrollTop = n * ${by}
      await new Promise(requestAnimationFrame)
      const now = performance.now()
      times.push(now - before)
      before = now
    }
    element.scrollTop = 0
    return times
  })()`)

/**
 * What the browser alone needs: a page without any code that looks the same, of as many rows as `height` pixels hold.
 * What is longer than a frame there is so without the console, too.
 */
async function openStill(browser: Browser, shown: Page, height: number): Promise<Page> {
  const content: string = await shown.evaluate(`(async () => {
    const style = await (await fetch(document.querySelector('link[rel=stylesheet]').href)).text()
    const rows = [...document.querySelectorAll('.rows .row')]
    const count = Math.ceil(${height} / rows[0].offsetHeight)
    const text = rows.map((row) => {
      const still = row.cloneNode(true)
      still.style.transform = 'none'
      still.style.position = 'relative'
      return still.outerHTML
    })
    const frame = document.querySelector('.frame').cloneNode(true)
    const still = frame.querySelector('.rows')
    still.style.height = 'auto'
    still.replaceChildren('ROWS')
    return '<!doctype html><style>' + style + '</style><div id="console">' + frame.outerHTML.replace('ROWS',
      Array.from({ length: count }, (_, n) => text[n % text.length]).join('')) + '</div>'
  })()`)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.setContent(content)
  return page
}

/** From the answer to the request that raised an alarm to the picture that shows it. */
async function changeToScreen(page: Page, url: string, n: number): Promise<number> {
  const name = `probe-${n}-${Date.now()}`
  const seen: Promise<number> = page.evaluate(`new Promise((resolve) => {
    const check = () =>
      [...document.querySelectorAll('.rows .c-device')].some((cell) => cell.textContent === '${name}')
        ? resolve(Date.now())
        : requestAnimationFrame(check)
    check()
  })`)
  await raise(url, {
    alarmLevel: '1',
    deviceName: name,
    deviceIp: '192.0.2.1',
    resource: name,
    alarmDesc: 'probe',
  })
  const answered = Date.now()
  return Math.max(0, (await seen) - answered)
}

/** Pixels in a frame: 6000 a second is a quick hand, and nobody reads at half a screen each. */
const quickHand = 100
const halfScreen = 400

/** How long each frame took while a quick hand scrolls, and how much of it the thread of the page worked, on average. */
async function scrolled(page: Page, moves: number): Promise<{ times: number[]; spent: number }> {
  await page.bringToFront()
  await scroll(page, 20, quickHand)
  const spent = await stopwatch(page)
  await spent()
  const times = await scroll(page, moves, quickHand)
  return { times, spent: (await spent()) / moves }
}

interface FirstLook {
  /** Milliseconds from the beginning of the navigation, by the clock of the page. */
  readonly shown: number
  /** Until all alarms are there, and how much processor time the page took for it. */
  readonly live: number
  readonly liveSpent: number
}

/** Somebody who has never been here opens the console. */
async function open(browser: Browser, url: string): Promise<FirstLook & { page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const spent = await stopwatch(page)
  await page.addInitScript(noteFirstRow)
  await page.addInitScript(noteCalm)
  const began = Date.now()
  await page.goto(`${url}/console`)
  await page.locator('.freshness.live').first().waitFor({ timeout: 120_000 })
  const live = Date.now() - began
  const { shown }: { shown: number } = await page.evaluate('window.firstRow')
  return { page, shown, live, liveSpent: await spent() }
}

/** Notes what moves by itself, and how long each press takes until the next picture. */
const noteCalm = `(() => {
  const calm = (window.calm = { shift: 0, presses: new Map() })
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) calm.shift += value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) calm.presses.set(interactionId, Math.max(duration, calm.presses.get(interactionId) ?? 0))
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 })
})()`

interface Storm {
  /** Milliseconds from a press to the next picture. Presses that took less than 16 count as 16. */
  readonly presses: number[]
  readonly shift: number
  readonly perSecond: number
}

/** A person works while alarms come in: selects rows, opens the panel of columns and closes it, types a filter. */
async function inStorm(page: Page, url: string, rounds: number): Promise<Storm> {
  await page.bringToFront()
  const over = new AbortController()
  const began = Date.now()
  let raised = 0
  const storm = (async () => {
    while (!over.signal.aborted) {
      raised += 1
      const due = began + raised * (1000 / stormRate)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - Date.now())))
      const resource = `storm ${raised}`
      await (await raise(url, { deviceIp: '192.0.2.7', resource, alarmDesc: resource })).arrayBuffer()
    }
  })()
  let pressed = 0
  for (let n = 0; n < rounds; n += 1) {
    for (const key of ['j', 'j', 'x', 'k', 'x']) {
      await page.keyboard.press(key)
      await page.waitForTimeout(60)
    }
    await page
      .locator('.rows .row')
      .nth(n % 10)
      .hover()
    await page.locator('#alarm-search').click()
    await page.keyboard.type('ra')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Escape')
    await page.locator('h1').first().click()
    pressed += 11
  }
  over.abort()
  await storm
  const perSecond = raised / ((Date.now() - began) / 1000)
  const seen: { shift: number; presses: number[] } = await page.evaluate(
    '({ shift: window.calm.shift, presses: [...window.calm.presses.values()] })',
  )
  const quick = Array.from({ length: Math.max(0, pressed - seen.presses.length) }, () => 16)
  return { presses: [...seen.presses, ...quick], shift: seen.shift, perSecond }
}

/** Alarms a second. */
const stormRate = 50

const full = { count: 10_000, openings: 10, moves: 240, changes: 20, rounds: 20, devices: 2000 }
const quick = { count: 2000, openings: 3, moves: 60, changes: 5, rounds: 4, devices: 2000 }

async function inBrowser({ plan, folder }: Stage<typeof full>): Promise<Line[]> {
  const { count, moves } = plan
  const config = readConfig({ data: folder, listen: '127.0.0.1:0', traps: '127.0.0.1:0' }, {})
  let app = await startApp(config)
  const browser = await launchChromium()
  try {
    await fill(app.url, count)
    await app.stop()
    app = await startApp(config)
    await app.prepareConsole()
    const openings: number[] = []
    for (let n = 0; n < plan.openings; n += 1) {
      const { page: again, shown } = await open(browser, app.url)
      await again.context().close()
      openings.push(shown)
    }
    const [cold = 0] = openings
    const { page, live, liveSpent } = await open(browser, app.url)
    const spent = await stopwatch(page)
    const bytes: number =
      await page.evaluate(`[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(({ name }) => /console(\\/files|$)/.test(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)
    const still = await openStill(browser, page, (moves + 10) * quickHand)
    const stillFrames = await scrolled(still, moves)
    await still.context().close()
    const frames = await scrolled(page, moves)
    await spent()
    await scroll(page, moves, halfScreen)
    const leapSpent = (await spent()) / moves
    const changes: number[] = []
    for (let n = 0; n < plan.changes; n += 1) changes.push(await changeToScreen(page, app.url, n))
    const changeSpent = (await spent()) / changes.length
    const storm = await inStorm(page, app.url, plan.rounds)
    const ms = (value: number) => `${Math.round(value)} ms`
    const line = (work: string, here: string, yardstick = ''): Line => ({ work, here, yardstick })
    return [
      line('open alarms', whole(count)),
      line('row elements', String(await page.locator('.rows .row').count())),
      line('first page, compressed', `${Math.round(bytes / 1000)} kB`, '150 kB'),
      line(`first alarm on the screen, median of ${openings.length}`, ms(at(openings, 0.5)), '1000 ms'),
      line('— the slowest', ms(Math.max(...openings)), '1000 ms'),
      line('— the first since the service started', ms(cold), '1000 ms'),
      line('all alarms, live', ms(live)),
      line('— processor time of the page', ms(liveSpent)),
      line('frame while scrolling, median', ms(at(frames.times, 0.5)), ms(at(stillFrames.times, 0.5))),
      line('frame while scrolling, 95 %', ms(at(frames.times, 0.95)), ms(at(stillFrames.times, 0.95))),
      line('— processor time of the page', ms(frames.spent), ms(stillFrames.spent)),
      line('— by half a screen in each frame', ms(leapSpent)),
      line('change to screen, median', ms(at(changes, 0.5)), '100 ms'),
      line('change to screen, 95 %', ms(at(changes, 0.95))),
      line('— processor time of the page', ms(changeSpent), '100 ms'),
      line(
        `press to picture, ${Math.round(storm.perSecond)} alarms a second, median`,
        ms(at(storm.presses, 0.5)),
      ),
      line(`— 95 % of ${storm.presses.length}`, ms(at(storm.presses, 0.95)), '200 ms'),
      line('layout shift, all of it together', storm.shift.toFixed(4), '0'),
    ]
  } finally {
    await browser.close()
    await app.stop()
  }
}

const meaning = [
  'From the beginning of the navigation to the frame that shows the alarm, by the clock of the page.',
  'The service that has just started has made its files ready, as it does by itself a quarter of a minute after its start.',
  'Without a graphics card: the processor draws the pictures, too.',
  'Beside scrolling: the same rows on a page without any code, which shows what the browser alone needs.',
  'The other yardsticks are what the console promises on a machine that has nothing else to do.',
]

export default benchmark({
  summary:
    'frames while scrolling 10,000 alarms, change to screen, first page; a map of 2,000 devices; in Chromium',
  title: 'The console with many open alarms and many devices, in Chromium',
  meaning,
  full,
  quick,
  parts: { console: inBrowser, map: onMap },
})
