// Holds the alarms of one transaction: reads them before they are changed, keeps their current state in memory, and writes
// them at the end, table by table, with their entries in the log and the history.

import { type Alarm, type AlarmTexts, alarms } from '../../resources/alarms/alarm.ts'
import { bulk, type SqlValue, type Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { findEach, insertAll, recount, removeAll, setColumns } from '../../store/table.ts'
import { appendEntries, type EntryKind, type NewLogEntry } from '../log/alarm-log.ts'
import { logCounter } from '../log/epochs.ts'
import { audienceOf } from '../log/push-attributes.ts'
import { countOpen } from '../open/overview-figures.ts'

/** What the log stores of a change besides the alarm itself. */
interface LogDetails {
  readonly views: string
  /** Which clients it goes to. */
  readonly audience: number
  readonly cleared?: readonly Alarm[]
}

/** What the history stores of a change. When an alarm began and ended is stored with the alarm. */
interface HistoryDetails {
  readonly userName: string
  readonly detail: string
}

type NextId = (name: 'alarm' | typeof logCounter) => bigint

/** The columns that one kind of change writes. */
const columnGroups = ['level', 'recovery', 'operator', 'cause'] as const
type ColumnGroup = (typeof columnGroups)[number]

export class AlarmRecords {
  readonly #tx: Transaction
  readonly #texts: AlarmTexts
  readonly #next: NextId
  /** Alarms that the store has, in their current state. */
  readonly #loaded = new Map<bigint, Alarm>()
  /** Alarms that the store does not have yet. */
  #new = new Map<bigint, Alarm>()
  readonly #changed: Record<ColumnGroup, Set<bigint>> = {
    level: new Set(),
    recovery: new Set(),
    operator: new Set(),
    cause: new Set(),
  }
  readonly #deleted = new Set<bigint>()
  #entries: NewLogEntry[] = []
  #history: SqlValue[][] = []
  /** Whether anything was written to the log. */
  hasLogEntries = false

  private constructor(tx: Transaction, texts: AlarmTexts, next: NextId) {
    this.#tx = tx
    this.#texts = texts
    this.#next = next
  }

  static async begin(tx: Transaction, texts: AlarmTexts): Promise<AlarmRecords> {
    await texts.refresh(tx)
    return new AlarmRecords(tx, texts, await openIds(tx, 'alarm', logCounter))
  }

  /** Reads whole alarms, open or not; returns those that exist. */
  async load(ids: readonly bigint[]): Promise<Alarm[]> {
    const records = (await findEach(this.#tx, alarms.table, ids)) as Alarm[]
    for (const record of records) this.#loaded.set(record.id, record)
    return records
  }

  /** The id of a new alarm. */
  takeId(): bigint {
    return this.#next('alarm')
  }

  /** The number of a new log entry. */
  takeEntry(): bigint {
    return this.#next(logCounter)
  }

  add(record: Alarm): void {
    this.#new.set(record.id, record)
  }

  find(id: bigint): Alarm | undefined {
    return this.#new.get(id) ?? this.#loaded.get(id)
  }

  /** Undefined if the store has the alarm already. */
  findNew(id: bigint): Alarm | undefined {
    return this.#new.get(id)
  }

  get(id: bigint): Alarm {
    const record = this.find(id)
    if (!record) throw new Error(`alarm ${id} was not gathered`)
    return record
  }

  /** Changes a copy, because log entries refer to the alarm as it was. */
  change(id: bigint, change: Partial<Alarm>, columns: ColumnGroup): Alarm {
    const before = this.get(id)
    const record = { ...before, ...change }
    if (this.#new.has(id)) this.#new.set(id, record)
    else {
      this.#loaded.set(id, record)
      this.#changed[columns].add(id)
      recount(this.#tx, alarms.table, before, record)
      countOpen(this.#tx, before, -1)
      countOpen(this.#tx, record, 1)
    }
    return record
  }

  /** `views`: the views of its device. */
  delete(id: bigint, views: string): void {
    const alarm = this.get(id)
    this.#deleted.add(id)
    this.log('delete', alarm, { views, audience: audienceOf(alarm.pushed) })
  }

  log(
    kind: EntryKind,
    alarm: Alarm,
    { views, audience, cleared = [] }: LogDetails,
    history?: HistoryDetails,
    number = this.takeEntry(),
  ): void {
    this.#entries.push({ number, kind, alarm, views, audience, cleared })
    if (!history) return
    const { userName, detail } = history
    this.#history.push([alarm.id, number, this.#tx.now, kind, userName, detail, audience === 0 ? 0 : 1])
  }

  /** Writes everything changed since the last call. Most blocks of traps change only one kind of thing, or nothing. */
  async write(): Promise<void> {
    if (this.#changed.recovery.size + this.#deleted.size > 0) await this.#writeEndedUnknown()
    for (const group of columnGroups) if (this.#changed[group].size > 0) await this.#writeChanged(group)
    if (this.#deleted.size > 0) await this.#writeDeleted()
    // After the ended ones: at most one alarm of an identity may be open.
    if (this.#new.size > 0) await this.#writeNew()
    if (this.#entries.length > 0) await this.#writeEntries()
  }

  async #writeEndedUnknown(): Promise<void> {
    const ended = new Set([...this.#changed.recovery, ...this.#deleted])
    await this.#tx.runEach(
      deleteUnknownAlarm,
      Array.from(ended, (id) => [id]),
    )
  }

  async #writeChanged(group: ColumnGroup): Promise<void> {
    const ids = this.#changed[group]
    const { statement, values } = statements[group]
    await this.#tx.runEach(
      statement,
      Array.from(ids, (id) => [...values(this.get(id)), id]),
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
    await appendEntries(this.#tx, this.#texts, entries)
    await this.#tx.runEach(insertHistory, history)
    this.hasLogEntries = true
  }

  async #writeDeleted(): Promise<void> {
    const deleted = Array.from(this.#deleted, (id) => this.get(id))
    this.#deleted.clear()
    await removeAll(this.#tx, alarms.table, deleted)
    for (const alarm of deleted) countOpen(this.#tx, alarm, -1)
    await deleteHistory(this.#tx, deleted)
  }
}

/** The history of an alarm is deleted with it. */
export const deleteHistory = (
  tx: Transaction,
  alarms: readonly { readonly id: bigint }[],
): Promise<unknown> =>
  tx.runEach(
    deleteHistoryRows,
    alarms.map(({ id }) => [id]),
  )

/** Ended alarms no longer count towards the limit in unknown-events.ts. */
const deleteUnknownAlarm = bulk('delete from unknown_alarm where alarm_id = ?', ['bigint'])
const deleteHistoryRows = bulk('delete from alarm_history where alarm_id = ?', ['bigint'])
const insertHistory = bulk(
  'insert into alarm_history (alarm_id, entry, at, kind, user_name, detail, pushed) values (?, ?, ?, ?, ?, ?, ?)',
  ['bigint', 'bigint', 'bigint', 'text', 'text', 'text', 'integer'],
)

const flag = (value: boolean) => (value ? 1 : 0)

const statements = {
  level: {
    statement: setColumns(alarms.table, 'alarm_level = ?, pushed = ?', ['integer', 'text']),
    values: ({ alarmLevel, pushed }: Alarm): SqlValue[] => [alarmLevel, pushed],
  },
  recovery: {
    statement: setColumns(alarms.table, 'rec_status = 1, rec_time = ?, rec_user_name = ?, recovered_by = ?', [
      'bigint',
      'text',
      'bigint',
    ]),
    values: ({ recTime, recUserName, recoveredBy }: Alarm): SqlValue[] => [recTime, recUserName, recoveredBy],
  },
  cause: {
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
  operator: {
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
