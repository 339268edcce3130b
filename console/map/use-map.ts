// The state of the map: what is drawn, what is searched, what is chosen, and which day is played.

import { useMemo, useRef, useState } from 'preact/hooks'
import { openAlarms } from '../alarms/live.ts'
import { address, setQuery } from '../core/address.ts'
import { dayOf, useDay } from './day-player.tsx'
import type { Scene } from './draw.ts'
import { byName, type Graph, wayUp } from './graph.ts'
import { type Arrangement, layoutOf } from './layout.ts'
import type { MapCanvas } from './map-canvas.ts'
import { routesOf } from './routes.ts'
import { foldAreas, savedArrangement } from './saved-arrangement.ts'
import { statesAt, statesNow } from './states.ts'

export type MapState = ReturnType<typeof useMap>

function foundIn(graph: Graph, text: string): ReadonlySet<string> | undefined {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return undefined
  const found = [...graph.devices.values()].filter(({ label, ip, type }) =>
    `${label}\n${ip}\n${type}`.toLowerCase().includes(wanted),
  )
  return new Set(found.sort(byName).map(({ id }) => id))
}

/** As a text: what is kept is read anew whenever the page is drawn. */
const keyOf = ({ folded, moved, movedAreas }: Arrangement) =>
  JSON.stringify([[...folded], [...moved], [...movedAreas]])

export function useMap(graph: Graph) {
  const [text, setText] = useState('')
  const [isArranging, setArranging] = useState(false)
  const [date, setDate] = useState<string>()
  const [at, setAt] = useState(0)
  const canvas = useRef<MapCanvas>(undefined)
  const { data: spans = [], busy: isLoading } = useDay(date)
  const isThen = date !== undefined
  const version = openAlarms.version.value
  const states = useMemo(
    () => (isThen ? statesAt(graph, spans, at) : statesNow(graph, openAlarms.rows.values())),
    [graph, isThen ? at : version, isThen, spans],
  )
  const wishes = savedArrangement()
  const layout = useMemo(() => layoutOf(graph, wishes), [graph, keyOf(wishes)])
  const routes = useMemo(() => routesOf(graph, layout), [graph, layout])
  const found = useMemo(() => foundIn(graph, text), [graph, text])
  const asked = address.value.query.get('device') ?? ''
  const chosen = graph.devices.has(asked) ? asked : ''
  const way = useMemo(() => wayUp(graph, chosen), [graph, chosen])
  const scene: Scene = { graph, layout, routes, states, chosen, way, found }
  const choose = (id: string) => {
    const zoneId = graph.devices.get(id)?.zoneId ?? ''
    if (wishes.folded.has(zoneId)) foldAreas([...wishes.folded].filter((one) => one !== zoneId))
    setQuery({ device: id })
  }
  /** The next one that was found, or the one before. */
  const next = (by: number) => {
    const all = [...(found ?? [])]
    const index = all.indexOf(chosen)
    const id = all[index < 0 ? 0 : (index + by + all.length) % all.length]
    if (id === undefined) return
    choose(id)
    // Its zone may have been folded.
    requestAnimationFrame(() => canvas.current?.centre(id))
  }
  /** From the beginning of a day; undefined: now again. */
  const play = (day: string | undefined) => {
    if (day !== undefined) setAt(dayOf(day).begins)
    setDate(day)
  }
  return {
    ...{ scene, wishes, canvas, choose, next, play },
    ...{ text, setText, isArranging, setArranging },
    ...{ date, at, setAt, spans, isLoading, isThen },
  }
}
