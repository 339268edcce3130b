// Short answers to lists that are asked for again and again: boards and programs poll the same page, and most of the
// time nothing has changed. An answer holds until its table is written to.

import type { Database } from '../../store/database.ts'

interface Remembered {
  readonly text: string
  readonly total: number
}

interface Kept extends Remembered {
  readonly table: string
  readonly version: number
}

const answerLimit = 64 * 1024
const wholeLimit = 4 * 1024 * 1024

export class RememberedAnswers {
  readonly #answers = new Map<string, Kept>()
  #size = 0

  find(database: Database, key: string): Remembered | undefined {
    const kept = this.#answers.get(key)
    if (kept === undefined) return undefined
    if (kept.version === database.version(kept.table)) return kept
    this.#forget(key, kept)
    return undefined
  }

  /** `version` is that of the table before it was read: what was written meanwhile must not be missed. */
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

const sizeOf = (key: string, { text }: Remembered) => key.length + text.length
