// Lists: ten rows against other servers, the same query on small and large tables, very long answers.

import { get } from 'node:http'
import { join } from 'node:path'
import { haveFastify } from './fastify.ts'
import { benchmark, type Stage } from './frame.ts'
import { atRest, processorSeconds, residentBytes, type Served } from './processes.ts'
import { ask } from './requests.ts'
import { fillStore } from './rows.ts'
import { type Goal, type Line, median, megabytes, perSecond, ratioOf, whole } from './table.ts'

const ips = '/res/access/assignedIpScope/ip?ipScopeId=1'
/** A parameter without a meaning: an answer that is remembered by its address must be computed anew. */
const asNew = '&again={n}'
const bindings = '/res/access/macAccessBind'

const againstPeers: Goal = { sign: '≥', first: 0.5, later: 0.9 }
const neverAsked: Goal = { sign: '≥', first: 0.4, later: 0.6 }
const asTablesGrow: Goal = { sign: '≤', first: 1.5, later: 1.1 }
const longAnswer: Goal = { sign: '≤', first: 1, later: 0.3 }
const flatMemory: Goal = { sign: '≤', first: 1.1, later: 1.05 }

const full = {
  warmUp: 4000,
  rounds: 7,
  milliseconds: 500,
  small: 1000,
  middle: 100_000,
  large: 1_000_000,
  long: 28_622,
}
const quick = { ...full, rounds: 3, milliseconds: 400, large: 200_000 }
type Plan = typeof full

const meaning = [
  'Here and Yardstick: answers per second over 32 keep-alive connections, medians of alternating rounds.',
  'Result: the median of the ratios of the rounds. By CPU: the same by processor time per answer, which other work',
  'on the machine disturbs less; it is what is compared with the goal where it is known. Reached: "then" is the goal after the first.',
  'Lines with two sizes of table: how many times as long an answer takes in the large one.',
  'Long answers: seconds from request to last byte, and how much memory the service took in addition. Caches fill',
  'once and stay; memory is flat when the same answer takes no more the next time.',
  'The service, its peers and the load generator are processes of their own on one machine.',
]

type ListStage = Stage<Plan>

async function lists(stage: ListStage): Promise<Line[]> {
  const { plan, folder } = stage
  const stores = {
    small: join(folder, 'small'),
    middle: join(folder, 'middle'),
    large: join(folder, 'large'),
  }
  console.log(`Filling tables of ${[plan.small, plan.middle, plan.large].map(whole).join(', ')} rows…`)
  await fillStore(stores.small, { ips: plan.small, bindings: 0 })
  await fillStore(stores.middle, { ips: plan.middle, bindings: plan.middle })
  await fillStore(stores.large, { ips: plan.large, bindings: 0 })
  console.log('Measuring…')
  const lines: Line[] = []
  for (const part of [againstOthers, asTheyGrow, longAnswers]) {
    lines.push(...(await stage.nested((inner) => part(inner, stores))))
  }
  return lines
}

type Stores = Readonly<Record<'small' | 'middle' | 'large', string>>

interface Target extends Served {
  readonly path: string
}

async function againstOthers(stage: ListStage, stores: Stores): Promise<Line[]> {
  const service = await stage.processes.service(stores.middle)
  const documents = {
    '/ips': JSON.parse((await ask(service.port, ips)).text),
    '/bindings': JSON.parse((await ask(service.port, bindings)).text),
  }
  const fastify = haveFastify() ? await stage.processes.peer('fastify', documents) : undefined
  const bare = await stage.processes.peer('bare', documents)
  await atRest(service)
  const lines: Line[] = []
  for (const [what, path, own, goal] of [
    ['assigned IPs', '/ips', ips, againstPeers],
    ['bindings', '/bindings', bindings, againstPeers],
    ['assigned IPs, never asked before', '/ips', ips + asNew, neverAsked],
  ] as const) {
    const work = `10 of ${whole(stage.plan.middle)} ${what}, XML`
    const [here = [], node = [], framework = []] = await alternate(stage, [
      { ...service, path: own },
      { ...bare, path },
      ...(fastify ? [{ ...fastify, path }] : []),
    ])
    lines.push(
      fastify
        ? compare(work, here, framework, 'Fastify, JSON', goal)
        : { work, here: rateOf(here), yardstick: 'Fastify: not installed' },
      // Without Fastify the bare server is the yardstick; with it, it shows how much Fastify itself costs.
      compare(work, here, node, 'bare node:http, JSON', fastify ? undefined : goal),
    )
  }
  return lines
}

async function asTheyGrow(stage: ListStage, stores: Stores): Promise<Line[]> {
  const small = await stage.processes.service(stores.small)
  const large = await stage.processes.service(stores.large)
  await Promise.all([small, large].map(atRest))
  const lines: Line[] = []
  for (const [what, same] of [
    ['default order', ips],
    ['filter by name', `${ips}&name=rack-000007`],
    ['filter by name, pattern', `${ips}&name=rack-00007*`],
  ] as const) {
    const path = same + asNew
    const [few = [], many = []] = await alternate(stage, [
      { ...small, path },
      { ...large, path },
    ])
    lines.push({
      work: `${what}, ${whole(stage.plan.large)} rows`,
      here: rateOf(many),
      yardstick: `${whole(stage.plan.small)} rows: ${rateOf(few)}`,
      ...faster(few, many),
      goal: asTablesGrow,
    })
  }
  return lines
}

