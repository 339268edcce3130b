// Push: many clients at once, the way of one trap, memory of those who wait, those far behind, many filters.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeNotification } from '../src/snmp/send.ts'
import { type Child, type Memory, sharedNow } from './children.ts'
import { benchmark, type Stage } from './frame.ts'
import type { Raised, Started } from './measured-service.ts'
import { Nchan } from './nchan.ts'
import { guardsOff } from './processes.ts'
import type { Opening, Received } from './push-clients.ts'
import { cases, cost } from './push-filters.ts'
import { at, type Goal, type Line, median, perSecond, ratioOf, whole } from './table.ts'
import { linkDown } from './trap-datagram.ts'

const fanOutGoal: Goal = { sign: '≥', first: 1, later: 4 }
const joinedGoal: Goal = { sign: '≥', first: 0.8, later: 0.9 }
const delayGoal: Goal = { sign: '≤', first: 20, later: 10 }
const memoryGoal: Goal = { sign: '≤', first: 2, later: 1.3 }
const replayGoal: Goal = { sign: '≥', first: 0.5, later: 0.9 }
/** Gigabytes. */
const manyIdleGoal: Goal = { sign: '≤', first: 1.5, later: 1.5 }
const filterGoal: Goal = { sign: '≤', first: 2, later: 0.5 }
const crowdGoal: Goal = { sign: '≤', first: 250, later: 100 }

const full = {
  clients: 1000,
  alarms: 500,
  rounds: 7,
  subscribers: 100,
  trapsPerSecond: 1000,
  trapSeconds: 4,
  spells: 5,
  idle: 2000,
  memoryRounds: 3,
  behind: 100_000,
  replays: 5,
  registrations: 10_000,
  matched: 400,
  crowd: 250,
  crowdBehind: 20_000,
  crowdTraps: 50,
}
const quick: Plan = {
  ...full,
  rounds: 3,
  trapSeconds: 2,
  spells: 3,
  memoryRounds: 1,
  behind: 30_000,
  replays: 3,
  matched: 120,
  crowdBehind: 8000,
}
type Plan = typeof full
type PushStage = Stage<Plan>

const clientProcesses = 2
/** Makes a document of about 1.2 kB. */
const padding = 230
const events = '/events?type=11'

const meaning = [
  'Fan-out: documents per second from the commit (bare: the first write; nchan: the first byte published) until the',
  'last client has its last document; medians of alternating rounds, Result the median of the ratios of the rounds.',
  'The bare loop writes document by document to client by client; "joined" gives each client all of it in one write,',
  'which nobody can do who does not know what comes next. nginx runs one worker.',
  'Trap to subscriber: from before the datagram is sent until the document is read, for every tenth subscriber; the',
  'median of a few spells. The bare relay passes datagrams on, unread and not stored: it shows what the machine takes.',
  'Memory: resident memory after garbage collection, for each open stream; medians of fresh processes.',
  'Replay: from connecting to the last document; the bare program reads the same rows and writes them to a socket.',
  'Crowd: alarms to a client that waits, while others that were away all come back at once and catch up.',
  'Filters: one alarm against all registrations, in one process; nine of ten alarms take no longer.',
  'Servers and clients are processes of their own on one machine; "Then" is the goal after the first.',
]

/** Milliseconds. */
interface Delays {
  readonly p50: number
  readonly p99: number
}

/** Something that sends documents to clients who wait; returns when it began. */
interface Sender {
  readonly name: string
  readonly port: number
  send(mark: string): Promise<number>
}

const startService = ({ processes, folder }: PushStage): Child =>
  processes.child(
    './measured-service.ts',
    join(folder, 'data'),
    JSON.stringify({ 'connections-per-address': '100000', 'stall-seconds': '600', ...guardsOff }),
  )

// Fan-out -----------------------------------------------------------------------------------------------------

async function fanOut(stage: PushStage): Promise<Line[]> {
  const { clients, alarms, rounds } = stage.plan
  const work = `${whole(clients)} clients × ${alarms} alarms`
  const senders = await startSenders(stage)
  const crowd = Array.from({ length: clientProcesses }, () => stage.processes.child('./push-clients.ts'))
  for (const { name, port } of senders) {
    await askAll(crowd, 'open', { group: name, port, path: events, count: clients / clientProcesses })
  }
  const rates = new Map<string, number[]>(senders.map(({ name }) => [name, []]))
  // The first two rounds are not counted: the compiler learns in them.
  for (let round = -2; round < rounds; round += 1) {
    for (const sender of senders) {
      const seconds = (await deliver(stage, sender, crowd, `last-of-${round}.`)) / 1000
      if (round >= 0) rates.get(sender.name)?.push((clients * alarms) / seconds)
    }
  }
  const here = rates.get('here') ?? []
  const lines: Line[] = []
  for (const [name, theirs] of rates) {
    if (name === 'here') continue
    const ratio = ratioOf(here, theirs)
    const line = { work, here: perSecond(here), yardstick: `${name}: ${perSecond(theirs)}`, ratio }
    lines.push({ ...line, goal: name.endsWith('joined') ? joinedGoal : fanOutGoal })
  }
  if (!rates.has('nginx + nchan')) {
    lines.push({ work, here: perSecond(here), yardstick: 'nginx + nchan: not installed' })
  }
  return lines
}

