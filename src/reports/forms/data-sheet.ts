// Writes a report as CSV, its tables one below the other, or as JSON.

import { csvLine } from '../../schema/csv.ts'
import { plainValue, type ReportDocument, type Value } from '../report-document.ts'

const text = (value: Value) => (value === null ? '' : String(value))

/** Each table has its title, a line of columns and its rows, followed by an empty line. */
export function* sheetOf(document: ReportDocument): Generator<string> {
  const { title, figures, sections } = document
  yield csvLine([title])
  yield csvLine(['beginTime', text(plainValue('time', document.beginTime))])
  yield csvLine(['endTime', text(plainValue('time', document.endTime))])
  yield csvLine(['timeZone', document.timeZone])
  for (const [label, words] of document.scope) yield csvLine([label, words])
  for (const remark of document.remarks) yield csvLine(['remark', remark])
  for (const { label, kind, value } of figures) yield csvLine([label, text(plainValue(kind, value))])
  for (const { title: heading, columns, rows, more } of sections) {
    yield `\r\n${csvLine([heading])}${csvLine(columns.map(({ name }) => name))}`
    for (const row of rows) {
      yield csvLine(columns.map(({ kind }, index) => text(plainValue(kind, row[index] ?? null))))
    }
    if (more !== undefined) yield csvLine([`and ${more} more`])
  }
}

/** For programs: an object for each row, by the names of its columns. */
export function jsonOf(document: ReportDocument): string {
  const { sections, figures, scope, beginTime, endTime, madeTime, ...rest } = document
  return JSON.stringify({
    ...rest,
    beginTime: plainValue('time', beginTime),
    endTime: plainValue('time', endTime),
    madeTime: plainValue('time', madeTime),
    scope: Object.fromEntries(scope),
    figure: figures.map(({ label, kind, value }) => ({ label, kind, value: plainValue(kind, value) })),
    section: sections.map(({ title, remark, columns, rows, more, chart }) => ({
      title,
      ...(remark !== undefined && { remark }),
      column: columns,
      row: rows.map((row) =>
        Object.fromEntries(
          columns.map(({ name, kind }, index) => [name, plainValue(kind, row[index] ?? null)]),
        ),
      ),
      ...(more !== undefined && { more }),
      ...(chart && { chart }),
    })),
  })
}
