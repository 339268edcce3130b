// The canvas of the map in the page: its keys, its buttons, and what screen readers are told.

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { onTheme } from '../parts/colors.ts'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icons.ts'
import { mapTexts as words } from '../texts/map-texts.ts'
import type { Scene } from './draw.ts'
import { MapCanvas } from './map-canvas.ts'
import { colorsOfMap } from './map-colors.ts'
import { stateText } from './map-panel.tsx'
import { placeArea, placeDevice, toggleArea } from './saved-arrangement.ts'
import { neighbourIn } from './steps.ts'

interface MapViewProps {
  readonly scene: Scene
  readonly isArranging: boolean
  readonly choose: (id: string) => void
  readonly open: (id: string) => void
  readonly made: (canvas: MapCanvas) => void
}

const step = 1.3
/** Pixels of the map, for Shift and an arrow key. */
const nudge = 10

const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

export function MapView({ scene, isArranging, choose, open, made }: MapViewProps) {
  const element = useRef<HTMLCanvasElement>(null)
  const map = useRef<MapCanvas>(undefined)
  const actions = useRef({ choose, open })
  actions.current = { choose, open }
  useLayoutEffect(() => {
    if (!element.current) return
    const one = new MapCanvas(element.current, colorsOfMap(), {
      choose: (id) => actions.current.choose(id),
      open: (id) => actions.current.open(id),
      fold: toggleArea,
      moveDevice: placeDevice,
      moveArea: placeArea,
    })
    map.current = one
    one.show(scene)
    made(one)
    const ignoreTheme = onTheme(() => one.paintIn(colorsOfMap()))
    return () => {
      ignoreTheme()
      one.close()
    }
  }, [])
  useEffect(() => {
    if (map.current) map.current.isArranging = isArranging
  }, [isArranging])
  // Before the next frame: what is drawn is never older than what the page says.
  useLayoutEffect(
    () => map.current?.show(scene),
    [scene.layout, scene.routes, scene.states, scene.chosen, scene.found],
  )
  const nudgeBy = (x: number, y: number) => {
    const place = scene.layout.places.get(scene.chosen)
    const origin = scene.layout.areas.get(scene.graph.devices.get(scene.chosen)?.zoneId ?? '')?.origin
    if (place && origin)
      placeDevice(scene.chosen, { x: place.x - origin.x + x * nudge, y: place.y - origin.y + y * nudge })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return
    const arrow = arrows[key]
    const keys: Readonly<Record<string, (() => void) | undefined>> = {
      Enter: () => scene.chosen !== '' && open(scene.chosen),
      Escape: () => choose(''),
      '+': () => map.current?.zoom(step),
      '=': () => map.current?.zoom(step),
      '-': () => map.current?.zoom(1 / step),
      '0': () => map.current?.fit(),
    }
    if (arrow && shiftKey && isArranging) nudgeBy(...arrow)
    else if (arrow) {
      const next = neighbourIn(scene, ...arrow)
      if (next !== undefined) {
        choose(next)
        map.current?.reveal(next)
      }
    } else if (keys[key]) keys[key]()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const buttons: readonly (readonly [IconName, string, () => void])[] = [
    ['plus', words.zoomIn, () => map.current?.zoom(step)],
    ['minus', words.zoomOut, () => map.current?.zoom(1 / step)],
    ['fit', words.fit, () => map.current?.fit()],
  ]
  return (
    <div class="map-view">
      <div class="map-keys" role="application" aria-label={words.keys} tabindex={0} onKeyDown={onKeyDown}>
        <canvas ref={element} />
      </div>
      <p class="unseen" role="status">
        {announced(scene)}
      </p>
      {isArranging && <p class="map-note">{words.arrangeHint}</p>}
      <div class="map-buttons">
        {buttons.map(([icon, name, act]) => (
          <button key={icon} type="button" class="icon" aria-label={name} title={name} onClick={act}>
            <Icon name={icon} />
          </button>
        ))}
      </div>
    </div>
  )
}

function announced({ graph, states, chosen }: Scene): string {
  const device = graph.devices.get(chosen)
  if (!device) return ''
  const { label, tier, parents, children } = device
  return words.announce(
    label,
    stateText(states.devices.get(chosen)),
    tier + 1,
    parents.length,
    children.length,
  )
}
