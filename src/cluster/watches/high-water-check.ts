// Compares how far this node has seen the store with what the store contains. PostgreSQL that was put back to an older
// state (a dump, a copy of its data directory, a standby that lacked commits) does not show it: numbers and ids would
// continue where the copy ended, and mean other things than clients know. See docs/decisions/0060-marks-of-nodes.md.

import type { Logger } from 'pino'
import { type Epoch, lastJump, logCounter, readEpochs, recordLostEntries } from '../../alarms/log/epochs.ts'
import { Fault } from '../../fault.ts'
import { readCounters, storeCounter } from '../../store/counter.ts'
import type { Database, Reader } from '../../store/database.ts'
import { type Mark, MarkFile, markText, readMark } from '../../store/mark-file.ts'
import { numberedTables } from '../../upkeep/checks/id-tables.ts'
import type { Compared, HighWaterGuard } from '../nodes/node.ts'
import { clockSql } from '../nodes/server-identity.ts'

/** The result of a comparison; `held` is the mark of the store as it is now, without the term. */
export interface ComparedMarks extends Compared {
  readonly held: Omit<Mark, 'term'>
  /** All marks of this store. */
  readonly marks: readonly Mark[]
  /** The epoch that records the loss of entries that this node has seen. */
  readonly recordedBy: bigint | undefined
}

const unwritable =
  'how far this node has seen the store cannot be written: if the store is put back to an older state, that may go unnoticed'
const damaged =
  'store-marks is damaged, and begins anew: if the store was put back to an older state before this start, this node does not notice it'

export class HighWaterCheck implements HighWaterGuard<ComparedMarks> {
  readonly #path: string
  readonly #log: Logger
  /** Opened only for a store in PostgreSQL. */
  #opened: MarkFile | undefined
  /** The mark of the current store; undefined before it was compared. */
  #mark: Mark | undefined
  /** Called when the store may have been put back, and has to be compared now. */
  readonly onDoubt: () => void

  constructor(path: string, log: Logger, onDoubt: () => void = () => undefined) {
    this.#path = path
    this.#log = log
    this.onDoubt = onDoubt
  }

  get #file(): MarkFile {
    this.#opened ??= this.#open()
    return this.#opened
  }

  /** If it cannot be written, the service goes on: stopping would help nobody. */
  #open(): MarkFile {
    const [log, file] = [this.#log, this.#path]
    const opened = new MarkFile(file, (error) => {
      if (error) log.error({ err: error, file }, `${unwritable}: ${error.message}`)
      else log.warn({ file }, 'how far this node has seen the store can be written again')
    })
    if (opened.isDamaged) log.error({ file }, damaged)
    return opened
  }

  get mark(): string {
    return this.#mark ? JSON.stringify(markText(this.#mark)) : ''
  }

  /** The last number of a counter that is known to have been used. */
  last(counter: string): bigint {
    if (counter === logCounter) return this.#mark?.number ?? 0n
    return this.#mark?.ids.get(counter) ?? 0n
  }

  /** `marks` must have been read before, so that later commits do not count as missing. */
  async compare(reader: Reader, marks: readonly string[]): Promise<ComparedMarks> {
    const texts = [...new Set(marks.filter((text) => text !== ''))]
    const all = texts.map((text) => readMark(JSON.parse(text)))
    const holding = await readHolding(reader, all)
    const { store } = holding.held
    if (this.#mark?.store !== store) {
      this.#mark = this.#file.of(store)
      // It has not been published yet.
      if (this.#mark) return this.compare(reader, [...texts, this.mark])
    }
    return compareWith(holding, all, this.#mark)
  }

  async follow(database: Database, { held, recordedBy }: ComparedMarks, term: bigint): Promise<void> {
    const before = this.#mark
    if (before === undefined && !this.#file.isEmpty)
      this.#log.warn(
        'this is another store than the one that this data folder has served: nothing is compared',
      )
    if (before && recordedBy !== undefined) {
      this.#log.warn('what this node has seen of the store and is gone is recorded: numbers go on above it')
      await database.transaction((tx) => recordLostEntries(tx, recordedBy, before.number))
    }
    this.#keep(before ? higher(before, { ...held, term }) : { ...held, term })
  }

  /** Called before entries are pushed, with the last of them and the epochs that are known by then. */
  reach(number: bigint, alarmId: bigint, epochs: readonly Epoch[]): void {
    const mark = this.#mark
    const epoch = epochs.findLast(({ first }) => first <= number + 1n)?.number
    // The mark may already have a later epoch.
    if (!mark || epoch === undefined || epoch < mark.epoch) return
    if (epoch === mark.epoch && number <= mark.number) return
    if (epoch !== mark.epoch && isBeyond(mark, epochs, number))
      throw new Fault('unavailable', 'the store has been put back to an older state: nothing is pushed of it')
    const ids = new Map(mark.ids)
    if (alarmId > (ids.get('alarm') ?? 0n)) ids.set('alarm', alarmId)
    this.#keep({ ...mark, epoch, number, ids })
  }

  #keep(mark: Mark): void {
    this.#mark = mark
    this.#file.write(mark)
  }

  close(): void {
    this.#opened?.close()
  }
}

