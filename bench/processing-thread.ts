// A trial: processing in a thread of its own, with a writing connection of its own. It notifies the main thread when the log
// has grown, and nothing else.

import { parentPort, workerData } from 'node:worker_threads'
import { LogSignal } from '../src/alarms/log/log-signal.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import { datagramsFor, newEngine, processBlocks, type Spell } from './processing-blocks.ts'

export type Order = { readonly kind: 'prepare' | 'process'; readonly spell: Spell } | { readonly kind: 'end' }

const database = openSqlite(workerData)
const logSignal = new LogSignal(() => parentPort?.postMessage('grown'))
const engine = newEngine(database, logSignal)

let datagrams: Buffer[] = []

async function obey(order: Order): Promise<unknown> {
  if (order.kind === 'process') return processBlocks(engine, order.spell, datagrams, false)
  if (order.kind === 'prepare') datagrams = datagramsFor(order.spell)
  else await database.close()
  return { done: order.kind }
}

parentPort?.on('message', async (order: Order) => {
  parentPort?.postMessage(await obey(order))
  if (order.kind === 'end') parentPort?.close()
})
