// On the leader, reads blocks from the store, those of each node in order, and marks them as processed in the same
// transaction in which their alarms are raised. Only the store knows whether a block is processed: after a commit with
// an unknown outcome, it is asked.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AlarmEngine } from '../../alarms/engine/engine.ts'
import type { LogSignal } from '../../alarms/log/log-signal.ts'
import { raiseServiceAlarm } from '../../alarms/service/service-alarms.ts'
import { Fault } from '../../fault.ts'
import { fingerprintsIn } from '../../intake/duplicates.ts'
import { type Reply, type TrapReader, withoutZone } from '../../intake/trap-reader.ts'
import type { Store, Transaction } from '../../store/database.ts'
import { mayBeCausedByContent } from '../../store/postgres/postgres-faults.ts'
import { isTermOver } from '../nodes/fence.ts'
import type { Node } from '../nodes/node.ts'
import {
  countAttempt,
  markProcessed,
  processedRecently,
  quarantine,
  type StoredBlock,
  waitingBlocks,
} from './block-table.ts'
import { type BlockPart, BlockWork, blocksOf, choose, partsIn, singleAttempts } from './block-work.ts'
import { type Addressed, putAnswers } from './inform-answers.ts'
import { PollingLoop } from './rounds.ts'

interface BlockProcessorParts {
  readonly database: Store
  readonly engine: AlarmEngine
  readonly node: Node
  /** Signalled when blocks have been written, and when they are processed. */
  readonly logSignal: LogSignal
  readonly log: Logger
  /** Creates a reader of datagrams, with the current state in the store. */
  openReader(): Promise<TrapReader>
  /** How long a datagram can be recognised as a duplicate, in milliseconds. */
  readonly window: number
  /** Sends the answer to a datagram that this node has received. */
  send(reply: Reply): void
}

/** The most datagrams that are processed together. */
const batchLimit = 500
/**
 * The most when a term begins; then twice as many each time, and a quarter after a failure, such as the loss of the
 * term. A node that gets little processor time must not lose its term over a batch that takes longer than its lease, or
 * all nodes would begin the batch in turn and none would finish it.
 */
const initialBatch = 25
const smallestBatch = 10
/** From this number of datagrams on, it is worth reading the next blocks in advance. */
const readAheadFrom = batchLimit / 2
/** Bytes of fingerprints that are read when a node becomes the leader: as many as are kept to detect duplicates. */
const recalledBytes = 16 * 1024 * 1024
/**
 * Milliseconds. During a storm at a node, about one block per second reports it; a node that has disappeared reports
 * nothing.
 */
const stormReportAge = 30_000

export class BlockProcessor {
  readonly #parts: BlockProcessorParts
  /** The storms at each node, according to its processed blocks. */
  readonly #storms = new Map<string, { readonly storms: readonly string[]; readonly at: number }>()
  #reader: TrapReader | undefined
  #term: bigint | undefined
  /** The last term in which processing was attempted. */
  #begunTerm: bigint | undefined
  /** Parts that were read, and their attempt counted, while earlier ones were processed. */
  #next: readonly BlockPart[] = []
  /** The most datagrams that are processed together at present. */
  #batchSize = initialBatch
  /** Blocks whose attempt failed for other reasons; the count is corrected as soon as possible. */
  #notAtFault: readonly StoredBlock[] = []
  #failures = 0
  readonly #loop: PollingLoop