async function startSenders(stage: PushStage): Promise<Sender[]> {
  const { alarms } = stage.plan
  const service = startService(stage)
  const { port } = await service.ask<Started>('start')
  const raise = (mark: string) => service.ask<Raised>('raise', { count: alarms, padding, mark })
  // All send documents as long as ours.
  const { bytes } = await raise('none')
  console.log(`  documents of ${bytes} bytes`)
  const bare = stage.processes.child('./push-peer.ts')
  const joined = stage.processes.child('./push-peer.ts')
  const send = { count: alarms, bytes }
  const senders: Sender[] = [
    { name: 'here', port, send: async (mark) => (await raise(mark)).at },
    {
      name: 'bare node:http',
      port: await bare.ask<number>('start'),
      send: (mark) => bare.ask('send', { ...send, mark, joined: false }),
    },
    {
      name: 'bare, joined',
      port: await joined.ask<number>('start'),
      send: (mark) => joined.ask('send', { ...send, mark, joined: true }),
    },
  ]
  const nchan = await Nchan.start(join(stage.folder, 'nginx'))
  if (nchan) {
    stage.processes.keep(nchan)
    const documents = (mark: string) =>
      Array.from({ length: alarms }, (_, index) =>
        (index === alarms - 1 ? mark : '').padStart(bytes - 2, '.').concat('\n\n'),
      )
    senders.push({
      name: 'nginx + nchan',
      port: nchan.port,
      send: async (mark) => nchan.publish(documents(mark)),
    })
  }
  return senders
}

/** Milliseconds until every client has everything. */
async function deliver(
  stage: PushStage,
  { name, send }: Sender,
  crowd: readonly Child[],
  mark: string,
): Promise<number> {
  await askAll(crowd, 'expect', { group: name, mark })
  const began = await send(mark)
  const ends = await within(60, askAll<Received>(crowd, 'received', { group: name }), `${name}: ${mark}`)
  const least = Math.min(...ends.map(({ bytes }) => bytes))
  if (least < stage.plan.alarms * 1000) throw new Error(`${name}: a client received only ${least} bytes`)
  return Math.max(...ends.map(({ at }) => at)) - began
}

// Trap to subscriber ------------------------------------------------------------------------------------------

async function delay(stage: PushStage): Promise<Line[]> {
  const { subscribers, trapsPerSecond, spells } = stage.plan
  const clients = stage.processes.child('./push-clients.ts')
  const service = startService(stage)
  const { port, trapPort } = await service.ask<Started>('start')
  const bare = stage.processes.child('./push-peer.ts')
  const targets = [
    { group: 'here', port, traps: trapPort },
    {
      group: 'bare',
      port: await bare.ask<number>('start'),
      traps: await bare.ask<number>('relay', { bytes: 1200 }),
    },
  ]
  for (const target of targets) {
    const opening: Opening = { ...target, path: events, count: subscribers, sampleEvery: 10 }
    await clients.ask('open', opening)
  }
  const found = new Map<string, Delays[]>(targets.map(({ group }) => [group, []]))
  // The first spell is not counted.
  for (let spell = 0; spell <= spells; spell += 1) {
    for (const { group, traps } of targets) {
      const delays = await measureSpell(stage, clients, group, traps, spell)
      if (spell > 0) found.get(group)?.push(delays)
    }
  }
  const of = (group: string, which: keyof Delays) =>
    median((found.get(group) ?? []).map((delays) => delays[which]))
  const work = `trap to subscriber, ${whole(trapsPerSecond)} traps/s, ${subscribers} clients`
  const line = (which: keyof Delays, goal?: Goal): Line => {
    const common = {
      work: `${work}, ${which}`,
      here: `best spell ${Math.min(...(found.get('here') ?? []).map((delays) => delays[which])).toFixed(1)} ms`,
      yardstick: `bare relay: ${of('bare', which).toFixed(1)} ms`,
      ratio: of('here', which),
      unit: ' ms',
    }
    return goal ? { ...common, goal } : common
  }
  return [line('p50'), line('p99', delayGoal)]
}

