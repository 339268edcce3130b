// Who was where: the stays of terminals that have ended, by port, address and time.

import { hrefOf } from '../core/address.ts'
import { dayBegins, dayEnds, lastedText } from '../core/time-text.ts'
import type { Column } from '../parts/list.tsx'
import type { ListFilter } from '../parts/list-filters.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Empty } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import { seenTexts as words } from '../texts/terminal-texts.ts'
import { macOf, Place, type Stay } from './terminals.tsx'

/** Of one terminal. */
export const stayColumns: readonly Column<Stay>[] = [
  { title: words.place, kind: 'wide', cell: (stay) => <Place stay={stay} /> },
  { title: words.ip, kind: 'mono', cell: ({ ip }) => ip },
  { title: words.from, order: 'since', cell: ({ since }) => <Time at={Number(since)} /> },
  { title: words.until, cell: ({ lastTime }) => <Time at={Number(lastTime)} /> },
  {
    title: words.lasted,
    kind: 'number',
    cell: ({ since, lastTime }) => lastedText(Number(lastTime) - Number(since)),
  },
]

export const stayPath = '/res/access/terminalStay'

/** The newest first, unless another order is chosen. */
export const newestFirst = { orderBy: 'id', desc: true }

const columns: readonly Column<Stay>[] = [
  {
    title: words.mac,
    kind: 'mono',
    cell: ({ terminalMac }) => <a href={hrefOf('terminals', '', { terminalMac })}>{terminalMac}</a>,
  },
  { title: words.name, cell: ({ terminalName }) => terminalName },
  ...stayColumns,
]

export const stayFilters: readonly ListFilter[] = [
  { name: 'deviceId', label: words.atDevice, kind: 'device' },
  { name: 'ifIndex', label: words.atPort },
  { name: 'startTime', label: words.thereFrom, kind: 'day', form: dayBegins },
  { name: 'endTime', label: words.thereUntil, kind: 'day', form: dayEnds },
  { name: 'ip', label: words.ip, anywhere: true },
]

const filters: readonly ListFilter[] = [
  ...stayFilters,
  { name: 'terminalMac', label: words.mac, form: macOf, hint: '02:00:5e:…' },
]

export default function StaysPage() {
  const list = {
    path: stayPath,
    columns,
    filters,
    fixed: newestFirst,
    keyOf: ({ id }: Stay) => id,
    empty: (
      <Empty title={words.noStays}>
        <p>{words.noStaysHint}</p>
      </Empty>
    ),
  }
  return <ListPage title={words.stays} about={words.staysAbout} list={list} />
}
