// Reads the history of one alarm, from raise to recovery.

import { type Alarm, alarms } from '../../resources/alarms/alarm.ts'
import type { Database } from '../../store/database.ts'
import { find } from '../../store/table.ts'
import { foundRecovered } from '../actions/asked-ends.ts'
import { neverPushed } from '../log/push-attributes.ts'

/** `entry` is the number of the log entry; 0 if unknown. */
interface HistoryEntry {
  readonly entry: bigint
  readonly time: number
  readonly action: string
  readonly userName: string
  readonly detail: string
  /** Whether it was pushed to any client. */
  readonly pushed: boolean
}

/** How many of the newest entries are shown. */
const entryLimit = 1000

interface AlarmHistory {
  readonly entries: readonly HistoryEntry[]
  /** False if older entries are left out. */
  readonly complete: boolean
}

export async function historyOf(database: Database, alarm: Alarm): Promise<AlarmHistory> {
  const rows = await database.all(
    `select entry, at, kind, user_name, detail, pushed from alarm_history where alarm_id = ? order by entry desc limit ${entryLimit + 1}`,
    [alarm.id],
  )
  const between = rows
    .slice(0, entryLimit)
    .reverse()
    .map((row) => ({
      entry: row.entry as bigint,
      time: Number(row.at),
      // The history of a raise says what suppressed the alarm.
      action: row.kind === 'raise' ? 'suppress' : String(row.kind),
      userName: String(row.user_name),
      detail: String(row.detail),
      pushed: Number(row.pushed) === 1,
    }))
  const wasSuppressed = between.some(({ action }) => action === 'suppress')
  const end = await endOf(database, alarm)
  return {
    entries: [beginning(alarm, !wasSuppressed), ...between, ...end],
    complete: rows.length <= entryLimit,
  }
}

const beginning = ({ entry, faultTime, reason, pushed }: Alarm, atOnce: boolean): HistoryEntry => ({
  entry,
  time: faultTime,
  action: 'raise',
  userName: '',
  detail: reason ?? '',
  pushed: atOnce && pushed !== neverPushed,
})

async function endOf(database: Database, alarm: Alarm): Promise<HistoryEntry[]> {
  const { recStatus, recTime, recUserName, recoveredBy, pushed, isReceoverFault } = alarm
  if (recStatus === 0 || isReceoverFault === 1) return []
  // The recovery alarm may have been deleted.
  const by = (await find(database, alarms.table, recoveredBy)) as Alarm | undefined
  const end = {
    entry: by?.entry ?? 0n,
    time: recTime,
    action: 'recover',
    userName: recUserName ?? '',
    detail: by?.reason === foundRecovered ? foundRecovered : (by?.eventName ?? ''),
    pushed: (by?.pushed ?? pushed) !== neverPushed,
  }
  return [end]
}

// Records how often an alarm was repeated in each interval, compactly enough to be stored with the alarm. Intervals start
// at one minute; when there are too many, neighbours are merged.

/** Seconds in an interval, and the number of repeats by the number of the interval. */
type RepeatTimes = readonly [seconds: number, counts: readonly (readonly [interval: number, times: number])[]]

const noRepeats = '[]'
const firstSeconds = 60
const intervalLimit = 48

const read = (text: string): RepeatTimes => (text === noRepeats ? [firstSeconds, []] : JSON.parse(text))

export function addRepeats(text: string, at: number, times: number): string {
  // The common case in a storm.
  if (text === noRepeats) return `[${firstSeconds},[[${Math.floor(at / 1000 / firstSeconds)},${times}]]]`
  let [seconds, counts] = read(text)
  counts = add(counts, Math.floor(at / 1000 / seconds), times)
  while (counts.length > intervalLimit) {
    seconds *= 2
    let wider: RepeatTimes[1] = []
    for (const [interval, n] of counts) wider = add(wider, Math.floor(interval / 2), n)
    counts = wider
  }
  return JSON.stringify([seconds, counts])
}

/** Searches from the end; not always the last one, because the clock may have been set back. */
function add(counts: RepeatTimes[1], interval: number, times: number): RepeatTimes[1] {
  const index = counts.findLastIndex(([known]) => known <= interval)
  const known = counts[index]
  if (known?.[0] === interval) return counts.with(index, [interval, known[1] + times])
  return counts.toSpliced(index + 1, 0, [interval, times])
}

type Reported = Pick<Alarm, 'repeatTrail' | 'faultTime' | 'lastTime'>

/** Oldest first, each within the time from the first report to the last. */
export function repeatTimesOf({ repeatTrail, faultTime, lastTime }: Reported) {
  const [seconds, counts] = read(repeatTrail)
  const length = seconds * 1000
  return counts.map(([interval, times]) => {
    const from = interval * length
    const until = from + length
    // The clock may have been set back since.
    const begin = faultTime >= from && faultTime <= until ? faultTime : from
    return { from: begin, until: lastTime >= begin && lastTime <= until ? lastTime : until, times }
  })
}
