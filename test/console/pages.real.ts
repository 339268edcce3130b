// Every page in a real browser: it opens without an error, violates no rule of WCAG, and can be used with Tab alone.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { catalog } from '../../src/resources/catalog.ts'
import { device, ifIndex, linkDown, until, v2c } from '../intake/sending.ts'
import { startService, type TestService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, withoutBrowser } from './browser.ts'
import { tabThrough } from './tabbing.ts'

const network = new URL('../../examples/network/', import.meta.url)

async function sample(service: TestService): Promise<void> {
  for (const { resource } of catalog) {
    const file = new URL(`${resource.name}.csv`, network)
    if (!existsSync(file)) continue
    const headers = { 'Content-Type': 'text/csv' }
    const body = readFileSync(file)
    const { status, text } = await service.ask('POST', `/plat/data/${resource.name}?replace=true`, {
      headers,
      body,
    })
    assert.equal(status, 200, text)
  }
  const port = await device(service.trapPort)
  await port.send(v2c(linkDown, [ifIndex(7)]))
  // A row that is added while Tab goes through a page would be an unexpected stop.
  await until('the trap', async () => (await service.get('/fault/trap')).headers.total === '1')
}

const pages = [
  'alarms',
  'overview',
  'history',
  'statistics',
  'raise',
  'alarm/1',
  'traps',
  'trap/1',
  'rules',
  'maintenance',
  'window/new?device=108',
  'rule/2',
  'rule/new',
  'events',
  'event?oid=1.3.6.1.6.3.1.1.5.3',
  'modules',
  'devices',
  'device/108',
  'zones',
  'views',
  'addresses',
  'terminals',
  'stays',
  'bindings',
  'reports',
  'report/1',
  'import',
  'clients',
  'operators',
  'tokens',
  'sessions',
  'audit',
  'settings',
  'nowhere',
]

suite('pages of the console', withoutBrowser(), async () => {
  const service = await startService()
  await sample(service)
  for (const path of pages) {
    test(`${path} opens, and is accessible, light and dark`, async () => {
      const { page, faults } = await openPage(`${service.url}/console/${path}`, { bypassCSP: true })
      await page.locator('main h1, main h2').first().waitFor()
      await page.waitForFunction(() => !document.querySelector('.waiting'))
      assert.equal(await page.getByText('That did not work').count(), 0)
      assert.deepEqual(await violations(page), [], 'light')
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.deepEqual(await violations(page), [], 'dark')
      await tabThrough(page, path === 'alarms' ? 'menu' : 'main')
      assert.deepEqual(faults, [])
      await page.context().close()
    })
  }
})
