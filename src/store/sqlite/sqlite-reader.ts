// The main thread's side of the reader thread of SQLite.

import type { Row, SqlValue, Values } from '../database.ts'
import { RequestThread, threadFile } from '../worker-thread.ts'
import { type ResultSet, rowsOf } from './sqlite-connection.ts'
import { translate } from './sqlite-faults.ts'

/** Requests to a reader thread: a query, work of a module, a copy of the store, a checkpoint. */
export type ThreadRequest =
  | { readonly sql: string; readonly parameters: readonly SqlValue[]; readonly enough?: number | undefined }
  | { readonly module: string; readonly input: unknown }
  | { readonly copyTo: string; readonly now: number }
  | { readonly checkpoint: true }

/** Reads in a thread that has its own connection. */
export class ReaderThread extends RequestThread<ThreadRequest> {
  constructor(file: string) {
    super(threadFile('./sqlite-thread.ts', import.meta.url), file, (error) =>
      translate(Object.assign(new Error(error.message), error)),
    )
  }

  async all(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
    return rowsOf(await this.request<ResultSet>({ sql, parameters }))
  }

  async values(sql: string, parameters: readonly SqlValue[], enough?: number): Promise<Values> {
    return (await this.request<ResultSet>({ sql, parameters, enough })).rows
  }
}
