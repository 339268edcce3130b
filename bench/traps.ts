// Traps: how many are taken without loss, how fast they become alarms, and what a million alarms cost.

import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kernelDrops } from '../src/intake/kernel-drops.ts'
import { insertRate } from './insert-rate.ts'
import { measureLong } from './lists.ts'
import type { BenchOptions } from './options.ts'
import { atRest, Processes, processorSeconds, type Served, type Service } from './processes.ts'
import { fillAlarms } from './rows.ts'
import { type Goal, type Line, median, megabytes, printTable, whole } from './table.ts'

const full = { rounds: 5, alarms: 20_000, seconds: 3, small: 1000, large: 1_000_000, milliseconds: 700 }
const quick = { rounds: 3, alarms: 20_000, seconds: 1.5, small: 1000, large: 200_000, milliseconds: 400 }
type Plan = typeof full

const long = 28_622
/** Traps a second that are sent at alarms: more than the goal, and not all that a sender can. */
const burst = 20_000
/** Faster than repeats are processed, or the sender would be what is measured. */
const repeatBurst = 40_000
const bufferSize = 4 * 2 ** 20
/** Traps a second, one step after the other, until a receiver cannot follow. */
const steps = [2, 4, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40, 50, 60, 75, 90].map(
  (thousands) => thousands * 1000,
)

const againstSnmptrapd: Goal = { sign: '≥', first: 2, later: 5 }
const againstStore: Goal = { sign: '≥', first: 0.4, later: 0.4 }
const newAlarms: Goal = { sign: '≥', first: 8900, later: 15_000 }
const nothingLost: Goal = { sign: '≤', first: 0, later: 0 }
/** Microseconds. */
const alarmCost: Goal = { sign: '≤', first: 122, later: 60 }
const repeatsPerSecond: Goal = { sign: '≥', first: 20_000, later: 30_000 }
const repeatedAlarms: Goal = { sign: '≥', first: 3, later: 5 }
const startTime: Goal = { sign: '≤', first: 2, later: 1.3 }
const asTablesGrow: Goal = { sign: '≤', first: 1.5, later: 1.1 }
const longAnswer: Goal = { sign: '≤', first: 1, later: 0.3 }

const meaning = [
  'Received: the highest rate, in steps, at which nothing is dropped and the receiver keeps up. Here a trap is decoded,',
  'processed as the repeat of an open alarm, counted, and kept for searching; snmptrapd writes it to its log.',
  'New alarms, sent at 20,000/s and repeats at 40,000/s: from the first datagram to the last alarm on disk, medians of the rounds; lost is what',
  'the kernel dropped. The store alone inserts the same rows of alarms, log and traps with the same indexes, 500 to a',
  'transaction. Repeats are the same traps again.',
  'Processor time: of all threads of the service, which other work on the machine disturbs least.',
  'Pages are asked for over 32 connections while 500 traps a second become alarms.',
  'The service, snmptrapd and the sender of traps are processes of their own on one machine.',
]

