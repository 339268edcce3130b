// Paints the map: areas of zones, links, devices with their levels, and names where there is room for them.

import { levelShapes } from '../parts/level.tsx'
import { mapTexts as words } from '../texts/map-texts.ts'
import type { Graph, MapDevice } from './graph.ts'
import { type Area, areaPad, type Box, type Layout, type Place, type Point } from './layout.ts'
import type { Painter } from './painter.ts'
import type { Route } from './routes.ts'
import { linkLevel, type States } from './states.ts'

export interface Colors {
  readonly paper: string
  readonly ground: string
  readonly ink: string
  readonly soft: string
  readonly line: string
  readonly edge: string
  readonly accent: string
  readonly chosen: string
  readonly hover: string
  /** By level, from 1. */
  readonly levels: readonly string[]
}

export interface Scene {
  readonly graph: Graph
  readonly layout: Layout
  readonly routes: readonly Route[]
  readonly states: States
  readonly chosen: string
  /** The way of the chosen device to the core. */
  readonly way: { readonly devices: ReadonlySet<string>; readonly links: ReadonlySet<string> }
  /** What the search has found; undefined: nothing is searched. */
  readonly found: ReadonlySet<string> | undefined
}

/** How the map lies below the screen: a point of it, times the scale, plus the shift. */
export interface View extends Point {
  readonly scale: number
}

export type Measure = (text: string, size: number, weight: number) => number

/** From here on a card has room for its name. */
export const cardsFrom = 0.68
const nameSize = 12

/** In the units of the map. `visible` is the part that is seen, `scale` how large it is drawn. */
export function paintMap(
  painter: Painter,
  scene: Scene,
  colors: Colors,
  { visible, scale, measure }: { visible: Box; scale: number; measure: Measure },
): void {
  const { layout } = scene
  const areas = [...layout.areas.values()].filter((area) => meets(area, visible))
  painter.boxes(areas, 12, { fill: colors.paper, stroke: colors.line, width: 1 / scale })
  paintLinks(painter, scene, colors, visible, scale)
  paintDevices(painter, scene, colors, visible, scale, measure)
  for (const area of areas) if (area.isFolded) paintFolded(painter, area, scene.states, colors, measure)
}

export const meets = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const colorOf = ({ levels, ink }: Colors, level: number) => levels[level] ?? ink

/** Whether it is drawn pale: something is chosen or searched, and this is not part of it. */
export const isAside = ({ found, chosen, way }: Scene, id: string) =>
  found ? !found.has(id) : chosen !== '' && !way.devices.has(id)

function paintLinks(painter: Painter, scene: Scene, colors: Colors, visible: Box, scale: number): void {
  const { routes, states, way, chosen, found } = scene
  const isDim = chosen !== '' || found !== undefined
  const seen = routes.filter(({ box }) =>
    meets({ ...box, width: box.width + 1, height: box.height + 1 }, visible),
  )
  const wrong = seen.flatMap((route) => {
    const level = linkLevel(states, route.link)
    return level === undefined ? [] : [{ route, level }]
  })
  const isWrong = new Set(wrong.map(({ route }) => route))
  const plain = seen.filter((route) => !isWrong.has(route) && !way.links.has(route.link.key))
  // A line never gets thinner than the screen can show.
  const thin = Math.max(1.25, 1 / scale)
  const stroke = isDim ? colors.line : colors.edge
  const [sure, doubtful] = [
    plain.filter(({ link }) => link.isUp && !link.isDoubtful),
    plain.filter(({ link }) => !link.isUp || link.isDoubtful),
  ]
  painter.paths(
    sure.map(({ path }) => path),
    { stroke, width: thin },
  )
  painter.paths(
    doubtful.map(({ path }) => path),
    { stroke, width: thin, dash: true },
  )
  painter.paths(
    seen.filter(({ link }) => way.links.has(link.key)).map(({ path }) => path),
    { stroke: colors.accent, width: Math.max(3, 3 / scale) },
  )
  for (const { route, level } of wrong)
    painter.paths([route.path], {
      stroke: colorOf(colors, level),
      width: Math.max(2.5, 2 / scale),
      dash: route.link.isDoubtful,
    })
  for (const { route, level } of wrong) {
    const size = Math.max(13, 11 / scale)
    painter.boxes([square(route.middle, size + 6)], (size + 6) / 2, { fill: colors.paper })
    painter.sign(levelShapes[level] ?? '', route.middle.x, route.middle.y, size, {
      fill: colorOf(colors, level),
    })
  }
}

