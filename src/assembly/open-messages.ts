// Opens what shows the syslog messages that were received lately, and hands changes to the thread that receives them.

import type { Logger } from 'pino'
import type { LogSignal } from '../alarms/log/log-signal.ts'
import { answeringOf, MessagesOfNodes } from '../cluster/blocks/messages-of-nodes.ts'
import { NodeQuestions } from '../cluster/blocks/node-questions.ts'
import type { Node } from '../cluster/nodes/node.ts'
import { ReceivedMessages } from '../intake/received-messages.ts'
import type { TrapReceiver } from '../intake/receiver.ts'
import { SieveFeed } from '../intake/sieve-feed.ts'
import type { Store } from '../store/database.ts'
import type { OwnDefinitions } from '../syslog/own-definitions.ts'

interface MessageParts {
  readonly database: Store
  readonly receiver: TrapReceiver
  readonly definitions: OwnDefinitions | undefined
  readonly node: Node | undefined
  readonly logSignal: LogSignal
  readonly log: Logger
  /** The clock by which messages are received. */
  readonly receiveClock: () => number
}

export function openMessages(parts: MessageParts, started: (() => Promise<void> | void)[]): MessagesOfNodes {
  const { database, receiver, definitions, node, logSignal, log, receiveClock } = parts
  const own = new ReceivedMessages(receiver.syslog, definitions, receiveClock)
  if (receiver.syslog) {
    const feed = new SieveFeed(database, receiver.syslog, log)
    feed.start()
    started.push(() => feed.stop())
  }
  if (!node) return new MessagesOfNodes(own, 'alone')
  const self = { node: node.name, start: node.membership.start }
  const questions = new NodeQuestions({ database, self, logSignal, log, answer: answeringOf(own) })
  questions.start()
  started.push(() => questions.stop())
  return new MessagesOfNodes(own, node.name, questions)
}
