// Parses the arrangement of the map: what the user has moved and folded, as stored in the browser.

import type { Arrangement, Point } from './layout.ts'

const isPoint = (value: unknown): value is Point => {
  const { x, y } = (value ?? {}) as Record<string, unknown>
  return Number.isFinite(x) && Number.isFinite(y)
}

const points = (value: unknown): Map<string, Point> =>
  new Map(
    Object.entries((value ?? {}) as object).filter((entry): entry is [string, Point] => isPoint(entry[1])),
  )

/** The storage may hold anything: an older version or the user may have written it. */
export function parseArrangement(stored: string | null): Arrangement {
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
