// Makes the pictures of docs/console.md: each page with the sample network and its story, light, dark and on a phone.
// `npm run screenshots` needs Debian's Chromium.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { type App, startApp } from '../src/app.ts'
import { type ShownDevice, seeded, storyDevice } from '../src/cli/demo/demo-incident.ts'
import { setUpPeople } from '../src/cli/demo/demo-people.ts'
import { DemoPhone } from '../src/cli/demo/demo-phone.ts'
import { storySteps } from '../src/cli/demo/demo-story.ts'
import { noticesOf, type ShownBinding, sendSightings } from '../src/cli/demo/demo-terminals.ts'
import { variablesOf } from '../src/cli/traps/trap-variables.ts'
import { readConfig } from '../src/config/config.ts'
import { standardEvents } from '../src/events/event-file.ts'
import { catalog } from '../src/resources/catalog.ts'
import { TrapSender } from '../src/snmp/trap-sender.ts'
import { launchChromium } from '../test/console/chromium.ts'
import { small } from './png.ts'

const folder = fileURLToPath(new URL('./console/', import.meta.url))
const network = new URL('../examples/network/', import.meta.url)

/** What is to be seen, by the name of its picture. */
const pages: Readonly<Record<string, string>> = {
  alarms: 'alarms',
  overview: 'overview',
  map: 'map',
  'map-device': 'map?device=108',
  alarm: 'alarm/ALARM',
  history: 'history',
  statistics: 'statistics?by=device',
  raise: 'raise',
  rules: 'rules',
  rule: 'rule/new?alarm=ALARM',
  maintenance: 'maintenance',
  calendar: 'calendar',
  window: 'window/new?device=108&name=New power supply',
  traps: 'traps',
  messages: 'messages',
  shapes: 'shapes',
  trap: 'trap/1',
  events: 'events',
  event: 'event?oid=1.3.6.1.6.3.1.1.5.3',
  modules: 'modules',
  oncall: 'oncall',
  routes: 'routes',
  told: 'told',
  people: 'people',
  gateways: 'gateways',
  heartbeats: 'heartbeats',
  devices: 'devices',
  device: 'device/108',
  zones: 'zones',
  views: 'views',
  addresses: 'addresses?segment=SEGMENT',
  terminals: 'terminals',
  terminal: 'terminal/TERMINAL',
  stays: 'stays',
  bindings: 'bindings',
  reports: 'reports',
  report: 'report/1?result=1',
  import: 'import?kind=zone',
  clients: 'clients',
  operators: 'operators',
  tokens: 'tokens',
  sessions: 'sessions',
  audit: 'audit',
  settings: 'settings',
}

