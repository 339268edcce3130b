// A store whose commits a test can hold back, slow down or let fail.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../src/fault.ts'
import type { Store } from '../../src/store/database.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'

export class Gate {
  #opened = Promise.withResolvers<void>()
  #closed = false
  /** Every transaction fails at its end, as on a full disk. */
  failing = false
  /** Every transaction takes this long, milliseconds. */
  delay = 0
  /** Transactions that have come to the gate. */
  came = 0

  close(): void {
    this.#closed = true
    this.#opened = Promise.withResolvers()
  }

  open(): void {
    this.#closed = false
    this.#opened.resolve()
  }

  async pass(): Promise<void> {
    this.came += 1
    if (this.#closed) await this.#opened.promise
    if (this.delay > 0) await sleep(this.delay)
    if (this.failing) throw new Fault('unavailable', 'the disk is full: nothing was saved')
  }
}

/** The store of a data folder, behind a gate: what is held back is not on disk. */
export function gatedStore(folder: string, gate: Gate): () => Promise<Store> {
  return async () => {
    mkdirSync(folder, { recursive: true })
    const database = openSqlite(join(folder, 'belfry.db'))
    const transaction: Store['transaction'] = (work) =>
      database.transaction(async (tx) => {
        const result = await work(tx)
        await gate.pass()
        return result
      })
    return new Proxy(database, {
      get(target, name) {
        if (name === 'transaction') return transaction
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
}
