// Trap rules in a real browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

test(
  'a rule that says more than the editor holds is shown whole, and not changed',
  withoutBrowser(),
  async () => {
    const service = await startService()
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
    const id = new URL(headers.location).pathname.split('/').at(-1)
    const { page, faults } = await openPage(`${service.url}/console/rule/${id}`, { bypassCSP: true })
    await seen(page, /Saving it here would lose that/)
    await seen(page, new RegExp(`PUT /fault/trapRule/${id}`))
    for (const part of ['seven', 'eight', 'Gi1/1']) await seen(page, part)
    await seen(page, 'It would have filtered nothing that is kept.')
    assert.equal(await page.getByRole('button', { name: 'Save the rule' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Delete the rule' }).count(), 1)
    assert.deepEqual(await violations(page), [])
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
    await page.getByLabel('Add a device').fill('roof')
    await page.getByRole('button', { name: /roof-switch/ }).click()
    await page.getByRole('group', { name: 'Zones' }).getByRole('button').first().click()
    await page.getByLabel('Only these events').fill('1.3.6.1.6.3.1.1.5.3')
    await page.keyboard.press('Enter')
    // From now for two hours is no whole week.
    assert.equal(await page.locator('.week').count(), 0)
    await page.getByRole('button', { name: 'Later, or every week' }).click()
    await page.getByRole('group', { name: 'Weekdays' }).getByRole('button', { name: 'Sat' }).click()
    await page.locator('.week .on').first().waitFor()
    await seen(page, /it would have held back 0/)
    await page.getByLabel('Minutes').fill('soon')
    await seen(page, /As it stands it cannot be saved/)
    await page.getByRole('group', { name: 'Weekdays' }).getByRole('button', { name: 'Sat' }).click()
    await page.getByRole('button', { name: 'A day' }).click()
    await page.getByRole('button', { name: 'Save the window' }).click()
    await seen(page, 'In force')
    await seen(page, '1 device, 1 zone, 1 event')
    await page.getByRole('link', { name: 'Roof' }).click()
    await page.locator('.tokens').getByText('roof-switch').waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'End Roof now' }).click()
    await seen(page, 'Over')
    assert.deepEqual(faults, [])
  },
)
