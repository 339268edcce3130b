// What others notice of heavy work: `/health` and streams beside very many traps, writers beside imports and deletions.

import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { kernelDrops } from '../src/intake/receiver.ts'
import type { Child } from './children.ts'
import { benchmark, type Stage } from './frame.ts'
import { type Processes, plenty, processorSeconds } from './processes.ts'
import { ask, askHealth, processed, subscribe, until } from './requests.ts'
import { fillStore } from './rows.ts'
import { at, type Goal, type Line, median, spread, whole } from './table.ts'

const full = { seconds: 15, records: 100_000, rounds: 3 }
const quick = { seconds: 6, records: 20_000, rounds: 1 }
type Plan = typeof full

const senders = 10
const slowReaders = 10
/** Traps a second of each: just below the level at which one of them alone would storm. */
const rate = 900

const healthGoal: Goal = { sign: '≤', first: 100, later: 50 }
const lagGoal: Goal = { sign: '≤', first: 3, later: 1 }
const slowGoal: Goal = { sign: '≤', first: 250, later: 100 }
const waitGoal: Goal = { sign: '≤', first: 50, later: 50 }

const meaning = [
  `Beside traps: ${senders} senders of ${rate} new alarms a second each, one subscriber. /health is asked on a new connection`,
  'every 30 ms. Behind the log: from the commit of an alarm, to the second, until the subscriber has it.',
  'Stretch: processor time of the main thread between two looks of a timer of 2 ms; other programs are not in it.',
  'Routes: 1,000 of them wait with telling people of 10,000 open alarms; what the senders send concerns none of them.',
  'Slow readers: ten at once take a piece of 64 kB at most and pause for 2 ms.',
  'Writer: changes a zone every 5 ms over one connection while the work goes on; from request to answer.',
]

interface Started {
  readonly port: number
  readonly trapPort: number
  readonly pid: number
}

async function start(
  processes: Processes,
  data: string,
  flags: Readonly<Record<string, string>> = {},
): Promise<Started & { child: Child }> {
  const child = processes.child('./measured-service.ts', data, JSON.stringify(flags))
  return { ...(await child.ask<Started>('start')), child }
}

/** What was noticed while the senders sent. */
interface Noticed {
  /** Traps a second that were processed while they were sent, and those that the kernel dropped. */
  readonly rate: number
  readonly drops: number
  /** Microseconds of the processor for an alarm. */
  readonly cost: number
  /** Milliseconds of each answer of /health; seconds of the subscriber behind the log. */
  readonly answers: readonly number[]
  readonly lags: readonly number[]
  readonly stretches: readonly number[]
}

async function sendBeside(
  service: Started & { child: Child },
  { plan: { seconds }, processes }: Stage<Plan>,
): Promise<Noticed> {
  const sources = Array.from({ length: senders }, (_, index) => `127.0.0.${index + 11}`)
  const count = senders * rate * seconds
  const load = { port: service.trapPort, rate: senders * rate, sources }
  // The devices are registered, and the code is warm.
  await processes.sendTraps({ ...load, first: 0, different: 5000, count: 5000 })
  await until(async () => (await processed(service)) + (kernelDrops(service.trapPort) ?? 0) >= 5000)
  const subscriber = await subscribe(service.port)
  await service.child.ask('stretches')
  const used = processorSeconds(service.pid)
  const before = { head: await service.child.ask<number>('head'), processed: await processed(service) }
  let sending = true
  const sent = processes.sendTraps({ ...load, first: 5000, different: count, count }).finally(() => {
    sending = false
  })
  const health = askHealth(service.port, () => sending)
  const lags: number[] = []
  while (sending) {
    await sleep(500)
    const began = performance.now()
    const head = (await service.child.ask<number>('head')) - before.head
    await until(async () => subscriber.documents >= head, 5)
    lags.push((performance.now() - began) / 1000)
  }
  const drops = kernelDrops(service.trapPort) ?? 0
  const done = (await processed(service)) - before.processed
  const cpu = processorSeconds(service.pid) - used
  const took = (await sent).seconds
  const answers = await health
  const stretches = await service.child.ask<number[]>('stretches')
  subscriber.end()
  return { rate: done / took, drops, cost: (cpu / done) * 1e6, answers, lags, stretches }
}