async function measureSpell(
  stage: PushStage,
  clients: Child,
  group: string,
  port: number,
  spell: number,
): Promise<Delays> {
  const { trapsPerSecond, trapSeconds } = stage.plan
  const mark = `last-of-${spell}.`
  await clients.ask('expect', { group, mark })
  await sendTraps(port, {
    first: 1 + spell * trapsPerSecond * trapSeconds,
    perSecond: trapsPerSecond,
    seconds: trapSeconds,
    mark,
  })
  await within(60, clients.ask('received', { group }), `the last trap, ${group},`)
  const delays = await clients.ask<number[]>('delays')
  return { p50: at(delays, 0.5), p99: at(delays, 0.99) }
}

// Memory ------------------------------------------------------------------------------------------------------

async function memory(stage: PushStage): Promise<Line[]> {
  const { idle, memoryRounds } = stage.plan
  const here: Memory[] = []
  const bare: Memory[] = []
  for (let round = 0; round < memoryRounds; round += 1) {
    await stage.nested(async (inner) => {
      const service = startService(inner)
      here.push(await perStream(inner, service, (await service.ask<Started>('start')).port))
      const peer = inner.processes.child('./push-peer.ts')
      bare.push(await perStream(inner, peer, await peer.ask<number>('start')))
    })
  }
  const line = (what: string, of: keyof Memory, goal?: Goal): Line => {
    const [own, theirs] = [here, bare].map((rounds) => median(rounds.map((round) => round[of])))
    const common = {
      work: `memory of an idle client, ${whole(idle)} of them, ${what}`,
      here: kilobytes(own ?? 0),
      yardstick: `bare node:http: ${kilobytes(theirs ?? 0)}`,
      ratio: (own ?? 0) / (theirs ?? 0),
    }
    return goal ? { ...common, goal } : common
  }
  const many = {
    work: '50,000 idle clients, by the memory of one',
    ratio: (median(here.map(({ resident }) => resident)) * 50_000) / 1e9,
    unit: ' GB',
    goal: manyIdleGoal,
  }
  return [line('resident', 'resident', memoryGoal), line('objects and buffers', 'heap'), many]
}

async function perStream(stage: PushStage, server: Child, port: number): Promise<Memory> {
  const { idle } = stage.plan
  const clients = stage.processes.child('./push-clients.ts')
  // What is needed once, whoever comes, is not the client's.
  await clients.ask('open', { group: 'first', port, path: events, count: 200 })
  await clients.ask('close', { group: 'first' })
  await sleep(300)
  const before = await server.ask<Memory>('memory')
  await clients.ask('open', { group: 'idle', port, path: events, count: idle })
  const after = await server.ask<Memory>('memory')
  await clients.end()
  return {
    resident: (after.resident - before.resident) / idle,
    heap: (after.heap - before.heap) / idle,
  }
}

// Replay ------------------------------------------------------------------------------------------------------

async function replay(stage: PushStage): Promise<Line[]> {
  const { behind, replays } = stage.plan
  const service = startService(stage)
  const { port } = await service.ask<Started>('start')
  const mark = 'last-of-all'
  await service.ask<Raised>('raise', { count: behind, padding, mark })
  const since = await service.ask<string>('beginning')
  const peer = stage.processes.child('./push-peer.ts')
  const rows = await peer.ask<number>('serveRows', { file: join(stage.folder, 'data', 'belfry.db') })
  const client = stage.processes.child('./push-clients.ts')
  const read = async (server: Child, from: number, path: string): Promise<Replay> => {
    const before = await server.ask<number>('processorTime')
    const asked = client.ask<{ milliseconds: number; bytes: number }>('read', { port: from, path, mark })
    const { milliseconds, bytes } = await within(120, asked, 'a replay')
    if (bytes < behind * 1000) throw new Error(`a replay had only ${bytes} bytes`)
    const used = (await server.ask<number>('processorTime')) - before
    return { rate: (behind / milliseconds) * 1000, work: (behind / used) * 1000 }
  }
  const here: Replay[] = []
  const bare: Replay[] = []
  for (let round = -1; round < replays; round += 1) {
    const own = await read(service, port, `${events}&since=${since}`)
    const theirs = await read(peer, rows, '/')
    if (round < 0) continue
    here.push(own)
    bare.push(theirs)
  }
  const work = `replay to a client ${whole(behind)} alarms behind`
  const line = (what: string, which: keyof Replay): Line => {
    const [own, theirs] = [here.map((one) => one[which]), bare.map((one) => one[which])]
    return {
      work: work + what,
      here: perSecond(own),
      yardstick: `SQLite to socket: ${perSecond(theirs)}`,
      ratio: ratioOf(own, theirs),
    }
  }
  return [{ ...line('', 'rate'), goal: replayGoal }, line(', by processor time', 'work')]
}

