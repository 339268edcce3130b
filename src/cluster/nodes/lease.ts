// The lease: whichever node holds it is the leader. It is renewed independently of all other work, on the store's
// clock. The lease says who should process traps; the fence enforces that nobody else does, see fence.ts.

import type { Reader, Row, Store, Transaction } from '../../store/database.ts'
import type { Membership } from './membership.ts'
import { clockSql, identityOf, identitySql, isSameServer, type ServerIdentity } from './server-identity.ts'

export interface LeaseRow {
  readonly holder: string
  readonly start: number
  readonly term: bigint
  /** Whether its time has run out. */
  readonly hasExpired: boolean
  readonly remainingMs: number
  readonly expiredForMs: number
  /** Whether it was given up in order. */
  readonly isReleased: boolean
  /** Whether its holder has begun its term and has no connection to the store: it was killed, or cut off. */
  readonly isAbandoned: boolean
  /** The last term that has begun. */
  readonly fencedTerm: bigint
  /** Server and timeline of the store now, and when the term began. */
  readonly server: ServerIdentity
  readonly termServer: ServerIdentity
}

/** A lease that ends later than this was taken before the store's clock was set back. */
const maxLeaseMs = 120_000
const expiredSql = `(ends_at <= ${clockSql} or ends_at > ${clockSql} + ${maxLeaseMs})`

/**
 * All sessions of a node have one name, which is in the fence row. That our own sessions are found shows that names are
 * visible.
 */
const abandonedSql = `(f.backend <> '' and f.term = l.term
  and not exists (select 1 from pg_stat_activity where application_name = f.backend)
  and exists (select 1 from pg_stat_activity where application_name = current_setting('application_name')))`

const leaseSql = `select l.holder, l.start, l.term, ${expiredSql} as is_over, ${abandonedSql} as is_left, l.ends_at - ${clockSql} as left_over, l.ends_at = 0 as is_released, ${identitySql}, f.term as fenced_term, f.system as fenced_system, f.timeline as fenced_timeline
  from lease l join fence f on f.one = l.one where l.one = 1`

export class Lease {
  readonly #database: Store
  readonly #milliseconds: number

  constructor(database: Store, seconds: number) {
    this.#database = database
    this.#milliseconds = seconds * 1000
  }

  /** Creates the rows, if nobody has before. */
  async prepare(): Promise<void> {
    await this.#database.writeUrgently(async (tx) => {
      await tx.run(
        "insert into lease (one, holder, start, term, ends_at) values (1, '', 0, 0, 0) on conflict do nothing",
      )
      await tx.run(
        "insert into fence (one, term, backend, system, timeline) values (1, 0, '', '', 0) on conflict do nothing",
      )
    })
  }

  async read(reader: Reader = this.#database): Promise<LeaseRow> {
    const [row] = await reader.all(leaseSql)
    if (!row) throw new Error('the store has no lease')
    return leaseOf(row)
  }

  /**
   * Takes the lease if it has expired, if this node or an earlier run of it holds it, or if the term is still
   * `abandonedTerm` and its holder still has no connection. Returns the new term, which is higher than `lastTerm`.
   */
  take(node: Membership, { lastTerm = 0n, abandonedTerm = 0n } = {}): Promise<bigint | undefined> {
    return this.#database.writeUrgently(async (tx) => {
      const [row] = await tx.all(
        `update lease l set holder = ?, start = ?, term = greatest(l.term, ?) + 1, ends_at = ${clockSql} + ?
         from fence f where l.one = 1 and f.one = 1 and (${expiredSql} or holder = ? or (l.term = ? and ${abandonedSql})) returning l.term`,
        [node.name, node.start, lastTerm, this.#milliseconds, node.name, abandonedTerm],
      )
      return row?.term as bigint | undefined
    })
  }

  /** Returns false if another node holds it by now. */
  async renew(tx: Transaction, term: bigint): Promise<boolean> {
    const renewed = await tx.run(`update lease set ends_at = ${clockSql} + ? where one = 1 and term = ?`, [
      this.#milliseconds,
      term,
    ])
    return renewed === 1
  }

  /** Gives it up, so that another node can take over at once. */
  async release(term: bigint): Promise<void> {
    await this.#database.writeUrgently((tx) =>
      tx.run('update lease set ends_at = 0 where one = 1 and term = ?', [term]),
    )
  }
}

const leaseOf = (row: Row): LeaseRow => ({
  holder: String(row.holder),
  start: Number(row.start),
  term: row.term as bigint,
  hasExpired: Boolean(row.is_over),
  remainingMs: Math.max(0, Number(row.left_over)),
  expiredForMs: Math.max(0, -Number(row.left_over)),
  isReleased: Boolean(row.is_released),
  isAbandoned: Boolean(row.is_left),
  fencedTerm: row.fenced_term as bigint,
  server: identityOf(row),
  termServer: { system: String(row.fenced_system), timeline: row.fenced_timeline as bigint },
})

/** Whether the server and timeline are the same as when the term began; true if no term has begun. */
export const isOnTermServer = ({ server, termServer }: LeaseRow) =>
  termServer.system === '' || isSameServer(server, termServer)
