// The reader thread: answers one request after the other.

import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../pacing/thread-priority.ts'
import type { Reader } from '../database.ts'
import { Connection, type WorkedOff } from './sqlite-connection.ts'
import type { Question } from './sqlite-reader.ts'

// Opened with the first query: a store that cannot be opened is reported like any other failure.
let connection: Connection | undefined

const reader: Reader = { all: async (sql, parameters) => reading().all(sql, parameters) }

function reading(): Connection {
  if (connection) return connection
  // The thread that works off the journal reads nothing: commits may have to wait for it, and so it comes first.
  lowerThreadPriority()
  connection = new Connection(workerData, 'read')
  return connection
}

async function answerTo(question: Question): Promise<unknown> {
  if ('sql' in question) return reading().find(question.sql, question.parameters, question.enough)
  if ('copyTo' in question) return reading().copyTo(question.copyTo, question.now)
  if ('workOff' in question) return workOffJournal()
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

function workOffJournal(): WorkedOff {
  writer ??= new Connection(workerData, 'write')
  return writer.workOffJournal()
}
