// Charts as plain shapes, drawn by both HTML pages and PDFs.

import type { Section, ValueTexts } from '../report-document.ts'

export type Drawn =
  | {
      readonly kind: 'box'
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
      readonly colour: string
      /** What it stands for, as a tooltip. */
      readonly words?: string
    }
  | {
      readonly kind: 'line'
      readonly points: readonly (readonly [number, number])[]
      readonly colour: string
    }
  | {
      readonly kind: 'text'
      readonly x: number
      readonly y: number
      readonly text: string
      readonly anchor: 'start' | 'middle' | 'end'
    }

export interface Chart {
  readonly width: number
  readonly height: number
  readonly drawn: readonly Drawn[]
}

const chartWidth = 680
export const fontSize = 10
const labelWidth = 190
const valueWidth = 80
const rowHeight = 20
const plotHeight = 160
const legendHeight = 20
const maxBars = 15
const maxLabelLength = 32

const grid = '#d5dbe1'
const levelColours = ['#b3261e', '#d9730d', '#c9a400', '#2f76b5', '#7b8794']
const colours = ['#2f5d8a', '#5b9bd5', '#4a9c6d', '#c9a400', '#d9730d', '#8e5ea2', '#b3261e', '#7b8794']

interface Plotted {
  readonly labels: readonly string[]
  /** By row, then by series. */
  readonly values: readonly (readonly number[])[]
  readonly names: readonly string[]
  readonly colours: readonly string[]
  readonly write: (value: number) => string
}

/** Undefined where there is nothing to draw. */
export function drawChart(section: Section, texts: ValueTexts): Chart | undefined {
  const { chart } = section
  const plotted = chart && plottedOf(section, texts)
  if (!plotted || plotted.values.every((row) => row.every((value) => value === 0))) return undefined
  const overTime = chart.kind === 'line' || plotted.labels.every((label) => /^\d{4}-\d\d-\d\d$/.test(label))
  const drawn = overTime ? drawTime(plotted, chart.kind) : drawBars(plotted)
  return plotted.names.length > 1 ? withLegend(drawn, plotted) : drawn
}

function plottedOf({ columns, rows, chart }: Section, texts: ValueTexts): Plotted {
  const place = (name: string) => columns.findIndex((column) => column.name === name)
  const label = place(chart?.label ?? '')
  const series = (chart?.series ?? []).map(place).filter((index) => index >= 0)
  const kind = columns[series[0] ?? 0]?.kind ?? 'number'
  const labelKind = columns[label]?.kind ?? 'text'
  return {
    labels: rows.map((row) => shortened(texts.of(labelKind, row[label] ?? null))),
    values: rows.map((row) => series.map((index) => Number(row[index] ?? 0))),
    names: series.map((index) => columns[index]?.label ?? ''),
    colours: series.map((_, index) => {
      const own = chart?.levels ? levelColours : colours
      return own[index % own.length] ?? grid
    }),
    write: (value) => texts.of(kind, value),
  }
}

