// Traps: how many are taken without loss, how fast they become alarms, and what a million alarms cost.

import { spawnSync } from 'node:child_process'
import { mkdirSync, openSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kernelDrops } from '../src/intake/receiver.ts'
import { benchmark, type Stage } from './frame.ts'
import { insertRate } from './insert-rate.ts'
import { measureLong } from './lists.ts'
import { atRest, guardsOff, processorSeconds, type Service } from './processes.ts'
import { processed } from './requests.ts'
import { fillAlarms } from './rows.ts'
import { type Goal, type Line, median, megabytes, perSecond, ratioOf, whole } from './table.ts'
import { freePort } from './trap-datagram.ts'

const full = { rounds: 5, alarms: 20_000, seconds: 3, small: 1000, large: 1_000_000, milliseconds: 700 }
const quick = { rounds: 3, alarms: 20_000, seconds: 1.5, small: 1000, large: 200_000, milliseconds: 400 }
type TrapStage = Stage<typeof full>

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

async function alarms(stage: TrapStage): Promise<Line[]> {
  const { alarms: count, rounds } = stage.plan
  console.log(`New and repeated alarms, ${whole(count)} a round…`)
  const service = await startService(stage, 'alarms')
  // The devices are registered, and the code is compiled: that takes as many as a round.
  const warm = { first: 0, different: count, count }
  await processAll(stage, service, warm)
  await processAll(stage, service, warm, repeatBurst)
  await atRest(service)
  const fresh: number[] = []
  const repeats: number[] = []
  const store: number[] = []
  const used = { raised: 0, repeated: 0 }
  let dropped = 0
  for (let round = 0; round < rounds; round += 1) {
    const load = { first: (round + 1) * count, different: count, count }
    const start = processorSeconds(service.pid)
    const raised = await processAll(stage, service, load)
    const middle = processorSeconds(service.pid)
    const repeated = await processAll(stage, service, load, repeatBurst)
    used.raised += middle - start
    used.repeated += processorSeconds(service.pid) - middle
    fresh.push(raised.rate)
    repeats.push(repeated.rate)
    dropped += raised.dropped + repeated.dropped
    store.push(await insertRate(service.data, join(stage.folder, `rows-${round}`), count))
  }
  const here = perSecond(fresh)
  return [
    {
      work: 'trap → new alarm on disk',
      here,
      yardstick: `store alone: ${perSecond(store)}`,
      ratio: ratioOf(fresh, store),
      goal: againstStore,
    },
    { work: 'new alarms a second', here, ratio: median(fresh), unit: '/s', goal: newAlarms },
    {
      work: 'of these and their repeats, dropped by the kernel',
      yardstick: `sent: ${whole(2 * rounds * count)}`,
      ratio: dropped,
      unit: '',
      goal: nothingLost,
    },
    {
      work: 'repeats of open alarms',
      here: perSecond(repeats),
      yardstick: `new alarms: ${here}`,
      ratio: ratioOf(repeats, fresh),
      goal: repeatedAlarms,
    },
    {
      work: 'repeats a second',
      here: perSecond(repeats),
      ratio: median(repeats),
      unit: '/s',
      goal: repeatsPerSecond,
    },
    {
      work: 'processor time of a new alarm, whole service',
      yardstick: `repeat: ${microseconds(used.repeated / (rounds * count))}`,
      ratio: (used.raised / (rounds * count)) * 1e6,
      unit: ' µs',
      goal: alarmCost,
    },
  ]
}

