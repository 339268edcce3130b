// The lines of the map: where each link runs between the places of its ends, as a path of SVG.

import type { Graph, MapLink } from './graph.ts'
import { areaPad, type Box, type Layout, type Place, type Point } from './layout.ts'

export interface Route {
  readonly link: MapLink
  readonly path: string
  /** Where a mark of its level stands. */
  readonly middle: Point
  readonly box: Box
}

const centre = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 })
const corner = 6

/** Links between what is visible; of many between two folded areas, or two devices, each once for its ports. */
export function routesOf(graph: Graph, layout: Layout): Route[] {
  const seen = new Set<string>()
  const routes: Route[] = []
  for (const link of graph.links) {
    const [lower, upper] = [endOf(graph, layout, link.from), endOf(graph, layout, link.to)]
    if (!lower || !upper || lower.box === upper.box) continue
    const isFolded = lower.isFolded || upper.isFolded
    const key = isFolded ? `${lower.key} ${upper.key}` : link.key
    if (seen.has(key)) continue
    seen.add(key)
    routes.push({ link, ...lineBetween(link, lower.box, upper.box) })
  }
  return routes
}

function endOf(graph: Graph, { places, areas }: Layout, id: string) {
  const place = places.get(id)
  if (place) return { key: id, box: place, isFolded: false }
  const zoneId = graph.devices.get(id)?.zoneId ?? ''
  const area = areas.get(zoneId)
  return area && { key: `zone ${zoneId}`, box: area as Place, isFolded: true }
}

function lineBetween(link: MapLink, lower: Place, upper: Place): Omit<Route, 'link'> {
  const top: Point = { x: centre(upper).x, y: upper.y + upper.height }
  if (link.isUp && lower.spine !== undefined && lower.y > top.y + 2 * corner)
    return alongSpine(lower, lower.spine, top)
  if (link.isUp && lower.y > top.y) return curve(top, { x: centre(lower).x, y: lower.y })
  return aside(lower, upper)
}

/** Down to the line at the left of the list, along it, and to the card. */
function alongSpine(lower: Place, spine: number, top: Point): Omit<Route, 'link'> {
  const end = { x: lower.x, y: centre(lower).y }
  const bus = top.y + Math.min(areaPad.top / 2, (lower.y - top.y) / 2)
  const way = spine > top.x ? 1 : -1
  const turn = Math.min(corner, Math.abs(spine - top.x) / 2)
  const path =
    turn < 1
      ? `M${top.x} ${top.y}V${end.y - corner}Q${spine} ${end.y} ${spine + corner} ${end.y}H${end.x}`
      : `M${top.x} ${top.y}V${bus - turn}Q${top.x} ${bus} ${top.x + way * turn} ${bus}H${spine - way * turn}Q${spine} ${bus} ${spine} ${bus + turn}V${end.y - corner}Q${spine} ${end.y} ${spine + corner} ${end.y}H${end.x}`
  return {
    path,
    middle: { x: spine, y: end.y - lower.height / 2 },
    box: around(top, end, { x: spine, y: bus }),
  }
}

function curve(from: Point, to: Point): Omit<Route, 'link'> {
  const half = (from.y + to.y) / 2
  return {
    path: `M${from.x} ${from.y}C${from.x} ${half} ${to.x} ${half} ${to.x} ${to.y}`,
    middle: { x: (from.x + to.x) / 2, y: half },
    box: around(from, to),
  }
}

/** Between devices of which neither is above the other, or that somebody has moved: an arc. */
function aside(one: Box, other: Box): Omit<Route, 'link'> {
  const [from, to] = [centre(one), centre(other)]
  const isLevel = Math.abs(from.y - to.y) < one.height
  const bend = isLevel ? Math.min(60, 20 + Math.abs(from.x - to.x) / 12) : 0
  const [a, b] = isLevel
    ? [
        { x: from.x, y: one.y + one.height },
        { x: to.x, y: other.y + other.height },
      ]
    : [from, to]
  const control = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 + bend }
  return {
    path: `M${a.x} ${a.y}Q${control.x} ${control.y} ${b.x} ${b.y}`,
    middle: { x: control.x, y: (a.y + b.y) / 2 + bend / 2 },
    box: around(a, b, control),
  }
}

function around(...points: readonly Point[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}
