// How many alarms there were and how long they took: by day, device, event or zone.

import { address, hrefOf, setQuery } from '../core/address.ts'
import { lastedText } from '../core/time-text.ts'
import type { Column } from '../parts/list.tsx'
import type { ListFilter } from '../parts/list-filters.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Empty } from '../parts/problem.tsx'
import { statisticsTexts as words } from '../texts/alarm-texts.ts'
import { numberText } from '../texts/shared-texts.ts'

interface Figures {
  readonly day?: string
  readonly deviceId?: string
  readonly eventOid?: string
  readonly zoneId?: string
  readonly name: string
  readonly raised: string
  readonly acknowledged: string
  readonly secondsToAcknowledge: string
  readonly longestToAcknowledge: string
  readonly ended: string
  readonly secondsToEnd: string
  readonly longestToEnd: string
}

const keyOf = ({ day, deviceId, eventOid, zoneId }: Figures) => day ?? deviceId ?? eventOid ?? zoneId ?? ''

function Of({ row }: { row: Figures }) {
  const { day, deviceId, eventOid, name } = row
  if (day !== undefined) return <b>{day}</b>
  if (deviceId === '0') return <b>{words.noDevice}</b>
  const text = name || keyOf(row)
  if (deviceId !== undefined) return <a href={hrefOf('device', deviceId)}>{text}</a>
  if (eventOid !== undefined) return <a href={hrefOf('event', '', { oid: eventOid })}>{text}</a>
  return <b>{text}</b>
}

const count = (title: string, of: (row: Figures) => string): Column<Figures> => ({
  title,
  kind: 'number',
  cell: (row) => numberText(Number(of(row))),
})

/** Nothing took a time where nothing happened. */
const took = (
  title: string,
  seconds: (row: Figures) => string,
  times: (row: Figures) => string,
): Column<Figures> => ({
  title,
  kind: 'number',
  cell: (row) => (times(row) === '0' ? '' : lastedText(Number(seconds(row)))),
})

const columnsFor = (by: string): readonly Column<Figures>[] => [
  { title: words.by[by] ?? by, kind: 'wide', cell: (row) => <Of row={row} /> },
  count(words.raised, ({ raised }) => raised),
  count(words.acknowledged, ({ acknowledged }) => acknowledged),
  took(
    words.toAcknowledge,
    (row) => row.secondsToAcknowledge,
    (row) => row.acknowledged,
  ),
  took(
    words.longestToAcknowledge,
    (row) => row.longestToAcknowledge,
    (row) => row.acknowledged,
  ),
  count(words.ended, ({ ended }) => ended),
  took(
    words.toEnd,
    (row) => row.secondsToEnd,
    (row) => row.ended,
  ),
  took(
    words.longestToEnd,
    (row) => row.longestToEnd,
    (row) => row.ended,
  ),
]

const kinds = Object.keys(words.by)

const days: readonly ListFilter[] = [
  { name: 'from', label: words.from, kind: 'day' },
  { name: 'to', label: words.to, kind: 'day' },
]

const ofOne: Readonly<Record<string, ListFilter>> = {
  device: { name: 'deviceId', label: words.ofDevice, kind: 'device' },
  event: { name: 'eventOid', label: words.ofEvent, hint: '1.3.6.1.…' },
  zone: { name: 'zoneId', label: words.ofZone, of: 'zone' },
}

/** Of one alone: by day of any one, else of one of the same. Once one is chosen, there cannot be another. */
const filtersFor = (by: string): readonly ListFilter[] => {
  const own = ofOne[by]
  if (own) return [...days, own]
  const all = Object.values(ofOne)
  const set = all.filter(({ name }) => address.value.query.get(name))
  return [...days, ...(set.length > 0 ? set : all)]
}

/** What is of one device cannot be counted by events. */
const without = (by: string) =>
  Object.fromEntries(
    Object.entries(ofOne).flatMap(([kind, { name }]) => (by === 'day' || kind === by ? [] : [[name, '']])),
  )

export default function StatisticsPage() {
  const asked = address.value.query.get('by') ?? ''
  const by = kinds.includes(asked) ? asked : 'day'
  const list = {
    path: '/fault/statistics',
    columns: columnsFor(by),
    filters: filtersFor(by),
    fixed: { by },
    keyOf,
    empty: <Empty title={words.empty} />,
  }
  const chips = (
    <div class="chips" role="group" aria-label={words.choose}>
      {kinds.map((kind) => (
        <button
          key={kind}
          type="button"
          class="chip"
          aria-pressed={by === kind}
          onClick={() => setQuery({ by: kind, ...without(kind), start: '' })}
        >
          {words.by[kind]}
        </button>
      ))}
    </div>
  )
  return <ListPage title={words.title} about={words.about} list={list} before={chips} />
}