async function traps(stage: Stage<Plan>): Promise<Line[]> {
  console.log(`Ten senders of ${rate} new alarms a second for ${stage.plan.seconds} s…`)
  const service = await start(stage.processes, stage.folder, plenty)
  const { rate: done, drops, cost, answers, lags, stretches } = await sendBeside(service, stage)
  return [
    {
      work: `processed beside it, of ${whole(senders * rate)}/s`,
      here: `${whole(done)}/s`,
      yardstick: `dropped by the kernel: ${whole(drops)}`,
    },
    { work: 'processor time of an alarm', here: `${cost.toFixed(0)} µs` },
    {
      work: '/health beside traps, longest',
      here: spread(answers),
      yardstick: `${answers.length} asked`,
      ratio: at(answers, 1),
      unit: ' ms',
      goal: healthGoal,
    },
    {
      work: 'subscriber behind the log, longest',
      here: `half of the time ${(at(lags, 0.5) * 1000).toFixed(0)} ms`,
      ratio: at(lags, 1),
      unit: ' s',
      goal: lagGoal,
    },
    {
      work: 'stretch of the main thread, longest',
      here: spread(stretches),
      ratio: at(stretches, 1),
      unit: ' ms',
    },
  ]
}

const routeCount = 1000
const openAlarms = 10_000

/** Routes that wait with telling people of alarms that are open. */
async function fillRoutes({ port, child }: Started & { child: Child }): Promise<void> {
  const post = async (path: string, body: object) => {
    const { status, text } = await ask(port, path, { method: 'POST', body: JSON.stringify(body) })
    if (status > 299) throw new Error(`${path}: ${status} ${text}`)
  }
  await post('/notify/gateway', { name: 'hook', kind: 'webhook', url: 'http://127.0.0.1:9/' })
  await post('/notify/channel', { gatewayId: '1', address: 'room' })
  const address = (index: number) => `10.0.${index >> 8}.${index & 255}`
  const each = openAlarms / routeCount
  for (let index = 0; index < routeCount; index += 1) {
    const [from, to] = [address(index * each + 1), address((index + 1) * each)]
    const route = { name: `route ${index}`, goOn: 'true', delay: 86_400, step: [{ target: 'channel:1' }] }
    await post('/notify/route', { ...route, filter: `ipSegment=${from}-${to}` })
  }
  await child.ask('raise', { count: openAlarms, padding: 0, mark: '' })
  await until(async () => {
    const { text } = await ask(port, '/metrics', { headers: { Accept: '*/*' } })
    return text.includes(`belfry_notifications{outcome="pending"} ${openAlarms}`)
  })
}

async function routes({ plan, nested }: Stage<Plan>): Promise<Line[]> {
  console.log(`The same without routes, and with ${routeCount} routes and ${whole(openAlarms)} open alarms…`)
  const measure = (prepare: (service: Started & { child: Child }) => Promise<void>) =>
    nested(async (stage) => {
      const service = await start(stage.processes, stage.folder, { ...plenty, 'notify-loopback': 'yes' })
      await prepare(service)
      return sendBeside(service, stage)
    })
  // In turns, because the machine is not the same from one minute to the next.
  const [bare, routed]: [Noticed[], Noticed[]] = [[], []]
  for (let round = 0; round < plan.rounds; round += 1) {
    bare.push(await measure(async () => undefined))
    routed.push(await measure(fillRoutes))
  }
  const middle = (all: readonly Noticed[], value: (one: Noticed) => number) => median(all.map(value))
  const compared = (work: string, unit: string, value: (one: Noticed) => number, goal?: Goal): Line => ({
    work: `${work} with ${routeCount} routes`,
    here: `${middle(routed, value).toFixed(0)}${unit}`,
    yardstick: `without: ${middle(bare, value).toFixed(0)}${unit}`,
    ratio: middle(routed, value) / middle(bare, value),
    ...(goal && { goal }),
  })
  return [
    compared('processed', '/s', ({ rate: done }) => done, { sign: '≥', first: 0.95, later: 0.99 }),
    compared('processor time of an alarm', ' µs', ({ cost }) => cost, { sign: '≤', first: 1.1, later: 1.03 }),
    compared('/health, longest,', ' ms', ({ answers }) => at([...answers], 1)),
  ]
}

