// The agents of the demo: the service asks them in place of the devices of the sample network, on loopback alone.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadFile } from '../../src/cli/commands/load-command.ts'
import { DemoAgents, runsFor, StandIns } from '../../src/cli/demo/demo-agents.ts'
import { seeded } from '../../src/cli/demo/demo-incident.ts'
import { until } from '../intake/sending.ts'
import { startService } from '../support.ts'

const sample = (name: string) => fileURLToPath(new URL(`../../examples/network/${name}.csv`, import.meta.url))

const standIns = new StandIns()
const service = await startService({ 'ask-seconds': '2', 'learn-seconds': '3600' }, { standIn: standIns.at })
for (const name of ['zone', 'device']) await loadFile(service.url, sample(name), name, 'text/csv')
const agents = await DemoAgents.open(service.url, standIns)
after(() => agents.close())
await agents.setUp(service.url)

const read = async (path: string) =>
  JSON.parse((await service.get(path, { Accept: 'application/json' })).text) as Record<
    string,
    Record<string, string>[]
  >
const total = async (path: string) => Number((await service.get(path)).headers.total)

test('every device of the demo answers, and says what it is, its ports and its neighbours', async () => {
  const devices = await total('/plat/res/device?size=1')
  await until('all answer', async () => (await total('/plat/reachability?state=answering')) === devices)
  await until('all are known', async () => (await total('/plat/deviceFacts?size=1')) === devices)
  const [switchFacts] = (await read('/plat/deviceFacts?sysName=ham-core1*')).deviceFacts ?? []
  assert.deepEqual(
    [switchFacts?.deviceIp, switchFacts?.model, switchFacts?.differs],
    ['10.10.1.5', 'EX-300', ''],
  )
  const { deviceFacts = [] } = await read('/plat/deviceFacts?size=1000')
  assert.equal(deviceFacts.filter(({ differs }) => differs !== '').length, 1, 'one says another location')
  await until('links follow', async () => (await total('/plat/link?state=differs')) > 0)
})

test('when the demo starts again, its devices have not restarted', () => {
  const [hour, at] = [3_600_000, Date.UTC(2026, 5, 1)]
  const times = ['10.10.1.5', '10.10.1.6', '10.40.1.200'].map((ip) => runsFor({ ip }, at))
  assert.equal(new Set(times).size, 3)
  assert(times.every((time) => time > 0))
  assert.equal(runsFor({ ip: '10.10.1.5' }, at + hour), (times[0] ?? 0) + hour)
})

test('switches that nobody has typed in are found, and addresses where nobody is are silent', async () => {
  const path = '/plat/discovery'
  const made = await service.sendJson('POST', path, { name: 'new', addressRange: ['10.10.1.100/30'] })
  const id = /\d+$/.exec(String(made.headers.location))?.[0]
  await service.sendJson('POST', `${path}/${id}/start`, {})
  await until('it is complete', async () => {
    const [one] = (await read(path)).discovery ?? []
    return one?.state === 'complete'
  })
  const { discovered = [] } = await read(`/plat/discovered?discoveryId=${id}`)
  assert.deepEqual(
    discovered.map(({ ip, state, sysName }) => [ip, state, sysName]),
    [
      ['10.10.1.101', 'answering', 'ham-new1.example.net'],
      ['10.10.1.102', 'answering', 'ham-new2.example.net'],
    ],
  )
})

test('a device that has lost its power is out of reach, and answers again after that', async () => {
  const over = new AbortController()
  const losses = agents.losePower(seeded(1), () => undefined, over.signal, {
    before: 0,
    without: 60_000,
    between: 60_000,
  })
  await until('it is out of reach', async () => (await total('/plat/reachability?state=unreachable')) === 1)
  over.abort()
  await assert.rejects(losses, { name: 'AbortError' })
  await until('it answers', async () => (await total('/plat/reachability?state=unreachable')) === 0)
})

test('a port that goes down is down for those who ask', async () => {
  const [device] = (await read('/plat/res/device?ip=10.10.1.5')).device ?? []
  const step = { device: { ip: '10.10.1.5' }, event: 'linkDown', variables: { ifIndex: '3' }, text: '' }
  agents.follow(step as unknown as Parameters<DemoAgents['follow']>[0])
  // A restart has it asked for everything again.
  agents.follow({ ...step, event: 'coldStart' } as unknown as Parameters<DemoAgents['follow']>[0])
  await until('it is asked', async () => {
    const { port = [] } = await read(`/plat/port?deviceId=${device?.id}`)
    return port.find(({ ifIndex }) => ifIndex === '3')?.operStatus === '2'
  })
})
