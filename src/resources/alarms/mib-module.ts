// Modules (MIBs) as they were parsed. Names are resolved over all of them, see mib-library.ts.

import { posix } from 'node:path'
import { Fault } from '../../fault.ts'
import { type ModuleText, momentOf, type StoredModule } from '../../mibs/module-text.ts'
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
    /** Where it hangs in the tree, and when it was last updated: modules of one name are told apart by these. */
    enterprise: assigned(word),
    revision: assigned(word),
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
const moduleLimit = 10_000

/** Replaces a module with the same name, enterprise and revision. */
export async function saveModule(tx: Transaction, module: StoredModule, file: string | null): Promise<void> {
  const known = await findSame(tx, module)
  const before = known && (await removeIn(tx, known.id))
  const [row] = await tx.all('select count(*) as total from mib_module')
  if (Number(row?.total) >= moduleLimit)
    throw new Fault('conflict', `there are ${moduleLimit} modules already: remove some first`)
  const id = await nextId(tx, mibModule.table)
  const record: MibModule = {
    id,
    name: module.name,
    enterprise: module.enterprise,
    revision: module.revision,
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

/** Of several with this name, the latest. */
export async function findModule(database: Database, name: string): Promise<MibModule | undefined> {
  const { form } = mibModules.table
  const rows = await database.all(`select ${form.shown} from mib_module where name = ? order by id`, [name])
  const modules = rows.map((row) => form.toRecord(row) as MibModule)
  return modules.reduce<MibModule | undefined>(
    (best, one) => (best && momentOf(best.revision) > momentOf(one.revision) ? best : one),
    undefined,
  )
}

/** All that have this name. */
export function removeModule(database: Database, name: string): Promise<void> {
  return database.transaction(async (tx) => {
    const rows = await tx.all('select id from mib_module where name = ? order by id', [name])
    if (rows.length === 0) throw new Fault('gone', `module ${name} has not been loaded`)
    for (const { id } of rows) {
      const record = await removeIn(tx, id as bigint)
      await auditChange(tx, 'delete', mibModule, name, record, undefined)
    }
  })
}

async function removeIn(tx: Transaction, id: bigint): Promise<AnyRecord | undefined> {
  const record = await find(tx, mibModules.table, id)
  if (record) await remove(tx, mibModules.table, id, record)
  await tx.run('delete from mib_definition where module_id = ?', [id])
  return record
}

/** The definitions of each module, one after the other, because all of them may take a hundred megabytes. */
export async function* readDefinitions(reader: Pick<Reader, 'all'>): AsyncGenerator<ModuleText> {
  for (const { module_id: id } of await reader.all(
    'select module_id from mib_definition order by module_id',
  )) {
    const [row] = await reader.all(
      'select content, file from mib_definition join mib_module on mib_module.id = module_id where module_id = ?',
      [id as bigint],
    )
    // It may have been removed meanwhile.
    if (row) yield { ...JSON.parse(String(row.content)), folder: posix.dirname(String(row.file ?? '')) }
  }
}

/** How much all modules together define. */
export async function sizeOfModules(reader: Pick<Reader, 'all'>): Promise<number> {
  const [row] = await reader.all('select coalesce(sum(objects + notifications), 0) as size from mib_module')
  return Number(row?.size)
}

/**
 * The module that one would replace, with how much it defines. What 0.2.0 has loaded has only a name, and so has a
 * module that is empty.
 */
export async function findSame(
  reader: Reader,
  { name, enterprise, revision, isEmpty }: StoredModule,
): Promise<{ readonly id: bigint; readonly size: number } | undefined> {
  const rows = await reader.all(
    'select id, enterprise, revision, objects + notifications as size from mib_module where name = ? order by id',
    [name],
  )
  const row =
    rows.find((one) => one.enterprise === enterprise && one.revision === revision) ??
    rows.find((one) => isEmpty || (one.enterprise === '' && one.revision === ''))
  return row && { id: row.id as bigint, size: Number(row.size) }
}
