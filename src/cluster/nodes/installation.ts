// The name of the installation, which the store keeps: a node that was given the address of another store by mistake
// does not take part in it.

import { Fault } from '../../fault.ts'
import type { Database, Reader } from '../../store/database.ts'

/** Before the store is upgraded: that of another installation is not. */
export async function refuseOtherInstallation(database: Database, name: string): Promise<void> {
  if (name === '' || database.kind === 'sqlite') return
  const [table] = await database.all("select to_regclass('installation') is not null as is_there")
  if (table?.is_there) await requireSame(database, name)
}

/** A store without a name takes this one; one in a folder may change it, because nobody else can be meant. */
export async function nameInstallation(database: Database, name: string): Promise<void> {
  if (name === '') return
  const onConflict = database.kind === 'sqlite' ? 'update set name = excluded.name' : 'nothing'
  await database.transaction(async (tx) => {
    await tx.run(`insert into installation (one, name) values (1, ?) on conflict (one) do ${onConflict}`, [
      name,
    ])
    await requireSame(tx, name)
  })
}

async function requireSame(reader: Reader, name: string): Promise<void> {
  const [row] = await reader.all('select name from installation where one = 1')
  if (!row || row.name === name) return
  const message = `the store belongs to the installation "${row.name}", and this node to "${name}" (setting installation): is store the right address?`
  throw new Fault('conflict', message, { field: 'installation' })
}
