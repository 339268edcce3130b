// Asks the other nodes for what only they have in memory. Questions and answers go through the store: nodes need not reach
// each other in any other way.

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { LogSignal } from '../../alarms/log/log-signal.ts'
import type { Store } from '../../store/database.ts'
import { listNodes } from '../nodes/membership.ts'
import { clockSql } from '../nodes/server-identity.ts'
import type { BlockKey } from './block-table.ts'
import { PollingLoop } from './rounds.ts'

/** Answers a question; both are JSON. */
export type NodeAnswering = (question: string) => Promise<string>

export interface NodeAnswers {
  readonly answers: ReadonlyMap<string, string>
  /** The names of nodes that have not answered. */
  readonly silent: readonly string[]
}

/** Milliseconds that nodes have to answer. */
const answerTimeout = 4000
/** Milliseconds after which nobody waits for a question or its answer any longer. */
const retention = 60_000

interface NodeQuestionsParts {
  readonly database: Store
  readonly self: Pick<BlockKey, 'node' | 'start'>
  readonly logSignal: LogSignal
  readonly log: Logger
  readonly answer: NodeAnswering
}

export class NodeQuestions {
  readonly #parts: NodeQuestionsParts
  readonly #loop: PollingLoop

  constructor(parts: NodeQuestionsParts) {
    this.#parts = parts
    this.#loop = new PollingLoop(parts.logSignal, () => this.#answerAll())
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** Asks all nodes that are alive, except this one. */
  async ask(question: string): Promise<NodeAnswers> {
    const { database, self, logSignal } = this.#parts
    const others = (await listNodes(database)).filter(
      ({ name, stopped, gone }) => name !== self.node && !stopped && !gone,
    )
    const asked = new Map(others.map(({ name, start }) => [randomUUID() as string, { name, start }]))
    const answers = new Map<string, string>()
    if (asked.size === 0) return { answers, silent: [] }
    await database.writeConcurrently(async (tx) => {
      for (const [id, { name, start }] of asked)
        await tx.run(
          `insert into node_question (id, node, start, asked_at, question) values (?, ?, ?, ${clockSql}, ?)`,
          [id, name, start, question],
        )
    })
    logSignal.notify()
    const deadline = performance.now() + answerTimeout
    while (asked.size > 0 && performance.now() < deadline) {
      await this.#collect(asked, answers)
      if (asked.size > 0) await logSignal.wait(50)
    }
    return { answers, silent: Array.from(asked.values(), ({ name }) => name) }
  }

  async #collect(asked: Map<string, { readonly name: string }>, answers: Map<string, string>): Promise<void> {
    const { database } = this.#parts
    for (const [id, { name }] of asked) {
      const [row] = await database.all('select answer from node_question where id = ?', [id])
      if (row?.answer === null) continue
      asked.delete(id)
      if (row) answers.set(name, String(row.answer))
      await database.writeConcurrently((tx) => tx.run('delete from node_question where id = ?', [id]))
    }
  }

  async #answerAll(): Promise<boolean> {
    const { database, self, answer, log, logSignal } = this.#parts
    try {
      const rows = await database.all(
        `select id, question from node_question where node = ? and start = ? and answer is null and asked_at > ${clockSql} - ?`,
        [self.node, self.start, answerTimeout],
      )
      for (const { id, question } of rows) {
        const text = await answer(String(question))
        await database.writeConcurrently((tx) =>
          tx.run('update node_question set answer = ? where id = ?', [text, id ?? '']),
        )
        logSignal.notify()
      }
    } catch (error) {
      log.error({ err: error }, 'a question of another node could not be answered')
    }
    return false
  }
}

/** Deletes what nobody waits for any longer. */
export async function removeOldQuestions(database: Store): Promise<void> {
  await database.writeConcurrently((tx) =>
    tx.run(`delete from node_question where asked_at < ${clockSql} - ?`, [retention]),
  )
}
