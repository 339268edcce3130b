// The progress of an import in batches. A batch and its progress are one transaction, so an interrupted import
// continues there when the file is sent again.

import { Fault } from '../fault.ts'
import { importTable, type Reader, type Transaction } from '../store/database.ts'

/** Identifies a file by its kind of records and its SHA-256. */
export interface ImportedFile {
  readonly resource: string
  readonly digest: string
}

export interface ImportProgress {
  readonly rows: number
  readonly replaced: number
}

/** Milliseconds. After a longer time, the import is assumed to have been completed by other means, and starts again. */
const resumedWithin = 24 * 3_600_000

const ofFile = 'where resource = ? and digest = ?'

/** How far the file came before it was interrupted. */
export async function brokenOff(
  reader: Reader,
  { resource, digest }: ImportedFile,
  now: number,
): Promise<ImportProgress | undefined> {
  const [row] = await reader.all(
    `select rows_done, rows_replaced from ${importTable} ${ofFile} and time > ?`,
    [resource, digest, now - resumedWithin],
  )
  return row && { rows: Number(row.rows_done), replaced: Number(row.rows_replaced) }
}

/** Records the next batch. Two callers that send the same file at once do not share the work: the second is refused. */
export async function noteProgress(
  tx: Transaction,
  { resource, digest }: ImportedFile,
  before: ImportProgress | undefined,
  after: ImportProgress,
): Promise<void> {
  const done = [after.rows, after.replaced, tx.now]
  if (!before) await tx.run(`delete from ${importTable} where time <= ?`, [tx.now - resumedWithin])
  const noted = before
    ? await tx.run(
        `update ${importTable} set rows_done = ?, rows_replaced = ?, time = ? ${ofFile} and rows_done = ?`,
        [...done, resource, digest, before.rows],
      )
    : await tx.run(
        `insert into ${importTable} (rows_done, rows_replaced, time, resource, digest) values (?, ?, ?, ?, ?) on conflict (resource, digest) do nothing`,
        [...done, resource, digest],
      )
  if (noted === 0) throw new Fault('conflict', 'the same file is being imported already')
}

/** The whole file is imported: sent once more, it is another file. */
export async function importEnded(tx: Transaction, { resource, digest }: ImportedFile): Promise<void> {
  await tx.run(`delete from ${importTable} ${ofFile}`, [resource, digest])
}
