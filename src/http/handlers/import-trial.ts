// Tries a file of records on a copy of what they concern: what would become of all of it, before any of it is written.
// It runs in a thread of its own, beside the service.

import { Fault, type FaultCode } from '../../fault.ts'
import { catalog } from '../../resources/catalog.ts'
import { importIn } from '../../resources/collection.ts'
import { readDraft } from '../../schema/document.ts'
import { atLine } from '../../schema/rows.ts'
import type { Reader } from '../../store/database.ts'
import { Scratch } from '../../store/scratch.ts'
import { readStaged } from './staged-rows.ts'

export interface Trial {
  readonly path: string
  /** The rows as they were staged, and how many of them have been imported before. */
  readonly staged: string
  readonly skipped: number
  readonly replace: boolean
  /** A file to be made, for the copy. */
  readonly scratch: string
  readonly now: number
}

/** How many records would come, and how many of them would take the place of others; or what is wrong. */
export type Tried =
  | { readonly imported: number; readonly replaced: number }
  | { readonly code: FaultCode; readonly message: string; readonly field: string | undefined }

export async function work(reader: Reader, trial: Trial): Promise<Tried> {
  const collection = catalog.find(({ path }) => path === trial.path)
  if (!collection) throw new Error(`nothing is imported to ${trial.path}`)
  const { resource, lookedInto } = collection
  const scratch = new Scratch(trial.scratch, trial.now)
  try {
    const own = { name: resource.table, key: ['id'] }
    for (const table of [own, ...lookedInto, counters]) await scratch.copy(reader, table)
    let [imported, replaced] = [0, 0]
    for await (const { line, element } of readStaged(trial.staged, trial.skipped)) {
      const draft = readDraft(resource, element, 'import')
      const done = await importIn(scratch.tx, collection, draft, trial.replace).catch((error) => {
        throw error instanceof Fault ? atLine(error, line) : error
      })
      imported += 1
      if (done === 'replaced') replaced += 1
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
