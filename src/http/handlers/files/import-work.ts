// Imports a file of records. A small file is one transaction. A large one would block all writers: it is first tried
// on a copy, in a thread, and then written in short transactions.

import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Fault } from '../../../fault.ts'
import { TimeSlice, yieldThread } from '../../../pacing/time-slice.ts'
import { audit } from '../../../resources/access/audit-entry.ts'
import { type Collection, type ImportedRecord, importIn } from '../../../resources/collection.ts'
import { brokenOff, importEnded, noteProgress } from '../../../resources/import-progress.ts'
import { oneScalar } from '../../../schema/list.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { atLine, type FileForm, type FileRow, readRows, utf8Text } from '../../../schema/rows.ts'
import { bool, int } from '../../../schema/scalar.ts'
import { inChunks } from '../../../store/chunked-work.ts'
import type { Transaction } from '../../../store/database.ts'
import { threadFile } from '../../../store/worker-thread.ts'
import type { Call } from '../../call.ts'
import type { Warnings } from '../record-handlers.ts'
import type { Trial, Tried, TriedFile } from './import-trial.ts'
import { ImportChunks, readStaged, StagedRows } from './staged-rows.ts'

/** Up to this many records are written in one transaction, with warnings like single ones. */
const few = 200

/** Milliseconds for warnings: each new rule is compared with all others. */
const remarkTime = 1000

/** A file is read in chunks so small that one of them takes a few milliseconds, whatever is in it. */
const readStep = 2 ** 14

const trialModule = threadFile('./import-trial.ts', import.meta.url)

/** The records to import, in a temporary file. */
export interface KeptFile {
  readonly form: FileForm
  readonly path: string
  readonly size: number
  /** Its SHA-256, by which the audit log names it. */
  readonly digest: string
}

/** How many records are done, and how many bytes of the file that is. */
export type Progress = (rows: number, bytes: number) => void

/** How many records a dry run may list one by one, of each kind. */
const maxListed = 100

/** How many records came, and how many of them replaced others. */
export interface Imported extends TriedFile {
  /** How many of them came before an interruption, where the file was sent again. */
  readonly resumedAfter?: number
  /** Warnings about accepted records, with their lines. */
  readonly remark?: readonly string[]
}

/** A record that was written, and where in the file it was. */
interface Written {
  readonly line: number
  readonly id: bigint
}

/** Thrown out of a transaction to roll it back: what would have been done. */
class OnlyTried extends Error {
  readonly outcome: Imported

  constructor(outcome: Imported) {
    super('only tried')
    this.outcome = outcome
  }
}

export class Import {
  readonly #call: Call
  readonly #collection: Collection
  readonly #remarks: Warnings | undefined
  readonly #file: KeptFile
  readonly #replace: boolean
  readonly #dryRun: boolean
  /** How many records of each kind are listed one by one; all errors are reported then, not the first alone. */
  readonly #listed: number
  readonly #staged: string
  readonly #timeSlice = new TimeSlice()

