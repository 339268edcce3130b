// A connection in a thread, and how it is used.

import type { Row, SqlValue, Values } from '../database.ts'
import { AskedThread, threadFile } from '../worker-thread.ts'
import { type Found, rowsOf } from './sqlite-connection.ts'
import { translate } from './sqlite-faults.ts'

/** The requests to a reader thread: a query, the work of a module, a copy of the store, working off the journal. */
export type Question =
  | { readonly sql: string; readonly parameters: readonly SqlValue[]; readonly enough?: number | undefined }
  | { readonly module: string; readonly input: unknown }
  | { readonly copyTo: string; readonly now: number }
  | { readonly workOff: true }

/** Reads beside the main thread, from a connection of its own. */
export class ReaderThread extends AskedThread<Question> {
  constructor(file: string) {
    super(threadFile('./sqlite-thread.ts', import.meta.url), file, (error) =>
      translate(Object.assign(new Error(error.message), error)),
    )
  }

  async all(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
    return rowsOf(await this.ask<Found>({ sql, parameters }))
  }

  async values(sql: string, parameters: readonly SqlValue[], enough?: number): Promise<Values> {
    return (await this.ask<Found>({ sql, parameters, enough })).rows
  }
}
