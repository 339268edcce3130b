// The settling node reads blocks from the store, those of each node in order, and marks them in the same transaction in
// which their alarms are raised. Whether a block is settled is recorded in the store alone: after a commit with an
// unknown outcome, that is where to look.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Bell } from '../alarms/bell.ts'
import type { AlarmEngine } from '../alarms/engine.ts'
import type { Bin, Incoming } from '../alarms/incoming.ts'
import { raiseOwn } from '../alarms/own-alarms.ts'
import { Fault } from '../fault.ts'
import { isTermOver } from '../nodes/fence.ts'
import type { Node } from '../nodes/node.ts'
import type { Decoder } from '../snmp/decoder.ts'
import type { Database, Transaction } from '../store/database.ts'
import { mayLieInContent } from '../store/postgres/faults.ts'
import { type Addressed, putAnswers } from './answers.ts'
import {
  type BlockKey,
  countAttempt,
  type KeptBlock,
  markDone,
  markSettled,
  putAside,
  settledLately,
  waitingBlocks,
} from './blocks.ts'
import { type Datagram, unpack } from './datagrams.ts'
import { Batch, type Reading, type Reply, tallied, withoutZone } from './reading.ts'
import { Rounds } from './rounds.ts'

interface BlockSettlingParts {
  readonly database: Database
  readonly engine: AlarmEngine
  readonly node: Node
  /** Rung when blocks have come, and when they are settled. */
  readonly bell: Bell
  readonly log: Logger
  /** Reads datagrams, with the state that the store has now; and a decoder that changes nothing of it. */
  openReading(): Promise<{ readonly reading: Reading; readonly aside: Decoder }>
  /** How old the original of a repetition may be, in milliseconds. */
  readonly window: number
  /** Sends the answer to a datagram that this node has received. */
  send(reply: Reply): void
}

/** Datagrams settled together. */
const together = 500
/** From this number of blocks on it is worth reading the next ones in advance. */
const plenty = together / 2
/** A block that was begun this often without an end is settled datagram by datagram. */
const wholeAttempts = 3
/** And a datagram of it that was begun this often is put aside. */
const singleAttempts = 2 * wholeAttempts
/** Bytes of blocks that are read when a node begins to settle: as many as duplicates are remembered of. */
const recalledBytes = 16 * 1024 * 1024
/**
 * Milliseconds: while something storms at a node, about one block a second reports it. A node that vanished reports
 * nothing.
 */
const quietAfter = 30_000

export class BlockSettling {
  readonly #parts: BlockSettlingParts
  /** What storms at each node, as far as its blocks are settled. */
  readonly #storms = new Map<string, { readonly storms: readonly string[]; readonly at: number }>()
  #reading: Reading | undefined
  #term: bigint | undefined
  /** Begun while the ones before them are being settled. */
  #next: readonly KeptBlock[] = []
  /** Blocks with which nothing is wrong, although an attempt was counted: it is taken back as soon as that is possible. */
  #unjustly: readonly KeptBlock[] = []
  #failures = 0
  readonly #rounds: Rounds

  constructor(parts: BlockSettlingParts) {
    this.#parts = parts
    this.#rounds = new Rounds(parts.bell, () => this.#round())
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

  async #round(): Promise<boolean> {
    try {
      const isMore = await this.#settleSome()
      this.#failures = 0
      return isMore
    } catch (error) {
      // What was read of it may have changed the decoder's state: that is read again from the store.
      this.#reading = undefined
      this.#failures += 1
      this.#parts.log.error({ err: error }, 'blocks of traps could not be settled: trying again')
      await sleep(Math.min(100 * 2 ** this.#failures, 2000))
      return true
    }
  }

  /** Whether there was anything to do. */
  async #settleSome(): Promise<boolean> {
    const { database, node } = this.#parts
    await this.#takeBack()
    const { term } = node
    if (term === undefined) return false
    const next = this.#next
    this.#next = []
    if (term !== this.#term || !this.#reading) {
      this.#reading = await this.#recall()
      this.#term = term
    } else if (next.length > 0) {
      await this.#settleWhole(next, this.#reading)
      return true
    }
    const waiting = await waitingBlocks(database, together)
    const [first] = waiting
    if (!first) return false
    if (first.attempts >= wholeAttempts) await this.#settleSingly(first, this.#reading)
    else {
      const blocks = chosen(waiting)
      await countAttempt(database, blocks, 1)
      await this.#settleWhole(blocks, this.#reading)
    }
    return true
  }

  /** Before anything else is begun: where the store still fails, that is so here, too. */
  async #takeBack(): Promise<void> {
    if (this.#unjustly.length === 0) return
    await countAttempt(this.#parts.database, this.#unjustly, -1)
    this.#unjustly = []
  }

  /**
   * What the settling node before this one knew: recent datagrams, which must not be taken for new when they are
   * repeated.
   */
  async #recall(): Promise<Reading> {
    const { reading, aside } = await this.#parts.openReading()
    const { database, window } = this.#parts
    this.#storms.clear()
    for (const block of await settledLately(database, window, recalledBytes)) {
      for (const datagram of unpack(block.bytes)) reading.recall(datagram, aside, block.node)
      this.#noteStorms(block)
    }
    return reading
  }

  /**
   * Where much waits, the blocks behind those under way are read, and their attempt is counted, while those are being
   * settled. Only blocks without an attempt: what goes wrong with the ones before is counted against them once at most.
   */
  async #begin(underWay: readonly KeptBlock[]): Promise<readonly KeptBlock[]> {
    if (datagramsIn(underWay) < plenty) return []
    const { database } = this.#parts
    const blocks = chosen(await waitingBlocks(database, together, underWay))
    if (datagramsIn(blocks) < plenty || blocks.some(({ attempts }) => attempts > 0)) return []
    await countAttempt(database, blocks, 1)
    return blocks
  }

