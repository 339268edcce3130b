// The far side of the reader thread: answers one query after the other.

import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './sqlite.ts'

// Opened with the first query: a store that cannot be opened is told like any other failure.
let connection: Connection | undefined

parentPort?.on('message', ({ id, sql, parameters, file, now }) => {
  try {
    connection ??= new Connection(workerData, 'read')
    if (file !== undefined) connection.copyTo(file, now)
    parentPort?.postMessage({ id, rows: file === undefined ? connection.all(sql, parameters) : [] })
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    parentPort?.postMessage({ id, error: { message, errcode } })
  }
})
