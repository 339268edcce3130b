// The report on IP segments: how full they are, and how that has changed.

import { keyNumber } from '../schema/scalar.ts'
import type { Row } from '../store/database.ts'
import { segmentUse, takenFor, valuesAt, writtenWords } from './daily-measures.ts'
import { type Report, type ReportInput, times } from './report.ts'
import { column, figure, section } from './report-document.ts'
import { oneOf } from './report-scope.ts'

const drawn = 15

export const addressUse: Report = {
  name: 'access/ip-usage',
  words: 'how many addresses of each segment are taken, and how many more than at the beginning',
  takes: [...times, 'zone', 'segment'],
  async make(input) {
    const { uses, remarks } = await usesOf(input)
    const fullest = uses.toSorted((a, b) => b.share - a.share || b.taken - a.taken).slice(0, drawn)
    const tops = uses.filter(({ isTop }) => isTop)
    const sum = (name: 'taken' | 'grown') => tops.reduce((all, one) => all + (one[name] ?? 0), 0)
    return {
      remarks,
      figures: [
        figure('Segments', uses.length),
        figure('Addresses taken', sum('taken')),
        figure('More than at the beginning', sum('grown')),
        figure('Segments 90 % full', uses.filter(({ share }) => share >= 0.9).length),
      ],
      sections: [
        section(
          'The fullest segments',
          [column('segment', 'Segment'), column('share', 'Taken', 'share')],
          fullest.map(({ name, share }) => [name, share]),
          { chart: { kind: 'bars', label: 'segment', series: ['share'] } },
        ),
        section(
          'Segments',
          [
            column('segment', 'Segment'),
            column('range', 'Range'),
            column('size', 'Addresses', 'number'),
            column('taken', 'Taken', 'number'),
            column('free', 'Free', 'number'),
            column('share', 'Full', 'share'),
            column('grown', 'Growth', 'number'),
          ],
          uses.map(({ name, range, size, taken, share, grown }) => [
            name,
            range,
            size,
            taken,
            size - taken,
            share,
            grown,
          ]),
          { remark: 'Addresses of segments inside another count in both.' },
        ),
      ],
    }
  },
}

interface Use {
  readonly name: string
  readonly range: string
  readonly isTop: boolean
  readonly size: number
  readonly taken: number
  readonly share: number
  readonly grown: number | null
}

async function usesOf(input: ReportInput): Promise<{ uses: Use[]; remarks: string[] }> {
  const { reader, period, now, request, times: texts } = input
  const from = await takenFor(reader, period.begin)
  const upToNow = period.end >= now
  const until = upToNow ? now : await takenFor(reader, period.end)
  const before = from === undefined ? undefined : await valuesAt(reader, 'segment', from)
  const taken = upToNow
    ? new Map((await reader.all(segmentUse)).map((row) => [String(row.member), Number(row.value)]))
    : await valuesAt(reader, 'segment', until ?? 0)
  const zones = oneOf('zone_id', request.zone)
  const segments = oneOf('id', request.segment)
  const rows = await reader.all(
    `select id, name, start_ip, end_ip, start_ip_key, end_ip_key, parent_id from ip_scope where 1 = 1${zones.sql}${segments.sql} order by start_ip_key, end_ip_key desc, id`,
    [...zones.values, ...segments.values],
  )
  const known = new Set(rows.map(({ id }) => id))
  return {
    uses: rows.map((row) => useOf(row, taken, before, !known.has(row.parent_id ?? null))),
    remarks: writtenWords(texts, from, until),
  }
}

/** A segment that was not there at the beginning had no address taken. */
function useOf(
  row: Row,
  now: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number> | undefined,
  isTop: boolean,
): Use {
  const id = String(row.id)
  const size = Number(keyNumber(String(row.end_ip_key)) - keyNumber(String(row.start_ip_key)) + 1n)
  const taken = now.get(id) ?? 0
  return {
    name: String(row.name),
    range: `${row.start_ip} - ${row.end_ip}`,
    isTop,
    size,
    taken,
    share: taken / size,
    grown: before ? taken - (before.get(id) ?? 0) : null,
  }
}
