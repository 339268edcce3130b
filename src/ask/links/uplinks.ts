// Which end of a link is the upper one: the one that is nearer to the top. Typed-in parents are kept, and are above the device
// however the cables run, so that uplinks never form a circle.

import type { Statement } from './join-ends.ts'

/**
 * The level of each device that hangs below one of `tops`: 0 at the top. A device with typed-in parents is below all of
 * them; any other is below the nearest of its neighbours.
 */
export function levelsOf(
  tops: readonly bigint[],
  links: readonly Statement[],
  typed: ReadonlyMap<bigint, readonly bigint[]>,
): Map<bigint, number> {
  const near = new Map<bigint, Set<bigint>>()
  const connect = (one: bigint, other: bigint) => near.set(one, (near.get(one) ?? new Set()).add(other))
  for (const { deviceId, otherId } of links) {
    if (!typed.has(otherId)) connect(deviceId, otherId)
    if (!typed.has(deviceId)) connect(otherId, deviceId)
  }
  for (const [id, parents] of typed) for (const parent of parents) connect(parent, id)
  const levels = new Map<bigint, number>()
  const waiting: bigint[][] = [[...tops]]
  for (let level = 0; level < waiting.length; level += 1) {
    for (const id of waiting[level] ?? []) {
      if (levels.has(id)) continue
      levels.set(id, level)
      for (const next of near.get(id) ?? []) {
        if (levels.has(next)) continue
        const parents = typed.get(next)
        const above = parents ? parents.map((parent) => levels.get(parent)) : [level]
        // The last of its parents places it.
        if (above.includes(undefined)) continue
        const below = Math.max(...(above as number[])) + 1
        waiting[below] = [...(waiting[below] ?? []), next]
      }
    }
  }
  return levels
}
