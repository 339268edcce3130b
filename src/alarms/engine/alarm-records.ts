// The alarms of one transaction in their current state: read before they are changed, changed in memory, and written at
// the end, table by table, with their entries in the log and in the history.

import { type Alarm, type AlarmTexts, alarms } from '../../resources/alarms/alarm.ts'
import { bulk, type SqlValue, type Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { findEach, insertAll, recount, removeAll, setColumns } from '../../store/table.ts'
import { append, type EntryKind, type NewEntry } from '../log/alarm-log.ts'
import { logCounter } from '../log/epochs.ts'
import { audienceOf } from '../log/push-facts.ts'
import { countOpen } from '../open/open-by-level.ts'

/** What the log keeps of a change beside the alarm itself. */
interface EntryDetails {
  readonly views: string
  /** Which clients it goes to. */
  readonly to: number
  readonly cleared?: readonly Alarm[]
}

/** The history's part of an entry; the beginning and the end of an alarm are stored with the alarm. */
interface Remembered {
  readonly userName: string
  readonly detail: string
}

type NextId = (name: 'alarm' | typeof logCounter) => bigint

/** The columns that a change writes. */
const kinds = ['risen', 'ended', 'worked', 'caused'] as const
type Written = (typeof kinds)[number]

export class AlarmRecords {
  readonly #tx: Transaction
  readonly #words: AlarmTexts
  readonly #next: NextId
  /** Alarms of the store, in their current state. */
  readonly #loaded = new Map<bigint, Alarm>()
  /** Alarms that are not in the store yet, in their current state. */
  #new = new Map<bigint, Alarm>()
  readonly #changed: Record<Written, Set<bigint>> = {
    risen: new Set(),
    ended: new Set(),
    worked: new Set(),
    caused: new Set(),
  }
  readonly #deleted = new Set<bigint>()
  #entries: NewEntry[] = []
  #history: SqlValue[][] = []
  /** Whether something was written to the log. */
  hasLogEntries = false

  private constructor(tx: Transaction, words: AlarmTexts, next: NextId) {
    this.#tx = tx
    this.#words = words
    this.#next = next
  }

  static async begin(tx: Transaction, words: AlarmTexts): Promise<AlarmRecords> {
    await words.refresh(tx)
    return new AlarmRecords(tx, words, await openIds(tx, 'alarm', logCounter))
  }

  /** Reads whole alarms, open or not; returns those that exist. */
  async load(ids: readonly bigint[]): Promise<Alarm[]> {
    const records = (await findEach(this.#tx, alarms.table, ids)) as Alarm[]
    for (const record of records) this.#loaded.set(record.id, record)
    return records
  }

  /** The number for a new alarm. */
  takeId(): bigint {
    return this.#next('alarm')
  }

  /** The number for its entry in the log. */
  takeEntry(): bigint {
    return this.#next(logCounter)
  }

  add(record: Alarm): void {
    this.#new.set(record.id, record)
  }

  find(id: bigint): Alarm | undefined {
    return this.#new.get(id) ?? this.#loaded.get(id)
  }

  /** An alarm that is not in the store yet. */
  findNew(id: bigint): Alarm | undefined {
    return this.#new.get(id)
  }

  known(id: bigint): Alarm {
    const record = this.find(id)
    if (!record) throw new Error(`alarm ${id} was not gathered`)
    return record
  }

  /** Entries of the log keep an alarm as it was: changes are made to a copy. */
  change(id: bigint, change: Partial<Alarm>, written: Written): Alarm {
    const before = this.known(id)
    const record = { ...before, ...change }
    if (this.#new.has(id)) this.#new.set(id, record)
    else {
      this.#loaded.set(id, record)
      this.#changed[written].add(id)
      recount(this.#tx, alarms.table, before, record)
      countOpen(this.#tx, before, -1)
      countOpen(this.#tx, record, 1)
    }
    return record
  }

  /** `views` are those that its device is in. */
  delete(id: bigint, views: string): void {
    const alarm = this.known(id)
    this.#deleted.add(id)
    this.enter('delete', alarm, { views, to: audienceOf(alarm.pushed) })
  }

  enter(
    kind: EntryKind,
    alarm: Alarm,
    { views, to, cleared = [] }: EntryDetails,
    remembered?: Remembered,
    number = this.takeEntry(),
  ): void {
    this.#entries.push({ number, kind, alarm, views, to, cleared })
    if (!remembered) return
    const { userName, detail } = remembered
    this.#history.push([alarm.id, number, this.#tx.now, kind, userName, detail, to === 0 ? 0 : 1])
  }

  /** Writes all that was changed since the last time. Of most blocks of traps, that is one kind of thing or none. */
  async write(): Promise<void> {
    if (this.#changed.ended.size + this.#deleted.size > 0) await this.#writeOver()
    for (const written of kinds) if (this.#changed[written].size > 0) await this.#writeChanged(written)
    if (this.#deleted.size > 0) await this.#writeDeleted()
    // Only now: at most one alarm of an identity is open at a time.
    if (this.#new.size > 0) await this.#writeNew()
    if (this.#entries.length > 0) await this.#writeEntries()
  }

  async #writeOver(): Promise<void> {
    const over = new Set([...this.#changed.ended, ...this.#deleted])
    await this.#tx.runEach(
      unknownOver,
      Array.from(over, (id) => [id]),
    )
  }

  async #writeChanged(written: Written): Promise<void> {
    const ids = this.#changed[written]
    const { statement, values } = statements[written]
    await this.#tx.runEach(
      statement,
      Array.from(ids, (id) => [...values(this.known(id)), id]),
    )
    ids.clear()
  }

  async #writeNew(): Promise<void> {
    await insertAll(this.#tx, alarms.table, [...this.#new.values()])
    for (const [id, record] of this.#new) {
      countOpen(this.#tx, record, 1)
      this.#loaded.set(id, record)
    }
    this.#new = new Map()
  }

  async #writeEntries(): Promise<void> {
    const [entries, history] = [this.#entries, this.#history]
    this.#entries = []
    this.#history = []
    await append(this.#tx, this.#words, entries)
    await this.#tx.runEach(historyAdded, history)
    this.hasLogEntries = true
  }

  async #writeDeleted(): Promise<void> {
    const gone = Array.from(this.#deleted, (id) => this.known(id))
    this.#deleted.clear()
    await removeAll(this.#tx, alarms.table, gone)
    for (const alarm of gone) countOpen(this.#tx, alarm, -1)
    await forgetHistory(this.#tx, gone)
  }
}

/** The history of an alarm is deleted with it. */
export const forgetHistory = (tx: Transaction, gone: readonly { readonly id: bigint }[]): Promise<unknown> =>
  tx.runEach(
    historyForgotten,
    gone.map(({ id }) => [id]),
  )

/** See unknown-events.ts: those that end are counted no longer. */
const unknownOver = bulk('delete from unknown_alarm where alarm_id = ?', ['bigint'])
const historyForgotten = bulk('delete from alarm_history where alarm_id = ?', ['bigint'])
const historyAdded = bulk(
  'insert into alarm_history (alarm_id, entry, at, kind, user_name, detail, pushed) values (?, ?, ?, ?, ?, ?, ?)',
  ['bigint', 'bigint', 'bigint', 'text', 'text', 'text', 'integer'],
)

/** Flags and lists as their columns hold them. */
const flag = (value: boolean) => (value ? 1 : 0)

const statements = {
  risen: {
    statement: setColumns(alarms.table, 'alarm_level = ?, pushed = ?', ['integer', 'text']),
    values: ({ alarmLevel, pushed }: Alarm): SqlValue[] => [alarmLevel, pushed],
  },
  ended: {
    statement: setColumns(alarms.table, 'rec_status = 1, rec_time = ?, rec_user_name = ?, recovered_by = ?', [
      'bigint',
      'text',
      'bigint',
    ]),
    values: ({ recTime, recUserName, recoveredBy }: Alarm): SqlValue[] => [recTime, recUserName, recoveredBy],
  },
  caused: {
    statement: setColumns(alarms.table, 'parent_id = ?, cause_id = ?, cause_until = ?, pushed = ?', [
      'bigint',
      'bigint',
      'bigint',
      'text',
    ]),
    values: ({ parentId, causeId, causeUntil, pushed }: Alarm): SqlValue[] => [
      parentId,
      causeId,
      causeUntil,
      pushed,
    ],
  },
  worked: {
    statement: setColumns(
      alarms.table,
      'ack_status = ?, ack_time = ?, ack_user_name = ?, ack_until = ?, first_ack_time = ?, owner = ?, note = ?, suppressed = ?, suppressed_by = ?, shelved_until = ?, shelved_level = ?, hidden = ?, pushed = ?',
      [
        'integer',
        'bigint',
        'text',
        'bigint',
        'bigint',
        'text',
        'text',
        'integer',
        'text',
        'bigint',
        'integer',
        'integer',
        'text',
      ],
    ),
    values: (alarm: Alarm): SqlValue[] => [
      alarm.ackStatus,
      alarm.ackTime,
      alarm.ackUserName,
      alarm.ackUntil,
      alarm.firstAckTime,
      alarm.owner,
      alarm.note,
      flag(alarm.suppressed),
      JSON.stringify(alarm.suppressedBy),
      alarm.shelvedUntil,
      alarm.shelvedLevel,
      flag(alarm.hidden),
      alarm.pushed,
    ],
  },
} as const