  constructor(parts: BlockProcessorParts) {
    this.#parts = parts
    this.#loop = new PollingLoop(parts.logSignal, () => this.#round())
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  get storms(): readonly string[] {
    const earliest = performance.now() - stormReportAge
    return [...new Set([...this.#storms.values()].flatMap(({ storms, at }) => (at > earliest ? storms : [])))]
  }

  /**
   * Whether this node is the leader and has begun to process waiting blocks; other work of the leader starts after
   * that.
   */
  get hasBegun(): boolean {
    const { term } = this.#parts.node
    return term !== undefined && term === this.#begunTerm
  }

  async #round(): Promise<boolean> {
    const { term } = this.#parts.node
    try {
      const hadWork = await this.#processSome()
      this.#begunTerm = term
      this.#failures = 0
      return hadWork
    } catch (error) {
      this.#begunTerm = term
      // Reading may have changed the state of the decoder, which is then read from the store again.
      this.#reader = undefined
      this.#batchSize = Math.max(smallestBatch, Math.floor(this.#batchSize / 4))
      this.#failures += 1
      this.#parts.log.error({ err: error }, 'blocks of traps could not be processed: trying again')
      await sleep(Math.min(100 * 2 ** this.#failures, 2000))
      return true
    }
  }

  /** Returns whether there was anything to do. */
  async #processSome(): Promise<boolean> {
    const { database, node } = this.#parts
    await this.#correctAttempts()
    const { term } = node
    if (term === undefined) return this.#wait()
    const next = this.#next
    this.#next = []
    if (term !== this.#term || !this.#reader) {
      this.#reader = await this.#recall()
      this.#term = term
      this.#batchSize = Math.min(this.#batchSize, initialBatch)
    } else if (next.length > 0) {
      await this.#process(next, this.#reader)
      return true
    }
    const pieces = choose(await waitingBlocks(database, this.#batchSize), this.#batchSize)
    const [first] = pieces
    if (!first) return false
    if (first.block.attempts >= singleAttempts) await this.#quarantine(first, this.#reader)
    else {
      await countAttempt(database, blocksOf(pieces), 1)
      await this.#process(pieces, this.#reader)
    }
    this.#batchSize = Math.min(batchLimit, 2 * this.#batchSize)
    return true
  }

  /** While another node is the leader, definitions are kept up to date so that this one could take over. */
  async #wait(): Promise<false> {
    await this.#parts.engine.refreshDefinitions().catch(() => undefined)
    return false
  }

  /** Before anything else: if the store still fails, this fails, too. */
  async #correctAttempts(): Promise<void> {
    if (this.#notAtFault.length === 0) return
    await countAttempt(this.#parts.database, this.#notAtFault, -1)
    this.#notAtFault = []
  }

  /** Reads the state of the previous leader: recent datagrams, whose duplicates must be recognised. */
  async #recall(): Promise<TrapReader> {
    const { database, window, openReader } = this.#parts
    const [reader, recent] = await Promise.all([
      openReader(),
      processedRecently(database, window, recalledBytes),
    ])
    this.#storms.clear()
    for (const block of recent) {
      for (const print of fingerprintsIn(block.seen)) reader.recall(print, block.node)
      this.#noteStorms(block)
    }
    return reader
  }

  /**
   * If many blocks wait, reads the next ones, and counts their attempt, while others are processed. Only blocks without
   * an attempt: a failure of the ones in progress counts against them once at most.
   */
  async #readAhead(inProgress: readonly BlockPart[]): Promise<readonly BlockPart[]> {
    if (partsIn(inProgress) < readAheadFrom || !inProgress.every(({ isRest }) => isRest)) return []
    const { database } = this.#parts
    const pieces = choose(await waitingBlocks(database, batchLimit, blocksOf(inProgress)), batchLimit)
    if (partsIn(pieces) < readAheadFrom || pieces.some(({ block }) => block.attempts > 0)) return []
    await countAttempt(database, blocksOf(pieces), 1)
    return pieces
  }

  /** Processes parts whose attempt has been counted. */
  async #process(pieces: readonly BlockPart[], reader: TrapReader): Promise<void> {
    await reader.refresh()
    const work = new BlockWork(pieces)
    work.read(reader)
    // If this fails, they are read when they are due.
    const next = this.#readAhead(pieces).catch(() => [])
    try {
      await this.#handle(work, reader)
    } catch (error) {
      if (isNotAtFault(error)) this.#notAtFault = blocksOf([...pieces, ...(await next)])
      throw error
    }
    for (const { block } of pieces) this.#noteStorms(block)
    this.#next = await next
  }

  #noteStorms({ node, storms }: Pick<StoredBlock, 'node' | 'storms'>): void {
    if (storms) this.#storms.set(node, { storms, at: performance.now() })
  }

  /** Writes alarms, state of senders, answers for other nodes, and the progress of blocks, in one transaction. */
  async #handle(
    work: BlockWork,
    reader: TrapReader,
    also?: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const { engine, node, logSignal, send } = this.#parts
    let own: readonly Addressed[] = []
    let others: readonly Addressed[] = []
    await engine.handle(work.batch.incoming, async (tx, outcomes) => {
      const answers = work.answers(outcomes)
      own = answers.filter(({ via }) => via.node === node.name && via.start === node.membership.start)
      others = answers.filter((answer) => !own.includes(answer))
      await Promise.all([reader.write(tx), putAnswers(tx, others)])
      await also?.(tx)
      await markProcessed(tx, work.progress(outcomes))
    })
    if (others.length > 0) logSignal.notify()
    for (const reply of own) send(reply)
  }

  /** A datagram that fails every time is counted as malformed, and kept for people to look at. */
  async #quarantine(piece: BlockPart, reader: TrapReader): Promise<void> {
    const { engine, log } = this.#parts
    const { block, parts } = piece
    const [part] = parts
    const work = new BlockWork([piece])
    if (!part) return this.#handle(work, reader)
    const { node, sequence } = block
    log.error({ node, sequence }, 'a datagram could not be processed: quarantined')
    const sourceIp = withoutZone(part.sourceIp)
    const times = 'times' in part ? part.times : 1
    const counted = { outcome: 'malformed', reason: 'unexpected', times } as const
    work.batch.incoming.push({ kind: 'rejected', receivedAt: part.receivedAt, sourceIp, ...counted })
    const bytes = 'bytes' in part ? part.bytes : Buffer.alloc(0)
    const quarantined = { sourceIp, bytes, reason: 'it could not be processed' }
    await this.#handle(work, reader, (tx) => quarantine(tx, block, block.done, quarantined))
    const text = `A datagram of ${sourceIp} could not be processed in ${singleAttempts} attempts and was quarantined`
    await raiseServiceAlarm(engine.asLeader, 'datagramsAside', `node=${node}`, text)
  }
}

/** Whether an error says nothing about the block: the store failed, or another node is the leader. */
const isNotAtFault = (error: unknown) =>
  isTermOver(error) ||
  (error instanceof Fault && error.code === 'unavailable' && !mayBeCausedByContent(error))
