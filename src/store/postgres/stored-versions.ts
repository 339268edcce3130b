// The versions of tables as the writer row keeps them, for all services on the store, and what the transaction of this one
// has added to them.

import { Versions } from '../database.ts'

export interface WriterRow {
  /** Grows with every commit that wrote anything. */
  readonly number: bigint
  /** Table → version, as JSON. */
  readonly versions: string
}

/** Added to all versions when the server changes, so that they exceed any of the former server. */
const versionStep = 2 ** 40

export class StoredVersions extends Versions {
  #number = -1n
  /** Grows with every change of server. */
  #base = 0
  #stored: Readonly<Record<string, number>> = {}
  /** How many members of a shared transaction have written to each table; not committed yet. */
  readonly #grown = new Map<string, number>()

  /** The last number that was read; -1 if none. */
  get number(): bigint {
    return this.#number
  }

  override of(table: string): number {
    return (this.#stored[table] ?? 0) + this.#base
  }

  /** The same for the transaction that writes: it sees what those before it wrote, with which it shares a commit. */
  ofWriter(table: string): number {
    return this.of(table) + (this.#grown.get(table) ?? 0)
  }

  /** A member of a shared transaction has written to these tables. */
  grow(written: Iterable<string | undefined>): void {
    for (const table of written) if (table) this.#grown.set(table, (this.#grown.get(table) ?? 0) + 1)
  }

  /** The writer row after the commit of what has grown; undefined if nothing has. */
  rowAfter({ number, versions }: WriterRow): WriterRow | undefined {
    if (this.#grown.size === 0) return undefined
    const after: Record<string, number> = JSON.parse(versions)
    for (const [table, by] of this.#grown) after[table] = (after[table] ?? 0) + by
    return { number: number + 1n, versions: JSON.stringify(after) }
  }

  /** What has grown was rolled back. Where others have read it, whatever was read at any version is no longer valid. */
  shrink(wasRead: boolean): void {
    this.#grown.clear()
    if (wasRead) this.#base += versionStep
  }

  /** The server has changed: its version numbers may equal those of the former one, or be lower though newer. */
  invalidate(): void {
    this.#base += versionStep
    this.#number = -1n
  }

  /** Takes a row that was read without a lock, so that a newer one may already be known. */
  update(row: WriterRow): void {
    if (row.number > this.#number) this.set(row)
  }

  /** Takes a row that this service has locked. */
  set({ number, versions }: WriterRow): void {
    if (number === this.#number) return
    this.#number = number
    this.#stored = JSON.parse(versions)
    this.#grown.clear()
  }
}
