// One of several services on the same store: it writes signs of life, and is the leader while it holds the lease.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Fault } from '../../fault.ts'
import type { Reader, Store, Transaction } from '../../store/database.ts'
import { endFormerSessions, type FenceRaise, leaderOnly, onCurrentServer, raiseFence } from './fence.ts'
import { ProcessorDelay } from './lateness.ts'
import { isOnTermServer, Lease, type LeaseRow } from './lease.ts'
import { Membership, readHighWaterMarks } from './membership.ts'

export interface NodeSettings {
  readonly name: string
  readonly version: string
  /** The URL of this node, once it is known. */
  address?(): string
  /** How long the leader may be silent before another node takes over. */
  readonly leaseSeconds: number
}

/** Remembers how far this node has seen the store, to detect a store that was put back to an older state. */
export interface HighWaterGuard<Found extends Compared = Compared> {
  /** The mark as text, for other nodes. */
  readonly mark: string
  /** Compares the store with marks that were read before. */
  compare(reader: Reader, marks: readonly string[]): Promise<Found>
  /** Called when the store is not behind: raises the mark to what it contains. */
  follow(database: Store, found: Found, term: bigint): Promise<void>
}

export interface Compared {
  /** Whether the store lacks something that it had according to one of the marks. */
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
  /** Called when a term has begun in a store whose history has changed: clients must reconnect. */
  onHistoryChange?(): Promise<void>
  /** Called when another service has taken the name of this one. */
  onFatal(fault: Fault): void
}

/** Milliseconds, because the clocks of two machines differ in speed. */
const afterEnd = 10

/**
 * Milliseconds by which a node's clock may differ from the store's; beyond that, it takes a free lease only after
 * others.
 */
export const clockLimit = 2000

const putBack =
  'the store has been put back to an older state: it lacks what was seen of it, and no term has begun that goes on above that'

/** Checks per lease time. */
const checksPerLease = 4
/**
 * The fraction of the lease time for which its holder must have had no connection before another node takes it. A
 * holder that is alive opens a connection for its next check.
 */