async function received(stage: TrapStage): Promise<Line[]> {
  const service = await startService(stage, 'received')
  await processAll(stage, service, { first: 0, different: 1000, count: 1000 })
  const own: Receiver = {
    name: 'Belfry',
    port: service.trapPort,
    taken: () => processed(service),
    best: 0,
    open: true,
  }
  const peer = await startSnmptrapd(stage)
  console.log(`Received without loss${peer ? ', beside snmptrapd' : ''}…`)
  for (const rate of steps) {
    for (const receiver of [own, peer]) {
      if (!receiver?.open) continue
      // What disturbs the machine once is not the receiver's fault.
      receiver.open = (await follows(stage, receiver, rate)) || (await follows(stage, receiver, rate))
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
async function follows(stage: TrapStage, { port, taken }: Receiver, rate: number): Promise<boolean> {
  const before = { drops: kernelDrops(port) ?? 0, taken: await taken() }
  const count = Math.round(rate * stage.plan.seconds)
  const began = performance.now()
  const sent = await stage.processes.sendTraps({ port, first: 0, different: 1000, count, rate })
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

async function startSnmptrapd(stage: TrapStage): Promise<Receiver | undefined> {
  const program = ['/usr/sbin/snmptrapd', 'snmptrapd'].find(
    (path) => spawnSync(path, ['-v']).error === undefined,
  )
  if (!program) return undefined
  const folder = join(stage.folder, 'snmptrapd')
  mkdirSync(folder)
  const settings = join(folder, 'snmptrapd.conf')
  writeFileSync(settings, `disableAuthorization yes\n[snmp] serverRecvBuf ${bufferSize}\n`)
  const log = join(folder, 'log')
  writeFileSync(log, '')
  const port = await freePort()
  const quietly = ['-f', '-n', '-On', '-m', '', '-C', '-c', settings, '-Lf', log]
  stage.processes.run(program, [...quietly, '-p', join(folder, 'pid'), `udp:127.0.0.1:${port}`])
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

async function stored(stage: TrapStage): Promise<Line[]> {
  const { large, small } = stage.plan
  console.log(`Filling stores of ${whole(small)} and ${whole(large)} alarms…`)
  const folders = { small: join(stage.folder, 'small'), large: join(stage.folder, 'large') }
  await fillAlarms(folders.small, small)
  await fillAlarms(folders.large, large)
  const began = performance.now()
  const many = await startService(stage, 'large')
  const start = (performance.now() - began) / 1000
  const few = await startService(stage, 'small')
  const answer = await measureLong(many, `/fault/alarm?size=${long}`, 5)
  console.log('Pages while alarms flow…')
  return [
    {
      work: `start with ${whole(large)} alarms stored`,
      ratio: start,
      unit: ' s',
      goal: startTime,
    },
    {
      work: `${whole(long)} alarms in one answer`,
      here: megabytes(answer.bytes),
      ratio: answer.seconds,
      unit: ' s',
      goal: longAnswer,
    },
    ...(await pages(stage, few, many)),
  ]
}

async function pages(stage: TrapStage, few: TrapService, many: TrapService): Promise<Line[]> {
  const lines: Line[] = []
  let first = 0
  /** Answers a second while alarms flow into the same service. */
  const during = async (service: TrapService, path: string) => {
    const { milliseconds } = stage.plan
    const count = milliseconds / 2
    const flow = stage.processes.sendTraps({
      port: service.trapPort,
      first,
      different: count,
      count,
      rate: 500,
    })
    first += count
    const volley = { port: service.port, path, accept: '*/*', connections: 32, milliseconds }
    const { answers, seconds } = await stage.processes.fire(volley)
    await flow
    return answers / seconds
  }
  for (const [what, path] of [
    ['newest first', '/fault/alarm?size=10&desc=true'],
    ['open ones', '/fault/alarm?size=10&recStatus=0&desc=true'],
  ] as const) {
    const rates = { few: [] as number[], many: [] as number[] }
    for (let round = 0; round <= stage.plan.rounds; round += 1) {
      const pair = { few: await during(few, path), many: await during(many, path) }
      // The first round is to warm up.
      if (round === 0) continue
      rates.few.push(pair.few)
      rates.many.push(pair.many)
    }
    lines.push({
      work: `10 of ${whole(stage.plan.large)} alarms, ${what}`,
      here: perSecond(rates.many),
      yardstick: `${whole(stage.plan.small)} alarms: ${perSecond(rates.few)}`,
      ratio: ratioOf(rates.few, rates.many),
      goal: asTablesGrow,
    })
  }
  return lines
}

async function startService(stage: TrapStage, name: string): Promise<TrapService> {
  const data = join(stage.folder, name)
  const trapPort = await freePort()
  const settings = { traps: `127.0.0.1:${trapPort}`, 'trap-buffer': String(bufferSize), ...guardsOff }
  return { ...(await stage.processes.service(data, settings)), trapPort, data }
}

/** Sends, and waits until all of it is on disk. */
async function processAll(
  stage: TrapStage,
  service: TrapService,
  load: { first: number; different: number; count: number },
  rate = burst,
): Promise<{ rate: number; dropped: number }> {
  const before = await processed(service)
  const drops = kernelDrops(service.trapPort) ?? 0
  const began = performance.now()
  await stage.processes.sendTraps({ port: service.trapPort, ...load, rate })
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
const microseconds = (seconds: number) => `${(seconds * 1e6).toFixed(0)} µs`

export default benchmark({
  summary: 'received against snmptrapd, new and repeated alarms, a million alarms stored',
  title: 'Traps',
  meaning,
  full,
  quick,
  parts: { alarms, received, stored },
})
