// Ten things that people come to the console for, in a real browser, and how often the mouse is pressed for each. Typing
// is not counted. The numbers are in docs/console-design.md.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { bearer, guard, passwordOf, tokenOf } from '../http/credentials.ts'
import { idOf } from '../http/reading.ts'
import { linkDown, portDown, device as sender, until } from '../intake/sending.ts'
import { startService, temporaryFolder } from '../support.ts'
import { choose, openPage, seen, withoutBrowser } from './browser.ts'

const event = '1.3.6.1.4.1.32473.9.1'
const terminal = '02:00:5e:a9:9e:01'

/** A harbour with a core switch and one behind it, whose uplink is down; and what else the tasks are about. */
async function harbour() {
  const service = guard(await startService({}, { adminPassword: passwordOf('admin') }))
  const made = async (path: string, body: object) => idOf(await service.asJson('admin', 'POST', path, body))
  const zoneId = await made('/ram/zone', { name: 'Harbour' })
  const device = (label: string, ip: string, more = {}) =>
    made('/plat/res/device', { label, ip, zoneId, ...more })
  const interfaces = [{ ifIndex: 24, ifDesc: 'ge-0/0/24' }]
  const core = await device('quay-core', '192.0.2.1', { interfaces })
  await device('quay-access', '192.0.2.2', { parent: [{ deviceId: core, parentIfIndex: '24' }] })
  const wire = await sender(service.trapPort)
  const opened = async (count: number) =>
    until(
      `${count} alarms`,
      async () =>
        (await service.as('admin', 'GET', '/fault/alarm?recStatus=0&total=true')).headers.total ===
        String(count),
    )
  await wire.send(portDown('192.0.2.1', 24))
  await opened(1)
  await wire.send(portDown('192.0.2.2', 1))
  await opened(2)
  await made('/fault/alarm', {
    ...{
      OID: event,
      alarmLevel: 1,
      alarmDesc: 'The crane has no power',
      deviceIp: '192.0.2.9',
      resource: 'a',
    },
  })
  // What desks report is filtered.
  await made('/fault/trapRule', {
    trapRuleName: 'Desks',
    trapOId: linkDown,
    trapGroup: '-1',
    trapDevice: [{ devID: core, displayName: 'quay-core' }],
  })
  await wire.send(portDown('192.0.2.1', 7))
  await until(
    'a trap is filtered',
    async () => (await service.as('admin', 'GET', '/fault/trap?bin=filtered')).headers.total === '1',
  )
  const token = await tokenOf(service, 'admin', { scope: 'access', description: 'RADIUS' })
  const { status, text } = await service.ask('POST', '/res/access/accounting', {
    headers: { ...bearer(token), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ sourceIp: '192.0.2.1', userName: 'x', callingStationId: terminal },
      ...{ nasPortId: 'ge-0/0/24', nasPort: '24', acctStatusType: 'Start' },
    }),
  })
  assert.equal(status, 204, text)
  return service
}

function bellModule(): string {
  const file = join(temporaryFolder(), 'BELL-MIB.txt')
  writeFileSync(
    file,
    `BELL-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, NOTIFICATION-TYPE FROM SNMPv2-SMI;
bellRang NOTIFICATION-TYPE STATUS current DESCRIPTION "It rang." ::= { enterprises 32473 7 3 0 1 }
END`,
  )
  return file
}

interface Task {
  readonly what: string
  readonly presses: number
  readonly do: (page: Page) => Promise<void>
}

const menu = (page: Page, name: string) =>
  page.locator('nav').getByRole('link', { name, exact: true }).click()
const rowOf = (page: Page, text: string) => page.locator('.rows .row', { hasText: text })