const abandonedAfter = 0.3

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
  /** When another node may become the leader, on this machine's monotonic clock. */
  #heldUntil = 0
  /** See Compared. */
  #history: bigint | undefined
  #isBehind = false
  #lastLease: LeaseRow | undefined
  /** When the lease was first seen to be over, on the monotonic clock; set only if this node's clock is wrong. */
  #overSince: number | undefined
  /** The term whose holder has no connection, and since when. */
  #abandoned: { readonly term: bigint; readonly since: number } | undefined
  #timer: NodeJS.Timeout | undefined
  /** A timer for the end of another node's lease. */
  #takeTimer: NodeJS.Timeout | undefined
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

  /** The term in which this node is the leader; undefined if it is not. */
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
   * Throws while the store is older than this node or another has seen it, until a term has begun whose numbers lie
   * above what was seen.
   */
  requireLevel(): void {
    if (this.#isBehind) throw new Fault('unavailable', `${putBack}: try again`)
  }

  readLease(reader?: Reader): Promise<LeaseRow> {
    return this.#lease.read(reader)
  }

  /** Resolves once some node is the leader, and the store is not older than it was seen. */
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

  /** Writes the sign of life, and renews the lease or takes it. */
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
    this.#noteAbandoned(lease)
    if (this.#mayTake(lease)) await this.#take(lease, compared)
    else {
      this.#term = undefined
      if (!lease.hasExpired) this.#takeWhenFree(lease)
    }
  }

  #noteAbandoned({ isAbandoned, term }: LeaseRow): void {
    if (!isAbandoned) this.#abandoned = undefined
    else if (this.#abandoned?.term !== term) this.#abandoned = { term, since: performance.now() }
  }

  /** Milliseconds until a holder without a connection loses the lease; undefined if it has one. */
  get #untilAbandoned(): number | undefined {
    return (
      this.#abandoned &&
      this.#abandoned.since + abandonedAfter * this.#settings.leaseSeconds * 1000 - performance.now()
    )
  }

  /** Tries exactly when the lease ends, because senders of informs wait until then. */
  #takeWhenFree({ remainingMs }: LeaseRow): void {
    clearTimeout(this.#takeTimer)
    const free = Math.min(remainingMs, this.#untilAbandoned ?? remainingMs)
    this.#takeTimer = setTimeout(() => void this.renew(), free + afterEnd)
  }

  /** A node whose clock is wrong leaves a free lease to others for one lease time. */
  #mayTake({ holder, hasExpired }: LeaseRow): boolean {
    const isAbandoned = (this.#untilAbandoned ?? 1) <= 0
    if (Math.abs(this.membership.offset) <= clockLimit)
      return hasExpired || isAbandoned || holder === this.name
    this.#overSince = hasExpired ? (this.#overSince ?? performance.now()) : undefined
    if (this.#overSince === undefined) return false
    return performance.now() - this.#overSince >= this.#settings.leaseSeconds * 1000
  }

  /**
   * Writes the sign of life, compares the store, and renews the lease, in one transaction that does not wait for other
   * work: reads of streams that catch up must not cost a node its lease.
   */
  async #look() {
    const { database, highWaterGuard } = this.#parts
    const began = performance.now()
    // Read first, so that what is committed meanwhile does not count as missing in the store.
    const { mark } = highWaterGuard
    const found = await database.writeUrgently(async (tx) => {
      // Sent together, in this order: one after the other, slow round trips would cost a node its lease.
      const [, lease, marks] = await Promise.all([
        this.membership.writeHeartbeat(tx, mark),
        this.#lease.read(tx),
        readHighWaterMarks(tx),
      ])
      // The leader compares for all nodes.
      const compared = await highWaterGuard.compare(tx, lease.holder === this.name ? marks : [mark])
      const isHeld = !this.#isStopping && !compared.isBehind && this.#holds(lease)
      return { lease, compared, isHeld, isRenewed: isHeld && (await this.#lease.renew(tx, lease.term)) }
    })
    if (found.isRenewed) this.#hold(began)
    this.#lastLease = found.lease
    await this.#note(found.lease, found.compared)
    return found
  }

  /** Whether this run of the node holds the lease, in its current term and on the server where that began. */
  #holds(lease: LeaseRow): boolean {
    const isOurs = lease.holder === this.name && lease.start === this.membership.start
    return isOurs && this.#term === lease.term && isOnTermServer(lease)
  }

  async #note({ term, fencedTerm }: LeaseRow, compared: Compared): Promise<void> {
    const { database, log, highWaterGuard, onHistoryChange } = this.#parts
    if (compared.isBehind && !this.#isBehind) {
      log.error(putBack)
      database.invalidate()
    }
    this.#isBehind = compared.isBehind
    // Only once a term has begun: numbers that are issued after that are new.
    if (this.#isBehind || fencedTerm === 0n) return
    await highWaterGuard.follow(database, compared, term)
    if (this.#history !== undefined && this.#history !== compared.history) {
      log.warn('the history of the store has changed: clients have to reconnect')
      database.invalidate()
      await onHistoryChange?.()
    }
    // Set last, so that all of it is repeated if something fails.
    this.#history = compared.history
  }

  #hold(began: number): void {
    this.#overSince = undefined
    this.#heldUntil = began + this.#settings.leaseSeconds * 1000
  }

  async #take({ isReleased }: LeaseRow, { term: lastTerm }: Compared): Promise<void> {
    this.#term = undefined
    const began = performance.now()
    const term = await this.#lease.take(this.membership, { lastTerm, abandonedTerm: this.#abandoned?.term })
    this.#abandoned = undefined
    if (term === undefined) return
    const { database, log, onTerm } = this.#parts
    if (!isReleased) await endFormerSessions(database)
    await database.transaction(async (tx) => {
      await onTerm(tx, await raiseFence(tx, term))
    })
    this.#term = term
    this.#hold(began)
    log.info({ term: Number(term) }, 'this node is the leader')
    // At once, because ending other sessions may have taken long.
    if (!(await this.#look()).isRenewed) this.#term = undefined
  }

  /** Gives up the lease, and records that this node stops. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    clearTimeout(this.#takeTimer)
    this.#lateness.end()
    await this.#renewing
    const term = this.#term
    this.#term = undefined
    if (term !== undefined) await this.#lease.release(term).catch(() => undefined)
    await this.membership.leave().catch(() => undefined)
  }
}
