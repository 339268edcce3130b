// Tries an import on a copy of the tables it touches, in a thread, to find out what would become of the whole file
// before anything is written.

import { Fault, type FaultCode } from '../../../fault.ts'
import { catalog } from '../../../resources/catalog.ts'
import { type Collection, importIn } from '../../../resources/collection.ts'
import { difference } from '../../../schema/difference.ts'
import { readDraft } from '../../../schema/read-document.ts'
import type { AnyRecord } from '../../../schema/resource.ts'
import { atLine, type FileRow } from '../../../schema/rows.ts'
import type { Actor, Reader } from '../../../store/database.ts'
import { ScratchStore } from '../../../store/scratch-store.ts'
import { readStaged } from './staged-rows.ts'

export interface Trial {
  readonly path: string
  /** The rows as they were staged, and how many of them have been imported before. */
  readonly staged: string
  readonly skipped: number
  readonly replace: boolean
  /** This many of each kind are listed one by one, and a refused record does not end the trial. 0: only numbers. */
  readonly listed: number
  /** A file to be made, for the copy. */
  readonly scratch: string
  readonly now: number
  readonly actor: Actor
}

/** What would become of one record, with the fields that would change. */
export interface TriedRecord {
  readonly line: string
  readonly outcome: 'new' | 'changed' | 'unchanged' | 'refused'
  readonly id?: string
  /** The name for people. */
  readonly name?: string
  readonly before?: unknown
  readonly after?: unknown
  readonly field?: string
  readonly message?: string
}

/** How many records would come, and how many of them would replace others. */
export interface TriedFile {
  readonly imported: number
  readonly replaced: number
  readonly unchanged?: number
  readonly refused?: number
  readonly record?: readonly TriedRecord[]
}

/** Or what is wrong. */
export type Tried =
  | TriedFile
  | { readonly code: FaultCode; readonly message: string; readonly field: string | undefined }

export async function work(reader: Reader, trial: Trial): Promise<Tried> {
  const collection = catalog.find(({ path }) => path === trial.path)
  if (!collection) throw new Error(`nothing is imported to ${trial.path}`)
  const { resource, touchedTables } = collection
  const scratch = new ScratchStore(trial.scratch, trial.now, trial.actor)
  try {
    const own = { name: resource.table, key: ['id'] }
    await scratch.copy(reader, [own, ...touchedTables, counters])
    if (trial.listed > 0) return await listEach(scratch, collection, trial)
    let [imported, replaced] = [0, 0]
    for await (const { line, element } of readStaged(trial.staged, trial.skipped)) {
      const draft = readDraft(resource, element, 'import')
      const { before } = await importIn(scratch.tx, collection, draft, trial.replace).catch((error) => {
        throw error instanceof Fault ? atLine(error, line) : error
      })
      imported += 1
      if (before) replaced += 1
    }
    return { imported, replaced }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code, message, field } = error
    return { code, message, field }
  } finally {
    scratch.close()
  }
}

const counters = { name: 'counter', key: ['name'] }

/** In the order of the file; those that would change nothing are only counted. */
async function listEach(scratch: ScratchStore, collection: Collection, trial: Trial): Promise<TriedFile> {
  const count = { new: 0, changed: 0, unchanged: 0, refused: 0 }
  const record: TriedRecord[] = []
  for await (const row of readStaged(trial.staged)) {
    const tried = await tryRow(scratch, collection, row, trial.replace)
    const { outcome } = tried
    count[outcome] += 1
    if (outcome !== 'unchanged' && count[outcome] <= trial.listed) record.push(tried)
  }
  const replaced = count.changed + count.unchanged
  return {
    imported: count.new + replaced,
    replaced,
    unchanged: count.unchanged,
    refused: count.refused,
    record,
  }
}

/** Fields by which people name a record; the first that it has is used. */
const naming = ['name', 'label', 'trapRuleName', 'terminalMac', 'ip', 'eventOid']

function nameIn(record: AnyRecord): { name?: string } {
  const name = naming.map((field) => record[field]).find((value) => typeof value === 'string' && value !== '')
  return name === undefined ? {} : { name: String(name) }
}

async function tryRow(
  scratch: ScratchStore,
  collection: Collection,
  { line, element }: FileRow,
  replace: boolean,
): Promise<TriedRecord> {
  const { resource } = collection
  try {
    const { before, record } = await scratch.attempt(() =>
      importIn(scratch.tx, collection, readDraft(resource, element, 'import'), replace),
    )
    const { fields, ...sides } = difference(resource, before, record)
    const outcome = !before ? 'new' : fields > 0 ? 'changed' : 'unchanged'
    return {
      line: String(line),
      outcome,
      id: String(record[resource.key]),
      ...nameIn(record),
      ...(sides.before !== null && { before: JSON.parse(sides.before) }),
      ...(sides.after !== null && { after: JSON.parse(sides.after) }),
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { message, field } = error
    return { line: String(line), outcome: 'refused', message, ...(field !== undefined && { field }) }
  }
}
