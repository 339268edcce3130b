// Dry runs of trap rules over very many kept traps: how long they take, and what the service does meanwhile.

import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchOptions } from './options.ts'
import { Processes, processorSeconds, type Served } from './processes.ts'
import { fillTraps } from './rows.ts'
import { type Goal, type Line, whole } from './table.ts'
import { freePort, processed } from './traps.ts'

const answerGoal: Goal = { sign: '≤', first: 10, later: 5 }
/** Beside a dry run on a machine with two cores, as many as without one would be a wonder. */
const flowGoal: Goal = { sign: '≥', first: 0.5, later: 0.8 }
const burst = 20_000

const any = { displayName: 'any', devID: 0 }
const parameter = (entry: object) => [{ ...any, trapFilterEventParasInfo: [entry] }]

const rules: Readonly<Record<string, object>> = {
  'one event of one device': {
    trapOId: '1.3.6.1.6.3.1.1.5.3',
    trapDevice: [{ displayName: 'x', devID: 1000 }],
  },
  'every trap': { trapDevice: [any] },
  'every trap, at night on working days': {
    exectimeType: 1,
    selectedWeekDay: '1,2,3,4,5',
    startTime: '22:00',
    endTime: '6:00',
    trapDevice: [any],
  },
  'every trap with a parameter, by day': {
    exectimeType: 1,
    startTime: '8:00',
    endTime: '18:00',
    trapDevice: parameter({ position: 1, value: '1*' }),
  },
  'every trap with a named parameter': { trapDevice: parameter({ name: 'ifDescr', value: '*0/1?' }) },
  'every trap about an interface': {
    trapDevice: [any],
    trapInterfaces: [{ ifDesc: 'GigabitEthernet1/0/1*' }],
  },
}

export async function benchDryRuns({ quick, profile }: BenchOptions): Promise<Line[]> {
  const count = quick ? 200_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'belfry-bench-'))
  const processes = new Processes(profile)
  try {
    console.log(`Filling a store with ${whole(count)} traps…`)
    const data = join(folder, 'data')
    await fillTraps(data, count)
    const trapPort = await freePort()
    const settings = {
      traps: `127.0.0.1:${trapPort}`,
      'keep-traps': String(count * 10),
      'trap-buffer': String(4 * 2 ** 20),
    }
    const service = await processes.service(data, settings)
    await dryRun(service, rules['one event of one device'] ?? {})
    console.log('Dry runs…')
    const lines: Line[] = []
    for (const [work, rule] of Object.entries(rules)) {
      const before = processorSeconds(service.pid)
      const { seconds, examined, filtered } = await dryRun(service, rule)
      lines.push({
        work: `dry run over ${whole(count)} traps: ${work}`,
        here: `${whole(filtered)} of ${whole(examined)} filtered`,
        yardstick: '',
        ratio: seconds,
        byProcessor: processorSeconds(service.pid) - before,
        unit: ' s',
        goal: answerGoal,
      })
    }
    return [...lines, ...(await meanwhile(processes, service, trapPort, quick))]
  } finally {
    await processes.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** New alarms a second, and the longest wait for an answer, without and with dry runs. */
async function meanwhile(
  processes: Processes,
  service: Served,
  port: number,
  quick: boolean,
): Promise<Line[]> {
  const count = quick ? 8000 : 20_000
  let first = 0
  const flow = async () => {
    const before = await processed(service)
    const began = performance.now()
    const waits = pings(service)
    await processes.sendTraps({ port, first, different: count, count, rate: burst })
    first += count
    while ((await processed(service)) - before < count) await sleep(20)
    const rate = count / ((performance.now() - began) / 1000)
    return { rate, waits: await waits.end() }
  }
  await flow()
  const alone = await flow()
  let running = true
  const dryRuns = (async () => {
    while (running) await dryRun(service, rules['every trap with a parameter, by day'] ?? {})
  })()
  const beside = await flow()
  const quiet = pings(service)
  await sleep(2000)
  const waits = await quiet.end()
  running = false
  await dryRuns
  const shown = (rate: number) => `${whole(rate)}/s`
  return [
    {
      work: 'new alarms beside dry runs',
      here: shown(beside.rate),
      yardstick: `without: ${shown(alone.rate)}`,
      ratio: beside.rate / alone.rate,
      goal: flowGoal,
    },
    {
      work: 'longest wait for an answer while alarms come in',
      here: `${whole(beside.waits)} ms beside dry runs`,
      yardstick: `without: ${whole(alone.waits)} ms`,
    },
    { work: 'longest wait for an answer beside dry runs alone', here: `${whole(waits)} ms`, yardstick: '' },
  ]
}

/** Asks for something that costs nothing, again and again: it waits as long as the service is held up. */
export function pings(service: Served): { end(): Promise<number> } {
  let [running, longest] = [true, 0]
  const done = (async () => {
    while (running) {
      const began = performance.now()
      await ask(service, 'OPTIONS', '/fault/trapRule')
      longest = Math.max(longest, performance.now() - began)
      await sleep(2)
    }
  })()
  return {
    async end() {
      running = false
      await done
      return longest
    },
  }
}

async function dryRun(
  service: Served,
  rule: object,
): Promise<{ seconds: number; examined: number; filtered: number }> {
  const began = performance.now()
  const text = await ask(service, 'POST', '/fault/trapRule/dryRun', JSON.stringify(rule))
  const { examined, filtered } = JSON.parse(text)
  return {
    seconds: (performance.now() - began) / 1000,
    examined: Number(examined),
    filtered: Number(filtered),
  }
}

export function ask({ port }: Served, method: string, path: string, body?: string): Promise<string> {
  const json = 'application/json'
  const headers = { Accept: json, ...(body && { 'Content-Type': json }) }
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => {
        text += piece
      })
      response.on('end', () => resolve(text))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
