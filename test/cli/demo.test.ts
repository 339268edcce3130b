import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { placeTerminals, playStory } from '../../src/cli/commands/demo-command.ts'
import { loadFile } from '../../src/cli/commands/load-command.ts'
import { seeded } from '../../src/cli/demo/demo-incident.ts'
import { storySteps } from '../../src/cli/demo/demo-story.ts'
import { until } from '../intake/sending.ts'
import { sendRequest, startService, temporaryFolder } from '../support.ts'
import { fail, program } from './running.ts'

interface Reported {
  readonly id: string
  readonly eventName: string
  readonly deviceName: string
  readonly deviceId: string
  readonly recStatus: string
  readonly isReceoverFault: string
  readonly parentId: string
  readonly repeats: string
}

const sample = (name: string) => fileURLToPath(new URL(`../../examples/network/${name}.csv`, import.meta.url))

test('a whole story leaves open only what nothing ends, and every alarm is of a device of the sample', async () => {
  const service = await startService()
  await loadFile(service.url, sample('zone'), 'zone', 'text/csv')
  const { imported: known } = await loadFile(service.url, sample('device'), 'device', 'text/csv')
  const lines: string[] = []
  const options = { pace: 0, chance: seeded(11), chapters: 2, print: (line: string) => lines.push(line) }
  await playStory(service, service.config, options)
  const read = async (path: string) => {
    const headers = { Accept: 'application/json' }
    return JSON.parse((await sendRequest(service.url, 'GET', path, { headers })).text)
  }
  const sent = lines.filter((line) => !line.includes(' maintenance ')).length
  await until(
    'all are processed',
    () => service.engine.outcomes.values().reduce((sum, n) => sum + n, 0) >= sent,
  )
  assert.equal(service.engine.outcomes.get('refused'), 0)
  const { alarm }: { alarm: Reported[] } = await read('/fault/alarm?size=1000')
  const open = alarm.filter(({ recStatus }) => Number(recStatus) === 0)
  const lasting = new Set(['authenticationFailure', 'coldStart', 'topologyChange'])
  assert.deepEqual(
    open.filter(({ eventName }) => !lasting.has(eventName)),
    [],
  )
  assert(open.some(({ eventName, repeats }) => eventName === 'authenticationFailure' && Number(repeats) > 1))
  const faults = alarm.filter(({ isReceoverFault }) => Number(isReceoverFault) === 0)
  const ended = new Set(
    faults.filter(({ recStatus }) => Number(recStatus) === 1).map(({ eventName }) => eventName),
  )
  assert.deepEqual([...ended].sort(), [
    'bgpBackwardTransNotification',
    'linkDown',
    'nsNotifyShutdown',
    'risingAlarm',
    'upsTrapAlarmEntryAdded',
  ])
  assert(
    faults.some(({ eventName, parentId }) => eventName === 'linkDown' && Number(parentId) > 0),
    'the links of a firewall that went down follow from that',
  )
  const above = new Map(alarm.map(({ id, deviceName }) => [id, deviceName]))
  assert(
    faults.some(({ eventName, deviceName, parentId }) => {
      const cause = above.get(parentId) ?? ''
      return eventName === 'linkDown' && deviceName.includes('-acc-') && cause.includes('-dist-')
    }),
    'what a switch reports behind an uplink that is down follows from that',
  )
  const { maintenance } = await read('/fault/maintenance')
  assert.match(maintenance[0].name, /^\w+-fw\d, new software$/)
  assert.deepEqual([maintenance[0].active, maintenance.length <= 2], ['false', true], 'used again, and ended')
  const { device } = await read('/plat/res/device?size=1000')
  assert.equal(device.length, known, 'no sender was registered')
})

