// Reads only what is durable, while commits wait for their flush. Two connections take turns: one keeps the state of the
// last flush that has succeeded, the other takes the state that the flush under way will have made durable.

import type { SqlValue } from '../database.ts'
import { Connection, type ResultSet } from './sqlite-connection.ts'

/**
 * A transaction of a reader keeps its state from its first query on. This one needs no schema: after each migration, two
 * connections would parse all of it again.
 */
export const firstQuery = 'pragma user_version'

class Snapshots {
  readonly connection: Connection
  #isHeld = false

  constructor(file: string) {
    this.connection = new Connection(file, 'read')
  }

  /** Keeps the state of now, unless it keeps one already. */
  hold(): void {
    if (this.#isHeld) return
    this.connection.run('begin')
    this.#isHeld = true
    try {
      this.connection.all(firstQuery)
    } catch (error) {
      this.release()
      throw error
    }
  }

  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.connection.run('commit')
  }
}

export class DurableReader {
  #current: Snapshots
  #coming: Snapshots

  constructor(file: string) {
    this.#current = new Snapshots(file)
    this.#coming = new Snapshots(file)
  }

  find(sql: string, parameters: readonly SqlValue[], enough?: number): ResultSet {
    return this.#current.connection.find(sql, parameters, enough)
  }

  /** Called before a commit: what it writes is not shown yet. */
  hold(): void {
    this.#current.hold()
  }

  /** Called when a flush begins: takes the state that it covers. Throws where that cannot be read. */
  prepare(): void {
    this.#coming.release()
    this.#coming.hold()
  }

  /** Called when it has succeeded. */
  advance(): void {
    const former = this.#current
    this.#current = this.#coming
    this.#coming = former
    former.release()
  }

  /** Called when all commits are durable: a state that is kept would hold up checkpoints. */
  release(): void {
    this.#coming.release()
    this.#current.release()
  }

  close(): void {
    this.#current.connection.close()
    this.#coming.connection.close()
  }
}
