// Reads what somebody has moved and folded on the map from the text in which it is kept.

import type { Point, Wishes } from './layout.ts'

const isPoint = (value: unknown): value is Point => {
  const { x, y } = (value ?? {}) as Record<string, unknown>
  return Number.isFinite(x) && Number.isFinite(y)
}

const points = (value: unknown): Map<string, Point> =>
  new Map(
    Object.entries((value ?? {}) as object).filter((entry): entry is [string, Point] => isPoint(entry[1])),
  )

/** What an older version, or somebody, has written to the storage may be anything. */
export function readWishes(stored: string | null): Wishes {
  try {
    const { folded, moved, areas } = JSON.parse(stored ?? '{}') as Record<string, unknown>
    return {
      folded: new Set(Array.isArray(folded) ? folded.filter((one) => typeof one === 'string') : []),
      moved: points(moved),
      movedAreas: points(areas),
    }
  } catch {
    return { folded: new Set(), moved: new Map(), movedAreas: new Map() }
  }
}
