// Reads and writes the alarm log: every change of an alarm is a numbered entry that holds the alarm as it was, ready to send.

import {
  type Alarm,
  type AlarmTexts,
  alarmOperatorFields,
  pushedAlarm,
} from '../../resources/alarms/alarm.ts'
import { xmlWriter } from '../../schema/xml.ts'
import { bulk, type Reader, type Row, type SqlValue, type Transaction } from '../../store/database.ts'
import { addToTally, bytesColumn, readTally } from '../../store/tally.ts'
import { allWithValues } from '../../store/where.ts'
import { entriesBetween, lastEntryNumber, readJumps } from './epochs.ts'
import {
  attributesOf,
  audienceAttribute,
  type PushAttributes,
  pushTimes,
  readViews,
} from './push-attributes.ts'

/** Changes of an alarm's state or cause, and changes that operators make. */
export type EntryKind = 'raise' | 'rise' | 'release' | 'recover' | 'delete' | 'cause' | OperatorEntryKind
export type OperatorEntryKind =
  | 'acknowledge'
  | 'unacknowledge'
  | 'note'
  | 'assign'
  | 'shelve'
  | 'unshelve'
  | 'escalate'

/** An alarm that a recovery cleared. */
export interface Cleared {
  readonly id: bigint
  readonly OID: string
}

export interface LogEntry {
  readonly number: bigint
  readonly kind: EntryKind
  readonly alarmId: bigint
  readonly cleared: readonly Cleared[]
  /** Filters match these: its own attributes, and those of every push of the alarms that it cleared. */
  readonly attributes: readonly PushAttributes[]
  /** For an alarm that is no longer suppressed: its earlier pushes. */
  readonly earlierPushes: readonly EarlierPush[]
  /** XML elements for clients that asked for changes by operators. */
  readonly operatorXml: string
  /**
   * The alarm as an XML element. Stored in this form because most readers want it, and parsing it back is expensive.
   */
  readonly xml: string
}

export interface EarlierPush extends PushAttributes {
  readonly at: number
}

export interface NewLogEntry {
  readonly number: bigint
  readonly kind: EntryKind
  readonly alarm: Alarm
  readonly cleared: readonly Alarm[]
  /** The device views (groups of devices) that its device is in, as text. */
  readonly views: string
  /** Which clients it goes to: see push-attributes.ts. */
  readonly audience: number
}

export const alarmXml = xmlWriter(pushedAlarm)
const columns =
  'number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, views, cleared, alarm, audience, more'
/** The columns that readers need. */
const readColumns =
  'number, kind, alarm_id, oid, device_ip, alarm_level, views, cleared, alarm, audience, more'
const changeColumns = readColumns.replace('alarm, audience, more', "'' as alarm, audience, '' as more")

