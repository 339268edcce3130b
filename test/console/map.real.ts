// The map in a real browser: devices are found, chosen, moved, folded and played; it is live, by keyboard, as a list and on paper.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { idOf } from '../http/reading.ts'
import { startService } from '../support.ts'
import { chooseMore, openPage, seen, withoutBrowser } from './browser.ts'

suite('the map', withoutBrowser(), async () => {
  const service = await startService()
  const make = async (label: string, ip: string, more: object = {}) =>
    idOf(await service.sendJson('POST', '/plat/res/device', { label, ip, ...more }))
  const zoneId = idOf(await service.sendJson('POST', '/ram/zone', { name: 'Lyon' }))
  const core = await make('core', '192.0.2.1', { typeName: 'Core switch' })
  const spare = await make('spare', '192.0.2.2')
  const above = [
    { deviceId: core, ifIndex: '1', parentIfIndex: '7' },
    { deviceId: spare, ifIndex: '2', parentIfIndex: '7' },
  ]
  const edge = await make('edge', '192.0.2.3', { parent: above })
  await make('phone', '192.0.2.4', { parent: [{ deviceId: edge }] })
  const branch = await make('branch', '192.0.2.5', { zoneId, parent: [{ deviceId: core }] })
  const raise = (deviceId: string, alarmLevel: number, alarmDesc: string, more: object = {}) =>
    service.sendJson('POST', '/fault/alarm', {
      ...{ OID: '1.3.6.1.4.1.32473.9.1', alarmLevel, deviceId, alarmDesc, resource: alarmDesc, ...more },
    })
  const opened = async (query = '') => {
    const { page, faults } = await openPage(`${service.url}/console/map${query}`)
    await page.getByRole('application').waitFor()
    return { page, faults, map: page.getByRole('application'), panel: page.getByRole('complementary') }
  }
  const named = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  /** What is drawn, as a text: the file has the same in it. */
  const drawn = async (page: Page) => {
    const file = page.waitForEvent('download')
    await chooseMore(page, 'More about the map', /SVG/)
    return readFileSync(await (await file).path(), 'utf8')
  }

  test('arrow keys go along the links, Enter opens the device', async () => {
    const { page, faults, map, panel } = await opened()
    await map.focus()
    await page.keyboard.press('ArrowDown')
    await panel.getByRole('heading', { name: 'core', exact: true }).waitFor()
    await page.keyboard.press('ArrowRight')
    await panel.getByRole('heading', { name: 'spare', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await panel.getByRole('heading', { name: 'edge', exact: true }).waitFor()
    await seen(page, 'edge, nothing wrong, tier 2, 2 above, 1 below')
    await page.keyboard.press('ArrowDown')
    await panel.getByRole('heading', { name: 'phone', exact: true }).waitFor()
    assert.deepEqual(await panel.locator('.map-way > li').allInnerTexts(), ['edge', 'core\nspare'])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'core', exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('what is searched is found, and chosen one after the other', async () => {
    const { page, faults, panel } = await opened()
    const field = page.getByRole('searchbox', { name: 'Find a device' })
    await field.fill('192.0.2')
    await page.locator('.map-search').getByText('5').waitFor()
    await field.fill('switch')
    await page.locator('.map-search').getByText('1').waitFor()
    await field.press('Enter')
    await panel.getByRole('heading', { name: 'core', exact: true }).waitFor()
    assert.match(page.url(), new RegExp(`device=${core}`), 'a link shows others the same')
    await field.fill('nobody')
    await seen(page, 'nothing found')
    assert.deepEqual(faults, [])
  })

  test('an alarm marks its device and its link as soon as it comes, and the list says so', async () => {
    const { page, faults } = await opened(`?device=${core}`)
    await seen(page, '5 devices, nothing wrong')
    const before = await drawn(page)
    await raise(core, 2, 'Port 7 is down', { ifIndex: '7', paras: '*ifIndex=7' })
    await seen(page, '5 devices, 1 with alarms')
    await seen(page, 'Port 7 is down')
    const colour = (text: string) => new Set(text.match(/stroke="[^"]+"/g))
    const more = [...colour(await drawn(page))].filter((one) => !colour(before).has(one))
    assert.equal(more.length, 1, 'the link and the card have the colour of the level')
    await named(page, 'List').click()
    const row = page.getByRole('row', { name: /core/ }).first()
    await row.getByText('Major').waitFor()
    await page.getByRole('row', { name: /edge/ }).getByRole('link', { name: 'spare' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('a zone folds, and stays folded; what was moved stays, also in the next page', async () => {
    const { page, faults, map } = await opened()
    const cards = async () => (await drawn(page)).match(/>(?:core|branch|phone)</g)?.toSorted()
    assert.deepEqual(await cards(), ['>branch<', '>core<', '>phone<'])
    const place = async (name: string) =>
      new RegExp(`<text x="([\\d.-]+)" y="([\\d.-]+)"[^>]*>${name}<`).exec(await drawn(page))
    const before = await place('core')
    await named(page, 'Arrange').click()
    await map.focus()
    await page.keyboard.press('ArrowDown')
    for (let n = 0; n < 5; n += 1) await page.keyboard.press('Shift+ArrowDown')
    const after = await place('core')
    assert.equal(Math.round(Number(after?.[2]) - Number(before?.[2])), 50)
    await page.reload()
    await map.waitFor()
    assert.deepEqual((await place('core'))?.slice(1), after?.slice(1))
    await chooseMore(page, 'More about the map', 'Put everything back')
    assert.deepEqual((await place('core'))?.slice(1), before?.slice(1))
    await chooseMore(page, 'More about the map', /^Fold all zones$/)
    assert.equal(await cards(), undefined)
    await page.reload()
    await map.waitFor()
    assert.equal(await cards(), undefined)
    await page.goto(`${service.url}/console/map?device=${branch}`)
    await map.waitFor()
    await page.getByRole('searchbox').fill('branch')
    await page.getByRole('searchbox').press('Enter')
    await page.waitForFunction(() => !localStorage.getItem('belfry map ')?.includes('"2"'))
    assert.deepEqual(await cards(), ['>branch<'], 'a device that is chosen unfolds its zone')
    assert.deepEqual(faults, [])
  })

  test('by pointer: a press chooses, a drag moves the map and not the device, unless one arranges', async () => {
    const { page, faults, map, panel } = await opened(`?device=${edge}`)
    await panel.waitFor()
    const box = await map.boundingBox()
    assert(box)
    // The chosen device is in the middle.
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const drag = async (dx: number, dy: number) => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + dx / 2, y + dy / 2)
      await page.mouse.move(x + dx, y + dy)
      await page.mouse.up()
    }
    const moved = () => page.evaluate(() => localStorage.getItem('belfry map ') ?? '')
    await page.mouse.click(box.x + 12, box.y + 12)
    await panel.waitFor({ state: 'detached' })
    await page.goto(`${service.url}/console/map?device=${edge}`)
    await panel.waitFor()
    const was = await moved()
    await drag(120, 40)
    assert.equal(await moved(), was)
    await drag(-120, -40)
    await named(page, 'Arrange').click()
    await drag(60, 30)
    await panel.waitFor()
    await page.waitForFunction((id) => localStorage.getItem('belfry map ')?.includes(`"${id}":{`), edge, {
      timeout: 20_000,
    })
    assert.deepEqual(faults, [])
  })

  test('a day is played: the slider shows what was open at its time', async () => {
    const id = idOf(await raise(spare, 1, 'Fan has failed'))
    await service.database.transaction((tx) =>
      tx.run(
        'update alarm set fault_time = fault_time - 86400000, rec_time = fault_time - 82800000, rec_status = 1 where id = ?',
        [BigInt(id)],
      ),
    )
    const { page, faults, panel } = await opened(`?device=${spare}`)
    await named(page, 'Play a day').click()
    const yesterday = new Date(Date.now() - 86_400_000)
    const day = [yesterday.getFullYear(), yesterday.getMonth() + 1, yesterday.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-')
    await page.getByRole('textbox', { name: 'Day' }).fill(day)
    const slider = page.getByRole('slider', { name: 'Time of day' })
    const at = Math.floor(yesterday.getTime() / 1000) + 60
    await slider.fill(String(at - (at % 60) + 60))
    await panel.getByText('Fan has failed').waitFor()
    await seen(page, '1 alarm open')
    await named(page, 'Back to now').click()
    await panel.getByText('Fan has failed').waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })
})
