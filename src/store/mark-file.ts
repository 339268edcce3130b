// High-water marks of stores in PostgreSQL, in a file of the data folder. A store that was restored to an older state
// opens like any other; only a record outside of it can reveal that.

import { SlotFile } from './slot-file.ts'

/** The state of a store when it was last seen. */
export interface Mark {
  /** The id of the store, which its copies share. */
  readonly store: bigint
  readonly term: bigint
  /** The last entry of the log, with its epoch. */
  readonly epoch: bigint
  readonly number: bigint
  /** The last ids, by table. */
  readonly ids: ReadonlyMap<string, bigint>
  /** The time of this mark, on the store's clock. */
  readonly at: number
}

type MarkText = Readonly<Record<'store' | 'term' | 'epoch' | 'number', string>> & {
  readonly ids: Readonly<Record<string, string>>
  readonly at: number
}

export const markText = ({ store, term, epoch, number, ids, at }: Mark): MarkText => ({
  store: String(store),
  term: String(term),
  epoch: String(epoch),
  number: String(number),
  ids: idsText(ids),
  at,
})

export const readMark = ({ store, term, epoch, number, ids, at }: MarkText): Mark => ({
  store: BigInt(store),
  term: BigInt(term),
  epoch: BigInt(epoch),
  number: BigInt(number),
  ids: readIds(ids),
  at,
})

export const idsText = (ids: ReadonlyMap<string, bigint>): Record<string, string> =>
  Object.fromEntries([...ids].map(([name, id]) => [name, String(id)]))

export const readIds = (text: Readonly<Record<string, string>>): Map<string, bigint> =>
  new Map(Object.entries(text).map(([name, id]) => [name, BigInt(id)]))

/** More stores than a folder ever serves; the file has a fixed size. */
const maxMarks = 4

export class MarkFile {
  readonly #file: SlotFile<{ readonly marks: readonly MarkText[] }>
  /** The most recently used is last. */
  #marks: readonly Mark[]

  constructor(file: string, onTrouble?: (error?: Error) => void) {
    this.#file = new SlotFile(file, onTrouble)
    this.#marks = (this.#file.found?.marks ?? []).map(readMark)
  }

  of(store: bigint): Mark | undefined {
    return this.#marks.find((mark) => mark.store === store)
  }

  /** Whether the file contained marks that cannot be read. */
  get isDamaged(): boolean {
    return this.#file.isDamaged
  }

  /** Whether it has no marks of any store. */
  get isEmpty(): boolean {
    return this.#marks.length === 0
  }

  /** Synchronous: the mark is in the file when this returns. */
  write(mark: Mark): void {
    const others = this.#marks.filter(({ store }) => store !== mark.store)
    this.#marks = [...others.slice(1 - maxMarks), mark]
    this.#file.write({ marks: this.#marks.map(markText) })
  }

  close(): void {
    this.#file.close()
  }
}
