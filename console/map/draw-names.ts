// Paints names beside devices that are too small for them, without any of them covering another.

import { type Colors, isAside, type Measure, meets, type Scene, type View } from './draw.ts'
import type { Box, Place } from './layout.ts'
import type { Painter } from './painter.ts'

/** More would not be read. */
const maxNames = 260

interface Named {
  readonly id: string
  readonly rank: number
  readonly place: Place
  readonly text: string
}

/** In pixels of the screen, the most important names first. */
export function paintNames(
  painter: Painter,
  scene: Scene,
  colors: Colors,
  view: View,
  size: { readonly width: number; readonly height: number },
  measure: Measure,
  taken: readonly Box[],
): void {
  const { graph, layout, states, chosen, found, way } = scene
  const named: Named[] = []
  for (const [id, place] of layout.places) {
    const device = graph.devices.get(id)
    if (!device) continue
    const level = states.devices.get(id)
    const isOn = id === chosen || found?.has(id) || (chosen !== '' && way.devices.has(id))
    if (!isOn && isAside(scene, id)) continue
    const rank = isOn
      ? 0
      : level !== undefined
        ? level
        : place.spine === undefined
          ? 5 + device.tier
          : undefined
    if (rank === undefined) continue
    named.push({ id, rank, place, text: device.label })
  }
  named.sort((a, b) => a.rank - b.rank)
  const grid = new Taken(taken)
  let painted = 0
  for (const { place, text, rank } of named) {
    const x = (place.x + place.width / 2) * view.scale + view.x
    const y = (place.y + place.height) * view.scale + view.y + 8
    if (x < 0 || y < 0 || x > size.width || y > size.height + 8) continue
    const width = measure(text, 11, 500)
    const box = { x: x - width / 2 - 2, y: y - 7, width: width + 4, height: 14 }
    if (!grid.take(box)) continue
    painter.text(text, x, y, {
      ...{ size: 11, weight: rank < 5 ? 600 : 500, anchor: 'middle', halo: colors.paper },
      fill: rank < 5 ? colors.ink : colors.soft,
    })
    painted += 1
    if (painted >= maxNames) break
  }
}

/** The parts of the screen that are taken by a name already, in cells. */
class Taken {
  readonly #cells = new Map<string, Box[]>()

  constructor(boxes: readonly Box[]) {
    for (const box of boxes) this.take(box, true)
  }

  take(box: Box, always = false): boolean {
    const keys: string[] = []
    for (let x = Math.floor(box.x / 80); x <= Math.floor((box.x + box.width) / 80); x += 1)
      for (let y = Math.floor(box.y / 40); y <= Math.floor((box.y + box.height) / 40); y += 1)
        keys.push(`${x} ${y}`)
    if (!always && keys.some((key) => this.#cells.get(key)?.some((other) => meets(other, box)))) return false
    for (const key of keys) this.#cells.set(key, [...(this.#cells.get(key) ?? []), box])
    return true
  }
}