async function ask<T>(app: App, path: string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(app.url + path, {
    ...init,
    headers: { Accept: 'application/json', ...init.headers },
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

async function loadSample(app: App): Promise<void> {
  for (const { resource } of catalog) {
    const file = new URL(`${resource.name}.csv`, network)
    if (!existsSync(file)) continue
    const init = { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: readFileSync(file) }
    await ask(app, `/plat/data/${resource.name}?replace=true`, init)
  }
}

const openSender = ({ trapPort }: App) =>
  TrapSender.open({ host: '127.0.0.1', port: trapPort }, { version: '2c', community: 'public' })

/** Part of the story of the demo: some of its troubles are over, others are not. */
async function playStory(app: App, steps: number): Promise<void> {
  const { device } = await ask<{ device: ShownDevice[] }>(app, '/plat/res/device?size=1000')
  const cast = device.map(storyDevice)
  const sender = await openSender(app)
  let sent = 0
  for (const step of storySteps(cast, seeded(12))) {
    sent += 1
    if (sent > steps) break
    if (step.work) continue
    const event = standardEvents.find(({ name }) => name === step.event)
    const given = Object.entries(step.variables).map(([name, value]) => ({ name, value }))
    await sender.send({
      oid: event?.eventOid ?? '',
      variables: variablesOf(event, given),
      agent: step.device.ip,
    })
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
  sender.close()
}

async function placeTerminals(app: App): Promise<void> {
  const { macAccessBind } = await ask<{ macAccessBind: ShownBinding[] }>(
    app,
    '/res/access/macAccessBind?size=1000',
  )
  const { device } = await ask<{ device: ShownDevice[] }>(app, '/plat/res/device?size=1000')
  const sender = await openSender(app)
  await sendSightings(sender, noticesOf(macAccessBind, device, true))
  sender.close()
  const isThere = async () =>
    (await ask<{ terminal: unknown[] }>(app, '/res/access/terminal')).terminal.length > 0
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 50))
}

const json = (method: string, body: unknown) => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/** A port of a distribution switch goes down; the switch behind it still complains, and that follows from it. */
async function cutFloor(app: App): Promise<void> {
  const sender = await openSender(app)
  const send = async (name: string, agent: string, variables: Readonly<Record<string, string>> = {}) => {
    const event = standardEvents.find((one) => one.name === name)
    const given = Object.entries(variables).map(([variable, value]) => ({ name: variable, value }))
    await sender.send({ oid: event?.eventOid ?? '', variables: variablesOf(event, given), agent })
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const port = {
    ifIndex: '1',
    ifDescr: 'Ten-GigabitEthernet1/0/1',
    ifAdminStatus: 'up',
    ifOperStatus: 'down',
  }
  await send('linkDown', '10.10.1.7', port)
  await send('authenticationFailure', '10.10.1.8')
  sender.close()
}

/** Something of every level, and work under way. */
async function addCare(app: App): Promise<void> {
  const core = { deviceIp: '10.10.1.5', deviceName: 'ham-core1', resource: 'room=A' }
  await ask(
    app,
    '/fault/alarm',
    json('POST', {
      OID: '1.3.6.1.4.1.32473.9.1',
      alarmLevel: 1,
      alarmCategory: 4,
      alarmDesc: 'Server room A: temperature 41 °C, the limit is 32 °C',
      ...core,
    }),
  )
  await ask(
    app,
    '/fault/alarm',
    json('POST', {
      OID: '1.3.6.1.4.1.32473.9.2',
      alarmLevel: 1,
      alarmCategory: 2,
      alarmDesc: 'Backup of the file server has failed twice',
      deviceIp: '10.10.10.20',
      deviceName: 'backup',
      resource: 'job=files',
    }),
  )
  await ask(
    app,
    '/fault/alarm',
    json('POST', {
      OID: '1.3.6.1.4.1.32473.9.3',
      alarmLevel: 5,
      alarmCategory: 15,
      alarmDesc: 'Certificate of the portal ends in 30 days',
      deviceIp: '10.10.10.21',
      deviceName: 'portal',
      resource: 'cert=1',
    }),
  )
  const { alarm } = await ask<{ alarm: { id: string }[] }>(app, '/fault/alarm?recStatus=0&size=6')
  for (const { id } of alarm.slice(0, 2)) await ask(app, `/fault/alarm/acknowledge/${id}`, { method: 'PUT' })
  await ask(app, `/fault/alarm/${alarm[0]?.id}`, json('PUT', { remark: 'Old scanner, replaced on Friday' }))
}

/** What people have set up: a window, a report with its schedule, a view, and programs that listen. */
async function addHabits(app: App): Promise<void> {
  await ask(
    app,
    '/fault/maintenance',
    json('POST', {
      name: 'Core switches: new software',
      reason: 'Planned with all sites',
      owner: 'Meike',
      device: [105, 106],
      minutes: 240,
    }),
  )
  await ask(
    app,
    '/report/reportTemplate/1/run?format=json',
    json('POST', { beginTime: String(Math.floor(Date.now() / 1000) - 86_400) }),
  )
  await ask(
    app,
    '/report/reportSchedule',
    json('POST', {
      templateId: '1',
      every: 'weekly',
      time: '06:00',
      parameter: [{ parameterName: 'zone', value: '2' }],
    }),
  )
  await ask(
    app,
    '/plat/res/view/custom',
    json('POST', { name: 'Core of Hamburg', member: ['103', '104', '105', '106'] }),
  )
  for (const uuid of ['ticket-system', 'wall-display'])
    void fetch(`${app.url}/events?type=11&uuid=${uuid}&alarmLevel=1,2`).catch(() => undefined)
}

/** People with phones, a schedule and a route, as in the demo; a fault of which they were told; programs that report. */
async function addPeople(app: App, phone: DemoPhone): Promise<void> {
  await setUpPeople(app.url, phone, 'Europe/Berlin')
  await ask(
    app,
    '/notify/heartbeat',
    json('POST', { name: 'backup', everySeconds: 86_400, graceSeconds: 3600 }),
  )
  await ask(
    app,
    '/notify/heartbeat',
    json('POST', { name: 'spare', description: 'the other monitoring system', everySeconds: 60 }),
  )
  await ask(app, '/events/heartbeat/backup', { method: 'POST' })
  await ask(
    app,
    '/notify/outgoingHeartbeat',
    json('POST', { name: 'watchdog', everySeconds: 300, url: `${phone.url}/messages` }),
  )
  const isTold = phone.next('you', 60_000)
  await ask(
    app,
    '/fault/alarm',
    json('POST', {
      ...{
        OID: '1.3.6.1.4.1.32473.9.4',
        alarmLevel: 2,
        alarmCategory: 4,
        alarmDesc: 'UPS B runs on battery',
      },
      ...{ deviceIp: '10.10.10.22', deviceName: 'ups-b', resource: 'ups=b' },
    }),
  )
  await isTold
}

/** A module of our own, which proposes definitions. */
async function loadModules(app: App): Promise<void> {
  for (const file of ['ACME-SMI.mib', 'ACME-TOWER-MIB.mib']) {
    const body = readFileSync(new URL(`../test/mibs/modules/${file}`, import.meta.url))
    await ask(app, `/fault/mibModule?file=${file}`, { method: 'POST', body })
  }
}

/** From now on everyone has to sign in. */
const addOperator = (app: App) =>
  ask(
    app,
    '/plat/operator',
    json('POST', { name: 'meike', password: 'rings at noon', role: 'administrator' }),
  )

interface Look {
  readonly suffix: string
  readonly width: number
  readonly height: number
  readonly dark?: true
}

const looks: readonly Look[] = [
  { suffix: '', width: 1280, height: 800 },
  { suffix: '-dark', width: 1280, height: 800, dark: true },
  { suffix: '-phone', width: 390, height: 780 },
]

/** A file with something new, something changed and something that cannot be: what is seen before an import. */
async function chooseFile(page: Page): Promise<void> {
  const rows = [
    'zoneId,name,description',
    '900,Oslo Office,"Sales, from May on"',
    '3,Lyon Plant,"Production halls 1, 2 and 3"',
    'four,Boston Office,',
  ]
  const buffer = Buffer.from(rows.join('\n'))
  await page.locator('input[type=file]').setInputFiles({ name: 'zone.csv', mimeType: 'text/csv', buffer })
  await page.locator('.diff').waitFor()
}

async function take(browser: Browser, url: string, name: string, look: Look): Promise<void> {
  const { suffix, width, height, dark } = look
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' })
  await page.goto(url)
  await page.locator('main h1').waitFor()
  await page.waitForFunction(() => !document.querySelector('.waiting'))
  if (name === 'import') await chooseFile(page)
  if (name === 'rule') await page.locator('.dry-run .outcome').waitFor()
  await page.waitForTimeout(700)
  writeFileSync(join(folder, `${name}${suffix}.png`), small(await page.screenshot()))
  await page.close()
}

/** Some by name, or all. */
const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

const data = mkdtempSync(join(tmpdir(), 'belfry-screenshots-'))
const app = await startApp(
  readConfig(
    {
      ...{ data, listen: '127.0.0.1:0', traps: '127.0.0.1:0', 'time-zone': 'Europe/Berlin' },
      'notify-loopback': 'yes',
    },
    {},
  ),
)
const phone = await DemoPhone.open()
const browser = await launchChromium()
try {
  mkdirSync(folder, { recursive: true })
  await loadSample(app)
  await playStory(app, 160)
  await cutFloor(app)
  await addCare(app)
  await addHabits(app)
  await addPeople(app, phone)
  await placeTerminals(app)
  await loadModules(app)
  const { alarm } = await ask<{ alarm: { id: string; deviceId: string }[] }>(
    app,
    '/fault/alarm?recStatus=0&faultOid=1.3.6.1.6.3.1.1.5.3&size=5',
  )
  const { assignedIpScope } = await ask<{ assignedIpScope: { assignedIpScope: { id: string }[] }[] }>(
    app,
    '/res/access/assignedIpScope',
  )
  const segment = assignedIpScope.find((one) => one.assignedIpScope.length > 0)?.assignedIpScope[0]?.id ?? ''
  const { terminal } = await ask<{ terminal: { id: string }[] }>(
    app,
    `/res/access/terminal?terminalMac=${encodeURIComponent('54:ee:75:4e:a9:9e')}`,
  )
  const ids: Readonly<Record<string, string>> = {
    ALARM: alarm[0]?.id ?? '1',
    SEGMENT: segment,
    TERMINAL: terminal[0]?.id ?? '1',
  }
  for (const [name, path] of Object.entries(pages).filter(([one]) => isWanted(one))) {
    const url = `${app.url}/console/${path.replace(/[A-Z]{5,}/, (word) => ids[word] ?? word)}`
    for (const look of looks) await take(browser, url, name, look)
    console.log(name)
  }
  if (isWanted('wall'))
    await take(browser, `${app.url}/console/alarms?wall=true`, 'wall', {
      suffix: '',
      width: 1920,
      height: 1080,
    })
  if (isWanted('sign-in')) {
    await addOperator(app)
    for (const look of looks) await take(browser, `${app.url}/console`, 'sign-in', look)
  }
} finally {
  await browser.close()
  await app.stop()
  await phone.close()
  rmSync(data, { recursive: true, force: true })
}
