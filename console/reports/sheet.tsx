// A report on the page: its figures, and each table with a bar for what is drawn of it.

import type { ComponentChildren } from 'preact'
import { lastedText, timeText, timeTextIn } from '../core/time-text.ts'
import { Bar } from '../parts/bar.tsx'
import { type Fact, Facts, Section } from '../parts/facts.tsx'
import { locales } from '../texts/language.ts'
import { reportTexts as words } from '../texts/report-texts.ts'
import { numberText } from '../texts/shared-texts.ts'

type Kind = 'text' | 'number' | 'duration' | 'time' | 'share'
type Value = string | number | null

interface Column {
  readonly name: string
  readonly label: string
  readonly kind: Kind
}

interface Part {
  readonly title: string
  readonly remark?: string
  readonly column: readonly Column[]
  readonly row: readonly Readonly<Record<string, Value>>[]
  readonly more?: number
  readonly chart?: { readonly label: string; readonly series: readonly string[] }
}

/** A result, as the service sends it to programs. */
export interface Report {
  readonly title: string
  readonly beginTime: number
  readonly endTime: number
  readonly timeZone: string
  readonly scope: Readonly<Record<string, string>>
  readonly remarks: readonly string[]
  readonly figure: readonly { readonly label: string; readonly kind: Kind; readonly value: Value }[]
  readonly section: readonly Part[]
}

/** As many digits as mean something, and 100 % only where nothing is missing: as in the file of the report. */
function shareText(value: number): string {
  const apart = Math.min(value, 1 - value)
  const digits = apart <= 0 ? 0 : Math.min(4, Math.max(1, -Math.floor(Math.log10(apart)) - 1))
  const unit = 10 ** digits
  const units = value * 100 * unit
  const percent = (value > 0.99 ? Math.floor(units + 1e-6) : Math.round(units)) / unit
  return `${new Intl.NumberFormat(locales.numbers, { minimumFractionDigits: digits }).format(percent)} %`
}

/** Times are those of the report, as in its file; here they are on hover. */
function textOf(kind: Kind, value: Value | undefined, zone: string): ComponentChildren {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'string') return value
  if (kind === 'time')
    return (
      <time datetime={new Date(value * 1000).toISOString()} title={words.here(timeText(value))}>
        {timeTextIn(value, zone)}
      </time>
    )
  if (kind === 'duration') return lastedText(value)
  if (kind === 'share') return shareText(value)
  return numberText(value)
}

const maxRows = 200

const isNumber = ({ kind }: Column) => kind !== 'text' && kind !== 'time'

interface PartTableProps {
  readonly part: Part
  readonly zone: string
}

function PartTable({ part: { title, column, row, more = 0, chart }, zone }: PartTableProps) {
  const drawn = chart && column.filter(({ name }) => chart.series.includes(name)).map(({ name }) => name)
  const sumOf = (one: Part['row'][number]) =>
    (drawn ?? []).reduce((sum, name) => sum + (Number(one[name]) || 0), 0)
  const rows = row.slice(0, maxRows)
  const most = Math.max(...rows.map(sumOf), 0)
  const unshown = row.length - rows.length + more
  return (
    <>
      <div class="table-frame" tabindex={0} role="region" aria-label={title}>
        <table>
          <caption class="unseen">{title}</caption>
          <thead>
            <tr>
              {column.map((one) => (
                <th key={one.name} scope="col" class={isNumber(one) ? 'number' : ''}>
                  {one.label}
                </th>
              ))}
              {drawn && <td class="drawn" />}
            </tr>
          </thead>
          <tbody>
            {rows.map((one, index) => (
              <tr key={index}>
                {column.map(({ name, label, kind }) => (
                  <td key={name} data-title={label} class={isNumber({ name, label, kind }) ? 'number' : ''}>
                    {textOf(kind, one[name], zone)}
                  </td>
                ))}
                {drawn && (
                  <td class="drawn">
                    <Bar part={sumOf(one)} whole={most} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {unshown > 0 && <p class="hint">{words.moreRows(unshown)}</p>}
    </>
  )
}

export function Sheet({ report }: { report: Report }) {
  const { beginTime, endTime, timeZone, scope, remarks, figure, section } = report
  const time = (at: number) => timeTextIn(at, timeZone)
  const facts: readonly Fact[] = [
    [
      words.period,
      <span title={words.here(words.fromTo(timeText(beginTime), timeText(endTime)))}>
        {words.fromTo(time(beginTime), time(endTime))} ({timeZone})
      </span>,
    ],
    ...Object.entries(scope),
    ...figure.map(({ label, kind, value }): Fact => [label, textOf(kind, value, timeZone)]),
  ]
  return (
    <>
      <Section title={report.title}>
        <Facts facts={facts} />
        {remarks.length > 0 && (
          <ul class="remarks">
            {remarks.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </Section>
      {section.map((part) => (
        <Section key={part.title} title={part.title} hint={part.remark ?? ''}>
          {part.row.length === 0 ? (
            <p class="hint">{words.nothing}</p>
          ) : (
            <PartTable part={part} zone={timeZone} />
          )}
        </Section>
      ))}
    </>
  )
}