// Crowd -------------------------------------------------------------------------------------------------------

async function crowd(stage: PushStage): Promise<Line[]> {
  const { crowd, crowdBehind, crowdTraps } = stage.plan
  const service = startService(stage)
  const { port, trapPort } = await service.ask<Started>('start')
  const others = stage.processes.child('./push-clients.ts')
  const opening = { group: 'crowd', port, path: `${events}&uuid=crowd-{n}`, count: crowd }
  await others.ask('open', opening)
  await others.ask('close', opening)
  await service.ask<Raised>('raise', { count: crowdBehind, padding, mark: 'before' })
  const live = stage.processes.child('./push-clients.ts')
  await live.ask('open', { group: 'live', port, path: events, count: 1, sampleEvery: 1 })
  const worst = async (first: number) => {
    const mark = `last-of-${first}.`
    await live.ask('expect', { group: 'live', mark })
    await sendTraps(trapPort, { first, perSecond: crowdTraps, seconds: 6, mark })
    await within(120, live.ask('received', { group: 'live' }), 'the last trap')
    return (await live.ask<number[]>('delays')).at(-1) ?? Number.NaN
  }
  const alone = await worst(1)
  const came = others.ask('open', opening)
  const among = await worst(1_000_000)
  await came
  return [
    {
      work: `longest delay, while ${crowd} clients ${whole(crowdBehind)} alarms behind catch up`,
      yardstick: `alone: ${alone.toFixed(1)} ms`,
      ratio: among,
      unit: ' ms',
      goal: crowdGoal,
    },
  ]
}
/** Alarms per second: of time, and of the server's processor time. */
interface Replay {
  readonly rate: number
  readonly work: number
}

async function filters({ plan: { registrations, matched } }: PushStage): Promise<Line[]> {
  return cases.map((one) => ({
    work: `${whole(registrations)} filters × 1 alarm, ${one.name}`,
    ratio: cost(one, registrations, matched),
    unit: ' ms',
    goal: filterGoal,
  }))
}

interface Traps {
  readonly first: number
  readonly perSecond: number
  readonly seconds: number
  /** In the last one. */
  readonly mark: string
}

/** Traps that each raise an alarm and contain when they were sent, evenly over time. */
async function sendTraps(port: number, { first, perSecond, seconds, mark }: Traps): Promise<void> {
  const socket = createSocket('udp4')
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const count = perSecond * seconds
  const began = sharedNow()
  for (let sent = 0; sent < count; ) {
    const due = Math.min(count, Math.ceil(((sharedNow() - began) / 1000) * perSecond))
    for (; sent < due; sent += 1) socket.send(trap(first + sent, sent === count - 1 ? mark : ''))
    await sleep(1)
  }
  // What is under way leaves before the socket does.
  await sleep(100)
  socket.close()
}

function trap(ifIndex: number, mark: string): Buffer {
  const index = String(ifIndex)
  return encodeNotification({
    version: '2c',
    community: 'public',
    oid: linkDown,
    uptime: 1,
    requestId: ifIndex,
    variables: [
      { oid: `1.3.6.1.2.1.2.2.1.1.${index}`, type: 'Integer32', value: index, hex: false },
      // The device that it is about, as a proxy reports it: one machine sends for a network of them.
      { oid: '1.3.6.1.6.3.18.1.3.0', type: 'IpAddress', value: `10.1.0.${ifIndex % 250}`, hex: false },
      {
        oid: '1.3.6.1.4.1.8072.9999.1.0',
        type: 'OctetString',
        value: `sent=${sharedNow().toFixed(3)}~${'.'.repeat(padding)}${mark}`,
        hex: false,
      },
    ],
  })
}

const askAll = <T = void>(children: readonly Child[], name: string, details: unknown): Promise<T[]> =>
  Promise.all(children.map((child) => child.ask<T>(name, details)))

async function within<T>(seconds: number, work: Promise<T>, what: string): Promise<T> {
  const over = new AbortController()
  const late = sleep(seconds * 1000, undefined, { signal: over.signal }).then(() => {
    throw new Error(`${what} did not come within ${seconds} seconds`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
    late.catch(() => undefined)
  }
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

export default benchmark({
  summary: 'fan-out against bare Node and nchan, delay, memory, replay, filters',
  title: 'Push',
  meaning,
  full,
  quick,
  parts: { fanOut, delay, memory, replay, crowd, filters },
})
