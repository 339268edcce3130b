// What the person at this browser has moved and folded on the map. Kept in the browser, for each operator.

import { keep, keptFor } from '../core/kept.ts'
import { parseArrangement } from './arrangement.ts'
import type { Arrangement, Point } from './layout.ts'

/** More are not kept: the oldest go first. */
const maxMoved = 2000

export const savedArrangement = (): Arrangement => parseArrangement(keptFor('map').state.value)

const whole = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y) })
const newest = (map: ReadonlyMap<string, Point>) =>
  Object.fromEntries([...map].slice(-maxMoved).map(([id, point]) => [id, whole(point)]))

function write({ folded, moved, movedAreas }: Arrangement): void {
  keep('map', JSON.stringify({ folded: [...folded], moved: newest(moved), areas: newest(movedAreas) }))
}

const withPoint = (map: ReadonlyMap<string, Point>, id: string, point: Point) => {
  const next = new Map(map)
  next.delete(id)
  return next.set(id, point)
}

export function placeDevice(id: string, to: Point): void {
  const wishes = savedArrangement()
  write({ ...wishes, moved: withPoint(wishes.moved, id, to) })
}

export function placeArea(zoneId: string, to: Point): void {
  const wishes = savedArrangement()
  write({ ...wishes, movedAreas: withPoint(wishes.movedAreas, zoneId, to) })
}

export function foldAreas(zoneIds: Iterable<string>): void {
  write({ ...savedArrangement(), folded: new Set(zoneIds) })
}

export function toggleArea(zoneId: string): void {
  const folded = new Set(savedArrangement().folded)
  if (!folded.delete(zoneId)) folded.add(zoneId)
  foldAreas(folded)
}

/** Everything where the map itself puts it. */
export function putBack(): void {
  write({ ...savedArrangement(), moved: new Map(), movedAreas: new Map() })
}
