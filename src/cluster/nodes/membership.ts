// The nodes that run on one store. Each has a row, and updates it to show that it is alive.

import { Fault } from '../../fault.ts'
import type { Reader, Row, Store, Transaction } from '../../store/database.ts'
import { clamp, clockSql } from '../../store/postgres/store-clock.ts'

export interface NodeRow {
  readonly name: string
  /** When it started, on the store's clock. */
  readonly start: number
  readonly address: string
  readonly version: string
  readonly lastSign: number
  /** How far its clock is ahead of the store's, in milliseconds. */
  readonly clockOffset: number
  /** Whether it was stopped in order. */
  readonly stopped: boolean
  /** Whether it has been declared gone. */
  readonly gone: boolean
}

interface NodeIdentity {
  readonly name: string
  readonly version: string
  /** Where it answers HTTP; empty before it does. */
  address?(): string
}

export class Membership {
  readonly #database: Store
  readonly #version: string
  readonly name: string
  /** Distinguishes this run of the node from its earlier ones. */
  readonly start: number
  readonly #address: () => string
  #offset = 0

  private constructor(database: Store, { name, version, address = () => '' }: NodeIdentity, start: number) {
    this.#database = database
    this.name = name
    this.#version = version
    this.#address = address
    this.start = start
  }

  static async join(database: Store, joining: NodeIdentity): Promise<Membership> {
    const { name, version } = joining
    const start = await database.writeUrgently(async (tx) => {
      const [row] = await tx.all(
        `insert into node (name, start, address, version, last_sign, clock_offset, stopped, gone)
         values (?, ${clockSql}, '', ?, ${clockSql}, 0, 0, 0)
         on conflict (name) do update set start = greatest(excluded.start, node.start + 1), address = '', version = excluded.version, last_sign = excluded.last_sign, stopped = 0, gone = 0
         returning start`,
        [name, version],
      )
      return Number(row?.start)
    })
    const membership = new Membership(database, joining, start)
    await database.writeUrgently((tx) => membership.writeHeartbeat(tx))
    return membership
  }

  /** Milliseconds that the clock of this machine is ahead of the store's. */
  get offset(): number {
    return this.#offset
  }

  /**
   * Updates the row of this node to show that it is alive. `mark` says how much of the store it has seen, so that a store
   * that was restored to an older state is noticed. Throws if another service has taken its name. The row may hold an earlier
   * start or be missing: the store was restored, or its clock jumped and this node seemed to be silent for days.
   */
  async writeHeartbeat(tx: Transaction, mark = ''): Promise<void> {
    const before = Date.now()
    // In one statement, with the offset measured last time, because every round trip may be slow.
    const [signed] = await tx.all(
      `insert into node (name, start, address, version, last_sign, clock_offset, stopped, gone, mark)
       values (?, ?, ?, ?, ${clockSql}, ?, 0, 0, ?)
       on conflict (name) do update set start = excluded.start, address = excluded.address, version = excluded.version, last_sign = excluded.last_sign, clock_offset = excluded.clock_offset, stopped = 0, gone = 0, mark = excluded.mark
       where node.start <= excluded.start returning last_sign`,
      [this.name, this.start, this.#address(), this.#version, this.#offset, mark],
    )
    if (!signed) {
      const message = `another service on this store has started as node ${this.name}: give each its own name with --node`
      throw new Fault('conflict', message, { field: 'node' })
    }
    const now = Number(signed.last_sign)
    // The answer bounds the offset: the slower it is, the less it says.
    this.#offset = clamp(this.#offset, before - now, Date.now() - now)
  }

  /** Records an orderly stop: no alarm is needed. */
  async leave(): Promise<void> {
    await this.#database.writeUrgently((tx) =>
      tx.run(`update node set stopped = 1, last_sign = ${clockSql} where name = ? and start = ?`, [
        this.name,
        this.start,
      ]),
    )
  }
}

export async function storeNow(reader: Reader): Promise<number> {
  const [row] = await reader.all(`select ${clockSql} as now`)
  return Number(row?.now)
}

/** A node in the state that was read: if it has signed since then, it is left alone. */
type SeenNode = Pick<NodeRow, 'name' | 'start' | 'lastSign'>

/** Marks a node as gone until it signs again. */
export async function declareGone(database: Store, { name, start, lastSign }: SeenNode): Promise<void> {
  await database.writeUrgently((tx) =>
    tx.run('update node set gone = 1 where name = ? and start = ? and last_sign = ?', [
      name,
      start,
      lastSign,
    ]),
  )
}

export async function forgetNode(database: Store, { name, start, lastSign }: SeenNode): Promise<void> {
  await database.writeUrgently(async (tx) => {
    const forgotten = await tx.run('delete from node where name = ? and start = ? and last_sign = ?', [
      name,
      start,
      lastSign,
    ])
    if (forgotten > 0) await tx.run('delete from node_profile where node = ?', [name])
  })
}

/** The high-water marks: how much of the store each node has seen. */
export async function readHighWaterMarks(reader: Reader): Promise<string[]> {
  const rows = await reader.all("select mark from node where mark <> ''")
  return rows.map(({ mark }) => String(mark))
}

export async function listNodes(reader: Reader): Promise<NodeRow[]> {
  const rows = await reader.all(
    'select name, start, address, version, last_sign, clock_offset, stopped, gone from node order by name',
  )
  return rows.map(nodeOf)
}

const nodeOf = (row: Row): NodeRow => ({
  name: String(row.name),
  start: Number(row.start),
  address: String(row.address),
  version: String(row.version),
  lastSign: Number(row.last_sign),
  clockOffset: Number(row.clock_offset),
  stopped: row.stopped === 1n,
  gone: row.gone === 1n,
})
