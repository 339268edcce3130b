// The alarm log: every change of an alarm as a numbered entry with the alarm as it was then, ready to be sent.

import { type Alarm, type AlarmTexts, pushedAlarm, workOnAlarm } from '../../resources/alarms/alarm.ts'
import { xmlWriter } from '../../schema/xml.ts'
import { bulk, type Reader, type Row, type SqlValue, type Transaction } from '../../store/database.ts'
import { addToTally, bytesColumn, readTally } from '../../store/tally.ts'
import { allWithValues } from '../../store/where.ts'
import { entriesBetween, head, readJumps } from './epochs.ts'
import { addressed, factsOf, type PushFacts, readViews, timesOf } from './push-facts.ts'

/** Entries about the state and the cause of an alarm, and entries about the work of people on it. */
export type EntryKind = 'raise' | 'rise' | 'release' | 'recover' | 'delete' | 'cause' | WorkKind
export type WorkKind = 'acknowledge' | 'unacknowledge' | 'note' | 'assign' | 'shelve' | 'unshelve'

/** What a recovery cleared. */
export interface Cleared {
  readonly id: bigint
  readonly OID: string
}

export interface Entry {
  readonly number: bigint
  readonly kind: EntryKind
  readonly alarmId: bigint
  readonly cleared: readonly Cleared[]
  /** What decides which clients it concerns: its own facts, and those of every push of the alarms it cleared. */
  readonly facts: readonly PushFacts[]
  /** Of an alarm that is pushed because nothing holds it back any more: its pushes so far, and when they were. */
  readonly sent: readonly SentVersion[]
  /** For clients that asked for the work of people on alarms: XML elements. */
  readonly more: string
  /**
   * The alarm as an XML element. It is stored in this form because most readers want it, and parsing it back is
   * expensive.
   */
  readonly xml: string
}

export interface SentVersion extends PushFacts {
  readonly at: number
}

export interface NewEntry {
  readonly number: bigint
  readonly kind: EntryKind
  readonly alarm: Alarm
  readonly cleared: readonly Alarm[]
  /** The views that its device is in. */
  readonly views: string
  /** Which clients it goes to; see pushed.ts. */
  readonly to: number
}

export const alarmXml = xmlWriter(pushedAlarm)
const columns =
  'number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, views, cleared, alarm, audience, more'
/** What readers of an entry need. */
const shown = 'number, kind, alarm_id, oid, device_ip, alarm_level, views, cleared, alarm, audience, more'

