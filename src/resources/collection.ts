// Creates, reads, modifies and deletes the records of a resource, which may add its own rules.

import { Fault } from '../fault.ts'
import { difference } from '../schema/difference.ts'
import type { List } from '../schema/list.ts'
import { complete } from '../schema/read-document.ts'
import {
  type AnyRecord,
  type DraftOf,
  type Fields,
  isSecret,
  type RecordOf,
  type Resource,
} from '../schema/resource.ts'
import type { Database, Transaction } from '../store/database.ts'
import { nextId, reserveId } from '../store/ids.ts'
import type { CopiedTable } from '../store/scratch-store.ts'
import { find, insert, remove, type SizedColumns, type Table, table, update } from '../store/table.ts'
import { audit, auditChange } from './access/audit-entry.ts'

export interface Rules<R, D> {
  /** Changes that follow from a modification. */
  adapt?(draft: D): void
  /** Rules across the fields of one record. */
  check?(record: R): void
  /** Rules of the data: uniqueness, relations. May complete the record. `before` is the stored record, if any. */
  saving?(tx: Transaction, record: R, before: R | undefined): Promise<void>
  /** Writes what follows from the record in other tables. */
  saved?(tx: Transaction, record: R): Promise<void>
  /** Removes what belongs to the record, where that is very much, in transactions before that of the record itself. */
  emptying?(database: Database, id: bigint): Promise<void>
  /** Removes what belongs to the record. */
  deleting?(tx: Transaction, record: R): Promise<void>
  /** Fills in derived fields when records are shown. */
  show?(database: Database, records: R[]): Promise<void>
}

export interface Collection<F extends Fields = Fields> {
  readonly path: string
  readonly resource: Resource<F>
  readonly list: List
  readonly table: Table
  /** Untyped, so that collections of different resources can stand in one catalog. */
  readonly rules: Rules<AnyRecord, AnyRecord>
  /** The noun in messages: "binding 7 does not exist". */
  readonly noun: string
  /** The status of the answer to a creation. */
  readonly created: 200 | 201
  /**
   * Tables beside its own that the rules read or write when a record is saved. A file of many rows is tried on copies
   * of these: a table that is not named here is missing there, and the trial fails.
   */
  readonly touchedTables: readonly CopiedTable[]
}

interface CollectionOptions<F extends Fields> {
  readonly resource: Resource<F>
  /** Columns of the table that are not fields of the resource. */
  readonly unshown?: Fields
  readonly list: List
  readonly noun: string
  readonly rules?: Rules<RecordOf<F>, DraftOf<F>>
  readonly created?: 200 | 201
  readonly sized?: SizedColumns
  readonly touchedTables?: readonly CopiedTable[]
}

export function collection<F extends Fields>(options: CollectionOptions<F>): Collection<F> {
  const { resource, list, noun, created = 201, unshown = {}, touchedTables = [] } = options
  const kept = { ...resource, fields: { ...resource.fields, ...unshown } }
  const rules = (options.rules ?? {}) as Rules<AnyRecord, AnyRecord>
  return {
    path: list.path,
    resource,
    list,
    noun,
    rules,
    created,
    touchedTables,
    table: table(kept, { counted: list.counted, unindexed: list.unindexed, sized: options.sized }),
  }
}

/**
 * Ids are assigned above every id that came from a caller, and stay below 2³¹: the upper half of them is left for that,
 * so that no row of a file can use them up.
 */
const givenIdLimit = 2n ** 30n

/** Whether a record may be created with an id that is not the service's own choice. */
export const canBeGiven = (id: bigint) => id >= 1n && id < givenIdLimit

/** The record that a draft would create, checked as far as that needs no store: for dry runs, which save nothing. */
export function unsaved<F extends Fields>(
  { resource, rules }: Collection<F>,
  draft: DraftOf<F>,
  id = 0n,
): RecordOf<F> {
  const record: AnyRecord = { ...complete(resource.fields, draft), [resource.key]: id }
  rules.check?.(record)
  return record as RecordOf<F>
}

/** Creates a record inside a transaction; returns its id. */
export async function createIn<F extends Fields>(
  tx: Transaction,
  target: Collection<F>,
  draft: DraftOf<F>,
): Promise<bigint> {
  const record = await addIn(tx, target, draft)
  const id = record[target.resource.key] as bigint
  const secrets = secretsOf(target.resource, draft)
  await auditChange(tx, 'create', target.resource, id, undefined, { ...record, ...secrets })
  return id
}

/** Rules take secrets out of a record, to store them elsewhere; that they were set is recorded all the same. */
function secretsOf({ fields }: Resource, draft: AnyRecord): AnyRecord {
  const set = Object.entries(draft).filter(([name]) => fields[name] && isSecret(fields[name]))
  return Object.fromEntries(set)
}

