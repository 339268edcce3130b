// The map as a list: the same devices by zone and tier, for screen readers, for phones and for whoever likes tables.

import { hrefOf } from '../core/address.ts'
import { Level } from '../parts/level.tsx'
import { type Column, Table } from '../parts/list.tsx'
import { mapTexts as words } from '../texts/map-texts.ts'
import { numberText } from '../texts/shared-texts.ts'
import { byName, compareNames, type Graph, type MapDevice } from './graph.ts'
import type { States } from './states.ts'

interface MapListProps {
  readonly graph: Graph
  readonly states: States
  readonly found: ReadonlySet<string> | undefined
}

/** Of fewer devices, all zones are open. */
const fewDevices = 150

const link = ({ id, label }: MapDevice) => (
  <a key={id} class="apart" href={hrefOf('device', id)}>
    {label}
  </a>
)

function columnsOf(graph: Graph, states: States): readonly Column<MapDevice>[] {
  const named = (ids: readonly string[]) => ids.flatMap((id) => graph.devices.get(id) ?? []).toSorted(byName)
  return [
    {
      title: words.device,
      cell: (one) => (
        <span class="map-tier" style={{ '--tier': Math.min(one.tier, 6) }}>
          {link(one)}
        </span>
      ),
    },
    {
      title: words.state,
      cell: ({ id }) => {
        const level = states.devices.get(id)
        return level === undefined ? <span class="hint">{words.normal}</span> : <Level level={level} />
      },
    },
    { title: words.count, kind: 'number', cell: ({ id }) => numberText(states.counts.get(id) ?? 0) },
    { title: words.type, kind: 'rare', cell: ({ type }) => type },
    { title: words.tier, kind: 'number', cell: ({ tier }) => tier + 1 },
    {
      title: words.parents,
      kind: 'wide',
      cell: ({ parents }) => named(parents).map((one) => <span key={one.id}>{link(one)} </span>),
    },
  ]
}

/** Parents before what hangs below them. */
export function inOrder(graph: Graph, devices: readonly MapDevice[]): MapDevice[] {
  const ids = new Set(devices.map(({ id }) => id))
  const done = new Set<string>()
  const result: MapDevice[] = []
  const add = (one: MapDevice): void => {
    if (done.has(one.id)) return
    done.add(one.id)
    result.push(one)
    const below = one.children.flatMap((id) => (ids.has(id) ? (graph.devices.get(id) ?? []) : []))
    for (const child of below.toSorted(byName)) if (child.parents[0] === one.id) add(child)
  }
  for (const one of devices.toSorted((a, b) => a.tier - b.tier || byName(a, b)))
    if (!one.parents.some((id) => ids.has(id))) add(one)
  for (const one of devices) add(one)
  return result
}

export function MapList({ graph, states, found }: MapListProps) {
  const shown = [...graph.devices.values()].filter(({ id }) => found?.has(id) ?? true)
  const zones = [...Map.groupBy(shown, ({ zoneId }) => zoneId)]
  const nameOf = (zoneId: string) => graph.zones.get(zoneId) ?? zoneId
  zones.sort(([a], [b]) => compareNames(nameOf(a), nameOf(b)))
  const columns = columnsOf(graph, states)
  return (
    <div class="map-list">
      {zones.map(([zoneId, devices]) => (
        <details key={zoneId} open={shown.length <= fewDevices || states.zones.has(zoneId)}>
          <summary>
            <h2>{nameOf(zoneId)}</h2> <span class="hint">{words.devices(devices.length)}</span>{' '}
            {[...(states.zones.get(zoneId) ?? [])]
              .sort(([a], [b]) => a - b)
              .map(([level, count]) => (
                <span key={level} class="map-count">
                  <Level level={level} /> {numberText(count)}
                </span>
              ))}
          </summary>
          <Table
            columns={columns}
            rows={inOrder(graph, devices)}
            caption={words.caption(nameOf(zoneId))}
            keyOf={({ id }: MapDevice) => id}
          />
        </details>
      ))}
    </div>
  )
}
