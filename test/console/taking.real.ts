// Alarms are ticked by their whole cell, their text can be selected, and they are taken along as text and files.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { openPage, withoutBrowser } from './browser.ts'

async function openTwo() {
  const service = await startService()
  for (const [resource, alarmDesc] of [
    ['a', 'Room A is too warm'],
    ['b', '=HYPERLINK("http://192.0.2.66")'],
  ])
    await service.sendJson('POST', '/fault/alarm', {
      ...{ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 2, alarmCategory: 4, alarmDesc, resource },
      ...{ deviceIp: '192.0.2.9', deviceName: 'room' },
    })
  const opened = await openPage(`${service.url}/console`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await opened.page.locator('.rows .row').nth(1).waitFor()
  return { service, ...opened }
}

test('every place of the first cell ticks, and opens nothing', withoutBrowser(), async () => {
  const { page, faults } = await openTwo()
  const row = page.locator('.rows .row').first()
  const box = await row.boundingBox()
  const level = await row.locator('.c-level').boundingBox()
  assert(box && level)
  assert(level.x - box.x >= 40, 'wide enough')
  let isTicked = false
  for (const x of [box.x + 1, box.x + 8, box.x + 20, level.x - 2])
    for (const y of [box.y + 1, box.y + box.height / 2, box.y + box.height - 3]) {
      await page.mouse.click(x, y)
      isTicked = !isTicked
      assert.equal(await row.getAttribute('aria-selected'), String(isTicked), `at ${x - box.x}, ${y - box.y}`)
    }
  assert.match(page.url(), /\/console\/alarms$/)
  assert.deepEqual(faults, [])
})

test('text of a row is selected by a drag, which opens nothing', withoutBrowser(), async () => {
  const { page, faults } = await openTwo()
  const box = await page.locator('.rows').getByText('Room A is too warm').boundingBox()
  assert(box)
  await page.mouse.move(box.x + 1, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 10 })
  await page.mouse.up()
  assert.match(await page.evaluate(() => String(getSelection())), /oom A is too war/)
  assert.match(page.url(), /\/console\/alarms$/)
  await page.mouse.click(box.x + 5, box.y + box.height / 2)
  await page.waitForURL(/\/alarm\/\d+$/)
  assert.deepEqual(faults, [])
})

test(
  'chosen rows are copied as a table by button and key; what the filter shows is saved as CSV and JSON',
  withoutBrowser(),
  async () => {
    const { page, faults } = await openTwo()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.locator('.rows .row', { hasText: 'Room A' }).locator('.c-select').click()
    await page.getByRole('button', { name: /^Copy/ }).click()
    await page.getByText('1 alarm copied as a table.').waitFor()
    const [titles = '', first = '', ...others] = (await copied()).split('\r\n')
    assert.equal(titles.split('\t')[4], 'What is wrong')
    assert.equal(first.split('\t')[4], 'Room A is too warm')
    assert.deepEqual(others, [])
    await page.getByLabel('Select all that match the filter').check()
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.keyboard.press('Control+c')
    await page.getByText('2 alarms copied as a table.').waitFor()
    assert.match(await copied(), /\t'=HYPERLINK/, 'no spreadsheet runs it')
    await page.keyboard.press('Escape')
    const saved = async (name: string) => {
      await page.getByText('Options').click()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name }).click()
      const content = readFileSync(await (await download).path(), 'utf8')
      await page.keyboard.press('Escape')
      return content
    }
    assert.match(
      await saved('Save what is shown as CSV'),
      /^\ufeff"Number","Level",.*\r\n"2",.*"'=HYPERLINK\(""/,
    )
    await page.getByLabel('Search').first().fill('warm')
    await page.waitForURL(/q=warm/)
    const { alarm } = JSON.parse(await saved('Save what is shown as JSON'))
    assert.deepEqual(
      alarm.map(({ alarmDesc }: { alarmDesc: string }) => alarmDesc),
      ['Room A is too warm'],
    )
    assert.deepEqual(faults, [])
  },
)
