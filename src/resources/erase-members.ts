// Deletes the records that belong to a deleted record.

import type { Transaction } from '../store/database.ts'
import { removeEach } from '../store/table.ts'
import { auditChange } from './access/audit-entry.ts'
import type { Collection } from './collection.ts'

const chunk = 500

/** Removes what belongs to a deleted record: the rows with a value in a column, which must be the only one counted. */
export async function eraseAll(
  tx: Transaction,
  target: Collection,
  column: string,
  value: bigint,
): Promise<void> {
  while ((await eraseSome(tx, target, column, value, chunk)) === chunk);
}

/** Removes as many of them as are asked for, whichever are found first; returns how many there were. */
export async function eraseSome(
  tx: Transaction,
  { resource, table }: Collection,
  column: string,
  value: bigint,
  limit: number,
): Promise<number> {
  const rows = await tx.all(`select ${table.form.shown} from ${table.name} where ${column} = ? limit ?`, [
    value,
    limit,
  ])
  for (const row of rows) {
    await auditChange(tx, 'delete', resource, row.id as bigint, table.form.toRecord(row), undefined)
  }
  const ids = rows.map((row) => row.id as bigint)
  await removeEach(tx, table, column, value, ids)
  return rows.length
}
