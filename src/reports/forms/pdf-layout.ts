// Lays out a report on the pages of a PDF.

import { PassThrough } from 'node:stream'
import {
  type Column,
  type Figure,
  type ReportDocument,
  type Section,
  type Value,
  ValueTexts,
} from '../report-document.ts'
import { type Chart, drawChart, fontSize } from './chart.ts'
import { isNumeric, moreWords, noRows, periodWords } from './html-page.ts'
import { margin, PdfPages, type Style, textSize } from './pdf-page.ts'

const faint = '#52606d'
const line = 1.4
const padding = 4

export async function* layOut(document: ReportDocument): AsyncGenerator<Uint8Array> {
  const texts = new ValueTexts(document.timeZone)
  let pages = 0
  const paper = new PdfPages(document.title, (page) =>
    writeFoot(paper, document, texts, `${page} / ${pages}`),
  )
  const bytes = paper.doc.pipe(new PassThrough())
  const write = () => {
    writeHead(paper, document, texts)
    for (const section of document.sections) writeSection(paper, section, texts)
  }
  pages = paper.count(write)
  write()
  paper.end()
  yield* bytes
}

function writeParagraph(paper: PdfPages, text: string, style: Style = {}): void {
  const height = heightOfLine(style)
  for (const one of paper.lines(text, paper.width, style)) {
    paper.require(height)
    paper.write(one, margin, paper.y, style)
    paper.y += height
  }
}

function writeHead(paper: PdfPages, document: ReportDocument, texts: ValueTexts): void {
  writeParagraph(paper, document.title, { font: 'bold', size: 17 })
  paper.y += 2
  writeParagraph(paper, periodWords(document, texts), { colour: faint, size: 9 })
  for (const [label, words] of document.scope) {
    writeParagraph(paper, `${label}: ${words}`, { colour: faint, size: 9 })
  }
  for (const remark of document.remarks) {
    paper.y += 4
    writeParagraph(paper, remark, { colour: '#7a5d00' })
  }
  paper.y += 8
  writeFigures(paper, document.figures, texts)
}

const acrossFigures = 3

function writeFigures(paper: PdfPages, figures: readonly Figure[], texts: ValueTexts): void {
  const gap = 8
  const width = (paper.width - gap * (acrossFigures - 1)) / acrossFigures
  const height = 34
  for (let start = 0; start < figures.length; start += acrossFigures) {
    paper.require(height)
    for (const [index, { label, kind, value }] of figures.slice(start, start + acrossFigures).entries()) {
      const x = margin + index * (width + gap)
      paper.draw((doc) => doc.roundedRect(x, paper.y, width, height, 4).fill('#f4f6f8'))
      const fits = (text: string, style: Style) => paper.lines(text, width - 16, style)[0] ?? ''
      const small = { size: 7.5, colour: faint }
      const large = { font: 'bold', size: 11 } as const
      paper.write(fits(label, small), x + 8, paper.y + 5, small)
      paper.write(fits(texts.of(kind, value), large), x + 8, paper.y + 16, large)
    }
    paper.y += height + gap
  }
}

function writeSection(paper: PdfPages, section: Section, texts: ValueTexts): void {
  const { title, remark, rows, more } = section
  const chart = drawChart(section, texts)
  const scale = chart ? Math.min(1, paper.width / chart.width) : 1
  // A heading is not left alone at the end of a page.
  paper.require(110 + (chart ? chart.height * scale : 0))
  paper.y += 14
  writeParagraph(paper, title, { font: 'bold', size: 12 })
  paper.y += 2
  if (remark !== undefined) writeParagraph(paper, remark, { colour: faint })
  if (chart) drawOn(paper, chart, scale)
  paper.y += 4
  if (rows.length === 0) writeParagraph(paper, noRows, { colour: faint })
  else writeTable(paper, section, texts)
  if (more !== undefined) writeParagraph(paper, moreWords(more), { colour: faint })
}

