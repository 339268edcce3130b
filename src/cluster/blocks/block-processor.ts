// The leader reads blocks from the store, those of each node in order, and marks them in the same transaction in
// which their alarms are raised. Whether a block is processed is recorded in the store alone: after a commit with an
// unknown outcome, that is where to look.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AlarmEngine } from '../../alarms/engine/engine.ts'
import type { LogSignal } from '../../alarms/log/log-signal.ts'
import { raiseServiceAlarm } from '../../alarms/service/service-alarms.ts'
import { Fault } from '../../fault.ts'
import { fingerprintsIn } from '../../intake/fingerprint.ts'
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
  /** Rung when blocks have come, and when they are processed. */
  readonly logSignal: LogSignal
  readonly log: Logger
  /** Reads datagrams, with the state that the store has now. */
  openReading(): Promise<TrapReader>
  /** How old the original of a repetition may be, in milliseconds. */
  readonly window: number
  /** Sends the answer to a datagram that this node has received. */
  send(reply: Reply): void
}

/** Datagrams processed together. */
const together = 500
/**
 * The most when a term begins; then twice as many each time, and a quarter after a failure, such as the loss of the term.
 * A node that gets little of a processor must not lose its term over a block that takes longer than its lease, or all
 * nodes begin it in turn and none ends it.
 */
const atFirst = 25
const atLeast = 10
/** From this number of blocks on it is worth reading the next ones in advance. */
const enoughBytes = together / 2
/** Bytes of what was seen that are read when a node becomes the leader: as many as are remembered of duplicates. */
const recalledBytes = 16 * 1024 * 1024
/**
 * Milliseconds: while something storms at a node, about one block a second reports it. A node that vanished reports
 * nothing.
 */
const quietAfter = 30_000

export class BlockProcessor {
  readonly #parts: BlockProcessorParts
  /** What storms at each node, as far as its blocks are processed. */
  readonly #storms = new Map<string, { readonly storms: readonly string[]; readonly at: number }>()
  #reading: TrapReader | undefined
  #term: bigint | undefined
  /** The term in which something was processed, or at least tried. */
  #begun: bigint | undefined
  /** Begun while the ones before them are being processed. */
  #next: readonly BlockPart[] = []
  /** How many datagrams are processed together now. */
  #most = atFirst
  /** Blocks with which nothing is wrong, although an attempt was counted: it is taken back as soon as that is possible. */
  #wronglyBlamed: readonly StoredBlock[] = []
  #failures = 0
  readonly #rounds: PollingLoop

  constructor(parts: BlockProcessorParts) {
    this.#parts = parts
    this.#rounds = new PollingLoop(parts.logSignal, () => this.#round())
  }

