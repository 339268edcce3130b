// The first screenful of alarms: shown before the whole list is read, and marked as incomplete.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

async function raise(service: TestService, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    const answer = await service.sendJson('POST', '/fault/alarm', {
      OID: '1.3.6.1.4.1.32473.9.1',
      alarmLevel: n === 3 ? 1 : 2,
      deviceName: `device-${n}`,
      deviceIp: `192.0.2.${n}`,
      alarmDesc: `number ${n}`,
      resource: `n=${n}`,
    })
    assert.equal(answer.status, 201, answer.text)
  }
}

test(
  'rows are to be seen before the whole list is there, and nothing is counted until then',
  withoutBrowser(),
  async () => {
    const service = await startService()
    await raise(service, 6)
    const { page, faults } = await openPage('about:blank')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/events?*', async (route) => {
      await held
      await route.continue()
    })
    const details: string[] = []
    page.on('request', (request) => request.url().includes('?id=') && details.push(request.url()))
    await page.goto(`${service.url}/console`)
    // The most severe first, then the newest: the order that the whole list has.
    await page.locator('.rows .row').nth(5).waitFor()
    const order = () => page.locator('.rows .c-text').allTextContents()
    const first = await order()
    assert.deepEqual(
      first.map((text) => text.trim()),
      [3, 6, 5, 4, 2, 1].map((n) => `number ${n}`),
    )
    await seen(page, '6 alarms so far')
    await page.getByRole('button', { name: /Critical.*not counted yet/ }).waitFor()
    assert.equal(await page.locator('.freshness.live').count(), 0)
    // One of them ends, and another is raised, before the list is read.
    await service.sendJson('PUT', '/fault/alarm/recover/2', {})
    release()
    await page.locator('.freshness.live').first().waitFor()
    await seen(page, /^\d alarms$/)
    await page.getByText('number 2', { exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /Critical\s*1$/ }).waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'an address whose filter the first request cannot answer waits for the list, and shows no counts',
  withoutBrowser(),
  async () => {
    const service = await startService()
    await raise(service, 2)
    const { page, faults } = await openPage(`${service.url}/console?q=device-2`)
    await page.locator('.freshness.live').first().waitFor()
    await seen(page, '1 of 2 alarms')
    await page.waitForFunction(() => document.querySelectorAll('.rows .row').length === 1)
    assert.deepEqual(faults, [])
  },
)
