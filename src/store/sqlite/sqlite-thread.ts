// Entry point of the reader thread of SQLite, which answers one request after the other.

import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../pacing/thread-priority.ts'
import type { Reader } from '../database.ts'
import { type CheckpointResult, Connection } from './sqlite-connection.ts'
import type { ThreadRequest } from './sqlite-reader.ts'

// Opened with the first query, so that a store that cannot be opened is reported like any other failure.
let connection: Connection | undefined

const reader: Reader = { all: async (sql, parameters) => reading().all(sql, parameters) }

function reading(): Connection {
  if (connection) return connection
  // The thread for checkpoints never gets here: commits may have to wait for it, so it keeps its priority.
  lowerThreadPriority()
  connection = new Connection(workerData, 'read')
  return connection
}

async function answerTo(question: ThreadRequest): Promise<unknown> {
  if ('sql' in question) return reading().find(question.sql, question.parameters, question.enough)
  if ('copyTo' in question) return reading().copyTo(question.copyTo, question.now)
  if ('checkpoint' in question) return checkpoint()
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

let writer: Connection | undefined

function checkpoint(): CheckpointResult {
  writer ??= new Connection(workerData, 'write')
  return writer.checkpoint()
}
