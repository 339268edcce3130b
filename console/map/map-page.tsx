// The map of the network: tiers of devices in areas of zones, live, or as it was at a time of a day.

import { useMemo } from 'preact/hooks'
import { openAlarms } from '../alarms/live.ts'
import { address, go, hrefOf, setQuery } from '../core/address.ts'
import { read } from '../core/api.ts'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { More } from '../parts/more.tsx'
import { Empty } from '../parts/problem.tsx'
import { mapTexts as words } from '../texts/map-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { DayPlayer, today } from './day-player.tsx'
import { type Graph, graphOf, type TopologyAnswer } from './graph.ts'
import type { MapCanvas } from './map-canvas.ts'
import { colorsOfMap } from './map-colors.ts'
import { saveMap } from './map-file.ts'
import { MapList } from './map-list.tsx'
import { DevicePanel, type OpenAlarm } from './map-panel.tsx'
import { MapView } from './map-view.tsx'
import { foldAreas, putBack } from './saved-arrangement.ts'
import { openAt, type Span } from './states.ts'
import { type MapState, useMap } from './use-map.ts'

/** Devices and links change seldom; alarms come by themselves. */
const everySeconds = 30

function alarmsNow(id: string): OpenAlarm[] {
  const rows = [...openAlarms.rows.values()].filter(
    ({ deviceId, endedAt }) => deviceId === id && endedAt === 0,
  )
  return rows.sort((a, b) => a.level - b.level || b.time - a.time)
}

const alarmsAt = (spans: readonly Span[], id: string, at: number): OpenAlarm[] =>
  openAt(
    spans.filter(({ deviceId }) => deviceId === id),
    at,
  )
    .map((one) => ({
      ...{ id: one.id, level: Number(one.alarmLevel), text: one.alarmDesc, time: Number(one.faultTime) },
    }))
    .sort((a, b) => a.level - b.level || b.time - a.time)

interface SearchProps {
  readonly found: ReadonlySet<string> | undefined
  readonly text: string
  readonly setText: (text: string) => void
  /** The next one, or the one before. */
  readonly next: (by: number) => void
}

const SearchField = ({ found, text, setText, next }: SearchProps) => (
  <form
    class="map-search"
    role="search"
    onSubmit={(event: Event) => {
      event.preventDefault()
      next(1)
    }}
  >
    <input
      type="search"
      placeholder={words.search}
      aria-label={words.search}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter' || !event.shiftKey) return
        event.preventDefault()
        next(-1)
      }}
    />
    <span class="hint" role="status">
      {found && words.found(found.size)}
    </span>
  </form>
)

function MapHead({ map, isList }: { map: MapState; isList: boolean }) {
  const { scene, wishes, at, isThen, isArranging, canvas } = map
  const { layout } = scene
  const save = () =>
    canvas.current &&
    saveMap(scene, colorsOfMap('light'), canvas.current.measure, isThen ? at : Date.now() / 1000)
  return (
    <header class="page-head">
      <h1>{words.title}</h1>
      <span class="count">{words.summary(scene.graph.devices.size, scene.states.devices.size)}</span>
      <span class="gap" />
      <SearchField found={scene.found} text={map.text} setText={map.setText} next={map.next} />
      <fieldset class="map-choice">
        <legend class="unseen">{words.showAs}</legend>
        {([false, true] as const).map((list) => (
          <button
            key={String(list)}
            type="button"
            aria-pressed={list === isList}
            onClick={() => setQuery({ view: list ? 'list' : '' })}
          >
            {list ? words.asList : words.asMap}
          </button>
        ))}
      </fieldset>
      {!isList && (
        <button
          type="button"
          aria-pressed={isArranging}
          title={words.arrangeHint}
          onClick={() => map.setArranging(!isArranging)}
        >
          {words.arrange}
        </button>
      )}
      <button type="button" aria-pressed={isThen} onClick={() => map.play(isThen ? undefined : today())}>
        {words.play}
      </button>
      <More
        label={texts.more(words.more)}
        actions={[
          { text: words.foldAll, act: () => foldAreas(layout.areas.keys()) },
          { text: words.unfoldAll, act: () => foldAreas([]) },
          wishes.moved.size + wishes.movedAreas.size > 0 && { text: words.putBack, act: putBack },
          !isList && { text: words.save, act: save },
        ]}
      />
    </header>
  )
}

function MapShown({ graph }: { graph: Graph }) {
  const map = useMap(graph)
  const { scene, spans, at, isThen, date, canvas, choose } = map
  const { states, chosen } = scene
  const device = graph.devices.get(chosen)
  const isList = address.value.query.get('view') === 'list'
  const made = (one: MapCanvas) => {
    canvas.current = one
    if (chosen !== '') one.centre(chosen)
  }
  return (
    <section class="map-page">
      <MapHead map={map} isList={isList} />
      <div class="map-body">
        {isList ? (
          <MapList graph={graph} states={states} found={scene.found} />
        ) : (
          <MapView
            scene={scene}
            isArranging={map.isArranging}
            choose={choose}
            open={(id) => go(hrefOf('device', id))}
            made={made}
          />
        )}
        {device && !isList && (
          <DevicePanel
            {...{ graph, device, states, isThen, choose }}
            alarms={isThen ? alarmsAt(spans, chosen, at) : alarmsNow(chosen)}
          />
        )}
      </div>
      {date !== undefined && (
        <DayPlayer
          {...{ date, spans, at }}
          setAt={map.setAt}
          isLoading={map.isLoading}
          open={[...states.counts.values()].reduce((sum, count) => sum + count, 0)}
          setDate={map.play}
          leave={() => map.play(undefined)}
        />
      )}
    </section>
  )
}

const MapOf = ({ answer }: { answer: TopologyAnswer }) => {
  const graph = useMemo(() => graphOf(answer), [JSON.stringify(answer)])
  if (graph.devices.size === 0)
    return (
      <Empty title={words.empty}>
        <p>{words.emptyHint}</p>
        <a class="button" href={hrefOf('devices')}>
          {words.toDevices}
        </a>
      </Empty>
    )
  return <MapShown graph={graph} />
}

export default function MapPage() {
  const loaded = useLoad((over) => read<TopologyAnswer>('/plat/topology', {}, over), [])
  useEvery(everySeconds, loaded)
  return <When loaded={loaded} show={(answer: TopologyAnswer) => <MapOf answer={answer} />} />
}
