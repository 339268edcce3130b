// The page of a device in a real browser: its ports as on its front, and a day of its alarms.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf } from '../http/reading.ts'
import { startService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

test(
  'a port says what is wrong and what is bound there; from it a terminal is bound, and a rule begun',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const interfaces = [1, 2].map((n) => ({ ifIndex: n, ifDesc: `GigabitEthernet0/${n}` }))
    const device = { ip: '192.0.2.1', label: 'edge', interfaces }
    const id = idOf(await service.sendJson('POST', '/plat/res/device', device))
    const raise = (alarmDesc: string, port: string) =>
      service.sendJson('POST', '/fault/alarm', {
        ...{ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 2, deviceId: id, alarmDesc, resource: alarmDesc },
        ...{ ifIndex: port, paras: `*ifIndex=${port}` },
      })
    const over = idOf(await raise('It was short', '1'))
    assert.equal((await service.ask('PUT', `/fault/alarm/recover/${over}`)).status, 204)
    await raise('Port 2 is down', '2')
    const { page, faults } = await openPage(`${service.url}/console/device/${id}`)
    await page.getByRole('link', { name: /Major: It was short, from/ }).waitFor()
    await page.getByRole('link', { name: /Major: Port 2 is down, from .* to now/ }).waitFor()
    const strip = await page.locator('.day-lanes').boundingBox()
    for (const bar of await page.locator('.day-bar').all()) {
      const box = await bar.boundingBox()
      assert(strip && box && box.x >= strip.x && box.x + box.width <= strip.x + strip.width + 1)
      assert(box.width >= 24 && box.height >= 24)
    }
    await page.getByRole('button', { name: 'GigabitEthernet0/1', exact: true }).waitFor()
    await page.getByRole('button', { name: 'GigabitEthernet0/2, Major', exact: true }).click()
    const chosen = page.locator('.front-chosen')
    await chosen.getByRole('link', { name: 'Port 2 is down', exact: true }).waitFor()
    await chosen.getByRole('button', { name: 'Bind a terminal here' }).click()
    await page.locator('#field-terminalMac').fill('02:00:5e:10:00:01')
    await page.locator('#field-terminalName').fill('Printer')
    await page.locator('dialog').getByRole('button', { name: 'Save' }).click()
    await chosen.getByRole('link', { name: 'Printer' }).waitFor()
    await seen(page, 'terminal bound')
    await chosen.getByRole('link', { name: 'Make a rule for: Port 2 is down' }).click()
    await page.getByRole('heading', { name: /rule/i }).first().waitFor()
    assert.match(page.url(), /rule\/new\?alarm=/)
    await page.goto(`${service.url}/console/device/${id}`)
    await page.getByRole('link', { name: 'On the map' }).click()
    await page.getByRole('complementary').getByRole('heading', { name: 'edge' }).waitFor()
    assert.deepEqual(faults, [])
  },
)

test(
  'a device is drawn with what is around it and its alarms, and its maintenance is listed',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const add = async (path: string, body: object) => idOf(await service.sendJson('POST', path, body))
    const zoneId = await add('/ram/zone', { name: 'Harbour' })
    const core = await add('/plat/res/device', { ip: '192.0.2.1', label: 'core' })
    const interfaces = [{ ifIndex: 7, ifDesc: 'Uplink' }]
    const parent = [{ deviceId: core, ifIndex: 7 }]
    const id = await add('/plat/res/device', { ip: '192.0.2.2', label: 'edge', zoneId, interfaces, parent })
    const below = await add('/plat/res/device', {
      ip: '192.0.2.3',
      label: 'cabin',
      parent: [{ deviceId: id }],
    })
    await add('/fault/alarm', { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 2, deviceId: below })
    for (const [name, place] of [
      ['crane change', { zone: [zoneId] }],
      ['elsewhere', { device: [core] }],
    ] as const)
      await add('/fault/maintenance', { name, minutes: 30, ...place })
    const { page, faults } = await openPage(`${service.url}/console/device/${id}`)
    const drawn = page.getByRole('group', { name: 'What is around edge' })
    await drawn.getByText('cabin, Major', { exact: true }).waitFor({ state: 'attached' })
    await drawn.getByText('core, Uplink, nothing wrong', { exact: true }).waitFor({ state: 'attached' })
    const topOf = async (name: string) =>
      (await drawn.getByText(name, { exact: true }).boundingBox())?.y ?? Number.NaN
    assert((await topOf('core')) < (await topOf('edge')) && (await topOf('edge')) < (await topOf('cabin')))
    await page.getByRole('link', { name: 'crane change' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'elsewhere' }).count(), 0)
    await drawn.getByRole('link', { name: 'cabin' }).click()
    await page.getByRole('heading', { name: 'cabin', level: 1 }).waitFor()
    await page.getByRole('link', { name: /^Make a rule for/ }).click()
    await page.waitForURL(/rule\/new\?alarm=/)
    assert.deepEqual(faults, [])
  },
)
