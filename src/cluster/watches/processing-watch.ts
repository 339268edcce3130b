// Whether what all nodes have kept is processed: some node holds the lease, and no block waits for long while none is
// processed.

import { Fault } from '../../fault.ts'
import type { Store } from '../../store/database.ts'
import { type OldestWaiting, oldestWaiting } from '../blocks/block-table.ts'
import { foreignLockHolder } from '../nodes/foreign-locks.ts'
import type { LeaseRow } from '../nodes/lease.ts'
import type { Node } from '../nodes/node.ts'

/** Milliseconds that a block may wait while none is processed. */
const longest = 15_000
/** Milliseconds for which others than services may lock what every change of the store needs. */
const lockedAtMost = 10_000
/** Milliseconds that a block which is processed one datagram after the other may take for one of them. */
const forOne = 5000

export class ProcessingWatch {
  readonly #database: Store
  readonly #node: Pick<Node, 'readLease'>
  readonly #leaseSeconds: number
  readonly #clock: () => number
  /** Since when nobody has held the lease, on a steady clock. */
  #vacantSince: number | undefined
  /** How far the oldest block was that waits, and since when. */
  #oldest = ''
  #oldestSince = 0
  /** Who holds a lock that keeps everybody from writing, and since when. */
  #lockHolder = ''
  #lockHolderSince = 0

  constructor(
    database: Store,
    node: Pick<Node, 'readLease'>,
    leaseSeconds: number,
    clock = () => performance.now(),
  ) {
    this.#database = database
    this.#node = node
    this.#leaseSeconds = leaseSeconds
    this.#clock = clock
  }

  /** Throws why traps are not processed. */
  async check(): Promise<void> {
    // Beside other reads: streams that catch up must not make a node look ill.
    const { lease, oldest, stranger } = await this.#database.writeConcurrently(async (tx) => ({
      lease: await this.#node.readLease(tx),
      oldest: await oldestWaiting(tx, longest),
      stranger: await foreignLockHolder(tx),
    }))
    this.#requireWritable(stranger)
    this.#requireLease(lease)
    this.#requireProgress(oldest)
  }

  /** A service that holds the lock for long, as an import does, comes to an end by itself. */
  #requireWritable(stranger = ''): void {
    const now = this.#clock()
    if (stranger !== this.#lockHolder) {
      this.#lockHolder = stranger
      this.#lockHolderSince = now
    }
    if (stranger === '' || now - this.#lockHolderSince <= lockedAtMost) return
    const seconds = lockedAtMost / 1000
    throw new Fault('unavailable', `nothing can be changed: ${stranger} for more than ${seconds} seconds`)
  }

  #requireLease({ isReleased, overFor }: LeaseRow): void {
    const now = this.#clock()
    // One that was given up in order has no end: what counts is since when that has been seen.
    if (!isReleased) this.#vacantSince = undefined
    else this.#vacantSince ??= now
    const vacant = this.#vacantSince === undefined ? overFor : now - this.#vacantSince
    if (vacant <= 2 * this.#leaseSeconds * 1000) return
    throw notProcessed('no node has held the lease for two times lease-seconds')
  }

  #requireProgress(oldest: OldestWaiting | undefined): void {
    const now = this.#clock()
    const place = oldest?.place ?? ''
    if (place !== this.#oldest) {
      this.#oldest = place
      this.#oldestSince = now
    }
    if (!oldest || oldest.age <= longest || oldest.othersProcessed) return
    if (now - this.#oldestSince > forOne)
      throw notProcessed(`some have waited for more than ${longest / 1000} seconds`)
  }
}

const notProcessed = (why: string) => new Fault('unavailable', `traps are not processed: ${why}`)
