// The latest authenticated messages that were accepted, stored in a ring together with their outcome, so that a node
// that takes over does not accept them again.

import { bulk, type Database, type SqlValue, type Transaction } from '../store/database.ts'
import type { Seen } from './snmp-engines.ts'

const messageLimit = 131_072

interface KeptMessage extends Pick<Seen, 'boots' | 'time' | 'digest'> {
  /** In hex. */
  readonly engineId: string
}

export class SeenMessages {
  readonly #size: number
  /** The messages in the store when it was opened, the oldest first. */
  readonly kept: readonly KeptMessage[]
  readonly #unwritten = new Set<Seen>()
  #next: number

  constructor(kept: readonly KeptMessage[] = [], next = 0, limit = messageLimit) {
    this.kept = kept
    this.#next = next
    this.#size = limit
  }

  static async open(database: Database, limit = messageLimit): Promise<SeenMessages> {
    const rows = await database.all(
      'select number, engine_id, boots, time, digest from snmp_seen order by number',
    )
    const kept = rows.map((row) => ({
      engineId: String(row.engine_id),
      boots: Number(row.boots),
      time: Number(row.time),
      digest: Buffer.from(String(row.digest), 'hex').toString('latin1'),
    }))
    return new SeenMessages(kept, Number(rows.at(-1)?.number ?? -1n) + 1, limit)
  }

  /** Whether older messages have been overwritten. */
  get isFull(): boolean {
    return this.kept.length >= this.#size
  }

  note(seen: Seen): void {
    this.#unwritten.add(seen)
  }

  forget(seen: Seen): void {
    this.#unwritten.delete(seen)
  }

  /** Writes new messages, in the transaction of their outcomes. */
  async write(tx: Transaction): Promise<void> {
    const rows: SqlValue[][] = []
    let number = this.#next
    const messages = [...this.#unwritten]
    for (const { engine, boots, time, digest } of messages) {
      const hex = Buffer.from(digest, 'latin1').toString('hex')
      rows.push([number % this.#size, number, engine.id, boots, time, hex])
      number += 1
    }
    await tx.runEach(insertMessage, rows)
    // More may have been added while the store was writing these.
    const first = this.#next
    tx.afterCommit(
      () => {
        this.#next = number
        for (const message of messages) this.#unwritten.delete(message)
      },
      () => {
        this.#next = first
        for (const message of messages) this.#unwritten.add(message)
      },
    )
  }
}

const insertMessage = bulk(
  'insert into snmp_seen (slot, number, engine_id, boots, time, digest) values (?, ?, ?, ?, ?, ?) on conflict (slot) do update set number = excluded.number, engine_id = excluded.engine_id, boots = excluded.boots, time = excluded.time, digest = excluded.digest',
  ['bigint', 'bigint', 'text', 'bigint', 'bigint', 'text'],
)

const digestLimit = 131_072

/**
 * The digests of messages from users whose time window is not enforced. Nothing else distinguishes a replay from a new
 * message, so the latest are stored in a ring, which is written together with the traps.
 */
export class AcceptedDigests {
  readonly #size: number
  /** In hex, the oldest first. */
  readonly #digests: Set<string>
  /** By number. */
  readonly #unwritten = new Map<number, string>()
  #next: number

  constructor(limit = digestLimit, digests: readonly string[] = [], next = 0) {
    this.#size = limit
    this.#digests = new Set(digests)
    this.#next = next
  }

  static async open(database: Database, limit = digestLimit): Promise<AcceptedDigests> {
    const rows = await database.all('select number, digest from snmp_taken order by number')
    const latest = rows.slice(-limit)
    const next = Number(latest.at(-1)?.number ?? -1n) + 1
    const digests = latest.map((row) => String(row.digest))
    return new AcceptedDigests(limit, digests, next)
  }

  get count(): number {
    return this.#digests.size
  }

  /** Returns false if the message was accepted before. */
  take(digest: Uint8Array): boolean {
    const key = Buffer.from(digest).toString('hex')
    if (this.#digests.has(key)) return false
    this.#digests.add(key)
    this.#unwritten.set(this.#next, key)
    // If the store fails for long, those that the ring has overwritten need not be written.
    this.#unwritten.delete(this.#next - this.#size)
    this.#next += 1
    const [oldest] = this.#digests
    if (this.#digests.size > this.#size && oldest !== undefined) this.#digests.delete(oldest)
    return true
  }

  /** Writes new digests, in the transaction of the block that they came with. */
  async write(tx: Transaction): Promise<void> {
    if (this.#unwritten.size === 0) return
    const rows: SqlValue[][] = []
    const written = [...this.#unwritten]
    for (const [number, digest] of written) rows.push([number % this.#size, number, digest])
    await tx.runEach(insertDigest, rows)
    // More may have been added while the store was writing these.
    tx.afterCommit(
      () => {
        for (const [number] of written) this.#unwritten.delete(number)
      },
      () => {
        for (const [number, digest] of written) this.#unwritten.set(number, digest)
      },
    )
  }
}

const insertDigest = bulk(
  'insert into snmp_taken (slot, number, digest) values (?, ?, ?) on conflict (slot) do update set number = excluded.number, digest = excluded.digest',
  ['bigint', 'bigint', 'text'],
)
