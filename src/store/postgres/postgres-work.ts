// Starts threads for long work on a store in PostgreSQL; each has its own connections.

import { Fault } from '../../fault.ts'
import { RequestThread, type SerializedError, threadFile } from '../worker-thread.ts'

/** What a thread needs to open the store. */
export interface StoreAccess {
  readonly address: string
  readonly passwordFile: string
}

export interface ThreadWork {
  readonly module: string
  readonly input: unknown
}

const threadOf = (access: StoreAccess) =>
  new RequestThread<ThreadWork>(threadFile('./postgres-thread.ts', import.meta.url), access, deserializeError)

/** One thread is kept for all work; work that needs its own gets another. */
export class PostgresThreads {
  readonly #place: StoreAccess
  #thread: RequestThread<ThreadWork> | undefined

  constructor(access: StoreAccess) {
    this.#place = access
  }

  async run<T>(question: ThreadWork, ownThread: boolean): Promise<T> {
    if (!ownThread) {
      if (!this.#thread?.alive) this.#thread = threadOf(this.#place)
      return await this.#thread.request<T>(question)
    }
    const thread = threadOf(this.#place)
    try {
      return await thread.request<T>(question)
    } finally {
      await thread.close()
    }
  }

  async close(): Promise<void> {
    await this.#thread?.close()
  }
}

export function serializeError(error: unknown): SerializedError {
  const { message } = error as Error
  return error instanceof Fault ? { message, code: error.code, field: error.field } : { message }
}

function deserializeError({ message, code, field }: SerializedError): unknown {
  if (code === undefined) return new Error(message)
  return new Fault(code as Fault['code'], message, field === undefined ? {} : { field: String(field) })
}
