// Details of the layout: signing out stays visible at the end of the menu, a phone shows the state of alarms, a new window or
// rule shows no errors before anything is typed, and the list of traps follows new ones.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { idOf } from '../http/reading.ts'
import { ifIndex, linkDown, device as sender, v2c } from '../intake/sending.ts'
import { EventReader } from '../push/reader.ts'
import { startService } from '../support.ts'
import { choose, openPage, seen, withoutBrowser } from './browser.ts'

test(
  'signing out is in sight however low the window is, and keys lead to the last link of the menu',
  withoutBrowser(),
  async () => {
    const service = await startService({}, { adminPassword: 'correct horse battery' })
    const { page, faults } = await openPage(`${service.url}/console`, {
      viewport: { width: 1280, height: 600 },
    })
    await page.getByLabel('Name').fill('admin')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign in' }).click()
    const out = page.getByRole('button', { name: 'Sign out' })
    await out.waitFor()
    const box = await out.boundingBox()
    assert(box && box.y + box.height <= 600, `at ${box?.y}`)
    await page.getByRole('button', { name: 'Administration' }).click()
    const last = page.getByRole('link', { name: 'Settings' })
    await last.focus()
    const [link, foot] = [await last.boundingBox(), await page.locator('.menu-foot').boundingBox()]
    assert(link && foot && link.y + link.height <= foot.y + 1, 'the link is behind the foot')
    await page.getByRole('button', { name: 'Administration' }).click()
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.waitForFunction(() => innerHeight === 800)
    const hidden = await page.locator('.menu').evaluate((menu) => menu.scrollHeight - menu.clientHeight)
    assert(hidden <= 0, `${hidden} pixels of the menu are out of sight at a height of 800`)
    assert.deepEqual(faults, [])
  },
)

test(
  'a new maintenance window says what is missing as a hint, and shows an error only when something is wrong',
  withoutBrowser(),
  async () => {
    const service = await startService()
    await service.sendJson('POST', '/ram/zone', { name: 'harbour' })
    const { page, faults } = await openPage(`${service.url}/console/zones`)
    const runs: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/dryRun')) runs.push(request.postData() ?? '')
    })
    await page.goto(`${service.url}/console/window/new`)
    await seen(page, /Choose what it covers/)
    assert.equal(await page.getByRole('button', { name: 'Save' }).isEnabled(), false)
    assert.equal(await page.locator('.field-error').count(), 0)
    await choose(page.getByLabel('Zones'), 'harbour')
    await page.locator('.dry-run .outcome').waitFor()
    assert.equal(runs.length, 1, 'nothing is tried before it covers something')
    await page.getByRole('button', { name: 'From now' }).click()
    await page.getByLabel('Minutes').fill('-5')
    await page.locator('.field-error').waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'a new rule says what is missing as a hint, and shows an error only when something is wrong',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/rule/new`)
    await seen(page, /Choose an event/)
    assert.equal(await page.locator('.field-error, .remarks').count(), 0)
    await page.getByLabel('Event OID').fill(linkDown)
    await seen(page, /would have filtered nothing/)
    await page.getByLabel('From', { exact: true }).fill('late')
    await seen(page, /As it stands it cannot be saved/)
    assert.deepEqual(faults, [])
  },
)

test('the list of traps is read again by itself, and says when', withoutBrowser(), async () => {
  const service = await startService()
  const { page, faults } = await openPage(`${service.url}/console/traps`)
  await seen(page, /^As of \d\d:\d\d:\d\d/)
  await (await sender(service.trapPort)).send(v2c(linkDown, [ifIndex(7)]))
  await page.getByRole('table').getByText('raised an alarm').waitFor()
  assert.deepEqual(faults, [])
})

test('a client says what it has been given in words, its position on hover', withoutBrowser(), async () => {
  const service = await startService()
  const reader = await EventReader.open(service.url, 'type=11&uuid=wall')
  after(() => reader.close())
  const { page, faults } = await openPage(`${service.url}/console/clients`)
  await seen(page, /^(nothing yet|all up to change \d+)$/)
  await page
    .getByTitle(/^Position \d+:\d+: changes of alarms are numbered/)
    .first()
    .waitFor()
  assert.deepEqual(faults, [])
})

test(
  'on a phone each alarm shows its state and who has it, and nothing is wider than the screen',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const raise = async (resource: string) =>
      idOf(
        await service.sendJson('POST', '/fault/alarm', {
          OID: '1.3.6.1.4.1.32473.9.1',
          alarmLevel: 2,
          deviceIp: '192.0.2.1',
          deviceName: 'a device with a name that is rather long',
          alarmDesc: 'something is wrong that takes more words than a phone is wide',
          resource,
        }),
      )
    const [, acknowledged, owned, both] = [
      await raise('a'),
      await raise('b'),
      await raise('c'),
      await raise('d'),
    ]
    for (const id of [acknowledged, both]) await service.ask('PUT', `/fault/alarm/acknowledge/${id}`)
    for (const id of [owned, both])
      await service.sendJson('PUT', `/fault/alarm/assign/${id}`, { owner: 'veronica-of-the-night-shift' })
    const { page, faults } = await openPage(`${service.url}/console`, {
      viewport: { width: 390, height: 780 },
    })
    for (const text of ['New', 'Acknowledged', /^With veronica/, /^Ack\., with veronica/])
      await page.locator('.rows .c-state').getByText(text).waitFor()
    const wide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('.scroller')].map(
        (element) => element.scrollWidth - element.clientWidth,
      ),
    )
    assert.deepEqual(wide, [0, 0])
    assert.deepEqual(faults, [])
  },
)
