// Syslog messages in a real browser: searched, followed, explained, and the unknown ones as a list of work.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum, ledger as takeLedger, until } from '../intake/sending.ts'
import { speaker } from '../intake/syslog-speaker.ts'
import { startService, type TestService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

const fanFailed = '<187>%FAN-3-FAN_FAILED: Fan 1 had a rotation error reported.'
const configured = '<189>%SYS-5-CONFIG_I: Configured from console by admin'
const door = (n: number) => `<28>doord[${n}]: cabinet ${n} door alarm sensor lost contact`
const served = (n: number) => `<190>app[${n}]: served request ${n} in 3 ms`

const start = () => startService({ 'syslog-udp': '127.0.0.1:0' })

const counted = (service: TestService, n: number) =>
  until(`${n} are counted`, async () => sum(await takeLedger(service)) >= n)

async function addDevice(service: TestService, ip: string, label: string): Promise<string> {
  const made = await service.sendJson('POST', '/plat/res/device', { ip, label })
  assert.equal(made.status, 201, made.text)
  return made.headers.location?.split('/').at(-1) ?? ''
}

test('messages are searched, and each says what became of it', withoutBrowser(), async () => {
  const service = await start()
  await addDevice(service, '127.0.0.2', 'sw-cellar')
  const say = await speaker(service.syslogPorts.udp, '127.0.0.2')
  await say(fanFailed.replace('>', '>: 2024 May  1 10:20:30 UTC: '), configured, door(7))
  await (await speaker(service.syslogPorts.udp, '127.0.0.3'))(served(1))
  await counted(service, 4)
  const { page, faults } = await openPage(`${service.url}/console/messages`)
  const rows = page.locator('tbody tr')
  await seen(page, 'served request 1 in 3 ms')
  assert.equal(await rows.count(), 4)
  await page.getByLabel('With the text').fill('DOOR alarm')
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
  await rows.first().getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No definition knows it.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('With the text').fill('')
  await page.getByLabel('What it means').selectOption('raise')
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
  await rows.first().getByRole('button').click()
  await dialog.getByText('It reports a fault.').waitFor()
  await dialog.getByText('raised an alarm').waitFor()
  await dialog.getByText(/2024 May {2}1 10:20:30 UTC \(\d+ \w+.* behind\)/).waitFor()
  await dialog.getByRole('link', { name: 'In the list of traps' }).waitFor()
  await dialog.getByRole('link', { name: /^Alarm \d+$/ }).click()
  await page.getByRole('heading', { level: 1, name: /fan/i }).waitFor()
  assert.deepEqual(faults, [])
})

test(
  'messages of a device are followed, and rows hold still below the pointer',
  withoutBrowser(),
  async () => {
    const service = await start()
    const id = await addDevice(service, '127.0.0.2', 'sw-cellar')
    const say = await speaker(service.syslogPorts.udp, '127.0.0.2')
    const sayOther = await speaker(service.syslogPorts.udp, '127.0.0.3')
    await say(door(1))
    await counted(service, 1)
    const { page, faults } = await openPage(`${service.url}/console/device/${id}`)
    await page.getByRole('link', { name: 'Its messages' }).click()
    await seen(page, 'cabinet 1 door alarm sensor lost contact')
    await sayOther(door(50))
    await say(door(2))
    await seen(page, 'cabinet 2 door alarm sensor lost contact')
    assert.equal(await page.getByText('cabinet 50 door').count(), 0)
    await page.getByRole('cell', { name: 'cabinet 1 door' }).hover()
    await say(door(3), door(4))
    await page.getByRole('button', { name: '2 new' }).waitFor()
    assert.equal(await page.getByText('cabinet 3 door').count(), 0)
    await page.getByRole('button', { name: '2 new' }).click()
    await seen(page, 'cabinet 4 door alarm sensor lost contact')
    assert.match((await page.locator('tbody tr').first().textContent()) ?? '', /cabinet 4/)
    await page.getByRole('button', { name: 'Stop following' }).click()
    await seen(page, '4 entries')
    assert.deepEqual(faults, [])
  },
)

test('what nobody knows is listed by shape, and with a click never again', withoutBrowser(), async () => {
  const service = await start()
  const say = await speaker(service.syslogPorts.udp, '127.0.0.4')
  await say(door(1), served(1), served(2), served(3))
  await counted(service, 4)
  const { page, faults } = await openPage(`${service.url}/console/messages`)
  await page.getByRole('link', { name: 'Unknown messages' }).click()
  const rows = page.locator('table').first().locator('tbody tr')
  await seen(page, 'sounds like a fault')
  assert.match((await rows.first().textContent()) ?? '', /doord/)
  const shape = 'served request * in * ms'
  await page.getByRole('button', { name: `Never list app: ${shape}` }).click()
  await seen(page, 'Such messages are listed no longer.')
  await page.getByRole('button', { name: `More about app: ${shape}` }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('What nobody wants to see above can be moved here.').waitFor()
  // The receiving thread has forgotten those that had come, and learns within seconds that others are wanted again.
  const listed = page.getByRole('link', { name: `Show messages like app: ${shape}` })
  await until('the shape is listed again', async () => {
    await say(served(4))
    return (await listed.count()) > 0
  })
  await listed.click()
  await seen(page, 'served request 4 in 3 ms')
  // Those that were said again and again meanwhile may fill the page.
  await page.getByLabel('With the text').fill('request 1')
  await seen(page, 'served request 1 in 3 ms')
  assert.deepEqual(faults, [])
})

test('what a terminal would obey, and what turns text around, is only shown', withoutBrowser(), async () => {
  const service = await start()
  const say = await speaker(service.syslogPorts.udp, '127.0.0.5')
  const hostile = '\u001b[31m\u001b]0;owned\u0007 <b>bold</b> abc\u202etxt.exe'
  await say(`<28>evil\u202e[1]: ${hostile} sensor lost`, `<28>app: ${hostile} ${'x'.repeat(9000)} failed`)
  await counted(service, 2)
  const { page, faults } = await openPage(`${service.url}/console/messages`)
  for (const path of ['messages', 'messages?follow=true', 'shapes']) {
    await page.goto(`${service.url}/console/${path}`)
    await seen(page, '<b>bold</b>')
    const shown = await page.locator('main').evaluate((main) => (main as HTMLElement).innerText)
    for (const mark of ['\u202e', '\u001b', '\u0007']) assert(!shown.includes(mark), path)
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert(width <= 0, `${path}: ${width} pixels too wide`)
  }
  await page.goto(`${service.url}/console/messages`)
  await page.locator('tbody tr').first().getByRole('button').click()
  await page.getByRole('dialog').getByText('<b>bold</b>').waitFor()
  assert(!(await page.getByRole('dialog').innerText()).includes('\u202e'))
  assert.deepEqual(faults, [])
})

test(
  'an unknown message becomes a definition, which is tried, saved, changed and deleted',
  withoutBrowser(),
  async () => {
    const service = await start()
    const say = await speaker(service.syslogPorts.udp, '127.0.0.6')
    await say(door(1), door(2))
    await counted(service, 2)
    const { page, faults } = await openPage(`${service.url}/console/shapes`)
    await page.getByRole('link', { name: /^Define doord: cabinet/ }).click()
    await seen(page, 'Of the last messages, it knows:')
    await seen(page, '2, about 2 things')
    await page.getByLabel('Name', { exact: true }).fill('Cabinet doors')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Cabinet doors' }).click()
    await page.getByRole('heading', { name: 'Message definition: Cabinet doors' }).waitFor()
    await until('it raises an alarm', async () => {
      await say(door(3))
      return (await service.get('/fault/alarm')).headers.total !== '0'
    })
    await page.getByLabel('Text of the alarm').fill('A door of {deviceName} {nothing}')
    await page.getByRole('button', { name: 'Save' }).click()
    await seen(page, 'expected one of part')
    await page.getByLabel('Text of the alarm').fill('A door of {deviceName}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Cabinet doors' }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete definition' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await seen(page, 'No message definitions yet')
    assert.deepEqual(faults, [])
  },
)

test(
  'a known message becomes a definition for one zone, whose alarms are as severe as its messages',
  withoutBrowser(),
  async () => {
    const service = await start()
    await addDevice(service, '127.0.0.2', 'sw-cellar')
    const say = await speaker(service.syslogPorts.udp, '127.0.0.2')
    await say(fanFailed)
    await counted(service, 1)
    const { page, faults } = await openPage(`${service.url}/console/messages`)
    await page.locator('tbody tr').first().getByRole('button').click()
    await page.getByRole('dialog').getByRole('link', { name: 'Define' }).click()
    await page.getByRole('heading', { name: 'New message definition' }).waitFor()
    await seen(page, 'Of the last messages, it knows:')
    assert.match(await page.getByLabel('OID of another event').inputValue(), /^1\.3\.6\.1/)
    await page.getByLabel('OID of another event').fill('')
    assert.equal(await page.getByLabel('Level').locator(':checked').innerText(), 'as severe as the message')
    await page.getByLabel('or of devices in the zones').fill('Def')
    await page.getByRole('option', { name: 'Default' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Our fans')
    await seen(page, '1, about 1 thing')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Our fans' }).waitFor()
    const { messageDefinition } = (
      await service.get('/fault/messageDefinition', { Accept: 'application/json' })
    ).json()
    const [{ zone, alarmLevel, code }] = messageDefinition as [Record<string, unknown>]
    assert.deepEqual([zone, alarmLevel, code], [['1'], undefined, ['FAN-FAN_FAILED']])
    assert.deepEqual(faults, [])
  },
)
