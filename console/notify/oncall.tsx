// On call: every schedule as a week, with who is on call now and next, and when nobody is.

import { useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { list } from '../core/api.ts'
import { may, session } from '../core/session.ts'
import { now, timeText } from '../core/time-text.ts'
import { Facts } from '../parts/facts.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import { onCallTexts as words } from '../texts/on-call-texts.ts'
import { CalendarFeeds } from './calendar-feeds.tsx'
import { type Contact, contactPath } from './contact.tsx'
import { type Schedule, schedulePath } from './schedule.ts'
import type { Shift } from './shift-days.ts'
import { ShiftPicture } from './shift-picture.tsx'
import { StandIn } from './stand-in.tsx'

const dayLength = 24 * 3600
const week = 7 * dayLength
/** A week begins at different moments in different zones, and may have an hour more. */
const margin = 8 * dayLength
const maxShown = 50

interface Loaded {
  readonly schedules: readonly Schedule[]
  readonly shifts: readonly Shift[]
  /** The contact of the operator who is signed in; empty where there is none. */
  readonly own: string
}

async function ownContact(over: AbortSignal): Promise<string> {
  const { operatorId } = session.value
  if (operatorId === '') return ''
  return (await list<Contact>(contactPath, { operatorId, size: 1 }, over)).rows[0]?.id ?? ''
}

async function load(at: number, over: AbortSignal): Promise<Loaded> {
  const around = { fromTime: Math.floor(at - margin), toTime: Math.floor(at + margin) }
  const [schedules, shifts, own] = await Promise.all([
    list<Schedule>(schedulePath, { orderBy: 'name', size: maxShown }, over),
    list<Shift>('/notify/shift', around, over),
    ownContact(over),
  ])
  return { schedules: schedules.rows, shifts: shifts.rows, own }
}

const OnCallFacts = ({ schedule }: { schedule: Schedule }) => {
  const { onCallId, onCallName, onCallUntil, nextId, nextName, gapFrom, gapUntil } = schedule
  return (
    <Facts
      facts={[
        [
          words.now,
          <>
            {onCallId === undefined ? (
              <span class="tag danger">{words.nobody}</span>
            ) : (
              <a href={hrefOf('person', onCallId)}>{onCallName}</a>
            )}{' '}
            {onCallUntil !== '0' && <span class="hint">{words.until(timeText(Number(onCallUntil)))}</span>}
          </>,
        ],
        [words.next, nextId !== undefined && <a href={hrefOf('person', nextId)}>{nextName}</a>],
        [
          words.gap,
          gapFrom !== '0' && (
            <span class="tag danger">
              <Time at={Number(gapFrom)} /> – <Time at={Number(gapUntil)} />
            </span>
          ),
        ],
      ]}
    />
  )
}

interface OneProps extends Omit<Loaded, 'schedules'> {
  readonly schedule: Schedule
  /** Seconds. */
  readonly at: number
  readonly again: () => void
}

const One = ({ schedule, shifts, own, at, again }: OneProps) => (
  <section class="part">
    <header class="page-head">
      <h2>{schedule.name}</h2>
      <span class="gap" />
      <StandIn schedule={schedule} own={own} nowSeconds={now.value / 1000} again={again} />
      <a class="button" href={hrefOf('schedule', schedule.id)} aria-label={words.editOne(schedule.name)}>
        {words.edit}
      </a>
    </header>
    {schedule.description && <p class="hint">{schedule.description}</p>}
    <OnCallFacts schedule={schedule} />
    <ShiftPicture
      zone={schedule.timeZone}
      at={at * 1000}
      shifts={shifts.filter(({ scheduleId }) => scheduleId === schedule.id)}
    />
  </section>
)

export default function OnCallPage() {
  const [weeks, setWeeks] = useState(0)
  // Not a signal: the weeks must not jump while one looks at them.
  const [opened] = useState(() => now.value / 1000)
  const at = opened + weeks * week
  const loaded = useLoad((over) => load(at, over), [weeks])
  useEvery(60, loaded)
  const create = may('administrator') && (
    <a class="button main" href={hrefOf('schedule', 'new')}>
      {words.create}
    </a>
  )
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="gap" />
        <div class="buttons" role="group" aria-label={words.weeks}>
          <button type="button" onClick={() => setWeeks(weeks - 1)}>
            {words.before}
          </button>
          <button type="button" disabled={weeks === 0} onClick={() => setWeeks(0)}>
            {words.thisWeek}
          </button>
          <button type="button" onClick={() => setWeeks(weeks + 1)}>
            {words.after}
          </button>
        </div>
        {create}
      </header>
      <p class="hint about">{words.about}</p>
      <When
        loaded={loaded}
        show={({ schedules, ...found }: Loaded) =>
          schedules.length === 0 ? (
            <Empty title={words.empty}>
              <p>{words.emptyHint}</p>
              {create}
            </Empty>
          ) : (
            <>
              {schedules.map((schedule) => (
                <One key={schedule.id} {...found} schedule={schedule} at={at} again={loaded.again} />
              ))}
              <CalendarFeeds contactId={found.own} />
            </>
          )
        }
      />
    </section>
  )
}