const square = ({ x, y }: Point, size: number): Box => ({
  ...{ x: x - size / 2, y: y - size / 2 },
  ...{ width: size, height: size },
})

function paintDevices(
  painter: Painter,
  scene: Scene,
  colors: Colors,
  visible: Box,
  scale: number,
  measure: Measure,
): void {
  const { graph, layout, states, chosen, found } = scene
  const seen: [MapDevice, Place][] = []
  for (const [id, place] of layout.places) {
    const device = graph.devices.get(id)
    if (device && meets(place, visible)) seen.push([device, place])
  }
  const isSmall = scale < cardsFrom
  const radius = isSmall ? 5 : 6
  const aside = seen.filter(([{ id }]) => isAside(scene, id))
  const shown = seen.filter(([{ id }]) => !isAside(scene, id))
  const boxes = (some: readonly (readonly [MapDevice, Place])[]) => some.map(([, place]) => place)
  const thin = Math.max(1, 0.75 / scale)
  painter.boxes(boxes(aside), radius, { fill: colors.ground, stroke: colors.line, width: thin })
  painter.boxes(boxes(shown.filter(([{ id }]) => !states.devices.has(id))), radius, {
    fill: isSmall ? colors.hover : colors.paper,
    stroke: colors.edge,
    width: thin,
  })
  for (const level of [4, 3, 2, 1]) {
    const some = boxes(seen.filter(([{ id }]) => states.devices.get(id) === level))
    const color = colorOf(colors, level)
    painter.boxes(some, radius, {
      fill: isSmall ? color : colors.paper,
      stroke: color,
      width: Math.max(2, 1 / scale),
    })
  }
  if (found)
    painter.boxes(boxes(isSmall ? shown.filter(([{ id }]) => !states.devices.has(id)) : shown), radius, {
      fill: colors.chosen,
      stroke: colors.accent,
      width: Math.max(1.5, 1.5 / scale),
    })
  const place = layout.places.get(chosen)
  if (place)
    painter.boxes([grown(place, 3)], radius + 3, { stroke: colors.accent, width: Math.max(2.5, 2.5 / scale) })
  for (const [device, at] of seen) {
    const level = states.devices.get(device.id)
    if (scale >= cardsFrom) paintName(painter, device, at, level, isAside(scene, device.id), colors, measure)
    else if (level !== undefined) paintMark(painter, at, level, colors, scale)
  }
}

const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  ...{ x: x - by, y: y - by },
  ...{ width: width + 2 * by, height: height + 2 * by },
})

/** Too small for a name: the shape of the level is cut out of its colour. */
function paintMark(painter: Painter, place: Place, level: number, colors: Colors, scale: number): void {
  const size = Math.max(place.height * 0.6, 7 / scale)
  painter.sign(levelShapes[level] ?? '', place.x + place.width / 2, place.y + place.height / 2, size, {
    fill: colors.paper,
  })
}

/** The shape of its level stands on its corner, so that the name has all of the room. */
function paintName(
  painter: Painter,
  { label }: MapDevice,
  place: Place,
  level: number | undefined,
  isDim: boolean,
  colors: Colors,
  measure: Measure,
): void {
  const weight = place.spine === undefined ? 550 : 450
  painter.text(
    shortened(label, place.width - 12, nameSize, weight, measure),
    place.x + place.width / 2,
    place.y + place.height / 2 + 0.5,
    { size: nameSize, weight, fill: isDim ? colors.soft : colors.ink, anchor: 'middle' },
  )
  if (level === undefined) return
  const at = { x: place.x + 2, y: place.y + 1 }
  painter.boxes([square(at, 18)], 9, { fill: colors.paper })
  painter.sign(levelShapes[level] ?? '', at.x, at.y, 13, { fill: colorOf(colors, level) })
}

const shortNames = new Map<string, string>()
const maxShortNames = 10_000

