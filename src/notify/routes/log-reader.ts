// Reads the log of alarms for all routes. Its place is saved in the transaction that writes what follows from the entries
// before it; entries that concern no route only move it in memory, and it is saved now and then.

import { entryTimes, type LogEntry, oldestEntry, readChangesAfter } from '../../alarms/log/alarm-log.ts'
import { entriesBetween, lastEntryNumber, readEpochs } from '../../alarms/log/epochs.ts'
import { type Alarm, type AlarmTexts, alarms } from '../../resources/alarms/alarm.ts'
import { lockCounter, readCounter, setCounter } from '../../store/counter.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { findEach } from '../../store/table.ts'
import { allWithValues } from '../../store/where.ts'
import { IncidentWork } from './incident-work.ts'
import { alarmsOf, isLater, isRaise } from './log-entries.ts'
import { MessageLimits } from './message-limits.ts'
import { describeAlarm } from './message-text.ts'
import { Quotas } from './quotas.ts'
import type { RouteIndex } from './route-index.ts'
import { EntryTaker } from './take-entry.ts'
import { isOfService, lastResort, ownEvents } from './targets.ts'

export interface ReaderParts {
  /** Refuses changes while this service does not lead. */
  readonly leaderDatabase: Database
  readonly alarmTexts: AlarmTexts
  readRouteIndex(): Promise<RouteIndex>
  /** Called where entries are missing that no route has seen. */
  onGap(reason: string): Promise<void>
}

const numberCounter = 'notify place'
const epochCounter = 'notify epoch'
/** Entries that are read at a time, and rows after which a transaction is long enough. */
const batch = 200
const enoughRows = 500
/** A place that only moved in memory is saved after so many milliseconds. */
const saveAfter = 5000

export class LogReader {
  readonly #parts: ReaderParts
  /** How far it has read; undefined until it is known. */
  #place: bigint | undefined
  #saved: { number: bigint; at: number } = { number: 0n, at: 0 }

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  /** Called when this service begins to lead: another one may have read on. */
  forget(): void {
    this.#place = undefined
  }

  /** Reads on; returns whether there may be more. */
  async run(): Promise<boolean> {
    const { leaderDatabase } = this.#parts
    this.#place ??= await this.#begin()
    const place = this.#place
    const entries = await readChangesAfter(leaderDatabase, place, batch)
    if (entries.length === 0) {
      await this.#saveNowAndThen()
      return false
    }
    const routeIndex = await this.#parts.readRouteIndex()
    const reached = await this.#take(entries, routeIndex, place)
    this.#place = reached
    await this.#saveNowAndThen()
    return entries.length === batch || reached < (entries.at(-1)?.number ?? 0n)
  }

