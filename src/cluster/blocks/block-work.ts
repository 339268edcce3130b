// Which blocks, or how much of one, are processed together, and what comes of it. The parts of a block are what was
// counted at its node, and then its datagrams.

import type { Incoming, Outcome } from '../../alarms/engine/incoming-trap.ts'
import { type Datagram, unpack } from '../../intake/datagram-block.ts'
import { type Fingerprint, linesOf } from '../../intake/fingerprint.ts'
import { Batch, type Reply, type TrapReader, tallied } from '../../intake/trap-reader.ts'
import type { BlockKey, Progress, StoredBlock } from './block-table.ts'
import type { Addressed } from './inform-answers.ts'

/** A block that was begun this often without an end is processed part by part. */
const wholeAttempts = 3
/** And a part of it that was begun this often is quarantined. */
export const singleAttempts = 2 * wholeAttempts

/** Parts of a block that follow those that are processed already. */
export interface BlockPart {
  readonly block: StoredBlock
  readonly parts: readonly (Incoming | Datagram)[]
  /** Whether they are all that was left. */
  readonly isRest: boolean
}

const isSuspect = ({ attempts }: StoredBlock) => attempts >= wholeAttempts
const sizeOf = ({ tallies, datagrams }: StoredBlock) => tallies.length + datagrams

/**
 * The first of those that wait, up to so many parts; the last one may be cut where it is the only one. A block with one
 * attempt left is processed alone, or others would share its fate.
 */
export function choose(waiting: readonly StoredBlock[], most: number): BlockPart[] {
  const pieces: BlockPart[] = []
  let room = most
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

/** Pieces that are processed together: what was read of them, and the node that received each datagram. */
export class BlockWork {
  readonly batch = new Batch()
  readonly #pieces: readonly BlockPart[]
  readonly #via = new Map<Reply['to'], BlockKey>()

  constructor(pieces: readonly BlockPart[]) {
    this.#pieces = pieces
  }

  read(reading: TrapReader): void {
    for (const { block, parts } of this.#pieces) {
      for (const part of parts) {
        if ('bytes' in part) {
          this.#via.set(part, block)
          reading.read(part, this.batch, block.node)
        } else this.batch.incoming.push(part)
      }
    }
  }

  answers(bins: readonly Outcome[]): Addressed[] {
    const replies = [...this.batch.reports, ...this.batch.answers(bins)]
    return replies.flatMap((reply) => {
      const via = this.#via.get(reply.to)
      return via ? [{ ...reply, via }] : []
    })
  }

  /** How far the blocks are processed with this. */
  progress(bins: readonly Outcome[]): Progress[] {
    const seen = new Map<BlockKey | undefined, Fingerprint[]>()
    for (const { of, print } of this.batch.fingerprints(bins)) {
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
