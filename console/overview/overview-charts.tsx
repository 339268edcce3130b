// What the service counts for the overview, and its charts: alarms over a day, traps over some hours.

import { Chart, type Part } from '../parts/chart.tsx'
import { overviewTexts as words } from '../texts/overview-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { trapTexts } from '../texts/trap-texts.ts'
import type { placesFrom } from './places.tsx'
import { type Figure, seriesOf } from './series.ts'

interface OpenOfLevel {
  readonly alarmLevel: string
  readonly count: string
  readonly unacknowledged: string
  /** Of these, those that are held back. */
  readonly suppressed: string
  readonly suppressedUnacknowledged: string
}

export interface Overview {
  readonly time: string
  readonly open: readonly OpenOfLevel[]
  readonly stepSeconds: string
  readonly raised: readonly { time: string; alarmLevel: string; count: string }[]
  readonly hour: readonly { weeksAgo: string; count: string }[]
  readonly zone: Parameters<typeof placesFrom>[0]
  readonly view: Parameters<typeof placesFrom>[0]
  readonly device: readonly {
    deviceId: string
    deviceName: string
    deviceIp: string
    alarmLevel: string
    count: string
  }[]
  readonly event: readonly { OID: string; eventName: string; count: string }[]
  readonly outOfReach: readonly {
    id: string
    deviceId: string
    deviceName: string
    alarmDesc: string
    faultTime: string
  }[]
  readonly minuteSeconds: string
  readonly minute: readonly { time: string; bin: string; count: string }[]
}

export const levels = ['1', '2', '3', '4', '5']

const stepsADay = 96

export function Raised({ overview }: { overview: Overview }) {
  const figures: Figure[] = overview.raised.map(({ time, alarmLevel, count }) => ({
    time: Number(time),
    key: alarmLevel,
    count: Number(count),
  }))
  const { times, byKey } = seriesOf(
    figures,
    levels,
    Number(overview.stepSeconds),
    Number(overview.time),
    stepsADay,
  )
  const parts: Part[] = levels.map((level) => ({
    label: texts.levels[Number(level)] ?? level,
    values: byKey.get(level) ?? [],
    color: `--level-${level}`,
  }))
  return <Chart title={words.raised} times={times} parts={parts} height={210} />
}

const binColors: Readonly<Record<string, string>> = {
  raised: '--level-2',
  recovered: '--good',
  repeated: '--level-4',
  collapsed: '--level-3',
  filtered: '--edge',
  'stored-only': '--level-5',
  refused: '--level-1',
  malformed: '--ink',
}

const minutesShown = 6 * 60

export function Traffic({ overview }: { overview: Overview }) {
  const figures: Figure[] = overview.minute.map(({ time, bin, count }) => ({
    time: Number(time),
    key: bin,
    count: Number(count),
  }))
  const present = Object.keys(binColors).filter((bin) => figures.some(({ key }) => key === bin))
  if (present.length === 0) return <p class="hint">{words.noTraffic}</p>
  const step = Number(overview.minuteSeconds)
  const first = Math.min(...figures.map(({ time }) => time))
  const length = Math.max(30, Math.min(minutesShown, Math.ceil((Number(overview.time) - first) / step) + 1))
  const { times, byKey } = seriesOf(figures, present, step, Number(overview.time), length)
  const parts: Part[] = present.map((bin) => ({
    label: trapTexts.bins[bin] ?? bin,
    values: (byKey.get(bin) ?? []).map((count) => count / step),
    color: binColors[bin] ?? '--edge',
  }))
  return <Chart title={words.traffic} times={times} parts={parts} height={170} seconds={step} />
}
