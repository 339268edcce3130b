// Work that takes long on a store in PostgreSQL: a thread does it, with connections of its own.

import { Fault } from '../../fault.ts'
import { AskedThread, type SentError, threadFile } from '../worker-thread.ts'

/** What the thread needs to open the store. */
export interface WorkPlace {
  readonly address: string
  readonly passwordFile: string
}

export interface WorkQuestion {
  readonly module: string
  readonly input: unknown
}

const threadOf = (place: WorkPlace) =>
  new AskedThread<WorkQuestion>(threadFile('./postgres-thread.ts', import.meta.url), place, revive)

/** The thread, from the first work to the end; work that needs one for itself gets another. */
export class PostgresWork {
  readonly #place: WorkPlace
  #thread: AskedThread<WorkQuestion> | undefined

  constructor(place: WorkPlace) {
    this.#place = place
  }

  async run<T>(question: WorkQuestion, ownThread: boolean): Promise<T> {
    if (!ownThread) {
      if (!this.#thread?.alive) this.#thread = threadOf(this.#place)
      return await this.#thread.ask<T>(question)
    }
    const thread = threadOf(this.#place)
    try {
      return await thread.ask<T>(question)
    } finally {
      await thread.close()
    }
  }

  async close(): Promise<void> {
    await this.#thread?.close()
  }
}

export function sent(error: unknown): SentError {
  const { message } = error as Error
  return error instanceof Fault ? { message, code: error.code, field: error.field } : { message }
}

function revive({ message, code, field }: SentError): unknown {
  if (code === undefined) return new Error(message)
  return new Fault(code as Fault['code'], message, field === undefined ? {} : { field: String(field) })
}
