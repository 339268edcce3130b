// The overview: figures that can be read from across the room, in tiles that each person chooses and places.

import type { ComponentChildren } from 'preact'
import { hrefOf } from '../core/address.ts'
import { list, read } from '../core/api.ts'
import { arranged, columnChoice } from '../parts/column-choice.ts'
import { ColumnsPanel } from '../parts/columns.tsx'
import { Section } from '../parts/facts.tsx'
import { LevelShape } from '../parts/level.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import type { Window } from '../rules/window.ts'
import { overviewTexts as words } from '../texts/overview-texts.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
import { Maintenance, OfService, Unacknowledged } from './attention.tsx'
import { Hour } from './hour.tsx'
import { type Node, Nodes } from './nodes.tsx'
import { levels, type Overview, Raised, Traffic } from './overview-charts.tsx'
import { Places, placesFrom } from './places.tsx'
import { type Client, Clients, Devices, Events, OutOfReach } from './ranks.tsx'
import type { DayFigures } from './series.ts'
import { Weeks } from './weeks.tsx'

interface Seen {
  readonly overview: Overview
  readonly clients: readonly Client[]
  readonly nodes: readonly Node[]
  readonly windows: readonly Window[]
  readonly days: readonly DayFigures[]
}

const nothing = { count: '0', unacknowledged: '0', suppressed: '0', suppressedUnacknowledged: '0' }

/** What the list behind it shows; as there, what is held back is counted apart. */
function Levels({ open }: Pick<Overview, 'open'>) {
  return (
    <ul class="tiles">
      {levels.map((level) => {
        const found = open.find(({ alarmLevel }) => alarmLevel === level) ?? nothing
        const held = Number(found.suppressed)
        const count = Number(found.count) - held
        const unacknowledged = Number(found.unacknowledged) - Number(found.suppressedUnacknowledged)
        return (
          <li key={level}>
            <a
              class={`tile edge-${level} ${count === 0 ? 'none' : ''}`}
              href={hrefOf('alarms', '', { level })}
            >
              <span class="tile-name">
                <LevelShape level={Number(level)} />
                {texts.levels[Number(level)]}
              </span>
              <strong class="tile-number">{numberText(count)}</strong>
              <span class="hint">
                {count === 0 ? words.none : words.unacknowledged(unacknowledged)}
                {held > 0 && `, ${words.heldBack(held)}`}
              </span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

interface Tile {
  readonly key: string
  readonly title: string
  readonly hint?: (seen: Seen) => string
  /** As wide as the page. */
  readonly isWide?: boolean
  readonly content: (seen: Seen) => ComponentChildren
}

/** In the order in which they stand until somebody places them otherwise. */
const tiles: readonly Tile[] = [
  {
    ...{ key: 'zones', title: words.zones },
    content: ({ overview }) => <Places of="zone" places={placesFrom(overview.zone)} />,
  },
  { key: 'oldest', title: words.oldest, content: () => <Unacknowledged /> },
  { key: 'hour', title: words.hour, content: ({ overview }) => <Hour hour={overview.hour} /> },
  {
    ...{ key: 'weeks', title: words.work, hint: () => words.workHint },
    content: ({ days }) => <Weeks days={days} />,
  },
  {
    key: 'maintenance',
    title: words.maintenance,
    content: ({ windows }) => <Maintenance windows={windows} />,
  },
  { key: 'service', title: words.service, content: () => <OfService /> },
  {
    ...{ key: 'raised', title: words.raised, hint: () => words.raisedHint, isWide: true },
    content: ({ overview }) => <Raised overview={overview} />,
  },
  { key: 'devices', title: words.devices, content: ({ overview }) => <Devices device={overview.device} /> },
  { key: 'events', title: words.events, content: ({ overview }) => <Events event={overview.event} /> },
  {
    ...{ key: 'views', title: words.views },
    content: ({ overview }) => <Places of="view" places={placesFrom(overview.view)} />,
  },
  {
    ...{ key: 'outOfReach', title: words.outOfReach },
    hint: ({ overview }) => (overview.outOfReach.length > 0 ? words.outOfReachHint : ''),
    content: ({ overview }) => <OutOfReach outOfReach={overview.outOfReach} />,
  },
  {
    ...{ key: 'traffic', title: words.traffic, hint: () => words.trafficHint, isWide: true },
    content: ({ overview }) => <Traffic overview={overview} />,
  },
  { key: 'clients', title: words.clients, content: ({ clients }) => <Clients clients={clients} /> },
  {
    ...{ key: 'nodes', title: words.nodes },
    hint: ({ nodes }) => (nodes.length > 1 ? words.nodesHint : ''),
    content: ({ nodes }) => <Nodes nodes={nodes} />,
  },
]

/** Names the tiles among all that is chosen and ordered. */
const tileList = 'overview'

function OverviewView(seen: Seen) {
  return (
    <section class="page overview">
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="gap" />
        <ColumnsPanel list={tileList} columns={tiles} label={words.tiles} icon="tiles" />
      </header>
      <Levels open={seen.overview.open} />
      <div class="halved">
        {arranged(tiles, columnChoice(tileList)).map(({ key, title, hint, isWide, content }) => (
          <Section key={key} title={title} class={isWide ? 'wide' : ''} hint={hint?.(seen) ?? ''}>
            {content(seen)}
          </Section>
        ))}
      </div>
    </section>
  )
}

/** Read at once; the page of maintenance has all of them. */
const maxWindows = 1000
/** The service sends a month unless asked for more. */
const maxDays = 31

export default function OverviewPage() {
  const loaded = useLoad<Seen>(async (over) => {
    const [overview, clients, nodes, windows, days] = await Promise.all([
      read<Overview>('/fault/overview', {}, over),
      list<Client>('/events/registrations', {}, over),
      list<Node>('/plat/node', {}, over),
      list<Window>('/fault/maintenance', { size: maxWindows }, over),
      list<DayFigures>('/fault/statistics', { by: 'day', size: maxDays }, over),
    ])
    return {
      ...{ overview, clients: clients.rows, nodes: nodes.rows },
      ...{ windows: windows.rows, days: days.rows },
    }
  }, [])
  useEvery(10, loaded)
  return <When loaded={loaded} show={(seen: Seen) => <OverviewView {...seen} />} />
}
