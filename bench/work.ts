// How long traps wait while people work with very many alarms: acknowledged by a filter, and released at the end of a window.

import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeNotification, readAnswer } from '../src/snmp/send.ts'
import { Child } from './children.ts'
import type { BenchOptions } from './options.ts'
import { Processes } from './processes.ts'
import { type Goal, type Line, printTable, whole } from './table.ts'
import { plenty, processed } from './traps.ts'

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

interface Started {
  readonly port: number
  readonly trapPort: number
  readonly pid: number
}

export async function benchWork(options: BenchOptions): Promise<void> {
  const plan = options.quick ? quick : full
  const folder = mkdtempSync(join(tmpdir(), 'belfry-bench-'))
  const processes = new Processes(undefined)
  const service = new Child('./beside-service.ts', {
    profile: options.profile,
    arguments: [folder, JSON.stringify(plenty)],
  })
  try {
    const { port, trapPort, pid } = await service.ask<Started>('start')
    const url = `http://127.0.0.1:${port}`
    const send = (method: string, path: string, body?: object) =>
      fetch(url + path, {
        method,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const total = async (query: string) =>
      Number((await send('GET', `/fault/alarm?${query}&total=true`)).headers.get('total'))
    const made = await send('POST', '/fault/maintenance', { name: 'All of it', minutes: 600, zone: ['1'] })
    const window = String(made.headers.get('location')).split('/').at(-1)
    console.log(`${whole(plan.alarms)} alarms in a window…`)
    const load = { port: trapPort, rate: 2000, sources: ['127.0.0.11', '127.0.0.12'] }
    await processes.sendTraps({ ...load, first: 0, different: plan.alarms, count: plan.alarms })
    while ((await processed({ port, pid })) < plan.alarms * 0.99) await sleep(100)
    const beside = (work: () => Promise<unknown>) => heldUp(trapPort, service, work)
    const idle = await beside(() => sleep(plan.seconds * 1000))
    const held = await total('suppressed=true&recStatus=0')
    const released = await beside(async () => {
      await send('PUT', `/fault/maintenance/end/${window}`)
      while ((await total('suppressed=true&recStatus=0')) > 0) await sleep(200)
    })
    const again = await beside(() => sleep(plan.seconds * 1000))
    const open = await total('recStatus=0')
    const acknowledged = await beside(() => send('PUT', '/fault/alarm/acknowledge?recStatus=0&confirm=true'))
    const line = (work: string, done: Waits, alone: Waits, count: number): Line => ({
      work: `${whole(count)} ${work}, ${(done.took / 1000).toFixed(1)} s`,
      here: `p50 ${ms(done.waits, 0.5)}, p99 ${ms(done.waits, 0.99)}, stretch ${ms(done.stretches, 1)}`,
      yardstick: `p50 ${ms(alone.waits, 0.5)}, p99 ${ms(alone.waits, 0.99)}, longest ${ms(alone.waits, 1)}, stretch ${ms(alone.stretches, 1)}`,
      ratio: at(done.waits, 1),
      unit: ' ms',
      goal,
    })
    const lines = [
      line('released at the end of a window', released, idle, held),
      line('acknowledged by a filter', acknowledged, again, open),
    ]
    printTable('Traps beside people who work with alarms', lines, meaning)
  } finally {
    await service.end()
    await processes.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Waits {
  readonly waits: number[]
  readonly stretches: number[]
  readonly took: number
}

let informs = 0

/** Sends informs while something is done; returns how long each waited for its answer. */
async function heldUp(port: number, service: Child, work: () => Promise<unknown>): Promise<Waits> {
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
  const timer = setInterval(() => inform(socket, port, sentAt), beat)
  const began = performance.now()
  await work()
  const took = performance.now() - began
  clearInterval(timer)
  const stretches = await service.ask<number[]>('stretches')
  while (sentAt.size > 0 && performance.now() - began - took < 5000) await sleep(10)
  socket.close()
  return { waits: waits.sort((a, b) => a - b), stretches: stretches.sort((a, b) => a - b), took }
}

/** Of an interface of its own: a new alarm each. */
function inform(socket: Socket, port: number, sentAt: Map<number, number>): void {
  informs += 1
  const value = String(100_000 + informs)
  const variables = [{ oid: `1.3.6.1.2.1.2.2.1.1.${value}`, type: 'Integer32', value, hex: false } as const]
  const oid = '1.3.6.1.6.3.1.1.5.3'
  const common = { version: '2c', community: 'public', uptime: 1 } as const
  sentAt.set(informs, performance.now())
  socket.send(
    encodeNotification({ ...common, oid, variables, inform: true, requestId: informs }),
    port,
    '127.0.0.1',
  )
}

/** At a part of the values, which are in order. */
const at = (values: readonly number[], part: number) =>
  values[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
const ms = (values: readonly number[], part: number) => `${at(values, part).toFixed(1)} ms`
