// Reports over very many alarms: how long they take, what memory they need, and what the service does meanwhile.

import { flowInto, flowLines, repeating } from './flow.ts'
import { benchmark, type Stage } from './frame.ts'
import { type Processes, processorSeconds, residentBytes, type Served } from './processes.ts'
import { ask } from './requests.ts'
import { fillAlarms } from './rows.ts'
import { at, type Goal, type Line, spread, whole } from './table.ts'
import { freePort } from './trap-datagram.ts'

const full = { count: 1_000_000, flow: 10_000 }
const quick = { count: 100_000, flow: 2000 }

const answerGoal: Goal = { sign: '≤', first: 10, later: 5 }
/** Milliseconds. */
const informGoal: Goal = { sign: '≤', first: 100, later: 50 }
/** MiB beyond what a report over few alarms takes. */
const memoryGoal: Goal = { sign: '≤', first: 64, later: 16 }

const templates = {
  1: 'alarm summary',
  2: 'top ten sources',
  3: 'device availability',
  4: 'interface availability',
}

const meaning = [
  'All alarms lie in the period. Seconds from request to answer, and of processor time, which is compared with the goal; the most memory while',
  'it is made, beyond that of the summary of the last hour. Meanwhile, traps that each become an alarm are sent at 5,000/s, and',
  'something that costs nothing is asked for again and again; then fifty devices send four informs a second each.',
]

async function reports({ plan, folder, processes }: Stage<typeof full>): Promise<Line[]> {
  const { count, flow } = plan
  console.log(`Filling a store with ${whole(count)} alarms…`)
  await fillAlarms(folder, count)
  const trapPort = await freePort()
  const kept = { 'keep-alarms': String(count * 10), 'keep-alarms-days': '36500' }
  const service = await processes.service(folder, { traps: `127.0.0.1:${trapPort}`, ...kept })
  console.log('Reports…')
  return [...(await each(service, count)), ...(await meanwhile(processes, service, trapPort, flow))]
}

const run = ({ port }: Served, template: string, beginTime = '2020-01-01') =>
  ask(port, `/report/reportTemplate/${template}/run`, { method: 'POST', body: JSON.stringify({ beginTime }) })

/** The most memory that the service has while something is done, in MiB. */
async function maxMemory(service: Served, work: () => Promise<unknown>): Promise<number> {
  let most = 0
  const sampling = setInterval(() => {
    most = Math.max(most, residentBytes(service.pid) ?? 0)
  }, 5)
  await work()
  clearInterval(sampling)
  return Math.max(most, residentBytes(service.pid) ?? 0) / 2 ** 20
}

async function each(service: Served, count: number): Promise<Line[]> {
  const hourAgo = String(Math.floor(Date.now() / 1000) - 3600)
  const few = await maxMemory(service, () => run(service, '1', hourAgo))
  let most = 0
  const lines: Line[] = []
  for (const [template, words] of Object.entries(templates)) {
    const before = processorSeconds(service.pid)
    const began = performance.now()
    most = Math.max(most, await maxMemory(service, () => run(service, template)))
    lines.push({
      work: `${words} over ${whole(count)} alarms`,
      ratio: (performance.now() - began) / 1000,
      byProcessor: processorSeconds(service.pid) - before,
      unit: ' s',
      goal: answerGoal,
    })
  }
  const memory = {
    work: 'memory, all of them one after the other',
    here: `${whole(most)} MiB at most`,
    yardstick: `the last hour: ${whole(few)} MiB`,
    ratio: Math.max(0, most - few),
    unit: ' MiB',
    goal: memoryGoal,
  }
  return [...lines, memory]
}

/** New alarms a second, and the longest wait for an answer, without and with reports. */
async function meanwhile(
  processes: Processes,
  service: Served,
  port: number,
  count: number,
): Promise<Line[]> {
  const flow = flowInto(processes, service, { port, count, rate: 5000 })
  let from = 1_000_000
  /** Milliseconds from informs to their answers: each is answered when its alarm is on disk. */
  const informs = async () => {
    const talk = { port, first: 20, devices: 50, rate: 4, seconds: 5, from }
    from += 1000
    const { sent, answers } = await processes.talk(talk)
    const unanswered = Array.from({ length: sent - answers.length }, () => Number.POSITIVE_INFINITY)
    return [...answers, ...unanswered]
  }
  await flow()
  const alone = await flow()
  const informsAlone = await informs()
  const others = repeating(() => run(service, '1'))
  const beside = await flow()
  const informsBeside = await informs()
  await others.end()
  return [
    ...flowLines('reports', alone, beside),
    {
      work: 'wait for the answer to an inform, p99',
      here: spread(informsBeside),
      yardstick: `without: ${spread(informsAlone)}`,
      ratio: at(informsBeside, 0.99),
      unit: ' ms',
      goal: informGoal,
    },
  ]
}

export default benchmark({
  summary: 'over a million alarms, and what the service does meanwhile',
  title: 'Reports',
  meaning,
  full,
  quick,
  parts: { reports },
})
