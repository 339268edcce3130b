// What waits for somebody: the oldest alarms that nobody has acknowledged, what the service says of itself, and maintenance
// in force and to come.

import { openAlarms } from '../alarms/live.ts'
import type { AlarmRow } from '../alarms/row.ts'
import { hrefOf } from '../core/address.ts'
import { now } from '../core/time-text.ts'
import { LevelShape } from '../parts/level.tsx'
import { Age } from '../parts/time.tsx'
import { WindowState } from '../rules/maintenance-page.tsx'
import type { Window } from '../rules/window.ts'
import { overviewTexts as words } from '../texts/overview-texts.ts'
import { texts } from '../texts/shared-texts.ts'

const maxShown = 6

/** Of the events of the service itself. */
const serviceArc = '1.3.6.1.4.1.32473.1.'

/** Those that people look at: information is none that anybody must acknowledge. */
const worstHiddenLevel = 4

const oldestFirst = (a: AlarmRow, b: AlarmRow) => a.time - b.time

function Lines({ rows, all }: { rows: readonly AlarmRow[]; all: string }) {
  return (
    <>
      <ul class="lines">
        {rows.slice(0, maxShown).map((row) => (
          <li key={row.id}>
            <LevelShape level={row.level} />
            {row.device !== '' && <b>{row.device}</b>}
            <span>
              <a href={hrefOf('alarm', row.id)}>{row.text}</a>
            </span>
            <Age at={row.time} />
          </li>
        ))}
      </ul>
      {rows.length > maxShown && (
        <p>
          <a href={all}>{words.allOf(rows.length)}</a>
        </p>
      )}
    </>
  )
}

function openRows(matches: (row: AlarmRow) => boolean): AlarmRow[] {
  void openAlarms.version.value
  return [...openAlarms.rows.values()].filter((row) => row.endedAt === 0 && matches(row)).sort(oldestFirst)
}

export function Unacknowledged() {
  const rows = openRows(({ acknowledged, level }) => !acknowledged && level <= worstHiddenLevel)
  if (rows.length === 0)
    return <p class="hint">{openAlarms.isWhole.value ? words.allAcknowledged : texts.stream.loading}</p>
  return <Lines rows={rows} all={hrefOf('alarms', '', { state: 'new', sort: 'time', desc: 'true' })} />
}

export function OfService() {
  const rows = openRows(({ oid }) => oid.startsWith(serviceArc))
  if (rows.length === 0)
    return <p class="hint">{openAlarms.isWhole.value ? words.serviceFine : texts.stream.loading}</p>
  return <Lines rows={rows} all={hrefOf('alarms', '', { q: serviceArc })} />
}

/** Seconds within which a window is worth knowing of. */
const week = 7 * 86_400

export function Maintenance({ windows }: { windows: readonly Window[] }) {
  const seconds = now.value / 1000
  const beginOf = ({ active, nextTime }: Window) => (active === 'true' ? 0 : Number(nextTime))
  const near = windows
    .filter((window) => window.active === 'true' || (beginOf(window) > 0 && beginOf(window) < seconds + week))
    .sort((a, b) => beginOf(a) - beginOf(b))
  if (near.length === 0) return <p class="hint">{words.noMaintenance}</p>
  return (
    <>
      <ul class="lines">
        {near.slice(0, maxShown).map((window) => (
          <li key={window.id}>
            <span>
              <a href={hrefOf('window', window.id)}>{window.name}</a>
            </span>
            {window.suppressed !== '0' && (
              <span class="hint">{words.heldBack(Number(window.suppressed))}</span>
            )}
            <span class="hint">
              <WindowState window={window} />
            </span>
          </li>
        ))}
      </ul>
      {near.length > maxShown && (
        <p>
          <a href={hrefOf('maintenance')}>{words.allOf(near.length)}</a>
        </p>
      )}
    </>
  )
}
