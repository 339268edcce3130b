// One of several services on the same store: it shows that it is alive, and processes while it holds the lease.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Fault } from '../../fault.ts'
import type { Reader, Store, Transaction } from '../../store/database.ts'
import { endFormer, type FenceRaise, leaderOnly, onCurrentServer, raiseFence } from './fence.ts'
import { ProcessorDelay } from './lateness.ts'
import { isWhereItWas, Lease, type LeaseRow } from './lease.ts'
import { Membership, readMarks } from './membership.ts'

export interface NodeSettings {
  readonly name: string
  readonly version: string
  /** The URL of this node, once it is known. */
  address?(): string
  /** How long the leader may be silent before another takes over. */
  readonly leaseSeconds: number
}

/** What this node has seen of the store: a store that was put back to an older state is noticed by it. */
export interface HighWaterGuard<Found extends Compared = Compared> {
  /** As a text that is shown to other nodes. */
  readonly mark: string
  /** Compares the store with marks that were read before. */
  compare(reader: Reader, marks: readonly string[]): Promise<Found>
  /** The store was found not to be behind: goes on with what it holds. */
  follow(database: Store, found: Found, term: bigint): Promise<void>
}

export interface Compared {
  /** Whether the store lacks what one of the marks says it held. */
  readonly isBehind: boolean
  /** The highest term in the marks. */
  readonly term: bigint
  /** Changes when numbers have jumped, because entries were lost or may have been. */
  readonly history: bigint
}

export interface NodeParts {
  readonly database: Store
  readonly log: Logger
  readonly highWaterGuard: HighWaterGuard
  /** Called inside the transaction that begins a term. */
  onTerm(tx: Transaction, raised: FenceRaise): Promise<void>
  /** Called when a term has begun in a store with another history than before: clients must reconnect. */
  onHistoryChange?(): Promise<void>
  /** Called when another service has taken the name of this one. */
  onFatal(fault: Fault): void
}

/** Milliseconds: clocks of two machines do not run alike. */
const afterEnd = 10

/** Milliseconds that the clock of a node may differ from the store's; beyond, others go first when the lease is free. */
export const clockLimit = 2000

const putBack =
  'the store has been put back to an older state: it lacks what was seen of it, and no term has begun that goes on above that'

/** How many checks fit within the time of a lease. */
const checksPerLease = 4
/**
 * Of the time of a lease: for so long its holder must have had no connection before another node takes it. One that is
 * alive opens a connection for its next check.
 */
const untilLeft = 0.3

export class Node {
  readonly membership: Membership
  /** The store, for work of the leader alone. */
  readonly leaderDatabase: Store
  /** The store, for changes of alarms that any node may be asked for. */
  readonly checkedDatabase: Store
  readonly #parts: NodeParts
  readonly #settings: NodeSettings
  readonly #lease: Lease
  readonly #lateness = new ProcessorDelay()
  #term: bigint | undefined
  /** On this machine's steady clock: from then on another node may process. */
  #heldUntil = 0
  /** See Compared. */
  #history: bigint | undefined
  #isBehind = false
  #lastLease: LeaseRow | undefined
  /** Since when the lease has been seen to be over, on the steady clock; known only where the clock is wrong. */
  #overSince: number | undefined
  /** The term whose holder has been seen without a connection, and since when. */
  #left: { readonly term: bigint; readonly since: number } | undefined
  #timer: NodeJS.Timeout | undefined
  /** Set for the end of another node's lease. */
  #taking: NodeJS.Timeout | undefined
  #renewing: Promise<void> | undefined
  #isStopping = false

  private constructor(parts: NodeParts, settings: NodeSettings, lease: Lease, membership: Membership) {
    this.#parts = parts
    this.#settings = settings
    this.#lease = lease
    this.membership = membership
    this.leaderDatabase = leaderOnly(
      parts.database,
      () => this.term,
      () => this.#lateness.isDelayed,
    )
    this.checkedDatabase = onCurrentServer(parts.database, () => this.requireLevel())
  }

  static async join(parts: NodeParts, settings: NodeSettings): Promise<Node> {
    const { database } = parts
    const lease = new Lease(database, settings.leaseSeconds)
    await lease.prepare()
    return new Node(parts, settings, lease, await Membership.join(database, settings))
  }

  get name(): string {
    return this.membership.name
  }

  /** The term in which this node is the leader; undefined where it does not. */
  get term(): bigint | undefined {
    return performance.now() < this.#heldUntil ? this.#term : undefined
  }

  get isLeader(): boolean {
    return this.term !== undefined
  }

  /** The leader, as far as is known. */
  get leader(): Pick<LeaseRow, 'holder' | 'term'> | undefined {
    return this.#lastLease
  }

