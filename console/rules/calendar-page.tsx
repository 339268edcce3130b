// Maintenance windows and reports to come, by week and month; a week shows who is on call, too.

import { address, hrefOf, setQuery } from '../core/address.ts'
import { list } from '../core/api.ts'
import { may } from '../core/session.ts'
import { now, serverZone } from '../core/time-text.ts'
import { ownZone, wallClock, wallDay, wallOf } from '../core/zone-time.ts'
import type { Shift } from '../notify/shift-days.ts'
import { Icon } from '../parts/icon.tsx'
import { CreateLink } from '../parts/list-page.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { type Schedule, schedulePath } from '../reports/schedules.tsx'
import { plannedTexts as words } from '../texts/calendar-texts.ts'
import { locales } from '../texts/language.ts'
import { maintenanceTexts } from '../texts/maintenance-texts.ts'
import {
  type Day,
  daysAround,
  type Entry,
  entriesOf,
  firstOfMonth,
  runsOf,
  spansOf,
  turned,
  type View,
} from './calendar.ts'
import type { Window } from './window.ts'

interface Template {
  readonly id: string
  readonly name: string
}

interface Planned {
  readonly windows: readonly Window[]
  readonly schedules: readonly (Schedule & { readonly templateId: string })[]
  readonly templates: readonly Template[]
  readonly shifts: readonly Shift[]
}

const maxEntries = 1000
/** In a cell of a month; the week has all of them. */
const maxInCell = 4

/** Of a day as a clock shows it. */
const dayText = (wall: number, form: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locales.days, { ...form, timeZone: 'UTC' }).format(wall)

const timeText = (at: number) =>
  new Intl.DateTimeFormat(locales.days, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at)

/** When an entry is in force on one day; a month has room for when it begins. */
function whenText({ from, to }: Entry, day: Day, view: View): string {
  const [begins, ends] = [from >= day.from, to <= day.to]
  if (from === to || (begins && view === 'month')) return timeText(from)
  if (begins && ends) return words.span(timeText(from), timeText(to))
  return begins ? words.from(timeText(from)) : ends ? words.until(timeText(to)) : words.allDay
}

const entriesFrom = (
  { windows, schedules, templates, shifts }: Planned,
  within: { from: number; to: number },
): Entry[] => {
  const zone = serverZone.value ?? 'UTC'
  const names = new Map(templates.map(({ id, name }) => [id, name]))
  return [
    ...windows.flatMap((window) =>
      spansOf(window, zone, within, now.value).map(
        (span): Entry => ({
          ...span,
          ...{ kind: 'window', name: window.name, href: hrefOf('window', window.id) },
        }),
      ),
    ),
    ...schedules.flatMap((schedule) =>
      runsOf(schedule, zone, within, now.value).map(
        (at): Entry => ({
          ...{ from: at, to: at, kind: 'report', href: hrefOf('report', schedule.templateId) },
          name: names.get(schedule.templateId) ?? words.kinds.report,
        }),
      ),
    ),
    ...shifts
      .filter(({ contactId }) => contactId !== '')
      .map(
        ({ fromTime, toTime, contactName, scheduleId, scheduleName }): Entry => ({
          ...{ from: Number(fromTime) * 1000, to: Number(toTime) * 1000, kind: 'shift' },
          ...{ name: words.shift(contactName, scheduleName), href: hrefOf('schedule', scheduleId) },
        }),
      ),
  ]
}

const icons = { window: 'maintenance', report: 'reports', shift: 'oncall' } as const

interface CellProps {
  readonly day: Day
  readonly view: View
  readonly entries: readonly Entry[]
  readonly isToday: boolean
}

