// A temporary file of rows that have been read and checked, so that they can be read again cheaply.

import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { ImportProgress } from '../../../resources/import-progress.ts'
import type { Element } from '../../../schema/read-document.ts'
import type { FileRow } from '../../../schema/rows.ts'

/** An element as an array: its name, its text, and the elements in it. */
type Packed = readonly [name: string, text: string, ...items: Packed[]]

const pack = ({ name, text, items }: Element): Packed => [name, text, ...items.map(pack)]

const unpack = ([name, text, ...items]: Packed): Element => ({ name, text, items: items.map(unpack) })

export class StagedRows {
  readonly #stream
  /** How many there are. */
  count = 0

  constructor(path: string) {
    this.#stream = createWriteStream(path, { highWaterMark: 2 ** 18 })
  }

  async add({ line, element }: FileRow): Promise<void> {
    this.count += 1
    if (!this.#stream.write(`${JSON.stringify([line, pack(element)])}\n`)) await once(this.#stream, 'drain')
  }

  async close(): Promise<void> {
    this.#stream.end()
    await finished(this.#stream)
  }
}

interface StagedRow extends FileRow {
  /** How much of the file has been read. */
  readonly bytesRead: number
}

/** All of them, without the first ones that are not wanted. */
export async function* readStaged(path: string, skipped = 0): AsyncGenerator<StagedRow> {
  let left = skipped
  const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: 2 ** 16 })
  const begun: string[] = []
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = chunk.split('\n')
    const rest = lines.pop() ?? ''
    for (const text of lines) {
      if (left > 0) {
        left -= 1
        begun.length = 0
        continue
      }
      const [line, packed] = JSON.parse(begun.splice(0).join('') + text)
      yield { line, element: unpack(packed), bytesRead: stream.bytesRead }
    }
    begun.push(rest)
  }
}

/** The rows of a file, read in chunks. */
export class ImportChunks {
  readonly #rows: ReturnType<typeof readStaged>
  /** How far the rows are that were written. */
  before: ImportProgress | undefined
  bytesRead = 0

  constructor(rows: ReturnType<typeof readStaged>, before: ImportProgress | undefined) {
    this.#rows = rows
    this.before = before
  }

  async take(limit: number): Promise<FileRow[]> {
    const taken: FileRow[] = []
    while (taken.length < limit) {
      const { done, value } = await this.#rows.next()
      if (done) break
      taken.push(value)
      this.bytesRead = value.bytesRead
    }
    return taken
  }

  async close(): Promise<void> {
    await this.#rows.return(undefined)
  }
}
