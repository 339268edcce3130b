// The page over time: network failures, a restart of the service, a session that ends, and very many alarms.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect, createServer as createTcp, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { startApp } from '../../src/app.ts'
import { guard, passwordOf } from '../http/credentials.ts'
import { device, ifIndex, linkDown, v2c } from '../intake/sending.ts'
import { startService, type TestService, temporaryFolder, testConfig } from '../support.ts'
import { openPage, seen, withoutBrowser, withoutStream } from './browser.ts'

const raise = (service: Pick<TestService, 'sendJson'>, fields: Record<string, string>) =>
  service.sendJson('POST', '/fault/alarm', {
    OID: '1.3.6.1.4.1.32473.9.1',
    alarmLevel: '2',
    deviceIp: '192.0.2.1',
    ...fields,
  })

/** A proxy between the page and the service whose connections can be cut. */
async function cable(to: number): Promise<{ port: number; cut(): void; mend(): void }> {
  const ends = new Set<Socket>()
  let isCut = false
  const server = createTcp((near) => {
    if (isCut) return near.destroy()
    const far = connect(to, '127.0.0.1')
    for (const end of [near, far]) {
      ends.add(end)
      end
        .on('error', () => undefined)
        .on('close', () => {
          near.destroy()
          far.destroy()
        })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    for (const end of ends) end.destroy()
    server.close()
  })
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      isCut = true
      for (const end of ends) end.destroy()
    },
    mend() {
      isCut = false
    },
  }
}

test(
  'a break of the network is reported, and what happened meanwhile is there afterwards',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const wire = await cable(Number(new URL(service.url).port))
    await raise(service, { deviceName: 'before', resource: 'a' })
    const { page } = await openPage(`http://127.0.0.1:${wire.port}/console`)
    await seen(page, 'before')
    await page.locator('.freshness.live').first().waitFor()
    wire.cut()
    await page.locator('.banner.stale').waitFor()
    await raise(service, { deviceName: 'meanwhile', resource: 'b' })
    assert.equal(await page.getByText('meanwhile').count(), 0)
    wire.mend()
    // The page also reconnects by itself: the button may be gone before it is pressed.
    await page
      .locator('.banner button')
      .first()
      .click({ timeout: 2000 })
      .catch(() => undefined)
    await seen(page, 'meanwhile')
    await page.locator('.banner.stale').waitFor({ state: 'detached' })
  },
)

test(
  'the service is restarted while the page is open, which continues by itself',
  withoutBrowser(),
  async () => {
    const folder = temporaryFolder()
    const first = await startApp(testConfig({ data: folder }))
    const { port } = new URL(first.url)
    const { page } = await openPage(`${first.url}/console`)
    await seen(page, 'Nothing has reported yet')
    await page.locator('.freshness.live').first().waitFor()
    await first.stop()
    await page.locator('.banner.stale').waitFor()
    const second = await startApp(testConfig({ data: folder, listen: `127.0.0.1:${port}` }))
    after(() => second.stop())
    const sender = await device(second.trapPort)
    await sender.send(v2c(linkDown, [ifIndex(3)]))
    await page.locator('.rows .row').waitFor()
    await page.locator('.freshness.live').first().waitFor()
  },
)

