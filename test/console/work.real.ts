// Working with alarms in a real browser: their history, many at once, owners, causes and what follows from them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guard, passwordOf } from '../http/credentials.ts'
import { idOf } from '../http/reading.ts'
import { portDown, device as sender } from '../intake/sending.ts'
import { startService, type TestService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

const draft = { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: '2', deviceIp: '192.0.2.1' }

const raise = async (service: Pick<TestService, 'sendJson'>, fields: Record<string, string>) =>
  idOf(await service.sendJson('POST', '/fault/alarm', { ...draft, ...fields }))

test(
  'the time line of an alarm says what happened, who did it, and goes on while one looks',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const id = await raise(service, { deviceName: 'alpha', resource: 'a' })
    await raise(service, { deviceName: 'alpha', resource: 'a' })
    const until = Math.floor(Date.now() / 1000) + 3600
    await service.sendJson('PUT', `/fault/alarm/acknowledge/${id}`, { note: 'on my way', ackUntil: until })
    const { page, faults } = await openPage(`${service.url}/console/alarm/${id}`)
    const line = page.locator('.timeline')
    for (const text of ['Raised', 'Reported again', 'Acknowledged', 'on my way'])
      await line.getByText(text).first().waitFor()
    const facts = page.locator('.facts')
    await facts.getByText('Open for', { exact: true }).waitFor()
    await facts.getByText('Acknowledged until', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Note', exact: true }).click()
    await page.locator('dialog').getByLabel('Note').fill('fan ordered')
    await page.keyboard.press('Enter')
    await line.getByText('fan ordered').waitFor()
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.locator('dialog').getByRole('button', { name: 'End' }).click()
    await line.getByText('Over', { exact: true }).waitFor()
    await facts.getByText('Lasted', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  },
)

test('all that match the filter are selected, and changed in few requests', withoutBrowser(), async () => {
  const service = await startService()
  const total = 620
  for (let n = 0; n < total; n += 1)
    await raise(service, { deviceName: `d${n}`, resource: `r${n}`, alarmLevel: n % 20 === 0 ? '1' : '3' })
  const { page } = await openPage(`${service.url}/console?level=3`)
  const count = total - total / 20
  await page.locator('.freshness.live').first().waitFor()
  await page.locator('.rows .row').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByRole('button', { name: `Select all ${count} that match` }).click()
  await seen(page, `${count} selected`)
  let requests = 0
  page.on('request', (request) => {
    if (request.method() === 'PUT') requests += 1
  })
  await page.keyboard.press('a')
  await seen(page, `Acknowledge ${count} alarms`)
  await page.locator('dialog').getByRole('button', { name: 'Acknowledge' }).click()
  await seen(page, `${count} alarms acknowledged`)
  assert.equal(requests, 2)
  const left = await service.get('/fault/alarm?recStatus=0&ackStatus=0&total=true')
  assert.equal(left.headers.total, String(total / 20), 'the others are as they were')
})

test(
  'an owner is one of the operators; what another does shows without being asked for',
  withoutBrowser(),
  async () => {
    const started = await startService({}, { adminPassword: passwordOf('admin') })
    const service = guard(started)
    await service.asJson('admin', 'POST', '/plat/operator', {
      name: 'vera',
      fullName: 'Vera V.',
      role: 'operator',
      password: passwordOf('vera'),
    })
    const made = await service.asJson('admin', 'POST', '/fault/alarm', { ...draft, resource: 'a' })
    const { page } = await openPage(`${service.url}/console`)
    await page.getByLabel('Name').fill('vera')
    await page.getByLabel('Password').fill(passwordOf('vera'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    const row = page.locator('.rows .row')
    await row.waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('o')
    await page.getByLabel('Operator').selectOption('admin')
    await page.locator('dialog').getByRole('button', { name: 'Assign' }).click()
    await row.getByText('With admin').waitFor()
    const note = { note: 'seen by somebody else' }
    await service.asJson('admin', 'POST', `/fault/alarm/${idOf(made)}/note`, note)
    await row.getByText(note.note).waitFor()
  },
)

test('what follows from an alarm stands below it, and both name each other', withoutBrowser(), async () => {
  const service = await startService()
  const device = async (label: string, ip: string, more = {}) =>
    idOf(await service.sendJson('POST', '/plat/res/device', { label, ip, ...more }))
  const core = await device('core', '192.0.2.1')
  await device('behind', '192.0.2.2', { parent: [{ deviceId: core, parentIfIndex: '24' }] })
  const { page, faults } = await openPage(`${service.url}/console`)
  await seen(page, 'Nothing has reported yet')
  const wire = await sender(service.trapPort)
  // First the port of the core by which the other device is reached; the other reports its own side later.
  await wire.send(portDown('192.0.2.1', 24))
  await seen(page, 'core')
  await wire.send(portDown('192.0.2.2', 1))
  await raise(service, { deviceName: 'alone', resource: 'b', alarmLevel: '1', deviceIp: '192.0.2.9' })
  await seen(page, 'alone')
  const follower = page.locator('.row.follows')
  await follower.waitFor()
  await page.waitForFunction((wanted) => {
    const cells = [...document.querySelectorAll('.rows .row .c-device')]
    return cells.map((cell) => cell.textContent?.trim()).join() === wanted
  }, 'alone,core,behind')
  await page.locator('.row.follows .c-text a').click()
  await seen(page, 'This alarm follows from another one')
  await page.getByRole('link', { name: /^core/ }).last().click()
  await seen(page, 'Alarms of which this one is the cause')
  assert.deepEqual(faults, [])
})

test('an alarm names the maintenance that covers it', withoutBrowser(), async () => {
  const service = await startService()
  const deviceId = idOf(
    await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.1', label: 'crane' }),
  )
  const id = await raise(service, { resource: 'a' })
  const window = { minutes: 60, event: ['1.3.6.1.4.1.32473.9'] }
  await service.sendJson('POST', '/fault/maintenance', { ...window, name: 'Crane', device: [deviceId] })
  await service.sendJson('POST', '/fault/maintenance', { ...window, name: 'Elsewhere', device: [99] })
  const view = async (name: string, holds: object) =>
    idOf(await service.sendJson('POST', '/plat/res/view/custom', { name, ...holds }))
  const quay = await view('Quay', { member: [deviceId] })
  const harbour = await view('Harbour', { view: [quay] })
  const hills = await view('Hills', { member: [99] })
  await service.sendJson('POST', '/fault/maintenance', { ...window, name: 'By a view', view: [harbour] })
  await service.sendJson('POST', '/fault/maintenance', { ...window, name: 'Other view', view: [hills] })
  await service.sendJson('POST', '/fault/maintenance', { ...window, name: 'Anywhere' })
  const { page, faults } = await openPage(`${service.url}/console/alarm/${id}`)
  await page.getByRole('heading', { name: 'Maintenance that covers it' }).waitFor()
  await page.getByRole('link', { name: 'Crane', exact: true }).waitFor()
  await page.getByRole('link', { name: 'By a view' }).waitFor()
  await page.getByRole('link', { name: 'Anywhere' }).waitFor()
  for (const name of ['Elsewhere', 'Other view'])
    assert.equal(await page.getByRole('link', { name }).count(), 0, name)
  assert.deepEqual(faults, [])
})
