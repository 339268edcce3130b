// What a device says of itself, on its page in a real browser.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Switch, type SwitchFacts } from '../ask/know-world.ts'
import { addDevice, addProfile } from '../ask/reach-world.ts'
import { freePort } from '../free-port.ts'
import { until } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

test(
  'ports, neighbours, differences and changes stand on the page of a device',
  withoutBrowser(),
  async () => {
    const port = await freePort()
    const service = await startService({ 'ask-seconds': '1', 'learn-seconds': '1' })
    const facts: SwitchFacts = {
      name: 'sw1',
      location: 'Room 1',
      ports: [
        { index: 1, name: 'Gi0/1', alias: 'uplink' },
        { index: 2, name: 'Gi0/2', oper: 2 },
      ],
      neighbours: [{ port: 1, name: 'core1', remotePort: 'xe-0/0/1' }],
    }
    const one = await Switch.start('127.0.48.1', port, facts)
    after(() => one[Symbol.asyncDispose]())
    await addDevice(service, one, { location: 'Room 7', interfaces: [{ ifIndex: 2, ifDesc: 'Printer' }] })
    await addProfile(service, port, '127.0.48.0/24')
    const total = async (path: string) => (await service.get(path)).headers.total
    await until('it is known', async () => (await total('/plat/port')) === '2')
    one.become({ ...facts, software: '2.0' })
    await until('a change is known', async () => (await total('/plat/deviceChange')) === '1')
    const { page, faults } = await openPage(`${service.url}/console/device/${one.id}`)
    for (const text of [
      'Gi0/1',
      'uplink',
      'Printer',
      'says Gi0/2',
      'core1',
      'Room 1',
      'other than typed in',
      'EX-24',
    ])
      await seen(page, text)
    await seen(page, 'software: 1.0 → 2.0')
    assert.deepEqual(faults, [])
  },
)

test(
  'the links of a device stand on its page, with what each end says where the two disagree',
  withoutBrowser(),
  async () => {
    const port = await freePort()
    const service = await startService({ 'ask-seconds': '1', 'learn-seconds': '3600' })
    const ports = [1, 2, 3].map((index) => ({ index, name: `Gi0/${index}` }))
    const start = async (address: string, name: string, neighbours: SwitchFacts['neighbours']) => {
      const one = await Switch.start(address, port, { name, ports, ...(neighbours && { neighbours }) })
      after(() => one[Symbol.asyncDispose]())
      await addDevice(service, one, { label: name })
      return one
    }
    const first = await start('127.0.49.1', 'upper', [
      { port: 1, name: 'lower', remotePort: 'Gi0/1', address: '127.0.49.2' },
      { port: 2, name: 'lower', remotePort: 'Gi0/2', address: '127.0.49.2' },
    ])
    await start('127.0.49.2', 'lower', [
      { port: 1, name: 'upper', remotePort: 'Gi0/1', address: '127.0.49.1' },
      { port: 2, name: 'upper', remotePort: 'Gi0/3', address: '127.0.49.1' },
    ])
    await addProfile(service, port, '127.0.49.0/24')
    const total = async (path: string) => (await service.get(path)).headers.total
    await until('links are known', async () => Number(await total('/plat/link?state=differs')) > 0)
    await until('one is agreed', async () => Number(await total('/plat/link?state=both')) > 0)
    const { page, faults } = await openPage(`${service.url}/console/device/${first.id}`)
    const table = page.getByRole('table', { name: 'Links' })
    await table.getByText('disagree').first().waitFor()
    await table.getByText('agree', { exact: true }).waitFor()
    await table.getByText('port 2', { exact: true }).first().waitFor()
    assert.deepEqual(faults, [])
  },
)
