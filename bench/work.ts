// How long traps wait while people work with very many alarms: acknowledged by a filter, and released at the end of a window.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { readAnswer } from '../src/snmp/send.ts'
import type { Child } from './children.ts'
import { benchmark, type Stage } from './frame.ts'
import type { Started } from './measured-service.ts'
import { plenty } from './processes.ts'
import { ask, processed } from './requests.ts'
import { at, type Goal, type Line, ms, spread, whole } from './table.ts'
import { inform } from './trap-datagram.ts'

const full = { alarms: 10_000, seconds: 10 }
const quick = { alarms: 2000, seconds: 3 }

/** Milliseconds between two informs: each is a trap that is on disk when it is answered. */
const beat = 10
const goal: Goal = { sign: '≤', first: 50, later: 50 }

const meaning = [
  `An inform every ${beat} ms; its answer comes when its alarm is on disk. Waited: from sending it to its answer, longest.`,
  'Beside: the same for as long with nothing else to do. Stretch: processor time of the main thread between two looks',
  'of a timer of 2 ms; other programs are not in it.',
]

async function work({ plan, folder, processes }: Stage<typeof full>): Promise<Line[]> {
  const service = processes.child('./measured-service.ts', folder, JSON.stringify(plenty))
  const { port, trapPort } = await service.ask<Started>('start')
  const total = async (query: string) =>
    Number((await ask(port, `/fault/alarm?${query}&total=true`)).header('total'))
  const body = '{"name": "All of it", "minutes": 600, "zone": ["1"]}'
  const made = await ask(port, '/fault/maintenance', { method: 'POST', body })
  const window = made.header('location').split('/').at(-1)
  console.log(`${whole(plan.alarms)} alarms in a window…`)
  const load = { port: trapPort, rate: 2000, sources: ['127.0.0.11', '127.0.0.12'] }
  await processes.sendTraps({ ...load, first: 0, different: plan.alarms, count: plan.alarms })
  while ((await processed({ port })) < plan.alarms * 0.99) await sleep(100)
  const beside = (done: () => Promise<unknown>) => heldUp(trapPort, service, done)
  const idle = await beside(() => sleep(plan.seconds * 1000))
  const held = await total('suppressed=true&recStatus=0')
  const released = await beside(async () => {
    await ask(port, `/fault/maintenance/end/${window}`, { method: 'PUT' })
    while ((await total('suppressed=true&recStatus=0')) > 0) await sleep(200)
  })
  const again = await beside(() => sleep(plan.seconds * 1000))
  const open = await total('recStatus=0')
  const acknowledge = '/fault/alarm/acknowledge?recStatus=0&confirm=true'
  const acknowledged = await beside(() => ask(port, acknowledge, { method: 'PUT' }))
  const line = (what: string, done: Waits, alone: Waits, count: number): Line => ({
    work: `${whole(count)} ${what}, ${(done.took / 1000).toFixed(1)} s`,
    here: `${spread(done.waits)}, stretch ${ms(done.stretches, 1)}`,
    yardstick: `${spread(alone.waits)}, longest ${ms(alone.waits, 1)}, stretch ${ms(alone.stretches, 1)}`,
    ratio: at(done.waits, 1),
    unit: ' ms',
    goal,
  })
  return [
    line('released at the end of a window', released, idle, held),
    line('acknowledged by a filter', acknowledged, again, open),
  ]
}

interface Waits {
  readonly waits: number[]
  readonly stretches: number[]
  readonly took: number
}

/** Of an interface of its own each: a new alarm. */
let informs = 100_000

/** Sends informs while something is done; returns how long each waited for its answer. */
async function heldUp(port: number, service: Child, done: () => Promise<unknown>): Promise<Waits> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const sentAt = new Map<number, number>()
  const waits: number[] = []
  socket.on('message', (bytes) => {
    const id = readAnswer(bytes, undefined)?.requestId ?? 0
    const at = sentAt.get(id)
    if (at === undefined) return
    sentAt.delete(id)
    waits.push(performance.now() - at)
  })
  await service.ask('stretches')
  const timer = setInterval(() => {
    informs += 1
    sentAt.set(informs, performance.now())
    socket.send(inform(informs), port, '127.0.0.1')
  }, beat)
  const began = performance.now()
  await done()
  const took = performance.now() - began
  clearInterval(timer)
  const stretches = await service.ask<number[]>('stretches')
  while (sentAt.size > 0 && performance.now() - began - took < 5000) await sleep(10)
  socket.close()
  return { waits, stretches, took }
}

export default benchmark({
  summary: 'how long traps wait while 10,000 alarms are acknowledged by a filter, or released by a window',
  title: 'Traps beside people who work with alarms',
  meaning,
  full,
  quick,
  parts: { work },
})