const log = { name: 'alarm_log' }
const insertEntries = bulk(
  `insert into alarm_log (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  [
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
  ],
)

const writeOperatorFields = xmlWriter(alarmOperatorFields)
const tagLength = `<${alarmOperatorFields.name}>`.length

/** The operator fields as XML elements, without an enclosing element. */
export const operatorFieldsXml = (alarm: Alarm): string =>
  writeOperatorFields(alarm).slice(tagLength, -tagLength - 1)

/** Operators have not touched an alarm yet when it is raised, and its state changes carry none of their fields. */
function operatorXmlOf(kind: EntryKind, alarm: Alarm): string {
  if (kind === 'raise' || kind === 'rise' || kind === 'recover') return ''
  return operatorFieldsXml(alarm)
}

/** Numbers come from a counter row in the same transaction, so readers always see them in order. */
export async function appendEntries(
  tx: Transaction,
  texts: AlarmTexts,
  entries: readonly NewLogEntry[],
): Promise<void> {
  texts.describe(entries.map(({ alarm }) => alarm))
  let bytes = 0
  const rows = entries.map(({ number, kind, alarm, cleared, views, audience }) => {
    const [clearedJson, xml] = [clearedText(cleared), alarmXml(alarm)]
    bytes += Buffer.byteLength(clearedJson) + Buffer.byteLength(xml)
    return [
      number,
      kind,
      tx.now,
      alarm.id,
      alarm.OID,
      alarm.deviceId ?? 0n,
      alarm.deviceIp ?? '',
      alarm.alarmLevel,
      views,
      clearedJson,
      xml,
      audience,
      operatorXmlOf(kind, alarm),
    ]
  })
  await tx.runEach(insertEntries, rows)
  if (bytes > 0) addToTally(tx, log, bytesColumn, '', bytes)
}

/** For each cleared alarm: id, OID, address, its pushes, and when it was raised. */
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

/** Entries after a number, in order. The limit is part of the SQL text, so call it with few different limits. */
export function readEntriesAfter(reader: Reader, number: bigint, limit: number): Promise<LogEntry[]> {
  return readAfter(reader, readColumns, number, limit)
}

/** The same without the XML of the alarms, which makes up most of the log. */
export function readChangesAfter(reader: Reader, number: bigint, limit: number): Promise<LogEntry[]> {
  return readAfter(reader, changeColumns, number, limit)
}

async function readAfter(
  reader: Reader,
  columns: string,
  number: bigint,
  limit: number,
): Promise<LogEntry[]> {
  // The limit is part of the text because SQLite plans a statement again whenever a limit is bound.
  const sql = `select ${columns} from alarm_log where number > ? order by number limit ${limit}`
  return (await reader.all(sql, [number])).map(entryOf)
}

function entryOf(row: Row): LogEntry {
  const own = {
    OID: String(row.oid),
    deviceIp: String(row.device_ip),
    alarmLevel: Number(row.alarm_level),
    views: readViews(String(row.views)),
    ...audienceAttribute(Number(row.audience)),
  }
  const text = String(row.cleared)
  const { cleared, pushes } = text === '[]' ? noneCleared : readCleared(text, own.deviceIp)
  const isRelease = row.kind === 'release'
  return {
    number: row.number as bigint,
    kind: row.kind as EntryKind,
    alarmId: row.alarm_id as bigint,
    cleared,
    attributes: isRelease ? [own] : [own, ...pushes.map(({ at: _at, ...one }) => one)],
    earlierPushes: isRelease ? pushes : [],
    operatorXml: String(row.more),
    xml: String(row.alarm),
  }
}

interface ClearedAlarms {
  readonly cleared: readonly Cleared[]
  /** The earlier pushes of these alarms. */
  readonly pushes: readonly EarlierPush[]
}

const noneCleared: ClearedAlarms = { cleared: [], pushes: [] }

function readCleared(json: string, deviceIp: string): ClearedAlarms {
  const cleared: Cleared[] = []
  const pushes: EarlierPush[] = []
  for (const [id, OID, deviceIpOrLevel, pushed, raisedAt = 0] of JSON.parse(json)) {
    cleared.push({ id: BigInt(id), OID })
    // Entries of older versions end with the level, and have nothing else.
    if (typeof deviceIpOrLevel === 'number') {
      pushes.push({ OID, deviceIp, alarmLevel: deviceIpOrLevel, views: 'any', at: 0 })
      continue
    }
    const times = pushTimes(pushed, raisedAt)
    for (const [index, one] of attributesOf(pushed, OID, deviceIpOrLevel).entries()) {
      pushes.push({ ...one, at: times[index] ?? 0 })
    }
  }
  return { cleared, pushes }
}

/** When entries were written, by number. For a removed entry: when the oldest remaining one was written. */
export async function entryTimes(reader: Reader, numbers: readonly bigint[]): Promise<Map<bigint, number>> {
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

/** The number of the oldest stored entry; if there is none, the next number. */
export async function oldestEntry(reader: Reader): Promise<bigint> {
  const [row] = await reader.all('select min(number) as number from alarm_log')
  return (row?.number as bigint | null | undefined) ?? (await lastEntryNumber(reader)) + 1n
}

/**
 * Removes up to `limit` of the oldest entries: those beyond the newest `count` or `bytes`, and those older than `before`.
 * Stops at the first entry to keep: one written while the clock was wrong must not take others with it.
 */
export async function removeOldEntries(
  tx: Transaction,
  { count, bytes: maxBytes = Number.POSITIVE_INFINITY }: { readonly count: number; readonly bytes?: number },
  before: number,
  limit: number,
): Promise<number> {
  const last = await lastEntryNumber(tx)
  const jumps = await readJumps(tx)
  let excess = (await readTally(tx, log, bytesColumn, '')) - maxBytes
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
