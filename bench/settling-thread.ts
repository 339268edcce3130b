// A trial: settling in a thread of its own, with a writing connection of its own. It notifies the main thread when the log
// has grown, and nothing else.

import { parentPort, workerData } from 'node:worker_threads'
import { Bell } from '../src/alarms/log/log-signal.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import { datagramsFor, newEngine, type Spell, settle } from './settling-blocks.ts'

export type Order = { readonly kind: 'prepare' | 'settle'; readonly spell: Spell } | { readonly kind: 'end' }

const database = openSqlite(workerData)
const bell = new Bell(() => parentPort?.postMessage('grown'))
const engine = newEngine(database, bell)

let datagrams: Buffer[] = []

async function obey(order: Order): Promise<unknown> {
  if (order.kind === 'settle') return settle(engine, order.spell, datagrams, false)
  if (order.kind === 'prepare') datagrams = datagramsFor(order.spell)
  else await database.close()
  return { done: order.kind }
}

parentPort?.on('message', async (order: Order) => {
  parentPort?.postMessage(await obey(order))
  if (order.kind === 'end') parentPort?.close()
})
