// A console that shows made-up devices says so on every page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleCounter, setCounter } from '../../src/store/counter.ts'
import { startService } from '../support.ts'
import { openPage, withoutBrowser } from './browser.ts'

test(
  'where the sample network is loaded, the menu says that the data are made up',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/devices`)
    const mark = page.getByText('Sample data', { exact: true })
    await page.locator('main h1').first().waitFor()
    assert.equal(await mark.count(), 0)
    await service.database.transaction((tx) => setCounter(tx, sampleCounter, 1))
    await page.reload()
    await mark.waitFor()
    assert.match((await mark.getAttribute('title')) ?? '', /made up/)
    await page.goto(`${service.url}/console/zones`)
    await mark.waitFor()
    assert.deepEqual(faults, [])
  },
)
