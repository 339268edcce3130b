// The authenticated messages that were accepted recently, stored together with their outcome: another service that
// takes over knows which of them it must not accept again. A ring of the latest.

import { bulk, type Database, type SqlValue, type Transaction } from '../store/database.ts'
import type { Seen } from './snmp-engines.ts'

const size = 131_072

interface KeptMessage extends Pick<Seen, 'boots' | 'time' | 'digest'> {
  /** In hex. */
  readonly engineId: string
}

export class SeenMessages {
  readonly #size: number
  /** As they were in the store when it was opened, the oldest first. */
  readonly kept: readonly KeptMessage[]
  readonly #unwritten = new Set<Seen>()
  #next: number

  constructor(kept: readonly KeptMessage[] = [], next = 0, limit = size) {
    this.kept = kept
    this.#next = next
    this.#size = limit
  }

  static async open(database: Database, limit = size): Promise<SeenMessages> {
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

  /** Whether older ones have had to make room. */
  get isFull(): boolean {
    return this.kept.length >= this.#size
  }

  note(seen: Seen): void {
    this.#unwritten.add(seen)
  }

  forget(seen: Seen): void {
    this.#unwritten.delete(seen)
  }

  /** Writes what is new, in the transaction of its outcome. */
  async write(tx: Transaction): Promise<void> {
    const rows: SqlValue[][] = []
    let number = this.#next
    const messages = [...this.#unwritten]
    for (const { engine, boots, time, digest } of messages) {
      const hex = Buffer.from(digest, 'latin1').toString('hex')
      rows.push([number % this.#size, number, engine.id, boots, time, hex])
      number += 1
    }
    await tx.runEach(written, rows)
    // Others may have come while the store was writing these.
    tx.afterCommit(() => {
      this.#next = number
      for (const message of messages) this.#unwritten.delete(message)
    })
  }
}

const written = bulk(
  'insert into snmp_seen (slot, number, engine_id, boots, time, digest) values (?, ?, ?, ?, ?, ?) on conflict (slot) do update set number = excluded.number, engine_id = excluded.engine_id, boots = excluded.boots, time = excluded.time, digest = excluded.digest',
  ['bigint', 'bigint', 'text', 'bigint', 'bigint', 'text'],
)