/** The content of a store, as far as it is compared. */
interface Holding {
  readonly held: Held
  /** From the oldest that a mark names. */
  readonly epochs: readonly Epoch[]
  readonly jump: Epoch | undefined
}

async function readHolding(reader: Reader, marks: readonly Mark[]): Promise<Holding> {
  const oldest = marks.reduce((a, { epoch }) => (epoch < a ? epoch : a), marks[0]?.epoch ?? 0n)
  // Sent together, in this order: counters are read last, so that they are at least as new as the epochs.
  const [epochs, jump, counters, [clock]] = await Promise.all([
    readEpochs(reader, oldest),
    lastJump(reader),
    readCounters(reader),
    reader.all(`select ${clockSql} as now`),
  ])
  const store = counters.get(storeCounter)
  if (store === undefined) throw new Fault('unavailable', 'the store is empty, or is being restored')
  const number = counters.get(logCounter) ?? 0n
  const ids = new Map(numberedTables.map((name) => [name, counters.get(name) ?? 0n]))
  const held = { store, epoch: epochs.at(-1)?.number ?? 0n, number, ids, at: Number(clock?.now) }
  return { held, epochs, jump }
}

/** Compares a store with all marks, and with that of this node. */
function compareWith({ held, epochs, jump }: Holding, marks: readonly Mark[], own?: Mark): ComparedMarks {
  const known = marks.filter(({ store }) => store === held.store)
  const recordedBy = own && lacksSome(own, epochs, held) ? recordOf(own, epochs)?.number : undefined
  return {
    held,
    marks: known,
    isBehind: known.some((mark) => isBehind(mark, epochs, held)),
    recordedBy,
    term: known.reduce((a, { term }) => (term > a ? term : a), 0n),
    history: jump?.number ?? 0n,
  }
}

type Held = Omit<Mark, 'term'>

const isBehind = (mark: Mark, epochs: readonly Epoch[], held: Held) =>
  lacksSome(mark, epochs, held) && recordOf(mark, epochs) === undefined

/** Whether the store lacks anything that the mark has, whether that is recorded or not. */
function lacksSome(mark: Mark, epochs: readonly Epoch[], held: Held): boolean {
  if (isBeyond(mark, epochs, held.number)) return true
  return [...mark.ids].some(([name, id]) => id > (held.ids.get(name) ?? id))
}

/** Whether the mark's epoch is not in the store, or ends there before its number. */
function isBeyond({ epoch, number }: Mark, epochs: readonly Epoch[], last: bigint): boolean {
  const index = epochs.findIndex((known) => known.number === epoch)
  return index < 0 || number > (epochs[index + 1]?.lastBefore ?? last)
}

/** The epoch that was opened above everything the mark has seen, because entries were lost or may have been. */
const recordOf = ({ epoch, number, ids }: Mark, epochs: readonly Epoch[]): Epoch | undefined =>
  epochs.find(
    (later) =>
      later.ids !== undefined &&
      later.number > epoch &&
      later.first > number &&
      [...ids].every(([name, id]) => id <= (later.ids?.get(name) ?? id)),
  )

/** The higher position and the higher ids: entries may have been read since the store was compared. */
function higher(a: Mark, b: Mark): Mark {
  const isAhead = a.epoch > b.epoch || (a.epoch === b.epoch && a.number > b.number)
  const { epoch, number } = isAhead ? a : b
  const ids = new Map(b.ids)
  for (const [name, id] of a.ids) if (id > (ids.get(name) ?? 0n)) ids.set(name, id)
  return { store: b.store, term: a.term > b.term ? a.term : b.term, epoch, number, ids, at: b.at }
}
