// What does not answer, in a real browser: the page of all of it, and the page of a device.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice, addProfile, Device, untilState } from '../ask/reach-world.ts'
import { freePort } from '../free-port.ts'
import { until } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

test(
  'a device that does not answer is listed with the reason; one that does is not',
  withoutBrowser(),
  async () => {
    const port = await freePort()
    const service = await startService({ 'ask-seconds': '1' })
    await addProfile(service, port, '127.0.45.0/24')
    const well = await Device.start('127.0.45.1', port)
    after(() => well.close())
    const closed = { host: '127.0.45.2', id: '' }
    const unasked = { host: '127.0.46.1', id: '' }
    for (const device of [well, closed, unasked]) await addDevice(service, device)
    await untilState(service, well, 'answering')
    await until('the port is known to be closed', async () => {
      return (await service.get('/plat/reachability?reason=closed')).headers.total === '1'
    })
    const { page, faults } = await openPage(`${service.url}/console/reachability`)
    await seen(page, `at ${closed.host}`)
    await seen(page, /nothing listens/)
    assert.equal(await page.getByText(`at ${well.host}`).count(), 0)
    await page.getByRole('link', { name: `at ${closed.host}` }).click()
    await seen(page, 'has never answered')
    await seen(page, 'port closed')
    await page.goto(`${service.url}/console/device/${unasked.id}`)
    await seen(page, 'It is not asked: no profile is meant for its address.')
    await page.goto(`${service.url}/console/reachability?state=answering`)
    await seen(page, `at ${well.host}`)
    assert.deepEqual(faults, [])
  },
)
