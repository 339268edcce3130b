// Alarms come in while somebody works in the list: rows hold still under the pointer, and every click is for the alarm it
// was aimed at.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService, type TestService } from '../support.ts'
import { openPage, withoutBrowser } from './browser.ts'

const raise = (service: TestService, resource: string, alarmLevel: number) =>
  service.sendJson('POST', '/fault/alarm', {
    ...{ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel, alarmCategory: 4, alarmDesc: `Fault ${resource}` },
    ...{ deviceIp: '192.0.2.9', deviceName: 'room', resource },
  })

/** New critical alarms, each of which comes first in the list, until the test is over. */
function startStorm(service: TestService): { stop: () => Promise<void> } {
  let isOver = false
  const storm = (async () => {
    for (let count = 0; !isOver; count += 1) {
      // The service ends with the test.
      await raise(service, `storm ${count}`, 1).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  })()
  const stop = () => {
    isOver = true
    return storm
  }
  after(stop)
  return { stop }
}

/** Once the pointer is seen to be there: what somebody aims at has been drawn. */
const rowAt = (page: Page, x: number, y: number) =>
  page.evaluate(
    async ([left = 0, top = 0]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      await frame()
      await frame()
      return document.elementFromPoint(left, top)?.closest('.row')?.id ?? ''
    },
    [x, y],
  )

const topOfTable = (page: Page) =>
  page.evaluate(() => document.querySelector('.scroller')?.getBoundingClientRect().top)

async function openList(service: TestService) {
  for (let count = 0; count < 40; count += 1) await raise(service, `before ${count}`, 2)
  const opened = await openPage(`${service.url}/console`)
  await opened.page.getByText('Live').first().waitFor()
  await opened.page.locator('.rows .row').nth(20).waitFor()
  const box = await opened.page.locator('.rows').boundingBox()
  assert(box)
  return { ...opened, box }
}

const order = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('.rows .row')].map(({ id }) => id))

/** As long as people take to press after they have aimed. */
const reaction = 80

test(
  '200 clicks during a storm: none ticks or opens another alarm than it aimed at',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults, box } = await openList(service)
    const top = await topOfTable(page)
    startStorm(service)
    const wrong: string[] = []
    for (let count = 0; count < 200; count += 1) {
      const opens = count % 20 === 19
      const [x, y] = [box.x + (opens ? 420 : 22), box.y + 60 + (count % 13) * 34]
      // Away and back: meanwhile the list goes on.
      await page.mouse.move(box.x + 300, 5)
      await page.mouse.move(x, y, { steps: 3 })
      const aimed = await rowAt(page, x, y)
      await page.waitForTimeout(reaction)
      await page.mouse.click(x, y)
      if (opens) {
        await page.waitForURL(/\/alarm\/\d+/)
        const opened = `row-${/\/alarm\/(\d+)/.exec(page.url())?.[1]}`
        if (opened !== aimed) wrong.push(`aimed at ${aimed}, opened ${opened}`)
        await page.goBack()
        await page.locator('.rows .row').first().waitFor()
      } else {
        // Found and read in one step: an element may be reused for another row when the bar of actions comes.
        const ticked = await page.evaluate(() =>
          [...document.querySelectorAll('.rows .row.selected')].map(({ id }) => id),
        )
        if (ticked.join() !== aimed) wrong.push(`aimed at ${aimed}, ticked ${ticked.join()}`)
        await page.keyboard.press('Escape')
        await page.waitForFunction(() => !document.querySelector('.rows .selected'))
      }
    }
    assert.deepEqual(wrong, [])
    assert.equal(await topOfTable(page), top, 'growing numbers above the table do not move it')
    assert.deepEqual(faults, [])
  },
)

test(
  'rows hold still under the pointer, those that end too; a button says how many are new, and lets them in',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults, box } = await openList(service)
    await page.mouse.move(box.x + 420, box.y + 100)
    const before = await order(page)
    const id = before[3]?.slice('row-'.length)
    for (const one of ['a', 'b', 'c']) await raise(service, one, 1)
    await service.ask('PUT', `/fault/alarm/recover/${id}`)
    const news = page.getByRole('button', { name: '3 new' })
    await news.waitFor()
    await page.locator(`#row-${id}`, { hasText: 'Over' }).waitFor()
    assert.deepEqual(await order(page), before)
    // Longer than a row that is over stays otherwise.
    await page.waitForTimeout(9000)
    assert.deepEqual(await order(page), before)
    await news.click()
    await page.locator('.rows').getByText('Fault a').waitFor()
    assert.equal(await page.getByText(/\d+ new/).count(), 0)
    assert.equal(await page.locator(`#row-${id}`).count(), 0)
    await raise(service, 'd', 1)
    await page.getByRole('button', { name: '1 new' }).waitFor()
    await page.mouse.move(5, 5)
    await page.locator('.rows').getByText('Fault d').waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'rows that are there before the rest of the list hold still too, and the rest comes in below them',
  withoutBrowser(),
  async () => {
    const service = await startService()
    for (let count = 0; count < 60; count += 1) await raise(service, `before ${count}`, 2)
    await raise(service, 'last', 4)
    const { page, faults } = await openPage('about:blank')
    const loading = Promise.withResolvers<void>()
    await page.route('**/events?*', async (route) => {
      await loading.promise
      await route.continue()
    })
    await page.goto(`${service.url}/console`)
    await page.locator('.rows .row').nth(20).waitFor()
    const box = await page.locator('.rows').boundingBox()
    assert(box)
    await page.mouse.move(box.x + 420, box.y + 100)
    const before = await order(page)
    for (const one of ['a', 'b']) await raise(service, one, 1)
    loading.resolve()
    await page.getByRole('button', { name: '2 new' }).waitFor()
    assert.deepEqual((await order(page)).slice(0, before.length), before)
    await page.keyboard.press('End')
    await page.locator('.rows').getByText('Fault last').waitFor()
    await page.getByRole('button', { name: '2 new' }).click()
    await page.keyboard.press('Home')
    await page.locator('.rows').getByText('Fault a').waitFor()
    assert.deepEqual(faults, [])
  },
)
