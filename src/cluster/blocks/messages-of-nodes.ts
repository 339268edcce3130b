// The syslog messages that all nodes have received lately: each node has its own in memory, and any can be asked for them.

import {
  type HeardMessage,
  type HeardMessages,
  type MessageQuery,
  mergeShapes,
} from '../../intake/heard-messages.ts'
import type { CountedShapes } from '../../intake/message-memory.ts'
import type { NodeAnswering, NodeQuestions } from './node-questions.ts'

type Question = { readonly about: 'messages'; readonly query: MessageQuery } | { readonly about: 'shapes' }

interface Answered {
  /** The names of nodes that have not answered. */
  readonly silent: readonly string[]
}

export type MessageOfNode = HeardMessage & { readonly node: string }

export interface MessagesFound extends Answered {
  /** The newest first. */
  readonly messages: readonly MessageOfNode[]
  readonly isComplete: boolean
}

type Found = Awaited<ReturnType<HeardMessages['find']>>

/** What a node answers when another one asks it. */
export const answeringOf =
  (own: HeardMessages): NodeAnswering =>
  async (question) => {
    const asked: Question = JSON.parse(question)
    return JSON.stringify(asked.about === 'shapes' ? await own.shapes() : await own.find(asked.query))
  }

export class MessagesOfNodes {
  readonly #own: HeardMessages
  readonly #name: string
  readonly #others: Pick<NodeQuestions, 'ask'> | undefined

  /** Without others, this service has the store for itself. */
  constructor(own: HeardMessages, name: string, others?: Pick<NodeQuestions, 'ask'>) {
    this.#own = own
    this.#name = name
    this.#others = others
  }

  async find(query: MessageQuery, isGone: () => boolean): Promise<MessagesFound> {
    const [own, { answers, silent }] = await Promise.all([
      this.#own.find(query, isGone),
      this.#ask({ about: 'messages', query }),
    ])
    const found: [string, Found][] = [[this.#name, own]]
    for (const [node, answer] of answers) found.push([node, JSON.parse(answer)])
    const messages = found
      .flatMap(([node, one]) => one.messages.map((message) => ({ ...message, node })))
      .sort((a, b) => b.receivedTime - a.receivedTime)
    const isComplete = found.every(([, one]) => one.isComplete) && messages.length <= query.count
    return { messages: messages.slice(0, query.count), isComplete, silent }
  }

  async shapes(): Promise<CountedShapes & Answered> {
    const [own, { answers, silent }] = await Promise.all([this.#own.shapes(), this.#ask({ about: 'shapes' })])
    const counted = [own, ...Array.from(answers.values(), (answer): CountedShapes => JSON.parse(answer))]
    return { ...mergeShapes(counted), silent }
  }

  async #ask(question: Question) {
    if (!this.#others) return { answers: new Map<string, string>(), silent: [] }
    return this.#others.ask(JSON.stringify(question))
  }
}