  constructor(call: Call, collection: Collection, file: KeptFile, remarks: Warnings | undefined) {
    this.#call = call
    this.#collection = collection
    this.#remarks = remarks
    this.#file = file
    this.#replace = oneScalar(call.parameters, 'replace', bool) ?? false
    this.#dryRun = oneScalar(call.parameters, 'dryRun', bool) ?? false
    this.#listed = oneScalar(call.parameters, 'records', int({ min: 0, max: maxListed })) ?? 0
    if (this.#listed > 0 && !this.#dryRun)
      throw new Fault('invalid', 'records is accepted only with dryRun=true', { field: 'records' })
    this.#staged = join(dirname(file.path), 'rows')
  }

  async run(progress: Progress): Promise<Imported> {
    const { path, size } = this.#file
    const rows = await this.#check((done, bytes) => progress(done, bytes / 2))
    await rm(path)
    if (this.#listed > 0) return this.#try(0)
    if (rows <= few) return this.#writeAtOnce()
    const { size: staged } = await stat(this.#staged)
    const secondHalf: Progress = (done, bytes) => progress(done, size / 2 + (bytes / staged) * (size / 2))
    return this.#writeInPieces(secondHalf)
  }

  /** Reads the whole file, and keeps its rows in the form in which they are read again; returns how many there are. */
  async #check(progress: Progress): Promise<number> {
    const { resource } = this.#collection
    const { form, path } = this.#file
    // A record in a file may be as large as one that comes alone.
    const rules = { form, resource, rowLimit: this.#call.config['body-limit'] }
    const stream = createReadStream(path, { highWaterMark: readStep })
    const staged = new StagedRows(this.#staged)
    const report = whenGrown(progress)
    try {
      for await (const row of readRows(utf8Text(stream), rules)) {
        if (this.#listed === 0) within(row.line, () => readDraft(resource, row.element, 'import'))
        await staged.add(row)
        report(staged.count, stream.bytesRead)
        await this.#timeSlice.step()
      }
    } finally {
      stream.destroy()
      await staged.close()
    }
    return staged.count
  }

  async #writeAtOnce(): Promise<Imported> {
    try {
      const { written, ...outcome } = await this.#call.database.transaction(async (tx) => {
        let replaced = 0
        const written: Written[] = []
        for await (const row of readStaged(this.#staged)) {
          const { before, record } = await this.#write(tx, row)
          if (before) replaced += 1
          written.push({ line: row.line, id: record[this.#collection.resource.key] as bigint })
        }
        const imported = written.length
        if (this.#dryRun) throw new OnlyTried({ imported, replaced })
        await this.#record(tx, imported, this.#detail({ imported, replaced }))
        return { imported, replaced, written }
      })
      const remark = await this.#remarksOn(written)
      return { ...outcome, ...(remark.length > 0 && { remark }) }
    } catch (error) {
      if (error instanceof OnlyTried) return error.outcome
      throw error
    }
  }

  /** The records are written: an error while warnings are made, such as a record that was deleted, is not a failure. */
  async #remarksOn(written: readonly Written[]): Promise<string[]> {
    const found: string[] = []
    const end = performance.now() + remarkTime
    for (const { line, id } of this.#remarks ? written : []) {
      if (performance.now() > end) {
        found.push(`line ${line}: from here on no remarks are made: it would take too long`)
        break
      }
      const remarks = await this.#remarks?.(this.#call, id).catch((error) => {
        if (error instanceof Fault) return []
        throw error
      })
      found.push(...(remarks ?? []).map((one) => `line ${line}: ${one}`))
      await this.#timeSlice.step()
    }
    return found
  }

  async #writeInPieces(progress: Progress): Promise<Imported> {
    const { database, clock } = this.#call
    const begun = await brokenOff(database, this.#named, clock())
    const tried = await this.#try(begun?.rows ?? 0)
    const outcome = {
      imported: tried.imported + (begun?.rows ?? 0),
      replaced: tried.replaced + (begun?.replaced ?? 0),
      ...(begun && { resumedAfter: begun.rows }),
    }
    if (this.#dryRun) return outcome
    const pieces = new ImportChunks(readStaged(this.#staged, begun?.rows), begun)
    const once = async (tx: Transaction, limit: number) => {
      const { before } = pieces
      let replaced = before?.replaced ?? 0
      const rows = await pieces.take(limit)
      for (const row of rows) if ((await this.#write(tx, row)).before) replaced += 1
      const after = { rows: (before?.rows ?? 0) + rows.length, replaced }
      if (before === begun) await this.#record(tx, tried.imported, this.#detail(outcome))
      await noteProgress(tx, this.#named, before, after)
      if (rows.length < limit) await importEnded(tx, this.#named)
      const set = (to: typeof before) => () => {
        pieces.before = to
      }
      tx.afterCommit(set(after), set(before))
      return rows.length
    }
    try {
      const report = () => progress(pieces.before?.rows ?? 0, pieces.bytesRead)
      const pause = (milliseconds: number) => {
        report()
        return yieldThread(milliseconds)
      }
      await inChunks(database, once, { pause })
      report()
    } catch (error) {
      throw await this.#brokeOff(error, pieces.before?.rows ?? 0, outcome.imported)
    } finally {
      await pieces.close()
    }
    return outcome
  }

  get #named() {
    return { resource: this.#collection.resource.name, digest: this.#file.digest }
  }

  /** What would become of the whole file. */
  async #try(skipped: number): Promise<Imported> {
    const { database, clock, caller } = this.#call
    const { name, role, address } = caller
    const trial: Trial = {
      path: this.#collection.path,
      staged: this.#staged,
      skipped,
      replace: this.#replace,
      listed: this.#listed,
      scratch: join(dirname(this.#staged), 'scratch'),
      now: clock(),
      actor: { name, role, address },
    }
    const tried = await database.workInBackground<Tried>(trialModule, trial, { ownThread: true })
    await rm(trial.scratch, { force: true })
    if ('code' in tried) {
      const { code, message, field } = tried
      throw new Fault(code, message, field === undefined ? {} : { field })
    }
    return tried
  }

  #write(tx: Transaction, { line, element }: FileRow): Promise<ImportedRecord> {
    const draft = readDraft(this.#collection.resource, element, 'import')
    return importIn(tx, this.#collection, draft, this.#replace).catch((error) =>
      within(line, () => {
        throw error
      }),
    )
  }

  #detail({ imported, replaced, resumedAfter }: Imported): string {
    const { form, digest } = this.#file
    const from = `from a ${form} file with the SHA-256 ${digest}`
    const resumed = resumedAfter === undefined ? '' : `; goes on after record ${resumedAfter}`
    return `${imported - replaced} new, ${replaced} replaced, ${from}${resumed}`
  }

  async #record(tx: Transaction, count: number, detail: string): Promise<void> {
    await audit(tx, { action: 'import', resource: this.#collection.resource.name, count, detail })
  }

  /** The trial succeeded, so others have written since, or the store cannot write. Imported records stay. */
  async #brokeOff(error: unknown, done: number, all: number): Promise<unknown> {
    if (!(error instanceof Fault) || done === 0) return error
    const detail = `broke off after record ${done} of ${all}`
    await this.#call.database
      .transaction((tx) => this.#record(tx, done, detail))
      // The store takes nothing at all: the caller is informed in any case.
      .catch(() => undefined)
    const message = `${error.message} (the import ${detail}: send the same file again to continue there)`
    return new Fault(error.code, message, error.field === undefined ? {} : { field: error.field })
  }
}

/** A file is read in chunks of many rows: progress is reported once for each. */
function whenGrown(progress: Progress): Progress {
  let last = 0
  return (rows, bytes) => {
    if (bytes === last) return
    last = bytes
    progress(rows, bytes)
  }
}

function within<T>(line: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Fault ? atLine(error, line) : error
  }
}
