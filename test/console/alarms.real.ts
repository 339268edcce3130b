// The page of alarms in a real browser, with real traps.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { device, ifIndex, linkDown, linkUp, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

test(
  'a trap over UDP appears on the page, and leaves it when its cause is gone',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console`)
    await seen(page, 'Nothing has reported yet')
    const port = await device(service.trapPort)
    await port.send(v2c(linkDown, [ifIndex(7)]))
    const row = page.locator('.rows .row')
    await row.waitFor()
    assert.match((await row.textContent()) ?? '', /\b7\b/)
    await port.send(v2c(linkUp, [ifIndex(7)], { requestId: 2 }))
    await seen(page, 'Over')
    await seen(page, 'Nothing is wrong')
    assert.deepEqual(faults, [])
  },
)
