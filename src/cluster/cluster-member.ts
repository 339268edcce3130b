// Runs the service as one of several nodes on a PostgreSQL store: joins the others, stores received traps, and processes
// them while this node is the leader.

import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { AlarmEngine } from '../alarms/engine/engine.ts'
import type { LogSignal } from '../alarms/log/log-signal.ts'
import type { Config } from '../config/config.ts'
import { version } from '../config/version.ts'
import type { TrapReaderFactory } from '../intake/open-trap-reader.ts'
import type { TrapReceiver } from '../intake/receiver.ts'
import type { Reply } from '../intake/trap-reader.ts'
import type { Keys } from '../keys/key-ring.ts'
import type { Store } from '../store/database.ts'
import { BlockProcessor } from './blocks/block-processor.ts'
import { probeIntake, removeProcessed } from './blocks/block-table.ts'
import { BlockWriter } from './blocks/block-writer.ts'
import { answerSending } from './blocks/inform-answers.ts'
import { removeOldQuestions } from './blocks/node-questions.ts'
import { Node, type NodeParts } from './nodes/node.ts'
import type { HighWaterCheck } from './watches/high-water-check.ts'
import { NodeWatch } from './watches/node-watch.ts'
import { endQuarantineAlarms, ProcessingWatch } from './watches/processing-watch.ts'
import { SettingsWatch } from './watches/settings-watch.ts'
import { beginTerm, reportMoved } from './watches/term-start.ts'

type JoinParts = Omit<NodeParts, 'highWaterGuard' | 'onTerm'> & {
  readonly highWaterCheck: HighWaterCheck
  /** The URL of this node, once it is known. */
  address(): string
}

export async function joinCluster(
  config: Config,
  { highWaterCheck, address, ...parts }: JoinParts,
): Promise<Node> {
  const node = await Node.join(
    {
      ...parts,
      highWaterGuard: highWaterCheck,
      onTerm: (tx, raised) => beginTerm(tx, raised, highWaterCheck),
    },
    {
      name: config.node === '' ? hostname() : config.node,
      version,
      address,
      leaseSeconds: config['lease-seconds'],
    },
  )
  await node.start()
  return node
}

interface ProcessingParts {
  readonly database: Store
  readonly engine: AlarmEngine
  readonly node: Node
  readonly logSignal: LogSignal
  readonly log: Logger
  /** The clock by which datagrams are received. */
  readonly receiveClock: () => number
}

/** How long a processed block is needed to detect repetitions, in milliseconds. */
const repetitionWindow = (config: Config) => Math.max(10, config['duplicate-seconds']) * 1000

/** Stores received traps, and processes those of all nodes while this one is the leader. */
export function processAsNode(
  config: Config,
  receiver: TrapReceiver,
  readers: TrapReaderFactory,
  { database, engine, node, logSignal, log, receiveClock }: ProcessingParts,
  started: (() => Promise<void> | void)[],
): BlockProcessor {
  const { membership } = node
  const send = (reply: Reply) => receiver.send([reply])
  const openReader = () => readers.shared()
  const window = repetitionWindow(config)
  const processor = new BlockProcessor({ database, engine, node, logSignal, log, window, openReader, send })
  const onWritten = () => logSignal.notify()
  const writer = new BlockWriter({ database, membership, log, onWritten, isLeader: () => node.isLeader })
  const onSent = async () => receiver.processed(await writer.processed())
  const self = { node: node.name, start: membership.start }
  const answers = answerSending({ database, node: self, logSignal, log, send, onSent })
  for (const part of [processor, answers]) {
    part.start()
    started.push(() => part.stop())
  }
  receiver.handTo(writer, receiveClock)
  return processor
}

interface TaskParts {
  readonly config: Config
  readonly database: Store
  readonly engine: AlarmEngine
  readonly node: Node
  readonly processor: BlockProcessor
  readonly keys: Keys
  readonly log: Logger
  readonly clock: () => number
  /** Called for a node that has disappeared: its clients are no longer connected. */
  onNodeGone(name: string): Promise<void>
}

/** The periodic work that only a cluster needs; the leader does it. */
export function clusterTasks(parts: TaskParts) {
  const { config, database, engine, node, processor, keys, log, clock, onNodeGone } = parts
  const alarms = engine.asLeader
  const leaseSeconds = config['lease-seconds']
  const nodes = new NodeWatch({ database, alarms, leaseSeconds, onGone: onNodeGone })
  const settings = new SettingsWatch({ database, alarms, keys, minutes: config.limits.differingMinutes })
  const everySecond = async () => {
    await removeProcessed(database, repetitionWindow(config))
    await removeOldQuestions(database)
    await nodes.check()
    const moved = await reportMoved(node.leaderDatabase, alarms)
    if (moved !== undefined) log.warn(moved)
    await endQuarantineAlarms(database, alarms, clock())
  }
  const asLeader = (run: () => Promise<void>) => async () => {
    if (processor.hasBegun) await run()
  }
  return [
    { every: 10_000, run: asLeader(() => settings.check()) },
    { every: 1000, run: asLeader(everySecond) },
  ]
}

/** Health checks of a node: whether received traps can be stored, and whether the cluster processes them. */
export function clusterProbes(database: Store, node: Node, leaseSeconds: number) {
  const processing = new ProcessingWatch(database, node, leaseSeconds)
  return {
    probeIntake: async () => {
      await database.probe()
      await probeIntake(database)
    },
    probeProcessing: () => processing.check(),
  }
}
