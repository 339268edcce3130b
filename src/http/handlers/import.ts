// A file of records comes in: `POST /plat/data/NAME`, all of it or nothing. One import is one transaction, and nobody
// else writes meanwhile. So everything that can be done before it begins is done before: the file is kept, read and
// checked whole, and what remains for the transaction is to hold each record against the others and to write it.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Fault } from '../../fault.ts'
import { audit } from '../../resources/audit-entry.ts'
import { type Collection, importIn } from '../../resources/collection.ts'
import { readDraft } from '../../schema/document.ts'
import { oneScalar } from '../../schema/list.ts'
import { atLine, type FileForm, readRows, utf8Text } from '../../schema/rows.ts'
import { bool } from '../../schema/scalar.ts'
import { requireRoom } from '../../store/copying.ts'
import type { Transaction } from '../../store/database.ts'
import { withWorkFolder } from '../../store/folder.ts'
import { Pace } from '../../store/pace.ts'
import { contentType, sendText, startStream } from '../answers.ts'
import { bodyForm, type Call, type Handler } from '../call.ts'
import { readStaged, StagedRows } from './staged-rows.ts'

/** Imports at once: one of them writes, the others are being sent or wait for it. */
const atOnce = 8

/** How often the bytes of a file are on the disk at most: as they came, as rows, in the journal and in the store. */
const copies = 4
/** Where a caller does not say how long the file is, room is asked for so many bytes at a time. */
const roomStep = 16 * 2 ** 20
/** A file is read in pieces so small that one of them takes a few milliseconds, whatever is in it. */
const readStep = 2 ** 14
/** A file of more bytes than this writes so much that others would wait for its end. */
const large = 2 ** 20

/**
 * With `progress=true` the answer is a line of JSON now and then, the last one with the outcome. With `replace=true` a
 * record takes the place of the one that has its id. With `dryRun=true` everything is done and then undone.
 */
export const importData =
  (collection: Collection): Handler =>
  async (call) => {
    const form = importForm(call)
    const withProgress = oneScalar(call.parameters, 'progress', bool) ?? false
    const { memory } = call
    if (memory.imports >= atOnce) {
      throw new Fault('unavailable', `${atOnce} imports are under way: no more at once`)
    }
    memory.imports += 1
    try {
      await withWorkFolder(call.config.data, 'import', async (folder) => {
        const file = await keep(call, join(folder, 'body'), form)
        const work = new Import(call, collection, file)
        if (withProgress) await answerWithProgress(call, work, file.size)
        else {
          const done = Object.entries(await work.run(() => undefined))
          const told = Object.fromEntries(done.map(([name, n]) => [name, String(n)]))
          sendText(call.response, 200, contentType.json, JSON.stringify(told))
        }
      })
    } finally {
      memory.imports -= 1
    }
  }

function importForm({ request }: Call): FileForm {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  return type === 'text/csv' ? 'csv' : bodyForm(request)
}

/** What is imported, in a file of ours. */
interface KeptFile {
  readonly form: FileForm
  readonly path: string
  readonly size: number
  /** Its SHA-256, by which the audit log names it. */
  readonly digest: string
}

// What is too large is read on for a while and dropped, so that the caller gets to read the answer.
const patience = 16

/** The body is complete before the transaction begins: a slow sender must not hold up everyone's writes. */
async function keep({ request, config }: Call, path: string, form: FileForm): Promise<KeptFile> {
  const limit = config['import-limit']
  const tooLarge = () => new Fault('too-large', `the file is larger than ${limit} bytes`)
  let size = 0
  let room = Math.min(limit, Number(request.headers['content-length'] ?? 0))
  await requireRoom(dirname(path), room * copies, 'an import of this size')
  const hash = createHash('sha256')
  await pipeline(
    request,
    async function* bounded(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length
        if (size > limit * patience) throw tooLarge()
        if (size > limit) continue
        if (size > room) {
          await requireRoom(dirname(path), roomStep * copies, 'the import')
          room += roomStep
        }
        hash.update(chunk)
        yield chunk
      }
    },
    createWriteStream(path),
  )
  if (size > limit) throw tooLarge()
  return { form, path, size, digest: hash.digest('hex') }
}

