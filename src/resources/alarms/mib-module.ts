// Modules (MIBs) as they were parsed. Names are resolved over all of them, see mib-library.ts.

import { Fault } from '../../fault.ts'
import type { StoredModule } from '../../mibs/module-text.ts'
import { list } from '../../schema/list.ts'
import {
  type AnyRecord,
  assigned,
  groups,
  optional,
  type RecordOf,
  required,
  resource,
} from '../../schema/resource.ts'
import { instant, int, long, text } from '../../schema/scalar.ts'
import type { Database, Reader, Transaction } from '../../store/database.ts'
import { nextId } from '../../store/ids.ts'
import { find, insert, remove } from '../../store/table.ts'
import { auditChange } from '../access/audit-entry.ts'
import { collection } from '../collection.ts'

const word = text({ maxLength: 200 })

export const mibModule = resource(
  'mibModule',
  {
    id: assigned(long),
    name: required(word, { keyed: true }),
    /** The name of the file it was read from, as given. */
    file: optional(text()),
    loadedTime: assigned(instant),
    objects: assigned(int()),
    notifications: assigned(int()),
    /** What could not be read, or was wrong but clear. */
    remark: groups({ kind: required(word), line: required(int()), reason: required(text()) }),
  },
  { table: 'mib_module', key: 'id' },
)

export type MibModule = RecordOf<typeof mibModule.fields>

export const mibModules = collection({
  resource: mibModule,
  noun: 'module',
  list: list('/fault/mibModule', mibModule, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { name: 'name', id: 'id' },
  }),
})

/** More than any network has devices for; each costs memory. */
const moduleLimit = 3000

/** Replaces what was loaded under the same name. */
export async function saveModule(tx: Transaction, module: StoredModule, file: string | null): Promise<void> {
  const [known] = await tx.all('select id from mib_module where name = ?', [module.name])
  const before = known && (await removeIn(tx, known.id as bigint))
  const [row] = await tx.all('select count(*) as total from mib_module')
  if (Number(row?.total) >= moduleLimit)
    throw new Fault('conflict', `there are ${moduleLimit} modules already: remove some first`)
  const id = await nextId(tx, mibModule.table)
  const record: MibModule = {
    id,
    name: module.name,
    file,
    loadedTime: tx.now,
    objects: module.objects,
    notifications: module.notifications,
    remark: [...module.remarks],
  }
  await insert(tx, mibModules.table, record)
  await auditChange(tx, before ? 'modify' : 'create', mibModule, module.name, before, record)
  await tx.run('insert into mib_definition (module_id, content) values (?, ?)', [id, module.content])
}

export async function findModule(database: Database, name: string): Promise<MibModule | undefined> {
  const { form } = mibModules.table
  const [row] = await database.all(`select ${form.shown} from mib_module where name = ?`, [name])
  return row && (form.toRecord(row) as MibModule)
}

export function removeModule(database: Database, name: string): Promise<void> {
  return database.transaction(async (tx) => {
    const [row] = await tx.all('select id from mib_module where name = ?', [name])
    if (!row) throw new Fault('gone', `module ${name} has not been loaded`)
    const record = await removeIn(tx, row.id as bigint)
    await auditChange(tx, 'delete', mibModule, name, record, undefined)
  })
}

async function removeIn(tx: Transaction, id: bigint): Promise<AnyRecord | undefined> {
  const record = await find(tx, mibModules.table, id)
  if (record) await remove(tx, mibModules.table, id, record)
  await tx.run('delete from mib_definition where module_id = ?', [id])
  return record
}

/** What each module defines, as it was stored, one after the other: all of them may be a hundred megabytes. */
export async function* readDefinitions(reader: Pick<Reader, 'all'>): AsyncGenerator<string> {
  for (const { module_id: id } of await reader.all(
    'select module_id from mib_definition order by module_id',
  )) {
    const [row] = await reader.all('select content from mib_definition where module_id = ?', [id as bigint])
    // It may have been removed meanwhile.
    if (row) yield String(row.content)
  }
}

/** How much all modules together define. */
export async function sizeOfModules(reader: Pick<Reader, 'all'>): Promise<number> {
  const [row] = await reader.all('select coalesce(sum(objects + notifications), 0) as size from mib_module')
  return Number(row?.size)
}

/** How much a module defines; undefined where it was not loaded. */
export async function sizeOfModule(reader: Reader, name: string): Promise<number | undefined> {
  const [row] = await reader.all('select objects + notifications as size from mib_module where name = ?', [
    name,
  ])
  return row && Number(row.size)
}
