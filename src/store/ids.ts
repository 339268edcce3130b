// Ids of new rows and numbers of the log, from counter rows. A transaction reads a counter once, numbers in memory and
// writes the row at its end; whoever numbers anything inside it takes from here, so that no number is taken twice.

import { requireUnused } from './counter.ts'
import { bulk, type SqlValue, type Transaction, type Unwritten } from './database.ts'

const read = bulk('select name, value from counter where name = ?', ['text'])
const written = bulk(
  'insert into counter (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  ['text', 'bigint'],
)

/** Reads the counters, and returns a function that takes the next number of one. */
export async function openIds<Name extends string>(
  tx: Transaction,
  ...names: readonly Name[]
): Promise<(name: Name) => bigint> {
  const last = await lastIds(tx, names)
  return (name) => {
    const id = (last.get(name) ?? 0n) + 1n
    setLast(tx, name, id)
    return id
  }
}

export async function nextId(tx: Transaction, name: string): Promise<bigint> {
  const next = await openIds(tx, name)
  return next(name)
}

/** An id that came from a file: ids that are assigned later must lie above it. */
export async function reserveId(tx: Transaction, name: string, id: bigint): Promise<void> {
  const last = await lastIds(tx, [name])
  if (id > (last.get(name) ?? 0n)) setLast(tx, name, id)
}

/** The last number of each counter, with those named among them. */
async function lastIds(tx: Transaction, names: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const { last } = idsOf(tx)
  const unread = names.filter((name) => !last.has(name))
  if (unread.length === 0) return last
  const rows = await tx.allEach(
    read,
    unread.map((name) => [name]),
  )
  const values = new Map(rows.map((row) => [String(row.name), row.value as bigint]))
  for (const name of unread) {
    // Somebody else who read it at the same time may have taken some by now.
    if (last.has(name)) continue
    const value = values.get(name) ?? 0n
    requireUnused(tx, name, value)
    last.set(name, value)
  }
  return last
}

function setLast(tx: Transaction, name: string, id: bigint): void {
  const { last, taken } = idsOf(tx)
  last.set(name, id)
  // Once for all: also where a task at the end of the transaction takes some more.
  if (taken.size === 0) tx.beforeCommit(() => write(tx))
  taken.add(name)
}

async function write(tx: Transaction): Promise<void> {
  const { last, taken } = idsOf(tx)
  // Rows are locked in the order of their names.
  const rows = [...taken].sort().map((name): SqlValue[] => [name, last.get(name) ?? 0n])
  taken.clear()
  await tx.runEach(written, rows)
}

function idsOf(tx: Transaction): NonNullable<Unwritten['ids']> {
  tx.unwritten.ids ??= { last: new Map(), taken: new Set() }
  return tx.unwritten.ids
}
