// The report on the senders of most traps and their outcomes, from the ledger.

import { addressOf, inSpace } from '../schema/space.ts'
import { senderCounts, takenFor, valuesAt, writtenWords } from './daily-measures.ts'
import { type Report, type ReportInput, times } from './report.ts'
import { column, figure, section } from './report-document.ts'

const maxSenders = 50
const drawn = 10

export const trapSenders: Report = {
  name: 'trap/senders',
  words: 'who sent most traps, and what became of them',
  takes: times,
  async make(input) {
    const { counts, remarks } = await countsOf(input)
    const senders = new Map<string, Map<string, number>>()
    const outcomes = new Map<string, number>()
    for (const [member, n] of counts) {
      const [source = '', outcome = ''] = member.split(' ')
      senders.set(source, (senders.get(source) ?? new Map()).set(outcome, n))
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + n)
    }
    const names = [...outcomes.keys()].sort((a, b) => (outcomes.get(b) ?? 0) - (outcomes.get(a) ?? 0))
    const all = Array.from(senders, ([source, own]) => ({ source, own, n: sumOf(own.values()) }))
    all.sort((a, b) => b.n - a.n || (a.source < b.source ? -1 : 1))
    const total = sumOf(outcomes.values())
    const labels = await devicesAt(input, all.slice(0, maxSenders))
    return {
      remarks,
      figures: [figure('Datagrams', total), figure('Senders', all.length)],
      sections: [
        section(
          'What became of them',
          [
            column('bin', 'Outcome'),
            column('count', 'Datagrams', 'number'),
            column('share', 'Of all', 'share'),
          ],
          names.map((name) => [
            name,
            outcomes.get(name) ?? 0,
            (outcomes.get(name) ?? 0) / Math.max(1, total),
          ]),
          { chart: { kind: 'bars', label: 'bin', series: ['count'] } },
        ),
        section(
          `The ${drawn} who sent most`,
          [column('sender', 'Sender'), ...names.map((name) => column(name, name, 'number'))],
          all.slice(0, drawn).map(({ source, own }) => [source, ...names.map((name) => own.get(name) ?? 0)]),
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
            .slice(0, maxSenders)
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
    // Fewer than before: the rows of a sender that was silent for long were removed, and counting began again.
    const more = n < was ? n : n - was
    if (more > 0) counts.set(member, more)
  }
  return { counts, remarks: writtenWords(texts, from, until) }
}

async function devicesAt({ reader }: ReportInput, senders: readonly { readonly source: string }[]) {
  if (senders.length === 0) return new Map<string, string>()
  const rows = await reader.all(
    `select a.ip, a.space, d.label from device_address a join device d on d.id = a.device_id where a.ip in (${senders.map(() => '?').join(', ')})`,
    senders.map(({ source }) => addressOf(source)),
  )
  return new Map(rows.map((row) => [inSpace(String(row.ip), Number(row.space)), String(row.label)]))
}
