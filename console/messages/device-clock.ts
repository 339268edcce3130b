// How far the clock of a device is from ours, by the time that it wrote in a message. Times are written in many forms, often
// without a year and without a zone: what is missing is taken so that the difference is small.

export interface ClockDifference {
  /** How far it is ahead; negative: behind. */
  readonly seconds: number
  /** Of what zone it was taken to be: one that it names, ours, or UTC. */
  readonly zone: 'named' | 'local' | 'utc'
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Minutes ahead of UTC, of names that mean one zone only. */
const zones: Readonly<Record<string, number>> = {
  ...{ z: 0, utc: 0, gmt: 0, wet: 0, west: 60, cet: 60, cest: 120, eet: 120, eest: 180, msk: 180, jst: 540 },
  ...{ est: -300, edt: -240, cdt: -300, mst: -420, mdt: -360, pst: -480, pdt: -420 },
}
const maxLength = 64

/** Minutes by which our zone is ahead of UTC. */
const localOffset = (milliseconds: number) => -new Date(milliseconds).getTimezoneOffset()

/** Undefined where the text is no time of day, such as the time since a start. `receivedAt` is in seconds. */
export function clockDifference(
  written: string,
  receivedAt: number,
  offset = localOffset,
): ClockDifference | undefined {
  const text = written.slice(0, maxLength)
  if (/^1\d{9}(?:\.\d+)?$/.test(text))
    return { seconds: Math.floor(Number(text)) - receivedAt, zone: 'named' }
  const [, hour, minute, second] = (/(\d{1,2}): ?(\d{1,2}): ?(\d{1,2})/.exec(text) ?? []).map(Number)
  const dates = datesIn(text, new Date(receivedAt * 1000).getUTCFullYear())
  if (hour === undefined || dates.length === 0) return undefined
  const named = zoneIn(text)
  const taken = (zone: ClockDifference['zone'], minutes: (at: number) => number) =>
    dates.map(([year, month, day]) => {
      const at = Date.UTC(year, month - 1, day, hour, minute, second)
      return { seconds: at / 1000 - minutes(at) * 60 - receivedAt, zone }
    })
  const all =
    named === undefined ? [...taken('local', offset), ...taken('utc', () => 0)] : taken('named', () => named)
  return all.reduce((best, one) => (Math.abs(one.seconds) < Math.abs(best.seconds) ? one : best))
}

type YearMonthDay = readonly [number, number, number]

/** Which days it may mean: without a year, the one next to ours; 05/01/2024 is in May or in January. */
function datesIn(text: string, ourYear: number): YearMonthDay[] {
  const numbers = (found: RegExpExecArray) => found.slice(1).map(Number) as [number, number, number]
  const yearFirst = /(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.exec(text)
  if (yearFirst) return [numbers(yearFirst)]
  const yearLast = /(\d{1,2})[/.](\d{1,2})[/.](\d{4})/.exec(text)
  if (yearLast) {
    const [one, two, year] = numbers(yearLast)
    return [[year, one, two] as const, [year, two, one] as const].filter(([, month]) => month <= 12)
  }
  const [, name = '', day] =
    /([a-z]{3}) {1,2}(\d{1,2})\b/i.exec(text.replace(/^[a-z]{3},? /i, keepMonth)) ?? []
  const month = months.indexOf(name.toLowerCase()) + 1
  if (month === 0) return []
  const year = /\b((?:19|20)\d{2})\b/.exec(text)?.[1]
  const years = year === undefined ? [ourYear - 1, ourYear, ourYear + 1] : [Number(year)]
  return years.map((one) => [one, month, Number(day)] as const)
}

/** Takes away a day of the week, which looks like a month. */
const keepMonth = (word: string) => (months.includes(word.slice(0, 3).toLowerCase()) ? word : '')

/** Minutes ahead of UTC. */
function zoneIn(text: string): number | undefined {
  const shift = /:\d{1,2}(?:[.,]\d{1,9})?(?: ?UTC)? ?([+-])(\d{2}):?(\d{2})?$/.exec(text)
  if (shift) {
    const minutes = Number(shift[2]) * 60 + Number(shift[3] ?? 0)
    return shift[1] === '-' ? -minutes : minutes
  }
  return zones[/[\d ]([a-z]{1,4})$/i.exec(text)?.[1]?.toLowerCase() ?? '']
}
