// From one alarm to a definition of its event, edited beside a dry run on the traps that are kept.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ifIndex, device as sender, until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { chooseMore, openPage, seen, withoutBrowser } from './browser.ts'

const unknown = '1.3.6.1.4.1.32473.7.0.1'

test('a definition is made from an alarm, beside its dry run', withoutBrowser(), async () => {
  const service = await startService()
  const device = await sender(service.trapPort)
  for (const index of [1, 2]) await device.send(v2c(unknown, [ifIndex(index)]))
  await until('both traps', async () => (await service.get('/fault/trap')).headers.total === '2')
  const { page, faults } = await openPage(`${service.url}/console/alarm/1`)
  await page.getByRole('link', { name: /mean/i }).first().click()
  await seen(page, /Proposed from the trap \(no module that describes it is loaded/)
  assert.match(await page.locator('#field-name').inputValue(), /trap 7\.0\.1$/)
  assert.equal(await page.locator('.field-error').count(), 0, 'nothing is wrong before it is written')
  await page.locator('#field-name').fill('doorOpened')
  await seen(page, '2 traps of it kept, the newest first:')
  await seen(page, /from 2 traps, about 2 different things/)
  await page.getByLabel('Text').fill('The door of {deviceIp} is open')
  await seen(page, 'The door of 127.0.0.1 is open')
  await page.getByLabel('What happens').selectOption('0')
  await page.locator('.facts', { hasText: 'Kept, no alarm' }).getByText('2 traps', { exact: true }).waitFor()
  const { text } = await service.get(`/fault/trapEvent?eventOid=${unknown}`)
  assert(!text.includes('doorOpened'), 'nothing is saved yet')
  await page.getByRole('button', { name: 'Save' }).click()
  await seen(page, /The definition is saved/)
  await page.goto(`${service.url}/console/event?oid=${unknown}`)
  await chooseMore(page, 'More actions', 'Relabel open alarms')
  await seen(page, '0 alarms relabelled, 1 alarm ended')
  assert.deepEqual(faults, [])
})

const variable = '1.3.6.1.4.1.32473.7.1'

test(
  'the variables of a definition are named, marked, put in order and removed in its form',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const device = await sender(service.trapPort)
    await device.send(
      v2c(unknown, [ifIndex(7), { oid: `${variable}.3.0`, type: 'OctetString', value: 'north', hex: false }]),
    )
    const definition = {
      ...{ eventOid: unknown, name: 'doorOpened', alarmLevel: 4, alarmCategory: 8 },
      alarmDesc: 'Door {door} is {state}, seen from {side}',
      parameter: [
        { oid: `${variable}.1`, name: 'door', isKey: true, fromIndex: true },
        { oid: `${variable}.2`, name: 'state', labels: '1=open;2=shut' },
      ],
    }
    const made = await service.sendJson('POST', '/fault/trapEvent', definition)
    assert.equal(made.status, 201, made.text)
    await until('the trap', async () => (await service.get('/fault/trap')).headers.total === '1')
    const { page, faults } = await openPage(`${service.url}/console/event?oid=${unknown}`, {
      bypassCSP: true,
    })
    const group = (name: string) => page.getByRole('group', { name })
    await group('Variable 1: door').waitFor()

    // Variables of the trap that have no name yet are offered; the focus moves to the field for the name.
    await page.getByRole('button', { name: `Add ${variable}.3.0 = north` }).click()
    const added = group('Variable 3')
    await added.locator('input:focus').waitFor()
    await seen(page, /Give each variable a name and an OID/)
    assert.equal(await page.locator('.field-error').count(), 0, 'nothing is wrong before it is written')
    await page.keyboard.type('side')
    await seen(page, 'Door ? is ?, seen from north')

    // With the keyboard alone: up twice, then only down.
    await page.getByRole('button', { name: 'Move Variable 3: side up' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('button:focus[aria-label="Move Variable 2: side up"]').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('button:focus[aria-label="Move Variable 1: side down"]').waitFor()

    await group('Variable 2: door').getByLabel(/^OID/).fill('somewhere')
    await page.getByRole('button', { name: 'Save' }).click()
    const wrong = group('Variable 2: door')
    await wrong.getByText(/"somewhere" is not accepted/).waitFor()
    await wrong.locator('input:focus[aria-invalid]').waitFor()
    assert.deepEqual(await violations(page), [])

    await wrong.getByLabel(/^OID/).fill(`${variable}.5`)
    await wrong.getByLabel(/^Key/).uncheck()
    await page.getByRole('button', { name: 'Remove Variable 3: state' }).click()
    await page.locator('button:focus', { hasText: 'Add variable' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await seen(page, /The definition is saved/)
    const { text } = await service.get(`/fault/trapEvent?eventOid=${unknown}`, { Accept: 'application/json' })
    assert.deepEqual(JSON.parse(text).trapEvent[0].parameter, [
      { oid: `${variable}.3`, name: 'side' },
      { oid: `${variable}.5`, name: 'door', fromIndex: 'true' },
    ])
    assert.deepEqual(faults, [])
  },
)