function shortened(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')]
  return characters.length > maxLabelLength
    ? `${characters.slice(0, maxLabelLength - 1).join('')}…`
    : characters.join('')
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** One bar below the other, each with its label and its value. */
function drawBars({ labels, values, names, colours: fills, write }: Plotted): Chart {
  const rows = values.slice(0, maxBars)
  const largest = Math.max(...rows.map(sumOf))
  const room = chartWidth - labelWidth - valueWidth
  const drawn: Drawn[] = []
  for (const [index, row] of rows.entries()) {
    const y = index * rowHeight
    const label = labels[index] ?? ''
    drawn.push({ kind: 'text', x: labelWidth - 8, y: y + 14, text: label, anchor: 'end' })
    let x = labelWidth
    for (const [at, value] of row.entries()) {
      const width = (value / largest) * room
      const words = names.length > 1 ? `${label}, ${names[at]}: ${write(value)}` : `${label}: ${write(value)}`
      if (width > 0)
        drawn.push({ kind: 'box', x, y: y + 4, width, height: 13, colour: fills[at] ?? grid, words })
      x += width
    }
    drawn.push({ kind: 'text', x: x + 6, y: y + 14, text: write(sumOf(row)), anchor: 'start' })
  }
  return { width: chartWidth, height: rows.length * rowHeight + 4, drawn }
}

const left = 56
const top = 8

/** Columns, or a line, over days. */
function drawTime(plotted: Plotted, kind: 'bars' | 'stack' | 'line'): Chart {
  const { labels, values, names, colours: fills, write } = plotted
  const isLine = kind === 'line'
  const heights = isLine ? values.map((row) => Math.max(...row)) : values.map(sumOf)
  const most = niceAbove(Math.max(...heights))
  const room = chartWidth - left - 8
  const step = room / labels.length
  const yOf = (value: number) => top + plotHeight * (1 - value / most)
  const drawn: Drawn[] = [0, most / 2, most].flatMap((value): Drawn[] => [
    {
      kind: 'line',
      points: [
        [left, yOf(value)],
        [left + room, yOf(value)],
      ],
      colour: grid,
    },
    { kind: 'text', x: left - 6, y: yOf(value) + 3, text: write(value), anchor: 'end' },
  ])
  if (isLine) {
    for (const [at] of names.entries()) {
      const points = values.map((row, index) => [left + (index + 0.5) * step, yOf(row[at] ?? 0)] as const)
      drawn.push({ kind: 'line', points, colour: fills[at] ?? grid })
    }
  } else drawn.push(...columnsOf(plotted, step, yOf))
  return {
    width: chartWidth,
    height: top + plotHeight + 22,
    drawn: [...drawn, ...dayLabels(labels, step)],
  }
}

function columnsOf(
  { labels, values, names, colours: fills, write }: Plotted,
  step: number,
  yOf: (value: number) => number,
): Drawn[] {
  const gap = Math.min(4, step / 4)
  return values.flatMap((row, index) => {
    let below = 0
    return row.flatMap((value, at): Drawn[] => {
      const [low, high] = [yOf(below), yOf(below + value)]
      below += value
      if (value === 0) return []
      const words = `${labels[index]}${names.length > 1 ? `, ${names[at]}` : ''}: ${write(value)}`
      const x = left + index * step + gap / 2
      const width = Math.min(step - gap, 48)
      return [{ kind: 'box', x, y: high, width, height: low - high, colour: fills[at] ?? grid, words }]
    })
  })
}

/** As many as there is room for. */
function dayLabels(labels: readonly string[], step: number): Drawn[] {
  const every = Math.ceil(64 / step)
  return labels.flatMap((text, index): Drawn[] =>
    index % every === 0
      ? [{ kind: 'text', x: left + index * step, y: top + plotHeight + 16, text, anchor: 'start' }]
      : [],
  )
}

/** The next round number that has a half: 2, 4, 10, 20, 40, 100 … */
function niceAbove(value: number): number {
  if (value <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(value))
  const nice = [1, 2, 4, 6, 8, 10].find((factor) => factor * power >= value) ?? 10
  return nice * power
}

function withLegend({ width, height, drawn }: Chart, { names, colours: fills }: Plotted): Chart {
  const legend: Drawn[] = []
  let x = left
  let y = height + 6
  for (const [at, name] of names.entries()) {
    const text = shortened(name)
    const room = 26 + [...text].length * 6
    if (x + room > width) {
      x = left
      y += legendHeight
    }
    legend.push({ kind: 'box', x, y, width: 10, height: 10, colour: fills[at] ?? grid })
    legend.push({ kind: 'text', x: x + 14, y: y + 9, text, anchor: 'start' })
    x += room
  }
  return { width, height: y + legendHeight, drawn: [...drawn, ...legend] }
}
