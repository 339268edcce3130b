// A schedule drawn as a week: a line per day, with who is on call, and where nobody is.

import { locales } from '../texts/language.ts'
import { onCallTexts as words } from '../texts/on-call-texts.ts'
import { type Day, daysOfWeek, piecesOf, type Shift } from './shift-days.ts'

const line = 24
const left = 74
const width = 720
const room = width - left
const colours = 6

/** Where a bar has no room for a name, the legend names its colour. */
const letterWidth = 8
const margin = 5

const dayText = (zone: string, { begin, end }: Day) =>
  new Intl.DateTimeFormat(locales.days, {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  }).format((begin + end) / 2)

const hours = [0, 6, 12, 18, 24]

interface PictureProps {
  readonly zone: string
  /** A moment in the week, in milliseconds. */
  readonly at: number
  readonly shifts: readonly Shift[]
}

/** Each person has a colour, in the order in which they appear. */
function coloursOf(shifts: readonly Shift[]): ReadonlyMap<string, { colour: number; name: string }> {
  const found = new Map<string, { colour: number; name: string }>()
  for (const { contactId, contactName } of shifts)
    if (contactId !== '' && !found.has(contactId))
      found.set(contactId, { colour: found.size % colours, name: contactName })
  return found
}

const titleOf = (zone: string, { fromTime, toTime, contactName, layer, overrideId }: Shift) => {
  const form = new Intl.DateTimeFormat(locales.days, {
    ...{ timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit' },
  })
  const when = `${form.format(Number(fromTime) * 1000)} – ${form.format(Number(toTime) * 1000)}`
  const by = overrideId === '' ? layer : words.override
  return `${contactName || words.nobody}, ${when}${by === '' ? '' : ` (${by})`}`
}

export function ShiftPicture({ zone, at, shifts }: PictureProps) {
  const days = daysOfWeek(zone, at)
  const people = coloursOf(shifts)
  return (
    <figure class="week shifts">
      <div class="table-frame" tabindex={0} role="region" aria-label={words.week(zone)}>
        <svg viewBox={`0 0 ${width} ${line * 7.7}`} role="img" aria-label={words.picture}>
          {hours.map((hour) => (
            <text
              key={hour}
              x={left + (hour / 24) * room}
              y="11"
              text-anchor={hour === 24 ? 'end' : hour === 0 ? 'start' : 'middle'}
            >
              {hour}:00
            </text>
          ))}
          {days.map((day, index) => {
            const y = line * (index + 0.65)
            return (
              <g key={day.begin}>
                <text x="0" y={y + 16}>
                  {dayText(zone, day)}
                </text>
                <rect class="day" x={left} y={y + 2} width={room} height={line - 4} rx="2" />
                {piecesOf(day, shifts).map(({ shift, from, to }) => {
                  const name = shift.contactName || words.nobody
                  const colour = people.get(shift.contactId)?.colour
                  const space = (to - from) * room
                  return (
                    <g key={from} class={colour === undefined ? 'gap-in' : `who-${colour}`}>
                      <title>{titleOf(zone, shift)}</title>
                      <rect x={left + from * room} y={y + 2} width={space} height={line - 4} rx="2" />
                      {name.length * letterWidth + 2 * margin < space && (
                        <text x={left + from * room + margin} y={y + 16}>
                          {name}
                        </text>
                      )}
                    </g>
                  )
                })}
              </g>
            )
          })}
        </svg>
      </div>
      <figcaption>
        <ul class="legend">
          {[...people].map(([id, { colour, name }]) => (
            <li key={id}>
              <i class={`who-${colour}`} />
              {name}
            </li>
          ))}
          <li>{zone}</li>
        </ul>
      </figcaption>
    </figure>
  )
}
