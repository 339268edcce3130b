// Trap rules in a real browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { choose, chooseMore, openPage, seen, withoutBrowser } from './browser.ts'

test(
  'a rule has different conditions for different devices, and for interfaces of one device',
  withoutBrowser(),
  async () => {
    const service = await startService()
    await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.7', label: 'core-7' })
    const only = (value: string) => [{ position: '1', value }]
    const { headers, text } = await service.sendJson('POST', '/fault/trapRule', {
      trapRuleName: 'two of a kind',
      trapOId: '1.3.6.1.6.3.1.1.5.3',
      trapGroup: '-1',
      trapDevice: [
        { devID: '5', displayName: 'core-5', trapFilterEventParasInfo: only('seven') },
        { devID: '6', displayName: 'core-6', trapFilterEventParasInfo: only('eight') },
      ],
      trapInterfaces: [{ ifDesc: 'Gi1/1', deviceId: '6' }],
    })
    assert(headers.location, text)
    const path = new URL(headers.location).pathname
    const { page, faults } = await openPage(`${service.url}/console/rule/${path.split('/').at(-1)}`, {
      bypassCSP: true,
    })
    const conditionOf = (device: string) =>
      page
        .getByRole('group', { name: `Conditions of ${device}` })
        .getByRole('group', { name: /^Condition 1/ })
    assert.equal(await conditionOf('core-6').getByLabel('Value').inputValue(), 'eight')
    await conditionOf('core-6').getByLabel('Value').fill('nine*')
    await choose(page.getByLabel('Add a device'), /^core-7 /, 'core')
    await page.getByRole('button', { name: 'Add any other device' }).click()
    const added = page.getByRole('group', { name: 'Conditions of core-7' })
    await added.getByRole('button', { name: /^Remove Condition 1/ }).click()
    await added.getByRole('button', { name: 'Add condition' }).click()
    await conditionOf('core-7').getByLabel('Variable').fill('ifIndex')
    await conditionOf('core-7').getByLabel('Value').fill('3')
    await conditionOf('core-7')
      .getByLabel(/^Only in the event/)
      .fill('1.3.6.1.6.3.1.1.5.3')
    await page.getByRole('button', { name: 'Add interface' }).click()
    await page
      .getByRole('group', { name: /^Interface 2/ })
      .getByLabel(/^Description/)
      .fill('Gi2/*')
    await seen(page, 'It would have filtered nothing that is kept.')
    assert.deepEqual(await violations(page), [])
    await page.getByRole('button', { name: 'Save the rule' }).click()
    await page.waitForURL(/\/rules/)
    const rule = JSON.parse((await service.get(path, { Accept: 'application/json' })).text)
    const filled = (record: object) =>
      Object.fromEntries(Object.entries(record).filter(([, one]) => one !== ''))
    assert.deepEqual(
      rule.trapDevice.map((one: { devID: string; trapFilterEventParasInfo: object[] }) => [
        one.devID,
        one.trapFilterEventParasInfo.map(filled),
      ]),
      [
        ['5', [{ position: '1', value: 'seven' }]],
        ['6', [{ position: '1', value: 'nine*' }]],
        ['1', [{ faultOid: '1.3.6.1.6.3.1.1.5.3', value: '3', name: 'ifIndex' }]],
        ['0', []],
      ],
    )
    assert.deepEqual(rule.trapInterfaces.map(filled), [
      { ifDesc: 'Gi1/1', deviceId: '6' },
      { ifDesc: 'Gi2/*' },
    ])

    await page.goto(`${service.url}/console/rule/${path.split('/').at(-1)}`)
    await page.getByLabel('Each device has its own conditions').uncheck()
    await page.getByRole('group', { name: /^Condition 1/ }).waitFor()
    assert.equal(await page.getByRole('group', { name: /^Condition \d/ }).count(), 1, 'the same for all')
    await page.getByLabel('Every trap').check()
    await page.getByRole('button', { name: 'Save the rule' }).click()
    await page.getByRole('table').getByText('every trap').waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'a maintenance window is written by names, tried while it is written, saved and ended',
  withoutBrowser(),
  async () => {
    const service = await startService()
    await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.9', label: 'roof-switch' })
    const { page, faults } = await openPage(`${service.url}/console/maintenance`)
    await page.getByRole('link', { name: 'New maintenance window' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Roof')
    await choose(page.getByLabel('Add a device'), /roof-switch/, 'roof')
    await choose(page.getByLabel('Zones'), 'Default')
    await page.getByLabel('Only these events').fill('1.3.6.1.6.3.1.1.5.3')
    await page.keyboard.press('Enter')
    // Once, tonight, is less than a whole week.
    assert.equal(await page.locator('.week').count(), 0)
    await page.getByRole('button', { name: 'Every week' }).click()
    await page.getByRole('group', { name: 'Weekdays' }).getByRole('button', { name: 'Sat' }).click()
    await page.locator('.week .on').first().waitFor()
    await seen(page, /it would have held back 0/)
    await page.getByRole('button', { name: 'From now' }).click()
    await page.getByLabel('Minutes').fill('soon')
    await seen(page, /As it stands it cannot be saved/)
    await page.getByRole('button', { name: 'A day' }).click()
    await page.getByRole('button', { name: 'Save the window' }).click()
    await seen(page, 'In force')
    await seen(page, '1 device, 1 zone, 1 event')
    await page.getByRole('link', { name: 'Roof' }).click()
    await page.locator('.tokens').getByText('roof-switch').waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await chooseMore(page, 'More about Roof', 'End Roof now')
    await seen(page, 'Over')
    assert.deepEqual(faults, [])
  },
)