  /**
   * Throws while the store is behind what this node has seen of it, or another one has, and no term has begun that goes
   * on above that.
   */
  requireLevel(): void {
    if (this.#isBehind) throw new Fault('unavailable', `${putBack}: try again`)
  }

  readLease(reader?: Reader): Promise<LeaseRow> {
    return this.#lease.read(reader)
  }

  /** Takes part from now on; resolves once somebody is the leader, and the store is not behind what was seen of it. */
  async start(): Promise<void> {
    const every = (this.#settings.leaseSeconds * 1000) / checksPerLease
    for (;;) {
      await this.#renew()
      // On a new store another node may be about to begin the first term.
      if (this.#lastLease && this.#lastLease.fencedTerm > 0n && !this.#isBehind) break
      await sleep(every / checksPerLease)
    }
    this.#timer = setInterval(() => void this.renew(), every)
  }

  /** Shows that it is alive, renews the lease or takes it. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew()
      .catch((error) => this.#failed(error))
      .finally(() => {
        this.#renewing = undefined
      })
    return this.#renewing
  }

  #failed(error: unknown): void {
    if (error instanceof Fault && error.field === 'node') this.#parts.onFatal(error)
    this.#parts.log.warn({ err: error }, 'this node could not write its sign of life')
  }

  async #renew(): Promise<void> {
    const { lease, compared, isHeld } = await this.#look()
    if (this.#isStopping || isHeld) return
    this.#noteLeft(lease)
    if (this.#mayTake(lease)) await this.#take(lease, compared)
    else {
      this.#term = undefined
      if (!lease.isOver) this.#takeWhenFree(lease)
    }
  }

  #noteLeft({ isLeft, term }: LeaseRow): void {
    if (!isLeft) this.#left = undefined
    else if (this.#left?.term !== term) this.#left = { term, since: performance.now() }
  }

  /** Milliseconds until a node that has gone no longer counts as the holder; undefined where it is there. */
  get #untilLeft(): number | undefined {
    return this.#left && this.#left.since + untilLeft * this.#settings.leaseSeconds * 1000 - performance.now()
  }

  /** At the very moment, unless it is renewed: whoever waits for an answer waits that long. */
  #takeWhenFree({ left }: LeaseRow): void {
    clearTimeout(this.#taking)
    const free = Math.min(left, this.#untilLeft ?? left)
    this.#taking = setTimeout(() => void this.renew(), free + afterEnd)
  }

  /** One whose clock is wrong leaves a free lease to others for as long as a lease lasts. */
  #mayTake({ holder, isOver }: LeaseRow): boolean {
    const isLeft = (this.#untilLeft ?? 1) <= 0
    if (Math.abs(this.membership.offset) <= clockLimit) return isOver || isLeft || holder === this.name
    this.#overSince = isOver ? (this.#overSince ?? performance.now()) : undefined
    if (this.#overSince === undefined) return false
    return performance.now() - this.#overSince >= this.#settings.leaseSeconds * 1000
  }

  /**
   * Shows that it is alive, compares the store, and renews the lease, in one transaction beside all other work: reads of
   * streams that catch up must not cost a node its lease.
   */
  async #look() {
    const { database, highWaterGuard } = this.#parts
    const began = performance.now()
    // First of all: what is committed meanwhile is not missing in the store.
    const { mark } = highWaterGuard
    const found = await database.writeUrgently(async (tx) => {
      // All at once, in this order: where every answer is slow, they would cost a node its lease one after the other.
      const [, lease, marks] = await Promise.all([
        this.membership.sign(tx, mark),
        this.#lease.read(tx),
        readMarks(tx),
      ])
      // Who processes compares for all.
      const compared = await highWaterGuard.compare(tx, lease.holder === this.name ? marks : [mark])
      const isHeld = !this.#isStopping && !compared.isBehind && this.#holds(lease)
      return { lease, compared, isHeld, isRenewed: isHeld && (await this.#lease.renew(tx, lease.term)) }
    })
    if (found.isRenewed) this.#hold(began)
    this.#lastLease = found.lease
    await this.#note(found.lease, found.compared)
    return found
  }

  /** Whether this run of the node holds it, in the term that it knows, where that term began. */
  #holds(lease: LeaseRow): boolean {
    const isOurs = lease.holder === this.name && lease.start === this.membership.start
    return isOurs && this.#term === lease.term && isWhereItWas(lease)
  }

  async #note({ term, fencedTerm }: LeaseRow, compared: Compared): Promise<void> {
    const { database, log, highWaterGuard, onHistoryChange } = this.#parts
    if (compared.isBehind && !this.#isBehind) {
      log.error(putBack)
      database.invalidate()
    }
    this.#isBehind = compared.isBehind
    // Only once a term has begun there: the numbers that are issued from then on are new ones.
    if (this.#isBehind || fencedTerm === 0n) return
    await highWaterGuard.follow(database, compared, term)
    if (this.#history !== undefined && this.#history !== compared.history) {
      log.warn('the store has another history than before: clients connect anew')
      database.invalidate()
      await onHistoryChange?.()
    }
    // Last: what has failed of it is done again.
    this.#history = compared.history
  }

  #hold(began: number): void {
    this.#overSince = undefined
    this.#heldUntil = began + this.#settings.leaseSeconds * 1000
  }

  async #take({ isReleased }: LeaseRow, { term: above }: Compared): Promise<void> {
    this.#term = undefined
    const began = performance.now()
    const term = await this.#lease.take(this.membership, { above, left: this.#left?.term })
    this.#left = undefined
    if (term === undefined) return
    const { database, log, onTerm } = this.#parts
    if (!isReleased) await endFormer(database)
    await database.transaction(async (tx) => {
      await onTerm(tx, await raiseFence(tx, term))
    })
    this.#term = term
    this.#hold(began)
    log.info({ term: Number(term) }, 'this node is the leader')
    // At once: it may have waited long for sessions that had to be ended.
    if (!(await this.#look()).isRenewed) this.#term = undefined
  }

  /** Gives up the lease, and records that this node stops. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    clearTimeout(this.#taking)
    this.#lateness.end()
    await this.#renewing
    const term = this.#term
    this.#term = undefined
    if (term !== undefined) await this.#lease.release(term).catch(() => undefined)
    await this.membership.leave().catch(() => undefined)
  }
}
