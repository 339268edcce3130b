// In the data folder: how far this node has seen stores in PostgreSQL, one mark for each. A store that was put back to an
// older state opens like any other; only something outside it can show.

import { SlotFile } from './slot-file.ts'

/** How far a store has come. */
export interface Mark {
  /** Which store this is about: the same in its copies. */
  readonly store: bigint
  readonly term: bigint
  /** The last entry of the log, with its epoch. */
  readonly epoch: bigint
  readonly number: bigint
  /** The last ids, by table. */
  readonly ids: ReadonlyMap<string, bigint>
  /** When that was, on the store's clock. */
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

/** More stores than one folder ever serves; the file has no room for many. */
const most = 4

export class MarkFile {
  readonly #file: SlotFile<{ readonly marks: readonly MarkText[] }>
  /** The one used last is the last. */
  #marks: readonly Mark[]

  constructor(file: string, onTrouble?: (error?: Error) => void) {
    this.#file = new SlotFile(file, onTrouble)
    this.#marks = (this.#file.found?.marks ?? []).map(readMark)
  }

  of(store: bigint): Mark | undefined {
    return this.#marks.find((mark) => mark.store === store)
  }

  /** Whether there were marks that cannot be read. */
  get isDamaged(): boolean {
    return this.#file.isDamaged
  }

  /** Whether it has marks of other stores. */
  get isEmpty(): boolean {
    return this.#marks.length === 0
  }

  /** It is in the file when this returns. */
  write(mark: Mark): void {
    const others = this.#marks.filter(({ store }) => store !== mark.store)
    this.#marks = [...others.slice(1 - most), mark]
    this.#file.write({ marks: this.#marks.map(markText) })
  }

  close(): void {
    this.#file.close()
  }
}
