// Hostile text on every page: no script runs, no text is reordered, and nothing is pushed out of the window.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { passwordOf, startGuarded } from '../http/credentials.ts'
import { device, ifIndex, linkDown, until, v2c } from '../intake/sending.ts'
import { patience } from '../patience.ts'
import { EventReader } from '../push/reader.ts'
import { startService, type TestService, temporaryFolder } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

const script = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">'
const turned = 'abc\u202etxt.exe'
const long = 'x'.repeat(180)
/** Terminal sequences: red text, a window title, and a bell. */
const escapes = '\u001b[31m\u001b]0;owned\u0007'
/** For a field of at most 255 characters. */
const text = `${script}${turned}`

async function add(service: TestService, path: string, body: object): Promise<string> {
  const { status, headers, text: answer } = await service.sendJson('POST', path, body)
  assert(status === 201 || status === 200, `${path}: ${status} ${answer}`)
  return (headers.location ?? '').split('/').at(-1) ?? ''
}

async function fill(service: TestService): Promise<Record<string, string>> {
  await add(service, '/fault/alarm', {
    OID: '1.3.6.1.4.1.32473.9.9',
    alarmLevel: 1,
    alarmCategory: 4,
    alarmDesc: 'y'.repeat(9999),
    deviceIp: '192.0.2.77',
    deviceName: 'z'.repeat(900),
    paras: `*a=${script}${turned};b=${'q'.repeat(3000)}`,
  })
  const zoneId = await add(service, '/ram/zone', { name: text, description: long })
  const deviceId = await add(service, '/plat/res/device', {
    ip: '127.0.0.1',
    label: text,
    zoneId,
    location: long,
  })
  await add(service, '/plat/res/view/custom', { name: text, member: [deviceId] })
  const segment = await add(service, '/res/access/assignedIpScope', {
    name: text.slice(0, 60),
    startIp: '192.0.2.1',
    endIp: '192.0.2.30',
    description: long,
  })
  await add(service, `/res/access/assignedIpScope/ip?ipScopeId=${segment}`, {
    name: text.slice(0, 60),
    description: long,
  })
  await add(service, '/res/access/macAccessBind', {
    terminalMac: '02:00:5e:10:00:01',
    terminalName: text,
    bindType: 1,
    maintainer: long,
  })
  const rule = await add(service, '/fault/trapRule', {
    trapRuleName: text,
    trapOId: '1.3.6.1.4.1.32473.77',
    trapDevice: [{ devID: 0, displayName: text }],
  })
  const window = await add(service, '/fault/maintenance', {
    name: text,
    reason: long,
    owner: text,
    minutes: 1,
    device: [99],
  })
  const template = await add(service, '/report/reportTemplate', {
    name: text,
    reportTypeName: long,
    data: 'alarm',
    columns: 'deviceName',
  })
  const reader = await EventReader.open(service.url, `type=11&uuid=${encodeURIComponent(script + turned)}`)
  after(() => reader.close())
  const sender = await device(service.trapPort)
  await sender.send(
    v2c(linkDown, [
      ifIndex(7),
      { oid: '1.3.6.1.2.1.2.2.1.2.7', type: 'OctetString', value: text, hex: false },
      { oid: '1.3.6.1.4.1.32473.2.0', type: 'OctetString', value: escapes, hex: false },
      { oid: '1.3.6.1.4.1.32473.1.0', type: 'OctetString', value: 'w'.repeat(10_000), hex: false },
      { oid: '1.3.6.1.2.1.2.2.1.2.8', type: 'OctetString', value: 'w'.repeat(900), hex: false },
    ]),
  )
  await until('the trap', async () => (await service.get('/fault/trap')).headers.total === '1')
  await add(service, '/fault/trapEvent', {
    eventOid: '1.3.6.1.4.1.32473.55',
    name: text,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: `${script}${turned}{x}`,
    parameter: [{ oid: '1.3.6.1.4.1.32473.55.1', name: turned }],
  })
  return { deviceId, segment, rule, window, template }
}

interface Shown {
  readonly page: Page
  readonly faults: readonly string[]
}

/** Runs in the page: which elements extend beyond the window, and by how many pixels. */
function tooWide() {
  const { scrollWidth, clientWidth } = document.querySelector('main') as HTMLElement
  const isOut = (one: Element) => one.getBoundingClientRect().right > innerWidth
  const outermost = [...document.querySelectorAll('main *')].find(isOut)
  return {
    by: Math.max(document.documentElement.scrollWidth - innerWidth, scrollWidth - clientWidth),
    at: outermost?.outerHTML.slice(0, 200),
  }
}

