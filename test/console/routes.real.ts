// Routes, the ledger, and who was told of an alarm, in a real browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { choose, openPage, seen, withoutBrowser } from './browser.ts'

test(
  'a route is made and read in words; a dry run says who would be told, and the page of an alarm why nobody was',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const mail = { name: 'Relay', kind: 'mail', host: '192.0.2.1', sender: 'a@example.net' }
    await service.sendJson('POST', '/notify/gateway', mail)
    await service.sendJson('POST', '/notify/contact', { name: 'Ann' })
    await service.sendJson('POST', '/notify/team', { name: 'Night', contactId: ['1'] })
    const { page, faults } = await openPage(`${service.url}/console/routes`)
    const dialog = page.locator('dialog')
    await page.getByRole('button', { name: 'New route' }).first().click()
    await dialog.getByLabel('Name').fill('Core at night')
    await dialog.getByRole('button', { name: 'Critical' }).click()
    await choose(dialog.getByRole('group', { name: 'Step 1' }).getByLabel('Who is told'), /^Night/, 'Night')
    await dialog.getByRole('button', { name: 'Add a step' }).click()
    await choose(dialog.getByRole('group', { name: 'Step 2' }).getByLabel('Who is told'), /^Ann/, 'Ann')
    assert.deepEqual(await violations(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    const row = page.locator('tr', { hasText: 'Core at night' })
    await row.getByText('level Critical').waitFor()
    await row.getByText('after 5 min: Ann person').waitFor()
    await page.getByRole('button', { name: 'Try' }).click()
    await seen(page, 'Nobody would be told.')
    await seen(page, /its filter takes it/)
    await page.getByRole('button', { name: 'Change Core at night' }).click()
    assert.equal(
      await dialog.getByRole('button', { name: 'Critical' }).getAttribute('aria-pressed'),
      'true',
      'the filter is read back',
    )
    await page.keyboard.press('Escape')
    assert.deepEqual(await violations(page), [])
    await service.sendJson('POST', '/fault/alarm', {
      ...{ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 3, alarmCategory: 4, alarmDesc: 'Warm' },
      ...{ deviceIp: '192.0.2.9', deviceName: 'room' },
    })
    await page.getByRole('button', { name: 'Core at night in the last week' }).click()
    await seen(page, 'It would have sent 0 messages: it takes 0 of the 1 alarms of the last seven days.')
    await page.goto(`${service.url}/console/alarm/1`)
    await seen(page, 'Nobody was told: no route takes it.')
    await page.getByText('Who would be told at another time?').click()
    await page.getByRole('button', { name: 'Try' }).click()
    await seen(page, 'Nobody would be told.')
    await page.goto(`${service.url}/console/routes`)
    await page.getByLabel('Which alarm').selectOption('one that exists')
    await page.getByLabel('Number of the alarm').fill('1')
    await page.getByRole('button', { name: 'Try' }).click()
    await seen(page, /its filter does not take this alarm/)
    await page.goto(`${service.url}/console/alarm/1`)
    await page.getByRole('link', { name: 'All rows of the ledger' }).click()
    await page.getByRole('heading', { name: 'Notification log' }).waitFor()
    assert.deepEqual(faults, [])
  },
)

test('rooms of one name are told apart, and what earlier routes take is said', withoutBrowser(), async () => {
  const service = await startService()
  for (const name of ['Chat', 'Pager'])
    await service.sendJson('POST', '/notify/gateway', { name, kind: 'webhook', url: 'https://192.0.2.1/' })
  for (const gatewayId of ['1', '2']) {
    await service.sendJson('POST', '/notify/channel', { gatewayId, name: 'NOC' })
    await service.sendJson('PUT', `/notify/channel/${gatewayId}/confirm`, {})
  }
  const step = [{ target: 'channel:2' }]
  await service.sendJson('POST', '/notify/route', { name: 'First', step })
  await service.sendJson('POST', '/notify/route', { name: 'Second', step })
  const alarm = { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 3, alarmDesc: 'Warm', deviceIp: '192.0.2.9' }
  await service.sendJson('POST', '/fault/alarm', alarm)
  const { page, faults } = await openPage(`${service.url}/console/routes`)
  const dialog = page.locator('dialog')
  await page.locator('tr', { hasText: 'Second' }).getByText('NOC (Pager #2)').waitFor()
  await page.getByRole('button', { name: 'New route' }).first().click()
  const who = dialog.getByRole('group', { name: 'Step 1' }).getByLabel('Who is told')
  await choose(who, /^NOC \(Chat #1\)/, 'NOC')
  await page.keyboard.press('Escape')
  await page.goto(`${service.url}/console/routes`)
  await page.getByRole('button', { name: 'Second in the last week' }).click()
  await seen(page, /it takes 0 of the 1 alarms of the last seven days\. Routes before it take 1 more\./)
  assert.deepEqual(faults, [])
})
