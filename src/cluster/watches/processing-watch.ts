// Checks that received traps are processed: some node holds the lease, and no block waits for long while none is
// processed.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import { openServiceAlarms, recoverServiceAlarm } from '../../alarms/service/service-alarms.ts'
import { Fault } from '../../fault.ts'
import type { Database, Reader, Store } from '../../store/database.ts'
import { lastQuarantined, type OldestWaiting, oldestWaiting } from '../blocks/block-table.ts'
import type { LeaseRow } from '../nodes/lease.ts'
import type { Node } from '../nodes/node.ts'

/** Milliseconds that a block may wait while none is processed. */
const maxMs = 15_000
/** Milliseconds for which a session of another program may lock a row that every change needs. */
const lockedAtMost = 10_000
/** Milliseconds per datagram, for a block that is processed one datagram at a time. */
const forOne = 5000

export class ProcessingWatch {
  readonly #database: Store
  readonly #node: Pick<Node, 'readLease'>
  readonly #leaseSeconds: number
  readonly #clock: () => number
  /** Since when nobody has held the lease, on a monotonic clock. */
  #vacantSince: number | undefined
  /** The oldest waiting block with its progress, and since when that has not changed. */
  #oldest = ''
  #oldestSince = 0
  /** Who holds a lock that prevents all writes, and since when. */
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

  /** Throws if traps are not processed, with the reason. */
  async check(): Promise<void> {
    // Not queued with other reads: streams that catch up must not make a node look unhealthy.
    const { lease, oldest, lockHolder } = await this.#database.writeConcurrently(async (tx) => ({
      lease: await this.#node.readLease(tx),
      oldest: await oldestWaiting(tx, maxMs),
      lockHolder: await foreignLockHolder(tx),
    }))
    this.#requireWritable(lockHolder)
    this.#requireLease(lease)
    this.#requireProgress(oldest)
  }

  /** Locks of services are not checked: long ones, such as an import's, end by themselves. */
  #requireWritable(lockHolder = ''): void {
    const now = this.#clock()
    if (lockHolder !== this.#lockHolder) {
      this.#lockHolder = lockHolder
      this.#lockHolderSince = now
    }
    if (lockHolder === '' || now - this.#lockHolderSince <= lockedAtMost) return
    const seconds = lockedAtMost / 1000
    throw new Fault('unavailable', `nothing can be changed: ${lockHolder} for more than ${seconds} seconds`)
  }

  #requireLease({ isReleased, expiredForMs }: LeaseRow): void {
    const now = this.#clock()
    // A lease that was released in order has no end, so the time counts from when that was first seen.
    if (!isReleased) this.#vacantSince = undefined
    else this.#vacantSince ??= now
    const vacant = this.#vacantSince === undefined ? expiredForMs : now - this.#vacantSince
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
    if (!oldest || oldest.age <= maxMs || oldest.othersProcessed) return
    if (now - this.#oldestSince > forOne)
      throw notProcessed(`some have waited for more than ${maxMs / 1000} seconds`)
  }
}

const notProcessed = (why: string) => new Fault('unavailable', `traps are not processed: ${why}`)

const quiet = 3_600_000

/** Ends alarms about quarantined datagrams when none has followed for an hour. Called periodically by the leader. */
export async function endQuarantineAlarms(
  database: Database,
  alarms: AlarmChanger,
  now: number,
): Promise<void> {
  const open = await openServiceAlarms(database, 'datagramsAside')
  if (open.size === 0) return
  const last = await lastQuarantined(database)
  for (const resource of open) {
    const node = resource.slice('node='.length)
    // Also if the clock was set back meanwhile.
    if (Math.abs(now - (last.get(node) ?? 0)) < quiet) continue
    const text = `For an hour no datagram that node ${node} received was quarantined`
    await recoverServiceAlarm(alarms, 'datagramsAside', resource, text)
  }
}

/**
 * Finds sessions of other programs, such as an administrator's, that prevent all services from writing. Each of the two
 * tables has one row: every change locks that of `writer`, and every change of the leader that of `fence`. Reads and
 * background work of PostgreSQL do not conflict with that. A prepared transaction has no session.
 */
const foreignLocksSql = `select l.pid, a.application_name as name, l.relation::regclass::text as locked
  from pg_locks l left join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'relation' and l.granted and l.relation in ('writer'::regclass, 'fence'::regclass)
    and l.database = (select oid from pg_database where datname = current_database())
    and l.mode not in ('AccessShareLock', 'ShareUpdateExclusiveLock')
    and coalesce(a.application_name, '') not like 'belfry %'
  order by l.pid limit 1`

/** Describes who has locked which table. */
async function foreignLockHolder(reader: Reader): Promise<string | undefined> {
  const [row] = await reader.all(foreignLocksSql)
  if (!row) return undefined
  const { pid, name, locked } = row
  const session = pid === null ? 'a prepared transaction' : `process ${pid} of PostgreSQL`
  return `${session}${name ? ` (${name})` : ''}, which is no service, has locked ${locked}`
}