/** Runs in the page: attributes with characters that reverse the direction of text, or control characters. */
function turningAttributes(): string[] {
  const turning = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
  return [...document.querySelectorAll('*')].flatMap((one) =>
    [...one.attributes]
      .filter(({ name, value }) => name !== 'value' && turning.test(value))
      .map(({ name }) => `${one.localName} ${name}`),
  )
}

/** The text is shown as text and not reordered, and at no width is anything pushed out of the window. */
async function isOnlyText({ page, faults }: Shown, path: string): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.waiting'))
  assert.notEqual(await page.title(), 'owned', path)
  assert.equal(await page.locator('main script, main img').count(), 0, path)
  const shown = await page.locator('main').evaluate((main) => (main as HTMLElement).innerText)
  for (const mark of ['\u202e', '\u001b', '\u0007'])
    assert(!shown.includes(mark), `${path}: what turns text around, or a terminal obeys, is written out`)
  assert.deepEqual(await page.evaluate(turningAttributes), [], `${path}: nor are titles and labels turned`)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.waitForFunction((wanted) => innerWidth === wanted, width)
    // A chart is drawn again only after it has noticed its new size.
    let { by, at } = await page.evaluate(tooWide)
    for (const end = Date.now() + patience; by > 0 && Date.now() < end; )
      ({ by, at } = await page.evaluate(tooWide))
    assert(by <= 0, `${path}: ${by} pixels too wide at ${width}: ${at}`)
  }
  assert.deepEqual(faults, [], path)
}

suite('hostile text', withoutBrowser(), async () => {
  const service = await startService()
  const ids = await fill(service)
  const pages = [
    ...[
      'alarms',
      'overview',
      'history',
      'alarm/1',
      'alarm/2',
      'traps',
      'trap/1',
      'rules',
      `rule/${ids.rule}`,
      'maintenance',
    ],
    ...[
      `window/${ids.window}`,
      'devices',
      `device/${ids.deviceId}`,
      'zones',
      'views',
      `addresses?segment=${ids.segment}`,
    ],
    ...[
      'terminals',
      'bindings',
      'reports',
      `report/${ids.template}`,
      'clients',
      'audit',
      'events',
      'event?oid=1.3.6.1.4.1.32473.55',
      'modules',
      'settings',
    ],
  ]
  test('hostile text is shown as text on every page, wide and on a phone', async () => {
    const shown = await openPage(`${service.url}/console`)
    for (const path of pages) {
      await shown.page.setViewportSize({ width: 1280, height: 800 })
      await shown.page.goto(`${service.url}/console/${path}`)
      await isOnlyText(shown, path)
    }
    await shown.page.goto(`${service.url}/console/trap/1`)
    await seen(shown.page, '1b:5b:33:31:6d:1b:5d:30:3b:6f:77:6e:65:64:07')
  })

  test('hostile text is shown as text in the preview of an import, too', async () => {
    const file = join(temporaryFolder(), 'zone.csv')
    const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`
    writeFileSync(file, `name,description\n${quoted(`${text}2`)},${quoted(long)}\n${quoted(text)},again\n`)
    const shown = await openPage(`${service.url}/console/import?kind=zone`)
    await shown.page.locator('input[type=file]').setInputFiles(file)
    await seen(shown.page, /cannot be imported/)
    await isOnlyText(shown, 'import')
  })
})

test('hostile text of operators and their tokens shows as text', withoutBrowser(), async () => {
  const service = await startGuarded()
  const operator = {
    name: `eve\u00e9<b>`,
    fullName: text.slice(0, 200),
    role: 'viewer',
    password: passwordOf('eve'),
  }
  for (const [path, body] of [
    ['/plat/operator', operator],
    ['/plat/token', { scope: 'viewer', description: text }],
  ] as const) {
    const made = await service.asJson('administrator', 'POST', path, body)
    assert.equal(made.status, 201, made.text)
  }
  const shown = await openPage(`${service.url}/console/operators`)
  const { page } = shown
  await page.getByLabel('Name').fill('administrator')
  await page.getByLabel('Password').fill(passwordOf('administrator'))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await seen(page, 'administrator, administrator')
  for (const path of ['operators', 'tokens', 'sessions', 'audit']) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${service.url}/console/${path}`)
    await isOnlyText(shown, path)
  }
})
