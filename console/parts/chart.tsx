// Bars over time, one part on top of the other. The words and numbers stand beside the canvas, where everyone can read them.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { clockText, timeText } from '../core/time-text.ts'
import { stacked } from '../overview/series.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
import { colorOf, onTheme } from './colors.ts'

export interface Part {
  readonly label: string
  readonly values: readonly number[]
  /** The name of a colour in the style sheet. */
  readonly color: string
  readonly mark?: ComponentChildren
}

interface ChartProps {
  readonly title: string
  readonly times: readonly number[]
  /** From the bottom to the top. */
  readonly parts: readonly Part[]
  readonly height: number
  /** For values per second: the seconds that each of them stands for. */
  readonly seconds?: number
}

const styleOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

function optionsOf(
  { parts, height, times, seconds }: ChartProps,
  width: number,
  hover: (index: number | null) => void,
): uPlot.Options {
  const ink = colorOf('--soft')
  const step = (times[1] ?? 0) - (times[0] ?? 0)
  const grid = { stroke: colorOf('--line'), width: 1 }
  const font = `12px ${styleOf('--sans')}`
  const bars = uPlot.paths.bars?.({ size: [0.9, 60], align: 1 })
  const axis = { stroke: ink, font, grid, ticks: grid }
  return {
    width,
    height,
    legend: { show: false },
    cursor: { points: { show: false }, drag: { x: false, y: false } },
    // A bar begins at its time: the last one needs room behind it.
    scales: {
      x: { range: (_chart, from, to) => [from, to + step] },
      y: { range: (_chart, _low, high) => [0, Math.max(seconds === undefined ? 1 : 0.1, high * 1.08)] },
    },
    axes: [
      { ...axis, values: (_chart, splits) => splits.map((at) => clockText(at).slice(0, 5)) },
      {
        ...axis,
        size: 46,
        values: (_chart, splits) =>
          splits.map((value) => (seconds !== undefined || Number.isInteger(value) ? numberText(value) : '')),
      },
    ],
    series: [
      {},
      // The highest first: what lies below is drawn over it.
      ...[...parts].reverse().map(({ label, color }) => ({
        label,
        fill: colorOf(color),
        stroke: colorOf(color),
        width: 0,
        points: { show: false },
        ...(bars && { paths: bars }),
      })),
    ],
    hooks: { setCursor: [(chart) => hover(chart.cursor.idx ?? null)] },
  }
}

const dataOf = ({ times, parts }: ChartProps) =>
  [[...times], ...stacked(parts.map(({ values }) => values)).reverse()] as uPlot.AlignedData

function Legend({ props, index }: { props: ChartProps; index: number | null }) {
  const { times, parts, seconds } = props
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
  const whole = (values: readonly number[]) => Math.round(sum(values) * (seconds ?? 1))
  const value = (values: readonly number[]) =>
    index === null ? numberText(whole(values)) : shown(values[index] ?? 0)
  const shown = seconds === undefined ? numberText : texts.aSecond
  return (
    <figcaption>
      {parts.map((part) => (
        <span key={part.label} class="legend">
          <i style={{ background: `var(${part.color})` }} />
          {part.label} <b>{value(part.values)}</b>
        </span>
      ))}
      <span class="when">{index === null ? '' : timeText(times[index] ?? 0).slice(0, 16)}</span>
    </figcaption>
  )
}

export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | undefined>(undefined)
  const [index, setIndex] = useState<number | null>(null)
  const data = JSON.stringify([props.times, props.parts.map(({ values }) => values)])
  useEffect(() => {
    const element = place.current
    if (!element) return
    const draw = () => {
      chart.current?.destroy()
      chart.current = new uPlot(
        optionsOf(props, Math.max(200, element.clientWidth), setIndex),
        dataOf(props),
        element,
      )
    }
    draw()
    const size = new ResizeObserver(draw)
    size.observe(element)
    const ignoreTheme = onTheme(draw)
    return () => {
      size.disconnect()
      ignoreTheme()
      chart.current?.destroy()
    }
  }, [props.parts.length, props.height])
  useEffect(() => chart.current?.setData(dataOf(props)), [data])
  return (
    <figure class="chart">
      <div ref={place} role="img" aria-label={props.title} />
      <Legend props={props} index={index} />
    </figure>
  )
}
