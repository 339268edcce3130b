// What others notice of heavy work: `/health` and streams beside very many traps, writers beside imports and deletions.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kernelDrops } from '../src/intake/kernel-drops.ts'
import { Child } from './children.ts'
import type { BenchOptions } from './options.ts'
import { Processes, processorSeconds } from './processes.ts'
import { fillStore } from './rows.ts'
import { type Goal, type Line, printTable, whole } from './table.ts'
import { plenty, processed } from './traps.ts'

const full = { seconds: 15, records: 100_000 }
const quick = { seconds: 6, records: 20_000 }
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
  'Slow readers: ten at once take a piece of 64 kB at most and pause for 2 ms.',
  'Writer: changes a zone every 5 ms over one connection while the work goes on; from request to answer.',
]

export async function benchBeside(options: BenchOptions): Promise<void> {
  const plan = options.quick ? quick : full
  const folder = mkdtempSync(join(tmpdir(), 'belfry-bench-'))
  const lines: Line[] = []
  try {
    for (const part of ['traps', 'writes', 'reads'] as const) {
      if (options.only !== undefined && options.only !== part) continue
      const bench = new BesideBench(plan, folder, options.profile)
      try {
        lines.push(...(await bench[part]()))
      } finally {
        await bench.end()
      }
    }
    printTable('Beside heavy work', lines, meaning)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Started {
  readonly port: number
  readonly trapPort: number
  readonly pid: number
}

class BesideBench {
  readonly #plan: Plan
  readonly #folder: string
  readonly #profile: string | undefined
  readonly #processes: Processes
  #service: Child | undefined

  constructor(plan: Plan, folder: string, profile: string | undefined) {
    this.#plan = plan
    this.#folder = folder
    this.#profile = profile
    this.#processes = new Processes(undefined)
  }

  async end(): Promise<void> {
    await this.#service?.end()
    await this.#processes.end()
  }

  async #start(
    data: string,
    flags: Readonly<Record<string, string>> = {},
  ): Promise<Started & { child: Child }> {
    const given = [join(this.#folder, data), JSON.stringify(flags)]
    this.#service = new Child('./beside-service.ts', { profile: this.#profile, arguments: given })
    return { ...(await this.#service.ask<Started>('start')), child: this.#service }
  }

  async traps(): Promise<Line[]> {
    const { seconds } = this.#plan
    console.log(`Ten senders of ${rate} new alarms a second for ${seconds} s…`)
    const service = await this.#start('traps', plenty)
    const sources = Array.from({ length: senders }, (_, index) => `127.0.0.${index + 11}`)
    const count = senders * rate * seconds
    const load = { port: service.trapPort, rate: senders * rate, sources }
    // The devices are registered, and the code is warm.
    await this.#processes.sendTraps({ ...load, first: 0, different: 5000, count: 5000 })
    await until(async () => (await processed(service)) + (kernelDrops(service.trapPort) ?? 0) >= 5000)
    const subscriber = subscribe(service.port)
    await service.child.ask('stretches')
    const used = processorSeconds(service.pid)
    const before = { head: await service.child.ask<number>('head'), processed: await processed(service) }
    let sending = true
    const sent = this.#processes.sendTraps({ ...load, first: 5000, different: count, count }).finally(() => {
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
    const ms = (values: readonly number[], part: number) => `${at(values, part).toFixed(1)} ms`
    return [
      {
        work: `processed beside it, of ${whole(senders * rate)}/s`,
        here: `${whole(done / took)}/s`,
        yardstick: `dropped by the kernel: ${whole(drops)}`,
      },
      { work: 'processor time of an alarm', here: `${((cpu / done) * 1e6).toFixed(0)} µs`, yardstick: '' },
      {
        work: '/health beside traps, longest',
        here: `p50 ${ms(answers, 0.5)}, p99 ${ms(answers, 0.99)}`,
        yardstick: `${answers.length} asked`,
        ratio: at(answers, 1),
        unit: ' ms',
        goal: healthGoal,
      },
      {
        work: 'subscriber behind the log, longest',
        here: `half of the time ${(at(lags, 0.5) * 1000).toFixed(0)} ms`,
        yardstick: '',
        ratio: at(lags, 1),
        unit: ' s',
        goal: lagGoal,
      },
      {
        work: 'stretch of the main thread, longest',
        here: `p50 ${ms(stretches, 0.5)}, p99 ${ms(stretches, 0.99)}`,
        yardstick: '',
        ratio: at(stretches, 1),
        unit: ' ms',
      },
    ]
  }

  async writes(): Promise<Line[]> {
    const { records } = this.#plan
    console.log(`A writer beside imports, deletions and moves of ${whole(records)} records…`)
    await fillStore(join(this.#folder, 'writes'), { ips: records, bindings: 0 })
    const { port } = await this.#start('writes')
    const lines: Line[] = []
    const beside = async (work: string, path: string, options: { method: string; body?: string }) => {
      let under = true
      const began = performance.now()
      const done = send(port, path, options).finally(() => {
        under = false
      })
      const waits = await writing(port, () => under)
      const { status } = await done
      if (status > 299) throw new Error(`${work}: ${status}`)
      lines.push({
        work: `writer beside ${work}`,
        here: `p50 ${at(waits, 0.5).toFixed(1)} ms, p99 ${at(waits, 0.99).toFixed(1)} ms`,
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
    await send(port, '/ram/zone', { method: 'POST', body: '{"name":"Moved"}' })
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

  async reads(): Promise<Line[]> {
    const { records } = this.#plan
    console.log(`/health beside exports of ${whole(records)} records that are read slowly…`)
    await fillStore(join(this.#folder, 'reads'), { ips: records, bindings: 0 })
    const { port } = await this.#start('reads')
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
        here: `p50 ${at(answers, 0.5).toFixed(1)} ms, p99 ${at(answers, 0.99).toFixed(1)} ms`,
        yardstick: `${answers.length} asked`,
        ratio: at(answers, 1),
        unit: ' ms',
        goal: slowGoal,
      })
    }
    return lines
  }
}

/** The value below which a part of them lies; 1: the largest. */
export function at(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export async function until(isSo: () => Promise<boolean>, every = 50): Promise<void> {
  for (const began = performance.now(); !(await isSo()); await sleep(every)) {
    if (performance.now() - began > 60_000) throw new Error('it takes more than a minute')
  }
}

function send(
  port: number,
  path: string,
  { method, body, agent }: { method: string; body?: string; agent?: Agent },
): Promise<{ status: number }> {
  const type = body?.startsWith('{') ? 'application/json' : 'text/csv'
  return new Promise((resolve, reject) => {
    const headers = { Accept: 'application/json', ...(body !== undefined && { 'Content-Type': type }) }
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: agent ?? false })
    asked.on('response', (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0 }))
    })
    asked.on('error', reject).end(body)
  })
}

/** Milliseconds that each answer took, on a new connection each time, as a monitor asks. */
export async function askHealth(port: number, goesOn: () => boolean): Promise<number[]> {
  const took: Promise<number>[] = []
  while (goesOn()) {
    const began = performance.now()
    took.push(send(port, '/health', { method: 'GET' }).then(() => performance.now() - began))
    await sleep(30)
  }
  return Promise.all(took)
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
    const { status } = await send(port, '/ram/zone/1', { method: 'PUT', body, agent })
    if (status !== 204) throw new Error(`a zone was not changed: ${status}`)
    took.push(performance.now() - began)
    await sleep(5)
  }
  agent.destroy()
  return took
}

/** Counts the documents of a stream. */
export function subscribe(port: number): { documents: number; end(): void } {
  const mark = '<nAction>'
  const asked = request({ host: '127.0.0.1', port, path: '/events?type=11', agent: false })
  let rest = ''
  const counted = { documents: 0, end: () => asked.destroy() }
  asked.on('response', (response) => {
    response.setEncoding('utf8').on('data', (text: string) => {
      const all = rest + text
      for (let found = all.indexOf(mark); found >= 0; found = all.indexOf(mark, found + 1))
        counted.documents += 1
      rest = all.slice(1 - mark.length)
    })
    response.on('error', () => undefined)
  })
  asked.on('error', () => undefined).end()
  return counted
}
