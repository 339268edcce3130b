// A cache of short answers to lists, because boards and programs poll the same page. An answer is valid until a table
// that it was read from is written to.

import type { Database } from '../../store/database.ts'
import { versionOf } from '../../store/table-cache.ts'

interface CachedAnswer {
  readonly text: string
  readonly total: number
}

interface Kept extends CachedAnswer {
  readonly tables: readonly string[]
  readonly version: number
}

const answerLimit = 64 * 1024
const wholeLimit = 4 * 1024 * 1024

export class CachedAnswers {
  readonly #answers = new Map<string, Kept>()
  #size = 0

  find(database: Database, key: string): CachedAnswer | undefined {
    const kept = this.#answers.get(key)
    if (kept === undefined) return undefined
    if (kept.version === versionOf(database, kept.tables)) return kept
    this.#forget(key, kept)
    return undefined
  }

  /** `version` is that of the tables before they were read: what was written meanwhile must not be missed. */
  keep(key: string, answer: Kept): void {
    if (answer.text.length > answerLimit) return
    const before = this.#answers.get(key)
    if (before) this.#forget(key, before)
    this.#answers.set(key, answer)
    this.#size += sizeOf(key, answer)
    for (const [oldest, kept] of this.#answers) {
      if (this.#size <= wholeLimit) break
      this.#forget(oldest, kept)
    }
  }

  #forget(key: string, kept: Kept): void {
    this.#answers.delete(key)
    this.#size -= sizeOf(key, kept)
  }
}

const sizeOf = (key: string, { text }: CachedAnswer) => key.length + text.length
