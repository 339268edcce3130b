// The far side of the reader thread: answers one query after the other.

import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './sqlite.ts'

// Opened with the first query: a store that cannot be opened is told like any other failure.
let connection: Connection | undefined

parentPort?.on('message', ({ id, sql, parameters, copyTo, now, workOff }) => {
  try {
    let rows: unknown[] = []
    if (workOff) workOffJournal()
    else {
      connection ??= new Connection(workerData, 'read')
      if (copyTo === undefined) rows = connection.all(sql, parameters)
      else connection.copyTo(copyTo, now)
    }
    parentPort?.postMessage({ id, rows })
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    parentPort?.postMessage({ id, error: { message, errcode } })
  }
})

function workOffJournal(): void {
  const writer = new Connection(workerData, 'write')
  try {
    writer.workOffJournal()
  } finally {
    writer.close()
  }
}
