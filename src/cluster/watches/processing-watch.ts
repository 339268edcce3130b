// Whether what all nodes have kept is settled: some node holds the lease, and no block waits for long while none is
// settled.

import { Fault } from '../../fault.ts'
import { type OldestWaiting, oldestWaiting } from '../blocks/block-table.ts'
import type { LeaseRow } from '../nodes/lease.ts'
import type { Node } from '../nodes/node.ts'
import { lockingStranger } from '../nodes/foreign-locks.ts'
import type { Database } from '../../store/database.ts'

/** Milliseconds that a block may wait while none is settled. */
const longest = 15_000
/** Milliseconds for which others than services may lock what every change of the store needs. */
const lockedAtMost = 10_000
/** Milliseconds that a block which is settled one datagram after the other may take for one of them. */
const forOne = 5000

export class SettlingWatch {
  readonly #database: Database
  readonly #node: Pick<Node, 'readLease'>
  readonly #leaseSeconds: number
  readonly #clock: () => number
  /** Since when nobody has held the lease, on a steady clock. */
  #vacantSince: number | undefined
  /** How far the oldest block was that waits, and since when. */
  #oldest = ''
  #oldestSince = 0
  /** Who holds a lock that keeps everybody from writing, and since when. */
  #stranger = ''
  #strangerSince = 0

  constructor(
    database: Database,
    node: Pick<Node, 'readLease'>,
    leaseSeconds: number,
    clock = () => performance.now(),
  ) {
    this.#database = database
    this.#node = node
    this.#leaseSeconds = leaseSeconds
    this.#clock = clock
  }

  /** Throws why traps are not settled. */
  async check(): Promise<void> {
    // Beside other reads: streams that catch up must not make a node look ill.
    const { lease, oldest, stranger } = await this.#database.apart(async (tx) => ({
      lease: await this.#node.readLease(tx),
      oldest: await oldestWaiting(tx, longest),
      stranger: await lockingStranger(tx),
    }))
    this.#requireWritable(stranger)
    this.#requireLease(lease)
    this.#requireProgress(oldest)
  }

  /** A service that holds the lock for long, as an import does, comes to an end by itself. */
  #requireWritable(stranger = ''): void {
    const now = this.#clock()
    if (stranger !== this.#stranger) {
      this.#stranger = stranger
      this.#strangerSince = now
    }
    if (stranger === '' || now - this.#strangerSince <= lockedAtMost) return
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
    throw notSettled('no node has held the lease for two times lease-seconds')
  }

  #requireProgress(oldest: OldestWaiting | undefined): void {
    const now = this.#clock()
    const place = oldest?.place ?? ''
    if (place !== this.#oldest) {
      this.#oldest = place
      this.#oldestSince = now
    }
    if (!oldest || oldest.age <= longest || oldest.othersSettled) return
    if (now - this.#oldestSince > forOne)
      throw notSettled(`some have waited for more than ${longest / 1000} seconds`)
  }
}

const notSettled = (why: string) => new Fault('unavailable', `traps are not settled: ${why}`)
