// The report on the senders of most traps and their outcomes, from the ledger.

import { senderCounts, takenFor, valuesAt, writtenWords } from './daily-measures.ts'
import type { Report, ReportInput } from './report.ts'
import { column, figure, section } from './report-document.ts'
import { times } from './run-request.ts'

const most = 50
const drawn = 10

export const trapSenders: Report = {
  name: 'trap/senders',
  words: 'who sent most traps, and in which bins they ended',
  takes: times,
  async make(input) {
    const { counts, remarks } = await countsOf(input)
    const senders = new Map<string, Map<string, number>>()
    const bins = new Map<string, number>()
    for (const [member, n] of counts) {
      const [source = '', bin = ''] = member.split(' ')
      senders.set(source, (senders.get(source) ?? new Map()).set(bin, n))
      bins.set(bin, (bins.get(bin) ?? 0) + n)
    }
    const names = [...bins.keys()].sort((a, b) => (bins.get(b) ?? 0) - (bins.get(a) ?? 0))
    const all = Array.from(senders, ([source, own]) => ({ source, own, n: sumOf(own.values()) }))
    all.sort((a, b) => b.n - a.n || (a.source < b.source ? -1 : 1))
    const total = sumOf(bins.values())
    const labels = await devicesAt(input, all.slice(0, most))
    return {
      remarks,
      figures: [figure('Datagrams', total), figure('Senders', all.length)],
      sections: [
        section(
          'What became of them',
          [column('bin', 'Bin'), column('count', 'Datagrams', 'number'), column('share', 'Of all', 'share')],
          names.map((bin) => [bin, bins.get(bin) ?? 0, (bins.get(bin) ?? 0) / Math.max(1, total)]),
          { chart: { kind: 'bars', label: 'bin', series: ['count'] } },
        ),
        section(
          `The ${drawn} who sent most`,
          [column('sender', 'Sender'), ...names.map((bin) => column(bin, bin, 'number'))],
          all.slice(0, drawn).map(({ source, own }) => [source, ...names.map((bin) => own.get(bin) ?? 0)]),
          { chart: { kind: 'stack', label: 'sender', series: names } },
        ),
        section(
          'Senders',
          [
            column('sender', 'Sender'),
            column('device', 'Device'),
            column('count', 'Datagrams', 'number'),
            column('share', 'Of all', 'share'),
          ],
          all
            .slice(0, most)
            .map(({ source, n }) => [source, labels.get(source) ?? '', n, n / Math.max(1, total)]),
          { total: all.length },
        ),
      ],
    }
  },
}

const sumOf = (numbers: Iterable<number>) => [...numbers].reduce((sum, n) => sum + n, 0)

/** Counts are recorded once a day: the report is about whole days, as they were counted. */
async function countsOf({ reader, period, now, times: texts }: ReportInput) {
  const from = await takenFor(reader, period.begin)
  const upToNow = period.end >= now
  const until = upToNow ? now : await takenFor(reader, period.end)
  const before = from === undefined ? new Map<string, number>() : await valuesAt(reader, 'sender', from)
  const after = upToNow
    ? new Map(
        (await reader.all(senderCounts, [from ?? 0])).map((row) => [String(row.member), Number(row.value)]),
      )
    : await valuesAt(reader, 'sender', until ?? 0)
  const counts = new Map<string, number>()
  for (const [member, n] of after) {
    const was = before.get(member) ?? 0
    // Fewer than before: the lines of a sender that was silent for long were removed, and it began anew.
    const more = n < was ? n : n - was
    if (more > 0) counts.set(member, more)
  }
  return { counts, remarks: writtenWords(texts, from, until) }
}

async function devicesAt({ reader }: ReportInput, senders: readonly { readonly source: string }[]) {
  if (senders.length === 0) return new Map<string, string>()
  const rows = await reader.all(
    `select a.ip, d.label from device_address a join device d on d.id = a.device_id where a.ip in (${senders.map(() => '?').join(', ')})`,
    senders.map(({ source }) => source),
  )
  return new Map(rows.map((row) => [String(row.ip), String(row.label)]))
}
