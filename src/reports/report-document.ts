// The stored form of a report: figures and tables, from which pages, files and charts are made.

/** The meaning of a column's values. Durations are in milliseconds, instants since 1970, shares from 0 to 1. */
export type ValueKind = 'text' | 'number' | 'duration' | 'time' | 'share'

export type Value = string | number | null

export interface Column {
  readonly name: string
  readonly label: string
  readonly kind: ValueKind
}

/** The chart of a table: a bar or a point for each row. */
export interface ChartOf {
  readonly kind: 'bars' | 'stack' | 'line'
  /** Names of columns: the labels of the rows, and the values that are drawn. */
  readonly label: string
  readonly series: readonly string[]
  /** Whether the series are alarm levels, which have fixed colours. */
  readonly levels?: true
}

export interface Section {
  readonly title: string
  readonly remark?: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Value[])[]
  /** The number of rows beyond those. */
  readonly more?: number
  readonly chart?: ChartOf
}

export interface Figure {
  readonly label: string
  readonly kind: ValueKind
  readonly value: Value
}

export interface ReportDocument {
  /** The name of the template. */
  readonly title: string
  /** The report it runs, such as `alarm/summary`. */
  readonly report: string
  readonly beginTime: number
  readonly endTime: number
  readonly madeTime: number
  readonly timeZone: string
  /** The restrictions of the run, as pairs of a label and a text. */
  readonly scope: readonly (readonly [string, string])[]
  readonly remarks: readonly string[]
  readonly figures: readonly Figure[]
  readonly sections: readonly Section[]
}

/** The report's own part; the rest is about the run. */
export type Content = Pick<ReportDocument, 'remarks' | 'figures' | 'sections'>

export const column = (name: string, label: string, kind: ValueKind = 'text'): Column => ({
  name,
  label,
  kind,
})
export const figure = (label: string, value: Value, kind: ValueKind = 'number'): Figure => ({
  label,
  kind,
  value,
})

/** More rows than people read, and than a stored result should contain. */
export const rowLimit = 5000
/** The most characters of a cell; longer ones are cut. */
export const cellLimit = 1000
const textLimit = 4_000_000

/** A section with as many of the rows as are shown. */
export function section(
  title: string,
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
  more: Partial<Pick<Section, 'remark' | 'chart'>> & { readonly total?: number } = {},
): Section {
  const { total = rows.length, ...rest } = more
  const shown = withinLimits(rows)
  const left = total - shown.length
  return { title, columns, rows: shown, ...(left > 0 && { more: left }), ...rest }
}

function withinLimits(rows: readonly (readonly Value[])[]): (readonly Value[])[] {
  const shown: (readonly Value[])[] = []
  let length = 0
  for (const row of rows.slice(0, rowLimit)) {
    const cells = row.map((cell) => (typeof cell === 'string' ? cutShort(cell) : cell))
    for (const cell of cells) if (typeof cell === 'string') length += cell.length
    if (length > textLimit) break
    shown.push(cells)
  }
  return shown
}

const cutShort = (text: string) =>
  text.length > cellLimit ? `${[...text.slice(0, cellLimit)].slice(0, -1).join('')}…` : text

/** The mean; null if there are no values. */
export const mean = (sum: number, count: number): number | null => (count === 0 ? null : sum / count)

/** Values in readable form, in a time zone. */
export class ValueTexts {
  readonly #time: Intl.DateTimeFormat

  constructor(timeZone: string) {
    // The one locale whose plain form is yyyy-MM-dd HH:mm:ss.
    this.#time = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  }

  of(kind: ValueKind, value: Value): string {
    if (value === null) return '–'
    if (typeof value === 'string') return value
    if (kind === 'time') return this.time(value)
    if (kind === 'duration') return durationText(value)
    if (kind === 'share') return shareText(value)
    return numberText(value)
  }

  time(at: number): string {
    return this.#time.format(at)
  }
}

/** Thousands apart, by a space that does not break. */
function numberText(value: number): string {
  const [whole = '', fraction] = String(Number.isInteger(value) ? value : value.toFixed(2)).split('.')
  const parts: string[] = []
  for (let end = whole.length; end > 0; end -= 3) parts.unshift(whole.slice(Math.max(0, end - 3), end))
  return parts.join('\u00a0').replace('-\u00a0', '-') + (fraction === undefined ? '' : `.${fraction}`)
}

/**
 * As many digits as mean something: close to 100 % it matters how much is missing, close to 0 how much is there.
 * What failed for a moment was not within reach for 100 %: there, digits are rounded down. The console has the same rule.
 */
function shareText(value: number): string {
  const apart = Math.min(value, 1 - value)
  const digits = apart <= 0 ? 0 : Math.min(4, Math.max(1, -Math.floor(Math.log10(apart)) - 1))
  const unit = 10 ** digits
  const units = value * 100 * unit
  return `${((value > 0.99 ? Math.floor(units + 1e-6) : Math.round(units)) / unit).toFixed(digits)} %`
}

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** In its two largest units. */
export function durationText(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  let left = Math.round(milliseconds / 1000)
  const parts: string[] = []
  for (const [unit, seconds] of units) {
    const n = Math.floor(left / seconds)
    if (n === 0 && (parts.length === 0 || unit === 's')) continue
    left -= n * seconds
    parts.push(`${n} ${unit}`)
    if (parts.length === 2) break
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}

/** For programs: durations in seconds, times in seconds since 1970, shares as they are. */
export function plainValue(kind: ValueKind, value: Value): Value {
  if (typeof value !== 'number') return value
  if (kind === 'time') return Math.floor(value / 1000)
  if (kind === 'duration') return Math.round(value) / 1000
  return value
}
