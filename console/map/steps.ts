// Where arrow keys lead on the map: up and down along links, and to the next device beside.

import type { Scene } from './draw.ts'
import { byName } from './graph.ts'
import type { Place } from './layout.ts'

const middle = ({ x, y, width, height }: Place) => ({ x: x + width / 2, y: y + height / 2 })

/** The device that is reached from the chosen one; at first, the first of all. */
export function neighbourIn({ graph, layout, chosen }: Scene, dx: number, dy: number): string | undefined {
  const device = graph.devices.get(chosen)
  const place = layout.places.get(chosen)
  if (!device || !place) return firstOf(graph, layout)
  if (dy < 0) return device.parents.find((id) => layout.places.has(id)) ?? nearest(layout, place, 0, -1)
  if (dy > 0 && device.children.length > 0) {
    const below = device.children.flatMap((id) => graph.devices.get(id) ?? []).toSorted(byName)
    return below.find(({ id }) => layout.places.has(id))?.id
  }
  return nearest(layout, place, dx, dy)
}

function firstOf(graph: Scene['graph'], { places }: Scene['layout']): string | undefined {
  const [first] = [...graph.devices.values()]
    .filter(({ id }) => places.has(id))
    .sort((a, b) => a.tier - b.tier || byName(a, b))
  return first?.id
}

/** In that direction, not far aside. */
function nearest({ places }: Scene['layout'], from: Place, dx: number, dy: number): string | undefined {
  const start = middle(from)
  let best: string | undefined
  let least = Infinity
  for (const [id, place] of places) {
    if (place === from) continue
    const at = middle(place)
    const [along, aside] = [
      (at.x - start.x) * dx + (at.y - start.y) * dy,
      Math.abs((at.x - start.x) * dy) + Math.abs((at.y - start.y) * dx),
    ]
    if (along < 4) continue
    const cost = along + 3 * aside
    if (cost < least) [best, least] = [id, cost]
  }
  return best
}
