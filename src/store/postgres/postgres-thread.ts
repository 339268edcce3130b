// Entry point of the thread for long work on a store in PostgreSQL.

import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../pacing/thread-priority.ts'
import { Postgres } from './postgres.ts'
import { type StoreAccess, serializeError } from './postgres-work.ts'

lowerThreadPriority()
const { address, passwordFile } = workerData as StoreAccess
// Connects with the first query, so that an unreachable store is reported like any other failure.
const database = new Postgres(address, { passwordFile })

parentPort?.on('message', async ({ id, question }) => {
  try {
    const { work } = await import(question.module)
    parentPort?.postMessage({ id, answer: await work(database, question.input) })
  } catch (error) {
    parentPort?.postMessage({ id, error: serializeError(error) })
  }
})
