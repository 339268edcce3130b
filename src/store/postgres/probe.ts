// Whether anything can be kept: a write that needs room on the disk, waits until it is durable as any other does, and
// leaves nothing behind.

import { randomBytes } from 'node:crypto'
import type { Transaction } from '../database.ts'

/** Characters. More than half a page, so that it never fits behind the one before; random, or it would be compressed. */
const fillerLength = 7000
/**
 * Bytes. What was rolled back is removed by PostgreSQL's own autovacuum, whatever transactions are open, and its room is
 * given back to the disk. Where autovacuum is switched off, the table is emptied here.
 */
const roomy = 8 * 1024 * 1024

/** The write is rolled back alone: the commit of the rest waits until both are on disk, and at the standby. */
const writeSql = `insert into probe (filler) values (case when pg_total_relation_size('probe') < ${roomy} then ? else '' end)
  returning pg_total_relation_size('probe') >= ${roomy} as is_large`

type Write = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>

export async function probeRoom(write: Write): Promise<void> {
  const filler = randomBytes(fillerLength / 2).toString('hex')
  const isLarge = await write(async (tx) => {
    await tx.run('savepoint probe')
    const [row] = await tx.all(writeSql, [filler])
    await tx.run('rollback to savepoint probe')
    return Boolean(row?.is_large)
  })
  if (isLarge) await empty(write)
}

/** Not where somebody reads the table, as a backup does for hours: then it waits until the next time. */
async function empty(write: Write): Promise<void> {
  const emptied = write(async (tx) => {
    await tx.run('lock table probe in access exclusive mode nowait')
    await tx.run('truncate probe')
  })
  await emptied.catch(() => undefined)
}
