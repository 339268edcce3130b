// The versions of tables: as transactions see them, with what those before them have written, and as everybody else does,
// with what is durable.

import { Versions } from '../database.ts'

/** Added to all versions when a shared commit has failed, so that they exceed any that was seen inside. */
const versionStep = 2 ** 32

export class DurableVersions extends Versions {
  #base = 0
  readonly #durable = new Map<string, number>()
  /** The tables that members of the commit under way have written to. */
  readonly #written = new Set<string>()
  /** The versions of the commits that no flush covers yet, and of those that the flush under way covers. */
  readonly #unflushed = new Map<string, number>()
  readonly #flushing = new Map<string, number>()

  override of(table: string): number {
    return super.of(table) + this.#base
  }

  durable(table: string): number {
    return (this.#durable.get(table) ?? 0) + this.#base
  }

  /** A member has written to these tables: the next one sees that. */
  grow(tables: Iterable<string | undefined>): void {
    this.committed(tables)
    for (const table of tables) if (table) this.#written.add(table)
  }

  /** What has grown is committed. */
  noteCommit(): void {
    for (const table of this.#written) this.#unflushed.set(table, super.of(table))
    this.#written.clear()
  }

  /** What has grown was rolled back. Where others have read it, whatever was read at any version is no longer valid. */
  undo(wasRead: boolean): void {
    this.#written.clear()
    if (wasRead) this.#base += versionStep
  }

  flushBegins(): void {
    for (const [table, version] of this.#unflushed) this.#flushing.set(table, version)
    this.#unflushed.clear()
  }

  /** What the flush covers is durable; returns whether it wrote to the table. */
  becameDurable(table: string): boolean {
    const hasWritten = this.#flushing.has(table)
    for (const [name, version] of this.#flushing) this.#durable.set(name, version)
    this.#flushing.clear()
    return hasWritten
  }
}