function drawOn(paper: PdfPages, { height, drawn }: Chart, scale: number): void {
  const top = paper.y + 4
  const size = fontSize * scale
  const place = (x: number, y: number): [number, number] => [margin + x * scale, top + y * scale]
  for (const shape of drawn) {
    if (shape.kind === 'text') {
      const style = { size, colour: '#3e4c59' }
      const [x, y] = place(shape.x, shape.y)
      const shift = { start: 0, middle: 0.5, end: 1 }[shape.anchor] * paper.widthOf(shape.text, style)
      paper.write(shape.text, x - shift, y - size, style)
      continue
    }
    paper.draw((doc) => {
      if (shape.kind === 'box') {
        doc.rect(...place(shape.x, shape.y), shape.width * scale, shape.height * scale).fill(shape.colour)
        return
      }
      for (const [index, [x, y]] of shape.points.entries()) {
        if (index === 0) doc.moveTo(...place(x, y))
        else doc.lineTo(...place(x, y))
      }
      doc.lineWidth(0.8).stroke(shape.colour)
    })
  }
  paper.y = top + height * scale + 4
}

const headStyle = { font: 'bold', size: 7.5 } as const

function writeTable(paper: PdfPages, { columns, rows }: Section, texts: ValueTexts): void {
  const cells = (row: readonly Value[]) =>
    columns.map(({ kind }, index) => texts.of(kind, row[index] ?? null))
  const widths = widthsOf(paper, columns, rows.slice(0, 200).map(cells))
  const heads = brokenRow(
    paper,
    columns.map(({ label }) => label),
    widths,
    headStyle,
  )
  const writeHeads = () => {
    paper.draw((doc) => doc.rect(margin, paper.y, paper.width, heads.height).fill('#eef2f5'))
    writeRow(paper, columns, heads, widths, headStyle)
  }
  paper.require(48)
  writeHeads()
  for (const row of rows) {
    const broken = brokenRow(paper, cells(row), widths, {})
    if (paper.require(broken.height)) writeHeads()
    writeRow(paper, columns, broken, widths, {})
    paper.draw((doc) =>
      doc
        .moveTo(margin, paper.y)
        .lineTo(margin + paper.width, paper.y)
        .lineWidth(0.4)
        .stroke('#e4e8ec'),
    )
  }
}

/** The cells of a row, each broken into lines, and the height they need. */
interface BrokenRow {
  readonly cells: readonly (readonly string[])[]
  readonly height: number
}

const heightOfLine = ({ size = textSize }: Style) => size * line

function brokenRow(
  paper: PdfPages,
  texts: readonly string[],
  widths: readonly number[],
  style: Style,
): BrokenRow {
  const cells = texts.map((text, index) => paper.lines(text, (widths[index] ?? 0) - 2 * padding, style))
  const most = Math.max(1, ...cells.map(({ length }) => length))
  return { cells, height: most * heightOfLine(style) + padding }
}

function writeRow(
  paper: PdfPages,
  columns: readonly Column[],
  { cells, height }: BrokenRow,
  widths: readonly number[],
  style: Style,
): void {
  let x = margin
  for (const [index, column] of columns.entries()) {
    const width = widths[index] ?? 0
    const toRight = isNumeric(column)
    for (const [at, text] of (cells[index] ?? []).entries()) {
      const from = toRight ? x + width - padding : x + padding
      const y = paper.y + padding / 2 + at * heightOfLine(style)
      paper.write(text, from, y, { ...style, toRight })
    }
    x += width
  }
  paper.y += height
}

/** Each column gets what its longest text needs, as far as there is room; wide ones share what is left. */
function widthsOf(
  paper: PdfPages,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): number[] {
  const wanted = columns.map(({ label }, index) => {
    const head = Math.max(...label.split(' ').map((word) => paper.widthOf(word, headStyle)))
    const longest = rows.reduce(
      (most, row) => Math.max(most, paper.widthOf((row[index] ?? '').slice(0, 100))),
      0,
    )
    return Math.max(head, longest, 20) + 2 * padding
  })
  let left = paper.width
  const widths: number[] = []
  const byNeed = [...wanted.entries()].sort(([, a], [, b]) => a - b)
  for (const [done, [index, need]] of byNeed.entries()) {
    const fair = left / (byNeed.length - done)
    widths[index] = Math.min(need, fair)
    left -= widths[index] ?? 0
  }
  // What is left over is divided equally.
  return widths.map((width) => width + left / widths.length)
}

function writeFoot(paper: PdfPages, document: ReportDocument, texts: ValueTexts, number: string): void {
  const style = { colour: faint, size: 7 }
  const y = paper.doc.page.height - 30
  paper.write(`Made by Belfry on ${texts.time(document.madeTime)} (${document.timeZone})`, margin, y, style)
  paper.write(number, margin + paper.width, y, { ...style, toRight: true })
}