/** How many records are done, and how many bytes of the file stand for what is done. */
type Progress = (rows: number, bytes: number) => void

async function answerWithProgress({ response }: Call, work: Import, size: number): Promise<void> {
  startStream(response, 200, 'application/x-ndjson', {})
  const say = (line: object) => response.write(`${JSON.stringify(line)}\n`)
  try {
    say(await work.run((rows, bytes) => say({ rows, bytes: Math.floor(bytes), size })))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    say({ error: { code: error.code, message: error.message, field: error.field } })
  }
  response.end()
}

/** How many records came, and how many of them took the place of others. */
interface Imported {
  readonly imported: number
  readonly replaced: number
}

/** Thrown out of a transaction to undo it: what would have been done. */
class OnlyTried extends Error {
  readonly outcome: Imported

  constructor(outcome: Imported) {
    super('only tried')
    this.outcome = outcome
  }
}

class Import {
  readonly #call: Call
  readonly #collection: Collection
  readonly #file: KeptFile
  readonly #replace: boolean
  readonly #dryRun: boolean
  readonly #staged: string
  readonly #pace = new Pace()

  constructor(call: Call, collection: Collection, file: KeptFile) {
    this.#call = call
    this.#collection = collection
    this.#file = file
    this.#replace = oneScalar(call.parameters, 'replace', bool) ?? false
    this.#dryRun = oneScalar(call.parameters, 'dryRun', bool) ?? false
    this.#staged = join(dirname(file.path), 'rows')
  }

  async run(progress: Progress): Promise<Imported> {
    const { path, size } = this.#file
    const { database } = this.#call
    await this.#check((rows, bytes) => progress(rows, bytes / 2))
    await rm(path)
    const { size: staged } = await stat(this.#staged)
    const told: Progress = (rows, bytes) => progress(rows, size / 2 + (bytes / staged) * (size / 2))
    const write = async (tx: Transaction) => {
      const outcome = await this.#write(tx, told)
      if (this.#dryRun) throw new OnlyTried(outcome)
      return outcome
    }
    try {
      return await (size > large ? database.bulk(write) : database.transaction(write))
    } catch (error) {
      if (error instanceof OnlyTried) return error.outcome
      throw error
    }
  }

  /** Reads the file whole, and keeps its rows as they will be asked for again. */
  async #check(progress: Progress): Promise<void> {
    const { resource } = this.#collection
    const { form, path } = this.#file
    // A record in a file may be as large as one that comes alone.
    const rules = { form, rowName: resource.name, rowLimit: this.#call.config['body-limit'] }
    const stream = createReadStream(path, { highWaterMark: readStep })
    const staged = new StagedRows(this.#staged)
    const told = whenGrown(progress)
    try {
      for await (const row of readRows(utf8Text(stream), rules)) {
        within(row.line, () => readDraft(resource, row.element, 'import'))
        await staged.add(row)
        told(staged.count, stream.bytesRead)
        await this.#pace.step()
      }
    } finally {
      stream.destroy()
      await staged.close()
    }
  }

  async #write(tx: Transaction, progress: Progress): Promise<Imported> {
    const { resource } = this.#collection
    const told = whenGrown(progress)
    let rows = 0
    let replaced = 0
    for await (const { line, element, bytesRead } of readStaged(this.#staged)) {
      const draft = readDraft(resource, element, 'import')
      const done = await importIn(tx, this.#collection, draft, this.#replace).catch((error) =>
        within(line, () => {
          throw error
        }),
      )
      if (done === 'replaced') replaced += 1
      rows += 1
      told(rows, bytesRead)
      await this.#pace.step()
    }
    const { form, digest } = this.#file
    await audit(tx, {
      action: 'import',
      resource: resource.name,
      count: rows,
      detail: `${rows - replaced} new, ${replaced} replaced, from a ${form} file with the SHA-256 ${digest}`,
    })
    return { imported: rows, replaced }
  }
}

/** A file is read in pieces of many rows: told once for each. */
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
