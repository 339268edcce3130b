// Passes answers to informs from the leader to the node that received them, which alone can send them: a sender accepts
// answers only from the address it sent to.

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { LogSignal } from '../../alarms/log/log-signal.ts'
import type { Reply } from '../../intake/trap-reader.ts'
import { bulk, type SqlValue, type Store, type Transaction } from '../../store/database.ts'
import { clockSql } from '../nodes/server-identity.ts'
import { answerAge, type BlockKey } from './block-table.ts'
import { PollingLoop } from './rounds.ts'

/** An answer with the node to send it, and the run of that node: a later run has another socket. */
export interface Addressed extends Reply {
  readonly via: Pick<BlockKey, 'node' | 'start'>
}

const insertAnswer = bulk(
  'insert into intake_answer (id, node, start, made_at, address, port, bytes) values (?, ?, ?, ?, ?, ?, ?)',
  ['text', 'text', 'bigint', 'bigint', 'text', 'integer', 'text'],
)

/** Called in the transaction that processes the informs. */
export async function putAnswers(tx: Transaction, answers: readonly Addressed[]): Promise<void> {
  if (answers.length === 0) return
  const [clock] = await tx.all(`select ${clockSql} as now`)
  const rows = answers.map(({ via, to, bytes }): SqlValue[] => [
    randomUUID(),
    via.node,
    via.start,
    clock?.now ?? 0n,
    to.sourceIp,
    to.port,
    bytes.toString('base64'),
  ])
  await tx.runEach(insertAnswer, rows)
}

/** Takes the answers of this node from the store, and drops those that are too old. */
async function takeAnswers(database: Store, node: string, start: number): Promise<Reply[]> {
  const found = await database.all(
    'select 1 as one from intake_answer where node = ? and start = ? limit 1',
    [node, start],
  )
  if (found.length === 0) return []
  const rows = await database.writeConcurrently((tx) =>
    tx.all(
      `delete from intake_answer where node = ? and start = ? returning address, port, bytes, ${clockSql} - made_at as age`,
      [node, start],
    ),
  )
  return rows
    .filter(({ age }) => Number(age) <= answerAge)
    .map((row) => ({
      bytes: Buffer.from(String(row.bytes), 'base64'),
      to: { sourceIp: String(row.address), port: Number(row.port) },
    }))
}

interface AnswerSendingParts {
  readonly database: Store
  readonly node: Pick<BlockKey, 'node' | 'start'>
  readonly logSignal: LogSignal
  readonly log: Logger
  send(reply: Reply): void
  /** Called after the answers have been sent. */
  onSent(): Promise<void>
}

/** Sends the answers to informs that this node has received. */
export const answerSending = ({
  database,
  node,
  logSignal,
  log,
  send,
  onSent,
}: AnswerSendingParts): PollingLoop =>
  new PollingLoop(logSignal, async () => {
    try {
      for (const reply of await takeAnswers(database, node.node, node.start)) send(reply)
      await onSent()
    } catch (error) {
      log.error({ err: error }, 'answers to informs could not be read')
    }
    return false
  })
