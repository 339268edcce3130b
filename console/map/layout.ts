// Where everything is on the map. Each zone is an area; in it, devices stand in tiers below their parents. Devices that share
// children stand side by side, children that have none themselves hang below as a list. The same network always gives the
// same map, and a new device moves only what is beside it.

import { byName, compareNames, type Graph, type MapDevice, tiersOf } from './graph.ts'

const cardSize = { width: 106, height: 30 }
const leafSize = { width: 100, height: 24 }
const gap = 12
const tierGap = 42
const leafGap = 6
/** From the line along which leaves hang to their cards. */
const indent = 10
const areaGap = 32
export const areaPad = { side: 20, top: 60, bottom: 20 }
const foldedSize = { width: 230, height: 68 }
/** Wider rows are wrapped. */
const maxRowWidth = 2800
const maxInRow = 16

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Box extends Point {
  readonly width: number
  readonly height: number
}

export interface Place extends Box {
  /** The line along which it hangs below its parents, where it stands in a list. */
  readonly spine?: number
}

export interface Area extends Box {
  readonly zoneId: string
  readonly name: string
  readonly count: number
  readonly isFolded: boolean
  /** The coordinates of moved devices are relative to this point. */
  readonly origin: Point
}

export interface Layout {
  /** Of devices that are not folded away. */
  readonly places: ReadonlyMap<string, Place>
  readonly areas: ReadonlyMap<string, Area>
  readonly bounds: Box
}

/** The areas and devices that the user has moved, and the areas folded. */
export interface Arrangement {
  readonly folded: ReadonlySet<string>
  /** Devices, by id: relative to the origin of their area. */
  readonly moved: ReadonlyMap<string, Point>
  /** Areas, by zone. */
  readonly movedAreas: ReadonlyMap<string, Point>
}

/** Places drawn together; their coordinates are relative to the corner of the block. */
interface Block {
  readonly width: number
  readonly height: number
  readonly parts: readonly (readonly [id: string, place: Place])[]
}

/** Devices of one tier that share children. */
interface Group {
  readonly members: MapDevice[]
  readonly below: Group[]
  readonly leaves: MapDevice[]
}

export function layoutOf(graph: Graph, arrangement: Arrangement): Layout {
  const name = (zoneId: string) => graph.zones.get(zoneId) ?? zoneId
  const byZone = Map.groupBy(graph.devices.values(), ({ zoneId }) => zoneId)
  const sizes = [...byZone].map(([zoneId, devices]) => {
    const isFolded = arrangement.folded.has(zoneId)
    const block = isFolded ? { ...foldedSize, parts: [] } : blockOf(graph, zoneId, devices)
    const moved = withMoved(block, arrangement.moved, isFolded, titleWidth(name(zoneId)))
    return { zoneId, isFolded, count: devices.length, ...moved }
  })
  const tier = zoneTiers(graph, [...byZone.keys()])
  const rank = (zoneId: string) => tier.get(zoneId) ?? 0
  sizes.sort((a, b) => rank(a.zoneId) - rank(b.zoneId) || compareNames(name(a.zoneId), name(b.zoneId)))
  const corners = packedInRows(
    sizes.filter(({ zoneId }) => !arrangement.movedAreas.has(zoneId)),
    sizes,
  )
  const places = new Map<string, Place>()
  const areas = new Map<string, Area>()
  for (const { zoneId, isFolded, count, width, height, shift, parts } of sizes) {
    const corner = arrangement.movedAreas.get(zoneId) ?? corners.get(zoneId) ?? { x: 0, y: 0 }
    const origin = { x: corner.x + shift.x, y: corner.y + shift.y }
    areas.set(zoneId, { zoneId, name: name(zoneId), count, isFolded, ...corner, width, height, origin })
    for (const [id, { x, y, spine, ...size }] of parts)
      places.set(id, {
        ...size,
        ...{ x: origin.x + x, y: origin.y + y },
        ...(spine !== undefined && { spine: origin.x + spine }),
      })
  }
  return { places, areas, bounds: boundsOf([...areas.values()]) }
}

/** A device that somebody has moved stands by itself; its area grows with it. */
function withMoved(block: Block, moved: Arrangement['moved'], isFolded: boolean, minWidth: number) {
  if (isFolded) return { ...block, shift: { x: 0, y: 0 } }
  const parts = block.parts.map(([id, place]): [string, Place] => {
    const to = moved.get(id)
    return [id, to ? { ...to, width: place.width, height: place.height } : place]
  })
  const bounds = boundsOf([
    { x: 0, y: 0, width: block.width, height: block.height },
    ...parts.map(([, one]) => one),
  ])
  const width = Math.max(bounds.width + 2 * areaPad.side, minWidth)
  return {
    parts,
    width,
    height: bounds.height + areaPad.top + areaPad.bottom,
    shift: { x: (width - bounds.width) / 2 - bounds.x, y: areaPad.top - bounds.y },
  }
}

