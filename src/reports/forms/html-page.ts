// Writes a report as a self-contained HTML page with charts.

import { createHash } from 'node:crypto'
import { type Column, type ReportDocument, type Section, type Value, ValueTexts } from '../report-document.ts'
import { type Chart, type Drawn, drawChart, fontSize } from './chart.ts'

const style = `
:root { color-scheme: light }
body { font: 14px/1.45 system-ui, "DejaVu Sans", Verdana, sans-serif; color: #1f2933; background: #fff; margin: 2rem auto; max-width: 64rem; padding: 0 1.5rem }
h1 { font-size: 1.7rem; margin: 0 0 .25rem }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid #d5dbe1; padding-bottom: .25rem; break-after: avoid }
.about { color: #52606d; margin: 0 0 .25rem }
.remark { color: #52606d; font-size: .9rem; margin: .25rem 0 .75rem }
.note { background: #fff6e0; border-left: 4px solid #c9a400; padding: .4rem .75rem; margin: .75rem 0 }
.figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none }
.figures li { background: #f4f6f8; border-radius: 6px; padding: .6rem .9rem; min-width: 8.5rem }
.figures span { display: block; color: #52606d; font-size: .82rem }
.figures b { font-size: 1.25rem; font-weight: 600 }
table { border-collapse: collapse; width: 100%; font-size: .88rem }
th { text-align: left; background: #eef2f5; font-weight: 600 }
th, td { padding: .3rem .55rem; border-bottom: 1px solid #e4e8ec; vertical-align: top; overflow-wrap: anywhere }
th { overflow-wrap: normal; vertical-align: bottom }
.whole { overflow-wrap: normal }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
th.n { white-space: normal }
tr { break-inside: avoid }
thead { display: table-header-group }
svg { display: block; width: 100%; height: auto; margin: .5rem 0 1rem; break-inside: avoid }
svg text { font: ${fontSize}px "DejaVu Sans", Verdana, sans-serif; fill: #3e4c59 }
footer { color: #7b8794; font-size: .8rem; margin-top: 2.5rem }
@page { size: A4; margin: 15mm }
@media print { body { margin: 0; max-width: none; padding: 0; font-size: 11px } a { color: inherit } }
`

/** Nothing is loaded, nothing runs: only the style above is allowed. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** Control characters for the direction of text are written as escapes, and do nothing. */
const turning = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g
const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (char) => entities[char] ?? '').replace(turning, visible)
export const visible = (char: string) =>
  `[U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`
export const withoutTurns = (text: string) => text.replace(turning, visible)

/** In chunks, for it may be long. */
export function* pageOf(document: ReportDocument): Generator<string> {
  const texts = new ValueTexts(document.timeZone)
  const { title, scope, remarks, figures } = document
  yield `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p class="about">${escaped(periodWords(document, texts))}</p>
${scope.map(([label, words]) => `<p class="about">${escaped(label)}: <bdi>${escaped(words)}</bdi></p>\n`).join('')}`
  for (const remark of remarks) yield `<p class="note">${escaped(remark)}</p>\n`
  const shown = figures.map(
    ({ label, kind, value }) =>
      `<li><span>${escaped(label)}</span><b>${escaped(texts.of(kind, value))}</b></li>`,
  )
  if (shown.length > 0) yield `<ul class="figures">${shown.join('')}</ul>\n`
  for (const section of document.sections) yield* sectionPieces(section, texts)
  yield `<footer>Made by Belfry on ${escaped(texts.time(document.madeTime))} (${escaped(document.timeZone)})</footer>
</body>
</html>
`
}

export const periodWords = ({ beginTime, endTime, timeZone }: ReportDocument, texts: ValueTexts) =>
  `From ${texts.time(beginTime)} to ${texts.time(endTime)}, ${timeZone}`

export const moreWords = (more: number) => `and ${more} more ${more === 1 ? 'row' : 'rows'}`
export const noRows = 'Nothing in this period.'

const piece = 200

function* sectionPieces(section: Section, texts: ValueTexts): Generator<string> {
  const { title, remark, columns, rows, more } = section
  yield `<section>\n<h2>${escaped(title)}</h2>\n`
  if (remark !== undefined) yield `<p class="remark">${escaped(remark)}</p>\n`
  const chart = drawChart(section, texts)
  if (chart) yield svgOf(chart, title)
  if (rows.length === 0) yield `<p class="remark">${noRows}</p>\n`
  else {
    const heads = columns.map((column) => `<th${classOf(column)}>${escaped(column.label)}</th>`).join('')
    yield `<table>\n<thead><tr>${heads}</tr></thead>\n<tbody>\n`
    for (let start = 0; start < rows.length; start += piece) {
      yield rows
        .slice(start, start + piece)
        .map(
          (row) =>
            `<tr>${columns.map((column, index) => cell(column, row[index] ?? null, texts)).join('')}</tr>\n`,
        )
        .join('')
    }
    yield '</tbody>\n</table>\n'
  }
  if (more !== undefined) yield `<p class="remark">${moreWords(more)}</p>\n`
  yield '</section>\n'
}

/** Numbers are aligned to the right. */
export const isNumeric = ({ kind }: Pick<Column, 'kind'>) => kind !== 'text' && kind !== 'time'

const classOf = (column: Column) => (isNumeric(column) ? ' class="n"' : '')

/** Addresses and names are not broken; a word that is longer is, or it would make the table wider than the page. */
const maxWholeRows = 24
const wrapping = (text: string) =>
  text.split(' ').every((word) => word.length <= maxWholeRows) ? 'whole' : 'broken'

function cell(column: Column, value: Value, texts: ValueTexts): string {
  const text = texts.of(column.kind, value)
  return `<td${classOf(column)}><bdi class="${wrapping(text)}">${escaped(text)}</bdi></td>`
}

function svgOf({ width, height, drawn }: Chart, title: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${round(height)}" width="${width}" height="${round(height)}" role="img" aria-label="${escaped(title)}">${drawn.map(svgShape).join('')}</svg>\n`
}

const round = (value: number) => Math.round(value * 10) / 10

function svgShape(shape: Drawn): string {
  switch (shape.kind) {
    case 'box': {
      const { x, y, width, height, colour, words } = shape
      const title = words === undefined ? '' : `<title>${escaped(words)}</title>`
      return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${colour}">${title}</rect>`
    }
    case 'line': {
      const points = shape.points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')
      return `<polyline points="${points}" fill="none" stroke="${shape.colour}" stroke-width="1.2"/>`
    }
    case 'text':
      return `<text x="${round(shape.x)}" y="${round(shape.y)}" text-anchor="${shape.anchor}">${escaped(shape.text)}</text>`
  }
}
