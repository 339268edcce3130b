// What pages say, in a real browser: labels in place of names of fields, names in place of numbers, as many digits as
// mean something.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { idOf } from '../http/reading.ts'
import { ifIndex, linkDown, linkUp, device as sender, until, v2c } from '../intake/sending.ts'
import { startService, temporaryFolder } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

test('a file that is no module is refused in words, and others are loaded', withoutBrowser(), async () => {
  const service = await startService()
  const folder = temporaryFolder()
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const files = [
    write('shopping.txt', 'bread, milk and two eggs'),
    write('BELL-MIB.txt', 'BELL-MIB DEFINITIONS ::= BEGIN\nEND'),
  ]
  const { page, faults } = await openPage(`${service.url}/console/modules`)
  await page.locator('input[type=file]').setInputFiles(files)
  await seen(page, 'shopping.txt contains no module.')
  await seen(page, '1 module loaded')
  await page.getByRole('cell', { name: 'BELL-MIB', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

test('a refusal speaks of the labels on the page, and marks the field', withoutBrowser(), async () => {
  const service = await startService()
  const { page, faults } = await openPage(`${service.url}/console/event`, { bypassCSP: true })
  await page.getByLabel('Name', { exact: true }).fill('doorOpened')
  await page.getByRole('button', { name: 'Save' }).click()
  const oid = page.locator('#field-eventOid')
  await page.waitForFunction(() => document.activeElement?.id === 'field-eventOid')
  assert.equal(await oid.getAttribute('aria-invalid'), 'true')
  const said = await page.locator('#eventOid-error').textContent()
  assert.match(said ?? '', /^OID is required/)
  await page.goto(`${service.url}/console/rule/new`)
  await page.getByLabel('Every trap').check()
  await page.locator('#start-time').fill('25:99')
  const error = page.locator('.dry-run .field-error')
  await error.waitFor()
  assert.match((await error.textContent()) ?? '', /From: "25:99" is not accepted/)
  assert.equal(await page.locator('#start-time').getAttribute('aria-invalid'), 'true')
  await page.locator('#start-time').fill('22:00')
  await page.waitForFunction(() => !document.querySelector('[aria-invalid]'))
  assert.deepEqual(await violations(page), [])
  assert.deepEqual(faults, [])
})

test('a schedule asks only for what its kind needs', withoutBrowser(), async () => {
  const service = await startService()
  const { page, faults } = await openPage(`${service.url}/console/report/1`)
  await page.getByRole('button', { name: 'New schedule' }).first().click()
  const form = page.locator('dialog')
  await form.getByLabel('Day of the week').waitFor()
  assert.equal(await form.getByLabel('Day of the month').count(), 0)
  await form.locator('#field-every').selectOption('monthly')
  await form.getByLabel('Day of the month').waitFor()
  assert.equal(await form.getByLabel('Day of the week').count(), 0)
  await form.locator('#field-every').selectOption('daily')
  assert.equal(await form.getByLabel('Day of the month').count(), 0)
  await form.locator('#field-every').selectOption('monthly')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  await seen(page, 'on day 1 of the month at 06:00')
  assert.deepEqual(faults, [])
})

test('a report has the same times on the page and in its file', withoutBrowser(), async () => {
  const service = await startService({ 'time-zone': 'Asia/Tokyo' })
  const { page, faults } = await openPage(`${service.url}/console/report/1`, { timezoneId: 'Europe/Berlin' })
  await page.getByRole('button', { name: 'Make the report' }).click()
  const sheet = page.locator('.report')
  const period = await sheet
    .getByText(/\(Asia\/Tokyo\)/)
    .first()
    .textContent()
  const [, from = '', to = ''] = /(\S+ \S+) to (\S+ \S+) \(/.exec(period ?? '') ?? []
  const href = await page.locator('a[href*="format=html"]').getAttribute('href')
  const file = await service.get((href ?? '').replace(/^.*\/report\/result/, '/report/result'))
  assert(file.text.includes(`From ${from} to ${to}, Asia/Tokyo`), `${period} and ${file.text.slice(0, 2000)}`)
  assert.deepEqual(faults, [])
})

test('an alarm that is held back names the window that does so', withoutBrowser(), async () => {
  const service = await startService()
  const deviceId = idOf(
    await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.1', label: 'crane' }),
  )
  await service.sendJson('POST', '/fault/maintenance', { name: 'core swap', minutes: 60, device: [deviceId] })
  const alarm = { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 2, deviceId }
  const id = idOf(await service.sendJson('POST', '/fault/alarm', alarm))
  const { page, faults } = await openPage(`${service.url}/console/alarms?state=held`)
  await page.locator('.rows .row .c-state', { hasText: 'Maintenance: core swap' }).waitFor()
  await page.goto(`${service.url}/console/alarm/${id}`)
  await page.getByRole('link', { name: 'Maintenance: core swap' }).waitFor()
  assert.deepEqual(faults, [])
})

test('ends of faults are among faults only where they are asked for', withoutBrowser(), async () => {
  const service = await startService()
  const wire = await sender(service.trapPort)
  await wire.send(v2c(linkDown, [ifIndex(7)]))
  await wire.send(v2c(linkUp, [ifIndex(7)], { requestId: 2 }))
  await until('both', async () => (await service.get('/fault/alarm')).headers.total === '2')
  const { page, faults } = await openPage(`${service.url}/console/history`)
  const rows = page.locator('tbody tr')
  await rows.first().waitFor()
  assert.equal(await rows.count(), 1)
  await page.getByLabel('Show the ends of faults, too').check()
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2)
  await page.goto(`${service.url}/console/events?name=linkUp`)
  await page.getByRole('button', { name: 'Look among the ends of faults, too' }).click()
  await page.getByRole('link', { name: 'linkUp', exact: true }).waitFor()
  await page.goto(`${service.url}/console/events?name=linkDown`)
  await page.getByRole('link', { name: 'linkDown', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

test('text runs in the direction of its letters', withoutBrowser(), async () => {
  const service = await startService()
  const name = 'מרכז (1)'
  await service.sendJson('POST', '/ram/zone', { name })
  const { page, faults } = await openPage(`${service.url}/console/zones`)
  const cell = page.locator('td', { hasText: 'מרכז' }).first()
  await cell.waitFor()
  const [first, last] = await cell.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const text = walker.nextNode() as Text
    const at = (index: number) => {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + 1)
      return range.getBoundingClientRect().left
    }
    return [at(0), at(text.length - 1)]
  })
  assert((last ?? 0) < (first ?? 0), `the bracket that closes is left of the first letter: ${last}, ${first}`)
  assert.deepEqual(faults, [])
})
