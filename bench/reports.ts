// Reports over very many alarms: how long they take, what memory they need, and what the service does meanwhile.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, pings } from './dry-run.ts'
import type { BenchOptions } from './main.ts'
import { Processes, processorSeconds, residentBytes, type Served } from './processes.ts'
import { fillAlarms } from './rows.ts'
import { type Goal, type Line, printTable, whole } from './table.ts'
import { freePort, settled } from './traps.ts'

const answerGoal: Goal = { sign: '≤', first: 10, later: 5 }
const flowGoal: Goal = { sign: '≥', first: 0.5, later: 0.8 }

const templates = {
  1: 'alarm summary',
  2: 'top ten sources',
  3: 'device availability',
  9: 'changes by operator',
}

const meaning = [
  'All alarms lie in the period. Seconds from request to answer, and of processor time, which is judged. Meanwhile, traps',
  'that each become an alarm are sent at 5,000/s, and something that costs nothing is asked for again and again.',
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

const run = (service: Served, template: string) =>
  ask(service, 'POST', `/report/reportTemplate/${template}/run`, JSON.stringify({ beginTime: '2020-01-01' }))

async function each(service: Served, count: number): Promise<Line[]> {
  const lines: Line[] = []
  for (const [template, words] of Object.entries(templates)) {
    const [before, memory] = [processorSeconds(service.pid), residentBytes(service.pid) ?? 0]
    const began = performance.now()
    await run(service, template)
    const more = Math.max(0, (residentBytes(service.pid) ?? 0) - memory) / 2 ** 20
    lines.push({
      work: `${words} over ${whole(count)} alarms`,
      here: `${whole(more)} MiB more`,
      yardstick: '',
      ratio: (performance.now() - began) / 1000,
      byProcessor: processorSeconds(service.pid) - before,
      unit: ' s',
      goal: answerGoal,
    })
  }
  return lines
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
    const before = await settled(service)
    const began = performance.now()
    const waits = pings(service)
    await processes.sendTraps({ port, first, different: count, count, rate: 5000 })
    first += count
    while ((await settled(service)) - before < count) await sleep(20)
    return { rate: count / ((performance.now() - began) / 1000), waits: await waits.end() }
  }
  await flow()
  const alone = await flow()
  let running = true
  const reports = (async () => {
    while (running) await run(service, '1')
  })()
  const beside = await flow()
  running = false
  await reports
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
  ]
}
