// Tests whether PostgreSQL can store anything: a write that needs disk space, is durable like any other, and leaves no
// data.

import { randomBytes } from 'node:crypto'
import type { Transaction } from '../database.ts'

/** Characters: more than half a page, so that each row needs a new page; random, so that it cannot be compressed. */
const fillerLength = 7000
/** Bytes. Autovacuum removes what was rolled back. If it is switched off, the table is truncated here at this size. */
const maxSize = 8 * 1024 * 1024

/** Only this insert is rolled back: the commit of the transaction still waits for the disk and the standby. */
const writeSql = `insert into probe (filler) values (case when pg_total_relation_size('probe') < ${maxSize} then ? else '' end)
  returning pg_total_relation_size('probe') >= ${maxSize} as is_large`

type Write = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>

export async function probeDiskSpace(write: Write): Promise<void> {
  const filler = randomBytes(fillerLength / 2).toString('hex')
  const isLarge = await write(async (tx) => {
    await tx.run('savepoint probe')
    const [row] = await tx.all(writeSql, [filler])
    await tx.run('rollback to savepoint probe')
    return Boolean(row?.is_large)
  })
  if (isLarge) await empty(write)
}

/** Skipped while somebody reads the table, as a backup does for hours. */
async function empty(write: Write): Promise<void> {
  const emptied = write(async (tx) => {
    await tx.run('lock table probe in access exclusive mode nowait')
    await tx.run('truncate probe')
  })
  await emptied.catch(() => undefined)
}
