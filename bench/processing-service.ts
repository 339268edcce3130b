// The service, with traps processed in its main thread or, as a trial, in a thread of its own.

import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { LogSignal } from '../src/alarms/log/log-signal.ts'
import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import { answer } from './children.ts'
import { datagramsFor, newEngine, type Processed, processBlocks, type Spell } from './processing-blocks.ts'
import type { Order } from './processing-thread.ts'
import { watchStretches } from './stretches.ts'

const [data = '', where = 'main'] = process.argv.slice(2)
const file = join(data, 'belfry.db')
let grown: () => void = () => undefined
const app = await startApp(readConfig({ data, listen: '127.0.0.1:0', traps: '127.0.0.1:0' }, {}), {
  // Where another thread writes the log, the streams are woken as by another service on the same store.
  open: async () =>
    Object.assign(openSqlite(file), {
      listen: ({ heard }: { heard(): void }) => {
        grown = heard
      },
    }),
})
const inMain = newEngine(app.database, new LogSignal(() => grown()))
const worker =
  where === 'thread'
    ? new Worker(new URL('./processing-thread.ts', import.meta.url), { workerData: file })
    : undefined
worker?.on('message', (message) => {
  if (message === 'grown') grown()
})
const takeStretches = watchStretches()

let datagrams: Buffer[] = []

async function prepare(spell: Spell): Promise<void> {
  if (worker) await order(worker, { kind: 'prepare', spell })
  else datagrams = datagramsFor(spell)
}

async function run(spell: Spell): Promise<Processed & { main: number }> {
  const before = process.threadCpuUsage()
  const processed = worker
    ? await order<Processed>(worker, { kind: 'process', spell })
    : await processBlocks(inMain, spell, datagrams, true)
  const { user, system } = process.threadCpuUsage(before)
  return { ...processed, main: user + system }
}

async function order<T>(thread: Worker, order: Order): Promise<T> {
  thread.postMessage(order)
  for (;;) {
    const [message] = await once(thread, 'message')
    if (typeof message === 'object') return message
  }
}

answer(
  {
    start: () => ({ port: Number(new URL(app.url).port), pid: process.pid }),
    prepare,
    run,
    stretches: takeStretches,
    head: async () => Number((await app.database.all('select max(number) as n from alarm_log'))[0]?.n ?? 0n),
  },
  async () => {
    if (worker) await order(worker, { kind: 'end' })
    await app.stop()
  },
)