/** Estimated width of an area's title, which keeps its size when the map is zoomed out. */
const titleWidth = (name: string) => 120 + 13 * Math.min(name.length, 30)

function boundsOf(boxes: readonly Box[]): Box {
  if (boxes.length === 0) return { x: 0, y: 0, width: 1, height: 1 }
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + width)
    bottom = Math.max(bottom, y + height)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** A zone whose devices hang below those of another comes after it. */
function zoneTiers(graph: Graph, ids: readonly string[]): Map<string, number> {
  const parents = new Map<string, Set<string>>()
  const children = new Map<string, Set<string>>()
  for (const { from, to, isUp } of graph.links) {
    const [own, above] = [graph.devices.get(from)?.zoneId, graph.devices.get(to)?.zoneId]
    if (!isUp || own === undefined || above === undefined || own === above) continue
    parents.set(own, (parents.get(own) ?? new Set()).add(above))
    children.set(above, (children.get(above) ?? new Set()).add(own))
  }
  return tiersOf(ids, parents, children)
}

/** Areas in rows, together about as wide as a screen: each in the first row that has room for it. */
function packedInRows(
  sizes: readonly { readonly zoneId: string; readonly width: number; readonly height: number }[],
  all: readonly { readonly width: number; readonly height: number }[],
): Map<string, Point> {
  const surface = all.reduce((sum, { width, height }) => sum + (width + areaGap) * (height + areaGap), 0)
  const limit = Math.max(Math.sqrt(surface * 1.75), ...all.map(({ width }) => width))
  const rows: { width: number; height: number; ids: (readonly [zoneId: string, x: number])[] }[] = []
  for (const { zoneId, width, height } of sizes) {
    let row = rows.find((one) => one.width + width <= limit)
    if (!row) {
      row = { width: 0, height: 0, ids: [] }
      rows.push(row)
    }
    row.ids.push([zoneId, row.width])
    row.width += width + areaGap
    row.height = Math.max(row.height, height)
  }
  const corners = new Map<string, Point>()
  let y = 0
  for (const { ids, height } of rows) {
    for (const [zoneId, x] of ids) corners.set(zoneId, { x, y })
    y += height + areaGap
  }
  return corners
}

const blocks = new WeakMap<Graph, Map<string, Block>>()

/** Kept as long as the network is the same: what somebody moves does not change the others. */
function blockOf(graph: Graph, zoneId: string, devices: readonly MapDevice[]): Block {
  const kept = blocks.get(graph) ?? new Map<string, Block>()
  const block = kept.get(zoneId) ?? zoneBlock(devices)
  blocks.set(graph, kept.set(zoneId, block))
  return block
}

function zoneBlock(devices: readonly MapDevice[]): Block {
  const groups = groupsOf(devices)
  const linked = groups.filter(({ below, leaves }) => below.length > 0 || leaves.length > 0)
  const alone = groups.filter((one) => !linked.includes(one)).flatMap(({ members }) => members)
  const blocks = linked.map(groupBlock)
  if (alone.length > 0) blocks.push(gridBlock(alone))
  return rowsOf(blocks, gap * 2)
}

/** The devices of a zone as a tree of groups. */
function groupsOf(devices: readonly MapDevice[]): Group[] {
  const inZone = new Map(devices.map((one) => [one.id, one]))
  const within = (ids: readonly string[]) => new Set(ids.filter((id) => inZone.has(id)))
  const parents = new Map(devices.map(({ id, parents: above }) => [id, within(above)]))
  const children = new Map(devices.map(({ id, children: below }) => [id, within(below)]))
  const tier = tiersOf([...inZone.keys()], parents, children)
  /** The parents that are directly above it. */
  const nearest = (id: string) =>
    [...(parents.get(id) ?? [])].filter((above) => tier.get(above) === (tier.get(id) ?? 0) - 1)
  // Union-find: devices that share children are joined to one group, which one of them represents.
  const representative = new Map<string, string>()
  const representativeOf = (id: string): string => {
    const next = representative.get(id)
    return next === undefined || next === id ? id : representativeOf(next)
  }
  for (const { id } of devices) {
    const [first, ...others] = nearest(id)
    if (first === undefined) continue
    for (const other of others)
      if (representativeOf(other) !== representativeOf(first))
        representative.set(representativeOf(other), representativeOf(first))
  }
  const sorted = devices.toSorted(byName)
  const groups = new Map<string, Group>()
  const roots: Group[] = []
  const isLeaf = ({ id }: MapDevice) => children.get(id)?.size === 0 && nearest(id).length > 0
  for (const one of sorted) {
    if (isLeaf(one)) continue
    const key = representativeOf(one.id)
    const group = groups.get(key) ?? { members: [], below: [], leaves: [] }
    group.members.push(one)
    groups.set(key, group)
  }
  const groupAbove = (id: string) => {
    const [above] = nearest(id)
    return above === undefined ? undefined : groups.get(representativeOf(above))
  }
  for (const group of groups.values()) {
    const above = group.members.map(({ id }) => groupAbove(id)).find((one) => one !== undefined)
    if (above && above !== group) above.below.push(group)
    else roots.push(group)
  }
  for (const one of sorted) if (isLeaf(one)) groupAbove(one.id)?.leaves.push(one)
  for (const group of groups.values()) group.below.sort((a, b) => placeUnder(group, a) - placeUnder(group, b))
  return roots
}