const tasks: readonly Task[] = [
  {
    what: 'what is wrong now',
    presses: 0,
    async do(page) {
      await rowOf(page, 'The crane has no power').getByText('Critical').waitFor()
    },
  },
  {
    what: 'the cause of an outage',
    presses: 1,
    async do(page) {
      await rowOf(page, 'quay-access').locator('.c-text a').click()
      await seen(page, 'This alarm follows from another one')
      await page
        .getByRole('link', { name: /^quay-core/ })
        .last()
        .waitFor()
    },
  },
  {
    what: 'acknowledge the alarms of a site, with a note',
    presses: 4,
    async do(page) {
      await page.locator('#alarm-search').click()
      await page.keyboard.type('zone:Harb')
      await page.getByRole('option', { name: 'Harbour' }).waitFor()
      await page.keyboard.press('Enter')
      await rowOf(page, 'The crane has no power').waitFor({ state: 'detached' })
      await page.locator('.headings .c-select label').click()
      await page
        .getByRole('button', { name: /^Acknowledge/ })
        .last()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(/^Note/).focus()
      await page.keyboard.type('the harbour master knows')
      await dialog.getByRole('button', { name: 'Acknowledge' }).click()
      await seen(page, '2 alarms acknowledged')
    },
  },
  {
    what: 'shelve an alarm until tomorrow',
    presses: 3,
    async do(page) {
      await rowOf(page, 'The crane has no power').locator('.c-text a').click()
      await page.getByRole('button', { name: 'Shelve' }).click()
      await seen(page, /^Until \d{4}-\d\d-\d\d 08:00$/)
      await page.getByRole('dialog').getByRole('button', { name: 'Shelve' }).click()
      await seen(page, /^Shelved until/)
    },
  },
  {
    what: 'maintenance of a device tonight, once',
    presses: 4,
    async do(page) {
      await menu(page, 'Maintenance')
      await page.getByRole('link', { name: 'New maintenance window' }).first().click()
      await page.locator('#window-name').focus()
      await page.keyboard.type('New power supply')
      await choose(page.getByLabel('Add a device'), /^quay-core/, 'quay-core')
      await page.getByRole('button', { name: 'Save the window' }).click()
      await page.locator('tr', { hasText: 'New power supply' }).waitFor()
    },
  },
  {
    what: 'where a MAC address is',
    presses: 1,
    async do(page) {
      await page.getByRole('button', { name: 'Search all' }).click()
      await page.keyboard.type('a99e01')
      await page.getByRole('option', { name: terminal }).waitFor()
      await page.keyboard.press('Enter')
      await page.locator('.facts', { hasText: 'ge-0/0/24' }).waitFor()
    },
  },
  {
    what: 'a terminal bound to the port where it is',
    presses: 3,
    async do(page) {
      await page.getByRole('button', { name: 'Search all' }).click()
      await page.keyboard.type('a99e01')
      await page.getByRole('option', { name: terminal }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'None: make one' }).click()
      await page.getByRole('button', { name: 'Remove quay-core, port 24' }).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('link', { name: 'What it may do' }).waitFor()
    },
  },
  {
    what: 'why a trap made no alarm',
    presses: 3,
    async do(page) {
      await menu(page, 'Traps')
      await page.getByRole('link', { name: 'filtered by a rule' }).click()
      await page.getByRole('cell', { name: 'filtered by a rule' }).waitFor()
      await page.getByRole('table').getByRole('link').first().click()
      await seen(page, /\(Desks\)/)
    },
  },
  {
    what: 'a definition from a module',
    presses: 3,
    async do(page) {
      await menu(page, 'MIB modules')
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByText('Load modules').click(),
      ])
      await chooser.setFiles(bellModule())
      await page
        .locator('tr', { hasText: 'bellRang' })
        .getByRole('button', { name: /^Accept/ })
        .click()
      await seen(page, 'There is nothing to propose')
    },
  },
  {
    what: 'a report every Monday',
    presses: 4,
    async do(page) {
      await menu(page, 'Reports')
      await page.getByRole('link', { name: 'Alarm Summary' }).click()
      await page.getByRole('button', { name: 'New schedule' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await seen(page, 'every Monday at 06:00')
    },
  },
]

const published = readFileSync(new URL('../../docs/console-design.md', import.meta.url), 'utf8')

describe('ten tasks', withoutBrowser(), () => {
  for (const task of tasks) {
    test(task.what, async () => {
      const service = await harbour()
      const { page, faults } = await openPage(`${service.url}/console`)
      await page.getByLabel('Name').fill('admin')
      await page.getByLabel('Password').fill(passwordOf('admin'))
      await page.keyboard.press('Enter')
      await rowOf(page, 'The crane has no power').waitFor()
      let presses = 0
      await page.exposeFunction('countPress', () => {
        presses += 1
      })
      await page.evaluate(() =>
        addEventListener(
          'pointerdown',
          () => (window as unknown as { countPress(): void }).countPress(),
          true,
        ),
      )
      await task.do(page)
      assert.equal(presses, task.presses)
      assert.ok(published.includes(`| ${task.what} | ${presses} |`), 'as published')
      assert.deepEqual(faults, [])
    })
  }
})