test('the same seed gives the same incidents, and a network without suitable devices has none', () => {
  const device = (label: string, index: number) => ({
    ip: `10.0.0.${index}`,
    label,
    interfaces: [1, 2, 3, 4].map((ifIndex) => ({ ifIndex, ifDesc: `port ${ifIndex}` })),
    otherAddress: [],
    id: label,
    parent: label === 'x-acc-a1' ? [{ deviceId: 'x-dist-a', parentIfIndex: 2 }] : [],
  })
  const cast = ['x-rtr1', 'x-rtr2', 'x-fw1', 'x-core1', 'x-dist-a', 'x-acc-a1', 'x-ups-a'].map(device)
  const first = [...storySteps(cast, seeded(3), 2)]
  assert(first.length > 40)
  assert.deepEqual([...storySteps(cast, seeded(3), 2)], first)
  assert.notDeepEqual([...storySteps(cast, seeded(4), 2)], first)
  assert.deepEqual([...storySteps([device('printer', 1)], seeded(3))], [])
})

test('planned work is a window, and one fault outlasts it', () => {
  const interfaces = [1, 2].map((ifIndex) => ({ ifIndex, ifDesc: `port ${ifIndex}` }))
  const firewall = { ip: '10.0.0.1', label: 'x-fw1', interfaces, otherAddress: [], id: '1', parent: [] }
  const steps = [...storySteps([firewall], seeded(3), 1)].map(({ event, work }) => work ?? event)
  const [began, ended] = [steps.indexOf('begins'), steps.indexOf('ends')]
  assert.equal(began, 0)
  const within = steps.slice(began, ended)
  const count = (name: string) => within.filter((step) => step === name).length
  assert.equal(count('linkDown') - count('linkUp'), 1)
  assert.deepEqual(steps.slice(ended + 1), ['linkUp'])
})

test('terminals of the sample are where their switches say: one has moved, one has left, one is a stranger', async () => {
  const service = await startService()
  for (const name of ['zone', 'device', 'macAccessBind'])
    await loadFile(service.url, sample(name), name, 'text/csv')
  await placeTerminals(service, service.config, true)
  const read = async (path: string) => {
    const headers = { Accept: 'application/json' }
    return JSON.parse((await sendRequest(service.url, 'GET', path, { headers })).text)
  }
  const count = 61
  const all = async (): Promise<{ present: string; bound: string; id: string; terminalMac: string }[]> =>
    (await read('/res/access/terminal?size=1000')).terminal
  await until('all terminals are known', async () => {
    const seen = await all()
    return seen.length === count && seen.some(({ present }) => present === 'false')
  })
  const seen = await all()
  assert.equal(seen.filter(({ present }) => present === 'false').length, 1)
  assert.deepEqual(
    seen.filter(({ bound }) => bound !== 'true').map(({ terminalMac }) => terminalMac),
    ['02:00:5e:10:00:99'],
  )
  const { terminalStay } = await read('/res/access/terminalStay?size=100')
  assert(terminalStay.length >= 1, 'one has been elsewhere')
})

test('the demo prints a line per trap and stops when it is asked to', async () => {
  const settings = ['--data', temporaryFolder(), '--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0']
  const args = [
    program,
    'demo',
    '--pace',
    '0.05',
    '--past',
    '1',
    '--seed',
    '5',
    '--log-level',
    'warn',
    ...settings,
  ]
  const child = spawn(process.execPath, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] })
  after(() => child.kill('SIGKILL'))
  let said = ''
  while (said.split('\n').length < 10) said += (await once(child.stdout, 'data'))[0]
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  assert.match(said, /^The sample network is loaded/m)
  assert.match(said, /^\d\d:\d\d:\d\d {2}\w+-\S+ +\w+ +\S/m)
})

test('an invalid pace or past is refused', async () => {
  assert.match(
    await fail(2, ['demo', '--past', '61', '--data', temporaryFolder()]),
    /--past "61".*0 to 60 days/,
  )
  assert.match(await fail(2, ['demo', '--pace', 'slow', '--data', temporaryFolder()]), /--pace "slow"/)
})
