// kill -9 of the service, and of the leading node, in the middle of sending: every notification has an outcome, none is
// lost, those that came twice are attempts whose answer was lost, and the messages of an incident are in order.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { chance } from '../acceptance/chance.ts'
import { type ServiceProcess, startProcess } from '../acceptance/process.ts'
import { device, ifIndex, linkDown, linkUp, until, v2c } from '../intake/sending.ts'
import { Cluster, withoutDebianPostgres } from '../nodes/cluster.ts'
import { leaderOf } from '../nodes/several.ts'
import { record, rounds } from '../outcome.ts'
import { sendRequest, temporaryFolder, testKeyFile } from '../support.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const random = chance(20_261_118)
const options = { timeout: 300_000 + rounds * 240_000 }
/** Each with a channel of its own. */
const routeCount = 8
/** Faster than a storm is noticed, on each route. */
const alarmsPerRound = 9

const settings = { 'notify-loopback': 'yes', 'flap-count': '0' }

async function post(service: ServiceProcess, path: string, body: unknown, method = 'POST'): Promise<void> {
  const answer = await sendRequest(service.url, method, path, {
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  })
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.text}`)
}

async function setUp(service: ServiceProcess, receiver: Receiver): Promise<void> {
  await post(service, '/notify/gateway', { name: 'hook', kind: 'webhook', url: `${receiver.url}/` })
  for (let index = 1; index <= routeCount; index += 1) {
    await post(service, '/notify/channel', { gatewayId: 1, address: `room ${index}` })
    await post(service, `/notify/channel/${index}/confirm`, {}, 'PUT')
    await post(service, '/notify/route', {
      ...{ name: `route ${index}`, goOn: true, hourlyLimit: 0, filter: `eventOid=${linkDown}` },
      step: [{ target: `channel:${index}` }],
    })
  }
}

interface Row {
  readonly messageId: string
  readonly id: string
  readonly routeId: string
  readonly alarmId: string
  readonly incidentId: string
  readonly channelId: string
  readonly change: string
  readonly outcome: string
  readonly attempts: string
}

async function ledger(service: ServiceProcess): Promise<Row[]> {
  const answer = await service.get('/notify/notification?size=1000000&orderBy=id', {
    Accept: 'application/json',
  })
  return answer.json().notification as Row[]
}

interface Fault {
  readonly id: string
  readonly OID: string
  readonly isReceoverFault: string
  readonly recStatus: string
}

/** All faults that the service has seen, of all rounds. */
async function faultsIn(service: ServiceProcess): Promise<Fault[]> {
  const answer = await service.get('/fault/alarm?size=1000000', { Accept: 'application/json' })
  const alarms = answer.json().alarm as Fault[]
  return alarms.filter(({ OID, isReceoverFault }) => OID === linkDown && isReceoverFault === '0')
}

/** Faults, and in the middle of telling them the end of whoever tells. */
async function killWhileSending(
  service: ServiceProcess,
  receiver: Receiver,
  first: number,
  kill: () => Promise<void>,
) {
  const router = await device(service.trapPort)
  const enough = receiver.received.length + 1 + Math.floor(random() * routeCount * (alarmsPerRound - 2))
  const reached = Promise.withResolvers<void>()
  receiver.onReceived = () => {
    if (receiver.received.length >= enough) reached.resolve()
  }
  for (let index = first; index < first + alarmsPerRound; index += 1) {
    await router.send(v2c(linkDown, [ifIndex(index)], { requestId: index }))
  }
  // In a round soon after another, most of it is a storm, which is one message: fewer come than were hoped for.
  await Promise.race([reached.promise, sleep(10_000, undefined, { ref: false })])
  await kill()
}

async function endAll(service: ServiceProcess, last: number): Promise<void> {
  const router = await device(service.trapPort)
  for (let index = 1; index < last; index += 1) {
    await router.send(v2c(linkUp, [ifIndex(index)], { requestId: 100_000 + index }))
    if (index % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Compares what came with the ledger. */
async function compare(service: ServiceProcess, receiver: Receiver): Promise<void> {
  await until(
    'every fault is over',
    async () => (await faultsIn(service)).every(({ recStatus }) => recStatus === '1'),
    120,
  )
  const faults = await faultsIn(service)
  assert.ok(faults.length >= rounds, 'there were faults')
  const pairs = faults.flatMap(({ id }) =>
    Array.from({ length: routeCount }, (_, index) => `${index + 1} ${id}`),
  )
  // The end of a fault is read from the log a little later than it is stored.
  await until(
    'every end has been read, and everything has an outcome',
    async () => {
      const rows = await ledger(service)
      const ended = rows.filter(({ change }) => change === 'recovered')
      const read = new Set(ended.map(({ routeId, alarmId }) => `${routeId} ${alarmId}`))
      return pairs.every((pair) => read.has(pair)) && rows.every(({ outcome }) => outcome !== 'pending')
    },
    120,
  )
  const rows = await ledger(service)
  const beginnings = rows.filter(({ change }) => change !== 'recovered')
  const accounted = new Set(beginnings.map(({ routeId, alarmId }) => `${routeId} ${alarmId}`))
  const forgotten = pairs.filter((pair) => !accounted.has(pair))
  const byMessage = new Map(rows.map((row) => [row.messageId, row]))
  const counts = new Map<string, number>()
  const last = new Map<string, number>()
  let unordered = 0
  for (const { id } of receiver.received) {
    const row = byMessage.get(id)
    assert.ok(row, 'what came is in the ledger')
    counts.set(id, (counts.get(id) ?? 0) + 1)
    const thread = `${row.incidentId} ${row.channelId}`
    if (Number(row.id) < (last.get(thread) ?? 0)) unordered += 1
    last.set(thread, Number(row.id))
  }
  const lost = rows.filter(({ outcome, messageId }) => outcome === 'delivered' && !counts.has(messageId))
  const unknown = [...counts.keys()].filter((id) => byMessage.get(id)?.outcome !== 'delivered')
  const needless = [...counts].filter(([id, count]) => count > Number(byMessage.get(id)?.attempts ?? 0))
  record({ lost: lost.length + forgotten.length, doubled: needless.length, unordered })
  assert.deepEqual(forgotten, [], 'every route has an outcome for every fault')
  assert.deepEqual(lost, [], 'nothing counts as delivered that did not come')
  assert.deepEqual(unknown, [], 'what came counts as delivered')
  assert.deepEqual(needless, [], 'nothing came more often than it was tried')
  assert.equal(unordered, 0)
  // Whoever was told of a fault was told of its end, once.
  const ends = new Map<string, string[]>()
  for (const { id, change } of new Map(receiver.received.map((one) => [one.id, one])).values()) {
    const row = byMessage.get(id)
    const thread = `${row?.incidentId} ${row?.channelId}`
    ends.set(thread, [...(ends.get(thread) ?? []), change])
  }
  for (const [thread, changes] of ends) {
    if (changes.every((change) => change === 'summary')) continue
    assert.equal(changes.at(-1), 'recovered', `${thread}: ${changes}`)
    assert.equal(changes.filter((change) => change === 'recovered').length, 1, `${thread}: ${changes}`)
  }
}

test(
  `a service killed while it tells people, ${rounds} times, tells everything, in order`,
  options,
  async () => {
    const receiver = await startReceiver()
    const data = temporaryFolder()
    let service = await startProcess(data, settings)
    await setUp(service, receiver)
    let next = 1
    for (let round = 1; round <= rounds; round += 1) {
      await killWhileSending(service, receiver, next, () => service.kill())
      next += alarmsPerRound
      service = await startProcess(data, settings)
      record({ rounds: 1 })
    }
    await endAll(service, next)
    await compare(service, receiver)
    await service.kill()
  },
)

test(`the leading node killed while it tells people, ${rounds} times: another goes on, in order`, {
  ...options,
  ...withoutDebianPostgres,
}, async () => {
  const receiver = await startReceiver()
  const store = (await Cluster.make()).address()
  const folders = new Map([
    ['a', temporaryFolder()],
    ['b', temporaryFolder()],
  ])
  const keyFile = testKeyFile()
  const start = (node: string) =>
    startProcess(folders.get(node) ?? '', {
      ...settings,
      node,
      store,
      'key-file': keyFile,
      'lease-seconds': '2',
    })
  const nodes = new Map([
    ['a', await start('a')],
    ['b', await start('b')],
  ])
  const node = (name: string): ServiceProcess => nodes.get(name) ?? assert.fail(`no node ${name}`)
  await setUp(node('a'), receiver)
  let next = 1
  for (let round = 1; round <= rounds; round += 1) {
    const leader = await leaderOf(node('a'))
    const other = leader === 'a' ? 'b' : 'a'
    await killWhileSending(node(other), receiver, next, () => node(leader).kill())
    next += alarmsPerRound
    nodes.set(leader, await start(leader))
    record({ rounds: 1 })
  }
  await endAll(node('a'), next)
  await compare(node('a'), receiver)
  for (const one of nodes.values()) await one.kill()
})