async function writes({ plan, folder, processes }: Stage<Plan>): Promise<Line[]> {
  const { records } = plan
  console.log(`A writer beside imports, deletions and moves of ${whole(records)} records…`)
  await fillStore(folder, { ips: records, bindings: 0 })
  const { port } = await start(processes, folder)
  const lines: Line[] = []
  const beside = async (work: string, path: string, options: { method: string; body?: string }) => {
    let under = true
    const began = performance.now()
    const done = ask(port, path, options).finally(() => {
      under = false
    })
    const waits = await writing(port, () => under)
    const { status } = await done
    if (status > 299) throw new Error(`${work}: ${status}`)
    lines.push({
      work: `writer beside ${work}`,
      here: spread(waits),
      yardstick: `it took ${((performance.now() - began) / 1000).toFixed(1)} s`,
      ratio: at(waits, 1),
      unit: ' ms',
      goal: waitGoal,
    })
  }
  const rows = (head: string, row: (index: number) => string) =>
    `${head}\n${Array.from({ length: records }, (_, index) => row(index)).join('\n')}\n`
  const csv = (body: string) => ({ method: 'POST', body })
  const address = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`
  await ask(port, '/ram/zone', { method: 'POST', body: '{"name":"Moved"}' })
  await beside(
    `an import of ${whole(records)} zones`,
    '/plat/data/zone',
    csv(rows('name', (index) => `Zone ${index}`)),
  )
  await beside(
    `an import of ${whole(records)} devices`,
    '/plat/data/device',
    csv(rows('ip,label,zoneId', (index) => `${address(index)},switch-${index},2`)),
  )
  await beside(`moving ${whole(records)} devices to another zone`, '/ram/zone/2?moveTo=1', {
    method: 'DELETE',
  })
  await beside(`deleting a segment of ${whole(records)} addresses`, '/res/access/assignedIpScope/1', {
    method: 'DELETE',
  })
  return lines
}

async function reads({ plan, folder, processes }: Stage<Plan>): Promise<Line[]> {
  const { records } = plan
  console.log(`/health beside exports of ${whole(records)} records that are read slowly…`)
  await fillStore(folder, { ips: records, bindings: 0 })
  const { port } = await start(processes, folder)
  const lines: Line[] = []
  for (const [work, path] of [
    ['exports', '/plat/data/assignedIpInfo?format=csv'],
    ['long lists', `/res/access/assignedIpScope/ip?ipScopeId=1&size=${records}`],
  ] as const) {
    let under = true
    const read = Promise.all(Array.from({ length: slowReaders }, () => readSlowly(port, path))).finally(
      () => {
        under = false
      },
    )
    const answers = await askHealth(port, () => under)
    await read
    lines.push({
      work: `/health beside ${slowReaders} ${work} read slowly, longest`,
      here: spread(answers),
      yardstick: `${answers.length} asked`,
      ratio: at(answers, 1),
      unit: ' ms',
      goal: slowGoal,
    })
  }
  return lines
}
/** Takes some of an answer, pauses, takes some more. */
async function readSlowly(port: number, path: string): Promise<void> {
  const asked = request({ host: '127.0.0.1', port, path, agent: false }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
  for await (const _piece of response) await sleep(2)
}

/** Milliseconds that each change took. */
async function writing(port: number, goesOn: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const took: number[] = []
  for (let n = 0; goesOn(); n += 1) {
    const began = performance.now()
    const body = `{"name":"Default","description":"${n}"}`
    const { status } = await ask(port, '/ram/zone/1', { method: 'PUT', body, agent })
    if (status !== 204) throw new Error(`a zone was not changed: ${status}`)
    took.push(performance.now() - began)
    await sleep(5)
  }
  agent.destroy()
  return took
}

export default benchmark({
  summary: '/health and streams beside very many traps, writers beside imports and deletions, slow readers',
  title: 'Beside heavy work',
  meaning,
  full,
  quick,
  parts: { traps, routes, writes, reads },
})
