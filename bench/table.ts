// How a benchmark shows what it measured: one table, the machine above it, what the rows mean below.

import { availableParallelism, cpus } from 'node:os'

export interface Line {
  readonly work: string
  readonly here?: string
  readonly yardstick?: string
  /** Candidate against the goals: at least (≥) or at most (≤) so much. Absent where a line only informs. */
  readonly ratio?: number
  /** The same by processor time, and compared with the goal instead of it; NaN where that is not known. */
  readonly byProcessor?: number
  readonly unit?: string
  readonly goal?: Goal
}

export interface Goal {
  readonly sign: '≥' | '≤'
  readonly first: number
  readonly later: number
}

const columns = ['Work', 'Here', 'Yardstick', 'Result', 'By CPU', 'Goal', 'Then', 'Reached'] as const

export function printTable(title: string, lines: readonly Line[], meaning: readonly string[]): void {
  const cells = [columns, ...lines.map(cellsOf)]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)))
  console.log(`\n${title}\n${machine()}\n`)
  for (const [index, row] of cells.entries()) {
    console.log(`  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('   ')}`.trimEnd())
    if (index === 0) console.log(`  ${widths.map((width) => '─'.repeat(width)).join('───')}`)
  }
  console.log(`\n${meaning.map((sentence) => `  ${sentence}`).join('\n')}\n`)
}

function cellsOf({ work, here = '', yardstick = '', ratio, byProcessor, unit = ' ×', goal }: Line): string[] {
  const shown = (value: number | undefined) =>
    value === undefined || Number.isNaN(value) ? '' : (value < 100 ? value.toFixed(2) : whole(value)) + unit
  const cells = [work, here, yardstick, shown(ratio), shown(byProcessor)]
  if (ratio === undefined || !goal) return [...cells, '', '', '']
  const limit = (value: number) => `${goal.sign} ${value.toLocaleString('en')}${unit}`
  return [...cells, limit(goal.first), limit(goal.later), reached(byProcessor || ratio, goal)]
}

function reached(ratio: number, { sign, first, later }: Goal): string {
  if (meets(ratio, sign, later)) return 'then'
  return meets(ratio, sign, first) ? 'yes' : 'no'
}

const meets = (ratio: number, sign: Goal['sign'], limit: number) =>
  sign === '≥' ? ratio >= limit : ratio <= limit

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const day = new Date().toISOString().slice(0, 10)
  return `${availableParallelism()} cores (${model}), Node ${process.version}, ${process.platform} ${process.arch}, ${day}`
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** The value below which a part of them lies; 1: the largest. */
export function at(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Of milliseconds: half of them, and nearly all. */
export const spread = (values: readonly number[]): string => `p50 ${ms(values, 0.5)}, p99 ${ms(values, 0.99)}`
export const ms = (values: readonly number[], part: number): string => `${at(values, part).toFixed(1)} ms`

/** The median of the ratios, round by round. */
export const ratioOf = (of: readonly number[], to: readonly number[]): number =>
  median(of.map((value, round) => value / (to[round] ?? Number.NaN)))

export const perSecond = (rates: readonly number[]): string => `${whole(median(rates))}/s`
export const whole = (value: number): string => Math.round(value).toLocaleString('en')
export const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`