  start(): void {
    this.#rounds.start()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  get storms(): readonly string[] {
    const border = performance.now() - quietAfter
    return [...new Set([...this.#storms.values()].flatMap(({ storms, at }) => (at > border ? storms : [])))]
  }

  /** Whether this node is the leader, and has begun with what waited: other work comes after that. */
  get hasBegun(): boolean {
    const { term } = this.#parts.node
    return term !== undefined && term === this.#begun
  }

  async #round(): Promise<boolean> {
    const { term } = this.#parts.node
    try {
      const isMore = await this.#processSome()
      this.#begun = term
      this.#failures = 0
      return isMore
    } catch (error) {
      this.#begun = term
      // What was read of it may have changed the decoder's state: that is read again from the store.
      this.#reading = undefined
      this.#most = Math.max(atLeast, Math.floor(this.#most / 4))
      this.#failures += 1
      this.#parts.log.error({ err: error }, 'blocks of traps could not be processed: trying again')
      await sleep(Math.min(100 * 2 ** this.#failures, 2000))
      return true
    }
  }

  /** Whether there was anything to do. */
  async #processSome(): Promise<boolean> {
    const { database, node } = this.#parts
    await this.#takeBack()
    const { term } = node
    if (term === undefined) return this.#wait()
    const next = this.#next
    this.#next = []
    if (term !== this.#term || !this.#reading) {
      this.#reading = await this.#recall()
      this.#term = term
      this.#most = Math.min(this.#most, atFirst)
    } else if (next.length > 0) {
      await this.#process(next, this.#reading)
      return true
    }
    const pieces = choose(await waitingBlocks(database, this.#most), this.#most)
    const [first] = pieces
    if (!first) return false
    if (first.block.attempts >= singleAttempts) await this.#quarantine(first, this.#reading)
    else {
      await countAttempt(database, blocksOf(pieces), 1)
      await this.#process(pieces, this.#reading)
    }
    this.#most = Math.min(together, 2 * this.#most)
    return true
  }

  /** Another node is the leader: what is needed for it is kept up to date here, too. */
  async #wait(): Promise<false> {
    await this.#parts.engine.refreshDefinitions().catch(() => undefined)
    return false
  }

  /** Before anything else is begun: where the store still fails, that is so here, too. */
  async #takeBack(): Promise<void> {
    if (this.#wronglyBlamed.length === 0) return
    await countAttempt(this.#parts.database, this.#wronglyBlamed, -1)
    this.#wronglyBlamed = []
  }

  /**
   * What the leader before this one knew: recent datagrams, which must not be taken for new when they are
   * repeated.
   */
  async #recall(): Promise<TrapReader> {
    const { database, window, openReading } = this.#parts
    const [reading, lately] = await Promise.all([
      openReading(),
      processedRecently(database, window, recalledBytes),
    ])
    this.#storms.clear()
    for (const block of lately) {
      for (const print of fingerprintsIn(block.seen)) reading.recall(print, block.node)
      this.#noteStorms(block)
    }
    return reading
  }

  /**
   * Where much waits, the blocks behind those under way are read, and their attempt is counted, while those are being
   * processed. Only blocks without an attempt: what goes wrong with the ones before is counted against them once at most.
   */
  async #begin(underWay: readonly BlockPart[]): Promise<readonly BlockPart[]> {
    if (partsIn(underWay) < enoughBytes || !underWay.every(({ isRest }) => isRest)) return []
    const { database } = this.#parts
    const pieces = choose(await waitingBlocks(database, together, blocksOf(underWay)), together)
    if (partsIn(pieces) < enoughBytes || pieces.some(({ block }) => block.attempts > 0)) return []
    await countAttempt(database, blocksOf(pieces), 1)
    return pieces
  }

  /** Pieces whose attempt is counted. */
  async #process(pieces: readonly BlockPart[], reading: TrapReader): Promise<void> {
    const work = new BlockWork(pieces)
    work.read(reading)
    // Where this fails, they are read when it is their turn.
    const next = this.#begin(pieces).catch(() => [])
    try {
      await this.#handle(work, reading)
    } catch (error) {
      if (isNotAtFault(error)) this.#wronglyBlamed = blocksOf([...pieces, ...(await next)])
      throw error
    }
    for (const { block } of pieces) this.#noteStorms(block)
    this.#next = await next
  }

  #noteStorms({ node, storms }: Pick<StoredBlock, 'node' | 'storms'>): void {
    if (storms) this.#storms.set(node, { storms, at: performance.now() })
  }

  /** In one transaction: alarms, state of senders, answers for other nodes, and the marks of processed blocks. */
  async #handle(
    work: BlockWork,
    reading: TrapReader,
    also?: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const { engine, node, logSignal, send } = this.#parts
    let own: readonly Addressed[] = []
    await engine.handle(work.batch.incoming, async (tx, bins) => {
      const answers = work.answers(bins)
      own = answers.filter(({ via }) => via.node === node.name && via.start === node.membership.start)
      const others = answers.filter((one) => !own.includes(one))
      await Promise.all([reading.write(tx), putAnswers(tx, others)])
      await also?.(tx)
      await markProcessed(tx, work.progress(bins))
      if (others.length > 0) tx.afterCommit(() => logSignal.notify())
    })
    for (const reply of own) send(reply)
  }

  /** A part that fails each time is counted, and kept for people to look at. */
  async #quarantine(piece: BlockPart, reading: TrapReader): Promise<void> {
    const { engine, log } = this.#parts
    const { block, parts } = piece
    const [part] = parts
    const work = new BlockWork([piece])
    if (!part) return this.#handle(work, reading)
    const { node, sequence } = block
    log.error({ node, sequence }, 'a datagram could not be processed: quarantined')
    const sourceIp = withoutZone(part.sourceIp)
    const times = 'times' in part ? part.times : 1
    const counted = { outcome: 'malformed', reason: 'unexpected', times } as const
    work.batch.incoming.push({ kind: 'rejected', receivedAt: part.receivedAt, sourceIp, ...counted })
    const bytes = 'bytes' in part ? part.bytes : Buffer.alloc(0)
    const aside = { sourceIp, bytes, reason: 'it could not be processed' }
    await this.#handle(work, reading, (tx) => quarantine(tx, block, block.done, aside))
    const text = `A datagram of ${sourceIp} could not be processed in ${singleAttempts} attempts and was quarantined`
    await raiseServiceAlarm(engine.asLeader, 'datagramsAside', `node=${node}`, text)
  }
}

/** Nothing is wrong with a block where the store fails, or another node processes. */
const isNotAtFault = (error: unknown) =>
  isTermOver(error) ||
  (error instanceof Fault && error.code === 'unavailable' && !mayBeCausedByContent(error))
