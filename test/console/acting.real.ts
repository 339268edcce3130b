// Actions on alarms that do not go through as usual: stopped half-way, repeated, or with the service out of reach.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf } from '../http/reading.ts'
import { startService, type TestService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

const raise = async (service: Pick<TestService, 'sendJson'>, fields: Record<string, string>) =>
  idOf(
    await service.sendJson('POST', '/fault/alarm', {
      OID: '1.3.6.1.4.1.32473.9.1',
      alarmLevel: '2',
      deviceIp: '192.0.2.1',
      ...fields,
    }),
  )

test(
  'cancelling stops after the portion under way, and says how many were done',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const total = 510
    for (let n = 0; n < total; n += 1) await raise(service, { resource: `r${n}` })
    const { page, faults } = await openPage(`${service.url}/console`)
    await seen(page, `${total} alarms`)
    await page.getByLabel('Select all that match the filter').check()
    await seen(page, `${total} selected`)
    const sent: string[] = []
    let goOn = () => {}
    const mayGoOn = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/fault/alarm/recover?*', async (route) => {
      sent.push(route.request().url())
      await mayGoOn
      await route.continue()
    })
    await page.keyboard.press('e')
    const dialog = page.locator('dialog')
    await dialog.getByRole('button', { name: 'End' }).click()
    await seen(page, `0 of ${total}…`)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    goOn()
    await seen(page, `500 of ${total} alarms ended; the rest was left as it is.`)
    await seen(page, '10 selected')
    assert.equal(sent.length, 1)
    const left = await service.get('/fault/alarm?recStatus=0&total=true')
    assert.equal(left.headers.total, '10')
    assert.deepEqual(faults, [])
  },
)

test(
  'an alarm that is acknowledged already takes a note and an end; where nothing is new, nothing can be taken back',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const id = await raise(service, { resource: 'a' })
    await service.ask('PUT', `/fault/alarm/acknowledge/${id}`)
    const { page, faults } = await openPage(`${service.url}/console`)
    const dialog = page.locator('dialog')
    const toast = (text: string) => page.locator('.toast', { hasText: text })
    await page.locator('.row.acknowledged').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await toast('1 alarm acknowledged already.').waitFor()
    await page.keyboard.press('a')
    await dialog.getByLabel('Until').selectOption('One hour')
    await dialog.getByLabel('Note').fill('fan ordered')
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await toast('1 alarm acknowledged again.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
    const { note, ackUntil } = JSON.parse(
      (await service.get(`/fault/alarm/${id}`, { Accept: 'application/json' })).text,
    )
    assert.equal(note, 'fan ordered')
    assert(Number(ackUntil) > Date.now() / 1000)

    // Together with a new one, only that is taken back.
    await raise(service, { resource: 'b' })
    await page.locator('.rows .row:not(.acknowledged)').waitFor()
    await page.getByLabel('Select all that match the filter').check()
    await page.keyboard.press('a')
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await toast('2 alarms acknowledged, 1 of them already.').getByRole('button', { name: 'Undo' }).click()
    await seen(page, 'Taken back.')
    const left = await service.get('/fault/alarm?ackStatus=1', { Accept: 'application/json' })
    assert.deepEqual(
      JSON.parse(left.text).alarm.map((one: { id: string }) => one.id),
      [id],
    )
    assert.deepEqual(faults, [])
  },
)

test(
  'with the service out of reach a dialog stays open with what was typed, and can be sent again',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const id = await raise(service, { resource: 'a' })
    const { page } = await openPage(`${service.url}/console`)
    const dialog = page.locator('dialog')
    await page.locator('.rows .row').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('n')
    await dialog.getByLabel('Note').fill('the lift is being repaired')
    await page.route('**/fault/alarm/note?*', (route) => route.abort())
    await page.keyboard.press('Enter')
    await dialog.getByText('The service cannot be reached.').waitFor()
    assert.equal(await dialog.getByLabel('Note').inputValue(), 'the lift is being repaired')
    await seen(page, '1 selected')
    await page.unroute('**/fault/alarm/note?*')
    await dialog.getByRole('button', { name: 'Note', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await seen(page, 'Note added to 1 alarm.')
    const { text } = await service.get(`/fault/alarm/${id}`)
    assert.match(text, /the lift is being repaired/)
  },
)
