// The far side of the reader thread: answers one question after the other.

import { parentPort, workerData } from 'node:worker_threads'
import type { Reader } from './database.ts'
import { Connection, type Question } from './sqlite.ts'

// Opened with the first query: a store that cannot be opened is told like any other failure.
let connection: Connection | undefined

const reader: Reader = {
  async all(sql, parameters) {
    connection ??= new Connection(workerData, 'read')
    return connection.all(sql, parameters)
  },
}

async function answerTo(question: Question): Promise<unknown> {
  if ('sql' in question) return reader.all(question.sql, question.parameters)
  const { work } = await import(question.module)
  return work(reader, question.input)
}

parentPort?.on('message', async ({ id, question }) => {
  try {
    parentPort?.postMessage({ id, answer: await answerTo(question) })
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    parentPort?.postMessage({ id, error: { message, errcode } })
  }
})
