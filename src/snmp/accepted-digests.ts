// The digests of messages that were accepted from users whose time window is not enforced. Nothing else distinguishes a
// replay of theirs from a new message, so they are stored: a ring of the latest, written with the traps themselves.

import { bulk, type Database, type SqlValue, type Transaction } from '../store/database.ts'

const size = 131_072

export class AcceptedDigests {
  readonly #size: number
  /** In hex, the oldest first. */
  readonly #digests: Set<string>
  /** By number. */
  readonly #unwritten = new Map<number, string>()
  #next: number

  constructor(limit = size, digests: readonly string[] = [], next = 0) {
    this.#size = limit
    this.#digests = new Set(digests)
    this.#next = next
  }

  static async open(database: Database, limit = size): Promise<AcceptedDigests> {
    const rows = await database.all('select number, digest from snmp_taken order by number')
    const latest = rows.slice(-limit)
    const next = Number(latest.at(-1)?.number ?? -1n) + 1
    const digests = latest.map((row) => String(row.digest))
    return new AcceptedDigests(limit, digests, next)
  }

  get count(): number {
    return this.#digests.size
  }

  /** False where the message was accepted before. */
  take(digest: Uint8Array): boolean {
    const key = Buffer.from(digest).toString('hex')
    if (this.#digests.has(key)) return false
    this.#digests.add(key)
    this.#unwritten.set(this.#next, key)
    // Where the store fails for long, only those are left to write that the ring still holds.
    this.#unwritten.delete(this.#next - this.#size)
    this.#next += 1
    const [oldest] = this.#digests
    if (this.#digests.size > this.#size && oldest !== undefined) this.#digests.delete(oldest)
    return true
  }

  /** Writes what is new, in the transaction of the block that brought it. */
  async write(tx: Transaction): Promise<void> {
    if (this.#unwritten.size === 0) return
    const rows: SqlValue[][] = []
    const numbers = [...this.#unwritten.keys()]
    for (const [number, digest] of this.#unwritten) rows.push([number % this.#size, number, digest])
    await tx.runEach(written, rows)
    // Others may have come while the store was writing these.
    tx.afterCommit(() => {
      for (const number of numbers) this.#unwritten.delete(number)
    })
  }
}

const written = bulk(
  'insert into snmp_taken (slot, number, digest) values (?, ?, ?) on conflict (slot) do update set number = excluded.number, digest = excluded.digest',
  ['bigint', 'bigint', 'text'],
)
