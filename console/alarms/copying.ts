// Alarms to take along: chosen rows as tab-separated text, and what the filter shows as CSV or JSON.

import { list } from '../core/api.ts'
import { saveFile } from '../core/save-file.ts'
import { timeText } from '../core/time-text.ts'
import { texts } from '../texts/shared-texts.ts'
import { type AlarmRow, type ListedAlarm, rowOf } from './row.ts'

const words = texts.alarms.taken

const columns: Readonly<Record<keyof typeof words, (row: AlarmRow) => string>> = {
  number: ({ id }) => id,
  level: ({ level }) => texts.levels[level] ?? String(level),
  device: ({ device }) => device,
  address: ({ ip }) => ip,
  text: ({ text }) => text,
  since: ({ time }) => timeText(time),
  repeats: ({ repeats }) => String(repeats),
  acknowledgedBy: ({ acknowledgedBy }) => acknowledgedBy,
  owner: ({ owner }) => owner,
  note: ({ note }) => note,
  remark: ({ remark }) => remark,
}

/** What a spreadsheet would run as a formula. Devices send such texts, too. */
const formula = /^'*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/
const harmless = (text: string) => (formula.test(text) ? `'${text}` : text)

/** One cell: without what would begin another. */
const tabbed = (text: string) => harmless(text.replaceAll(/[\t\r\n]+/g, ' '))

const quoted = (text: string) => `"${harmless(text).replaceAll('"', '""')}"`

const table = (rows: readonly AlarmRow[], cell: (text: string) => string, between: string) =>
  [Object.values(words), ...rows.map((row) => Object.values(columns).map((text) => text(row)))]
    .map((line) => line.map(cell).join(between))
    .join('\r\n')

/** For a spreadsheet, a ticket or a mail; of rows that are here, as a copy cannot wait. */
export const tabSeparated = (rows: readonly AlarmRow[]) => table(rows, tabbed, '\t')

const commaSeparated = (rows: readonly AlarmRow[]) => `${table(rows, quoted, ',')}\r\n`

/** In portions: addresses have a limit. */
const portion = 200

/** As the service has them now, in this order: a row that was never in sight lacks its repeats and remarks. */
async function readAlarms(ids: readonly string[]): Promise<ListedAlarm[]> {
  const found = new Map<string, ListedAlarm>()
  for (let from = 0; from < ids.length; from += portion) {
    const some = ids.slice(from, from + portion)
    const { rows } = await list<ListedAlarm>('/fault/alarm', { id: some.join(), size: some.length })
    for (const alarm of rows) found.set(alarm.id, alarm)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

export async function saveAlarms(ids: readonly string[], form: 'csv' | 'json'): Promise<void> {
  const alarms = await readAlarms(ids)
  if (form === 'json') saveFile('alarms.json', 'application/json', JSON.stringify({ alarm: alarms }, null, 2))
  // The mark at the beginning tells spreadsheets that it is UTF-8.
  else
    saveFile(
      'alarms.csv',
      'text/csv',
      `\ufeff${commaSeparated(alarms.map((one) => rowOf(one, undefined, 0)))}`,
    )
}