/** Below the middle of its parents, so that links cross little. */
function placeUnder({ members }: Group, { members: [first] }: Group): number {
  const at = members.flatMap(({ id }, index) => (first?.parents.includes(id) ? [index] : []))
  return at.length === 0 ? 0 : at.reduce((sum, one) => sum + one, 0) / at.length
}

/** Its members side by side, and below them what hangs there. */
function groupBlock(group: Group): Block {
  const head = gridBlock(group.members, maxInRow)
  const blocks = group.below.map(groupBlock)
  if (group.leaves.length > 0) blocks.push(leafBlock(group.leaves))
  const body = rowsOf(blocks, gap)
  const width = Math.max(head.width, body.width)
  return {
    width,
    height: head.height + tierGap + body.height,
    parts: [
      ...translated(head, (width - head.width) / 2, 0),
      ...translated(body, (width - body.width) / 2, head.height + tierGap),
    ],
  }
}

const translated = ({ parts }: Block, dx: number, dy: number): [string, Place][] =>
  parts.map(([id, place]) => [
    id,
    {
      ...place,
      ...{ x: place.x + dx, y: place.y + dy },
      ...(place.spine !== undefined && { spine: place.spine + dx }),
    },
  ])

/** Blocks beside each other, in as many rows as they need, each in the middle. */
function rowsOf(blocks: readonly Block[], between: number): Block {
  const rows: Block[][] = [[]]
  let used = 0
  for (const block of blocks) {
    if (used > 0 && used + block.width > maxRowWidth) {
      rows.push([])
      used = 0
    }
    rows.at(-1)?.push(block)
    used += block.width + between
  }
  const widths = rows.map((row) => row.reduce((sum, { width }) => sum + width + between, -between))
  const width = Math.max(0, ...widths)
  const parts: [string, Place][] = []
  let y = 0
  for (const [index, row] of rows.entries()) {
    let x = (width - (widths[index] ?? 0)) / 2
    for (const block of row) {
      for (const one of translated(block, x, y)) parts.push(one)
      x += block.width + between
    }
    y += Math.max(0, ...row.map(({ height }) => height)) + (index < rows.length - 1 ? tierGap : 0)
  }
  return { width, height: y, parts }
}

/** Cards in a grid that is wider than high, or in rows of so many. */
function gridBlock(
  devices: readonly MapDevice[],
  inRow = Math.ceil(Math.sqrt((devices.length * cardSize.height * 3) / cardSize.width)),
): Block {
  const columns = Math.max(1, Math.min(devices.length, inRow))
  const rows = Math.ceil(devices.length / columns)
  return {
    width: columns * (cardSize.width + gap) - gap,
    height: rows * (cardSize.height + gap) - gap,
    parts: devices.map(({ id }, index) => [
      id,
      {
        ...cardSize,
        x: (index % columns) * (cardSize.width + gap),
        y: Math.floor(index / columns) * (cardSize.height + gap),
      },
    ]),
  }
}

const maxInList = 8

/** Leaves hang in lists, of which each has a line at its left. */
function leafBlock(leaves: readonly MapDevice[]): Block {
  const columns = leaves.length <= maxInList ? 1 : Math.ceil(Math.sqrt(leaves.length / 3))
  const rows = Math.ceil(leaves.length / columns)
  const step = { x: indent + leafSize.width + gap, y: leafSize.height + leafGap }
  return {
    width: columns * step.x - gap,
    height: rows * step.y - leafGap,
    parts: leaves.map(({ id }, index) => {
      const column = Math.floor(index / rows)
      return [
        id,
        {
          ...leafSize,
          ...{ x: column * step.x + indent, y: (index % rows) * step.y },
          spine: column * step.x,
        },
      ]
    }),
  }
}