function Cell({ day, view, entries, isToday }: CellProps) {
  const shown = view === 'week' ? entries : entries.slice(0, maxInCell)
  const name = dayText(day.wall, { weekday: 'long', day: 'numeric', month: 'long' })
  const date = wallDay(day.wall)
  const classes = [isToday && 'today', !day.isShown && 'other', entries.length === 0 && 'empty-day']
  return (
    <li class={classes.filter(Boolean).join(' ')} aria-current={isToday ? 'date' : undefined}>
      <h2>
        <time datetime={date} title={name}>
          <span class="day-name">{dayText(day.wall, { weekday: 'short' })}</span>
          <span class="day-number">{new Date(day.wall).getUTCDate()}</span>
        </time>
        {may('operator') && (
          <a
            class="button plain icon"
            href={hrefOf('window', 'new', {
              from: `${date}T22:00`,
              to: `${wallDay(day.wall + 86_400_000)}T02:00`,
            })}
            aria-label={words.newOn(name)}
            title={words.newOn(name)}
          >
            <Icon name="plus" />
          </a>
        )}
      </h2>
      <ul>
        {shown.map((entry) => (
          <li key={`${entry.href} ${entry.from}`}>
            <a
              class={`entry ${entry.kind}`}
              href={entry.href}
              title={`${words.kinds[entry.kind]}: ${entry.name}`}
            >
              <Icon name={icons[entry.kind]} />
              <span class="when">{whenText(entry, day, view)}</span> <span>{entry.name}</span>
            </a>
          </li>
        ))}
      </ul>
      {entries.length > shown.length && (
        <a class="more-entries" href={hrefOf('calendar', '', { view: 'week', day: date })}>
          {words.more(entries.length - shown.length)}
        </a>
      )}
    </li>
  )
}

const titleOf = (view: View, days: readonly Day[], wall: number) => {
  if (view === 'month') return dayText(wall, { month: 'long', year: 'numeric' })
  const [first, last] = [days[0]?.wall ?? wall, days.at(-1)?.wall ?? wall]
  return new Intl.DateTimeFormat(locales.days, {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  }).formatRange(first, last)
}

export default function CalendarPage() {
  const { query } = address.value
  const view: View = query.get('view') === 'week' ? 'week' : 'month'
  const today = Math.floor(wallClock(ownZone(), now.value) / 86_400_000) * 86_400_000
  const wall = wallOf(`${query.get('day') ?? ''}T00:00`) ?? today
  const days = daysAround(view, wall, ownZone())
  const within = { from: days[0]?.from ?? 0, to: days.at(-1)?.to ?? 0 }
  const loaded = useLoad<Planned>(
    async (over) => {
      const [windows, schedules, templates, shifts] = await Promise.all([
        list<Window>('/fault/maintenance', { size: maxEntries }, over),
        list<Planned['schedules'][number]>(schedulePath, { size: maxEntries }, over),
        list<Template>('/report/reportTemplate', { reportDefinedType: -1, size: maxEntries }, over),
        view === 'week'
          ? list<Shift>('/notify/shift', { fromTime: within.from / 1000, toTime: within.to / 1000 }, over)
          : { rows: [] },
      ])
      return {
        ...{ windows: windows.rows, schedules: schedules.rows },
        ...{ templates: templates.rows, shifts: shifts.rows },
      }
    },
    [view, within.from],
  )
  const turn = (by: number) => setQuery({ day: wallDay(turned(view, wall, by)) }, { replace: false })
  const isNow =
    view === 'month' ? firstOfMonth(wall) === firstOfMonth(today) : days.some((one) => one.wall === today)
  return (
    <section class="page calendar-page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="count" aria-live="polite">
          {titleOf(view, days, wall)}
        </span>
        <span class="gap" />
        <div class="chips" role="group" aria-label={words.viewLabel}>
          {(['week', 'month'] as const).map((one) => (
            <button
              key={one}
              type="button"
              class="chip"
              aria-pressed={view === one}
              onClick={() => setQuery({ view: one === 'month' ? '' : one, day: isNow ? '' : wallDay(wall) })}
            >
              {words.views[one]}
            </button>
          ))}
        </div>
        <div class="head-buttons">
          <button type="button" class="icon" aria-label={words.before[view]} onClick={() => turn(-1)}>
            <Icon name="previous" />
          </button>
          <button type="button" disabled={isNow} onClick={() => setQuery({ day: '' }, { replace: false })}>
            {words.today}
          </button>
          <button type="button" class="icon" aria-label={words.after[view]} onClick={() => turn(1)}>
            <Icon name="closed" />
          </button>
        </div>
        <CreateLink page="window" text={maintenanceTexts.create} />
      </header>
      <p class="hint about">{words.about(ownZone())}</p>
      <When
        loaded={loaded}
        show={(planned: Planned) => {
          const entries = entriesFrom(planned, within)
          return (
            <ol class={`calendar by-${view}`}>
              {days.map((day) => (
                <Cell
                  key={day.wall}
                  day={day}
                  view={view}
                  entries={entriesOf(day, entries)}
                  isToday={day.wall === today}
                />
              ))}
            </ol>
          )
        }}
      />
    </section>
  )
}