test('one signs in, and must sign in again when the session is revoked', withoutBrowser(), async () => {
  const password = passwordOf('admin')
  const service = await startService({}, { adminPassword: password })
  const { page } = await openPage(`${service.url}/console/devices`)
  await page.getByLabel('Name').fill('admin')
  await page.getByLabel('Password').fill('wrong wrong wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await seen(page, 'Name or password is wrong')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
  await seen(page, 'admin, administrator')
  await withoutStream(page)
  const ended = await guard(service).as('admin', 'DELETE', '/plat/session/1')
  assert.equal(ended.status, 204, ended.text)
  await page.getByRole('link', { name: 'Zones' }).click()
  await seen(page, 'You were signed out')
  await page.waitForURL(/zones$/)
})

test('what one may not do is not offered', withoutBrowser(), async () => {
  const password = 'correct horse battery'
  const service = await startService({}, { adminPassword: password })
  const viewer = 'a viewer with a long word'
  const { page } = await openPage(`${service.url}/console`)
  await page.getByLabel('Name').fill('admin')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Administration' }).click()
  await page.getByRole('link', { name: 'Operators' }).click()
  await page.getByRole('button', { name: 'New operator', exact: true }).click()
  await page.locator('#field-name').fill('vera')
  await page.locator('#field-role').selectOption('viewer')
  await page.locator('#field-password').fill(viewer)
  await page.getByLabel('Your present password').fill(password)
  await page.getByRole('button', { name: 'Save' }).click()
  await seen(page, 'vera')
  await page.getByRole('button', { name: 'Sign out' }).click()
  // The list of operators has a filter for names.
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Name').fill('vera')
  await page.getByLabel('Password').fill(viewer)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await seen(page, 'vera, viewer')
  assert.equal(await page.getByRole('link', { name: 'Operators' }).count(), 0)
  await page.getByRole('link', { name: 'Zones' }).click()
  await seen(page, 'Default')
  assert.equal(await page.getByRole('button', { name: 'New zone' }).count(), 0)
})

test(
  'of ten thousand alarms only those in sight are rows, from the first to the last',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const total = 10_000
    await service.database.transaction(async (tx) => {
      await tx.run('insert into counter (name, value) values (?, ?) on conflict (name) do nothing', [
        'test',
        1,
      ])
    })
    await raise(service, { deviceName: 'first', resource: '0', alarmLevel: '1', alarmDesc: 'x' })
    // Copies of an alarm that the service has raised: to raise so many over HTTP would take a minute.
    const [row] = await service.database.all('select * from alarm limit 1')
    const columns = Object.keys(row ?? {}).filter((name) => name !== 'id')
    await service.database.transaction(async (tx) => {
      for (let n = 1; n < total; n += 1) {
        const copy = {
          ...row,
          id: BigInt(n) + (row?.id as bigint),
          device_name: `device-${n}`,
          resource: `r${n}`,
        }
        const names = ['id', ...columns]
        await tx.run(
          `insert into alarm (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
          names.map((name) => copy[name as keyof typeof copy] as never),
        )
      }
    })
    const { page, faults } = await openPage(`${service.url}/console`)
    await seen(page, '10,000 alarms', 60_000)
    const rows = () => page.locator('.rows .row').count()
    const height = await page.locator('.scroller').evaluate((element) => element.scrollHeight)
    for (const place of [0, 0.3, 0.7, 1]) {
      await page.locator('.scroller').evaluate((element, top) => element.scrollTo(0, top), height * place)
      const index = Math.max(2, Math.round(total * place))
      await page.locator(`.rows .row[aria-rowindex="${index}"]`).waitFor({ state: 'attached' })
      assert((await rows()) <= 60, `${await rows()} rows at ${place}`)
      assert((await rows()) >= 10)
    }
    assert.equal(await page.locator('.scroller').getAttribute('aria-rowcount'), String(total + 1))
    assert.deepEqual(faults, [])
  },
)

const hostile = [
  '<script>document.title="owned"</script>',
  '<img src=x onerror="document.title=\'owned\'">',
  '\u202etxt.exe\u202c',
  '\u001b[31mred\u001b[0m',
  'x'.repeat(990),
]

test(
  'hostile text is text: it runs nothing, reorders nothing and breaks no page',
  withoutBrowser(),
  async () => {
    const service = await startService()
    for (const [index, text] of hostile.entries()) {
      const escaped = text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`).replaceAll('\u001b', '')
      await service.send(
        'POST',
        '/fault/alarm',
        `<alarm><OID>1.3.6.1.4.1.32473.9.${index + 1}</OID><alarmLevel>1</alarmLevel><deviceIp>192.0.2.${index + 1}</deviceIp><deviceName>${escaped.slice(0, 200)}</deviceName><alarmDesc>${escaped}</alarmDesc><resource>r${index}</resource></alarm>`,
      )
    }
    const { page, faults } = await openPage(`${service.url}/console`)
    await page
      .locator('.rows .row')
      .nth(hostile.length - 1)
      .waitFor()
    await seen(page, '<script>document.title="owned"</script>')
    await seen(page, /‹U\+202E›txt\.exe/)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert(wide <= 0, `${wide} pixels too wide`)
    for (let id = 1; id <= hostile.length; id += 1) {
      await page.goto(`${service.url}/console/alarm/${id}`)
      await page.locator('h1').waitFor()
      assert((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0)
      assert.notEqual(await page.title(), 'owned')
    }
    assert.deepEqual(faults, [])
  },
)

test(
  'a page of another origin can neither read nor change anything, though the service is open',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const other = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end('<title>another</title>')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    after(() => other.close())
    const { port } = other.address() as { port: number }
    const { page } = await openPage(`http://127.0.0.1:${port}/`)
    const tried = await page.evaluate(async (url) => {
      const attempt = (path: string, init: RequestInit) =>
        fetch(url + path, init).then(
          async (answer) => `${answer.type} ${await answer.text()}`,
          () => 'refused',
        )
      return {
        read: await attempt('/fault/alarm', { headers: { Accept: 'application/json' } }),
        blind: await attempt('/fault/alarm', { mode: 'no-cors' }),
        change: await attempt('/ram/zone', {
          method: 'POST',
          mode: 'no-cors',
          headers: { 'Content-Type': 'text/plain' },
          body: '<zone><name>Evil</name></zone>',
        }),
        session: await attempt('/console/session', { method: 'DELETE' }),
      }
    }, service.url)
    assert.deepEqual(tried, { read: 'refused', blind: 'opaque ', change: 'opaque ', session: 'refused' })
    assert.equal((await service.get('/ram/zone?name=Evil&total=true')).headers.total, '0')
  },
)

test(
  'keys choose, acknowledge and take back; the filter is in the address and shows the same to others',
  withoutBrowser(),
  async () => {
    const service = await startService()
    await raise(service, { deviceName: 'alpha', resource: 'a', alarmLevel: '1' })
    await raise(service, { deviceName: 'beta', resource: 'b', alarmLevel: '3' })
    const { page } = await openPage(`${service.url}/console`)
    await seen(page, 'beta')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await seen(page, '1 selected')
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).last().click()
    await seen(page, '1 alarm acknowledged')
    await page
      .locator('.toast', { hasText: '1 alarm acknowledged' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await seen(page, 'Taken back')
    await page.keyboard.press('x')
    await page.keyboard.press('a')
    await page.getByLabel('Until').selectOption('One hour')
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).last().click()
    await page.locator('.row.acknowledged').waitFor()
    await page
      .getByRole('group', { name: 'States' })
      .getByRole('button', { name: /Acknowledged/ })
      .click()
    await page.getByText('beta').waitFor({ state: 'detached' })
    await page.waitForURL(/state=acknowledged/)
    const { page: another } = await openPage(page.url())
    await seen(another, 'alpha')
    assert.equal(await another.getByText('beta').count(), 0)
    await page.keyboard.press('?')
    await seen(page, 'next and previous alarm')
  },
)

test(
  'an alarm is shelved, found again and taken back; it is assigned and noted',
  withoutBrowser(),
  async () => {
    const service = await startService()
    await raise(service, { deviceName: 'alpha', resource: 'a' })
    const { page, faults } = await openPage(`${service.url}/console`)
    const row = page.locator('.rows .row')
    const dialog = page.locator('dialog')
    await row.waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('o')
    await page.getByLabel('Operator').fill('Vera')
    await page.keyboard.press('Enter')
    // The stream may report it before the dialog has its answer, and an open dialog receives the keys.
    await dialog.waitFor({ state: 'detached' })
    await row.getByText('With Vera').waitFor()
    await page.keyboard.press('n')
    await dialog.getByLabel('Note').fill('fan ordered')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await row.getByText('fan ordered').waitFor()
    await page.keyboard.press('s')
    await page.getByLabel('For how long').selectOption('One hour')
    await page.locator('dialog').getByRole('button', { name: 'Shelve' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show what is held back' }).click()
    await row.getByText(/^To \d\d-\d\d \d\d:\d\d$/).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('s')
    await page.getByLabel('For how long').selectOption('No longer: back to the list')
    await page.locator('dialog').getByRole('button', { name: 'Shelve' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await row.getByText('fan ordered').waitFor()
    assert.deepEqual(faults, [])
  },
)

test('on a phone all actions are in reach, and nothing is cut off', withoutBrowser(), async () => {
  const service = await startService()
  await raise(service, { deviceName: 'alpha', resource: 'a' })
  const { page } = await openPage(`${service.url}/console`, {
    viewport: { width: 390, height: 780 },
    hasTouch: true,
  })
  await page.locator('.rows .row').waitFor()
  await page.locator('.rows .row .c-select').click()
  const bar = page.getByRole('toolbar')
  for (const name of ['Acknowledge', 'Shelve', 'Assign', 'Note', 'End', 'Clear']) {
    const box = await bar.getByRole('button', { name }).boundingBox()
    assert(
      box && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 780,
      `${name}: ${JSON.stringify(box)}`,
    )
  }
  await bar.getByRole('button', { name: 'Shelve' }).click()
  const dialog = await page.locator('dialog').boundingBox()
  assert(dialog && dialog.x >= 0 && dialog.x + dialog.width <= 390)
  await page.locator('dialog').getByRole('button', { name: 'Shelve' }).click()
  await seen(page, '1 alarm shelved')
})