export async function benchTraps(options: BenchOptions): Promise<void> {
  const plan = options.quick ? quick : full
  const folder = mkdtempSync(join(tmpdir(), 'belfry-bench-'))
  const lines: Line[] = []
  try {
    for (const part of ['alarms', 'received', 'stored'] as const) {
      const processes = new Processes(options.profile)
      try {
        lines.push(...(await new TrapBench(processes, plan, folder)[part]()))
      } finally {
        await processes.end()
      }
    }
    printTable('Traps', lines, meaning)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What is raised here is never ended. */
export const plenty = { 'open-alarms-device': '2000000', 'open-alarms': '2000000' }
/** All of it comes from one address, and the same traps come again on purpose. */
export const guardsOff = { 'storm-source': '0', 'storm-overall': '0', 'duplicate-seconds': '0', ...plenty }

interface TrapService extends Service {
  readonly trapPort: number
  readonly data: string
}

/** What takes traps, and how to see that it has worked all of them off. */
interface Receiver {
  readonly name: string
  readonly port: number
  /** How many it has taken in since it began. */
  taken(): Promise<number>
  best: number
  open: boolean
}

class TrapBench {
  readonly #processes: Processes
  readonly #plan: Plan
  readonly #folder: string

  constructor(processes: Processes, plan: Plan, folder: string) {
    this.#processes = processes
    this.#plan = plan
    this.#folder = folder
  }

  async alarms(): Promise<Line[]> {
    const { alarms: count, rounds } = this.#plan
    console.log(`New and repeated alarms, ${whole(count)} a round…`)
    const service = await this.#service('alarms')
    // The devices are registered, and the code is compiled: that takes as many as a round.
    const warm = { first: 0, different: count, count }
    await this.#process(service, warm)
    await this.#process(service, warm, repeatBurst)
    await atRest(service)
    const fresh: number[] = []
    const repeats: number[] = []
    const store: number[] = []
    const used = { raised: 0, repeated: 0 }
    let dropped = 0
    for (let round = 0; round < rounds; round += 1) {
      const load = { first: (round + 1) * count, different: count, count }
      const start = processorSeconds(service.pid)
      const raised = await this.#process(service, load)
      const middle = processorSeconds(service.pid)
      const repeated = await this.#process(service, load, repeatBurst)
      used.raised += middle - start
      used.repeated += processorSeconds(service.pid) - middle
      fresh.push(raised.rate)
      repeats.push(repeated.rate)
      dropped += raised.dropped + repeated.dropped
      store.push(await insertRate(service.data, join(this.#folder, `rows-${round}`), count))
    }
    const ratio = (of: readonly number[], to: readonly number[]) =>
      median(of.map((rate, round) => rate / (to[round] ?? Number.NaN)))
    const here = perSecond(fresh)
    return [
      {
        work: 'trap → new alarm on disk',
        here,
        yardstick: `store alone: ${perSecond(store)}`,
        ratio: ratio(fresh, store),
        goal: againstStore,
      },
      { work: 'new alarms a second', here, yardstick: '', ratio: median(fresh), unit: '/s', goal: newAlarms },
      {
        work: 'of these and their repeats, dropped by the kernel',
        here: '',
        yardstick: `sent: ${whole(2 * rounds * count)}`,
        ratio: dropped,
        unit: '',
        goal: nothingLost,
      },
      {
        work: 'repeats of open alarms',
        here: perSecond(repeats),
        yardstick: `new alarms: ${here}`,
        ratio: ratio(repeats, fresh),
        goal: repeatedAlarms,
      },
      {
        work: 'repeats a second',
        here: perSecond(repeats),
        yardstick: '',
        ratio: median(repeats),
        unit: '/s',
        goal: repeatsPerSecond,
      },
      {
        work: 'processor time of a new alarm, whole service',
        here: '',
        yardstick: `repeat: ${microseconds(used.repeated / (rounds * count))}`,
        ratio: (used.raised / (rounds * count)) * 1e6,
        unit: ' µs',
        goal: alarmCost,
      },
    ]
  }

  async received(): Promise<Line[]> {
    const service = await this.#service('received')
    await this.#process(service, { first: 0, different: 1000, count: 1000 })
    const own: Receiver = {
      name: 'Belfry',
      port: service.trapPort,
      taken: () => processed(service),
      best: 0,
      open: true,
    }
    const peer = await this.#snmptrapd()
    console.log(`Received without loss${peer ? ', beside snmptrapd' : ''}…`)
    for (const rate of steps) {
      for (const receiver of [own, peer]) {
        if (!receiver?.open) continue
        // What disturbs the machine once is not the receiver's fault.
        receiver.open = (await this.#follows(receiver, rate)) || (await this.#follows(receiver, rate))
        if (receiver.open) receiver.best = rate
      }
    }
    const work = 'traps received without loss'
    const here = `${whole(own.best)}/s`
    if (!peer) return [{ work, here, yardstick: 'snmptrapd: not installed' }]
    const yardstick = `snmptrapd: ${whole(peer.best)}/s`
    return [{ work, here, yardstick, ratio: own.best / peer.best, goal: againstSnmptrapd }]
  }

  /** Whether nothing is lost at that rate, and nothing is left behind either. */
  async #follows({ port, taken }: Receiver, rate: number): Promise<boolean> {
    const before = { drops: kernelDrops(port) ?? 0, taken: await taken() }
    const count = Math.round(rate * this.#plan.seconds)
    const began = performance.now()
    const sent = await this.#processes.sendTraps({ port, first: 0, different: 1000, count, rate })
    let done = 0
    for (const patience = sent.seconds * 1000 + 5000; performance.now() - began < patience; ) {
      done = (await taken()) - before.taken
      if (done >= count) break
      await sleep(50)
    }
    const seconds = (performance.now() - began) / 1000
    const drops = (kernelDrops(port) ?? 0) - before.drops
    return drops === 0 && done >= count && count / seconds > rate * 0.9
  }

  async #snmptrapd(): Promise<Receiver | undefined> {
    const program = ['/usr/sbin/snmptrapd', 'snmptrapd'].find(
      (path) => spawnSync(path, ['-v']).error === undefined,
    )
    if (!program) return undefined
    const folder = join(this.#folder, 'snmptrapd')
    mkdirSync(folder)
    const settings = join(folder, 'snmptrapd.conf')
    writeFileSync(settings, `disableAuthorization yes\n[snmp] serverRecvBuf ${bufferSize}\n`)
    const log = join(folder, 'log')
    writeFileSync(log, '')
    const port = await freePort()
    const quietly = ['-f', '-n', '-On', '-m', '', '-C', '-c', settings, '-Lf', log]
    this.#processes.run(program, [...quietly, '-p', join(folder, 'pid'), `udp:127.0.0.1:${port}`])
    for (let wait = 0; kernelDrops(port) === undefined && wait < 100; wait += 1) await sleep(50)
    const file = openSync(log, 'r')
    const piece = Buffer.alloc(1 << 20)
    let lines = 0
    const taken = async () => {
      // Only what is new is read, or reading it would take the processor from what is measured. Two lines each.
      for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
        for (let at = piece.indexOf(10); at >= 0 && at < read; at = piece.indexOf(10, at + 1)) lines += 1
      }
      return Math.floor(lines / 2)
    }
    return { name: 'snmptrapd', port, taken, best: 0, open: true }
  }

  async stored(): Promise<Line[]> {
    const { large, small } = this.#plan
    console.log(`Filling stores of ${whole(small)} and ${whole(large)} alarms…`)
    const folders = { small: join(this.#folder, 'small'), large: join(this.#folder, 'large') }
    await fillAlarms(folders.small, small)
    await fillAlarms(folders.large, large)
    const began = performance.now()
    const many = await this.#service('large')
    const start = (performance.now() - began) / 1000
    const few = await this.#service('small')
    const answer = await measureLong(many, `/fault/alarm?size=${long}`, 5)
    console.log('Pages while alarms flow…')
    return [
      {
        work: `start with ${whole(large)} alarms stored`,
        here: '',
        yardstick: '',
        ratio: start,
        unit: ' s',
        goal: startTime,
      },
      {
        work: `${whole(long)} alarms in one answer`,
        here: megabytes(answer.bytes),
        yardstick: '',
        ratio: answer.seconds,
        unit: ' s',
        goal: longAnswer,
      },
      ...(await this.#pages(few, many)),
    ]
  }

  async #pages(few: TrapService, many: TrapService): Promise<Line[]> {
    const lines: Line[] = []
    let first = 0
    /** Answers a second while alarms flow into the same service. */
    const during = async (service: TrapService, path: string) => {
      const { milliseconds } = this.#plan
      const count = milliseconds / 2
      const flow = this.#processes.sendTraps({
        port: service.trapPort,
        first,
        different: count,
        count,
        rate: 500,
      })
      first += count
      const volley = { port: service.port, path, accept: '*/*', connections: 32, milliseconds }
      const { answers, seconds } = await this.#processes.fire(volley)
      await flow
      return answers / seconds
    }
    for (const [what, path] of [
      ['newest first', '/fault/alarm?size=10&desc=true'],
      ['open ones', '/fault/alarm?size=10&recStatus=0&desc=true'],
    ] as const) {
      const rates = { few: [] as number[], many: [] as number[] }
      for (let round = 0; round <= this.#plan.rounds; round += 1) {
        const pair = { few: await during(few, path), many: await during(many, path) }
        // The first round is to warm up.
        if (round === 0) continue
        rates.few.push(pair.few)
        rates.many.push(pair.many)
      }
      lines.push({
        work: `10 of ${whole(this.#plan.large)} alarms, ${what}`,
        here: perSecond(rates.many),
        yardstick: `${whole(this.#plan.small)} alarms: ${perSecond(rates.few)}`,
        ratio: median(rates.few.map((rate, round) => rate / (rates.many[round] ?? Number.NaN))),
        goal: asTablesGrow,
      })
    }
    return lines
  }

  async #service(name: string): Promise<TrapService> {
    const data = join(this.#folder, name)
    const trapPort = await freePort()
    const settings = { traps: `127.0.0.1:${trapPort}`, 'trap-buffer': String(bufferSize), ...guardsOff }
    return { ...(await this.#processes.service(data, settings)), trapPort, data }
  }

  /** Sends, and waits until all of it is on disk. */
  async #process(
    service: TrapService,
    load: { first: number; different: number; count: number },
    rate = burst,
  ): Promise<{ rate: number; dropped: number }> {
    const before = await processed(service)
    const drops = kernelDrops(service.trapPort) ?? 0
    const began = performance.now()
    await this.#processes.sendTraps({ port: service.trapPort, ...load, rate })
    let done = 0
    for (let moved = performance.now(); ; ) {
      const now = (await processed(service)) - before
      const dropped = (kernelDrops(service.trapPort) ?? 0) - drops
      const all = now + dropped >= load.count
      if (now > done) moved = performance.now()
      done = now
      if (all) return { rate: done / ((moved - began) / 1000), dropped }
      if (performance.now() - moved > 10_000) throw new Error(`${load.count - done} traps vanished`)
      // Answering costs the service time as well: it is asked again when half of the rest should be done.
      const left = ((load.count - done) * (moved - began)) / Math.max(done, 1)
      await sleep(Math.min(300, Math.max(10, left / 2)))
    }
  }
}

const microseconds = (seconds: number) => `${(seconds * 1e6).toFixed(0)} µs`
const perSecond = (rates: readonly number[]) => `${whole(median(rates))}/s`

export async function processed({ port }: Served): Promise<number> {
  const text = await metrics(port)
  const bins = text.matchAll(/^belfry_traps_binned_total\{bin="(\w[\w-]*)"\} (\d+)/gm)
  return bins.reduce((sum, [, bin, n]) => sum + (bin === 'refused' ? 0 : Number(n)), 0)
}

/** On a connection of its own: one kept from before may have been closed while this process was busy. */
function metrics(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/metrics', agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => {
        text += piece
      })
      response.on('end', () => resolve(text))
      response.on('error', reject)
    }).on('error', reject)
  })
}

export async function freePort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}