  /** Blocks whose attempt is counted. */
  async #settleWhole(blocks: readonly KeptBlock[], reading: Reading): Promise<void> {
    const work = new BlockWork()
    for (const block of blocks) {
      work.addTallies(block)
      for (const datagram of unpack(block.bytes)) work.read(datagram, block, reading)
    }
    // Where this fails, they are read when it is their turn.
    const next = this.#begin(blocks).catch(() => [])
    try {
      await this.#handle(work, reading, (tx) => markSettled(tx, blocks))
    } catch (error) {
      if (isInnocent(error)) this.#unjustly = [...blocks, ...(await next)]
      throw error
    }
    for (const block of blocks) this.#noteStorms(block)
    this.#next = await next
  }

  #noteStorms({ node, storms }: KeptBlock): void {
    if (storms) this.#storms.set(node, { storms, at: performance.now() })
  }

  /** In one transaction: alarms, state of senders, answers for other nodes, and the marks of settled blocks. */
  async #handle(work: BlockWork, reading: Reading, mark: (tx: Transaction) => Promise<void>): Promise<void> {
    const { engine, node, bell, send } = this.#parts
    let own: readonly Addressed[] = []
    await engine.handle(work.batch.incoming, async (tx, bins) => {
      const answers = work.answers(bins)
      own = answers.filter(({ via }) => via.node === node.name && via.start === node.membership.start)
      await reading.write(tx)
      const others = answers.filter((one) => !own.includes(one))
      await putAnswers(tx, others)
      await mark(tx)
      if (others.length > 0) tx.afterCommit(() => bell.ring())
    })
    for (const reply of own) send(reply)
  }

  /** A block that could not be settled as a whole: one part after the other, and what fails is put aside. */
  async #settleSingly(block: KeptBlock, reading: Reading): Promise<void> {
    const { database, log } = this.#parts
    const parts = [...block.tallies.map(tallied), ...unpack(block.bytes)]
    const part = parts[block.done]
    const next = block.done + 1
    const mark = (tx: Transaction) => markDone(tx, block, next, wholeAttempts, next >= parts.length)
    if (part === undefined) return this.#handle(new BlockWork(), reading, mark)
    if (block.attempts >= singleAttempts) {
      log.error({ node: block.node, sequence: block.sequence }, 'a datagram could not be settled: put aside')
      return this.#putAside(block, part, reading, mark)
    }
    await countAttempt(database, [block], 1)
    const work = new BlockWork()
    if ('bytes' in part) work.read(part, block, reading)
    else work.batch.incoming.push(part)
    try {
      await this.#handle(work, reading, mark)
    } catch (error) {
      if (isInnocent(error)) this.#unjustly = [block]
      throw error
    }
  }

  async #putAside(
    block: KeptBlock,
    part: Incoming | Datagram,
    reading: Reading,
    mark: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const work = new BlockWork()
    const { receivedAt } = part
    const sourceIp = withoutZone(part.sourceIp)
    const times = 'times' in part ? part.times : 1
    work.batch.incoming.push({
      kind: 'rejected',
      ...{ receivedAt, sourceIp, bin: 'malformed', reason: 'unexpected', times },
    })
    const bytes = 'bytes' in part ? part.bytes : Buffer.alloc(0)
    await this.#handle(work, reading, async (tx) => {
      await putAside(tx, block, block.done, { sourceIp, bytes, reason: 'it could not be settled' })
      await mark(tx)
    })
    const text = `A datagram of ${sourceIp} could not be settled in ${singleAttempts} attempts and was put aside`
    await raiseOwn(this.#parts.engine.settler, 'datagramsAside', `node=${block.node}`, text)
  }
}

/** As many as are settled together; a block with one attempt left is settled alone, or others would share its fate. */
function chosen(waiting: readonly KeptBlock[]): KeptBlock[] {
  const isLast = ({ attempts }: KeptBlock) => attempts >= wholeAttempts - 1
  const taken: KeptBlock[] = []
  let datagrams = 0
  for (const block of waiting) {
    if (taken.length > 0 && (isLast(block) || datagrams + block.datagrams > together)) break
    taken.push(block)
    datagrams += block.datagrams
    if (isLast(block)) break
  }
  return taken
}

/** Nothing is wrong with a block where the store fails, or another node settles. */
const isInnocent = (error: unknown) =>
  isTermOver(error) || (error instanceof Fault && error.code === 'unavailable' && !mayLieInContent(error))

const datagramsIn = (blocks: readonly KeptBlock[]) =>
  blocks.reduce((sum, { datagrams }) => sum + datagrams, 0)

/** Datagrams of several blocks that are settled together, and the node that received each. */
class BlockWork {
  readonly batch = new Batch()
  readonly #via = new Map<Reply['to'], BlockKey>()

  addTallies({ tallies }: KeptBlock): void {
    this.batch.incoming.push(...tallies.map(tallied))
  }

  read(datagram: Datagram, via: BlockKey, reading: Reading): void {
    this.#via.set(datagram, via)
    reading.read(datagram, this.batch, via.node)
  }

  answers(bins: readonly Bin[]): Addressed[] {
    const replies = [...this.batch.reports, ...this.batch.answers(bins)]
    return replies.flatMap((reply) => {
      const via = this.#via.get(reply.to)
      return via ? [{ ...reply, via }] : []
    })
  }
}
