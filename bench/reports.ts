// Reports over very many alarms: how long they take, what memory they need, and what the service does meanwhile.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { at } from './beside.ts'
import { ask, pings } from './dry-run.ts'
import type { BenchOptions } from './options.ts'
import { Processes, processorSeconds, residentBytes, type Served } from './processes.ts'
import { fillAlarms } from './rows.ts'
import { type Goal, type Line, printTable, whole } from './table.ts'
import { freePort, processed } from './traps.ts'

const answerGoal: Goal = { sign: '≤', first: 10, later: 5 }
const flowGoal: Goal = { sign: '≥', first: 0.5, later: 0.8 }
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

export async function benchReports({ quick, profile }: BenchOptions): Promise<void> {
  const count = quick ? 100_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'belfry-bench-'))
  const processes = new Processes(profile)
  try {
    console.log(`Filling a store with ${whole(count)} alarms…`)
    const data = join(folder, 'data')
    await fillAlarms(data, count)
    const trapPort = await freePort()
    const kept = { 'keep-alarms': String(count * 10), 'keep-alarms-days': '36500' }
    const service = await processes.service(data, { traps: `127.0.0.1:${trapPort}`, ...kept })
    console.log('Reports…')
    const lines = [
      ...(await each(service, count)),
      ...(await meanwhile(processes, service, trapPort, quick ? 2000 : 10_000)),
    ]
    printTable('Reports', lines, meaning)
  } finally {
    await processes.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

const run = (service: Served, template: string, beginTime = '2020-01-01') =>
  ask(service, 'POST', `/report/reportTemplate/${template}/run`, JSON.stringify({ beginTime }))

/** The most memory that the service has while something is done, in MiB. */
async function mostMemory(service: Served, work: () => Promise<unknown>): Promise<number> {
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
  const few = await mostMemory(service, () => run(service, '1', hourAgo))
  let most = 0
  const lines: Line[] = []
  for (const [template, words] of Object.entries(templates)) {
    const before = processorSeconds(service.pid)
    const began = performance.now()
    most = Math.max(most, await mostMemory(service, () => run(service, template)))
    lines.push({
      work: `${words} over ${whole(count)} alarms`,
      here: '',
      yardstick: '',
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
  let first = 0
  const flow = async () => {
    const before = await processed(service)
    const began = performance.now()
    const waits = pings(service)
    await processes.sendTraps({ port, first, different: count, count, rate: 5000 })
    first += count
    while ((await processed(service)) - before < count) await sleep(20)
    return { rate: count / ((performance.now() - began) / 1000), waits: await waits.end() }
  }
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
  let running = true
  const reports = (async () => {
    while (running) await run(service, '1')
  })()
  const beside = await flow()
  const informsBeside = await informs()
  running = false
  await reports
  const ms = (times: readonly number[]) =>
    `p50 ${at(times, 0.5).toFixed(1)}, p99 ${at(times, 0.99).toFixed(1)} ms`
  const shown = (rate: number) => `${whole(rate)}/s`
  return [
    {
      work: 'new alarms beside reports',
      here: shown(beside.rate),
      yardstick: `without: ${shown(alone.rate)}`,
      ratio: beside.rate / alone.rate,
      goal: flowGoal,
    },
    {
      work: 'longest wait for an answer while alarms come in',
      here: `${whole(beside.waits)} ms beside reports`,
      yardstick: `without: ${whole(alone.waits)} ms`,
    },
    {
      work: 'wait for the answer to an inform, p99',
      here: ms(informsBeside),
      yardstick: `without: ${ms(informsAlone)}`,
      ratio: at(informsBeside, 0.99),
      unit: ' ms',
      goal: informGoal,
    },
  ]
}
