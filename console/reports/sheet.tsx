// A report on the page: its figures, and each table with a bar for what is drawn of it.

import type { ComponentChildren } from 'preact'
import { lastedText, serverTimeText, timeText } from '../core/time-text.ts'
import { Bar } from '../parts/bar.tsx'
import { type Fact, Facts, Section } from '../parts/facts.tsx'
import { Time } from '../parts/time.tsx'
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

function textOf(kind: Kind, value: Value | undefined): ComponentChildren {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'string') return value
  if (kind === 'time') return <Time at={value} />
  if (kind === 'duration') return lastedText(value)
  // Rounded down: what failed for a moment was not within reach all of the time.
  if (kind === 'share') return `${(Math.floor(value * 1e4) / 100).toFixed(2)} %`
  return numberText(value)
}

const mostRows = 200

const isNumber = ({ kind }: Column) => kind !== 'text' && kind !== 'time'

function PartTable({ part: { title, column, row, more = 0, chart } }: { part: Part }) {
  const drawn = chart && column.filter(({ name }) => chart.series.includes(name)).map(({ name }) => name)
  const sumOf = (one: Part['row'][number]) =>
    (drawn ?? []).reduce((sum, name) => sum + (Number(one[name]) || 0), 0)
  const rows = row.slice(0, mostRows)
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
                    {textOf(kind, one[name])}
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
  const { beginTime, endTime, scope, remarks, figure, section } = report
  const facts: readonly Fact[] = [
    [
      words.period,
      <span title={words.fromTo(serverTimeText(beginTime), serverTimeText(endTime))}>
        {words.fromTo(timeText(beginTime), timeText(endTime))}
      </span>,
    ],
    ...Object.entries(scope),
    ...figure.map(({ label, kind, value }): Fact => [label, textOf(kind, value)]),
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
          {part.row.length === 0 ? <p class="hint">{words.nothing}</p> : <PartTable part={part} />}
        </Section>
      ))}
    </>
  )
}
