// Failed logins counted by all nodes of one store together, so that guessing at two nodes gives no more attempts than
// at one. Each node writes its failures a few times a second at most, and reads those of the others when their number
// has grown.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Row, Transaction } from '../../store/database.ts'
import { nextId } from '../../store/ids.ts'
import { type Failure, failureMemory } from '../lock-out.ts'

interface Parts {
  readonly database: Database
  readonly clock: () => number
  readonly onError?: (error: unknown) => void
}

const table = 'login_failure'
/** Milliseconds until the other nodes can know of a failure. */
const gathering = 100
/** The most that are reported at once; a flood is stopped by the counts per address long before. */
const reportLimit = 50
const learntAtOnce = 1000

export class SharedFailures {
  readonly #parts: Parts
  /** Identifies this run. */
  readonly #self = randomUUID()
  #unwritten: Failure[] = []
  #isWriting = false
  #version = -1
  #learnt = 0n

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** A store in a file has one service, so there is no other node to inform. */
  get #isShared(): boolean {
    return this.#parts.database.kind === 'postgres'
  }

  /** Reports a failure to the other nodes, soon. */
  report(failure: Failure): void {
    if (!this.#isShared || this.#unwritten.length >= reportLimit) return
    this.#unwritten.push(failure)
    if (!this.#isWriting) void this.#writeSoon()
  }

  async #writeSoon(): Promise<void> {
    this.#isWriting = true
    await sleep(gathering, undefined, { ref: false })
    const batch = this.#unwritten
    this.#unwritten = []
    this.#isWriting = false
    const { database, onError } = this.#parts
    await database.transaction((tx) => this.#write(tx, batch)).catch((error) => onError?.(error))
  }

  async #write(tx: Transaction, failures: readonly Failure[]): Promise<void> {
    await tx.run(`delete from ${table} where at < ?`, [tx.now - failureMemory])
    for (const { operatorId, nameDigest, place, at } of failures) {
      const id = await nextId(tx, table)
      await tx.run(
        `insert into ${table} (id, seen_by, operator_id, name_digest, place, at) values (?, ?, ?, ?, ?, ?)`,
        [id, this.#self, operatorId ?? 0n, nameDigest, place, at],
      )
    }
  }

  /** The failures that other nodes have written since the last call. */
  async learn(): Promise<Failure[]> {
    if (!this.#isShared) return []
    const { database, clock } = this.#parts
    const version = database.version(table)
    if (version === this.#version) return []
    const rows = await database.all(
      `select id, operator_id, name_digest, place, at from ${table} where id > ? and seen_by <> ? and at >= ? order by id limit ${learntAtOnce}`,
      [this.#learnt, this.#self, clock() - failureMemory],
    )
    const failures = rows.filter((row) => (row.id as bigint) > this.#learnt).map(failureOf)
    this.#learnt = (rows.at(-1)?.id as bigint | undefined) ?? this.#learnt
    if (rows.length < learntAtOnce) this.#version = version
    return failures
  }
}

const failureOf = (row: Row): Failure => ({
  operatorId: row.operator_id === 0n ? undefined : (row.operator_id as bigint),
  nameDigest: String(row.name_digest),
  place: String(row.place),
  at: Number(row.at),
})
