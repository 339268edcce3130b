// Reports in a real browser: chosen, given parameters, viewed, downloaded, and run by a schedule.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { choose, openPage, seen, withoutBrowser } from './browser.ts'

test(
  'a report is chosen, made for a time and a level, read, downloaded and scheduled',
  withoutBrowser(),
  async () => {
    const service = await startService()
    for (const deviceName of ['alpha', 'beta'])
      await service.sendJson('POST', '/fault/alarm', {
        OID: '1.3.6.1.4.1.32473.9.1',
        alarmLevel: deviceName === 'alpha' ? '1' : '3',
        deviceIp: '192.0.2.1',
        deviceName,
        resource: deviceName,
      })
    const { page, faults } = await openPage(`${service.url}/console/reports`, { bypassCSP: true })
    await page.getByRole('link', { name: 'Alarm Summary' }).click()
    await page.getByLabel('Period', { exact: true }).selectOption('From … to …')
    const local = (at: number) =>
      new Date(at - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    await page.getByLabel('From', { exact: true }).fill(local(Date.now() - 3_600_000))
    await page.getByLabel('To', { exact: true }).fill(local(Date.now() + 3_600_000))
    for (const level of ['Critical', 'Major']) await choose(page.getByLabel('Level', { exact: true }), level)
    const asked = page.waitForRequest((request) => request.url().includes('/run?'))
    await page.getByRole('button', { name: 'Make the report' }).click()
    assert.deepEqual(JSON.parse((await asked).postData() ?? '{}').level, ['1', '2'])
    await page.getByRole('heading', { name: 'Alarm Summary', level: 2 }).waitFor()
    await page.locator('.report table').first().waitFor()
    assert.deepEqual(await violations(page), [])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV', exact: true }).click(),
    ])
    assert.match(download.suggestedFilename(), /^Alarm-Summary-.*\.csv$/)
    assert.match(readFileSync(await download.path(), 'utf8'), /Alarm Summary/)
    await page.getByRole('button', { name: 'New schedule' }).first().click()
    await page.locator('dialog').getByRole('button', { name: 'Save' }).click()
    await seen(page, 'every Monday at 06:00')
    assert.deepEqual(faults, [])
  },
)

test('a template of one’s own lists what one asks for', withoutBrowser(), async () => {
  const service = await startService()
  const { page, faults } = await openPage(`${service.url}/console/reports`)
  await page.getByRole('button', { name: 'New template' }).first().click()
  await page.locator('#field-name').fill('Alarms by day')
  await page.locator('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Alarms by day' }).click()
  await page.getByRole('button', { name: 'Make the report' }).click()
  await page.getByRole('heading', { name: 'Alarms by day', level: 2 }).waitFor()
  assert.deepEqual(faults, [])
})

test(
  'a schedule has the parameters of its template, several values of each, and keeps what a program has given it',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const zone = await service.sendJson('POST', '/ram/zone', { name: 'Harbour' })
    const zoneId = (zone.headers.location ?? '').split('/').at(-1) ?? ''
    await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.1', label: 'crane' })
    await service.sendJson('POST', '/report/reportSchedule', {
      templateId: '1',
      every: 'daily',
      parameter: [
        { parameterName: 'beginTime', value: '1000' },
        { parameterName: 'level', value: '1' },
        { parameterName: 'level', value: '2' },
      ],
    })
    const { page, faults } = await openPage(`${service.url}/console/report/1`)
    await seen(page, /Level: Critical, Major/)
    await page.getByRole('button', { name: 'New schedule' }).first().click()
    const dialog = page.locator('dialog')
    await choose(dialog.getByLabel('Level'), 'Critical')
    await choose(dialog.getByLabel('Zone'), 'Harbour')
    await choose(dialog.getByLabel('Add a device'), /^crane /, 'crane')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await seen(page, /Devices: crane; .*Level: Critical/)
    await page.getByRole('button', { name: 'Change every day at 00:30' }).click()
    await dialog.getByText('Also given by a program').waitFor()
    await dialog.getByRole('button', { name: 'Level: without Major' }).waitFor()
    await choose(dialog.getByLabel('Level', { exact: true }), 'Minor')
    await choose(dialog.getByLabel('Zone'), 'Harbour')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await seen(page, /Zone: Harbour; Level: Critical, Major, Minor/)
    const answer = await service.get('/report/reportSchedule', { Accept: 'application/json' })
    const { reportSchedule: kept } = answer.json() as { reportSchedule: { parameter: object[] }[] }
    assert.deepEqual(kept[0]?.parameter, [
      { parameterName: 'beginTime', value: '1000' },
      { parameterName: 'zone', value: zoneId },
      { parameterName: 'level', value: '1' },
      { parameterName: 'level', value: '2' },
      { parameterName: 'level', value: '3' },
    ])
    assert.deepEqual(faults, [])
  },
)
