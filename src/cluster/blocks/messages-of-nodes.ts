// The syslog messages that all nodes have received lately: each node has its own in memory, and any can be asked for them.

import type { CountedShapes } from '../../intake/message-memory.ts'
import type { TriedDefinition } from '../../intake/message-trial.ts'
import {
  type MessageQuery,
  mergeShapes,
  type ReceivedMessage,
  type ReceivedMessages,
} from '../../intake/received-messages.ts'
import type { Database } from '../../store/database.ts'
import type { MessageMatcher } from '../../syslog/message-matcher.ts'
import type { NodeAnswering, NodeQuestions } from './node-questions.ts'

type Question = { readonly about: 'messages'; readonly query: MessageQuery } | { readonly about: 'shapes' }

interface Answered {
  /** The names of nodes that have not answered. */
  readonly silent: readonly string[]
}

export type MessageOfNode = ReceivedMessage & { readonly node: string }

export interface MessagesFound extends Answered {
  /** The newest first. */
  readonly messages: readonly MessageOfNode[]
  readonly isComplete: boolean
}

/** The clocks of memory and store are compared again and again. */
const isAbout = (one: number, other: number) => Math.abs(one - other) <= 1000

type Found = Awaited<ReturnType<ReceivedMessages['find']>>

/** What a node answers when another one asks it. */
export const answeringOf =
  (own: ReceivedMessages): NodeAnswering =>
  async (question) => {
    const asked: Question = JSON.parse(question)
    return JSON.stringify(asked.about === 'shapes' ? await own.shapes() : await own.find(asked.query))
  }

export class MessagesOfNodes {
  readonly #own: ReceivedMessages
  readonly #name: string
  readonly #others: Pick<NodeQuestions, 'ask'> | undefined

  /** Without others, this service has the store for itself. */
  constructor(own: ReceivedMessages, name: string, others?: Pick<NodeQuestions, 'ask'>) {
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

  /** What a definition makes of the last messages, and of stored ones that are not among them. */
  async try(database: Database, tried: TriedDefinition, count: number, isGone: () => boolean) {
    const last = await this.find({ tried, count }, isGone)
    const stored = await this.#own.findStored(database, tried, count, isGone)
    const known = Map.groupBy(last.messages, ({ text }) => text)
    const others = stored.messages.filter(
      (one) => !known.get(one.text)?.some(({ receivedTime }) => isAbout(receivedTime, one.receivedTime)),
    )
    const messages: ReceivedMessage[] = [...last.messages, ...others]
    messages.sort((a, b) => b.receivedTime - a.receivedTime)
    const isComplete = last.isComplete && stored.isComplete && messages.length <= count
    return { messages: messages.slice(0, count), isComplete, silent: last.silent }
  }

  /** By the definitions of now. */
  matcher(): Promise<MessageMatcher> {
    return this.#own.matcher()
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
