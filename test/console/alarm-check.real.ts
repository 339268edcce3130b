// Whether an alarm is still so is asked and shown on its page, in a real browser.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { Switch } from '../ask/know-world.ts'
import { addDevice, addProfile } from '../ask/reach-world.ts'
import { freePort } from '../free-port.ts'
import { ifIndex, linkDown, until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

test('the device is asked about an alarm from its page', withoutBrowser(), async () => {
  const port = await freePort()
  const limits = { verifyQuietSeconds: 0, verifyAgainSeconds: 0 }
  const service = await startService({ 'ask-seconds': '1', 'verify-seconds': '0' }, { limits })
  const facts = { name: 'sw1', ports: [{ index: 1, name: 'Gi0/1', oper: 2 }] }
  const one = await Switch.start('127.0.48.2', port, facts)
  after(() => one[Symbol.asyncDispose]())
  await addDevice(service, one)
  const sender = createSocket('udp4')
  sender.bind(0, one.host)
  await once(sender, 'listening')
  sender.send(v2c(linkDown, [ifIndex(1)]), service.trapPort, '127.0.0.1')
  const raised = async () => (await service.database.all('select id from alarm'))[0]?.id
  await until('the alarm is open', async () => (await raised()) !== undefined)
  sender.close()
  const { page, faults } = await openPage(`${service.url}/console/alarm/${await raised()}`)
  await seen(page, 'It cannot be asked about this: its device is not asked: no profile is meant for it.')
  await addProfile(service, port, '127.0.48.0/24')
  await page.getByRole('button', { name: 'Ask the device' }).click()
  await seen(page, '(ifOperStatus down)')
  one.become({ ...facts, ports: [{ index: 1, name: 'Gi0/1' }] })
  await page.getByRole('button', { name: 'Ask the device' }).click()
  await page.locator('.alarm-head').getByText('Over', { exact: true }).waitFor()
  assert.deepEqual(faults, [])
})
