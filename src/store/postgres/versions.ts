// Versions of tables as the writer's row has them: every service on the store sees what any of them has written.

import { Versions } from '../database.ts'

export interface WriterRow {
  /** Grows with every commit that wrote anything. */
  readonly number: bigint
  /** Table → version, as JSON. */
  readonly versions: string
}

const apart = 2 ** 40

export class StoredVersions extends Versions {
  #number = -1n
  /** Grows with every timeline. */
  #base = 0
  #stored: Readonly<Record<string, number>> = {}

  /** The last row that is known. */
  get number(): bigint {
    return this.#number
  }

  override of(table: string): number {
    return (this.#stored[table] ?? 0) + this.#base
  }

  /** The server is another one: versions of its timeline may be the same numbers, and lower ones may be newer. */
  forget(): void {
    this.#base += apart
    this.#number = -1n
  }

  /** As it was read, possibly before a newer one became known. */
  seen(row: WriterRow): void {
    if (row.number > this.#number) this.held(row)
  }

  /** As it is while we have locked it. */
  held({ number, versions }: WriterRow): void {
    if (number === this.#number) return
    this.#number = number
    this.#stored = JSON.parse(versions)
  }
}

/** The row that a commit makes of the one that it has locked; undefined where nothing was written. */
export function rowAfter(
  { number, versions }: WriterRow,
  written: Iterable<string | undefined>,
): WriterRow | undefined {
  const before: Readonly<Record<string, number>> = JSON.parse(versions)
  const grown: Record<string, number> = {}
  for (const table of written) if (table) grown[table] = (before[table] ?? 0) + 1
  if (Object.keys(grown).length === 0) return undefined
  return { number: number + 1n, versions: JSON.stringify({ ...before, ...grown }) }
}
