// Numbers from counter rows: read at the beginning of a transaction, taken in memory, written at its end.

import { requireUnused } from './counter.ts'
import { bulk, type SqlValue, type Transaction } from './database.ts'

const read = bulk('select name, value from counter where name = ?', ['text'])
const written = bulk(
  'insert into counter (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  ['text', 'bigint'],
)

export class Numbers<Name extends string> {
  readonly #last: Map<string, bigint>
  readonly #taken = new Set<string>()

  private constructor(last: Map<string, bigint>) {
    this.#last = last
  }

  /** One transaction writes at a time: nobody else takes any meanwhile. */
  static async gather<Name extends string>(
    tx: Transaction,
    ...names: readonly Name[]
  ): Promise<Numbers<Name>> {
    const rows = await tx.allEach(
      read,
      names.map((name) => [name]),
    )
    const last = new Map(rows.map((row) => [String(row.name), row.value as bigint]))
    for (const name of names) requireUnused(tx, name, last.get(name) ?? 0n)
    return new Numbers(last)
  }

  take(name: Name): bigint {
    const next = (this.#last.get(name) ?? 0n) + 1n
    this.#last.set(name, next)
    this.#taken.add(name)
    return next
  }

  async write(tx: Transaction): Promise<void> {
    if (this.#taken.size === 0) return
    const rows = Array.from(this.#taken, (name): SqlValue[] => [name, this.#last.get(name) ?? 0n])
    this.#taken.clear()
    await tx.runEach(written, rows)
  }
}