const log = { name: 'alarm_log' }
const added = bulk(`insert into alarm_log (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
  'bigint',
  'text',
  'bigint',
  'bigint',
  'text',
  'bigint',
  'text',
  'integer',
  'text',
  'text',
  'text',
  'integer',
  'text',
])

const workXml = xmlWriter(workOnAlarm)
const open = `<${workOnAlarm.name}>`.length

/** The elements alone, without one around them. */
export const workOn = (alarm: Alarm): string => workXml(alarm).slice(open, -open - 1)

/** What people have done with an alarm is of no interest before they have. */
function moreOf(kind: EntryKind, alarm: Alarm): string {
  if (kind === 'raise' || kind === 'rise' || kind === 'recover') return ''
  return workOn(alarm)
}

/**
 * Numbers come from a counter row in the same transaction, and are in order: a reader never sees a later one before an
 * earlier one.
 */
export async function append(
  tx: Transaction,
  words: AlarmTexts,
  entries: readonly NewEntry[],
): Promise<void> {
  words.describe(entries.map(({ alarm }) => alarm))
  const rows = entries.map(({ number, kind, alarm: then, cleared, views, to }) => [
    number,
    kind,
    tx.now,
    then.id,
    then.OID,
    then.deviceId ?? 0n,
    then.deviceIp ?? '',
    then.alarmLevel,
    views,
    clearedText(cleared),
    alarmXml(then),
    to,
    moreOf(kind, then),
  ])
  await tx.runEach(added, rows)
  let bytes = 0
  for (const [, , , , , , , , , cleared, xml] of rows) {
    bytes += Buffer.byteLength(String(cleared)) + Buffer.byteLength(String(xml))
  }
  if (bytes > 0) addToTally(tx, log, bytesColumn, '', bytes)
}

/** Of each alarm that was cleared: id, OID, address, the facts of its pushes, and when it was raised. */
function clearedText(cleared: readonly Alarm[]): string {
  if (cleared.length === 0) return '[]'
  return JSON.stringify(
    cleared.map(({ id, OID, deviceIp, pushed, faultTime }) => [
      String(id),
      OID,
      deviceIp ?? '',
      pushed,
      faultTime,
    ]),
  )
}

/** Entries after a number, in order. `limit` has few different values. */
export async function readAfter(reader: Reader, number: bigint, limit: number): Promise<Entry[]> {
  // The limit is written out: SQLite plans a statement anew each time a limit is bound to it.
  const sql = `select ${shown} from alarm_log where number > ? order by number limit ${limit}`
  return (await reader.all(sql, [number])).map(entryOf)
}

function entryOf(row: Row): Entry {
  const own = {
    OID: String(row.oid),
    deviceIp: String(row.device_ip),
    alarmLevel: Number(row.alarm_level),
    views: readViews(String(row.views)),
    ...addressed(Number(row.audience)),
  }
  const text = String(row.cleared)
  const { cleared, facts } = text === '[]' ? nothingCleared : readCleared(text, own.deviceIp)
  const isRelease = row.kind === 'release'
  return {
    number: row.number as bigint,
    kind: row.kind as EntryKind,
    alarmId: row.alarm_id as bigint,
    cleared,
    facts: isRelease ? [own] : [own, ...facts.map(({ at: _at, ...one }) => one)],
    sent: isRelease ? facts : [],
    more: String(row.more),
    xml: String(row.alarm),
  }
}

interface ClearedAlarms {
  readonly cleared: readonly Cleared[]
  readonly facts: readonly SentVersion[]
}

const nothingCleared: ClearedAlarms = { cleared: [], facts: [] }

function readCleared(json: string, deviceIp: string): ClearedAlarms {
  const cleared: Cleared[] = []
  const facts: SentVersion[] = []
  for (const [id, OID, third, pushed, raisedAt = 0] of JSON.parse(json)) {
    cleared.push({ id: BigInt(id), OID })
    // Entries of older versions end with the level, and have nothing else.
    if (typeof third === 'number') {
      facts.push({ OID, deviceIp, alarmLevel: third, views: 'any', at: 0 })
      continue
    }
    const times = timesOf(pushed, raisedAt)
    for (const [index, one] of factsOf(pushed, OID, third).entries()) {
      facts.push({ ...one, at: times[index] ?? 0 })
    }
  }
  return { cleared, facts }
}

/** When entries were written, by their numbers; for one that was removed, when the oldest remaining one was. */
export async function timesAt(reader: Reader, numbers: readonly bigint[]): Promise<Map<bigint, number>> {
  const wanted = [...new Set(numbers)]
  if (wanted.length === 0) return new Map()
  const rows = await allWithValues(
    reader,
    wanted,
    (marks) => `select number, at from alarm_log where number in (${marks})`,
  )
  const times = new Map(rows.map((row) => [row.number as bigint, Number(row.at)]))
  const [first] = await reader.all('select number, at from alarm_log order by number limit 1')
  for (const number of wanted) {
    if (first && number < (first.number as bigint)) times.set(number, Number(first.at))
  }
  return times
}

/** The number of the oldest entry that is kept; one past the head where none is. */
export async function oldest(reader: Reader): Promise<bigint> {
  const [row] = await reader.all('select min(number) as number from alarm_log')
  return (row?.number as bigint | null | undefined) ?? (await head(reader)) + 1n
}

/**
 * Removes entries from the old end, as many as `limit`: those beyond the newest `count` or `bytes`, and those from before a
 * time. It stops at the first that stays: one from a time when the clock was wrong must not take others with it.
 */
export async function removeOldEntries(
  tx: Transaction,
  { count, bytes: most = Number.POSITIVE_INFINITY }: { readonly count: number; readonly bytes?: number },
  before: number,
  limit: number,
): Promise<number> {
  const last = await head(tx)
  const jumps = await readJumps(tx)
  let excess = (await readTally(tx, log, bytesColumn, '')) - most
  const rows = await tx.all(
    'select number, at, octet_length(cleared) + octet_length(alarm) as bytes from alarm_log order by number limit ?',
    [limit],
  )
  let removed = 0
  let newest: SqlValue = null
  for (const { number, at, bytes } of rows) {
    const newer = entriesBetween(jumps, number as bigint, last)
    if (newer < count && Number(at) >= before && excess <= 0) break
    excess -= Number(bytes)
    removed += Number(bytes)
    newest = number ?? null
  }
  if (newest === null) return 0
  addToTally(tx, log, bytesColumn, '', -removed)
  return tx.run('delete from alarm_log where number <= ?', [newest])
}