async function addIn<F extends Fields>(
  tx: Transaction,
  { resource, table, rules, noun }: Collection<F>,
  draft: DraftOf<F>,
): Promise<AnyRecord> {
  const record = complete(resource.fields, draft)
  const requestedId = record[resource.key] as bigint | null
  if (requestedId === null) record[resource.key] = await nextId(tx, resource.table)
  else {
    const field = resource.key
    if (!canBeGiven(requestedId)) {
      const message = `${requestedId} cannot be the id of a ${noun}: expected 1 to ${givenIdLimit - 1n}`
      throw new Fault('invalid', message, { field })
    }
    if (await find(tx, table, requestedId)) {
      throw new Fault('conflict', `${noun} ${requestedId} exists already`, { field })
    }
    await reserveId(tx, resource.table, requestedId)
  }
  rules.check?.(record)
  await rules.saving?.(tx, record, undefined)
  await insert(tx, table, record)
  await rules.saved?.(tx, record)
  return record
}

export interface ImportedRecord {
  /** The id of the record that was replaced. */
  readonly before: AnyRecord | undefined
  readonly record: AnyRecord
}

/**
 * Creates a record from a file: with its id, replacing the record that has it, where that is wanted. A replaced record
 * is recorded in the audit log, since nothing else has it any more; the importer records the new ones, once for all.
 */
export async function importIn<F extends Fields>(
  tx: Transaction,
  target: Collection<F>,
  draft: DraftOf<F>,
  replace: boolean,
): Promise<ImportedRecord> {
  const { resource, table } = target
  const record = complete(resource.fields, draft)
  const id = record[resource.key] as bigint | null
  const before = replace && id !== null ? await find(tx, table, id) : undefined
  if (!before) return { before, record: await addIn(tx, target, draft) }
  await replaceIn(tx, target, before, record)
  const { fields, ...sides } = difference(resource, before, record)
  if (fields > 0) await audit(tx, { action: 'modify', resource: resource.name, id: id ?? 0n, ...sides })
  return { before, record }
}

async function replaceIn<F extends Fields>(
  tx: Transaction,
  { resource, table, rules }: Collection<F>,
  before: AnyRecord,
  record: AnyRecord,
): Promise<void> {
  rules.check?.(record)
  await rules.saving?.(tx, record, before)
  await update(tx, table, before[resource.key] as bigint, before, record)
  await rules.saved?.(tx, record)
}

export function create<F extends Fields>(
  database: Database,
  target: Collection<F>,
  draft: DraftOf<F>,
): Promise<bigint> {
  return database.transaction((tx) => createIn(tx, target, draft))
}

export async function read<F extends Fields>(
  database: Database,
  { table, rules, noun }: Collection<F>,
  id: bigint,
): Promise<RecordOf<F>> {
  const record = await find(database, table, id)
  if (!record) throw new Fault('not-found', `${noun} ${id} does not exist`)
  await rules.show?.(database, [record])
  return record as RecordOf<F>
}

/** Fields that the draft does not mention stay as they were. */
export function modify<F extends Fields>(
  database: Database,
  target: Collection<F>,
  id: bigint,
  draft: DraftOf<F>,
): Promise<void> {
  const { resource, table, rules, noun } = target
  return database.transaction(async (tx) => {
    const before = await find(tx, table, id)
    if (!before) throw new Fault('not-found', `${noun} ${id} does not exist`)
    rules.adapt?.(draft)
    const record = complete(resource.fields, { ...before, ...draft } as AnyRecord)
    await replaceIn(tx, target, before, record)
    await auditChange(tx, 'modify', resource, id, before, { ...record, ...secretsOf(resource, draft) })
  })
}

export async function erase<F extends Fields>(
  database: Database,
  target: Collection<F>,
  id: bigint,
): Promise<void> {
  await target.rules.emptying?.(database, id)
  return database.transaction((tx) => eraseIn(tx, target, id))
}

/** Deletes a record inside a transaction. */
export async function eraseIn<F extends Fields>(
  tx: Transaction,
  target: Collection<F>,
  id: bigint,
): Promise<void> {
  const record = await find(tx, target.table, id)
  if (!record) throw new Fault('gone', `${target.noun} ${id} does not exist`)
  await target.rules.deleting?.(tx, record)
  await remove(tx, target.table, id, record)
  await auditChange(tx, 'delete', target.resource, id, record, undefined)
}

/** Refuses one more record where the table has as many as are allowed. `words` complete "there are 200 …". */
export async function requireRoom(tx: Transaction, table: string, max: number, words: string): Promise<void> {
  const [row] = await tx.all(`select count(*) as n from ${table}`)
  if (Number(row?.n) >= max) throw new Fault('conflict', `there are ${max} ${words}`)
}

/** Refuses a second record with the same value in a column that identifies it to users. */
export async function requireUnique(
  tx: Transaction,
  target: { readonly table: string; readonly column: string; readonly field: string; readonly noun: string },
  value: string,
  id: bigint,
  shownAs = value,
): Promise<void> {
  const [other] = await tx.all(`select id from ${target.table} where ${target.column} = ? and id <> ?`, [
    value,
    id,
  ])
  if (other) {
    throw new Fault('conflict', `${target.field} ${shownAs} is taken by ${target.noun} ${other.id}`, {
      field: target.field,
    })
  }
}