/** What is cut keeps its end, by which names of one place differ. */
function shortened(text: string, width: number, size: number, weight: number, measure: Measure): string {
  const key = `${text}\n${Math.round(width)} ${weight}`
  const known = shortNames.get(key)
  if (known !== undefined) return known
  let result = text
  for (let keep = text.length - 1; keep > 3 && measure(result, size, weight) > width; keep -= 1) {
    const end = Math.ceil(keep / 2)
    result = `${text.slice(0, keep - end)}…${text.slice(-end)}`
  }
  if (shortNames.size > maxShortNames) shortNames.clear()
  shortNames.set(key, result)
  return result
}

function paintFolded(painter: Painter, area: Area, states: States, colors: Colors, measure: Measure): void {
  const { x, y, width, name, count, zoneId } = area
  painter.text(shortened(name, width - 44, 14, 600, measure), x + 32, y + 24, {
    size: 14,
    weight: 600,
    fill: colors.ink,
  })
  paintChevron(painter, x + 18, y + 24, true, colors, 1)
  const text = words.devices(count)
  painter.text(text, x + 32, y + 46, { size: 12, fill: colors.soft })
  paintCounts(
    painter,
    states.zones.get(zoneId),
    x + 32 + measure(text, 12, 400) + 14,
    y + 46,
    1,
    colors,
    measure,
  )
}

const chevrons = { folded: 'M6 3l5 5-5 5', open: 'M3 6l5 5 5-5' }

function paintChevron(
  painter: Painter,
  x: number,
  y: number,
  isFolded: boolean,
  colors: Colors,
  unit: number,
): void {
  painter.sign(isFolded ? chevrons.folded : chevrons.open, x, y, 14 * unit, { stroke: colors.soft, width: 2 })
}

/** How many devices of a zone have which level; returns where it ends. */
function paintCounts(
  painter: Painter,
  levels: ReadonlyMap<number, number> | undefined,
  x: number,
  y: number,
  unit: number,
  colors: Colors,
  measure: Measure,
): number {
  let at = x
  for (const level of [1, 2, 3, 4]) {
    const count = levels?.get(level)
    if (count === undefined) continue
    painter.sign(levelShapes[level] ?? '', at + 6 * unit, y, 11 * unit, { fill: colorOf(colors, level) })
    painter.text(String(count), at + 16 * unit, y + 0.5 * unit, {
      size: 12 * unit,
      weight: 600,
      fill: colors.ink,
    })
    at += (16 + 10) * unit + measure(String(count), 12 * unit, 600)
  }
  return at
}

/** The title of an open area; `unit` is the size of a pixel of the screen, so that it can be read at any scale. */
export function paintTitle(
  painter: Painter,
  area: Area,
  states: States,
  colors: Colors,
  unit: number,
  measure: Measure,
): void {
  const box = titleBox(area, unit)
  const y = box.y + box.height / 2
  const size = 14 * unit
  const room = Math.max(area.width, 90 * unit)
  const name = shortened(area.name, (room - 40 * unit) / unit, 14, 600, measure)
  const count = words.devices(area.count)
  const nameWidth = measure(name, 14, 600) * unit
  const countWidth = measure(count, 12, 400) * unit
  const marks = [...(states.zones.get(area.zoneId)?.values() ?? [])].length * 36 * unit
  const hasCount = 60 * unit + nameWidth + countWidth + marks < room
  // At a small scale it lies over devices.
  if (unit > 1.4)
    painter.boxes(
      [
        {
          ...box,
          width: Math.min(room, 36 * unit + nameWidth + (hasCount ? countWidth + 12 * unit : 0) + marks),
        },
      ],
      6 * unit,
      {
        fill: colors.paper,
      },
    )
  paintChevron(painter, box.x + 12 * unit, y, false, colors, unit)
  painter.text(name, box.x + 24 * unit, y, { size, weight: 600, fill: colors.ink })
  let at = box.x + 24 * unit + nameWidth + 10 * unit
  if (hasCount) {
    painter.text(count, at, y + unit, { size: 12 * unit, fill: colors.soft })
    at += countWidth + 12 * unit
  }
  paintCounts(painter, states.zones.get(area.zoneId), at, y, unit, colors, measure)
}

/** Where a press folds an area, or moves it. */
export const titleBox = ({ x, y, width }: Area, unit: number): Box => ({
  ...{ x: x + 4 * unit, y: y + Math.min(10, areaPad.top - 4 - 28 * unit) },
  ...{ width: Math.max(width - 8 * unit, 90 * unit), height: 28 * unit },
})
