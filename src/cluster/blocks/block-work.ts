// Chooses the blocks, or the part of one, that are processed together, and collects the results. The parts of a block
// are the tallies of its node, followed by its datagrams.

import type { Incoming, Outcome } from '../../alarms/engine/incoming-trap.ts'
import { type Datagram, unpack } from '../../intake/datagram-block.ts'
import { type Fingerprint, linesOf } from '../../intake/duplicates.ts'
import { Batch, type Reply, type TrapReader, tallied } from '../../intake/trap-reader.ts'
import type { BlockKey, Progress, StoredBlock } from './block-table.ts'
import type { Addressed } from './inform-answers.ts'

/** After this many attempts, a block is processed part by part. */
const wholeAttempts = 3
/** After this many attempts, a part is quarantined. */
export const singleAttempts = 2 * wholeAttempts

/** The next parts of a block, after those that are processed. */
export interface BlockPart {
  readonly block: StoredBlock
  readonly parts: readonly (Incoming | Datagram)[]
  /** Whether these are all that was left. */
  readonly isRest: boolean
}

const isSuspect = ({ attempts }: StoredBlock) => attempts >= wholeAttempts
const sizeOf = ({ tallies, datagrams }: StoredBlock) => tallies.length + datagrams

/**
 * The first waiting blocks, up to this many parts; a single block may be taken in part. A block that has one attempt
 * left is processed alone, so that others do not fail with it.
 */
export function choose(waiting: readonly StoredBlock[], limit: number): BlockPart[] {
  const pieces: BlockPart[] = []
  let room = limit
  for (const block of waiting) {
    const left = sizeOf(block) - block.done
    const isAlone = block.attempts >= wholeAttempts - 1
    if (pieces.length > 0 && (isAlone || left > room)) break
    const count = isSuspect(block) ? 1 : room
    const parts = [...block.tallies.map(tallied), ...unpack(block.bytes)]
    const taken = parts.slice(block.done, block.done + count)
    pieces.push({ block, parts: taken, isRest: taken.length === left })
    room -= taken.length
    if (isAlone || taken.length < left) break
  }
  return pieces
}

export const blocksOf = (pieces: readonly BlockPart[]) => pieces.map(({ block }) => block)
export const partsIn = (pieces: readonly BlockPart[]) =>
  pieces.reduce((sum, { parts }) => sum + parts.length, 0)

/** Parts of blocks that are processed together, with the node that received each datagram. */
export class BlockWork {
  readonly batch = new Batch()
  readonly #pieces: readonly BlockPart[]
  readonly #via = new Map<Reply['to'], BlockKey>()

  constructor(pieces: readonly BlockPart[]) {
    this.#pieces = pieces
  }

  read(reader: TrapReader): void {
    for (const { block, parts } of this.#pieces) {
      for (const part of parts) {
        if ('bytes' in part) {
          this.#via.set(part, block)
          reader.read(part, this.batch, block.node)
        } else this.batch.incoming.push(part)
      }
    }
  }

  answers(outcomes: readonly Outcome[]): Addressed[] {
    const replies = [...this.batch.reports, ...this.batch.answers(outcomes)]
    return replies.flatMap((reply) => {
      const via = this.#via.get(reply.to)
      return via ? [{ ...reply, via }] : []
    })
  }

  /** How far the blocks are processed after this. */
  progress(outcomes: readonly Outcome[]): Progress[] {
    const seen = new Map<BlockKey | undefined, Fingerprint[]>()
    for (const { of, print } of this.batch.fingerprints(outcomes)) {
      const block = this.#via.get(of)
      const prints = seen.get(block)
      if (prints) prints.push(print)
      else seen.set(block, [print])
    }
    return this.#pieces.map(({ block, parts, isRest }) => ({
      ...{ node: block.node, start: block.start, sequence: block.sequence },
      done: block.done + parts.length,
      isAll: isRest,
      attempts: isSuspect(block) ? wholeAttempts : 0,
      seen: linesOf(seen.get(block) ?? []),
    }))
  }
}
