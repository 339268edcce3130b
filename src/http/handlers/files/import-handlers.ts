// Receives a file of records: `POST /plat/data/NAME`. The file is stored completely before it is processed, because a
// slow sender must not delay others.

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Fault } from '../../../fault.ts'
import type { Collection } from '../../../resources/collection.ts'
import { oneScalar } from '../../../schema/list.ts'
import type { FileForm } from '../../../schema/rows.ts'
import { bool } from '../../../schema/scalar.ts'
import { withWorkFolder } from '../../../store/data-folder.ts'
import { requireDiskSpace } from '../../../store/large-copies.ts'
import { announcedSize, readOnFactor } from '../../body.ts'
import { bodyForm, type Call, type Handler, mediaTypeOf } from '../../call.ts'
import { contentType, firstWarnings, sendText, startStream, warningHeaders } from '../../responses.ts'
import type { RecordOptions } from '../record-handlers.ts'
import { Import, type KeptFile } from './import-work.ts'

/** Imports at once: one of them writes, the others are being sent or wait for it. */
const atOnce = 8

/**
 * How often the bytes of a file are on the disk at most: as they came, as rows, in the trial, in the journal and in the
 * store.
 */
const copies = 5
/** Where a caller does not give the length of the file, room is checked for this many bytes at a time. */
const roomStep = 16 * 2 ** 20

/**
 * With `progress=true` the answer is a line of JSON now and then, the last one with the outcome. With `replace=true` a
 * record replaces the one that has its id. With `dryRun=true` all of it is tried, and nothing kept; with `records` as
 * well, the answer lists what would become of single records.
 */
export const importData =
  (collection: Collection, { warnings }: RecordOptions = {}): Handler =>
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
        const work = new Import(call, collection, file, warnings)
        if (withProgress) await answerWithProgress(call, work, file.size)
        else {
          const { remark = [], ...done } = await work.run(() => undefined)
          const counts = Object.fromEntries(
            Object.entries(done).map(([name, value]) => [
              name,
              typeof value === 'number' ? String(value) : value,
            ]),
          )
          sendText(call.response, 200, contentType.json, JSON.stringify(counts), warningHeaders(remark))
        }
      })
    } finally {
      memory.imports -= 1
    }
  }

const importForm = ({ request }: Call): FileForm =>
  mediaTypeOf(request) === 'text/csv' ? 'csv' : bodyForm(request)

/** The body is read completely before the transaction begins: a slow sender must not delay everyone's writes. */
async function keep({ request, config }: Call, path: string, form: FileForm): Promise<KeptFile> {
  const limit = config.limits.importBytes
  const tooLarge = () => new Fault('too-large', `the file is larger than ${limit} bytes`)
  const announced = announcedSize(request, limit, tooLarge)
  let size = 0
  let room = announced > limit ? 0 : announced
  await requireDiskSpace(dirname(path), room * copies, 'an import of this size')
  const hash = createHash('sha256')
  await pipeline(
    request,
    async function* bounded(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length
        if (size > limit * readOnFactor) throw tooLarge()
        if (Math.max(size, announced) > limit) continue
        if (size > room) {
          await requireDiskSpace(dirname(path), roomStep * copies, 'the import')
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

async function answerWithProgress({ response }: Call, work: Import, size: number): Promise<void> {
  startStream(response, 200, 'application/x-ndjson', {})
  const say = (line: object) => response.write(`${JSON.stringify(line)}\n`)
  try {
    const { remark, ...done } = await work.run((rows, bytes) => say({ rows, bytes: Math.floor(bytes), size }))
    // The headers have been sent long ago.
    say({ ...done, ...(remark && { remark: firstWarnings(remark) }) })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    say({ error: { code: error.code, message: error.message, field: error.field } })
  }
  response.end()
}