  /** Where nobody has asked to be told, nothing was missed. */
  async #reportGap(text: string): Promise<void> {
    const { routes } = await this.#parts.readRouteIndex()
    if (routes.length > 0) await this.#parts.onGap(text)
  }

  /** Where reading goes on; entries that were removed, or lost with an older state of the store, are told. */
  async #begin(): Promise<bigint> {
    const { leaderDatabase } = this.#parts
    const last = await lastEntryNumber(leaderDatabase)
    const number = await readCounter(leaderDatabase, numberCounter)
    if (number === undefined) return this.#startAt(last)
    const epoch = (await readCounter(leaderDatabase, epochCounter)) ?? 0n
    const later = (await readEpochs(leaderDatabase, epoch)).filter((one) => one.number > epoch)
    const lost = later.find(({ isReported, first }) => isReported && first > number)
    if (lost || number > last) {
      await this.#reportGap(
        'The store went back to an older state: what happened in between may not have been told',
      )
    }
    const oldest = await oldestEntry(leaderDatabase)
    const place = number > last ? last : number
    if (place < oldest - 1n) {
      const missing = entriesBetween(later, place, oldest - 1n)
      if (missing > 0n) {
        await this.#reportGap(
          `${missing} changes of alarms were removed from the log before they could be told`,
        )
      }
      return this.#startAt(oldest - 1n)
    }
    return this.#startAt(place)
  }

  async #startAt(place: bigint): Promise<bigint> {
    await this.#parts.leaderDatabase.transaction(async (tx) => {
      await setCounter(tx, numberCounter, place)
      await saveEpoch(tx)
    })
    this.#saved = { number: place, at: this.#parts.leaderDatabase.now() }
    return place
  }

  async #saveNowAndThen(): Promise<void> {
    const { leaderDatabase } = this.#parts
    const place = this.#place
    if (place === undefined || place === this.#saved.number) return
    if (Math.abs(leaderDatabase.now() - this.#saved.at) < saveAfter) return
    await leaderDatabase.transaction((tx) => this.#advance(tx, place))
    this.#saved = { number: place, at: leaderDatabase.now() }
  }

  /** A place that is not where this reader saved it belongs to another reader: nothing is written. */
  async #advance(tx: Transaction, to: bigint): Promise<void> {
    const stored = await lockCounter(tx, numberCounter)
    if (stored !== this.#saved.number) {
      this.#place = undefined
      throw new Error(`the place of notifications is ${stored}, not ${this.#saved.number}: it is read again`)
    }
    await setCounter(tx, numberCounter, to)
    await saveEpoch(tx)
  }

  /** Returns the number of the last entry that was taken. */
  async #take(entries: readonly LogEntry[], routeIndex: RouteIndex, place: bigint): Promise<bigint> {
    const { leaderDatabase, alarmTexts } = this.#parts
    const concerned = await this.#concerned(entries, routeIndex)
    const lastRead = entries.at(-1)?.number ?? place
    if (concerned.length === 0) return lastRead
    let reached = lastRead
    await leaderDatabase.transaction(async (tx) => {
      const work = await IncidentWork.begin(tx)
      const quotas = new Quotas(tx)
      await alarmTexts.refresh(tx)
      const known = await readAlarms(tx, concerned)
      await work.gatherAlarms(concerned.flatMap(alarmsOf))
      const times = await entryTimes(
        tx,
        concerned.map(({ number }) => number),
      )
      const taker = new EntryTaker({
        work,
        routeIndex,
        lastResort,
        limits: new MessageLimits(work, quotas),
        alarm: (id) => known.get(id),
        load: async (ids) => {
          const wanted = ids.filter((id) => !known.has(id))
          for (const alarm of (await findEach(tx, alarms.table, wanted)) as Alarm[])
            known.set(alarm.id, alarm)
        },
        describe: (alarm) => describeAlarm(alarm, alarmTexts),
        isOfService,
      })
      reached = lastRead
      for (const entry of concerned) {
        await taker.take({ entry, at: times.get(entry.number) ?? tx.now })
        if (work.added < enoughRows) continue
        reached = entry.number
        break
      }
      await this.#advance(tx, reached)
      await quotas.write()
      await work.write()
    })
    this.#saved = { number: reached, at: leaderDatabase.now() }
    return reached
  }

  /** Most entries concern no route, and cost no transaction. */
  async #concerned(entries: readonly LogEntry[], routeIndex: RouteIndex): Promise<LogEntry[]> {
    const members = await this.#amongThese(entries, 'notify_member')
    const later = routeIndex.routes.length === 0 ? [] : entries.filter(isLater)
    const taken = await this.#amongThese(later, 'notification')
    const raised = new Set<bigint>()
    return entries.filter((entry) => {
      const [facts] = entry.attributes
      if (isRaise(entry) && facts && (routeIndex.concerns(facts) || ownEvents.has(facts.OID))) {
        raised.add(entry.alarmId)
        return true
      }
      const isTaken = (id: bigint) => isLater(entry) && taken.has(id)
      return alarmsOf(entry).some((id) => members.has(id) || raised.has(id) || isTaken(id))
    })
  }

  /** The alarms of these entries that incidents are about or count, or that the ledger has. */
  async #amongThese(
    entries: readonly LogEntry[],
    table: 'notify_member' | 'notification',
  ): Promise<Set<bigint>> {
    const { leaderDatabase } = this.#parts
    if (entries.length === 0) return new Set()
    const [any] = await leaderDatabase.all(`select 1 from ${table} limit 1`)
    if (!any) return new Set()
    const rows = await allWithValues(
      leaderDatabase,
      [...new Set(entries.flatMap(alarmsOf))],
      (marks) => `select distinct alarm_id from ${table} where alarm_id in (${marks})`,
    )
    return new Set(rows.map((row) => row.alarm_id as bigint))
  }
}

async function saveEpoch(tx: Transaction): Promise<void> {
  const [row] = (await readEpochs(tx)).slice(-1)
  await setCounter(tx, epochCounter, row?.number ?? 0n)
}

/** The alarms of entries, and those that they follow from. */
async function readAlarms(tx: Transaction, entries: readonly LogEntry[]): Promise<Map<bigint, Alarm>> {
  const known = new Map<bigint, Alarm>()
  let wanted = [...new Set(entries.flatMap(alarmsOf))]
  for (let depth = 0; depth < 3 && wanted.length > 0; depth += 1) {
    const found = (await findEach(tx, alarms.table, wanted)) as Alarm[]
    for (const alarm of found) known.set(alarm.id, alarm)
    wanted = [...new Set(found.map(({ parentId }) => parentId))].filter((id) => id !== 0n && !known.has(id))
  }
  return known
}
