// Messages of the page: changes that were missed, the number of alarms, clients that lag, and first steps.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../src/app.ts'
import { EventReader } from '../push/reader.ts'
import { sendRequest, startService, type TestService, temporaryFolder, testConfig } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

const raise = (service: Pick<TestService, 'sendJson'>, resource: string, alarmLevel = '2') =>
  service.sendJson('POST', '/fault/alarm', {
    OID: '1.3.6.1.4.1.32473.9.1',
    alarmLevel,
    deviceIp: '192.0.2.1',
    resource,
    alarmDesc: `${resource} is broken`,
  })

test(
  'changes that cannot be delivered are a gap, which the page shows until it was read',
  withoutBrowser(),
  async () => {
    const first = await startApp(testConfig({ data: temporaryFolder() }))
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 3, alarmDesc: 'all began here' })
    await sendRequest(first.url, 'POST', '/fault/alarm', { headers, body })
    const { page, faults } = await openPage(`${first.url}/console`)
    await seen(page, 'all began here')
    // The first rows are shown before the stream is open, and only the stream has a position to resume from.
    await page.locator('.freshness.live').first().waitFor()
    await first.stop()
    await page.locator('.banner.stale').waitFor()
    // Another store at the same address: it does not know the page's position.
    const listen = new URL(first.url).host
    const second = await startService({ listen })
    await raise(second, 'pump')
    const gap = page.locator('.banner.gap')
    await gap.getByText(/At \d\d:\d\d:\d\d some changes could not be delivered/).waitFor()
    await seen(page, 'pump is broken')
    await page.getByText('all began here').waitFor({ state: 'detached' })
    await page.locator('.freshness.live').first().waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await gap.getByRole('button', { name: 'I have read this' }).click()
    await gap.waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  },
)

suite('the page', withoutBrowser(), async () => {
  const service = await startService()

  test('an empty list says how to begin, or that all alarms are over', async () => {
    const { page, faults } = await openPage(`${service.url}/console`)
    await seen(page, 'Nothing has reported yet')
    await seen(page, /^SNMP traps are received on 127\.0\.0\.1/)
    await seen(page, /^Only programs on this machine can send there/)
    assert.equal(await page.locator('.empty.good').count(), 0, 'and does not say that all is well')
    await raise(service, 'pump')
    await seen(page, 'pump is broken')
    await service.ask('PUT', '/fault/alarm/recover?recStatus=0')
    await seen(page, 'Nothing is wrong')
    await page.getByRole('link', { name: 'What was wrong before' }).click()
    await seen(page, 'pump is broken')
    assert.equal(await page.getByText('Nothing has reported yet').count(), 0)
    assert.deepEqual(faults, [])
  })

  test('announces how many alarms there are, politely and now and then, and not each row', async () => {
    for (const [resource, level] of [
      ['fan', '1'],
      ['door', '2'],
    ])
      await raise(service, resource ?? '', level)
    const { page, faults } = await openPage('about:blank')
    await page.clock.install()
    await page.goto(`${service.url}/console`)
    const summary = page.locator('.alarms > [aria-live=polite]')
    await summary.getByText('2 alarms shown, 1 of them critical', { exact: true }).waitFor()
    await summary.evaluate((element) => {
      const noted = { announced: 0 }
      Object.assign(window, noted)
      new MutationObserver(() => {
        ;(window as unknown as typeof noted).announced += 1
      }).observe(element, { subtree: true, childList: true, characterData: true })
    })
    for (const name of ['lamp', 'lock', 'gate', 'mast']) await raise(service, name, '1')
    await page.getByText('mast is broken').waitFor()
    const announced = await page.evaluate(() => (window as unknown as { announced: number }).announced)
    assert(announced <= 1, `${announced} times for four alarms`)
    await page.clock.fastForward(35_000)
    await summary.getByText('6 alarms shown, 5 of them critical', { exact: true }).waitFor()
    const rows = page.locator('[aria-live] .row, .row [aria-live], [role=alert] .row')
    assert.equal(await rows.count(), 0)
    assert.deepEqual(faults, [])
  })

  test('moves nothing for those who want no motion; a new row stands out for others', async () => {
    for (const [reducedMotion, animation] of [
      ['reduce', 'none'],
      ['no-preference', 'fresh'],
    ] as const) {
      const { page } = await openPage(`${service.url}/console`, { reducedMotion })
      await page.locator('.freshness.live').first().waitFor()
      // A row is marked as new for four seconds, which may be over before the test has looked.
      const fresh = async (attempt: number): Promise<string> => {
        await raise(service, `new-${reducedMotion}-${attempt}`)
        const seen = await page
          .waitForFunction(
            () => {
              const row = document.querySelector('.row.fresh')
              return row && getComputedStyle(row).animationName
            },
            undefined,
            { timeout: 4000 },
          )
          .catch(() => undefined)
        return seen ? String(await seen.jsonValue()) : fresh(attempt + 1)
      }
      assert.equal(await fresh(1), animation)
      const moving = await page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .filter((element) => {
            const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(element)
            const isInstant = transitionDuration.split(', ').every((time) => time === '0s')
            return animationName !== 'none' || !isInstant || scrollBehavior === 'smooth'
          })
          .map(({ className }) => String(className)),
      )
      if (reducedMotion === 'reduce') assert.deepEqual(moving, [])
    }
  })

  test('alarms that are over are no longer selected: keys act on the others', async () => {
    const { page, faults } = await openPage(`${service.url}/console?q=gone`)
    await raise(service, 'gone', '1')
    await page.locator('.rows .row').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await seen(page, '1 selected')
    await service.ask('PUT', '/fault/alarm/recover?alarmLevel=1&recStatus=0')
    await page.getByText('1 selected').waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })

  test('names clients that are behind on the overview', async () => {
    const reader = await EventReader.open(service.url, 'type=11&uuid=sleeper')
    reader.close()
    const { page, faults } = await openPage(`${service.url}/console/overview`)
    const clients = page.locator('.part', {
      has: page.getByRole('heading', { name: 'Clients', exact: true }),
    })
    await clients.getByText('The one client is up to date.').waitFor()
    for (const name of ['one', 'two', 'three']) await raise(service, name)
    // As if that had been so for an hour.
    await service.database.transaction((tx) => tx.run('update alarm_log set at = at - 3600000', []))
    await page.reload()
    await clients.getByText('One client is behind').waitFor()
    await clients.getByText('sleeper').waitFor()
    await clients.getByText(/^[3-9] changes behind, 1 h/).waitFor()
    assert.deepEqual(faults, [])
  })
})
