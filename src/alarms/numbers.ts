import type { Transaction } from '../store/database.ts'

export interface OpenCounter {
  take(): bigint
  /** Writes back how far it got. */
  close(): Promise<void>
}

/** A counter row held for the rest of the transaction: numbers then cost nothing each. */
export async function openCounter(tx: Transaction, name: string): Promise<OpenCounter> {
  // The update locks the row where several write at once.
  const [row] = await tx.all(
    'insert into counter (name, value) values (?, 0) on conflict (name) do update set value = counter.value returning value',
    [name],
  )
  const first = row?.value as bigint
  let last = first
  return {
    take() {
      last += 1n
      return last
    },
    async close() {
      if (last !== first) await tx.run('update counter set value = ? where name = ?', [last, name])
    },
  }
}
