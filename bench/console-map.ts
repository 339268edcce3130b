// The map of the console with very many devices, in a real browser: until it is drawn, and how it moves.

import type { Page } from 'playwright-core'
import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { launchChromium } from '../test/console/chromium.ts'
import type { Stage } from './frame.ts'
import { sampleNetwork } from './map-network.ts'
import { stopwatch } from './stopwatch.ts'
import { at, type Line, whole } from './table.ts'

interface MapPlan {
  readonly devices: number
  readonly openings: number
  readonly moves: number
}

/** One device in twenty has an alarm. */
async function fillMap(url: string, count: number): Promise<void> {
  const devices = sampleNetwork(count)
  const send = async (path: string, type: string, body: string) => {
    const answer = await fetch(url + path, { method: 'POST', headers: { 'Content-Type': type }, body })
    if (!answer.ok) throw new Error(await answer.text())
    await answer.arrayBuffer()
  }
  const zones = [...new Set(devices.map(({ zoneId }) => zoneId))].slice(1)
  await send(
    '/plat/data/zone',
    'text/csv',
    ['zoneId,name', ...zones.map((id) => `${id},Site ${id}`)].join('\n'),
  )
  const parents = [1, 2].map((n) => `parent[${n}]/deviceId,parent[${n}]/ifIndex`).join()
  const rows = devices.map(({ id, label, zoneId, typeName, parents: [one = '', other = ''] }) =>
    [id, `10.0.${id >> 8}.${id & 255}`, label, typeName, zoneId, one, one && 1, other, other && 2].join(),
  )
  await send('/plat/data/device', 'text/csv', [`id,ip,label,typeName,zoneId,${parents}`, ...rows].join('\n'))
  const alarm = devices
    .filter((_, index) => index % 20 === 7)
    .map(({ id }) => ({
      ...{ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 1 + (id % 4), deviceId: id, alarmDesc: 'It has failed' },
    }))
  await send('/fault/alarm', 'application/json', JSON.stringify({ alarm }))
}

/** In the page: whether devices are drawn yet, which only the pixels of the canvas say. */
const isDrawn = `(() => {
  const canvas = document.querySelector('canvas')
  const context = canvas?.getContext('2d')
  if (!context || canvas.width < 2) return false
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  const colours = new Set()
  for (let at = 0; at < data.length && colours.size < 20; at += 4 * 97) colours.add(data[at] * 65536 + data[at + 1] * 256 + data[at + 2])
  return colours.size >= 20
})()`

/** Milliseconds between the answer with the devices and the picture, and from the beginning of the navigation. */
async function openMap(page: Page, url: string): Promise<{ laidOut: number; shown: number }> {
  await page.goto(`${url}/console/map`)
  await page.locator('canvas').waitFor()
  await page.evaluate(`(async () => { while (!${isDrawn}) await new Promise(requestAnimationFrame) })()`)
  return page.evaluate(`(() => {
    const shown = performance.now()
    const [answer] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/plat/topology'))
    return { shown, laidOut: shown - answer.responseEnd }
  })()`)
}

/** Milliseconds between pictures while the map is dragged, at the scale it has. */
const drag = (page: Page, frames: number): Promise<number[]> =>
  page.evaluate(`(async () => {
    const canvas = document.querySelector('canvas')
    const { left, top, width, height } = canvas.getBoundingClientRect()
    const send = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, {
      bubbles: true, pointerId: 1, button: 0, buttons: 1, clientX: left + x, clientY: top + y }))
    canvas.setPointerCapture = () => undefined
    const times = []
    send('pointerdown', width / 2, height / 2)
    let before = performance.now()
    for (let n = 1; n <= ${frames}; n += 1) {
      send('pointermove', width / 2 + 160 * Math.sin(n / 12), height / 2 + 90 * Math.sin(n / 7))
      await new Promise(requestAnimationFrame)
      const now = performance.now()
      times.push(now - before)
      before = now
    }
    send('pointerup', width / 2, height / 2)
    return times
  })()`)

export async function onMap({ plan, folder }: Stage<MapPlan>): Promise<Line[]> {
  const app = await startApp(readConfig({ data: folder, listen: '127.0.0.1:0', traps: '127.0.0.1:0' }, {}))
  const browser = await launchChromium()
  try {
    await fillMap(app.url, plan.devices)
    await app.prepareConsole()
    const laidOut: number[] = []
    const shown: number[] = []
    for (let n = 0; n < plan.openings; n += 1) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      const times = await openMap(page, app.url)
      laidOut.push(times.laidOut)
      shown.push(times.shown)
      await page.close()
    }
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await openMap(page, app.url)
    const spent = await stopwatch(page)
    await spent()
    const all = await drag(page, plan.moves)
    const allSpent = (await spent()) / plan.moves
    for (let n = 0; n < 8; n += 1) await page.getByRole('button', { name: 'Larger' }).click()
    await spent()
    const near = await drag(page, plan.moves)
    const nearSpent = (await spent()) / plan.moves
    const ms = (value: number) => `${Math.round(value)} ms`
    const line = (work: string, here: string, yardstick = ''): Line => ({ work, here, yardstick })
    return [
      line('devices on the map', whole(plan.devices)),
      line(`from the answer to the picture, median of ${laidOut.length}`, ms(at(laidOut, 0.5)), '2000 ms'),
      line('— the slowest', ms(Math.max(...laidOut)), '2000 ms'),
      line('from the beginning of the navigation, median', ms(at(shown, 0.5))),
      line('frame while all of it is dragged, median', ms(at(all, 0.5)), '33 ms'),
      line('— 95 %', ms(at(all, 0.95)), '33 ms'),
      line('— processor time of the page', ms(allSpent), '33 ms'),
      line('frame while a near part is dragged, median', ms(at(near, 0.5)), '33 ms'),
      line('— 95 %', ms(at(near, 0.95)), '33 ms'),
      line('— processor time of the page', ms(nearSpent), '33 ms'),
    ]
  } finally {
    await browser.close()
    await app.stop()
  }
}
