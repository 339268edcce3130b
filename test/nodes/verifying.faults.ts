// kill -9 of a node: the other one verifies the alarms of its devices as well.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { meant, send } from '../acceptance/held.ts'
import { startProcess } from '../acceptance/process.ts'
import { addDevice, addProfile } from '../ask/reach-world.ts'
import { freePort } from '../free-port.ts'
import { until } from '../intake/sending.ts'
import { temporaryFolder } from '../support.ts'
import { AlarmedSwitch } from './alarmed-switch.ts'
import { Cluster, withoutDebianPostgres } from './cluster.ts'

const options = { timeout: 600_000, ...withoutDebianPostgres }

test('the alarms of a killed node are verified by the other one', options, async () => {
  const port = await freePort()
  const store = (await Cluster.make()).address()
  const seconds = { 'lease-seconds': '2', 'ask-seconds': '2', 'learn-seconds': '0', 'verify-seconds': '5' }
  const start = (node: string) => startProcess(temporaryFolder(), { node, store, ...seconds })
  const [a, b] = [await start('a'), await start('b')]
  const service = {
    sendJson: (method: string, path: string, body: unknown) => send(a, method, path, body as object),
  }
  await addProfile(service, port, '127.0.60.0/24', { timeoutSeconds: 10 })
  const switches: AlarmedSwitch[] = []
  after(async () => {
    for (const one of switches) await one[Symbol.asyncDispose]()
  })
  for (let last = 1; last <= 8; last += 1) {
    const one = await AlarmedSwitch.start(`127.0.60.${last}`, port)
    switches.push(one)
    await addDevice(service, one)
    await one.report(a.trapPort)
  }
  const open = async () => {
    const { text } = await send(a, 'GET', `/fault/alarm?${meant}&size=100`)
    return [].concat(JSON.parse(text).alarm ?? []).length
  }
  await until('all are alarmed', async () => (await open()) === switches.length)
  await until('each was verified', () => switches.every(({ verified }) => verified.length >= 2))
  const portsOf = () => new Set(switches.map(({ verified }) => verified.at(-1)?.port))
  assert.equal(portsOf().size, 2, 'both verify')

  await b.kill()
  await until('all are verified by one', () => portsOf().size === 1)
  for (const one of switches) one.set(1)
  await until('all are found over', async () => (await open()) === 0)
})