async function longAnswers(stage: ListStage, stores: Stores): Promise<Line[]> {
  const { long, large } = stage.plan
  const service = await stage.processes.service(stores.large)
  // What every service needs once it works is not the answer's: V8 gives new objects more room step by step, and sixty
  // answers take all of the steps.
  await fire(stage, { ...service, path: ips }, 500)
  await measureLong(service, `${ips}&size=${long}`, 60)
  const idle = residentBytes(service.pid)
  const shorter = await measureLong(service, `${ips}&size=${long}`, 5)
  const longest = await measureLong(service, `${ips}&size=${large}`, 1)
  const again = await measureLong(service, `${ips}&size=${large}`, 1)
  const grown = (peak: number | undefined) =>
    peak === undefined || idle === undefined ? 'memory not known' : `+ ${megabytes(peak - idle)}`
  const line = (rows: number, { bytes, peak, seconds }: LongAnswer) => ({
    work: `${whole(rows)} rows in one answer`,
    here: `${megabytes(bytes)}, ${grown(peak)}`,
    ratio: seconds,
    unit: ' s',
  })
  const lines: Line[] = [{ ...line(long, shorter), goal: longAnswer }, line(large, longest)]
  if (longest.peak && again.peak) {
    lines.push({
      work: `memory, ${whole(large)} rows again`,
      here: megabytes(again.peak),
      yardstick: `the first time: ${megabytes(longest.peak)}`,
      ratio: again.peak / longest.peak,
      goal: flatMemory,
    })
  }
  return lines
}

/** Each target's rounds, in turn: what disturbs the machine disturbs all of them. */
async function alternate(stage: ListStage, targets: readonly Target[]): Promise<Round[][]> {
  for (const target of targets) await fire(stage, target, stage.plan.warmUp)
  const rounds = targets.map((): Round[] => [])
  for (let round = 0; round < stage.plan.rounds; round += 1) {
    for (const [index, target] of targets.entries()) {
      rounds[index]?.push(await fire(stage, target, stage.plan.milliseconds))
    }
  }
  return rounds
}

async function fire(
  { processes }: ListStage,
  { port, pid, path }: Target,
  milliseconds: number,
): Promise<Round> {
  const before = processorSeconds(pid)
  const volley = { port, path, accept: '*/*', connections: 32, milliseconds }
  const { answers, seconds } = await processes.fire(volley)
  return { rate: answers / seconds, cost: ((processorSeconds(pid) - before) * 1e6) / answers }
}
interface Round {
  /** Answers per second. */
  readonly rate: number
  /** Processor time per answer, in microseconds. */
  readonly cost: number
}

const rateOf = (rounds: readonly Round[]) => perSecond(rounds.map(({ rate }) => rate))

/** How many times as fast the first is, by answers per second and by processor time. */
function faster(first: readonly Round[], second: readonly Round[]): { ratio: number; byProcessor: number } {
  const of = (rounds: readonly Round[], what: keyof Round) => rounds.map((round) => round[what])
  return {
    ratio: ratioOf(of(first, 'rate'), of(second, 'rate')),
    byProcessor: ratioOf(of(second, 'cost'), of(first, 'cost')),
  }
}

function compare(work: string, here: Round[], peer: Round[], name: string, goal: Goal | undefined): Line {
  const line = {
    work,
    here: rateOf(here),
    yardstick: `${name}: ${rateOf(peer)}`,
    ...faster(here, peer),
  }
  return goal ? { ...line, goal } : line
}

interface LongAnswer {
  /** Median. */
  readonly seconds: number
  readonly bytes: number
  /** The most memory that the service was seen to hold. */
  readonly peak: number | undefined
}

export async function measureLong({ port, pid }: Served, path: string, times: number): Promise<LongAnswer> {
  const seconds: number[] = []
  let peak = residentBytes(pid)
  let bytes = 0
  const watch = setInterval(() => {
    peak = Math.max(peak ?? 0, residentBytes(pid) ?? 0) || undefined
  }, 5)
  for (let time = 0; time < times; time += 1) {
    const began = performance.now()
    bytes = await drain(port, path)
    seconds.push((performance.now() - began) / 1000)
  }
  clearInterval(watch)
  return { seconds: median(seconds), bytes, peak }
}

/** Reads an answer as fast as it comes and keeps nothing of it. */
function drain(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let bytes = 0
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
      })
      response.on('error', reject)
      response.on('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`got ${response.statusCode}`)),
      )
    }).on('error', reject)
  })
}

export default benchmark({
  summary: 'against Fastify and bare Node, as tables grow, and very long ones',
  title: 'Lists',
  meaning,
  full,
  quick,
  parts: { lists },
})
