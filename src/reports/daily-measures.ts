// Records once a day counts that have no history, so that reports can show how they grew.

import type { ZoneTime } from '../rules/zone-time.ts'
import { bulk, type Database, type Reader, type Row } from '../store/database.ts'
import type { ValueTexts } from './report-document.ts'

export type MeasureKind = 'segment' | 'sender'

/** The row with the time at which all of it was recorded. */
const taken = 'taken'
const keepDays = 400
const day = 24 * 3600 * 1000
/** Addresses can be forged, so only the busiest senders since the last time are recorded. */
const senderLines = 5000

/** By segment, the number of addresses in its range that are assigned. */
export const segmentUse =
  'select cast(s.id as text) as member, (select count(*) from assigned_ip i where i.ip_key between s.start_ip_key and s.end_ip_key) as value from ip_scope s'

/** By sender and outcome, such as `10.0.0.1 raised`, summed over all reasons; only for those that sent since a time. */
export const senderCounts = `select source_ip || ' ' || bin as member, cast(sum(n) as bigint) as value from trap_source_ledger
  where (source_ip, bin) in (select source_ip, bin from trap_source_ledger where last_time >= ?) group by source_ip, bin`

const row = bulk(
  'insert into report_measure (kind, member, at, value) values (?, ?, ?, ?) on conflict (kind, member, at) do nothing',
  ['text', 'text', 'bigint', 'bigint'],
)

export class Measures {
  readonly #database: Database
  readonly #zone: ZoneTime

  constructor(database: Database, zone: ZoneTime) {
    this.#database = database
    this.#zone = zone
  }

  /** Records with the first call of each day. */
  async record(now: number): Promise<void> {
    const last = await lastTaken(this.#database, now)
    const today = this.#zone.local(now).day
    if (last !== undefined && this.#zone.local(last).day === today) return
    const [segments, senders] = await this.#database.readSnapshot(async (reader) => [
      changed(await reader.all(segmentUse), await valuesAt(reader, 'segment', now)),
      await reader.all(`${senderCounts} order by value desc limit ${senderLines}`, [last ?? 0]),
    ])
    await this.#database.transaction(async (tx) => {
      await tx.runEach(row, rowsOf('segment', segments, now))
      await tx.runEach(row, rowsOf('sender', senders, now))
      await tx.runEach(row, [[taken, '', now, 1]])
      await tx.run('delete from report_measure where at < ?', [now - keepDays * day])
    })
  }
}

const rowsOf = (kind: MeasureKind, rows: readonly Row[], at: number) =>
  rows.map(({ member, value }) => [kind, String(member), at, value as bigint])

const changed = (rows: readonly Row[], before: ReadonlyMap<string, number>) =>
  rows.filter(({ member, value }) => before.get(String(member)) !== Number(value))

async function lastTaken(reader: Reader, until: number): Promise<number | undefined> {
  const [found] = await reader.all('select max(at) as at from report_measure where kind = ? and at <= ?', [
    taken,
    until,
  ])
  return found?.at === null || found?.at === undefined ? undefined : Number(found.at)
}

/** The recording for a moment: the last one before it, or else the first ever. */
export async function takenFor(reader: Reader, moment: number): Promise<number | undefined> {
  const before = await lastTaken(reader, moment)
  if (before !== undefined) return before
  const [first] = await reader.all('select min(at) as at from report_measure where kind = ?', [taken])
  return first?.at === null || first?.at === undefined ? undefined : Number(first.at)
}

/** From when to when the reported counts were taken. */
export const writtenWords = (
  texts: ValueTexts,
  from: number | undefined,
  until: number | undefined,
): string[] =>
  from === undefined || until === undefined
    ? ['Nothing was written down yet: that is done once a day.']
    : [`Written down once a day: counted from ${texts.time(from)} to ${texts.time(until)}.`]

/** The last recorded values up to a moment, by member. */
export async function valuesAt(
  reader: Reader,
  kind: MeasureKind,
  moment: number,
): Promise<Map<string, number>> {
  const rows = await reader.all(
    `select m.member, m.value from report_measure m join (
       select member, max(at) as at from report_measure where kind = ? and at <= ? group by member) l
     on l.member = m.member and l.at = m.at where m.kind = ?`,
    [kind, moment, kind],
  )
  return new Map(rows.map(({ member, value }) => [String(member), Number(value)]))
}
