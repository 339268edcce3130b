// The thread that works on a store in PostgreSQL.

import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../pacing/thread-priority.ts'
import { openPostgres } from './postgres.ts'
import { sent, type WorkPlace } from './postgres-work.ts'

lowerThreadPriority()
const { address, passwordFile } = workerData as WorkPlace
// Connected with the first query: a store that cannot be reached is reported like any other failure.
const database = openPostgres(address, { passwordFile })

parentPort?.on('message', async ({ id, question }) => {
  try {
    const { work } = await import(question.module)
    parentPort?.postMessage({ id, answer: await work(database, question.input) })
  } catch (error) {
    parentPort?.postMessage({ id, error: sent(error) })
  }
})
